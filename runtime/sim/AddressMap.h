// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The simulator's global memory: allocations, guard gaps and address lookup.
#ifndef TILE_RT_SIM_ADDRESSMAP_H
#define TILE_RT_SIM_ADDRESSMAP_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tile::rt {

/// A range that kernels may access.
struct Allocation {
  uintptr_t begin = 0;
  uint64_t bytes = 0;

  bool contains(uintptr_t address, uint64_t size) const {
    uint64_t offset = address - begin;
    return offset < bytes && size <= bytes - offset;
  }
};

/// All allocations of one simulator. Each lies between two gaps of guardBytes
/// that can be neither read nor written, so that a wrong address does not fall
/// into a neighbour. Not thread-safe: the device locks.
class AddressMap {
public:
  static constexpr uint64_t guardBytes = 16 << 20;

  AddressMap() = default;
  ~AddressMap();
  AddressMap(const AddressMap &) = delete;
  AddressMap &operator=(const AddressMap &) = delete;

  /// Maps `bytes` zero bytes, committed page by page when written. Returns the
  /// page-aligned address, or null when the system refuses.
  void *allocate(uint64_t bytes);

  /// Unmaps an address that allocate() gave.
  void release(void *address);

  /// The allocation with the largest begin <= address, or null.
  const Allocation *below(uintptr_t address) const;

  /// The allocation with the smallest begin > address, or null.
  const Allocation *above(uintptr_t address) const;

private:
  std::vector<Allocation> allocations; // Sorted by begin.
};

} // namespace tile::rt

#endif // TILE_RT_SIM_ADDRESSMAP_H
