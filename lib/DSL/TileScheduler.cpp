// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which output tiles a block computes, and in which order.
#include "tile/DSL/TileScheduler.h"

#include "Staging.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tile;
using namespace tile::dsl;

/// (row, column) of number `id`: groups of `group` rows, column by column
/// within a group.
static std::pair<Val, Val> getCoordinate(Val id, Val rows, Val columns,
                                         int64_t group) {
  // Bounded by what there is, so that a group never exceeds the grid.
  Val groupRows = min(rows, rows.constant(group));
  Val width = columns * groupRows;
  Val firstRow = id / width * groupRows;
  Val height = min(rows - firstRow, groupRows);
  Val inGroup = id % width;
  return {firstRow + inGroup % height, inGroup / height};
}

TileScheduler::TileScheduler(Scope &scope, const TileOrder &order, Val m, Val n,
                             bool batched, Val batches, CallSite site)
    : order(order), batched(batched) {
  Staging stage(&scope, site, {m, n});
  if (!stage)
    return;
  type = m.getType();
  Type i32 = scope.builder.getI32Type();
  clustersM = ceilDiv(m, order.tileM * order.clusterM).cast(i32);
  clustersN = ceilDiv(n, order.tileN * order.clusterN).cast(i32);
  int64_t size = order.getClusterSize();
  if (order.persistent) {
    end = clustersM * clustersN;
    if (batched)
      end = end * batches;
    Val block = blockId(scope).cast(i32), blocks = gridSize(scope).cast(i32);
    first = block / size;
    rank = block % size;
    step = blocks / size;
  } else {
    Val block = blockId(scope).cast(i32);
    first = block / size;
    rank = block % size;
  }
  if (order.splitK > 1) {
    rankM = rankN = i32Constant(scope, 0);
  } else {
    rankM = rank / order.clusterN;
    rankN = rank % order.clusterN;
  }
}

OutputTile TileScheduler::locate(Val id, CallSite site) const {
  OutputTile tile;
  Staging stage(site, {id});
  if (!stage || !type)
    return tile;
  if (batched) {
    Val perBatch = clustersM * clustersN;
    tile.batch = (id / perBatch).cast(type);
    id = id % perBatch;
  }
  Val row, column;
  if (order.alongM)
    std::tie(row, column) =
        getCoordinate(id, clustersM, clustersN, order.swizzleSize);
  else
    std::tie(column, row) =
        getCoordinate(id, clustersN, clustersM, order.swizzleSize);
  if (order.clusterM > 1)
    row = row * order.clusterM + rankM;
  if (order.clusterN > 1)
    column = column * order.clusterN + rankN;
  tile.row = row.cast(type) * order.tileM;
  tile.column = column.cast(type) * order.tileN;
  return tile;
}

/// A mask of blocks, moved by `shift`, for the operand of a tensor copy.
static Val getMask(Scope &scope, int64_t bits, Val shift) {
  return Val(scope,
             arith::ShLIOp::create(scope.builder, scope.loc,
                                   i32Constant(scope, bits).get(), shift.get()))
      .cast(scope.builder.getIntegerType(16));
}

Val TileScheduler::getRowPeers(Scope &scope, CallSite site) const {
  Call call(scope, site);
  if (order.clusterN == 1)
    return Val();
  return getMask(scope, (int64_t(1) << order.clusterN) - 1,
                 rankM * order.clusterN);
}

Val TileScheduler::getColumnPeers(Scope &scope, CallSite site) const {
  Call call(scope, site);
  if (order.clusterM == 1)
    return Val();
  int64_t bits = 0;
  for (int64_t i = 0; i < order.clusterM; ++i)
    bits |= int64_t(1) << (i * order.clusterN);
  return getMask(scope, bits, rankN);
}
