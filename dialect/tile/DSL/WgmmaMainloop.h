// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A main loop: a warpgroup that multiplies what arrives in a ring of stages.
#ifndef TILE_DSL_WGMMAMAINLOOP_H
#define TILE_DSL_WGMMAMAINLOOP_H

#include "tile/DSL/Warpgroup.h"

#include <functional>

namespace tile::dsl {

/// An operand in shared memory: the ring, the same as (rows, k, parts, stages),
/// and the part that the warpgroup multiplies, i32 (null for the first one).
struct WgmmaOperand {
  View ring;
  Layout byPart;
  Val part;
};

/// Consumes the stages of a pipeline, a block of K in each.
struct WgmmaMainloop {
  Pipeline pipeline;
  int64_t stages = 0;
  WgmmaOperand a, b;
  AccumulatorType accumulator;
  /// The thread's number in its warpgroup, i32.
  Val thread;
  /// Each block's sums are added to those before in registers, where they are
  /// rounded to f32; a tensor core may keep less of a sum.
  bool promotesSums = false;
  /// Blocks of the cluster that a stage is let go in: all that bring it a part.
  int64_t peers = 1;
};

/// What a consumer does while its first blocks of K are multiplied: the first
/// one after it has started the first block, the second after the second, …
using Interleaved = llvm::SmallVector<std::function<void()>>;

/// The sum over the next `blocks` (i32, at least one) stages, as the thread's
/// fragment; `state` is behind them afterwards. `issued` is called after the
/// last multiply has been started, before it is waited for.
Val wgmmaMainloop(Scope &scope, const WgmmaMainloop &loop, Val blocks,
                  PipelineState &state, const Interleaved &interleaved,
                  llvm::function_ref<void()> issued,
                  CallSite site = CallSite::here());

} // namespace tile::dsl

#endif // TILE_DSL_WGMMAMAINLOOP_H
