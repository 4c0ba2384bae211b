// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Access maps from matrices to tensors: elements, text, and what is no map.
#include "tile/Facts/MatrixMap.h"

#include "gtest/gtest.h"

using namespace tile;

namespace {

/// A signal of 5 elements and 2 channels, strides of 4 and 1, under a filter of
/// 3 places, 2 apart, with a margin of 1: rows (p), columns (r, c).
MatrixMap makeSignal() {
  MatrixMap map;
  map.digits[1] = {5};
  map.digits[2] = {3, 2};
  map.dims = {{5, 4, 1, -1, {1, 2, 0}}, {2, 1, 1, 0, {0, 0, 1}}};
  return map;
}

} // namespace

TEST(MatrixMap, Elements) {
  MatrixMap map = makeSignal();
  EXPECT_EQ(map.getExtent(0), 1);
  EXPECT_EQ(map.getExtent(1), 5);
  EXPECT_EQ(map.getExtent(2), 6);
  int64_t index[2];
  for (int64_t p = 0; p < 5; ++p)
    for (int64_t r = 0; r < 3; ++r)
      for (int64_t c = 0; c < 2; ++c) {
        int64_t at = p + 2 * r - 1;
        bool inside = at >= 0 && at < 5;
        ASSERT_EQ(map.findIndex(0, p, r * 2 + c, index), inside);
        if (inside) {
          EXPECT_EQ(index[0], at);
          EXPECT_EQ(index[1], c);
        }
      }
}

TEST(MatrixMap, DivisionsThatLeaveARestAreZero) {
  MatrixMap map;
  map.digits[1] = {6};
  map.dims = {{3, 1, 2, 0, {1}}};
  int64_t index[1];
  EXPECT_TRUE(map.findIndex(0, 4, 0, index));
  EXPECT_EQ(index[0], 2);
  EXPECT_FALSE(map.findIndex(0, 3, 0, index));
}

TEST(MatrixMap, Text) {
  MatrixMap map = makeSignal(), read;
  EXPECT_EQ(map.str(), "[][5][3, 2] [5, 4, 1, -1][1, 2, 0] "
                       "[2, 1, 1, 0][0, 0, 1]");
  EXPECT_EQ(MatrixMap::parse(map.str(), read), "");
  EXPECT_EQ(read.str(), map.str());
}

TEST(MatrixMap, BadText) {
  const std::pair<const char *, const char *> cases[] = {
      {"", "expected lists of integers in brackets"},
      {"[][5][", "expected lists of integers in brackets"},
      {"[][5][3] x", "expected lists of integers in brackets"},
      {"[][99999999999999999999][3] [1, 1, 1, 0][1, 0]",
       "expected lists of integers in brackets"},
      {"[][5][3]", "expected a tensor of 1 to 8 dimensions, but got 0"},
      {"[][5][3] [5, 1, 1][1, 0]", "expected extent, stride, divisor and "
                                   "constant of a dimension, but got 3 "
                                   "numbers"},
      {"[][5][3] [5, 1, 1, 0][1]",
       "expected a coefficient for each of 2 digits, but got 1"},
      {"[][5][3] [5, 1, 0, 0][1, 0]",
       "expected divisors of 1 to 2^40, but got 0"},
      {"[][5][-3] [5, 1, 1, 0][1, 0]",
       "expected digits of 0 to 2^40, but got -3"},
      {"[][5][3] [5, -1, 1, 0][1, 0]",
       "expected strides of 0 to 2^40, but got -1"},
      {"[][1099511627776][1099511627776] [5, 1, 1, 0][1, 0]",
       "expected at most 2^60 elements of the matrices, but got more"},
      {"[][5][3] [5, 1, 1, 0][9223372036854775807, 0]",
       "expected indices and offsets below 2^60, but got larger ones"},
      {"[1,1,1,1,1,1,1,1,1][1,1,1,1,1,1,1,1][3] [5, 1, 1, 0][1]",
       "expected at most 16 digits, but got 18"}};
  for (auto [text, reason] : cases) {
    MatrixMap map;
    EXPECT_EQ(MatrixMap::parse(text, map), reason) << text;
  }
}
