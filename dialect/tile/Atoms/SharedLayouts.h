// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared-memory layouts that wgmma and TMA understand.
#ifndef TILE_ATOMS_SHAREDLAYOUTS_H
#define TILE_ATOMS_SHAREDLAYOUTS_H

#include "tile/Atoms/GmmaDescriptor.h"

namespace tile {

/// The smallest layout (mn, k) that shows the whole pattern of a swizzle, in
/// units of elements: eight rows of max(swizzle, 16) bytes along the major
/// direction. CuTe's GMMA::Layout_{K,MN}_{INTER,SW32,SW64,SW128}_Atom.
///
///   K, 128 bytes, 16 bits:  S<3, 3, 3> o 0 o (8, 64) : (64, 1)
///   MN, none, 16 bits:      (8, 8) : (1, 8)
Result<ComposedLayout> getSharedAtom(Major major, int swizzleBytes,
                                     int64_t elementBits);

/// The atom repeated over a tile of mn x k elements, so that one column of
/// atoms across the major direction is contiguous: one TMA box. K-major atoms
/// follow each other along mn first, MN-major ones along k first.
///
///   K, 128 bytes, 16 bits, 128 x 128:
///     S<3, 3, 3> o 0 o ((8, 16), (64, 2)) : ((64, 512), (1, 8192))
Result<ComposedLayout> getSharedLayout(Major major, int swizzleBytes,
                                       int64_t elementBits, int64_t mn,
                                       int64_t k);

/// The widest swizzle whose rows divide a tile of `extent` elements along the
/// major direction: 128, 64, 32 or 0 bytes.
int getWidestSwizzle(int64_t elementBits, int64_t extent);

} // namespace tile

#endif // TILE_ATOMS_SHAREDLAYOUTS_H
