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
  /// Whether boxes are pixels: box[1] of them, of box[0] elements.
  uint8_t im2col;
  /// Where they start and end, and how far apart they are, along dimensions 1
  /// to rank - 2.
  int16_t lower[3], upper[3];
  uint8_t traversal[3];
  uint8_t unused;

  uint64_t rowBytes() const { return uint64_t(box[0]) * elementBytes; }
  uint64_t rows() const {
    if (im2col)
      return uint64_t(box[1]);
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

/// Where a copy starts: an index for each dimension and, for those between the
/// innermost and the outermost of an im2col copy, what is added to the indices
/// of all of its pixels.
struct BoxStart {
  int32_t coordinates[5] = {}, offsets[3] = {};
};

/// The same for pixels: from the first one on, they run along the dimensions
/// inside of the corners, the first dimension fastest.
template <typename Visit>
void forEachPixel(const SimTensorMap &map, const BoxStart &start, Visit visit) {
  int64_t begin = start.coordinates[0], end = begin + map.box[0];
  int64_t from = begin < 0 ? 0 : begin;
  int64_t to = end < map.dims[0] ? end : map.dims[0];
  int64_t at[5];
  for (int i = 1; i < map.rank; ++i)
    at[i] = start.coordinates[i];
  int outermost = map.rank - 1;
  for (uint64_t row = 0, e = map.rows(); row < e; ++row) {
    TensorMapRow result{row * map.rowBytes(), map.base, 0, 0};
    bool inside = from < to;
    for (int i = 1; i < map.rank; ++i) {
      int64_t index = at[i] + (i < outermost ? start.offsets[i - 1] : 0);
      inside = inside && index >= 0 && index < map.dims[i];
      result.global += static_cast<uint64_t>(index * map.strides[i - 1]);
    }
    if (inside) {
      result.global += static_cast<uint64_t>(from) * map.elementBytes;
      result.skipped = static_cast<uint64_t>(from - begin) * map.elementBytes;
      result.bytes = static_cast<uint64_t>(to - from) * map.elementBytes;
    }
    visit(result);
    int i = 1;
    for (; i < outermost; ++i) {
      at[i] += map.traversal[i - 1];
      if (at[i] <= map.dims[i] - 1 + map.upper[i - 1])
        break;
      at[i] = map.lower[i - 1];
    }
    if (i == outermost)
      ++at[i];
  }
}

/// Calls `visit` for each row of the box at `start`.
template <typename Visit>
void forEachRow(const SimTensorMap &map, const BoxStart &start, Visit visit) {
  if (map.im2col)
    return forEachPixel(map, start, visit);
  const int32_t *coordinates = start.coordinates;
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
