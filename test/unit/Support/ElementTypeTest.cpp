// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions of element types, against LLVM's APFloat.
#include "Support/ElementType.h"

#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>
#include <random>

using namespace tile;
using llvm::APFloat;

namespace {

struct Oracle {
  ElementType type;
  const llvm::fltSemantics &semantics;
};

const Oracle oracles[] = {
    {ElementType::F16, APFloat::IEEEhalf()},
    {ElementType::BF16, APFloat::BFloat()},
    {ElementType::F8E4M3FN, APFloat::Float8E4M3FN()},
    {ElementType::F8E5M2, APFloat::Float8E5M2()},
};

/// The bits that `encode` writes for a number.
uint64_t encodeBits(const ElementTypeInfo &info, double value) {
  uint64_t bits = 0;
  info.encode(value, &bits);
  return bits;
}

uint64_t oracleBits(const Oracle &oracle, double value) {
  APFloat number(value);
  bool inexact;
  number.convert(oracle.semantics, APFloat::rmNearestTiesToEven, &inexact);
  return number.bitcastToAPInt().getZExtValue();
}

} // namespace

TEST(ElementType, EveryCodeThereAndBack) {
  for (const Oracle &oracle : oracles) {
    const ElementTypeInfo &info = getInfo(oracle.type);
    for (uint64_t code = 0; code < uint64_t(1) << (8 * info.bytes); ++code) {
      double value = info.decode(&code);
      APFloat exact(oracle.semantics, llvm::APInt(8 * info.bytes, code));
      bool inexact;
      exact.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                    &inexact);
      if (exact.isNaN()) {
        EXPECT_TRUE(std::isnan(value)) << info.name.str() << " " << code;
        uint64_t again = encodeBits(info, value);
        EXPECT_TRUE(std::isnan(info.decode(&again)));
        continue;
      }
      ASSERT_EQ(value, exact.convertToDouble()) << info.name.str() << code;
      ASSERT_EQ(encodeBits(info, value), code) << info.name.str();
    }
  }
}

TEST(ElementType, RoundingToNearestEven) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(-160, 140), mantissa(1, 2);
  for (const Oracle &oracle : oracles) {
    const ElementTypeInfo &info = getInfo(oracle.type);
    auto check = [&](double value) {
      ASSERT_EQ(encodeBits(info, value), oracleBits(oracle, value))
          << info.name.str() << " of " << value;
    };
    for (int i = 0; i < 100000; ++i) {
      double value = std::ldexp(mantissa(random), int(exponent(random)));
      check(i % 2 ? value : -value);
    }
    // Halfway between neighbours, and just beside.
    uint64_t codes = (uint64_t(1) << (8 * info.bytes - 1)) - 1;
    for (uint64_t code = 0; code < codes; ++code) {
      uint64_t next = code + 1;
      double low = info.decode(&code), high = info.decode(&next);
      if (!std::isfinite(low) || !std::isfinite(high))
        continue;
      double middle = (low + high) / 2;
      check(middle);
      check(std::nextafter(middle, 0));
      check(std::nextafter(middle, INFINITY));
    }
    for (double value : {0.0, -0.0, info.largest, info.largest * 1.01,
                         info.largest * 2, 1e300, double(INFINITY)})
      check(value);
    EXPECT_EQ(oracleBits(oracle, info.largest * (1 + info.roundoff / 2)),
              oracleBits(oracle, info.largest));
    EXPECT_EQ(oracleBits(oracle, info.smallest), 1u);
    EXPECT_NE(oracleBits(oracle, 1 + 2 * info.roundoff), oracleBits(oracle, 1));
    EXPECT_EQ(oracleBits(oracle, 1 + info.roundoff), oracleBits(oracle, 1));
  }
}

TEST(ElementType, AllOnesAreNaN) {
  for (const char *name : {"f32", "f64", "f16", "bf16", "f8E4M3FN", "f8E5M2"}) {
    std::optional<ElementType> type = findElementType(name);
    ASSERT_TRUE(type) << name;
    EXPECT_EQ(getInfo(*type).name, name);
    EXPECT_EQ(getInfo(*type).type, *type);
    char bytes[9];
    std::memset(bytes, 0xff, sizeof(bytes));
    EXPECT_TRUE(std::isnan(getInfo(*type).decode(bytes + 1))) << name;
  }
  EXPECT_FALSE(findElementType("i64"));
  EXPECT_EQ(listElementTypes(),
            "f32, f64, f16, bf16, f8E4M3FN, f8E5M2, i8, i32");
}

