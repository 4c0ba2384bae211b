// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds the partial sums of the blocks of a cluster that share an output tile.
#ifndef TILE_DSL_SPLITK_H
#define TILE_DSL_SPLITK_H

#include "tile/DSL/Warpgroup.h"

namespace tile::dsl {

/// Each of `split` blocks of a cluster has summed up a part of K for the same
/// tile. They write their sums to shared memory, and each adds up a part of the
/// columns, reading the others' memory.
struct SplitKExchange {
  /// Of one stage; see `makeExchangePipeline`.
  Pipeline pipeline;
  /// See `allocPartialSums`.
  View partial;
  int64_t split = 1;
  /// The block's part; the consumer's number in the block, and the thread's in
  /// the consumer, i32.
  Val rank, warpgroup, thread;
};

/// Shared memory for `sums` partial sums of each of `threads` threads.
View allocPartialSums(Scope &scope, mlir::Type sumType, int64_t sums,
                      int64_t threads, CallSite site = CallSite::here());

/// The pipeline of an exchange among `split` blocks of `consumers` warpgroups.
Pipeline makeExchangePipeline(Scope &scope, int64_t split, int64_t consumers,
                              CallSite site = CallSite::here());

/// The sums over all parts of K, of the part of the fragment that is the
/// block's: its `split`-th part of number `rank`.
Val addParts(Scope &scope, const SplitKExchange &exchange, Val fragment,
             PipelineState &state, CallSite site = CallSite::here());

} // namespace tile::dsl

#endif // TILE_DSL_SPLITK_H
