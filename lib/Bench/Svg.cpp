// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results as a picture: a bar for each point, a line at cuBLASLt's speed.
#include "Results.h"

#include "Summary.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>

using namespace tile::bench;
using llvm::format;

namespace {
/// Where things are, in pixels.
struct Frame {
  static constexpr double rowHeight = 20, barHeight = 12, top = 74, right = 190,
                          bottom = 74, plotWidth = 560;
  /// Bars past this are cut: a few of several times the speed would hide
  /// whether the others are near 1.
  static constexpr double largestScale = 2;
  double left = 0, scale = 0, plotHeight = 0;

  double x(double ratio) const {
    return left + plotWidth * std::min(ratio, scale) / scale;
  }
  double y(size_t row) const { return top + rowHeight * (row + 0.5); }
  double width() const { return left + plotWidth + right; }
  double height() const { return top + plotHeight + bottom; }
};

/// A line of the picture: the head of a class, or a point.
struct Line {
  /// Of the class, without a point.
  std::string head;
  int point = -1;
};
} // namespace

/// The points under the first of their classes each, classes in the order in
/// which they first occur. No heads if no point has a class.
static std::vector<Line> arrange(llvm::ArrayRef<PointResult> points) {
  std::vector<Line> lines;
  auto firstClass = [&](const PointResult &point) {
    return point.point.classes.empty() ? "" : point.point.classes.front();
  };
  std::vector<std::string> names;
  for (const PointResult &point : points)
    if (!llvm::is_contained(names, firstClass(point)))
      names.push_back(firstClass(point));
  for (const std::string &name : names) {
    std::vector<double> ratios;
    size_t head = lines.size();
    if (names.size() > 1 || !name.empty())
      lines.emplace_back();
    for (size_t i = 0; i < points.size(); ++i) {
      if (firstClass(points[i]) != name)
        continue;
      lines.emplace_back().point = static_cast<int>(i);
      if (points[i].failure.empty() && points[i].ratioToBest() > 0)
        ratios.push_back(points[i].ratioToBest());
    }
    if (lines[head].point >= 0)
      continue;
    llvm::raw_string_ostream out(lines[head].head);
    out << (name.empty() ? "others" : name);
    if (!ratios.empty())
      out << format(": geometric mean %.3f", geometricMean(ratios));
  }
  return lines;
}

static std::string escape(llvm::StringRef text) {
  std::string result;
  for (char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  }
  return result;
}

static Frame layOut(const Report &report, size_t lines) {
  Frame frame;
  size_t longest = 10;
  double largest = 1;
  for (const PointResult &point : report.points) {
    longest = std::max(longest, point.point.label().size());
    largest = std::max({largest, point.ratioToBest(), point.ratioToDefault()});
  }
  // About 7 pixels a character at this size.
  frame.left = 24 + 7 * longest;
  frame.scale =
      std::min(Frame::largestScale, std::ceil(largest * 1.08 * 5) / 5);
  frame.plotHeight = Frame::rowHeight * std::max<size_t>(lines, 1);
  return frame;
}

static void drawHead(llvm::raw_ostream &out, const Report &report,
                     const Frame &frame) {
  out << format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" "
                "height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
                "font-family=\"Helvetica, Arial, sans-serif\" "
                "font-size=\"12\">\n",
                frame.width(), frame.height(), frame.width(), frame.height())
      << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
      << "<text x=\"16\" y=\"26\" font-size=\"17\" font-weight=\"bold\">Speed "
         "of tile.gemm relative to cuBLASLt</text>\n"
      << "<text x=\"16\" y=\"46\" fill=\"#555\">"
      << escape(report.card + ", driver " + report.driver + ", cuBLASLt " +
                report.cublas + ", " + report.regime + ", " + report.date)
      << "</text>\n";
}

static void drawAxis(llvm::raw_ostream &out, const Frame &frame) {
  double end = Frame::top + frame.plotHeight;
  double step = 0.2;
  for (int i = 0; i * step <= frame.scale + 1e-9; ++i)
    out << format("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" "
                  "stroke=\"#e4e4e4\"/>\n",
                  frame.x(i * step), Frame::top, frame.x(i * step), end)
        << format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" "
                  "fill=\"#555\">%.1f</text>\n",
                  frame.x(i * step), end + 18, i * step);
}

