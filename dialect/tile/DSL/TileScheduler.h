// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first collective of a kernel: which output tiles a block computes, and
// in which order.
#ifndef TILE_DSL_TILESCHEDULER_H
#define TILE_DSL_TILESCHEDULER_H

#include "tile/DSL/DSL.h"

namespace tile::dsl {

/// An output tile: its first row and column, and its batch (null if there is
/// only one).
struct OutputTile {
  Val row, column, batch;

  void carry(Carried &carried) {
    carried.add(row);
    carried.add(column);
    carried.add(batch);
  }
};

/// How output tiles are dealt out to blocks.
struct TileOrder {
  /// Extents of a tile, in elements.
  int64_t tileM = 0, tileN = 0;
  /// Tiles that the blocks of a cluster compute side by side.
  int64_t clusterM = 1, clusterN = 1;
  /// Blocks of a cluster that share a tile, each with a part of K; then the
  /// cluster has no others.
  int64_t splitK = 1;
  /// Rows (columns, if `alongM` is false) of clusters that are visited
  /// together, column by column (row by row), so that neighbouring blocks share
  /// operands in L2.
  int64_t swizzleSize = 1;
  bool alongM = true;
  /// Blocks walk over tiles, as many as the grid has clusters apart; else each
  /// computes one.
  bool persistent = false;

  int64_t getClusterSize() const { return clusterM * clusterN * splitK; }
};

/// Takes the number of the block to the tiles that it computes.
///
/// A number goes to a batch, then to the cluster of tiles in it, then to the
/// block's tile in the cluster. With swizzleSize = 2 and 3 by 4 tiles, tiles
/// are numbered
///
///    0  2  4  6
///    1  3  5  7
///    8  9 10 11
class TileScheduler {
public:
  /// `m` and `n` are of index type or i32, and so are coordinates of tiles.
  /// `batches`, i32, is null if there is one, and for each block one tile.
  TileScheduler(Scope &scope, const TileOrder &order, Val m, Val n,
                bool batched = false, Val batches = Val(),
                CallSite site = CallSite::here());

  const TileOrder &getOrder() const { return order; }
  /// Clusters of tiles along M and N, i32.
  Val getClustersM() const { return clustersM; }
  Val getClustersN() const { return clustersN; }
  /// The block's place in its cluster, i32: its number, and the row and column
  /// of its tile.
  Val getRank() const { return rank; }
  Val getRankM() const { return rankM; }
  Val getRankN() const { return rankN; }

  /// The first number that is the block's; where it is persistent, also the
  /// distance to the next and the end of all, i32.
  Val getFirst() const { return first; }
  Val getStep() const { return step; }
  Val getEnd() const { return end; }

  /// The block's tile of number `id`.
  OutputTile locate(Val id, CallSite site = CallSite::here()) const;

  /// Masks, i16, of the blocks of the cluster whose tiles have the rows, or the
  /// columns, of this block's: what a tensor copy of A, or B, is multicast to.
  /// Null if there is no other one.
  Val getRowPeers(Scope &scope, CallSite site = CallSite::here()) const;
  Val getColumnPeers(Scope &scope, CallSite site = CallSite::here()) const;

private:
  TileOrder order;
  bool batched;
  Val clustersM, clustersN, first, step, end, rank, rankM, rankN;
  /// The type of coordinates.
  mlir::Type type;
};

} // namespace tile::dsl

#endif // TILE_DSL_TILESCHEDULER_H
