// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A layout of a tile in shared memory, evaluated to byte offsets.
#ifndef TILE_LIB_ATOMS_SHAREDTILE_H
#define TILE_LIB_ATOMS_SHAREDTILE_H

#include "tile/Layout/Swizzle.h"

namespace tile {

/// The xor that TMA and wgmma apply to addresses: S<b, 4, 3> on bytes with b =
/// 0, 1, 2, 3 for 0, 32, 64, 128 bytes.
int64_t swizzleAddress(int64_t address, int swizzleBytes);
/// The bytes after which the pattern of a swizzle repeats: eight rows (16
/// without a swizzle).
int64_t getPatternBytes(int swizzleBytes);

/// A static layout of rank 2 as numbers. Before the swizzle a byte offset is
/// the sum of a part per mode, so that all elements of a tile cost one addition
/// each.
struct SharedTile {
  int64_t elementBytes = 0;
  int swizzleBytes = 0;
  int64_t offset = 0;
  llvm::SmallVector<int64_t, 0> parts[2];

  int64_t extent(int mode) const { return parts[mode].size(); }
  /// Byte offset before the swizzle.
  int64_t linear(int64_t row, int64_t column) const {
    return offset + parts[0][row] + parts[1][column];
  }
  int64_t at(int64_t row, int64_t column) const {
    return swizzleAddress(linear(row, column), swizzleBytes);
  }
};

/// Refuses dynamic layouts, other ranks, element widths other than `widths`,
/// and swizzles that are not one of the hardware's.
Result<SharedTile> readSharedTile(const ComposedLayout &tile,
                                  int64_t elementBits,
                                  llvm::ArrayRef<int64_t> widths);

/// Why a base of this alignment does not serve a swizzle, if it does not.
std::optional<Reason> checkBaseAlign(int64_t baseAlign, int swizzleBytes,
                                     int64_t minimum);

} // namespace tile

#endif // TILE_LIB_ATOMS_SHAREDTILE_H
