// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a tensor map says, for both devices: the box that TMA copies at a time.
#ifndef TILE_RT_LIB_TENSORMAP_H
#define TILE_RT_LIB_TENSORMAP_H

#include "tile-rt/tile-rt.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>

namespace tile::rt {

/// A tensor in global memory and the box of it that one copy moves. Dimension 0
/// is the contiguous one. Elements outside of the tensor read as zero and are
/// not written.
struct TensorMapFacts {
  void *base = nullptr;
  int elementBytes = 0;
  /// 1 to 5.
  int rank = 0;
  int64_t dims[5] = {};
  /// In bytes, of dimensions 1 to rank - 1.
  int64_t strides[4] = {};
  int32_t box[5] = {};
  /// Whether a copy moves pixels as a filter meets them: box[1] pixels of
  /// box[0] elements, `traversal` apart along each dimension between the
  /// innermost and the outermost, from `lower` to `upper` elements behind the
  /// last one.
  bool im2col = false;
  int32_t lower[3] = {}, upper[3] = {}, traversal[3] = {1, 1, 1};
  /// Of shared memory: 0, 32, 64 or 128.
  int swizzleBytes = 0;
  /// The driver wants more than the size.
  TileRtType type = TILE_RT_F32;
};

bool operator==(const TensorMapFacts &a, const TensorMapFacts &b);

/// Bytes of a tensor map, and their alignment.
inline constexpr size_t tensorMapBytes = 128, tensorMapAlignment = 64;

/// The tensor maps that were encoded last. A map depends on nothing but its
/// facts, so that one is right whatever became of the memory since. Calls from
/// several threads are safe.
class TensorMapCache {
public:
  /// Copies the map of `facts` to the 128 bytes at `map128`; false if it is not
  /// there.
  bool find(const TensorMapFacts &facts, void *map128) const;
  void add(const TensorMapFacts &facts, const void *map128);

private:
  struct Entry {
    TensorMapFacts facts;
    unsigned char map[tensorMapBytes] = {};
  };
  /// The maps whose facts have one hash. Four, because a launch has as many
  /// maps, and with fewer places two of them could push each other out at every
  /// launch: an encoding is a driver call.
  struct Set {
    std::array<Entry, 4> entries;
    /// The entry that has been there the longest.
    unsigned oldest = 0;
  };
  mutable std::mutex mutex;
  std::array<Set, 128> sets;
};

/// Why no device takes a map of these facts, "" if one does.
std::string checkTensorMap(const TensorMapFacts &facts);

/// Writes the simulator's map of `facts` to the 128 bytes at `map128`. Returns
/// the reason when there is none, "" on success.
std::string encodeSimTensorMap(void *map128, const TensorMapFacts &facts);

} // namespace tile::rt

#endif // TILE_RT_LIB_TENSORMAP_H
