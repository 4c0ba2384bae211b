// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of memory barriers, beside the memory that they lie in.
#ifndef TILE_RT_SIM_MBARRIER_H
#define TILE_RT_SIM_MBARRIER_H

#include "VectorClocks.h"

#include <cstdint>
#include <vector>

namespace tile::rt {

/// What was released at an mbarrier, for waits of each scope: an arrival that
/// releases to its block teaches no thread of another block, nor does one that
/// releases to the cluster teach a wait that only acquires from the block.
/// Asynchronous operations that are over are so for everyone.
struct ScopedClocks {
  ReleasedClocks block, cluster;

  void clear() {
    block.clear();
    cluster.clear();
  }
};

/// One mbarrier. A phase completes when nothing is pending and no bytes are
/// expected.
struct MBarrier {
  static constexpr int32_t maxCount = (1 << 20) - 1;
  static constexpr int64_t maxBytes = (1 << 20) - 1;

  /// In the shared memory of the cluster, and as the program sees it.
  uint64_t offset = 0;
  unsigned rank = 0;
  int32_t expected = 0, pending = 0;
  int64_t bytes = 0;
  uint64_t phase = 0;
  /// What those who arrived in this phase know, and those of the last one.
  ScopedClocks arriving, completed;
  /// The pseudo-thread of the copies that complete here; 0: none yet.
  unsigned column = 0;
  /// Who initialised it, where, and whether a fence followed; at which phase of
  /// the cluster's barrier that was.
  unsigned thread = 0;
  uint32_t clock = 0;
  int32_t site = -1;
  bool fenced = false;
  uint32_t fencePhase = 0;
  /// The last arrival from another block, and the phases that a thread of its
  /// own block has seen completed: until it has, the block must not exit.
  struct Touch {
    uint64_t phases = 0;
    unsigned thread = 0;
    uint32_t clock = 0, arrivals = 0;
    int32_t site = -1;
  } touched;
  uint64_t observed = 0;
  /// Numbers of the waiting threads.
  std::vector<uint16_t> waiters;

  /// Whether the phase of that parity is over.
  bool passed(uint32_t parity) const { return (phase & 1) != (parity & 1); }
};

/// The mbarriers of a cluster, by where they lie.
class MBarrierTable {
public:
  /// Starts with none, for `bytes` bytes of shared memory.
  void clear(uint64_t bytes) {
    for (const MBarrier &barrier : barriers)
      if (barrier.offset / 8 < slots.size())
        slots[barrier.offset / 8] = 0;
    barriers.clear();
    if (slots.size() < bytes / 8 + 1)
      slots.resize(bytes / 8 + 1, 0);
  }

  /// The number of the mbarrier at `offset`, -1 if there is none.
  int find(uint64_t offset) const { return int(slots[offset / 8]) - 1; }

  int insert(uint64_t offset) {
    barriers.emplace_back();
    barriers.back().offset = offset;
    slots[offset / 8] = static_cast<uint32_t>(barriers.size());
    return static_cast<int>(barriers.size()) - 1;
  }

  void erase(uint64_t offset) { slots[offset / 8] = 0; }

  MBarrier &operator[](int number) { return barriers[number]; }
  std::vector<MBarrier> &all() { return barriers; }

private:
  std::vector<MBarrier> barriers;
  std::vector<uint32_t> slots;
};

} // namespace tile::rt

#endif // TILE_RT_SIM_MBARRIER_H
