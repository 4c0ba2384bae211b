// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Permutations and operand layouts that have names elsewhere.
#include "tile/Layout/OperandLayouts.h"
#include "tile/Layout/Permutations.h"

#include "gtest/gtest.h"
#include <numeric>
#include <set>

using namespace tile;

namespace {

/// The value at (row, column).
int64_t at(const Layout &layout, int64_t row, int64_t column) {
  return layout[0].at(row) + layout[1].at(column);
}

struct Named {
  const char *digits;
  bool columnMajor;
  llvm::SmallVector<int64_t, 3> sizes;
};

class Permutations : public ::testing::TestWithParam<Named> {};

// What a permutation stores is taken back by its inverse, element by element.
TEST_P(Permutations, InverseTakesBack) {
  const Named &named = GetParam();
  const int64_t rows = 96, columns = 120;
  Result<Layout> forward = getTensorPermutation(
      named.digits, named.columnMajor, false, rows, columns, named.sizes);
  ASSERT_TRUE(bool(forward)) << forward.getReason();
  // The matrix that is stored has as many of the modes as rows.
  int64_t left = named.digits[0] - '0', right = named.digits[1] - '0';
  int64_t first = named.sizes[0], storedRows = 1;
  for (int64_t mode : {left, right})
    storedRows *= mode == 0 ? rows / first : named.sizes[mode - 1];
  int64_t storedColumns = rows * columns / storedRows;
  Result<Layout> inverse =
      getTensorPermutation(named.digits, named.columnMajor, true, storedRows,
                           storedColumns, named.sizes);
  ASSERT_TRUE(bool(inverse)) << inverse.getReason();
  std::set<int64_t> offsets;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) {
      int64_t offset = at(*forward, i, j);
      offsets.insert(offset);
      int64_t row =
          named.columnMajor ? offset % storedRows : offset / storedColumns;
      int64_t column =
          named.columnMajor ? offset / storedRows : offset % storedColumns;
      int64_t original = named.columnMajor ? j * rows + i : i * columns + j;
      ASSERT_EQ(at(*inverse, row, column), original) << i << ", " << j;
    }
  EXPECT_EQ(offsets.size(), size_t(rows * columns));
  EXPECT_EQ(*offsets.rbegin(), rows * columns - 1);
}

INSTANTIATE_TEST_SUITE_P(All, Permutations,
                         ::testing::Values(Named{"0213", false, {4, 3}},
                                           Named{"0213", true, {4, 3}},
                                           Named{"20314", false, {4, 3, 2}},
                                           Named{"20314", true, {2, 5, 3}},
                                           Named{"02413", true, {4, 3, 2}},
                                           Named{"02413", false, {3, 2, 4}}));

// The formulas that the names stand for.
TEST(Permutations, Formulas) {
  const int64_t M = 24, N = 36;
  Layout row = *getTensorPermutation("0213", false, false, M, N, {4, 3});
  Layout column = *getTensorPermutation("0213", true, false, M, N, {4, 3});
  Layout five = *getTensorPermutation("20314", false, false, M, N, {4, 3, 2});
  Layout back = *getTensorPermutation("02413", true, false, M, N, {4, 3, 2});
  for (int64_t i = 0; i < M; ++i)
    for (int64_t j = 0; j < N; ++j) {
      int64_t q = N / 3, p = M / 4, d = N / 6;
      EXPECT_EQ(at(row, i, j), ((i / 4 * 3 + j / q) * 4 + i % 4) * q + j % q);
      EXPECT_EQ(at(column, i, j),
                ((j / 3 * 4 + i / p) * 3 + j % 3) * p + i % p);
      EXPECT_EQ(
          at(five, i, j),
          (((j / (2 * d) * (M / 4) + i / 4) * 2 + j / d % 2) * 4 + i % 4) * d +
              j % d);
      EXPECT_EQ(at(back, i, j),
                i % p + p * (j % 3) +
                    3 * p * (j / 6 + d * (i / p) + d * 4 * (j / 3 % 2)));
    }
}

TEST(Permutations, Batches) {
  const int64_t M = 6, N = 10, size = 3, batches = 12;
  for (bool columnMajor : {false, true}) {
    Layout forward =
        *getBatchPermutation(columnMajor, false, M, N, size, batches);
    Layout inverse =
        *getBatchPermutation(columnMajor, true, columnMajor ? M * size : M,
                             columnMajor ? N : N * size, size, batches / size);
    for (int64_t z = 0; z < batches; ++z)
      for (int64_t i = 0; i < M; ++i)
        for (int64_t j = 0; j < N; ++j) {
          int64_t slow = columnMajor ? j : i, fast = columnMajor ? i : j;
          int64_t numSlow = columnMajor ? N : M, numFast = columnMajor ? M : N;
          int64_t offset =
              ((z / size * numSlow + slow) * size + z % size) * numFast + fast;
          EXPECT_EQ(forward[0].at(i) + forward[1].at(j) + forward[2].at(z),
                    offset);
          // The same element of the long rows, by the inverse.
          int64_t along = z % size * numFast + fast;
          int64_t row = columnMajor ? along : slow;
          int64_t column = columnMajor ? slow : along;
          EXPECT_EQ(inverse[0].at(row) + inverse[1].at(column) +
                        inverse[2].at(z / size),
                    (z * numSlow + slow) * numFast + fast);
        }
  }
}

