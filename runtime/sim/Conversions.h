// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 16-bit floats, for processors that do not convert them: LLVM calls these.
#ifndef TILE_RT_SIM_CONVERSIONS_H
#define TILE_RT_SIM_CONVERSIONS_H

#include <cstdint>
#include <cstring>

namespace tile::rt {

/// IEEE half precision, rounded to nearest even.
uint16_t doubleToHalf(double value);
float halfToFloat(uint16_t bits);
/// bfloat16, rounded to nearest even.
uint16_t doubleToBFloat(double value);

inline float bitsToFloat(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

// A 16-bit float is passed in the low bits of a vector register, as a float is;
// not every compiler of the runtime has types for them.
float truncateFloatToHalf(float value);
float truncateDoubleToHalf(double value);
float extendHalfToFloat(float half);
float truncateFloatToBFloat(float value);
float truncateDoubleToBFloat(double value);

} // namespace tile::rt

#endif // TILE_RT_SIM_CONVERSIONS_H
