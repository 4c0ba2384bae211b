// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Overlap of strided views against brute-force enumeration.
#include "Overlap.h"

#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace tile::rt;

namespace {
/// Every byte of a view; false when an element touches a byte twice.
bool collect(const View &view, std::set<int64_t> &bytes) {
  bool distinct = true;
  for (int64_t i = 0; i < view.extents[0]; ++i)
    for (int64_t j = 0; j < view.extents[1]; ++j)
      for (int64_t k = 0; k < view.extents[2]; ++k)
        for (int64_t b = 0; b < view.elementBytes; ++b)
          distinct &= bytes
                          .insert(int64_t(view.base) + i * view.strides[0] +
                                  j * view.strides[1] + k * view.strides[2] + b)
                          .second;
  return distinct;
}

View randomView(std::mt19937 &random) {
  auto pick = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  View view;
  view.base = 10000 + pick(-40, 40);
  view.elementBytes = pick(0, 1) ? 4 : 2;
  for (int i = 0; i < 3; ++i) {
    view.extents[i] = pick(0, 12) == 0 ? 0 : pick(1, 4);
    view.strides[i] = view.elementBytes * pick(-9, 9);
  }
  return view;
}
} // namespace

TEST(Overlap, AgreesWithEnumeration) {
  std::mt19937 random(20240611);
  int overlapping = 0, repeating = 0;
  constexpr int rounds = 20000;
  for (int round = 0; round < rounds; ++round) {
    View a = randomView(random), b = randomView(random);
    if (round % 2)
      std::copy(a.strides, a.strides + 3, b.strides);
    std::set<int64_t> bytesOfA, bytesOfB;
    bool distinct = collect(a, bytesOfA);
    collect(b, bytesOfB);
    bool shared = false;
    for (int64_t byte : bytesOfA)
      shared |= bytesOfB.count(byte) != 0;
    ASSERT_EQ(viewsOverlap(a, b), shared) << "round " << round;
    ASSERT_EQ(viewsOverlap(b, a), shared) << "round " << round;
    ASSERT_EQ(viewRepeats(a), !distinct) << "round " << round;
    overlapping += shared;
    repeating += !distinct;
  }
  // The sample would say nothing if one answer were rare.
  EXPECT_GT(overlapping, rounds / 10);
  EXPECT_LT(overlapping, rounds * 9 / 10);
  EXPECT_GT(repeating, rounds / 10);
  EXPECT_LT(repeating, rounds * 9 / 10);
}

TEST(Overlap, ColumnBlocksOfOneLargeMatrix) {
  View left{1 << 20, 4, {1, 1 << 20, 1 << 19, 1, 1}, {0, 4 << 20, 4}};
  View right = left;
  right.base += 4 << 19;
  EXPECT_FALSE(viewsOverlap(left, right));
  right.base -= 4;
  EXPECT_TRUE(viewsOverlap(left, right));
}

TEST(Overlap, WhatTheBudgetDoesNotDecideCountsAsOverlap) {
  // Odd and even bytes: never the same, but no search over these strides is
  // short.
  View a{1 << 20, 1, {1, 1 << 20, 1 << 20, 1, 1}, {0, 2 * 1000003, 2 * 999983}};
  View b = a;
  b.base += (int64_t(1) << 40) + 1;
  b.strides[1] = 2 * 1000033;
  b.strides[2] = 2 * 999979;
  EXPECT_TRUE(viewsOverlap(a, b));
}

TEST(Overlap, SpanFitsIsExactAtTheLimit) {
  int64_t extents[3] = {1, 2, 1};
  int64_t strides[3] = {INT64_MAX, (int64_t(1) << 60) - 1, INT64_MIN};
  EXPECT_TRUE(spanFits(extents, strides, 3, 4));
  strides[1] = int64_t(1) << 60;
  EXPECT_FALSE(spanFits(extents, strides, 3, 4));
  strides[1] = INT64_MIN;
  EXPECT_FALSE(spanFits(extents, strides, 3, 4));
  extents[1] = INT64_MAX;
  strides[1] = 1;
  EXPECT_FALSE(spanFits(extents, strides, 3, 1));
  strides[1] = 0;
  EXPECT_FALSE(spanFits(extents, strides, 3, 1));
  extents[1] = int64_t(1) << 40;
  EXPECT_TRUE(spanFits(extents, strides, 3, 8));
}