TEST(Permutations, Refusals) {
  EXPECT_EQ(
      getTensorPermutation("0312", false, false, 8, 8, {2, 2}).getReason(),
      "expected 0213, 20314 or 02413, but got 0312");
  EXPECT_EQ(getTensorPermutation("0213", false, false, 8, 8, {2}).getReason(),
            "expected the extents of 2 modes, but got 1");
  EXPECT_EQ(
      getTensorPermutation("0213", false, false, 9, 8, {2, 2}).getReason(),
      "expected an extent that is a multiple of 2, but got 9");
  EXPECT_EQ(
      getTensorPermutation("0213", false, false, 8, 8, {0, 2}).getReason(),
      "expected positive extents of modes, but got 0");
  EXPECT_EQ(getBatchPermutation(false, false, 8, 8, 3, 4).getReason(),
            "expected an extent that is a multiple of 3, but got 4");
  EXPECT_EQ(getPermutedLayout({2, 3}, {4}, {0, 1}).getReason(),
            "expected an order of 3 modes, but got 2");
  EXPECT_EQ(getPermutedLayout({2, 3}, {4}, {0, 1, 1}).getReason(),
            "expected an order that names each of 3 modes once, but got 1");
}

struct Operand {
  OperandLayout kind;
  OperandShape shape;
};

// Every element has a place of its own inside the pitches, whatever the pitch.
TEST(OperandLayouts, AreOneToOne) {
  std::vector<Operand> operands;
  for (int64_t stages : {1, 2, 3, 5}) {
    for (int64_t bits : {1, 4, 8, 16, 32})
      for (int64_t section : {1024 / bits, 512 / bits, 256 / bits})
        operands.push_back(
            {OperandLayout::TensorOp,
             {stages * section, 64, stages * section, bits, section}});
    int64_t c = 64 * stages;
    operands.push_back({OperandLayout::Congruous32, {c, 32, c}});
    operands.push_back({OperandLayout::Congruous64, {c, 32, c}});
    operands.push_back({OperandLayout::Congruous128, {c, 32, c}});
    operands.push_back({OperandLayout::Crosswise64, {32, c, c}});
    operands.push_back({OperandLayout::Crosswise128x4, {8, c, c}});
    operands.push_back({OperandLayout::RowInterleaved, {32, 64, 32}});
    operands.push_back({OperandLayout::VoltaCongruous, {c, 32, c}});
    operands.push_back({OperandLayout::VoltaCongruousB, {c, 32, c}});
    operands.push_back({OperandLayout::VoltaCrosswise, {32, 2 * c, 2 * c}});
  }
  for (const Operand &operand : operands) {
    const OperandShape &shape = operand.shape;
    Result<LayoutChain> chain = getOperandLayout(operand.kind, shape);
    ASSERT_TRUE(bool(chain)) << chain.getReason();
    std::set<int64_t> offsets;
    for (int64_t c = 0; c < shape.contiguous; ++c)
      for (int64_t s = 0; s < shape.strided; ++s)
        offsets.insert(evaluate(*chain, c, s));
    int64_t size = shape.contiguous * shape.strided;
    EXPECT_EQ(int64_t(offsets.size()), size) << int(operand.kind);
    EXPECT_EQ(*offsets.begin(), 0);
    EXPECT_EQ(*offsets.rbegin(), size - 1) << int(operand.kind);
  }
}

TEST(OperandLayouts, Texts) {
  LayoutChain direct =
      *getOperandLayout(OperandLayout::TensorOp, {64, 8, 64, 16, 32});
  ASSERT_EQ(direct.size(), 1u);
  EXPECT_EQ(direct[0].str(),
            "S<2, 3, 4> o 0 o ((32, 2), (2, 4)) : ((1, 64), (32, 128))");
  LayoutChain staged =
      *getOperandLayout(OperandLayout::TensorOp, {96, 8, 96, 16, 32});
  ASSERT_EQ(staged.size(), 2u);
  EXPECT_EQ(staged[0].str(),
            "S<2, 3, 3> o 0 o ((32, 3), (2, 4)) : ((1, 256), (32, 64))");
  EXPECT_EQ(staged[1].str(), "(64, 4, 3) : (1, 192, 64)");
}

TEST(OperandLayouts, Refusals) {
  auto refuse = [](OperandLayout kind, const OperandShape &shape) {
    Result<LayoutChain> chain = getOperandLayout(kind, shape);
    return chain ? std::string("none") : chain.getReason();
  };
  EXPECT_EQ(refuse(OperandLayout::TensorOp, {64, 8, 64, 12, 32}),
            "expected elements of 1 to 64 bits, a power of two, but got 12");
  EXPECT_EQ(refuse(OperandLayout::TensorOp, {64, 8, 64, 16, 48}),
            "expected a section that is a part of the 64 elements of 128 bytes "
            "and has at least 8, but got 48");
  EXPECT_EQ(
      refuse(OperandLayout::TensorOp, {65, 8, 96, 16, 32}),
      "expected a contiguous extent that is a multiple of 32, but got 65");
  EXPECT_EQ(refuse(OperandLayout::RowInterleaved, {64, 8, 32}),
            "expected a contiguous extent that is 32, but got 64");
  EXPECT_EQ(
      refuse(OperandLayout::TensorOp, {64, 8, 40, 16, 32}),
      "expected a pitch that is a multiple of 32 elements, at least 64, but "
      "got 40");
  EXPECT_EQ(refuse(OperandLayout::VoltaCongruous, {64, 6, 64}),
            "expected a strided extent that is a multiple of 4, but got 6");
}

} // namespace
