// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results as a picture: a bar for each point, a line at cuBLASLt's speed.
#include "Results.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>

using namespace tile::bench;
using llvm::format;

namespace {
/// Where things are, in pixels.
struct Frame {
  static constexpr double rowHeight = 26, barHeight = 16, top = 74, right = 150,
                          bottom = 64, plotWidth = 520;
  double left = 0, scale = 0, plotHeight = 0;

  double x(double ratio) const {
    return left + plotWidth * std::min(ratio, scale) / scale;
  }
  double y(size_t row) const { return top + rowHeight * (row + 0.5); }
  double width() const { return left + plotWidth + right; }
  double height() const { return top + plotHeight + bottom; }
};
} // namespace

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

static Frame layOut(const Report &report) {
  Frame frame;
  size_t longest = 10;
  double largest = 1;
  for (const PointResult &point : report.points) {
    longest = std::max(longest, point.point.label().size());
    largest = std::max({largest, point.ratioToBest(), point.ratioToDefault()});
  }
  // About 7 pixels a character at this size.
  frame.left = 24 + 7.2 * longest;
  frame.scale = std::ceil(largest * 1.08 * 5) / 5;
  frame.plotHeight =
      Frame::rowHeight * std::max<size_t>(report.points.size(), 1);
  return frame;
}

static void drawHead(llvm::raw_ostream &out, const Report &report,
                     const Frame &frame) {
  out << format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" "
                "height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
                "font-family=\"Helvetica, Arial, sans-serif\" "
                "font-size=\"13\">\n",
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
  double step = frame.scale > 3 ? 1 : frame.scale > 1.6 ? 0.5 : 0.2;
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
    return note(frame.left + 8, speed + ", not compared", "#555");
  out << format("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
                "fill=\"%s\"/>\n",
                frame.left, y - Frame::barHeight / 2,
                frame.x(best) - frame.left, Frame::barHeight,
                best >= 1 ? "#2b7bba" : "#e08a2e");
  double mark = frame.x(result.ratioToDefault());
  out << format("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" "
                "stroke=\"#111\" stroke-width=\"2.5\"/>\n",
                mark, y - Frame::barHeight / 2 - 2, mark,
                y + Frame::barHeight / 2 + 2);
  std::string value;
  llvm::raw_string_ostream stream(value);
  stream << format("%.2f", best) << "  (" << speed << ")";
  note(std::max(frame.x(best), mark) + 8, value, "#111");
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
  out << format("<text x=\"16\" y=\"%.1f\" fill=\"#555\" font-size=\"12\">",
                end + 44)
      << "bar: against the fastest of cuBLASLt's algorithms; black mark: "
         "against its default";
  Overall overall = summarizePoints(report.points);
  if (overall.count > 0)
    out << format("; geometric mean %.3f and %.3f", overall.toBest,
                  overall.toDefault);
  out << "</text>\n</svg>\n";
}

std::string tile::bench::toSVG(const Report &report) {
  std::string text;
  llvm::raw_string_ostream out(text);
  Frame frame = layOut(report);
  drawHead(out, report, frame);
  drawAxis(out, frame);
  for (size_t row = 0; row < report.points.size(); ++row)
    drawRow(out, report.points[row], frame, row);
  drawFoot(out, report, frame);
  return text;
}
