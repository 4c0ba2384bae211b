// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which operands a tensor map can describe, and the map that results.
#include "GemmTensorMap.h"

#include <gtest/gtest.h>

using namespace tile::rt;

namespace {
/// A gemm of f16 whose A is 100 x 60 with a pitch of 64, contiguous along
/// columns.
struct TensorMapRules : ::testing::Test {
  TensorMapRules() {
    problem.m = 100;
    problem.n = 40;
    problem.k = 60;
    problem.batch = 1;
    GemmOperand &a = problem.operands[OperandA];
    a = {address(1), TILE_RT_F16, {1, 100, 60}, {0, 64, 1}, true, true};
    problem.operands[OperandD] = {address(2) + 6, TILE_RT_F16, {1, 100, 40},
                                  {0, 40, 1},     true,        true};
  }

  static char *address(int number) {
    return reinterpret_cast<char *>(uintptr_t(number) << 32);
  }
  std::string reason() const { return whyNoTensorMap(spec, problem); }

  TensorMapSpec spec{{"A", OperandA}, 1, {64, 128}, 128, false};
  GemmProblem problem;
  GemmOperand &a = problem.operands[OperandA];
};
} // namespace

TEST_F(TensorMapRules, AGoodOne) {
  EXPECT_EQ(reason(), "");
  TensorMapFacts facts = describeTensorMap(spec, problem);
  EXPECT_EQ(facts.base, a.data);
  EXPECT_EQ(facts.elementBytes, 2);
  EXPECT_EQ(facts.type, TILE_RT_F16);
  EXPECT_EQ(facts.rank, 2);
  EXPECT_EQ(facts.dims[0], 60);
  EXPECT_EQ(facts.dims[1], 100);
  EXPECT_EQ(facts.strides[0], 128);
  EXPECT_EQ(facts.box[0], 64);
  EXPECT_EQ(facts.box[1], 128);
  EXPECT_EQ(facts.swizzleBytes, 128);
}

TEST_F(TensorMapRules, TheOtherDimensionContiguous) {
  spec.contiguous = 0;
  EXPECT_EQ(reason(), "row stride of A is 64, and its tensor map needs 1");
  a.strides[1] = 1;
  a.strides[2] = 104;
  EXPECT_EQ(reason(), "");
  TensorMapFacts facts = describeTensorMap(spec, problem);
  EXPECT_EQ(facts.dims[0], 100);
  EXPECT_EQ(facts.dims[1], 60);
  EXPECT_EQ(facts.strides[0], 208);
}

TEST_F(TensorMapRules, TheBase) {
  a.data = address(1) + 2;
  EXPECT_EQ(reason(), "base of A is 2 bytes past a 16-byte boundary, and a "
                      "tensor map needs one on it");
  a.data = address(1) + 17;
  EXPECT_EQ(reason(), "base of A is 1 byte past a 16-byte boundary, and a "
                      "tensor map needs one on it");
}

TEST_F(TensorMapRules, Strides) {
  a.strides[1] = 60;
  EXPECT_EQ(reason(), "row stride of A is 120 bytes, and a tensor map needs a "
                      "multiple of 16");
  for (int64_t stride :
       {int64_t(0), int64_t(-64), int64_t(1) << 39, INT64_MAX / 2}) {
    a.strides[1] = stride;
    EXPECT_EQ(reason(), "row stride of A is " + std::to_string(stride) +
                            " elements, and a tensor map needs 1 to 2^40 - 1 "
                            "bytes");
  }
  a.strides[1] = (int64_t(1) << 39) - 8;
  EXPECT_EQ(reason(), "");
}

TEST_F(TensorMapRules, Extents) {
  a.extents[2] = int64_t(1) << 32;
  EXPECT_EQ(reason(), "");
  ++a.extents[2];
  EXPECT_EQ(reason(), "A has a column extent of 4294967297, and a tensor map "
                      "needs 1 to 2^32");
  a.extents[2] = 0;
  EXPECT_EQ(reason(),
            "A has a column extent of 0, and a tensor map needs 1 to 2^32");
}

TEST_F(TensorMapRules, Boxes) {
  spec.box[0] = 72;
  EXPECT_EQ(reason(), "box of A has 144 bytes inside, and a tensor map with "
                      "this swizzle needs at most 128");
  spec.swizzle = 0;
  EXPECT_EQ(reason(), "");
  spec.box[0] = 60;
  EXPECT_EQ(reason(), "box of A has 120 bytes inside, and a tensor map needs a "
                      "multiple of 16");
  spec.box[0] = 64;
  spec.box[1] = 257;
  EXPECT_EQ(reason(),
            "box of A has extent 257, and a tensor map needs 1 to 256");
}

