// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The multistage schedule: types, layouts, edges, stages, warps, batches and
// scalars, and which kernel takes which pitch.
#include "Setting.h"

#include <cstring>

using namespace tile::sweep;

namespace {

/// A schedule for operands of a type, with its tile.
struct Case {
  Element element;
  std::optional<Element> elementB, elementD;
  int64_t tileM, tileN, tileK;
  const char *rest;
  /// Where the simulator runs it; a GPU must be at least this one.
  const char *chip;
  bool tf32 = false;

  std::string str() const {
    return "#tile.multistage<tile = [" + std::to_string(tileM) + ", " +
           std::to_string(tileN) + ", " + std::to_string(tileK) + "], " + rest +
           ">";
  }
};

const Case kCases[] = {
    {Element::BF16, {}, {}, 32, 32, 32, "warps = [2, 1], stages = 3", "sm_80"},
    {Element::F16,
     {},
     Element::F32,
     64,
     64,
     16,
     "warps = [2, 2], stages = 4, swizzle_size = 2, raster_order = n",
     "sm_90a"},
    {Element::F16,
     {},
     {},
     32,
     64,
     64,
     "warps = [1, 2], stages = 2, instruction_k = 8",
     "sm_86"},
    {Element::F32,
     {},
     {},
     32,
     32,
     16,
     "warps = [1, 2], stages = 3, tf32 = true",
     "sm_80",
     true},
    {Element::F64, {}, {}, 32, 32, 16, "warps = [2, 1], stages = 3", "sm_80"},
    {Element::F64, {}, {}, 32, 64, 16, "warps = [1, 2], stages = 4", "sm_90a"},
    {Element::F64,
     {},
     {},
     32,
     32,
     16,
     "warps = [1, 2], stages = 2, instruction_k = 16",
     "sm_90a"},
    {Element::I8,
     {},
     Element::I32,
     32,
     32,
     64,
     "warps = [1, 1], stages = 3",
     "sm_80"},
    {Element::F8E4M3FN, Element::F8E5M2, Element::BF16, 32, 32, 64,
     "warps = [2, 2], stages = 3", "sm_89"},
};

class Multistage : public testing::TestWithParam<Case> {
protected:
  void SetUp() override {
    // What an H200 has only emulated takes a newer PTX than its default.
    if (!Setting::get().isSimulator() && bytesOf(GetParam().element) == 1 &&
        !tile::getInfo(GetParam().element).isInteger())
      GTEST_SKIP();
  }

  Problem problemOf() const {
    const Case &c = GetParam();
    Problem problem;
    problem.element = c.element;
    problem.elementB = c.elementB;
    problem.elementD = c.elementD;
    problem.schedule = c.str();
    problem.chip = c.chip;
    problem.tf32 = c.tf32;
    problem.hasC = false;
    return problem;
  }
  bool hasScalars() const { return problemOf().hasScalars(); }

  /// Solves with a kernel of the schedule whose name has `part`.
  static testing::AssertionResult solve(const Problem &problem,
                                        const std::string &part = "") {
    Outcome outcome;
    testing::AssertionResult result = Setting::get().solve(problem, &outcome);
    if (result && !outcome.kernel.empty() &&
        (outcome.kernel.rfind("multistage_", 0) != 0 ||
         outcome.kernel.find(part) == std::string::npos))
      return testing::AssertionFailure()
             << problem.describe() << ": the kernel is " << outcome.kernel;
    return result;
  }
};

std::string nameOfCase(const testing::TestParamInfo<Case> &info) {
  return std::string(nameOf(info.param.element)) + "_" +
         std::to_string(info.index);
}

} // namespace

TEST_P(Multistage, LayoutsOfAllOperands) {
  const Case &c = GetParam();
  Problem problem = problemOf();
  for (int orders = 0; orders < 16; ++orders) {
    problem.hasC = orders & 8 && hasScalars();
    problem.beta = problem.hasC ? 0.5 : 0;
    problem.alpha = hasScalars() ? -1.25 : 1;
    problem.setOrders(orders);
    problem.d.columnMajor = orders & 4;
    problem.c.columnMajor = orders & 1;
    problem.m = c.tileM + 16;
    problem.n = c.tileN + 32;
    problem.k = 2 * c.tileK + 16;
    problem.setTensorPadding();
    ASSERT_TRUE(solve(problem));
    // Odd extents and pitches.
    problem.m = c.tileM + 3;
    problem.n = 2 * c.tileN - 5;
    problem.k = c.tileK + 7;
    problem.setPadding(orders % 2);
    ASSERT_TRUE(solve(problem));
  }
}

TEST_P(Multistage, AroundTheEdgesOfTiles) {
  const Case &c = GetParam();
  Problem problem = problemOf();
  int turn = 0;
  for (int64_t m : {int64_t(1), c.tileM - 1, c.tileM, c.tileM + 1})
    for (int64_t n : {int64_t(1), c.tileN - 1, c.tileN, c.tileN + 8})
      for (int64_t k : {int64_t(1), c.tileK - 1, c.tileK, c.tileK + 8}) {
        if (!Setting::get().isFull() && ++turn % 4)
          continue;
        problem.m = m;
        problem.n = n;
        problem.k = k;
        problem.setOrders(turn / 4 % 4);
        problem.setPadding(turn % 8 == 0);
        ASSERT_TRUE(solve(problem));
      }
}

