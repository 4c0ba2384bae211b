// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Boxes of the tensor memory accelerator, derived from shared layouts.
#ifndef TILE_ATOMS_TMABOX_H
#define TILE_ATOMS_TMABOX_H

#include "tile/Layout/Swizzle.h"

namespace tile {

// What a TMA copy does
// ====================
//
// One instruction copies a box of `inner` x `outer` elements (inner along the
// dimension that is contiguous in global memory) to a shared address `dst`, a
// multiple of 128. Element (x, y) of the box lands at the address
// S(dst + y * inner * e + x * e), with e bytes an element, where S is the xor
// of address bits that wgmma uses (GmmaDescriptor.h). A swizzle of W bytes goes
// with rows of W bytes.
//
// Example: bf16, S<3, 3, 3> o (128, (64, 2)) : (64, (1, 8192)), columns
// contiguous: two boxes of 64 x 128 at bytes 0 and 16384, columns 0 and 64.

/// The boxes that fill a tile; all have one shape, so one tensor map serves.
struct TmaBoxes {
  /// Extents in elements, each at most 256: along the contiguous dimension of
  /// global memory, and along the other one.
  int64_t inner = 0, outer = 0;
  /// 0 (none), 32, 64 or 128.
  int swizzleBytes = 0;
  /// One copy: the shared byte offset from the base of the tile, and where the
  /// box starts in the tile.
  struct Box {
    int64_t sharedBytes = 0, row = 0, column = 0;
  };
  /// Ordered by the contiguous coordinate, then by the other one.
  llvm::SmallVector<Box> boxes;
};

/// The boxes of a tile (rows, columns) in shared memory at a base aligned to
/// `baseAlign` bytes; `contiguousDim` is the matrix dimension of unit stride in
/// global memory (0 rows, 1 columns). As few boxes as possible. Every element
/// is checked against the address to which the hardware writes it.
Result<TmaBoxes> getTmaBoxes(const ComposedLayout &tile, int64_t elementBits,
                             int64_t contiguousDim, int64_t baseAlign);

/// What is known of a tensor map at compile time. Dynamic integers are left to
/// the launch; only what is wrong in every run is refused.
struct TensorMapFacts {
  int64_t elementBits = 16;
  /// The matrix dimension of unit stride (0 rows, 1 columns), for messages.
  int64_t contiguousDim = 1;
  /// The address, or any number with its remainder modulo 16.
  Int baseBytes = Int::dynamic();
  /// Innermost first: contiguous, other, batch (if there is one).
  llvm::SmallVector<Int, 3> extents;
  /// Of the other dimension and of the batch, in bytes.
  llvm::SmallVector<Int, 2> strideBytes;
  /// Innermost first; missing dimensions are 1.
  llvm::SmallVector<int64_t, 3> box;
  int swizzleBytes = 0;
};

/// Why there is no such tensor map, if there is none: "row pitch 1022 B is not
/// a multiple of 16: TMA not possible". A stride whose extent is 1 does not
/// matter.
std::optional<std::string> checkTensorMap(const TensorMapFacts &facts);

} // namespace tile

#endif // TILE_ATOMS_TMABOX_H
