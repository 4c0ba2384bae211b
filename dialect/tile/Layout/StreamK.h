// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a product's work is dealt out when tiles do not fill the last wave.
#ifndef TILE_LAYOUT_STREAMK_H
#define TILE_LAYOUT_STREAMK_H

#include "tile/Layout/Result.h"
#include <cstdint>
#include <vector>

namespace tile {

// Output tiles are computed a wave at a time, one tile a multiprocessor. 100
// tiles on 48 multiprocessors take three waves, of which the last has work for
// four. Stream-K takes the tiles of the last waves together, as one stretch of
// iterations along K, and deals it out evenly: 52 tiles of 32 iterations are
// 1664, 34 or 35 for each of 48 blocks. A block then begins and ends in the
// middle of tiles; who has the first iteration of a tile adds up what the
// others have of it. The other 48 tiles are one full wave, data-parallel.
//
// Blocks are numbered: stream-K blocks first, then data-parallel ones, from the
// next full wave on, then those that only add up, then idle ones.

/// What the plan depends on.
struct StreamKProblem {
  /// Extents (m, n, k) of the product and of a tile.
  int64_t extent[3] = {1, 1, 1}, tile[3] = {1, 1, 1};
  /// Splits each tile by so many blocks; 1: the plan decides.
  int64_t split = 1;
  /// A batch of products is never split.
  bool isBatched = false;
  /// Multiprocessors of the device, those to be filled (1: no stream-K), and
  /// blocks at a time on each.
  int64_t multiprocessors = 1, available = 1, occupancy = 1;
  /// Fragments of the accumulator that blocks may add up separately; 0: the
  /// blocks of a tile add up themselves.
  int64_t fragments = 0;
};

/// The plan. All numbers are positive where there are stream-K blocks.
struct StreamKPlan {
  /// Rows and columns of tiles, and iterations along K of each.
  int64_t tiles[2] = {1, 1}, iterations = 1;
  /// Tiles of the stream-K blocks (the first ones), and the waves that these
  /// blocks take.
  int64_t streamTiles = 0, streamWaves = 0;
  /// Stream-K blocks are grouped in regions of their own tiles, each of so many
  /// blocks, of which some, the first ones, have one iteration more.
  int64_t regions = 0, blocksPerRegion = 0, bigBlocks = 0;
  /// Data-parallel blocks, and the tiles that each of the first wave computes.
  int64_t parallelBlocks = 0, firstWaveTiles = 1;
  /// Blocks that add up fragments.
  int64_t reductionBlocks = 0;
  /// Tiles go in groups of 8 rows by 4 columns, for reuse in L2.
  bool isGrouped = false;
  /// Blocks of two waves change places, so that each multiprocessor gets
  /// stream-K work once; the multiprocessors, or 0.
  int64_t interleaved = 0;
  /// The first block of each kind, and the number of blocks (of a batch, each).
  int64_t parallelStart = 0, reductionStart = 0, idleStart = 0, blocks = 0;

  int64_t getIterationsPerRegion() const;
  /// Of a block that has none more.
  int64_t getIterationsPerBlock() const;
};

/// Plans by the cost model of CUTLASS's ThreadblockSwizzleStreamK.
Result<StreamKPlan> planStreamK(const StreamKProblem &problem);

} // namespace tile

#endif // TILE_LAYOUT_STREAMK_H
