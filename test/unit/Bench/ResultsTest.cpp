// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ratios, the table, and the files.
#include "Results.h"

#include "gtest/gtest.h"

using namespace tile;
using namespace tile::bench;

static Entry makeEntry(std::string name, double microseconds) {
  Entry entry;
  entry.name = std::move(name);
  entry.time = summarize({microseconds});
  entry.finalist = true;
  return entry;
}

/// A point in which ours takes `ours`, cuBLASLt's default 120, its best 100 µs.
static PointResult makePoint(const char *text, double ours) {
  PointResult result;
  result.point = *parsePoint(text);
  result.ours.push_back(makeEntry("#tile.simt<tile = [1, 2, 3]>", ours));
  result.ours[0].kernel = "simt_1x2x3";
  result.ours[0].registers = 128;
  result.ours[0].checked = true;
  result.ours[0].maxError = 1.5e-7;
  result.cublas.push_back(makeEntry("#0", 120));
  result.cublas.push_back(makeEntry("#1", 100));
  result.best = 0;
  result.cublasDefault = 0;
  result.cublasBest = 1;
  return result;
}

static Report makeReport() {
  Report report;
  report.date = "2026-01-02T03:04:05Z";
  report.card = "Card <1>";
  report.driver = "1.2";
  report.regime = "hot";
  report.points.push_back(makePoint("f32 1000 1000 1000", 50));
  report.points.push_back(makePoint("f32 1000 1000 1000 tt", 200));
  PointResult failed = makePoint("f64 8 8 8", 1);
  failed.best = -1;
  failed.failure = "default is \"wrong\", really";
  report.points.push_back(failed);
  return report;
}

TEST(ResultsTest, RatioAboveOneMeansFaster) {
  PointResult point = makePoint("f32 1000 1000 1000", 50);
  EXPECT_DOUBLE_EQ(point.ratioToDefault(), 2.4);
  EXPECT_DOUBLE_EQ(point.ratioToBest(), 2);
  EXPECT_DOUBLE_EQ(point.teraflops(point.ours[0]), 40);
}

TEST(ResultsTest, TableShowsNumbersAndFailures) {
  Report report = makeReport();
  size_t width = report.points[1].point.label().size();
  std::string head = formatTableHead(width);
  std::string row = formatTableRow(report.points[0], width);
  // The columns line up.
  EXPECT_EQ(head.find("kernel"), row.find("simt_1x2x3"));
  EXPECT_NE(row.find(" 50.00 "), std::string::npos);
  EXPECT_NE(row.find(" 40.00 "), std::string::npos);
  EXPECT_NE(row.find(" 2.400  2.000 "), std::string::npos);
  EXPECT_NE(row.find("1.5e-07   128"), std::string::npos);
  std::string failed = formatTableRow(report.points[2], width);
  EXPECT_EQ(head.find("kernel"), failed.find("\n") - 1);
  EXPECT_NE(failed.find("FAILED: default is"), std::string::npos);
  std::string foot = formatTableFoot(report);
  EXPECT_NE(foot.find("1 of 3 points FAILED\n"), std::string::npos);
  EXPECT_NE(foot.find("0.500 f32 1000x1000x1000 tt\n"), std::string::npos);
}

TEST(ResultsTest, CandidatesAreSortedAndNamed) {
  PointResult point = makePoint("f32 1000 1000 1000", 50);
  point.ours.push_back(makeEntry("fast", 40));
  Entry illegal;
  illegal.name = "illegal";
  illegal.failure = "expected 2, but got 3";
  point.ours.insert(point.ours.begin(), illegal);
  std::string text = formatCandidates(point);
  size_t fast = text.find("fast"), slow = text.find("#tile.simt"),
         bad = text.find("not run  illegal: expected 2, but got 3");
  EXPECT_LT(fast, slow);
  EXPECT_LT(slow, bad);
  EXPECT_NE(bad, std::string::npos);
}

