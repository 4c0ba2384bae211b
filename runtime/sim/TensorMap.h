// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The simulator's tensor map: what lies in a kernel's opaque 128 bytes.
#ifndef TILE_RT_SIM_TENSORMAP_H
#define TILE_RT_SIM_TENSORMAP_H

#include "../lib/TensorMap.h"

namespace tile::rt {

/// Written by encodeSimTensorMap, read by TMA. The first word tells it from
/// other bytes.
struct SimTensorMap {
  static constexpr uint64_t theMagic = 0x70614d65'6c695401ull; // "\1TileMap"

  uint64_t magic;
  uint64_t base;
  int64_t dims[5];
  int64_t strides[4]; ///< bytes, of dimensions 1 to 4
  int32_t box[5];
  uint8_t elementBytes, rank;
  uint8_t swizzleBytes;
  uint8_t unused;
  uint64_t reserved[2];

  uint64_t rowBytes() const { return uint64_t(box[0]) * elementBytes; }
  uint64_t rows() const {
    uint64_t count = 1;
    for (int i = 1; i < rank; ++i)
      count *= box[i];
    return count;
  }
  /// What a copy moves, and counts as transaction.
  uint64_t boxBytes() const { return rowBytes() * rows(); }
};
static_assert(sizeof(SimTensorMap) == tensorMapBytes);

/// Where a byte at shared offset `offset` lies under a swizzle of 16-byte
/// chunks: the address bits of the row within the pattern are added, modulo 2,
/// to those of the chunk. For 128 bytes bits 7 to 9 go to bits 4 to 6.
inline uint64_t swizzleOffset(uint64_t offset, unsigned swizzleBytes) {
  return offset ^ ((offset >> 3) & (swizzleBytes - 16u) &
                   (swizzleBytes ? ~uint64_t(0) : 0));
}

/// One row of a box: `bytes` contiguous bytes in global memory, and where they
/// go in shared memory before the swizzle.
struct TensorMapRow {
  uint64_t shared;  ///< offset of the row's first byte from the box's
  uint64_t global;  ///< address of the row's first byte inside of the tensor
  uint64_t skipped; ///< bytes of the row before that
  uint64_t bytes;   ///< of the row inside of the tensor; 0: none of it
};

/// Calls `visit` for each row of the box at `coordinates`.
template <typename Visit>
void forEachRow(const SimTensorMap &map, const int32_t *coordinates,
                Visit visit) {
  int64_t begin = coordinates[0], end = begin + map.box[0];
  int64_t from = begin < 0 ? 0 : begin;
  int64_t to = end < map.dims[0] ? end : map.dims[0];
  int32_t index[5] = {};
  for (uint64_t row = 0, e = map.rows(); row < e; ++row) {
    TensorMapRow result{row * map.rowBytes(), map.base, 0, 0};
    bool inside = from < to;
    for (int i = 1; i < map.rank; ++i) {
      int64_t at = int64_t(coordinates[i]) + index[i];
      inside = inside && at >= 0 && at < map.dims[i];
      result.global += static_cast<uint64_t>(at * map.strides[i - 1]);
    }
    if (inside) {
      result.global += static_cast<uint64_t>(from) * map.elementBytes;
      result.skipped = static_cast<uint64_t>(from - begin) * map.elementBytes;
      result.bytes = static_cast<uint64_t>(to - from) * map.elementBytes;
    }
    visit(result);
    for (int i = 1; i < map.rank && ++index[i] == map.box[i]; ++i)
      index[i] = 0;
  }
}

} // namespace tile::rt

#endif // TILE_RT_SIM_TENSORMAP_H
