// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds a layout of shared memory whose accesses meet in no bank.
#ifndef TILE_ATOMS_SHAREDSWIZZLE_H
#define TILE_ATOMS_SHAREDSWIZZLE_H

#include "tile/Layout/Swizzle.h"
#include "llvm/ADT/ArrayRef.h"

#include <array>

namespace tile {

// Shared memory has 32 banks of 4 bytes and serves 128 bytes at a time, so that
// a request is answered in phases: of 16 bytes a lane, eight lanes at a time.
// Example: ldmatrix reads eight rows of 16 bytes. Rows of 128 bytes begin in
// one bank each, which takes eight times as long; with S<3, 4, 3> (of bytes),
// row r has its vectors in the order v ^ r, and the eight lie in eight groups
// of banks.

/// The lanes of one phase: where each begins to access `elements` elements that
/// follow one another along the contiguous dimension.
struct SharedPhase {
  llvm::SmallVector<std::array<int64_t, 2>, 8> lanes;
  int64_t elements = 1;
};

/// How often a phase's most used bank is used beyond the first time.
int64_t countBankConflicts(const ComposedLayout &layout,
                           const SharedPhase &phase, int64_t elementBytes);

/// How rows are kept apart.
enum class BankSpread {
  /// By a swizzle, so that nothing is wasted.
  Swizzle,
  /// By padding, so that the address of an element is a sum: of the lane's
  /// place
  /// and of a constant.
  Padding
};

/// The layout of a tile of shared memory, with dimension `contiguous`
/// contiguous, with the fewest conflicts in `phases`; of equal ones the one
/// that is nearest to the plain layout. A swizzle leaves 16 bytes together and
/// has a period that divides the tile, so that tiles may lie one after the
/// other.
ComposedLayout findSharedLayout(std::array<int64_t, 2> extents,
                                int64_t contiguous, int64_t elementBytes,
                                llvm::ArrayRef<SharedPhase> phases,
                                BankSpread spread);

} // namespace tile

#endif // TILE_ATOMS_SHAREDSWIZZLE_H