TEST(ElementType, NaNsAndInfinitiesOfEachType) {
  auto decode = [](const char *name, uint64_t bits) {
    return getInfo(*findElementType(name)).decode(&bits);
  };
  // All ones but the sign, which is NaN and not the number after 448.
  EXPECT_TRUE(std::isnan(decode("f8E4M3FN", 0x7f)));
  EXPECT_TRUE(std::isnan(decode("f8E4M3FN", 0xff)));
  EXPECT_EQ(decode("f8E4M3FN", 0x7e), 448);
  EXPECT_EQ(decode("f8E4M3FN", 0xfe), -448);
  EXPECT_EQ(decode("f8E5M2", 0x7c), INFINITY);
  EXPECT_EQ(decode("f8E5M2", 0xfc), -INFINITY);
  for (uint64_t bits : {0x7d, 0x7e, 0x7f, 0xfd, 0xfe, 0xff})
    EXPECT_TRUE(std::isnan(decode("f8E5M2", bits)));
  EXPECT_EQ(decode("f16", 0xfc00), -INFINITY);
  EXPECT_TRUE(std::isnan(decode("f16", 0x7c01)));
  EXPECT_EQ(decode("bf16", 0x7f80), INFINITY);
  EXPECT_TRUE(std::isnan(decode("bf16", 0x7f81)));
}

TEST(ElementType, BitsOfKnownValues) {
  auto bits = [](const char *name, double value) {
    return encodeBits(getInfo(*findElementType(name)), value);
  };
  EXPECT_EQ(bits("f64", 1), 0x3FF0000000000000u);
  EXPECT_EQ(bits("f32", -2), 0xC0000000u);
  EXPECT_EQ(bits("f16", 1), 0x3C00u);
  EXPECT_EQ(bits("bf16", 1), 0x3F80u);
  EXPECT_EQ(bits("f8E4M3FN", 1), 0x38u);
  EXPECT_EQ(bits("f8E5M2", 1), 0x3Cu);
}

TEST(ElementType, TheRuntimesNumbers) {
  // The names are the runtime's, too.
  for (const char *name : {"f32", "f64", "f16", "bf16", "f8E4M3FN", "f8E5M2",
                           "i8", "i32"}) {
    const ElementTypeInfo &info = getInfo(*findElementType(name));
    EXPECT_STREQ(tileRtTypeName(info.runtimeType), name);
  }
}

TEST(ElementType, CutToTF32) {
  // Ten bits behind the point; the others are cut and not rounded.
  EXPECT_EQ(cutToTF32(1 + 0x1p-10), 1 + 0x1p-10);
  EXPECT_EQ(cutToTF32(1 + 0x1.8p-10), 1 + 0x1p-10);
  EXPECT_EQ(cutToTF32(-2 - 0x1.fp-10), -2);
}

TEST(ElementType, Integers) {
  const ElementTypeInfo &byte = getInfo(*findElementType("i8"));
  const ElementTypeInfo &word = getInfo(*findElementType("i32"));
  EXPECT_TRUE(byte.isInteger() && word.isInteger());
  EXPECT_FALSE(getInfo(ElementType::F32).isInteger());
  for (int code = -128; code < 128; ++code) {
    auto bits = static_cast<int8_t>(code);
    EXPECT_EQ(byte.decode(&bits), code);
    EXPECT_EQ(encodeBits(byte, code), static_cast<uint8_t>(code));
  }
  // To the nearest, to the even of two; the last one for what is beyond.
  EXPECT_EQ(encodeBits(byte, 2.5), 2u);
  EXPECT_EQ(encodeBits(byte, -3.5), 0xfcu);
  EXPECT_EQ(encodeBits(byte, 1e9), 127u);
  EXPECT_EQ(encodeBits(byte, -INFINITY), 0x80u);
  EXPECT_EQ(encodeBits(byte, NAN), 0u);
  EXPECT_EQ(encodeBits(word, -2147483648.0), 0x80000000u);
  EXPECT_EQ(encodeBits(word, 1e12), 0x7fffffffu);
}
