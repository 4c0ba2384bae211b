// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the points of a class come to together.
#include "Summary.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace tile::bench;
using llvm::format;

/// Summarises the points for which `contains` holds.
template <class Contains>
static ClassSummary summarizeClass(std::string name,
                                   llvm::ArrayRef<PointResult> points,
                                   Contains contains) {
  ClassSummary summary;
  summary.name = std::move(name);
  std::vector<double> toDefault, toBest;
  for (size_t i = 0; i < points.size(); ++i) {
    const PointResult &point = points[i];
    if (!contains(point.point))
      continue;
    ++summary.points;
    summary.failed += !point.failure.empty();
    summary.skipped += !point.skipped.empty();
    summary.alone += !point.noReference.empty();
    double best = point.ratioToBest();
    if (!point.failure.empty() || best <= 0)
      continue;
    toBest.push_back(best);
    // A default that fails where another algorithm runs is not compared.
    if (double ratio = point.ratioToDefault(); ratio > 0)
      toDefault.push_back(ratio);
    if (summary.worst < 0 || best < points[summary.worst].ratioToBest())
      summary.worst = static_cast<int>(i);
    for (size_t t = 0; t < thresholds.size(); ++t)
      summary.below[t] += best < thresholds[t];
  }
  summary.compared = static_cast<int>(toBest.size());
  summary.toDefault = geometricMean(toDefault);
  summary.toBest = geometricMean(toBest);
  return summary;
}

std::vector<ClassSummary>
tile::bench::summarizeClasses(llvm::ArrayRef<PointResult> points) {
  std::vector<std::string> names;
  for (const PointResult &point : points)
    for (const std::string &name : point.point.classes)
      if (!llvm::is_contained(names, name))
        names.push_back(name);
  std::vector<ClassSummary> summaries = {
      summarizeClass("all", points, [](const Point &) { return true; })};
  for (const std::string &name : names)
    summaries.push_back(summarizeClass(name, points, [&](const Point &point) {
      return llvm::is_contained(point.classes, name);
    }));
  return summaries;
}

std::string tile::bench::formatClasses(llvm::ArrayRef<ClassSummary> classes,
                                       llvm::ArrayRef<PointResult> points) {
  size_t width = 5;
  bool any = false;
  for (const ClassSummary &summary : classes) {
    width = std::max(width, summary.name.size());
    any |= summary.compared > 0;
  }
  std::string text;
  if (!any)
    return text;
  llvm::raw_string_ostream out(text);
  out << format("%-*s  %6s %8s  %10s %7s ", static_cast<int>(width), "class",
                "points", "compared", "to default", "to best");
  for (double threshold : thresholds)
    out << format(" %6s",
                  ("<" + std::to_string(threshold).substr(0, 5)).c_str());
  out << "   worst\n";
  for (const ClassSummary &summary : classes) {
    out << format("%-*s  %6d %8d ", static_cast<int>(width),
                  summary.name.c_str(), summary.points, summary.compared);
    if (summary.compared == 0) {
      out << '\n';
      continue;
    }
    out << format(" %10.3f %7.3f ", summary.toDefault, summary.toBest);
    for (int count : summary.below)
      out << format(" %6d", count);
    const PointResult &worst = points[summary.worst];
    out << format("   %.3f ", worst.ratioToBest()) << worst.point.label()
        << '\n';
  }
  return text;
}
