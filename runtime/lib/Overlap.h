// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Do two strided views share a byte? Does one view reach a byte twice?
#ifndef TILE_RT_LIB_OVERLAP_H
#define TILE_RT_LIB_OVERLAP_H

#include "tile-rt/tile-rt.h"

#include <cstdint>
#include <string>

namespace tile::rt {

/// A strided view in memory. Dimensions that it does not have are of extent 1.
struct View {
  static constexpr int kRank = TILE_RT_MAX_RANK;

  uintptr_t base = 0;
  int64_t elementBytes = 1;
  int64_t extents[kRank] = {1, 1, 1, 1, 1};
  /// In bytes. The span of the whole view fits 63 bits (spanFits).
  int64_t strides[kRank] = {0, 0, 0, 0, 0};

  bool empty() const {
    for (int64_t extent : extents)
      if (extent == 0)
        return true;
    return false;
  }
};

/// Whether the distance in bytes between any two elements of a view with these
/// extents and strides (in elements) fits 63 bits.
bool spanFits(const int64_t *extents, const int64_t *strides, int rank,
              int64_t elementBytes);

/// Whether an element of `a` and one of `b` share a byte. The answer is exact
/// unless the search exceeds a fixed budget, which takes views whose strides
/// differ and interleave; then it is true.
///
/// Example: a = 4x2 floats at 0, rows 16 bytes apart, b = the same at 8: the
/// ranges [0, 56) and [8, 64) overlap, the rows do not, and the answer is
/// false.
bool viewsOverlap(const View &a, const View &b);

/// Whether two different elements of `view` share a byte. As exact as
/// viewsOverlap.
bool viewRepeats(const View &view);

} // namespace tile::rt

#endif // TILE_RT_LIB_OVERLAP_H
