// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Points, suites, and the text that a point becomes.
#include "Suite.h"

#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace tile;
using namespace tile::bench;

static std::string reasonOf(llvm::StringRef text) {
  Result<Point> point = parsePoint(text);
  return point ? "parsed" : point.getReason();
}

TEST(SuiteTest, PointWithEverything) {
  Result<Point> point =
      parsePoint("f32 4095 4097 4099 nt pitch=4 "
                 "#tile.simt<tile = [128, 128, 8], warps = [2, 4]> default");
  ASSERT_TRUE(point) << point.getReason();
  EXPECT_EQ(point->type->name, "f32");
  EXPECT_EQ(point->m, 4095);
  EXPECT_EQ(point->n, 4097);
  EXPECT_EQ(point->k, 4099);
  EXPECT_FALSE(point->transposeA);
  EXPECT_TRUE(point->transposeB);
  ASSERT_EQ(point->schedules.size(), 2u);
  EXPECT_EQ(point->schedules[0],
            "#tile.simt<tile = [128, 128, 8], warps = [2, 4]>");
  EXPECT_EQ(point->schedules[1], "default");
  EXPECT_EQ(point->label(), "f32 4095x4097x4099 nt pitch=4");
  EXPECT_DOUBLE_EQ(point->flops(), 2.0 * 4095 * 4097 * 4099);
}

TEST(SuiteTest, CommasSeparateOutsideBrackets) {
  Result<Point> point = parsePoint("f64,8,16,32,tn,#tile.simt<tile = [1, 2]>");
  ASSERT_TRUE(point) << point.getReason();
  EXPECT_TRUE(point->transposeA);
  EXPECT_FALSE(point->transposeB);
  ASSERT_EQ(point->schedules.size(), 1u);
  EXPECT_EQ(point->schedules[0], "#tile.simt<tile = [1, 2]>");
}

TEST(SuiteTest, PlacementsRoundThePitch) {
  Result<Point> point = parsePoint("f32 5 6 7 tn pitch=4");
  ASSERT_TRUE(point) << point.getReason();
  Placement a = point->a(), b = point->b(), d = point->d();
  EXPECT_EQ(a.rows, 5);
  EXPECT_EQ(a.columns, 7);
  EXPECT_EQ(a.rowStride, 1);
  EXPECT_EQ(a.columnStride, 8);
  EXPECT_EQ(a.elements(), 56);
  EXPECT_EQ(b.rowStride, 8);
  EXPECT_EQ(b.columnStride, 1);
  EXPECT_EQ(b.elements(), 56);
  EXPECT_EQ(d.rowStride, 8);
  EXPECT_EQ(d.lines(), 5);
  EXPECT_EQ(d.lineLength(), 6);
}

TEST(SuiteTest, ReasonsNameTheField) {
  EXPECT_EQ(reasonOf("f32 1 2"), "expected a type and the extents M, N and K, "
                                 "but got 3 of these 4");
  EXPECT_EQ(reasonOf("f13 1 2 3"),
            "expected one of the types f32, f64, but got 'f13'");
  EXPECT_EQ(reasonOf("f32 1 0 3"), "expected N to be an extent from 1 to "
                                   "16777216, but got '0'");
  EXPECT_EQ(reasonOf("f32 1 2 99999999999999999999"),
            "expected K to be an extent from 1 to 16777216, but got "
            "'99999999999999999999'");
  EXPECT_EQ(reasonOf("f32 1 2 3 xn"), "expected a layout (nn, nt, tn or tt), "
                                      "pitch=N or a schedule, but got 'xn'");
  EXPECT_EQ(reasonOf("f32 1 2 3 pitch=0"), "expected a pitch multiple from 1 "
                                           "to 16777216, but got '0'");
  EXPECT_EQ(reasonOf("f32 1 2 3 #tile.simt<tile = [1"),
            "expected the brackets of a schedule to close");
  EXPECT_EQ(reasonOf("f32 1 2 3 nn>"),
            "expected an opening bracket before '>'");
}

TEST(SuiteTest, SuiteSkipsCommentsAndNumbersLines) {
  Result<std::vector<Point>> suite =
      parseSuite("// squares\n\nf32 1 2 3\r\n  f64 4 5 6 nt  \n");
  ASSERT_TRUE(suite) << suite.getReason();
  ASSERT_EQ(suite->size(), 2u);
  EXPECT_EQ((*suite)[1].k, 6);

  suite = parseSuite("f32 1 2 3\n// fine\nf32 1 2\n");
  ASSERT_FALSE(suite);
  EXPECT_EQ(suite.getReason(), "line 3: expected a type and the extents M, N "
                               "and K, but got 3 of these 4");
  EXPECT_EQ(parseSuite("// nothing\n").getReason(),
            "expected at least one point, but got none");
}

TEST(SuiteTest, SchedulesAreLines) {
  Result<std::vector<std::string>> schedules =
      parseSchedules("// two\n#tile.simt<tile = [1, 2, 3]>\ndefault\n");
  ASSERT_TRUE(schedules) << schedules.getReason();
  ASSERT_EQ(schedules->size(), 2u);
  EXPECT_EQ((*schedules)[0], "#tile.simt<tile = [1, 2, 3]>");
  EXPECT_EQ(parseSchedules("simt\n").getReason(),
            "line 1: expected a schedule such as #tile.simt<…>, or default, "
            "but got 'simt'");
}

TEST(SuiteTest, ProblemIsStaticOrDynamic) {
  Result<Point> point = parsePoint("f32 5 6 7 tn pitch=4");
  ASSERT_TRUE(point);
  EXPECT_EQ(
      formatProblem(*point, false),
      "func.func @gemm(%A: memref<5x7xf32, strided<[1, 8]>>, %B: "
      "memref<7x6xf32, strided<[8, 1]>>, %D: memref<5x6xf32, strided<[8, "
      "1]>>) {\n  tile.gemm ins(%A, %B : memref<5x7xf32, strided<[1, 8]>>, "
      "memref<7x6xf32, strided<[8, 1]>>) outs(%D : memref<5x6xf32, "
      "strided<[8, 1]>>)\n  return\n}\n");
  EXPECT_NE(
      formatProblem(*point, true).find("%A: memref<?x?xf32, strided<[1, ?]>>"),
      std::string::npos);
}

TEST(SuiteTest, SuitesOfTheRepositoryParse) {
  auto text =
      llvm::MemoryBuffer::getFile(TILE_TEST_DIR "/../bench/first_light.suite");
  ASSERT_TRUE(static_cast<bool>(text));
  Result<std::vector<Point>> suite = parseSuite((*text)->getBuffer());
  EXPECT_TRUE(suite) << suite.getReason();
}