TEST(ResultsTest, JSONReadsBack) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << toJSON(makeReport());
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(text);
  ASSERT_TRUE(static_cast<bool>(parsed));
  const llvm::json::Object *root = parsed->getAsObject();
  EXPECT_EQ(root->getString("card"), "Card <1>");
  const llvm::json::Object *all = (*root->getArray("summary"))[0].getAsObject();
  EXPECT_EQ(all->getInteger("compared"), 2);
  EXPECT_EQ(all->getInteger("failed"), 1);
  const llvm::json::Array *points = root->getArray("points");
  ASSERT_EQ(points->size(), 3u);
  const llvm::json::Object *first = (*points)[0].getAsObject();
  EXPECT_EQ(first->getNumber("ratio_to_best"), 2.0);
  EXPECT_EQ(first->getString("layout"), "nn");
  const llvm::json::Object *ours = (*first->getArray("ours"))[0].getAsObject();
  EXPECT_EQ(ours->getObject("us")->getNumber("median"), 50.0);
  EXPECT_EQ((*points)[2].getAsObject()->getString("failure"),
            "default is \"wrong\", really");
}

TEST(ResultsTest, CSVHasAsManyFieldsInEachLine) {
  std::string text = toCSV(makeReport());
  size_t fields = 0;
  int lines = 0;
  for (llvm::StringRef rest = text; !rest.empty(); ++lines) {
    auto [line, next] = rest.split('\n');
    rest = next;
    size_t count = 1;
    bool quoted = false;
    for (char c : line) {
      quoted ^= c == '"';
      count += c == ',' && !quoted;
    }
    if (lines == 0)
      fields = count;
    EXPECT_EQ(count, fields) << line.str();
  }
  EXPECT_EQ(lines, 4);
  EXPECT_NE(text.find("\"FAILED: default is \"\"wrong\"\", really\""),
            std::string::npos);
}

TEST(ResultsTest, SVGIsEscapedAndShowsEveryPoint) {
  std::string svg = toSVG(makeReport());
  EXPECT_EQ(svg.find("<svg"), 0u);
  EXPECT_NE(svg.find("Card &lt;1&gt;"), std::string::npos);
  EXPECT_NE(svg.find("f32 1000x1000x1000 tt</text>"), std::string::npos);
  EXPECT_NE(svg.find("FAILED</text>"), std::string::npos);
  EXPECT_NE(svg.find("cuBLASLt = 1"), std::string::npos);
  EXPECT_EQ(svg.substr(svg.size() - 7), "</svg>\n");
  // Two bars, one above and one far below 1.
  EXPECT_NE(svg.find("#2b7bba"), std::string::npos);
  EXPECT_NE(svg.find("#c0392b"), std::string::npos);
  // Without classes there are no heads.
  EXPECT_EQ(svg.find("#f3f3f3"), std::string::npos);
}

TEST(ResultsTest, SVGGroupsByFirstClassAndCutsLongBars) {
  Report report = makeReport();
  report.points[0].point.classes = {"fast & odd"};
  report.points[1].point.classes = {"slow"};
  report.points[2].point.classes = {"fast & odd", "slow"};
  report.points[0].ours[0].time.median = 10;
  std::string svg = toSVG(report);
  size_t fast = svg.find("fast &amp; odd: geometric mean 10.000<"),
         slow = svg.find("slow: geometric mean 0.500<");
  EXPECT_LT(fast, slow);
  EXPECT_NE(slow, std::string::npos);
  EXPECT_NE(svg.find("\u2192 10.000"), std::string::npos);
}

TEST(ResultsTest, NoReferenceAndSkippedAreNoFailures) {
  PointResult point = makePoint("f8E4M3FN 16 16 16", 50);
  point.cublas.clear();
  point.cublasDefault = point.cublasBest = -1;
  point.noReference = "cuBLASLt has no algorithm for this problem";
  EXPECT_EQ(formatTableNote(point),
            "  no reference: cuBLASLt has no algorithm for this problem\n");
  Report report;
  report.points.push_back(point);
  PointResult skipped = point;
  skipped.noReference = "";
  skipped.skipped = "the budget was spent before";
  report.points.push_back(skipped);
  EXPECT_EQ(formatTableFoot(report), "1 of 2 points without reference\n1 of 2 "
                                     "points not measured\n");
  std::string csv = toCSV(report);
  EXPECT_NE(csv.find("\"no reference: cuBLASLt has no"), std::string::npos);
  EXPECT_NE(csv.find("\"not measured: the budget"), std::string::npos);
  EXPECT_NE(toSVG(report).find("TFLOP/s, no reference"), std::string::npos);
}

TEST(ResultsTest, ReportsWithoutPointsAreWellFormed) {
  Report report;
  EXPECT_NE(toSVG(report).find("</svg>"), std::string::npos);
  EXPECT_EQ(formatTableFoot(report), "");
}
