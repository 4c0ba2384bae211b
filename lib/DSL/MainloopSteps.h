// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pieces of a main loop over tile iterators: the producer's walk over
// global memory, and the fragments that a thread multiplies.
#ifndef TILE_LIB_DSL_MAINLOOPSTEPS_H
#define TILE_LIB_DSL_MAINLOOPSTEPS_H

#include "tile/DSL/Mainloop.h"

namespace tile::dsl {

/// Where a loop's producer is in global memory.
struct GlobalWalk {
  Iterator a, b;

  /// Goes to the next tiles of both operands; past the last one nothing is
  /// read.
  void advance(Val isPast) {
    a = a.advance().clearMask(isPast);
    b = b.advance().clearMask(isPast);
  }
  void carry(Carried &carried) {
    carried.add(a);
    carried.add(b);
  }
};

/// What a thread holds of one mma step.
struct Fragments {
  Val a, b;

  void carry(Carried &carried) {
    carried.add(a);
    carried.add(b);
  }
};

/// The fragment of mma step `step` in the stage that starts `stage` elements
/// behind the first one.
Val loadStep(const MainloopOperand &operand, Val stage, int64_t step);

/// acc + a * b for one mma step. Fragments of a type that the atom does not
/// take are extended to that of the accumulator first.
Val multiplyStep(const Mainloop &loop, const Fragments &fragments, Val acc);

} // namespace tile::dsl

#endif // TILE_LIB_DSL_MAINLOOPSTEPS_H
