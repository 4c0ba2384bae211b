// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inverse permutations and operand layouts that have names elsewhere.
#include "tile/Layout/OperandLayouts.h"
#include "tile/Layout/TensorPermutes.h"

#include "gtest/gtest.h"
#include <numeric>
#include <set>

using namespace tile;

namespace {

/// The value at (row, column).
int64_t at(const Layout &layout, int64_t row, int64_t column) {
  return layout[0].at(row) + layout[1].at(column);
}

/// Checks that `inverse` takes what `forward` has stored, a matrix of
/// `storedRows` rows, back to a row-major or column-major one.
void checkInverse(const Result<Layout> &forward, const Result<Layout> &inverse,
                  int64_t rows, int64_t columns, int64_t storedRows,
                  bool rowMajor) {
  ASSERT_TRUE(bool(forward)) << forward.getReason();
  ASSERT_TRUE(bool(inverse)) << inverse.getReason();
  int64_t storedColumns = rows * columns / storedRows;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) {
      int64_t offset = at(*forward, i, j);
      int64_t row = rowMajor ? offset / storedColumns : offset % storedRows;
      int64_t column = rowMajor ? offset % storedColumns : offset / storedRows;
      ASSERT_EQ(at(*inverse, row, column),
                rowMajor ? i * columns + j : j * rows + i)
          << i << ", " << j;
    }
}

TEST(TensorPermutes, InversesTakeBack) {
  const int64_t M = 96, N = 120, a = 4, b = 3, c = 2;
  checkInverse(permute0213RowMajor(M, N, a, b),
               permute0213RowMajor(M / a * b, N / b * a, b, a), M, N, M / a * b,
               true);
  checkInverse(permute0213ColumnMajor(M, N, a, b),
               permute0213ColumnMajor(M / a * b, N / b * a, b, a), M, N,
               M / a * b, false);
  checkInverse(permute20314RowMajor(M, N, a, b, c),
               unpermute20314RowMajor(M / a * b, N / b * a, a, b, c), M, N,
               M / a * b, true);
  checkInverse(permute02413ColumnMajor(M, N, a, b, c),
               unpermute02413ColumnMajor(M / a * b, N / b * a, a, b, c), M, N,
               M / a * b, false);
}

TEST(TensorPermutes, InversesOfBatches) {
  const int64_t M = 6, N = 10, a = 3, batches = 12;
  Layout row = *permuteBatch0213RowMajor(M, N, batches, a),
         column = *permuteBatch0321ColumnMajor(M, N, batches, a),
         rowBack = *unpermuteBatch0213RowMajor(M, N * a, batches / a, a),
         columnBack = *unpermuteBatch0321ColumnMajor(M * a, N, batches / a, a);
  for (int64_t z = 0; z < batches; ++z)
    for (int64_t i = 0; i < M; ++i)
      for (int64_t j = 0; j < N; ++j) {
        int64_t there = at(row, i, j) + row[2].at(z), length = N * a;
        EXPECT_EQ(at(rowBack, there / length % M, there % length) +
                      rowBack[2].at(there / (length * M)),
                  (z * M + i) * N + j);
        there = at(column, i, j) + column[2].at(z);
        length = M * a;
        EXPECT_EQ(at(columnBack, there % length, there / length % N) +
                      columnBack[2].at(there / (length * N)),
                  (z * N + j) * M + i);
      }
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
