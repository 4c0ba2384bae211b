// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of element types, and their conversions.
#include "Support/ElementType.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

using namespace tile;

template <class T>
static T loadBits(const void *from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

static float floatFromBits(uint32_t bits) { return loadBits<float>(&bits); }

float tile::halfToFloat(uint16_t half) {
  uint32_t sign = uint32_t(half & 0x8000) << 16, exponent = half >> 10 & 31,
           mantissa = half & 0x3ff;
  if (exponent == 0) {
    // Zero or subnormal: a multiple of 2^-24, which float32 holds exactly.
    float value = static_cast<float>(mantissa) * 0x1p-24f;
    return sign ? -value : value;
  }
  uint32_t bits = exponent == 31 ? 0x7f800000u : (exponent + 112) << 23;
  return floatFromBits(bits | sign | mantissa << 13);
}

double tile::cutToTF32(double value) {
  float narrow = static_cast<float>(value);
  return floatFromBits(loadBits<uint32_t>(&narrow) & ~uint32_t(0x1fff));
}

template <class T>
static double decodeNative(const void *from) {
  return loadBits<T>(from);
}

template <class T>
static void encodeNative(double value, void *to) {
  T rounded = static_cast<T>(value);
  std::memcpy(to, &rounded, sizeof(T));
}

template <class T>
static void encodeInteger(double value, void *to) {
  constexpr double least = std::numeric_limits<T>::min(),
                   largest = std::numeric_limits<T>::max();
  T rounded = 0;
  if (!std::isnan(value))
    rounded = static_cast<T>(std::nearbyint(std::clamp(value, least, largest)));
  std::memcpy(to, &rounded, sizeof(T));
}

static double decodeHalf(const void *from) {
  return halfToFloat(loadBits<uint16_t>(from));
}

static double decodeBrain(const void *from) {
  return floatFromBits(uint32_t(loadBits<uint16_t>(from)) << 16);
}

/// The upper half of an IEEE 754 half.
static double decodeE5M2(const void *from) {
  return halfToFloat(uint16_t(loadBits<uint8_t>(from) << 8));
}

static double computeE4M3FN(uint8_t bits) {
  int exponent = bits >> 3 & 15, mantissa = bits & 7;
  double value;
  if ((bits & 0x7f) == 0x7f)
    value = std::numeric_limits<double>::quiet_NaN();
  else if (exponent == 0)
    value = mantissa * 0x1p-9;
  else
    value = std::ldexp(8 + mantissa, exponent - 10);
  return bits & 0x80 ? -value : value;
}

/// By a table: results have hundreds of millions of elements.
static double decodeE4M3FN(const void *from) {
  static const std::array<double, 256> values = [] {
    std::array<double, 256> all;
    for (size_t code = 0; code < all.size(); ++code)
      all[code] = computeE4M3FN(static_cast<uint8_t>(code));
    return all;
  }();
  return values[loadBits<uint8_t>(from)];
}

namespace {

/// The bits of a small float.
struct SmallFormat {
  int exponentBits, mantissaBits;
  /// The largest exponent is for infinity and NaN; else it has one NaN only,
  /// all ones.
  bool hasInfinity;
};

} // namespace

/// Rounds to nearest even. A number's code without its sign counts the numbers
/// of the format from 0 up, so that what rounding carries is right by itself.
///
/// Example: 1.0625 as E5M2 (steps of 0.25 from 1 on): scaled by 4 it is 4.25,
/// which rounds to 4, the first number of exponent 0; its code is
/// (0 + 14) << 2 | 4 = 0x3c.
static uint32_t encodeSmall(double value, SmallFormat format) {
  uint32_t sign = std::signbit(value)
                      ? 1u << (format.exponentBits + format.mantissaBits)
                      : 0;
  uint32_t ones = (1u << (format.exponentBits + format.mantissaBits)) - 1;
  uint32_t overflow = format.hasInfinity
                          ? ones >> format.mantissaBits << format.mantissaBits
                          : ones;
  double magnitude = std::abs(value);
  if (std::isnan(value))
    return sign | ones;
  if (std::isinf(value))
    return sign | overflow;
  if (magnitude == 0)
    return sign;
  int lowest = 2 - (1 << (format.exponentBits - 1));
  int exponent = std::max(std::ilogb(magnitude), lowest);
  double scaled = std::ldexp(magnitude, format.mantissaBits - exponent);
  uint64_t code = (uint64_t(exponent - lowest) << format.mantissaBits) +
                  static_cast<uint64_t>(std::nearbyint(scaled));
  return sign | static_cast<uint32_t>(std::min<uint64_t>(code, overflow));
}

template <class T, int exponentBits, int mantissaBits, bool hasInfinity>
static void encodeAs(double value, void *to) {
  T bits = static_cast<T>(
      encodeSmall(value, {exponentBits, mantissaBits, hasInfinity}));
  std::memcpy(to, &bits, sizeof(T));
}

// In the order of the enumeration.
static const ElementTypeInfo types[] = {
    {ElementType::F32, "f32", TILE_RT_F32, "float32", "<f4", 4, false, 0x1p-24,
     std::numeric_limits<float>::max(), 0x1p-149, decodeNative<float>,
     encodeNative<float>},
    {ElementType::F64, "f64", TILE_RT_F64, "float64", "<f8", 8, false, 0x1p-53,
     std::numeric_limits<double>::max(), 0x1p-1074, decodeNative<double>,
     encodeNative<double>},
    {ElementType::F16, "f16", TILE_RT_F16, "float16", "<f2", 2, false, 0x1p-11, 65504,
     0x1p-24, decodeHalf, encodeAs<uint16_t, 5, 10, true>},
    {ElementType::BF16, "bf16", TILE_RT_BF16, "uint16", "<u2", 2, true, 0x1p-8, 0x1.fep127,
     0x1p-133, decodeBrain, encodeAs<uint16_t, 8, 7, true>},
    {ElementType::F8E4M3FN, "f8E4M3FN", TILE_RT_F8E4M3FN, "uint8", "|u1", 1, true, 0x1p-4, 448,
     0x1p-9, decodeE4M3FN, encodeAs<uint8_t, 4, 3, false>},
    {ElementType::F8E5M2, "f8E5M2", TILE_RT_F8E5M2, "uint8", "|u1", 1, true, 0x1p-3, 57344,
     0x1p-16, decodeE5M2, encodeAs<uint8_t, 5, 2, true>},
    {ElementType::I8, "i8", TILE_RT_I8, "int8", "|i1", 1, false, 0, 127, 0,
     decodeNative<int8_t>, encodeInteger<int8_t>},
    {ElementType::I32, "i32", TILE_RT_I32, "int32", "<i4", 4, false, 0, 2147483647, 0,
     decodeNative<int32_t>, encodeInteger<int32_t>},
};

const ElementTypeInfo &tile::getInfo(ElementType type) {
  return types[static_cast<int>(type)];
}

std::optional<ElementType> tile::findElementType(llvm::StringRef name) {
  for (const ElementTypeInfo &info : types)
    if (info.name == name)
      return info.type;
  return std::nullopt;
}

std::string tile::listElementTypes() {
  std::string names;
  for (const ElementTypeInfo &info : types)
    names += (names.empty() ? "" : ", ") + info.name.str();
  return names;
}
