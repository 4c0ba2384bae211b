// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sectors of global memory, and bank conflicts of shared memory, as warps see
// them.
//
// On a GPU the lanes of a warp make an access together: one request. Here each
// thread runs by itself, so the n-th time that one lane comes to a place in the
// source is joined with the n-th time of the others. A lane whose predicate is
// off takes part without an address. Lanes that never come, because they are in
// another branch, are missing; what they leave open is counted when the block
// ends.
//
// Global memory moves in sectors of 32 bytes: a request takes as many as the
// lanes touch. Shared memory has 32 banks of 4-byte words: lanes that touch
// different words of one bank take turns, each turn a wavefront. Of accesses of
// 8 and 16 bytes a half and a quarter of the warp are served at a time.
#ifndef TILE_RT_SIM_ACCESSCOUNTERS_H
#define TILE_RT_SIM_ACCESSCOUNTERS_H

#include "../lib/AccessCounts.h"

#include <unordered_map>
#include <vector>

namespace tile::rt {

/// Collects the accesses of one block, or cluster of blocks, after the other.
class AccessCounters {
public:
  static constexpr unsigned lanes = 32;

  /// Lane `lane` of warp `warp` comes to `place`; with `on`, it accesses `size`
  /// bytes at `address`. The warp has `lanesOfWarp` lanes.
  void record(unsigned warp, unsigned lane, unsigned lanesOfWarp,
              const AccessPlace &place, uintptr_t address, uint64_t size,
              bool on);
  /// Counts what is left of the block's requests, and adds all to `into`.
  void endBlock(AccessCounts &into);

private:
  struct Request {
    uintptr_t addresses[lanes];
    uint32_t arrived = 0, on = 0;
    uint64_t size = 0;
  };
  /// Requests of a warp at one place, from the first that is open.
  struct Queue {
    uint64_t first = 0;
    uint64_t next[lanes] = {};
    std::vector<Request> open;
  };

  static void count(const Request &request, bool isShared,
                    AccessTotals &totals);

  std::map<std::pair<AccessPlace, unsigned>, Queue> queues;
  AccessCounts counts;
};

} // namespace tile::rt

#endif // TILE_RT_SIM_ACCESSCOUNTERS_H
