// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Main loops over any pair of global and shared iterators.
#ifndef TILE_DSL_MAINLOOP_H
#define TILE_DSL_MAINLOOP_H

#include "tile/DSL/DSL.h"

namespace tile::dsl {

/// One operand of a main loop: three iterators, of any view and thread map.
///
/// `global` is readable, forward and masked, `sharedStore` writeable and
/// contiguous-memory, `sharedLoad` readable and contiguous-memory. The first
/// two have one thread map; a fragment of the third is what the mma atom takes.
/// Its elements may be of a narrower float type than the accumulator's: where
/// the atom does not take them so, each step extends them.
struct MainloopOperand {
  /// The operand's name, in errors.
  llvm::StringRef name;
  /// Predicated walk over global memory along K, at its first tile.
  Iterator global;
  /// Where a thread stores what `global` loads, in stage 0 of shared memory.
  Iterator sharedStore;
  /// Where a thread loads the fragment of one mma step, at k = 0 of stage 0.
  Iterator sharedLoad;
  /// Elements between the stages, and between mma steps, of shared memory.
  int64_t stageStride = 0;
  int64_t stepStride = 0;
};

/// A matrix product along K.
struct Mainloop {
  MmaAtomAttrInterface atom;
  MainloopOperand a, b;
  /// Mma steps of one tile: its K extent over the atom's.
  int64_t steps = 1;
  /// Tiles along K, any number.
  Val tiles;
};

/// Reports, where the loop is staged, the first thing that a main loop lacks:
/// which iterator, which concept, why, and which one would do. `stages` is 2
/// where tiles are staged in registers.
mlir::LogicalResult verifyMainloop(Scope &scope, const Mainloop &loop,
                                   int64_t stages,
                                   CallSite site = CallSite::here());

/// acc + the product, staged in registers, with two stages of shared memory.
/// Fails, with an error, where `verifyMainloop` does.
///
/// The scheme of CUTLASS 2.x MmaPipelined. Per tile and thread: global loads of
/// the next tile go to registers before the arithmetic of the current one and
/// to the other stage of shared memory after it, with one barrier a tile;
/// fragments of the next step are loaded during the current one. Loads past the
/// last tile are issued with a cleared mask.
mlir::FailureOr<Val> mmaPipelined(Scope &scope, const Mainloop &loop, Val acc,
                                  CallSite site = CallSite::here());

/// The same with asynchronous copies to `stages` stages, two or more.
///
/// The scheme of CUTLASS 2.x MmaMultistage. While tile t is multiplied, the
/// copies of tiles t + 1 to t + stages - 1 are on their way, one group for each
/// tile. The copy of the last of them goes to the stage that tile t - 1 was in,
/// which every thread has read before the barrier of the step in between. With
/// three stages:
///
///   stage 0:  tile 0 multiplied    free, tile 3 comes ...
///   stage 1:  tile 1 has come      tile 1 multiplied
///   stage 2:  tile 2 comes         tile 2 has come
mlir::FailureOr<Val> mmaMultistage(Scope &scope, const Mainloop &loop,
                                   int64_t stages, Val acc,
                                   CallSite site = CallSite::here());

} // namespace tile::dsl

#endif // TILE_DSL_MAINLOOP_H
