// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How often the warps of a launch accessed memory, and how well.
#ifndef TILE_RT_LIB_ACCESSCOUNTS_H
#define TILE_RT_LIB_ACCESSCOUNTS_H

#include <cstdint>
#include <map>

namespace tile::rt {

/// The requests at one place.
struct AccessTotals {
  uint64_t requests = 0;
  /// Global: sectors, and bytes of them that the lanes touch.
  uint64_t sectors = 0, bytes = 0;
  /// Shared: wavefronts, as many as there would be without conflicts, and the
  /// most words of one bank that were wanted at a time.
  uint64_t wavefronts = 0, leastWavefronts = 0;
  uint32_t ways = 0;

  void add(const AccessTotals &other);
};

/// A place in the source: the number of the site, and whether it stores, to
/// which memory.
struct AccessPlace {
  int32_t site = -1;
  bool isStore = false, isShared = false;
  bool operator<(const AccessPlace &other) const {
    if (site != other.site)
      return site < other.site;
    if (isStore != other.isStore)
      return isStore < other.isStore;
    return isShared < other.isShared;
  }
};

using AccessCounts = std::map<AccessPlace, AccessTotals>;

} // namespace tile::rt

#endif // TILE_RT_LIB_ACCESSCOUNTS_H
