// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which element of an epilogue's shared memory each accumulator goes to.
#ifndef TILE_IR_EXCHANGEMAPS_H
#define TILE_IR_EXCHANGEMAPS_H

#include "tile/IR/ThreadMap.h"

namespace tile {

// An epilogue passes its accumulators through shared memory, because those that
// a thread has are not those that it should store. One exchange takes some rows
// of every warp: the maps here say where they go, as thread-value layouts of a
// tile of rows (warps along M, one below the other) by all columns. What is
// read back has the map `#tile.output_tile` with one step of everything,
// its compacted form. The tile itself is a padded view, (rows, columns) :
// (columns + padding, 1), behind a swizzle of the columns where 16- or 8-bit
// results are read back wider than they are written.
//
// With one warp of tensor cores and 16 columns, lane l has row l / 4 and the
// columns 2 (l mod 4) + {0, 1, 8, 9}:
//
//   ((4, 8), (2, 2)) : ((2@1, 1@0), (1@1, 8@1))

/// The warps that take part, and what one of them has.
struct ExchangeTile {
  /// Warps along M and N; those of a split along K come behind.
  int64_t warpsM = 1, warpsN = 1, partitionsK = 1;
  /// Rows and columns of one warp.
  int64_t rows = 8, columns = 0;
};

/// Rows and columns of all warps.
llvm::SmallVector<int64_t, 2> getTileShape(const ExchangeTile &tile);

/// mma.sync accumulators: eight rows of a warp, pairs of columns. The columns
/// are a multiple of 8.
Result<AccessPattern> getTensorOpExchange(const ExchangeTile &tile);
/// Accumulators of the fused multiply-add units: lanes are `lanes` (along M,
/// N), and each has groups of `vector` columns.
Result<AccessPattern> getSimtExchange(const ExchangeTile &tile,
                                      llvm::ArrayRef<int64_t> lanes,
                                      int64_t vector);
/// Accumulators of Volta's tensor cores, of 32 or 16 bits: 16 rows of a warp,
/// and columns that are a multiple of 16.
Result<AccessPattern> getVoltaExchange(const ExchangeTile &tile, int64_t bits);

/// The results of a direct convolution: rows are pixels of the output tile,
/// columns channels. Each thread has `thread` pixels (h, w) of the `tile` and
/// `vectors` groups of `elements` channels; `lanes` threads share the channels.
Result<AccessPattern> getDirectConvExchange(llvm::ArrayRef<int64_t> tile,
                                            llvm::ArrayRef<int64_t> thread,
                                            int64_t lanes, int64_t elements,
                                            int64_t vectors);

} // namespace tile

#endif // TILE_IR_EXCHANGEMAPS_H
