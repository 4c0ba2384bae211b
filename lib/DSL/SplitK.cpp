// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds the partial sums of the blocks of a cluster that share an output tile.
#include "tile/DSL/SplitK.h"

using namespace mlir;
using namespace tile;
using namespace tile::dsl;

/// Partial sums that a thread moves in one access; threads of a warp.
static constexpr int64_t kVector = 4, kWarp = 32;

View dsl::allocPartialSums(Scope &scope, Type sumType, int64_t sums,
                           int64_t threads, CallSite site) {
  Call call(scope, site);
  return allocShared(scope, sumType, {kVector, sums / kVector, threads},
                     {1, kVector * threads, kVector});
}

Pipeline dsl::makeExchangePipeline(Scope &scope, int64_t split,
                                   int64_t consumers, CallSite site) {
  Call call(scope, site);
  // Every consumer of every part hands its sums to, and has them from, all. The
  // stage is let go warp by warp.
  int64_t all = split * consumers;
  return Pipeline(scope, /*stages=*/1, /*producers=*/all,
                  /*consumers=*/all * (WgmmaAttr::kThreads / kWarp));
}

Val dsl::addParts(Scope &scope, const SplitKExchange &exchange, Val fragment,
                  PipelineState &state, CallSite site) {
  Call call(scope, site);
  const Pipeline &pipeline = exchange.pipeline;
  int64_t split = exchange.split;
  Val rank = exchange.rank, thread = exchange.thread;
  Type index = scope.builder.getIndexType();
  int64_t sumsOfThread = cast<VectorType>(fragment.getType()).getNumElements();
  int64_t vectors = sumsOfThread / kVector, own = vectors / split;
  Leaf slot((exchange.warpgroup * WgmmaAttr::kThreads + thread).cast(index));
  Val parts = i32Constant(scope, split);
  auto load = [&](View view, int64_t i) {
    return view.load({Leaf(0), Leaf((rank * own + i).cast(index)), slot},
                     kVector);
  };
  // The blocks have read what this one wrote for the tile before.
  pipeline.acquire(state);
  for (int64_t i = 0; i < vectors; ++i)
    exchange.partial.store(extractSlice(fragment, i * kVector, kVector),
                           {Leaf(0), Leaf(i), slot});
  namedBarrier(exchange.warpgroup + 1, WgmmaAttr::kThreads);
  ifThen(scope, thread < parts, [&] { pipeline.commit(state, thread); });
  pipeline.wait(state);
  // Its own part first, then those of the blocks after it, in a ring.
  SmallVector<Val> sums;
  for (int64_t i = 0; i < own; ++i)
    sums.push_back(load(exchange.partial, i));
  for (int64_t next = 1; next < split; ++next) {
    View theirs = clusterView(exchange.partial, (rank + next) % split);
    for (int64_t i = 0; i < own; ++i)
      sums[i] = addf(sums[i], load(theirs, i));
  }
  // Each warp for itself: an arrival releases the loads of its own warp, which
  // may still be on their way to the other blocks.
  syncWarp(scope);
  Val lane = thread % kWarp;
  ifThen(scope, lane < parts, [&] { pipeline.release(state, lane); });
  state = state.advance();
  return concatenate(sums);
}