// No address depends on the stride of a dimension with one element.
TEST_F(TensorMapRules, StridesOfOneElementAreReplaced) {
  a.extents[1] = 1;
  a.strides[1] = -7;
  EXPECT_EQ(reason(), "");
  EXPECT_EQ(describeTensorMap(spec, problem).strides[0], 128);
  a.extents[1] = 100;
  a.strides[1] = 64;
  a.extents[2] = 1;
  a.strides[2] = 3;
  EXPECT_EQ(reason(), "");
  spec.batched = true;
  a.strides[0] = 5;
  EXPECT_EQ(reason(), "");
  TensorMapFacts facts = describeTensorMap(spec, problem);
  EXPECT_EQ(facts.rank, 3);
  EXPECT_EQ(facts.dims[2], 1);
  EXPECT_EQ(facts.box[2], 1);
  EXPECT_EQ(facts.strides[0], 128);
  EXPECT_EQ(facts.strides[1], 16);
}

TEST_F(TensorMapRules, Batches) {
  problem.batch = a.extents[0] = 3;
  EXPECT_EQ(reason(), "");
  a.strides[0] = 6400;
  EXPECT_EQ(reason(), "A has 3 matrices, and its tensor map describes one");
  spec.batched = true;
  EXPECT_EQ(reason(), "");
  TensorMapFacts facts = describeTensorMap(spec, problem);
  EXPECT_EQ(facts.rank, 3);
  EXPECT_EQ(facts.dims[2], 3);
  EXPECT_EQ(facts.strides[1], 12800);
  a.strides[0] = 6401;
  EXPECT_EQ(reason(), "batch stride of A is 12802 bytes, and a tensor map "
                      "needs a multiple of 16");
  a.strides[0] = 0;
  EXPECT_EQ(reason(), "batch stride of A is 0 elements, and a tensor map needs "
                      "1 to 2^40 - 1 bytes");
}

TEST_F(TensorMapRules, AnOperandThatIsNotUsed) {
  a = {nullptr, TILE_RT_F16, {1, 100, 0}, {0, 0, 1}, true, false};
  EXPECT_EQ(reason(), "");
  TensorMapFacts facts = describeTensorMap(spec, problem);
  EXPECT_EQ(facts.base, address(2));
  EXPECT_EQ(facts.dims[0], 1);
  EXPECT_EQ(facts.dims[1], 1);
  EXPECT_EQ(facts.strides[0], 16);
}

TEST(MixedTypes, WhatTheContractAllows) {
  auto check = [](TileRtType a, TileRtType b, TileRtType d) {
    return checkTypes(a, b, d, d);
  };
  for (TileRtType type : {TILE_RT_F32, TILE_RT_F64, TILE_RT_F16, TILE_RT_BF16})
    EXPECT_EQ(check(type, type, type), "");
  EXPECT_EQ(check(TILE_RT_F16, TILE_RT_F16, TILE_RT_F32), "");
  EXPECT_EQ(check(TILE_RT_BF16, TILE_RT_BF16, TILE_RT_F32), "");
  for (TileRtType d : {TILE_RT_F16, TILE_RT_BF16, TILE_RT_F32})
    for (TileRtType a : {TILE_RT_F8E4M3FN, TILE_RT_F8E5M2})
      for (TileRtType b : {TILE_RT_F8E4M3FN, TILE_RT_F8E5M2})
        EXPECT_EQ(check(a, b, d), "");
  EXPECT_EQ(check(TILE_RT_I8, TILE_RT_I8, TILE_RT_I32), "");

  EXPECT_EQ(check(TILE_RT_I8, TILE_RT_I32, TILE_RT_I32),
            "expected B of type i8, of which sums are i32, but got i32");
  EXPECT_EQ(check(TILE_RT_I8, TILE_RT_I8, TILE_RT_I8),
            "expected D of an element type from f16 to f64, or i32, but got "
            "i8");
  EXPECT_EQ(checkTypes(TILE_RT_I8, TILE_RT_I8, TILE_RT_I8, TILE_RT_I32),
            "expected C to have the element type of D, i32, but got i8");
  EXPECT_EQ(check(TILE_RT_F16, TILE_RT_BF16, TILE_RT_F32),
            "expected B to have the element type of A, f16, but got bf16");
  EXPECT_EQ(check(TILE_RT_F16, TILE_RT_F16, TILE_RT_BF16),
            "expected A to have the element type of D, bf16, but got f16");
  EXPECT_EQ(check(TILE_RT_F32, TILE_RT_F32, TILE_RT_F16),
            "expected A to have the element type of D, f16, but got f32");
  EXPECT_EQ(check(TILE_RT_F16, TILE_RT_F16, TILE_RT_F64),
            "expected A to have the element type of D, f64, but got f16");
  EXPECT_EQ(check(TILE_RT_F8E5M2, TILE_RT_F16, TILE_RT_F16),
            "expected B of type f8E4M3FN or f8E5M2 as the other factor, but "
            "got f16");
  EXPECT_EQ(check(TILE_RT_F8E5M2, TILE_RT_F8E5M2, TILE_RT_F64),
            "expected D of type bf16, f16 or f32 where A and B are 8-bit, but "
            "got f64");
  EXPECT_EQ(check(TILE_RT_F8E5M2, TILE_RT_F8E5M2, TILE_RT_F8E5M2),
            "expected D of an element type from f16 to f64, or i32, but got "
            "f8E5M2");
  EXPECT_EQ(checkTypes(TILE_RT_F16, TILE_RT_F16, TILE_RT_F16, TILE_RT_F32),
            "expected C to have the element type of D, f32, but got f16");
}

