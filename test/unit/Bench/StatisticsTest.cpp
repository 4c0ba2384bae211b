// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Medians, spreads and geometric means.
#include "Statistics.h"

#include "gtest/gtest.h"

using namespace tile::bench;

TEST(StatisticsTest, SummarizesTheDocumentedExample) {
  Summary summary = summarize({4, 1, 3, 2});
  EXPECT_EQ(summary.count, 4);
  EXPECT_DOUBLE_EQ(summary.median, 2.5);
  EXPECT_DOUBLE_EQ(summary.min, 1);
  EXPECT_DOUBLE_EQ(summary.max, 4);
  EXPECT_DOUBLE_EQ(summary.spread, (3.25 - 1.75) / 2.5);
}

TEST(StatisticsTest, MedianOfAnOddNumberIsTheMiddleSample) {
  EXPECT_DOUBLE_EQ(summarize({9, 1, 100}).median, 9);
}

TEST(StatisticsTest, OneOutlierMovesNeitherMedianNorSpread) {
  Summary summary = summarize({5, 5, 5, 5, 5, 5, 5000});
  EXPECT_DOUBLE_EQ(summary.median, 5);
  EXPECT_DOUBLE_EQ(summary.spread, 0);
}

TEST(StatisticsTest, OneSampleAndNone) {
  EXPECT_DOUBLE_EQ(summarize({7}).median, 7);
  EXPECT_DOUBLE_EQ(summarize({7}).spread, 0);
  EXPECT_EQ(summarize({}).count, 0);
  EXPECT_DOUBLE_EQ(summarize({}).median, 0);
}

TEST(StatisticsTest, GeometricMeanOfReciprocalsIsOne) {
  EXPECT_DOUBLE_EQ(geometricMean({0.5, 2}), 1);
  EXPECT_NEAR(geometricMean({1, 10, 100}), 10, 1e-12);
  EXPECT_DOUBLE_EQ(geometricMean({}), 0);
}
