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
            "expected one of the types f32, f64, f16, bf16, f8E4M3FN, f8E5M2, "
            "i8, i32 or tf32, but got 'f13'");
  EXPECT_EQ(reasonOf("f32 1 0 3"), "expected N to be an extent from 1 to "
                                   "16777216, but got '0'");
  EXPECT_EQ(reasonOf("f32 1 2 99999999999999999999"),
            "expected K to be an extent from 1 to 16777216, but got "
            "'99999999999999999999'");
  EXPECT_EQ(reasonOf("f32 1 2 3 xn"),
            "expected a layout (nn, nt, tn or tt), pitch=N, batch=N, alpha=X, "
            "beta=X, promoted_sums, @class or a schedule, but got 'xn'");
  EXPECT_EQ(reasonOf("f32 1 2 3 batch=0"),
            "expected a batch from 1 to 16777216, but got '0'");
  EXPECT_EQ(reasonOf("f32 1 2 3 beta=x"), "expected a number, but got 'x'");
  EXPECT_EQ(reasonOf("f32 1 2 3 alpha=inf"),
            "expected a number, but got 'inf'");
  EXPECT_EQ(reasonOf("f32 1 2 3 @a.b"),
            "expected a class such as @large, but got '@a.b'");
  EXPECT_EQ(reasonOf("f32 = 2 3"),
            "expected M to be an extent from 1 to 16777216, but got '='");
  EXPECT_EQ(
      reasonOf("bf16:f16 1 2 3"),
      "expected a result of bf16 operands to be bf16 or f32, but got f16");
  EXPECT_EQ(reasonOf("f32:f64 1 2 3"),
            "expected a result of f32 operands to be f32, but got f64");
  EXPECT_EQ(reasonOf("f8E5M2:f8E5M2 1 2 3"),
            "expected a result of f8E5M2 operands to be bf16, f16 or f32, but "
            "got f8E5M2");
  EXPECT_EQ(reasonOf("f16*bf16 1 2 3"),
            "expected operands of one type, or 8-bit floats both, but got f16 "
            "and bf16");
  EXPECT_EQ(reasonOf("i8*f8E5M2 1 2 3"),
            "expected operands of one type, or 8-bit floats both, but got i8 "
            "and f8E5M2");
  EXPECT_EQ(reasonOf("i8:f32 1 2 3"),
            "expected a result of i8 operands to be i32, but got f32");
  EXPECT_EQ(reasonOf("i32 1 2 3"),
            "expected operands of i8, whose results are i32, but got i32");
  EXPECT_EQ(reasonOf("i8 1 2 3 beta=1"),
            "expected neither alpha nor beta of i8 operands, whose results are "
            "exact, but got one");
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

TEST(SuiteTest, TypesOfOperandsAndResult) {
  auto name = [](const char *text) { return parsePoint(text)->typeName(); };
  EXPECT_EQ(parsePoint("bf16 1 2 3")->typeD->name, "bf16");
  EXPECT_EQ(parsePoint("f8E5M2 1 2 3")->typeD->name, "bf16");
  EXPECT_EQ(name("bf16 1 2 3"), "bf16");
  EXPECT_EQ(name("f16:f32 1 2 3"), "f16:f32");
  EXPECT_EQ(name("f8E4M3FN:bf16 1 2 3"), "f8E4M3FN");
  EXPECT_EQ(name("f8E4M3FN*f8E5M2:f16 1 2 3"), "f8E4M3FN*f8E5M2:f16");
}

TEST(SuiteTest, IntegersAndTF32) {
  Result<Point> integers = parsePoint("i8 16 32 64 nt");
  ASSERT_TRUE(integers.succeeded()) << integers.getReason();
  EXPECT_EQ(integers->typeD->name, "i32");
  EXPECT_EQ(integers->label(), "i8 16x32x64 nt");
  EXPECT_NE(formatProblem(*integers, false).find("xi32"), std::string::npos);
  Result<Point> tf32 = parsePoint("tf32 16 32 64");
  ASSERT_TRUE(tf32.succeeded()) << tf32.getReason();
  EXPECT_TRUE(tf32->tf32);
  EXPECT_EQ(tf32->type->name, "f32");
  EXPECT_EQ(tf32->label(), "tf32 16x32x64 nn");
  EXPECT_EQ(formatProblem(*tf32, false).find("tf32"), std::string::npos);
  EXPECT_FALSE(parsePoint("f32 16 32 64")->tf32);
}

