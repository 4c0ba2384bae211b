// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The formulas of CUTLASS 2.x thread maps, from parameters to accesses.
#ifndef TILE_IR_THREADMAPFORMULAS_H
#define TILE_IR_THREADMAPFORMULAS_H

#include "tile/IR/ThreadMap.h"
#include <optional>

namespace tile {

// A pitch-linear map knows no rows and columns, only a contiguous and a strided
// dimension. It says where a thread starts, and how often and how far it moves
// along each. With 64 by 64 elements, 128 threads and 4 elements an access, a
// strip-mined map has 16 accesses in a row and so 8 rows of threads:
//
//   thread t starts at contiguous (t mod 16) * 4, strided t / 16,
//   and moves 8 times by 8 along the strided dimension.
//
// As modes: threads (16 : 4 contiguous) (8 : 1 strided), iterations
// (1 : contiguous) (8 : 8 strided). Every formula here comes out as such modes,
// or is refused with the reason; so every map is a layout. Formulas are those
// of the reference, also where they cover a tile wrongly: coverage is proven
// afterwards, by counting.

/// One number for each dimension of a pitch-linear tile.
struct PitchLinear {
  int64_t contiguous = 1, strided = 1;
};

/// A map on a pitch-linear tile. In `threads`, dimension 0 is the contiguous
/// one, 1 the strided one.
struct PitchLinearMap {
  PitchLinear tile;
  /// Elements of one access along the contiguous dimension, and the number of
  /// such vectors one below the other (4 for thread tiles, otherwise 1).
  int64_t elements = 1, rows = 1;
  /// Accesses of one thread, and the elements between them.
  PitchLinear iterations, delta;
  llvm::SmallVector<MapMode> threads;
  /// Maps of warps: lanes of a warp, and warps along each dimension.
  int64_t warpSize = 32, warpCount = 1;
  PitchLinear warps;
  /// Accesses of a warp that the tile has along each dimension.
  PitchLinear warpAccesses;

  /// The tile with the rows by which a strip-mined map pads it.
  PitchLinear getStorage() const;
};

/// The modes of a map in (row, column) when the given dimension is contiguous.
AccessPattern getPattern(const PitchLinearMap &map, int64_t contiguous);

/// How warps are spread over a tile.
enum class WarpOrder { Raked, StridedRaked, Striped };

Result<PitchLinearMap> makeStripMined(PitchLinear tile, int64_t threads,
                                      int64_t elements);
Result<PitchLinearMap> makeThreadContiguous(PitchLinear tile, int64_t threads,
                                            int64_t elements);
Result<PitchLinearMap> makeThreadStrided(PitchLinear tile, int64_t threads,
                                         int64_t elements);
/// `warp` is the arrangement of the lanes of a warp; `contiguous` is where the
/// contiguous dimension is in elements that a reason names.
Result<PitchLinearMap> makeWarpMap(WarpOrder order, PitchLinear tile,
                                   int64_t threads, PitchLinear warp,
                                   int64_t elements, int64_t contiguous = 1);
Result<PitchLinearMap> makeThreadTile(PitchLinear tile, int64_t threads);
Result<PitchLinearMap> transposeSimt(const PitchLinearMap &base);
Result<PitchLinearMap> transposeThreadTile(const PitchLinearMap &base);
Result<PitchLinearMap> transposeWarps(const PitchLinearMap &base,
                                      PitchLinear warp);

/// The five axes of an epilogue's output tile.
struct OutputAxes {
  int64_t column = 1, row = 1, group = 1, cluster = 1, tile = 1;

  /// From the list of an attribute; null unless it has five numbers between 1
  /// and 2^20.
  static std::optional<OutputAxes> get(llvm::ArrayRef<int64_t> list);
};

/// A map on an output tile. One step is `shape`; `count` steps are the tile.
struct OutputTileMap {
  OutputAxes shape, count, iterations, delta;
  int64_t threads = 1, elements = 1;
  /// How a step is shared out: warps along each axis, the vectors and rows of
  /// one access of a warp, and whether a warp's rows are more than one.
  OutputAxes warpPartitions;
  int64_t accessWidth = 32, accessRows = 1;
  int64_t warpsForGroups = 1, warpsForRows = 1;
  bool twoDimensional = false;
  /// Where threads start, as modes of (row, column).
  llvm::SmallVector<MapMode> threadModes;

  /// Rows and columns that all steps store together.
  llvm::SmallVector<int64_t, 2> getTileShape() const;
  /// (row, column) of access `i` of one step: column fastest, then row, group,
  /// cluster and tile.
  std::pair<int64_t, int64_t> getIterationOffset(int64_t i) const;
};

/// The modes of a map: the accesses of one step, then the steps.
AccessPattern getPattern(const OutputTileMap &map);

/// The reference's optimal map. A set whose threads are no modes (lanes that
/// the vectors of a row do not divide) is refused with what it would touch.
Result<OutputTileMap> makeOutputTile(const OutputAxes &shape,
                                     const OutputAxes &count, int64_t threads,
                                     int64_t elements, int64_t bits);
/// The map whose threads start where those of `base` do.
Result<OutputTileMap> makeOutputTileOn(const PitchLinearMap &base,
                                       const OutputAxes &shape,
                                       const OutputAxes &iterations,
                                       const OutputAxes &delta,
                                       const OutputAxes &count);
/// Interleaved output: pairs are (contiguous, strided).
Result<PitchLinearMap> makeInterleavedOutput(PitchLinear warps,
                                             PitchLinear iterations,
                                             int64_t threads, int64_t elements);
/// Interleaved output of a convolution: the strided dimension is the rows.
Result<PitchLinearMap> makeInterleavedConvOutput(PitchLinear warps,
                                                 PitchLinear iterations,
                                                 int64_t threads,
                                                 int64_t elements);

/// The formula behind a map; a reason if it is none of the pitch-linear ones.
Result<PitchLinearMap> getPitchLinearMap(mlir::Attribute map);
/// The formula behind `#tile.output_tile` or `#tile.output_tile_on`.
Result<OutputTileMap> getOutputTileMap(mlir::Attribute map);

} // namespace tile

#endif // TILE_IR_THREADMAPFORMULAS_H