// Maps differ when any fact does. What has another hash is not found anyway;
// among so many numbers there are some of the same hash.
TEST(TensorMapCacheKey, HasEveryFact) {
  TensorMapFacts facts;
  facts.base = reinterpret_cast<void *>(uintptr_t(1) << 32);
  facts.elementBytes = 2;
  facts.rank = 3;
  for (int i = 0; i < 5; ++i) {
    facts.dims[i] = 64;
    facts.box[i] = 8;
  }
  for (int64_t &stride : facts.strides)
    stride = 128;
  facts.swizzleBytes = 128;
  facts.type = TILE_RT_F16;
  TensorMapCache cache;
  unsigned char map[tensorMapBytes] = {};
  cache.add(facts, map);
  ASSERT_TRUE(cache.find(facts, map));
  auto expectOthers = [&](const char *what, auto &&change) {
    for (int64_t number = 1; number < 20000; ++number) {
      TensorMapFacts other = facts;
      change(other, number);
      ASSERT_FALSE(cache.find(other, map)) << what << " changed by " << number;
    }
  };
  for (int i = 0; i < 5; ++i) {
    expectOthers("extent", [&](TensorMapFacts &other, int64_t by) {
      other.dims[i] += by;
    });
    expectOthers("box", [&](TensorMapFacts &other, int64_t by) {
      other.box[i] += int32_t(by);
    });
  }
  for (int i = 0; i < 4; ++i)
    expectOthers("stride", [&](TensorMapFacts &other, int64_t by) {
      other.strides[i] += 16 * by;
    });
  expectOthers("swizzle", [](TensorMapFacts &other, int64_t by) {
    other.swizzleBytes += int(by);
  });
  expectOthers("type", [](TensorMapFacts &other, int64_t by) {
    other.type = TileRtType(other.type + by);
  });
  expectOthers(
      "rank", [](TensorMapFacts &other, int64_t by) { other.rank += int(by); });
  expectOthers("element", [](TensorMapFacts &other, int64_t by) {
    other.elementBytes += int(by);
  });
  expectOthers("base", [](TensorMapFacts &other, int64_t by) {
    other.base = static_cast<char *>(other.base) + 16 * by;
  });
}

TEST_F(TensorMapRules, PixelsOfAnImage) {
  // 2 x 8 x 9 pixels of 16 channels under a filter of 3 x 3 with a margin of 1.
  spec.extents = {16, 9, 8, 2};
  spec.strides = {16, 144, 1152};
  spec.lower = spec.upper = {-1, -1};
  spec.traversal = {1, 2};
  EXPECT_EQ(reason(), "");
  TensorMapFacts facts = describeTensorMap(spec, problem);
  EXPECT_TRUE(facts.im2col);
  EXPECT_EQ(facts.rank, 4);
  EXPECT_EQ(facts.dims[3], 2);
  EXPECT_EQ(facts.strides[2], 2304);
  EXPECT_EQ(facts.box[0], 64);
  EXPECT_EQ(facts.box[1], 128);
  EXPECT_EQ(facts.box[2], 1);
  EXPECT_EQ(facts.lower[1], -1);
  EXPECT_EQ(facts.traversal[1], 2);

  spec.lower[0] = -129;
  EXPECT_EQ(reason(),
            "tensor map of A: expected corners of -128 to 127, but got -129");
  spec.lower[0] = -1;
  spec.traversal[0] = 9;
  EXPECT_EQ(reason(),
            "tensor map of A: expected a traversal of 1 to 8, but got 9");
  spec.traversal[0] = 1;
  spec.box[1] = 1025;
  EXPECT_EQ(
      reason(),
      "tensor map of A: expected a box of 1 to 1024 pixels, but got 1025");
  spec.box[1] = 128;
  spec.strides[0] = 4;
  EXPECT_EQ(reason(), "tensor map of A: expected a stride that is a multiple "
                      "of 16 and less than 2^40 bytes in dimension 1, but got "
                      "8");
}

TEST_F(TensorMapRules, TilesOfATensor) {
  // A filter of 40 x 3 x 64: boxes of the last dimension by the first.
  spec.extents = {64, 3, 40};
  spec.strides = {64, 192};
  EXPECT_EQ(reason(), "");
  TensorMapFacts facts = describeTensorMap(spec, problem);
  EXPECT_FALSE(facts.im2col);
  EXPECT_EQ(facts.rank, 3);
  EXPECT_EQ(facts.box[0], 64);
  EXPECT_EQ(facts.box[1], 1);
  EXPECT_EQ(facts.box[2], 128);
}
