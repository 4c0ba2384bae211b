// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions of 16-bit floats with one rounding.
#include "Conversions.h"

#include <algorithm>
#include <cmath>

using namespace tile::rt;

/// `value` in a format of `precision` significant bits, whose smallest numbers
/// are multiples of 2^`lowest` and whose largest exponent field is `infinity`.
static uint32_t round(double value, int precision, int lowest,
                      uint32_t infinity) {
  double magnitude = std::fabs(value);
  if (magnitude == 0)
    return 0;
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  // One unit in the last place; that of subnormal numbers does not shrink.
  int unit = std::max(exponent - precision, lowest);
  // The current rounding mode is to nearest even.
  double scaled = std::nearbyint(std::ldexp(magnitude, -unit));
  // The leading bit of the mantissa adds to the exponent's field, as does a
  // carry into the next power of two.
  uint32_t bits = (static_cast<uint32_t>(unit - lowest) << (precision - 1)) +
                  static_cast<uint32_t>(scaled);
  return std::min(bits, infinity);
}

uint16_t tile::rt::doubleToHalf(double value) {
  uint32_t sign = std::signbit(value) ? 0x8000 : 0;
  if (!std::isfinite(value))
    return static_cast<uint16_t>(sign | (std::isnan(value) ? 0x7e00 : 0x7c00));
  return static_cast<uint16_t>(
      sign |
      (std::fabs(value) >= 65520 ? 0x7c00 : round(value, 11, -24, 0x7c00)));
}

uint16_t tile::rt::doubleToBFloat(double value) {
  uint32_t sign = std::signbit(value) ? 0x8000 : 0;
  if (!std::isfinite(value))
    return static_cast<uint16_t>(sign | (std::isnan(value) ? 0x7fc0 : 0x7f80));
  return static_cast<uint16_t>(
      sign |
      (std::fabs(value) >= 0x1p128 ? 0x7f80 : round(value, 8, -133, 0x7f80)));
}

float tile::rt::halfToFloat(uint16_t bits) {
  uint32_t sign = uint32_t(bits & 0x8000) << 16;
  uint32_t rest = uint32_t(bits & 0x7fff) << 13;
  if (rest >= 0x7c00u << 13)
    return bitsToFloat(sign | 0x7f800000 | rest);
  // 2^112 is the difference of the exponents' biases.
  return std::copysign(bitsToFloat(rest) * 0x1p112f, bitsToFloat(sign));
}

float tile::rt::truncateFloatToHalf(float value) {
  return bitsToFloat(doubleToHalf(value));
}

float tile::rt::truncateDoubleToHalf(double value) {
  return bitsToFloat(doubleToHalf(value));
}

float tile::rt::extendHalfToFloat(float half) {
  uint32_t bits;
  std::memcpy(&bits, &half, sizeof(bits));
  return halfToFloat(static_cast<uint16_t>(bits));
}

float tile::rt::truncateFloatToBFloat(float value) {
  return bitsToFloat(doubleToBFloat(value));
}

float tile::rt::truncateDoubleToBFloat(double value) {
  return bitsToFloat(doubleToBFloat(value));
}
