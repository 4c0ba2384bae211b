// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ratios, means, and the table that the terminal shows.
#include "Results.h"

#include "Summary.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <numeric>
#include <tuple>

using namespace tile::bench;
using llvm::format;

static double ratio(const PointResult &result, int rival) {
  if (result.best < 0 || rival < 0)
    return 0;
  double ours = result.ours[result.best].time.median;
  return ours > 0 ? result.cublas[rival].time.median / ours : 0;
}

double PointResult::ratioToDefault() const {
  return ratio(*this, cublasDefault);
}

double PointResult::ratioToBest() const { return ratio(*this, cublasBest); }

double PointResult::teraflops(const Entry &entry) const {
  return entry.time.median > 0 ? point.flops() / entry.time.median * 1e-6 : 0;
}

static std::string pad(llvm::StringRef text, size_t width) {
  return text.str() +
         std::string(width > text.size() ? width - text.size() : 0, ' ');
}

std::string tile::bench::formatTableHead(size_t width) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << pad("point", width)
      << format("  %10s %6s %8s  %10s %10s  %6s %6s  %8s %5s  %s\n", "ours us",
                "spread", "TFLOP/s", "cublas us", "best us", "ratio", "best",
                "error", "regs", "kernel");
  return text;
}

std::string tile::bench::formatTableRow(const PointResult &result,
                                        size_t width) {
  std::string text;
  llvm::raw_string_ostream out(text);
  auto number = [&](const char *form, int columns, double value, bool known) {
    if (known)
      out << format(form, value);
    else
      out << format("%*s", columns, "-");
  };
  const Entry *ours = result.best < 0 ? nullptr : &result.ours[result.best];
  auto rival = [&](int index) {
    return index < 0 ? 0.0 : result.cublas[index].time.median;
  };
  out << pad(result.point.label(), width) << "  ";
  number("%10.2f", 10, ours ? ours->time.median : 0, ours);
  out << ' ';
  number("%5.1f%%", 6, ours ? ours->time.spread * 100 : 0, ours);
  out << ' ';
  number("%8.2f", 8, ours ? result.teraflops(*ours) : 0, ours);
  out << "  ";
  number("%10.2f", 10, rival(result.cublasDefault), result.cublasDefault >= 0);
  out << ' ';
  number("%10.2f", 10, rival(result.cublasBest), result.cublasBest >= 0);
  out << "  ";
  number("%6.3f", 6, result.ratioToDefault(), result.ratioToDefault() > 0);
  out << ' ';
  number("%6.3f", 6, result.ratioToBest(), result.ratioToBest() > 0);
  out << "  ";
  number("%8.1e", 8, ours ? ours->maxError : 0, ours && ours->checked);
  out << ' ';
  number("%5.0f", 5, ours ? ours->registers : 0, ours && ours->registers >= 0);
  out << "  " << (ours ? ours->kernel : "-");
  if (ours && !ours->prepare.empty())
    out << " after " << ours->prepare;
  if (ours && ours->localBytes > 0)
    out << " (" << ours->localBytes << " B local)";
  out << '\n';
  return text + formatTableNote(result);
}

std::string tile::bench::formatTableNote(const PointResult &result) {
  std::string text;
  if (!result.skipped.empty())
    text += "  not measured: " + result.skipped + '\n';
  if (!result.noReference.empty())
    text += "  no reference: " + result.noReference + '\n';
  if (!result.failure.empty())
    text += "  FAILED: " + result.failure + '\n';
  return text;
}

std::string tile::bench::formatCandidates(const PointResult &result) {
  std::vector<int> order(result.ours.size());
  std::iota(order.begin(), order.end(), 0);
  auto key = [&](int index) {
    const Entry &entry = result.ours[index];
    return std::make_tuple(!entry.failure.empty(), entry.time.median, index);
  };
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return key(a) < key(b); });
  std::string text;
  llvm::raw_string_ostream out(text);
  for (int index : order) {
    const Entry &entry = result.ours[index];
    if (!entry.failure.empty()) {
      out << "    " << (entry.wrong ? "WRONG" : "not run") << "  " << entry.name
          << ": " << entry.failure << '\n';
      continue;
    }
    out << format("    %10.2f us (min %.2f, spread %.1f%%) %7.2f TFLOP/s %3d "
                  "regs",
                  entry.time.median, entry.time.min, entry.time.spread * 100,
                  result.teraflops(entry), entry.registers);
    if (entry.localBytes > 0)
      out << ' ' << entry.localBytes << " B local";
    out << (entry.finalist ? "  " : "  (screened) ") << entry.name;
    if (entry.name == "default")
      out << ' ' << entry.schedule << " (" << entry.reason << ')';
    out << '\n';
  }
  return text;
}

std::string tile::bench::formatTableFoot(const Report &report) {
  std::vector<ClassSummary> classes = summarizeClasses(report.points);
  std::string text = formatClasses(classes, report.points);
  llvm::raw_string_ostream out(text);
  const ClassSummary &all = classes.front();
  if (all.alone)
    out << all.alone << " of " << all.points << " points without reference\n";
  if (all.skipped)
    out << all.skipped << " of " << all.points << " points not measured\n";
  if (all.failed)
    out << all.failed << " of " << all.points << " points FAILED\n";
  return text;
}
