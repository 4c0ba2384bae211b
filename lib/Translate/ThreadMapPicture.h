// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pictures of thread maps: the number of the thread on each access of a tile.
#ifndef TILE_LIB_TRANSLATE_THREADMAPPICTURE_H
#define TILE_LIB_TRANSLATE_THREADMAPPICTURE_H

#include "tile/IR/Tile.h"
#include "tile/Layout/Print.h"

namespace tile {

/// What to show of a thread map.
struct ThreadMapPictureOptions {
  /// Only what threads touch in this access; all accesses if absent.
  std::optional<int64_t> iteration;
  /// The warp whose accesses stand out.
  std::optional<int64_t> highlightWarp;
  /// The thread whose accesses stand out.
  std::optional<int64_t> highlightThread;
};

/// The tile, one cell for each access (for each element where accesses do not
/// divide the tile), which says the thread, or the first of several:
///
///   #tile.strip_mined<tile = [4, 8], contiguous = 1, threads = 4, elements =
///   4>
///       0   1
///     +---+---+
///   0 | 0 | 1 |
///   1 | 2 | 3 |
///   2 | 0 | 1 |
///   3 | 2 | 3 |
///     +---+---+
///
/// Refused, with the reason: an iteration, warp or thread that the map does not
/// have, and more than kMaxPictureCells cells.
Result<Picture> makeThreadMapPicture(ThreadMapAttrInterface map,
                                     const ThreadMapPictureOptions &options);

} // namespace tile

#endif // TILE_LIB_TRANSLATE_THREADMAPPICTURE_H
