// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands wherever strides can put them: orders of D, dynamic and static
// strides, broadcasts, negative strides, shared memory between inputs.
#include "Setting.h"

using namespace tile::sweep;

static constexpr Element kElements[] = {Element::F32, Element::F64};

TEST(Layouts, AllOrdersGiveTheSameBits) {
  // One result for all 16 orders of A, B, C and D.
  for (Element element : kElements) {
    std::vector<double> first;
    for (int orders = 0; orders < 16; ++orders) {
      Problem problem;
      problem.element = element;
      problem.m = 67;
      problem.n = 70;
      problem.k = 21;
      problem.alpha = -1.25;
      problem.beta = 0.5;
      problem.setOrders(orders);
      problem.c.columnMajor = orders & 4;
      problem.d.columnMajor = orders & 8;
      problem.setPadding(orders % 3);
      Outcome outcome;
      ASSERT_TRUE(solve(problem, &outcome));
      std::vector<double> result;
      for (int64_t i = 0; i < problem.m; ++i)
        for (int64_t j = 0; j < problem.n; ++j)
          result.push_back(element == Element::F32
                               ? outcome.d->at<float>(0, i, j)
                               : outcome.d->at<double>(0, i, j));
      if (first.empty())
        first = result;
      EXPECT_EQ(first, result) << problem.describe();
    }
  }
}

TEST(Layouts, ColumnMajorDSmall) {
  Problem problem;
  problem.d.columnMajor = true;
  problem.alpha = 0.5;
  for (Element element : kElements)
    for (int orders = 0; orders < 8; ++orders) {
      problem.element = element;
      problem.setOrders(orders);
      problem.c.columnMajor = orders & 4;
      problem.beta = orders % 2 ? 0.25 : 0;
      problem.setPadding(orders % 2 == 0);
      for (problem.m = 1; problem.m <= 9; problem.m += 2)
        for (problem.n = 1; problem.n <= 9; problem.n += 3)
          for (problem.k = 1; problem.k <= 9; problem.k += 4)
            ASSERT_TRUE(solve(problem));
    }
}

TEST(Layouts, DynamicStrides) {
  // Nothing is known when the program is compiled, not even which is the unit
  // stride.
  Problem problem;
  problem.typing = Typing::Dynamic;
  problem.beta = 0.75;
  for (Element element : kElements)
    for (int orders = 0; orders < 16; ++orders)
      for (bool padded : {false, true})
        for (auto [m, n, k] : {std::array<int64_t, 3>{1, 1, 1},
                               {5, 7, 9},
                               {12, 20, 16},
                               {65, 33, 17},
                               {128, 132, 8}}) {
          problem.element = element;
          problem.setOrders(orders);
          problem.c.columnMajor = orders & 4;
          problem.d.columnMajor = orders & 8;
          problem.setPadding(padded);
          problem.m = m;
          problem.n = n;
          problem.k = k;
          ASSERT_TRUE(solve(problem));
        }
}

TEST(Layouts, NoUnitStride) {
  Problem problem;
  problem.typing = Typing::Dynamic;
  problem.m = 19;
  problem.n = 23;
  problem.k = 11;
  problem.beta = -2;
  problem.a.strides = {0, 40, 3};
  problem.b.strides = {0, 2, 37};
  problem.c.strides = {0, 3, 64};
  problem.d.strides = {0, 70, 3};
  EXPECT_TRUE(solve(problem));
}

TEST(Layouts, BroadcastOperands) {
  // Stride 0: a row of A for all rows, one number for all of C.
  Problem problem;
  problem.typing = Typing::Dynamic;
  problem.m = 13;
  problem.n = 9;
  problem.k = 10;
  problem.beta = 1;
  problem.a.strides = {0, 0, 1};
  problem.b.strides = {0, 1, 0};
  problem.c.strides = {0, 0, 0};
  EXPECT_TRUE(solve(problem));
}

