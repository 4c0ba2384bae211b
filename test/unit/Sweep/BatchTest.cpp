// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batches, and more batches or tiles than 65,535.
#include "Setting.h"

using namespace tile::sweep;

namespace {
/// A block of one warp, one element a thread: many blocks are cheap.
const char *const kTinyTile =
    "#tile.simt<tile = [4, 8, 8], warps = [1, 1], thread = [1, 1]>";
} // namespace

TEST(Batches, OneAndThree) {
  for (Element element : {Element::F32, Element::F64})
    for (int orders = 0; orders < 4; ++orders)
      for (int64_t batch : {1, 3})
        for (bool gaps : {false, true})
          for (auto [m, n, k] : {std::array<int64_t, 3>{1, 1, 1},
                                 {5, 7, 9},
                                 {68, 132, 20},
                                 {16, 16, 16}}) {
            Problem problem;
            problem.element = element;
            problem.setOrders(orders);
            problem.batch = batch;
            problem.m = m;
            problem.n = n;
            problem.k = k;
            problem.beta = 0.5;
            problem.setPadding(gaps);
            if (gaps) {
              problem.a.batchGap = 11;
              problem.b.batchGap = 4;
              problem.c.batchGap = 2;
              problem.d.batchGap = 17;
            }
            ASSERT_TRUE(solve(problem));
          }
}

TEST(Batches, SharedOperands) {
  // Each combination of operands of rank 2.
  for (int shared = 0; shared < 8; ++shared) {
    Problem problem;
    problem.batch = 3;
    problem.m = 20;
    problem.n = 36;
    problem.k = 12;
    problem.beta = -1;
    problem.a.shared = shared & 1;
    problem.b.shared = shared & 2;
    problem.c.shared = shared & 4;
    for (bool padded : {false, true}) {
      problem.setPadding(padded);
      EXPECT_TRUE(solve(problem));
    }
  }
}

TEST(Batches, ColumnMajorD) {
  Problem problem;
  problem.batch = 3;
  problem.m = 37;
  problem.n = 66;
  problem.k = 10;
  problem.beta = 0.5;
  problem.d.columnMajor = true;
  problem.b.shared = true;
  problem.setPadding(true);
  EXPECT_TRUE(solve(problem));
}

TEST(Batches, DynamicStrides) {
  Problem problem;
  problem.typing = Typing::Dynamic;
  problem.batch = 4;
  problem.m = 12;
  problem.n = 8;
  problem.k = 16;
  problem.beta = 1;
  EXPECT_TRUE(solve(problem));
  // The batch runs fastest.
  problem.a.strides = {1, 64, 4};
  problem.d.strides = {1, 32, 4};
  EXPECT_TRUE(solve(problem));
  // The same A for all batches, by stride; B backwards.
  problem.a.strides = {0, 16, 1};
  problem.b.strides = {-128, 8, 1};
  EXPECT_TRUE(solve(problem));
}

TEST(Batches, MoreThan65535) {
  for (int64_t batch : {65535, 65536, 65537}) {
    Problem problem;
    problem.batch = batch;
    problem.m = 3;
    problem.n = 2;
    problem.k = 2;
    problem.beta = 1;
    problem.schedule = kTinyTile;
    Outcome outcome;
    EXPECT_TRUE(solve(problem, &outcome));
    EXPECT_EQ(outcome.blocks, batch);
  }
}

TEST(Batches, MatrixTimesVectorManyTimes) {
  Problem problem;
  problem.batch = 1000;
  problem.m = 225;
  problem.k = 4;
  problem.n = 1;
  problem.hasC = false;
  problem.schedule =
      "#tile.simt<tile = [64, 16, 8], warps = [2, 1], thread = [8, 2]>";
  EXPECT_TRUE(solve(problem));
}

TEST(Batches, MoreThan65535RowsOfTiles) {
  Problem problem;
  problem.m = 4 * 65536 + 1;
  problem.beta = 1;
  problem.schedule = kTinyTile;
  Outcome outcome;
  EXPECT_TRUE(solve(problem, &outcome));
  EXPECT_EQ(outcome.blocks, 65537);
}

TEST(Batches, MoreThan65535ColumnsOfTiles) {
  Problem problem;
  problem.n = 8 * 65536 + 1;
  problem.schedule = kTinyTile;
  Outcome outcome;
  EXPECT_TRUE(solve(problem, &outcome));
  EXPECT_EQ(outcome.blocks, 65537);
}

TEST(Batches, MoreThan65535TilesOfTheDefaultSize) {
  if (!Setting::get().isFull())
    GTEST_SKIP() << "runs with --full";
  Problem problem;
  problem.m = 128 * 65536 + 1;
  Outcome outcome;
  EXPECT_TRUE(solve(problem, &outcome));
  EXPECT_EQ(outcome.blocks, 65537);
  problem = Problem();
  problem.batch = 65537;
  problem.m = problem.n = 16;
  problem.k = 8;
  EXPECT_TRUE(solve(problem, &outcome));
  EXPECT_EQ(outcome.blocks, 65537);
}

TEST(Batches, GroupsLargerThanTheGrid) {
  // group * columns of tiles is 2^32.
  Problem problem;
  problem.n = 8 * 65536;
  problem.schedule = "#tile.simt<tile = [4, 8, 8], warps = [1, 1], thread = "
                     "[1, 1], swizzle_size = 65536>";
  EXPECT_TRUE(solve(problem));
}

TEST(Batches, GroupsOfTiles) {
  // Tiles are numbered in groups of rows; the last group is a smaller one.
  for (int64_t group : {1, 2, 3, 8})
    for (int64_t m : {4, 8, 12, 13, 30}) {
      Problem problem;
      problem.m = m;
      problem.n = 27;
      problem.k = 5;
      problem.schedule = "#tile.simt<tile = [4, 8, 8], warps = [1, 1], thread "
                         "= [1, 1], swizzle_size = " +
                         std::to_string(group) + ">";
      ASSERT_TRUE(solve(problem));
    }
}
