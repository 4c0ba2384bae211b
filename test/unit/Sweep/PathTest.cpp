// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which kernel runs: the vector path where base, pitch and extent allow it, the
// scalar path where not, decided anew at every launch.
#include "Setting.h"

using namespace tile::sweep;

namespace {

/// 16-byte accesses fit every operand of it. f64 has other paths on the tensor
/// cores, where these are chosen.
Problem aligned(Element element = Element::F32) {
  Problem problem;
  problem.element = element;
  if (element == Element::F64)
    problem.schedule = "#tile.simt<tile = [64, 64, 8], warps = [2, 2], thread "
                       "= [8, 4], min_blocks = 2>";
  problem.m = 20;
  problem.n = 24;
  problem.k = 12;
  problem.beta = 0.5;
  return problem;
}

/// The path taken, 'v' or 's', or '?' when the result is wrong.
char pathOf(const Problem &problem) {
  Outcome outcome;
  testing::AssertionResult result = solve(problem, &outcome);
  EXPECT_TRUE(result);
  if (!result)
    return '?';
  std::string width = outcome.kernel.substr(outcome.kernel.rfind('v'));
  return width == "v1" ? 's' : 'v';
}

Operand &select(Problem &problem, char name) {
  return const_cast<Operand &>(operandOf(problem, name));
}

} // namespace

TEST(Paths, AlignedIsVector) {
  for (Element element : {Element::F32, Element::F64})
    for (int orders = 0; orders < 4; ++orders) {
      Problem problem = aligned(element);
      problem.setOrders(orders);
      EXPECT_EQ(pathOf(problem), 'v');
      problem.typing = Typing::Dynamic;
      EXPECT_EQ(pathOf(problem), 'v');
    }
}

TEST(Paths, BaseOffsets) {
  // Offsets of 0 to 4 elements of each operand in turn.
  for (Element element : {Element::F32, Element::F64})
    for (char name : {'A', 'B', 'C', 'D'})
      for (int64_t offset = 0; offset <= 4; ++offset) {
        Problem problem = aligned(element);
        select(problem, name).offset = offset;
        bool fits = offset * bytesOf(element) % 16 == 0;
        EXPECT_EQ(pathOf(problem), fits ? 'v' : 's') << problem.describe();
      }
}

TEST(Paths, BaseOffsetsOfAll) {
  for (int64_t offset = 0; offset <= 4; ++offset) {
    Problem problem = aligned();
    for (char name : {'A', 'B', 'C', 'D'})
      select(problem, name).offset = offset;
    EXPECT_EQ(pathOf(problem), offset % 4 ? 's' : 'v');
  }
}

TEST(Paths, AlignedThenMisalignedThenAligned) {
  // One module, three launches: nothing of the first is remembered.
  Problem problem = aligned();
  Problem moved = problem;
  moved.a.offset = moved.b.offset = moved.d.offset = 1;
  ASSERT_EQ(programOf(problem), programOf(moved));
  EXPECT_EQ(pathOf(problem), 'v');
  EXPECT_EQ(pathOf(moved), 's');
  EXPECT_EQ(pathOf(problem), 'v');
}

TEST(Paths, Pitch) {
  for (char name : {'A', 'B', 'C', 'D'})
    for (int64_t padding : {1, 2, 4, 8}) {
      Problem problem = aligned();
      select(problem, name).padding = padding;
      EXPECT_EQ(pathOf(problem), padding % 4 ? 's' : 'v') << problem.describe();
    }
}

TEST(Paths, Extent) {
  // The pitches stay multiples of an access.
  for (int64_t rest = 0; rest < 4; ++rest) {
    Problem problem = aligned();
    problem.n -= rest;
    problem.b.padding = problem.c.padding = problem.d.padding = rest;
    EXPECT_EQ(pathOf(problem), rest ? 's' : 'v') << problem.describe();
    problem = aligned();
    problem.k -= rest;
    problem.a.padding = rest;
    EXPECT_EQ(pathOf(problem), rest ? 's' : 'v') << problem.describe();
    // Rows of a row-major operand may be any number.
    problem = aligned();
    problem.m -= rest;
    EXPECT_EQ(pathOf(problem), 'v') << problem.describe();
  }
}

TEST(Paths, OperandsThatAreNotReadDoNotCount) {
  Problem problem = aligned();
  problem.c.offset = 1;
  problem.beta = 0;
  EXPECT_EQ(pathOf(problem), 'v');
  problem = aligned();
  problem.a.offset = problem.b.offset = 1;
  problem.alpha = 0;
  EXPECT_EQ(pathOf(problem), 'v');
}

TEST(Paths, BothPathsGiveTheSameBits) {
  for (Element element : {Element::F32, Element::F64}) {
    Problem problem = aligned(element);
    problem.m = problem.n = 140;
    problem.k = 44;
    Problem moved = problem;
    moved.a.offset = 1;
    Outcome vector, scalar;
    ASSERT_TRUE(solve(problem, &vector));
    ASSERT_TRUE(solve(moved, &scalar));
    ASSERT_NE(vector.kernel, scalar.kernel);
    for (int64_t i = 0; i < vector.d->getBytes(); ++i)
      ASSERT_EQ(vector.d->data()[i], scalar.d->data()[i]) << "byte " << i;
  }
}

TEST(Paths, BatchStride) {
  Problem problem = aligned();
  problem.batch = 3;
  EXPECT_EQ(pathOf(problem), 'v');
  problem.b.batchGap = 4;
  EXPECT_EQ(pathOf(problem), 'v');
  problem.b.batchGap = 1;
  EXPECT_EQ(pathOf(problem), 's');
}
