// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which element of an epilogue's shared memory each accumulator goes to.
#include "tile/IR/ExchangeMaps.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tile;

SmallVector<int64_t, 2> tile::getTileShape(const ExchangeTile &tile) {
  return {tile.rows * tile.warpsM * tile.partitionsK,
          tile.columns * tile.warpsN};
}

/// Why the tile is none, if so.
static std::optional<Reason> checkTile(const ExchangeTile &tile, int64_t rows,
                                       int64_t columns) {
  for (int64_t number :
       {tile.warpsM, tile.warpsN, tile.partitionsK, tile.columns})
    if (number < 1 || number > 1 << 16)
      return Reason(llvm::formatv(
          "expected between 1 and {0} warps and columns, but got {1}", 1 << 16,
          number));
  if (tile.rows != rows)
    return Reason(llvm::formatv("expected {0} rows of a warp, but got {1}",
                                rows, tile.rows));
  if (tile.columns % columns != 0)
    return Reason(llvm::formatv(
        "expected columns that are a multiple of {0}, but got {1}", columns,
        tile.columns));
  return std::nullopt;
}

/// The warps behind the lanes: along M, then N, then K.
static void addWarps(AccessPattern &pattern, const ExchangeTile &tile) {
  pattern.threads.append({{tile.warpsM, 0, tile.rows},
                          {tile.warpsN, 1, tile.columns},
                          {tile.partitionsK, 0, tile.rows * tile.warpsM}});
}

Result<AccessPattern> tile::getTensorOpExchange(const ExchangeTile &tile) {
  if (std::optional<Reason> reason = checkTile(tile, 8, 8))
    return *reason;
  AccessPattern pattern;
  pattern.vector = 2;
  pattern.vectorDim = 1;
  pattern.threads = {{4, 1, 2}, {8, 0, 1}};
  addWarps(pattern, tile);
  pattern.iterations = {{tile.columns / 8, 1, 8}};
  return pattern;
}

Result<AccessPattern> tile::getSimtExchange(const ExchangeTile &tile,
                                            ArrayRef<int64_t> lanes,
                                            int64_t vector) {
  if (lanes.size() != 2 || lanes[0] < 1 || lanes[1] < 1 || lanes[0] > 32 ||
      lanes[0] * lanes[1] != 32 || vector < 1)
    return Reason("expected 32 lanes along (M, N) with a vector each");
  int64_t group = lanes[1] * vector;
  if (std::optional<Reason> reason = checkTile(tile, lanes[0], group))
    return *reason;
  AccessPattern pattern;
  pattern.vector = vector;
  pattern.vectorDim = 1;
  pattern.threads = {{lanes[1], 1, vector}, {lanes[0], 0, 1}};
  addWarps(pattern, tile);
  pattern.iterations = {{tile.columns / group, 1, group}};
  return pattern;
}

Result<AccessPattern> tile::getVoltaExchange(const ExchangeTile &tile,
                                             int64_t bits) {
  if (bits != 16 && bits != 32)
    return Reason(llvm::formatv(
        "expected accumulators of 16 or 32 bits, but got {0}", bits));
  if (std::optional<Reason> reason = checkTile(tile, 16, 16))
    return *reason;
  AccessPattern pattern;
  pattern.vectorDim = 1;
  int64_t blocks = tile.columns / 16;
  // Quads of lanes share eight rows: with 32 bits two of their four lanes take
  // the other pair of columns, and each lane has two rows.
  if (bits == 32) {
    pattern.vector = 2;
    pattern.threads = {{2, 0, 1}, {2, 1, 2}, {2, 0, 4}, {2, 1, 8}, {2, 0, 8}};
    pattern.iterations = {{2, 1, 4}, {blocks, 1, 16}, {2, 0, 2}};
  } else {
    pattern.vector = 4;
    pattern.threads = {{8, 0, 1}, {2, 1, 8}, {2, 0, 8}};
    pattern.iterations = {{2, 1, 4}, {blocks, 1, 16}};
  }
  addWarps(pattern, tile);
  return pattern;
}

Result<AccessPattern>
tile::getDirectConvExchange(ArrayRef<int64_t> tile, ArrayRef<int64_t> thread,
                            int64_t lanes, int64_t elements, int64_t vectors) {
  for (int64_t dim : {0, 1})
    if (tile.size() != 2 || thread.size() != 2 || thread[dim] < 1 ||
        tile[dim] > 1 << 16 || tile[dim] % thread[dim] != 0)
      return Reason("expected pixels of a thread that divide those of the "
                    "tile, (h, w)");
  for (int64_t number : {lanes, elements, vectors})
    if (number < 1 || number > 1 << 16)
      return Reason(llvm::formatv(
          "expected between 1 and {0} lanes, elements and vectors, but got {1}",
          1 << 16, number));
  AccessPattern pattern;
  pattern.vector = elements;
  pattern.vectorDim = 1;
  pattern.threads = {{lanes, 1, elements},
                     {tile[1] / thread[1], 0, thread[1]},
                     {tile[0] / thread[0], 0, thread[0] * tile[1]}};
  pattern.iterations = {{thread[1], 0, 1},
                        {thread[0], 0, tile[1]},
                        {vectors, 1, lanes * elements}};
  return pattern;
}