TEST(SuiteTest, BatchScalarsAndClasses) {
  Result<Point> point =
      parsePoint("bf16 5 6 7 tn batch=3 pitch=8 alpha=0.5 beta=-1 @odd @x");
  ASSERT_TRUE(point) << point.getReason();
  EXPECT_EQ(point->label(), "bf16 5x6x7 tn batch=3 pitch=8 alpha=0.5 beta=-1");
  EXPECT_EQ(point->classes, (std::vector<std::string>{"odd", "x"}));
  EXPECT_EQ(point->a().batchStride, 8 * 7);
  EXPECT_EQ(point->b().batchStride, 8 * 7);
  EXPECT_EQ(point->d().elements(), 3 * 5 * 8);
  EXPECT_DOUBLE_EQ(point->flops(), 3 * 2.0 * 5 * 6 * 7);
  EXPECT_EQ(
      formatProblem(*point, false),
      "func.func @gemm(%A: memref<3x5x7xbf16, strided<[56, 1, 8]>>, %B: "
      "memref<3x7x6xbf16, strided<[56, 8, 1]>>, %C: memref<3x5x6xbf16, "
      "strided<[40, 8, 1]>>, %D: memref<3x5x6xbf16, strided<[40, 8, 1]>>, "
      "%alpha: f32, %beta: f32) {\n  tile.gemm ins(%A, %B, %C : "
      "memref<3x5x7xbf16, strided<[56, 1, 8]>>, memref<3x7x6xbf16, "
      "strided<[56, 8, 1]>>, memref<3x5x6xbf16, strided<[40, 8, 1]>>) "
      "outs(%D : memref<3x5x6xbf16, strided<[40, 8, 1]>>) alpha(%alpha : f32) "
      "beta(%beta : f32)\n  return\n}\n");
}

TEST(SuiteTest, BracesAreChoices) {
  Result<std::vector<std::string>> lines = expandBraces("a{b, c}{d,e}f");
  ASSERT_TRUE(lines);
  EXPECT_EQ(*lines, (std::vector<std::string>{"abdf", "abef", "acdf", "acef"}));
  EXPECT_EQ(expandBraces("a}b{").getReason(),
            "expected an opening brace before '}'");
  EXPECT_EQ(expandBraces("a{b").getReason(), "expected the braces to close");
  std::string many;
  for (int i = 0; i < 13; ++i)
    many += "{0,1}";
  EXPECT_EQ(expandBraces(many).getReason(),
            "expected braces for at most 4096 points, but got 8192");
}

TEST(SuiteTest, ClassesHoldForTheLinesAfterThem) {
  Result<std::vector<Point>> suite =
      parseSuite("f32 1 2 3\n@big @a\nf32 {4,5} = = @b\n@\nf32 6 7 8 @a @a");
  ASSERT_TRUE(suite) << suite.getReason();
  ASSERT_EQ(suite->size(), 4u);
  using Names = std::vector<std::string>;
  EXPECT_EQ((*suite)[0].classes, Names{});
  EXPECT_EQ((*suite)[1].classes, (Names{"big", "a", "b"}));
  EXPECT_EQ((*suite)[2].classes, (Names{"big", "a", "b"}));
  EXPECT_EQ((*suite)[2].k, 5);
  EXPECT_EQ((*suite)[3].classes, Names{"a"});
  EXPECT_EQ(parseSuite("@big f32").getReason(),
            "line 1: expected a line of classes such as @large, but got 'f32'");
}

TEST(SuiteTest, SuitesOfTheRepositoryParse) {
  for (const char *name : {"first_light", "small", "hopper", "hopper_quick"}) {
    auto text = llvm::MemoryBuffer::getFile(
        std::string(TILE_TEST_DIR "/../bench/") + name + ".suite");
    ASSERT_TRUE(static_cast<bool>(text)) << name;
    Result<std::vector<Point>> suite = parseSuite((*text)->getBuffer());
    EXPECT_TRUE(suite) << suite.getReason();
  }
}
