// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The embedded language for sm_90: pipelines, tensor copies, warpgroups.
#ifndef TILE_DSL_WARPGROUP_H
#define TILE_DSL_WARPGROUP_H

#include "tile/DSL/DSL.h"

namespace tile::dsl {

/// The position of a producer or consumer in a pipeline.
class PipelineState {
public:
  PipelineState() = default;
  explicit PipelineState(Val value) : value(value) {}
  Val get() const { return value; }
  void carry(Carried &carried) { carried.add(value); }
  /// One stage, or `count` stages, further on.
  PipelineState advance(Val count = Val(),
                        CallSite site = CallSite::here()) const;
  /// The stage that is next, in index type.
  Val stage(CallSite site = CallSite::here()) const;

private:
  Val value;
};

/// A ring of stages guarded by mbarriers.
class Pipeline {
public:
  Pipeline() = default;
  /// Allocates and initialises the barriers. A barrier of the block, or of the
  /// cluster, must follow.
  Pipeline(Scope &scope, int64_t stages, int64_t producers, int64_t consumers,
           CallSite site = CallSite::here());
  Val get() const { return value; }

  /// The state after `count` stages, i32.
  PipelineState start(Val count, CallSite site = CallSite::here()) const;
  void acquire(PipelineState state, int64_t bytes,
               CallSite site = CallSite::here()) const;
  /// Waits until the stage is empty, for threads that fill and commit it.
  void acquire(PipelineState state, CallSite site = CallSite::here()) const;
  /// Arrives at the full barrier, of block `block` of the cluster if given.
  void commit(PipelineState state, Val block = Val(),
              CallSite site = CallSite::here()) const;
  void wait(PipelineState state, CallSite site = CallSite::here()) const;
  /// Arrives at the empty barrier, of block `block` of the cluster if given.
  void release(PipelineState state, Val block = Val(),
               CallSite site = CallSite::here()) const;

private:
  Val value;
};

/// Coordinates of a tensor, the contiguous dimension first; the batch, of which
/// there is one if it is null, is a dimension if `batched`.
llvm::SmallVector<Val> tensorCoordinates(Val contiguous, Val other, Val batch,
                                         bool batched,
                                         CallSite site = CallSite::here());
/// Copies a tile from a tensor to shared memory, for a stage of a pipeline.
/// `coords` starts with the dimension that is contiguous in the tensor, which
/// is dimension `contiguous` of the view; `multicast` may be null. `offsets`,
/// i16, are those of the filter where the rows of the tile are pixels.
void tmaLoad(Val map, llvm::ArrayRef<Val> coords, View view, Pipeline pipeline,
             PipelineState state, int64_t contiguous, Val multicast,
             llvm::ArrayRef<Val> offsets = {},
             CallSite site = CallSite::here());
/// Fetches to L2 what tmaLoad of the same tile to the view copies.
void tmaPrefetch(Val map, llvm::ArrayRef<Val> coords, View view,
                 int64_t contiguous, llvm::ArrayRef<Val> offsets = {},
                 CallSite site = CallSite::here());
/// Copies a tile from shared memory to a tensor.
void tmaStore(View view, Val map, llvm::ArrayRef<Val> coords,
              int64_t contiguous, CallSite site = CallSite::here());
/// Closes a group of tensor stores of the thread.
void commitStores(Scope &scope, CallSite site = CallSite::here());
/// Waits until at most `pending` groups of stores have not read their source,
/// or, with `read` false, are not complete.
void waitStores(Scope &scope, int64_t pending, bool read,
                CallSite site = CallSite::here());
/// Makes writes of the thread to shared memory visible to tensor copies.
void fenceAsyncShared(Scope &scope, CallSite site = CallSite::here());
/// Fetches a tensor map ahead of its first use.
void prefetchTensorMap(Val map, CallSite site = CallSite::here());

/// The same view of shared memory in block `block` (i32) of the cluster.
View clusterView(View view, Val block, CallSite site = CallSite::here());

/// Accumulators of zeros.
Val zeroAccumulator(Scope &scope, AccumulatorType type,
                    CallSite site = CallSite::here());
/// Starts acc + a * b, with a as (M, K) and b as (N, K).
Val warpgroupMma(View a, View b, Val acc, CallSite site = CallSite::here());
/// Starts a * b.
Val warpgroupMma(View a, View b, AccumulatorType type,
                 CallSite site = CallSite::here());
/// Waits until at most `pending` multiplies run.
Val warpgroupWait(Val acc, int64_t pending, CallSite site = CallSite::here());
/// The elements of the thread.
Val accumulatorFragment(Val acc, CallSite site = CallSite::here());
/// Stores 64 rows of a warpgroup's 16-bit fragment to shared memory.
void storeMatrix(Val fragment, View view, Val thread,
                 CallSite site = CallSite::here());

/// Sets the registers of the warpgroup's threads, up or down.
void setMaxRegisters(Scope &scope, int64_t count, bool increase,
                     CallSite site = CallSite::here());
/// Whether this is the one elected thread of a converged warp.
Val electThread(Scope &scope, CallSite site = CallSite::here());
/// The value of lane 0, which is then known to be the same in the whole warp.
Val broadcastFirst(Val value, CallSite site = CallSite::here());
/// Barrier of the threads of a warp.
void syncWarp(Scope &scope, CallSite site = CallSite::here());
/// Barrier `id` among `threads` threads of the block.
void namedBarrier(Val id, int64_t threads, CallSite site = CallSite::here());
/// Lets the grid that follows in the stream start to be set up.
void launchDependents(Scope &scope, CallSite site = CallSite::here());
/// Waits until the grids in front have ended and their writes are visible.
void waitForGrids(Scope &scope, CallSite site = CallSite::here());
/// Arrives at the barrier of the cluster, and waits for it.
void clusterBarrier(Scope &scope, CallSite site = CallSite::here());

} // namespace tile::dsl

#endif // TILE_DSL_WARPGROUP_H