static void drawRow(llvm::raw_ostream &out, const PointResult &result,
                    const Frame &frame, size_t row) {
  double y = frame.y(row);
  out << format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">",
                frame.left - 10, y + 4.5)
      << escape(result.point.label()) << "</text>\n";
  auto note = [&](double x, const std::string &text, const char *color) {
    out << format("<text x=\"%.1f\" y=\"%.1f\" fill=\"%s\">", x, y + 4.5, color)
        << escape(text) << "</text>\n";
  };
  double best = result.ratioToBest();
  std::string speed;
  if (result.best >= 0) {
    llvm::raw_string_ostream stream(speed);
    stream << format("%.1f TFLOP/s",
                     result.teraflops(result.ours[result.best]));
  }
  if (!result.failure.empty())
    return note(frame.left + 8, "FAILED", "#b00020");
  if (best <= 0)
    return note(frame.left + 8,
                !result.skipped.empty()       ? "not measured"
                : !result.noReference.empty() ? speed + ", no reference"
                                              : speed + ", not compared",
                "#555");
  out << format("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
                "fill=\"%s\"/>\n",
                frame.left, y - Frame::barHeight / 2,
                frame.x(best) - frame.left, Frame::barHeight,
                best >= thresholds[0]   ? "#2b7bba"
                : best >= thresholds[2] ? "#e08a2e"
                                        : "#c0392b");
  double mark = frame.x(result.ratioToDefault());
  out << format("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" "
                "stroke=\"#111\" stroke-width=\"2.5\"/>\n",
                mark, y - Frame::barHeight / 2 - 2, mark,
                y + Frame::barHeight / 2 + 2);
  std::string value;
  llvm::raw_string_ostream stream(value);
  // An arrow where the bar is cut.
  stream << (best > frame.scale ? "\u2192 " : "") << format("%.3f", best)
         << "  (" << speed << ")";
  note(std::max(frame.x(best), mark) + 8, value, "#111");
}

static void drawClass(llvm::raw_ostream &out, const std::string &head,
                      const Frame &frame, size_t row) {
  out << format("<rect x=\"8\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
                "fill=\"#f3f3f3\"/>\n",
                frame.y(row) - Frame::rowHeight / 2 + 1, frame.width() - 16,
                Frame::rowHeight - 2)
      << format("<text x=\"16\" y=\"%.1f\" font-weight=\"bold\">",
                frame.y(row) + 4.5)
      << escape(head) << "</text>\n";
}

static void drawFoot(llvm::raw_ostream &out, const Report &report,
                     const Frame &frame) {
  double end = Frame::top + frame.plotHeight;
  out << format("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" "
                "stroke=\"#111\" stroke-dasharray=\"5 3\"/>\n",
                frame.x(1), Frame::top - 6, frame.x(1), end)
      << format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" "
                "font-size=\"11\" fill=\"#555\">cuBLASLt = 1</text>\n",
                frame.x(1), Frame::top - 10);
  auto line = [&](double y, const std::string &words) {
    out << format("<text x=\"16\" y=\"%.1f\" fill=\"#555\">", y)
        << escape(words) << "</text>\n";
  };
  line(end + 40,
       "Bar: against the fastest of cuBLASLt's algorithms (blue: level or "
       "ahead, orange: within 5 %, red: further behind). Black mark: against "
       "its default.");
  std::string means;
  llvm::raw_string_ostream stream(means);
  ClassSummary all = summarizeClasses(report.points).front();
  if (all.compared > 0)
    stream << format("Geometric mean over %d points: %.3f of its best, %.3f of "
                     "its default.",
                     all.compared, all.toBest, all.toDefault);
  line(end + 58, means);
  out << "</svg>\n";
}

std::string tile::bench::toSVG(const Report &report) {
  std::string text;
  llvm::raw_string_ostream out(text);
  std::vector<Line> lines = arrange(report.points);
  Frame frame = layOut(report, lines.size());
  drawHead(out, report, frame);
  for (size_t row = 0; row < lines.size(); ++row)
    if (lines[row].point < 0)
      drawClass(out, lines[row].head, frame, row);
  drawAxis(out, frame);
  for (size_t row = 0; row < lines.size(); ++row)
    if (int point = lines[row].point; point >= 0)
      drawRow(out, report.points[point], frame, row);
  drawFoot(out, report, frame);
  return text;
}
