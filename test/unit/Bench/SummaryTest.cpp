// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Means, worst points and counts of each class.
#include "Summary.h"

#include "gtest/gtest.h"

using namespace tile;
using namespace tile::bench;

/// A point at `toDefault` and `toBest` times cuBLASLt's speed.
static PointResult makePoint(const char *text, double toDefault,
                             double toBest) {
  PointResult result;
  result.point = *parsePoint(text);
  auto entry = [](double microseconds) {
    Entry made;
    made.time = summarize({microseconds});
    return made;
  };
  result.ours.push_back(entry(100));
  result.cublas.push_back(entry(100 * toDefault));
  result.cublas.push_back(entry(100 * toBest));
  result.best = 0;
  result.cublasDefault = 0;
  result.cublasBest = 1;
  return result;
}

TEST(SummaryTest, ClassesInOrderWithMeansAndCounts) {
  std::vector<PointResult> points = {
      makePoint("bf16 1 1 1 @large", 4, 2),
      makePoint("bf16 2 2 2 @large @odd", 1, 0.5),
      makePoint("bf16 3 3 3 @odd", 1.2, 0.96),
      makePoint("bf16 4 4 4", 1, 1),
  };
  std::vector<ClassSummary> classes = summarizeClasses(points);
  ASSERT_EQ(classes.size(), 3u);
  EXPECT_EQ(classes[0].name, "all");
  EXPECT_EQ(classes[0].compared, 4);
  EXPECT_EQ(classes[0].worst, 1);
  EXPECT_EQ(classes[0].below, (std::array<int, 4>{2, 2, 1, 1}));
  EXPECT_EQ(classes[1].name, "large");
  EXPECT_DOUBLE_EQ(classes[1].toDefault, 2);
  EXPECT_DOUBLE_EQ(classes[1].toBest, 1);
  EXPECT_EQ(classes[2].name, "odd");
  EXPECT_EQ(classes[2].points, 2);
  EXPECT_NEAR(classes[2].toBest, std::sqrt(0.5 * 0.96), 1e-12);
  EXPECT_EQ(classes[2].worst, 1);
}

TEST(SummaryTest, FailedSkippedAndLonePointsCountButAreNotCompared) {
  std::vector<PointResult> points = {
      makePoint("bf16 1 1 1", 1, 1), makePoint("bf16 1 1 1", 1, 1),
      makePoint("bf16 1 1 1", 1, 1), makePoint("bf16 1 1 1", 1, 1)};
  points[0].failure = "wrong";
  points[1].skipped = "late";
  points[1].best = -1;
  points[2].noReference = "none";
  points[2].cublasBest = -1;
  points[3].cublasDefault = -1;
  ClassSummary all = summarizeClasses(points).front();
  EXPECT_EQ(all.points, 4);
  EXPECT_EQ(all.failed, 1);
  EXPECT_EQ(all.skipped, 1);
  EXPECT_EQ(all.alone, 1);
  EXPECT_EQ(all.compared, 1);
  EXPECT_DOUBLE_EQ(all.toBest, 1);
  EXPECT_DOUBLE_EQ(all.toDefault, 0);
}

TEST(SummaryTest, TableLinesUp) {
  std::vector<PointResult> points = {makePoint("bf16 8 8 8 nt @large", 1.5, 1),
                                     makePoint("f16 8 8 8 @fp", 1.5, 0.9)};
  EXPECT_EQ(formatClasses(summarizeClasses(points), points),
            "class  points compared  to default to best  <0.995 <0.970 <0.950 "
            "<0.900   worst\n"
            "all         2        2       1.500   0.949       1      1      1 "
            "     0   0.900 f16 8x8x8 nn\n"
            "large       1        1       1.500   1.000       0      0      0 "
            "     0   1.000 bf16 8x8x8 nt\n"
            "fp          1        1       1.500   0.900       1      1      1 "
            "     0   0.900 f16 8x8x8 nn\n");
  EXPECT_EQ(formatClasses(summarizeClasses({}), {}), "");
}
