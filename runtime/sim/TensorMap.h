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

/// Row `number` of a box that starts at `begin` along the innermost dimension
/// and lies at `at` along the others: the part of it inside of the tensor.
inline TensorMapRow clipRow(const SimTensorMap &map, uint64_t number,
                            int64_t begin, const int64_t *at) {
  int64_t end = begin + map.box[0];
  int64_t from = begin < 0 ? 0 : begin;
  int64_t to = end < map.dims[0] ? end : map.dims[0];
  TensorMapRow row{number * map.rowBytes(), map.base, 0, 0};
  bool inside = from < to;
  for (int i = 1; i < map.rank; ++i) {
    inside = inside && at[i] >= 0 && at[i] < map.dims[i];
    row.global += static_cast<uint64_t>(at[i] * map.strides[i - 1]);
  }
  if (inside) {
    row.global += static_cast<uint64_t>(from) * map.elementBytes;
    row.skipped = static_cast<uint64_t>(from - begin) * map.elementBytes;
    row.bytes = static_cast<uint64_t>(to - from) * map.elementBytes;
  }
  return row;
}

/// Calls `visit` for each row of a box of pixels: from the first one on, they
/// run along the dimensions inside of the corners, the first dimension fastest.
template <typename Visit>
void forEachPixel(const SimTensorMap &map, const BoxStart &start, Visit visit) {
  int64_t pixel[5], at[5];
  for (int i = 1; i < map.rank; ++i)
    pixel[i] = start.coordinates[i];
  int outermost = map.rank - 1;
  for (uint64_t row = 0, e = map.rows(); row < e; ++row) {
    for (int i = 1; i < map.rank; ++i)
      at[i] = pixel[i] + (i < outermost ? start.offsets[i - 1] : 0);
    visit(clipRow(map, row, start.coordinates[0], at));
    int i = 1;
    for (; i < outermost; ++i) {
      pixel[i] += map.traversal[i - 1];
      if (pixel[i] <= map.dims[i] - 1 + map.upper[i - 1])
        break;
      pixel[i] = map.lower[i - 1];
    }
    if (i == outermost)
      ++pixel[i];
  }
}

/// Calls `visit` for each row of the box at `start`.
template <typename Visit>
void forEachRow(const SimTensorMap &map, const BoxStart &start, Visit visit) {
  if (map.im2col)
    return forEachPixel(map, start, visit);
  int32_t index[5] = {};
  int64_t at[5];
  for (uint64_t row = 0, e = map.rows(); row < e; ++row) {
    for (int i = 1; i < map.rank; ++i)
      at[i] = int64_t(start.coordinates[i]) + index[i];
    visit(clipRow(map, row, start.coordinates[0], at));
    for (int i = 1; i < map.rank && ++index[i] == map.box[i]; ++i)
      index[i] = 0;
  }
}

} // namespace tile::rt

#endif // TILE_RT_SIM_TENSORMAP_H
