// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers by index: any element can be computed without the others.
#ifndef TILE_LIB_SUPPORT_RANDOM_H
#define TILE_LIB_SUPPORT_RANDOM_H

#include <cstdint>

namespace tile {

/// The step of SplitMix64's state: 2^64 over the golden ratio.
inline constexpr uint64_t kSplitMixStep = 0x9e3779b97f4a7c15u;

/// SplitMix64's output function: every bit of the result depends on every bit
/// of `z`.
inline uint64_t mixBits(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// 64 random bits for an index.
inline uint64_t hashIndex(uint64_t seed, uint64_t index) {
  return mixBits((seed + 1) * 0xd1342543de82ef95u + index * kSplitMixStep);
}

/// A number of mean 0 and variance 1, nearly normal: the sum of four uniform
/// numbers of variance 1/12 each, times the square root of 3. All bits of its
/// mantissa are random: products of numbers from a coarse grid would add up
/// with fewer roundings than any real data.
inline double randomNormal(uint64_t seed, uint64_t index) {
  uint64_t bits = hashIndex(seed, index);
  int64_t sum = 0;
  for (int part = 0; part < 4; ++part)
    sum += static_cast<int64_t>(bits >> (16 * part) & 0xffff);
  // What lies between two points of the grid, from 0 to 1.
  double fraction = static_cast<double>(hashIndex(bits, seed) >> 11) * 0x1p-53;
  // Each part has the mean 65535 / 2, the fraction 1 / 2.
  return (static_cast<double>(sum) + fraction - 131070.5) *
         (1.7320508075688772 / 65536);
}

} // namespace tile

#endif // TILE_LIB_SUPPORT_RANDOM_H