// From none to more tiles than there are stages.
TEST_P(Multistage, EachTripCount) {
  const Case &c = GetParam();
  Problem problem = problemOf();
  problem.m = 8;
  problem.n = 16;
  problem.b.columnMajor = true;
  for (int64_t tiles = 0; tiles <= 7; ++tiles)
    for (int64_t k : {tiles * c.tileK, tiles * c.tileK + 16}) {
      problem.k = k;
      ASSERT_TRUE(solve(problem));
    }
}

// Copies are as wide as the pitch proves, and pass through registers where that
// is less than 4 bytes.
TEST_P(Multistage, WidthsOfCopies) {
  const Case &c = GetParam();
  Problem problem = problemOf();
  int64_t bytes = bytesOf(c.element);
  problem.m = c.tileM;
  problem.n = c.tileN;
  problem.k = 2 * c.tileK;
  problem.b.columnMajor = true;
  for (int64_t width = 16; width >= bytes; width /= 2) {
    problem.a.padding = problem.b.padding = width / bytes;
    std::string copied = "_v" + std::to_string(width / bytes) + "_";
    ASSERT_TRUE(solve(problem, width < 4 ? "_registers" : copied)) << width;
  }
}

// Operands that 16 bytes at a time cannot read are copied, along K and from
// either order, where there is much to multiply; K is odd, so that the zeros
// behind the rows of the copies count.
TEST_P(Multistage, CopiedOperands) {
  const Case &c = GetParam();
  if (bytesOf(c.element) > 2)
    GTEST_SKIP();
  Problem problem = problemOf();
  // Tiles for many waves: an H200 has 132 multiprocessors, the simulator one.
  Setting &setting = Setting::get(1);
  int64_t tiles = setting.isSimulator() ? 6 : 64;
  problem.m = tiles * c.tileM - 3;
  problem.n = tiles * c.tileN - 5;
  problem.k = 301;
  problem.setPadding(true);
  std::string wide = "_v" + std::to_string(16 / bytesOf(c.element)) + "_";
  auto check = [&](const std::string &prepare) {
    Outcome outcome;
    ASSERT_TRUE(setting.solve(problem, &outcome));
    EXPECT_NE(outcome.kernel.find(wide), std::string::npos) << outcome.kernel;
    std::string operands;
    for (const char *operand : {" of A", " of B"})
      if (outcome.prepare.find(operand) != std::string::npos)
        operands += operand;
    EXPECT_EQ(operands, prepare) << outcome.prepare;
  };
  for (int orders = 0; orders < 4; ++orders) {
    problem.setOrders(orders);
    check(" of A of B");
  }
  // One of them alone.
  problem.a.columnMajor = false;
  problem.b.columnMajor = true;
  problem.k = 320;
  problem.a.padding = 1;
  problem.b.padding = 16;
  check(" of A");
  // The transposed problem.
  problem.d.columnMajor = true;
  problem.batch = 2;
  check(" of A");
}

TEST_P(Multistage, Batches) {
  Problem problem = problemOf();
  problem.batch = 3;
  problem.m = 20;
  problem.n = 24;
  problem.k = 32;
  problem.a.batchGap = 16;
  problem.d.batchGap = 8;
  ASSERT_TRUE(solve(problem));
  problem.b.shared = true;
  ASSERT_TRUE(solve(problem));
  problem.batch = 0;
  ASSERT_TRUE(solve(problem));
}

TEST_P(Multistage, WhatIsNotRead) {
  if (!hasScalars())
    GTEST_SKIP();
  Problem problem = problemOf();
  problem.hasC = true;
  problem.m = 33;
  problem.n = 40;
  problem.k = 48;
  for (Content content : {Content::NaN, Content::Null}) {
    problem.beta = 0;
    problem.alpha = -1.25;
    problem.c.content = content;
    ASSERT_TRUE(solve(problem));
    problem.c.content = Content::Random;
    problem.beta = 0.5;
    problem.alpha = 0;
    problem.a.content = problem.b.content = content;
    ASSERT_TRUE(solve(problem));
    problem.a.content = problem.b.content = Content::Random;
  }
}

TEST_P(Multistage, ResultInPlaceOfC) {
  if (!hasScalars())
    GTEST_SKIP();
  Problem problem = problemOf();
  problem.hasC = problem.inPlace = true;
  problem.beta = 0.5;
  problem.m = 2 * GetParam().tileM - 3;
  problem.n = 50;
  problem.k = 40;
  ASSERT_TRUE(solve(problem));
}

TEST_P(Multistage, DynamicStrides) {
  Problem problem = problemOf();
  problem.typing = Typing::Dynamic;
  problem.m = 35;
  problem.n = 48;
  problem.k = 64;
  for (int orders = 0; orders < 4; ++orders) {
    problem.setOrders(orders);
    ASSERT_TRUE(solve(problem));
  }
}

TEST_P(Multistage, SameBitsEachTime) {
  Problem problem = problemOf();
  problem.m = 100;
  problem.n = 72;
  problem.k = 120;
  ASSERT_TRUE(
      Setting::get().repeat(problem, Setting::get().isSimulator() ? 5 : 100));
}

INSTANTIATE_TEST_SUITE_P(Gemm, Multistage, testing::ValuesIn(kCases),
                         nameOfCase);
