// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of every element type, against exact values.
#include "ElementType.h"

#include "gtest/gtest.h"
#include <cmath>
#include <cstring>

using namespace tile::bench;

/// The bits that a value becomes.
static uint64_t encode(const char *type, double value) {
  uint64_t bits = 0;
  findElementType(type)->encode(value, &bits);
  return bits;
}

static double decode(const char *type, uint64_t bits) {
  return findElementType(type)->decode(&bits);
}

TEST(ElementTypeTest, BitsOfKnownValues) {
  EXPECT_EQ(encode("f64", 1), 0x3FF0000000000000u);
  EXPECT_EQ(encode("f32", -2), 0xC0000000u);
  EXPECT_EQ(encode("f16", 1), 0x3C00u);
  EXPECT_EQ(encode("bf16", 1), 0x3F80u);
  EXPECT_EQ(encode("f8E4M3FN", 1), 0x38u);
  EXPECT_EQ(encode("f8E5M2", 1), 0x3Cu);
  EXPECT_EQ(decode("f16", 0x7BFF), 65504);
  EXPECT_EQ(decode("f16", 1), 0x1p-24);
  EXPECT_EQ(decode("f8E4M3FN", 0x7E), 448);
  EXPECT_EQ(decode("f8E4M3FN", 1), 0x1p-9);
  EXPECT_EQ(decode("f8E5M2", 0x7B), 57344);
  EXPECT_EQ(decode("f8E5M2", 1), 0x1p-16);
}

TEST(ElementTypeTest, TiesRoundToEven) {
  // Half way between 1 and the next number, and between that and the one after.
  for (const char *name : {"f32", "f16", "bf16", "f8E4M3FN", "f8E5M2"}) {
    double half = findElementType(name)->roundoff;
    char bytes[8];
    EXPECT_EQ(findElementType(name)->encode(1 + half, bytes), 1) << name;
    EXPECT_EQ(findElementType(name)->encode(1 + 3 * half, bytes), 1 + 4 * half)
        << name;
    EXPECT_EQ(findElementType(name)->encode(1 + 1.001 * half, bytes),
              1 + 2 * half)
        << name;
  }
}

TEST(ElementTypeTest, EveryNarrowNumberComesBack) {
  for (const char *name : {"f16", "bf16", "f8E4M3FN", "f8E5M2"}) {
    const ElementType &type = *findElementType(name);
    for (uint64_t bits = 0; bits < uint64_t(1) << (8 * type.bytes); ++bits) {
      double value = decode(name, bits);
      if (std::isnan(value))
        continue;
      EXPECT_EQ(encode(name, value), bits) << name;
    }
  }
}

TEST(ElementTypeTest, AllOnesIsNaN) {
  // Poisoned memory is NaN in each type.
  for (const char *name : {"f32", "f64", "f16", "bf16", "f8E4M3FN", "f8E5M2"}) {
    const ElementType &type = *findElementType(name);
    char bytes[8];
    std::memset(bytes, 0xFF, sizeof(bytes));
    EXPECT_TRUE(std::isnan(type.decode(bytes))) << name;
  }
}

TEST(ElementTypeTest, TheRuntimeKnowsTypesByName) {
  EXPECT_EQ(findElementType("f32")->runtime(), TILE_RT_F32);
  EXPECT_EQ(findElementType("f64")->runtime(), TILE_RT_F64);
  EXPECT_EQ(findElementType("bf16")->runtime(), TILE_RT_BF16);
  EXPECT_EQ(findElementType("f128"), nullptr);
}
