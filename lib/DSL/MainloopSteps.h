// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the main loops share.
#ifndef TILE_LIB_DSL_MAINLOOPSTEPS_H
#define TILE_LIB_DSL_MAINLOOPSTEPS_H

#include "tile/DSL/Mainloop.h"

namespace tile::dsl {

/// The fragment of mma step `step` in the stage that starts `stage` elements
/// behind the first one.
Val loadStep(const MainloopOperand &operand, Val stage, int64_t step);

/// acc + a * b for one mma step, in the accumulator's type: fragments of a
/// narrower float type are extended first.
Val multiplyStep(const Mainloop &loop, Val a, Val b, Val acc);

} // namespace tile::dsl

#endif // TILE_LIB_DSL_MAINLOOPSTEPS_H
