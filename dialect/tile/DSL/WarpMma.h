// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main loop of warps: mma.sync over a ring of stages that copies fill.
#ifndef TILE_DSL_WARPMMA_H
#define TILE_DSL_WARPMMA_H

#include "tile/DSL/DSL.h"

namespace tile::dsl {

/// The fragment of a warp from shared memory, of `tile` elements from `coord`
/// on, with ldmatrix; see `tile.load_matrix`.
Val loadMatrix(View view, llvm::ArrayRef<Leaf> coord, Val lane,
               llvm::ArrayRef<int64_t> tile, int64_t along,
               CallSite site = CallSite::here());

/// How tiles get from global to shared memory.
enum class TileCopy {
  /// By asynchronous copies.
  Async,
  /// Through registers, for accesses of less than 4 bytes and for operands that
  /// change their order on the way.
  Registers
};

/// One operand of the main loop.
struct WarpOperand {
  /// Predicated walk over global memory along K, at its first tile, and the map
  /// of its thread.
  Iterator global;
  /// The stages as (M or N, K, stages), and the same memory in the order of the
  /// walk's dimensions.
  View ring, stores;
  /// The first row (of M or N) of the warp's part of a tile, and how many.
  Val first;
  int64_t rows = 0;
};

/// A matrix product along K. Every warp of the block multiplies its part of the
/// tile.
struct WarpMainloop {
  MmaSyncAttr atom;
  WarpOperand a, b;
  TileCopy copy = TileCopy::Async;
  /// Mma steps of one tile: its K extent over the atom's.
  int64_t steps = 1, stages = 2;
  /// Tiles along K, at least one.
  Val tiles;
  /// The thread's number in the block, index.
  Val thread;
};

/// The thread's sums: of the atoms of the warp's part of the tile, along N
/// first, each atom's values in its order.
///
/// The scheme of `mmaMultistage`: while tile t is multiplied, tiles t + 1 to
/// t + stages - 1 are on their way, and the last of them goes to the stage that
/// tile t - 1 was in. Fragments of the next step are loaded before the current
/// ones are multiplied, with one barrier a tile: before the first step of the
/// next one is loaded. Copies start between the rows of atoms of all steps but
/// the last one: all at once, they keep the loads of fragments behind them
/// waiting, and with them the tensor cores. With TileCopy::Registers, tile t +
/// stages - 1 is loaded before the arithmetic and stored behind it.
Val warpMultistage(Scope &scope, const WarpMainloop &loop,
                   CallSite site = CallSite::here());

} // namespace tile::dsl

#endif // TILE_DSL_WARPMMA_H
