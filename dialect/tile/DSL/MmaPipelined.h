// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The register-staged, double-buffered main loop.
#ifndef TILE_DSL_MMAPIPELINED_H
#define TILE_DSL_MMAPIPELINED_H

#include "tile/DSL/DSL.h"

namespace tile::dsl {

/// One operand of a main loop.
struct PipelinedOperand {
  /// Predicated walk over global memory along K, at its residue tile.
  Iterator global;
  /// Where a thread stores what `global` loads, in stage 0 of shared memory.
  Iterator sharedStore;
  /// Where a thread loads the fragment of one mma step, at k = 0 of stage 0.
  Iterator sharedLoad;
  /// Elements between the stages, and between mma steps, of shared memory.
  int64_t stageStride = 0;
  int64_t stepStride = 0;
};

/// Multiplies `tiles` tiles along K and returns the accumulator.
///
/// The scheme of CUTLASS 2.x MmaPipelined, two stages. Per tile and thread:
/// global loads of the next tile go to registers before the arithmetic of the
/// current one and to the other stage of shared memory after it, with one
/// barrier a tile; fragments of the next step are loaded during the current
/// one. The first tile is the residue. Loads past the last tile are issued with
/// a cleared mask, so `tiles` may be any number, 0 included.
///
/// \param steps mma steps of one tile (its K extent over the atom's)
Val mmaPipelined(Scope &scope, MmaAtomAttrInterface atom, PipelinedOperand a,
                 PipelinedOperand b, int64_t steps, Val tiles, Val acc);

} // namespace tile::dsl

#endif // TILE_DSL_MMAPIPELINED_H
