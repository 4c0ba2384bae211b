// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Permuted tensors against their definition: reshape, permute, count.
#include "tile/Layout/TensorPermutes.h"
#include "gtest/gtest.h"
#include <numeric>
#include <set>

using namespace tile;

namespace {

using Numbers = std::vector<int64_t>;

/// The digits of `index` in a shape, in row-major or column-major reading.
Numbers unravel(int64_t index, const Numbers &shape, bool rowMajor) {
  Numbers digits(shape.size());
  for (size_t k = 0; k < shape.size(); ++k) {
    size_t i = rowMajor ? shape.size() - 1 - k : k;
    digits[i] = index % shape[i];
    index /= shape[i];
  }
  return digits;
}

int64_t ravel(const Numbers &digits, const Numbers &shape, bool rowMajor) {
  int64_t index = 0;
  for (size_t k = 0; k < shape.size(); ++k) {
    size_t i = rowMajor ? k : shape.size() - 1 - k;
    index = index * shape[i] + digits[i];
  }
  return index;
}

/// Where element (row, column) is once the matrix, reshaped to the digits of
/// rows and columns, is permuted: dimension k of the result is `order[k]`.
int64_t permute(int64_t row, int64_t column, const Numbers &rows,
                const Numbers &columns, const Numbers &order, bool rowMajor) {
  Numbers digits = unravel(row, rows, rowMajor), shape = rows;
  Numbers more = unravel(column, columns, rowMajor);
  digits.insert(digits.end(), more.begin(), more.end());
  shape.insert(shape.end(), columns.begin(), columns.end());
  Numbers permuted, extents;
  for (int64_t k : order) {
    permuted.push_back(digits[k]);
    extents.push_back(shape[k]);
  }
  return ravel(permuted, extents, rowMajor);
}

void check(const Result<Layout> &layout, const Numbers &rows,
           const Numbers &columns, const Numbers &order, bool rowMajor) {
  ASSERT_TRUE(layout) << layout.getReason();
  auto product = [](const Numbers &numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), int64_t(1),
                           std::multiplies<int64_t>());
  };
  int64_t m = product(rows), n = product(columns);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      Result<IntTuple> offset = (*layout)(IntTuple::constants({i, j}));
      ASSERT_TRUE(offset) << offset.getReason();
      ASSERT_EQ(offset->getInt().getValue(),
                permute(i, j, rows, columns, order, rowMajor))
          << "(" << i << ", " << j << ") of " << layout->str();
    }
}

TEST(TensorPermutes, Definition) {
  check(permute0213RowMajor(8, 12, 4, 2), {2, 4}, {2, 6}, {0, 2, 1, 3}, true);
  check(permute0213RowMajor(10, 9, 5, 3), {2, 5}, {3, 3}, {0, 2, 1, 3}, true);
  check(permute0213ColumnMajor(8, 12, 4, 2), {2, 4}, {2, 6}, {0, 2, 1, 3},
        false);
  check(permute20314RowMajor(8, 30, 4, 3, 2), {2, 4}, {3, 2, 5},
        {2, 0, 3, 1, 4}, true);
  check(permute02413ColumnMajor(8, 30, 4, 3, 2), {2, 4}, {3, 2, 5},
        {0, 2, 4, 1, 3}, false);
}

TEST(TensorPermutes, InverseExchangesTheFactors) {
  // Element (i, j) goes to `at`; read as a matrix of the permuted tensor's
  // rows and columns, `at` comes back.
  int64_t m = 8, n = 12, a = 4, b = 2;
  Result<Layout> there = permute0213RowMajor(m, n, a, b);
  int64_t rows = m / a * b, columns = a * (n / b);
  Result<Layout> back = permute0213RowMajor(rows, columns, b, a);
  ASSERT_TRUE(there && back);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      int64_t at = (*there)(IntTuple::constants({i, j}))->getInt().getValue();
      IntTuple place = IntTuple::constants({at / columns, at % columns});
      EXPECT_EQ((*back)(place)->getInt().getValue(), i * n + j);
    }
}

TEST(TensorPermutes, BatchesAreDisjoint) {
  for (bool rowMajor : {true, false}) {
    Result<Layout> layout = rowMajor ? permuteBatch0213RowMajor(5, 4, 6, 3)
                                     : permuteBatch0321ColumnMajor(5, 4, 6, 3);
    ASSERT_TRUE(layout) << layout.getReason();
    std::set<int64_t> offsets;
    for (int64_t i = 0; i < 5 * 4 * 6; ++i)
      offsets.insert(layout->at(i));
    EXPECT_EQ(offsets.size(), 120u);
    EXPECT_EQ(*offsets.rbegin(), 119);
  }
  // Batch 4 is (1, 1): ((1*5 + row)*3 + 1)*4 + column.
  Result<Layout> layout = permuteBatch0213RowMajor(5, 4, 6, 3);
  EXPECT_EQ((*layout)(IntTuple::constants({2, 3, 4}))->getInt().getValue(), 91);
}

TEST(TensorPermutes, ExtentsOfRunTime) {
  Result<Layout> layout =
      permute0213RowMajor(Int::dynamic(4), Int::dynamic(16), 4, 2);
  ASSERT_TRUE(layout) << layout.getReason();
  EXPECT_EQ(layout->withoutExprs().str(),
            "((4, ?), (?{div = 8}, 2)) : ((?{div = 8}, ?{div = 64}), "
            "(1, ?{div = 32}))");
}

TEST(TensorPermutes, Refusals) {
  EXPECT_EQ(permute0213RowMajor(10, 12, 4, 2).getReason(),
            "expected rows that are a multiple of 4, but got 10");
  EXPECT_EQ(permute20314RowMajor(8, 32, 4, 3, 2).getReason(),
            "expected columns that are a multiple of 6, but got 32");
  EXPECT_EQ(permute0213ColumnMajor(Int::dynamic(2), 12, 4, 2).getReason(),
            "expected rows that are a multiple of 4, but got a number known to "
            "be a multiple of 2");
  EXPECT_EQ(permuteBatch0213RowMajor(5, 4, 7, 3).getReason(),
            "expected batches that are a multiple of 3, but got 7");
  EXPECT_EQ(permute0213RowMajor(8, 12, 0, 2).getReason(),
            "expected a positive factor of the rows, but got 0");
  EXPECT_EQ(
      permuteDigits({llvm::SmallVector<Int, 4>{2, 3}}, {0, 0}).getReason(),
      "expected each of the 2 digits once in the order, but got digit 0");
  EXPECT_EQ(permuteDigits({llvm::SmallVector<Int, 4>{2, 3}}, {1}).getReason(),
            "expected each of the 2 digits once in the order, but got 1 "
            "digits");
}

} // namespace