TEST(Layouts, NegativeStrides) {
  Problem problem;
  problem.typing = Typing::Dynamic;
  problem.m = 14;
  problem.n = 10;
  problem.k = 19;
  problem.beta = 1;
  problem.a.strides = {0, -23, 1};
  problem.b.strides = {0, 12, -1};
  problem.c.strides = {0, -1, -16};
  EXPECT_TRUE(solve(problem));
}

TEST(Layouts, StaticShapes) {
  Problem problem;
  problem.typing = Typing::Static;
  problem.alpha = 1.5;
  for (Element element : kElements)
    for (auto [m, n, k] : {std::array<int64_t, 3>{1, 1, 1},
                           {7, 5, 3},
                           {64, 64, 16},
                           {65, 63, 9},
                           {40, 72, 24}})
      for (int orders : {0, 3}) {
        problem.element = element;
        problem.m = m;
        problem.n = n;
        problem.k = k;
        problem.setOrders(orders);
        problem.d.columnMajor = orders & 1;
        problem.setPadding(k % 2);
        problem.beta = k % 2 ? 0.5 : 0;
        ASSERT_TRUE(solve(problem));
      }
}

TEST(Layouts, WithoutC) {
  for (Element element : kElements)
    for (int orders = 0; orders < 4; ++orders) {
      Problem problem;
      problem.element = element;
      problem.hasC = false;
      problem.alpha = 0.75;
      problem.setOrders(orders);
      problem.setPadding(orders % 2);
      for (auto [m, n, k] : {std::array<int64_t, 3>{2, 1, 7},
                             {16, 16, 16},
                             {33, 31, 17},
                             {68, 132, 20}}) {
        problem.m = m;
        problem.n = n;
        problem.k = k;
        ASSERT_TRUE(solve(problem));
      }
    }
}

TEST(Layouts, OddPitchesWithNaN) {
  // Multiples of nothing, NaN wherever no element is.
  Problem problem;
  problem.m = 33;
  problem.n = 31;
  problem.k = 17;
  problem.setPadding(true);
  for (int orders = 0; orders < 4; ++orders) {
    problem.setOrders(orders);
    EXPECT_TRUE(solve(problem));
  }
}

TEST(Layouts, AlignedPitchOddExtent) {
  // Loads aligned by the pitch, extents that are not multiples of an access.
  Problem problem;
  problem.m = 64;
  problem.n = 63;
  problem.k = 33;
  problem.a.padding = 7;
  problem.b.padding = problem.c.padding = problem.d.padding = 1;
  EXPECT_TRUE(solve(problem));
}

TEST(Layouts, Lattice) {
  bool full = Setting::get().isFull();
  std::vector<int64_t> extents = {8, 56, 120, 136, 256, 264};
  std::vector<int64_t> depths = {8, 16, 32, 64};
  if (full)
    depths.insert(depths.end(), {128, 256, 384, 504, 512, 520});
  Problem problem;
  int count = 0;
  for (int64_t m : extents)
    for (int64_t n : extents)
      for (int64_t k : depths) {
        // Without --full one in four.
        if (!full && ++count % 4 != int(m / 8 % 4))
          continue;
        problem.m = m;
        problem.n = n;
        problem.k = k;
        problem.beta = static_cast<double>((m + n + k) / 8 % 3);
        problem.setOrders(static_cast<int>((m + n) / 8 % 4));
        ASSERT_TRUE(solve(problem));
      }
}

TEST(Layouts, LargeOdd) {
  if (!Setting::get().isFull())
    GTEST_SKIP() << "runs with --full";
  Problem problem;
  problem.setPadding(true);
  for (auto [m, n, k] : {std::array<int64_t, 3>{1000, 999, 1001},
                         {514, 500, 130},
                         {457, 514, 330},
                         {511, 511, 511}}) {
    problem.m = m;
    problem.n = n;
    problem.k = k;
    EXPECT_TRUE(solve(problem));
  }
}
