// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a tensor map describes, before a device encodes it.
#ifndef TILE_RT_LIB_TENSORMAP_H
#define TILE_RT_LIB_TENSORMAP_H

#include "tile-rt/tile-rt.h"

#include <cstdint>

namespace tile::rt {

/// A tiled tensor map: innermost dimension first, not interleaved, zero where
/// a box leaves the tensor.
struct TensorMapFacts {
  void *base;
  int elementBytes;
  /// 1 to 5.
  int rank;
  /// In elements.
  int64_t dims[5];
  /// In bytes, of dimensions 1 and further; that of dimension 0 is one element.
  int64_t strides[4];
  /// Elements that one copy moves.
  int32_t box[5];
  /// 0, 32, 64 or 128.
  int swizzleBytes;
  TileRtType type;
};

} // namespace tile::rt

#endif // TILE_RT_LIB_TENSORMAP_H
