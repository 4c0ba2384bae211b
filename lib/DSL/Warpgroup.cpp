// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The embedded language for sm_90: pipelines, tensor copies, warpgroups.
#include "tile/DSL/Warpgroup.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tile;
using namespace tile::dsl;

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

PipelineState PipelineState::advance(Val count, CallSite site) const {
  Scope &scope = value.getScope();
  Call call(scope, site);
  return PipelineState(Val(scope, PipelineAdvanceOp::create(
                                      scope.builder, scope.loc, value.getType(),
                                      value.get(), count.get())));
}

Val PipelineState::stage(CallSite site) const {
  Scope &scope = value.getScope();
  Call call(scope, site);
  return Val(scope, PipelineStageOp::create(scope.builder, scope.loc,
                                            scope.builder.getIndexType(),
                                            value.get()));
}

Pipeline::Pipeline(Scope &scope, int64_t stages, int64_t producers,
                   int64_t consumers, CallSite site) {
  Call call(scope, site);
  Result<Layout> layout = Layout::get(IntTuple::constants({stages, 2}),
                                      IntTuple::constants({1, stages}));
  View barriers =
      allocShared(scope, scope.builder.getI64Type(), *layout, /*align=*/8);
  value = Val(scope, MakePipelineOp::create(
                         scope.builder, scope.loc,
                         PipelineType::get(scope.builder.getContext(), stages),
                         barriers.get().get(), producers, consumers));
}

PipelineState Pipeline::start(Val count, CallSite site) const {
  Scope &scope = value.getScope();
  Call call(scope, site);
  auto type =
      PipelineStateType::get(scope.builder.getContext(),
                             cast<PipelineType>(value.getType()).getStages());
  return PipelineState(
      Val(scope, PipelineStartOp::create(scope.builder, scope.loc, type,
                                         count.get())));
}

void Pipeline::acquire(PipelineState state, int64_t bytes,
                       CallSite site) const {
  Scope &scope = value.getScope();
  Call call(scope, site);
  PipelineAcquireOp::create(scope.builder, scope.loc, value.get(),
                            state.get().get(),
                            scope.builder.getI64IntegerAttr(bytes));
}

void Pipeline::acquire(PipelineState state, CallSite site) const {
  Scope &scope = value.getScope();
  Call call(scope, site);
  PipelineAcquireOp::create(scope.builder, scope.loc, value.get(),
                            state.get().get(), IntegerAttr());
}

void Pipeline::commit(PipelineState state, Val block, CallSite site) const {
  Scope &scope = value.getScope();
  Call call(scope, site);
  PipelineCommitOp::create(scope.builder, scope.loc, value.get(),
                           state.get().get(), block.get());
}

void Pipeline::wait(PipelineState state, CallSite site) const {
  Scope &scope = value.getScope();
  Call call(scope, site);
  PipelineWaitOp::create(scope.builder, scope.loc, value.get(),
                         state.get().get());
}

void Pipeline::release(PipelineState state, Val block, CallSite site) const {
  Scope &scope = value.getScope();
  Call call(scope, site);
  PipelineReleaseOp::create(scope.builder, scope.loc, value.get(),
                            state.get().get(), block.get());
}

//===----------------------------------------------------------------------===//
// Tensor copies
//===----------------------------------------------------------------------===//

static SmallVector<Value> values(ArrayRef<Val> list) {
  return SmallVector<Value>(list.begin(), list.end());
}

SmallVector<Val> dsl::tensorCoordinates(Val contiguous, Val other, Val batch,
                                        bool batched, CallSite site) {
  SmallVector<Val> coords{contiguous, other};
  if (batched)
    coords.push_back(batch ? batch
                           : i32Constant(contiguous.getScope(), 0, site));
  return coords;
}

void dsl::tmaLoad(Val map, ArrayRef<Val> coords, View view, Pipeline pipeline,
                  PipelineState state, int64_t contiguous, Val multicast,
                  ArrayRef<Val> offsets, CallSite site) {
  Scope &scope = view.get().getScope();
  Call call(scope, site);
  TmaLoadOp::create(scope.builder, scope.loc, map.get(), values(coords),
                    view.get().get(), pipeline.get().get(), state.get().get(),
                    multicast.get(), values(offsets), contiguous);
}

void dsl::tmaPrefetch(Val map, ArrayRef<Val> coords, View view,
                      int64_t contiguous, ArrayRef<Val> offsets,
                      CallSite site) {
  Scope &scope = view.get().getScope();
  Call call(scope, site);
  TmaPrefetchOp::create(scope.builder, scope.loc, map.get(), values(coords),
                        view.get().get(), values(offsets), contiguous);
}

void dsl::tmaStore(View view, Val map, ArrayRef<Val> coords, int64_t contiguous,
                   CallSite site) {
  Scope &scope = view.get().getScope();
  Call call(scope, site);
  TmaStoreOp::create(scope.builder, scope.loc, view.get().get(), map.get(),
                     values(coords), contiguous);
}

void dsl::commitStores(Scope &scope, CallSite site) {
  Call call(scope, site);
  NVVM::CpAsyncBulkCommitGroupOp::create(scope.builder, scope.loc);
}

void dsl::waitStores(Scope &scope, int64_t pending, bool read, CallSite site) {
  Call call(scope, site);
  NVVM::CpAsyncBulkWaitGroupOp::create(
      scope.builder, scope.loc, static_cast<uint32_t>(pending),
      read ? scope.builder.getUnitAttr() : UnitAttr());
}

void dsl::fenceAsyncShared(Scope &scope, CallSite site) {
  Call call(scope, site);
  NVVM::FenceProxyOp::create(
      scope.builder, scope.loc, NVVM::ProxyKind::async_shared,
      NVVM::SharedSpaceAttr::get(scope.builder.getContext(),
                                 NVVM::SharedSpace::shared_cta));
}

void dsl::prefetchTensorMap(Val map, CallSite site) {
  Scope &scope = map.getScope();
  Call call(scope, site);
  NVVM::PrefetchOp::create(scope.builder, scope.loc,
                           NVVM::PrefetchCacheLevelAttr(),
                           NVVM::CacheEvictionPriorityAttr(), map.get(),
                           /*predicate=*/Value(), /*tensormap=*/true,
                           /*uniform=*/false, /*in_param_space=*/false);
}

//===----------------------------------------------------------------------===//
// Warpgroups
//===----------------------------------------------------------------------===//

Val dsl::zeroAccumulator(Scope &scope, AccumulatorType type, CallSite site) {
  Call call(scope, site);
  return Val(scope, ZeroAccumulatorOp::create(scope.builder, scope.loc, type));
}

Val dsl::warpgroupMma(View a, View b, Val acc, CallSite site) {
  Scope &scope = acc.getScope();
  Call call(scope, site);
  return Val(scope,
             WarpgroupMmaOp::create(scope.builder, scope.loc, acc.getType(),
                                    a.get().get(), b.get().get(), acc.get()));
}

Val dsl::warpgroupMma(View a, View b, AccumulatorType type, CallSite site) {
  Scope &scope = a.get().getScope();
  Call call(scope, site);
  return Val(scope,
             WarpgroupMmaOp::create(scope.builder, scope.loc, type,
                                    a.get().get(), b.get().get(), Value()));
}

Val dsl::warpgroupWait(Val acc, int64_t pending, CallSite site) {
  Scope &scope = acc.getScope();
  Call call(scope, site);
  return Val(scope, WarpgroupWaitOp::create(scope.builder, scope.loc,
                                            acc.getType(), acc.get(), pending));
}

Val dsl::accumulatorFragment(Val acc, CallSite site) {
  Scope &scope = acc.getScope();
  Call call(scope, site);
  auto type = cast<AccumulatorType>(acc.getType());
  return Val(scope,
             AccumulatorFragmentOp::create(scope.builder, scope.loc,
                                           type.getFragmentType(), acc.get()));
}

void dsl::storeMatrix(Val fragment, View view, Val thread, CallSite site) {
  Scope &scope = fragment.getScope();
  Call call(scope, site);
  StoreMatrixOp::create(scope.builder, scope.loc, fragment.get(),
                        view.get().get(), thread.get());
}

void dsl::setMaxRegisters(Scope &scope, int64_t count, bool increase,
                          CallSite site) {
  Call call(scope, site);
  NVVM::SetMaxRegisterOp::create(
      scope.builder, scope.loc, static_cast<uint32_t>(count),
      increase ? NVVM::SetMaxRegisterAction::increase
               : NVVM::SetMaxRegisterAction::decrease);
}

Val dsl::electThread(Scope &scope, CallSite site) {
  Call call(scope, site);
  return Val(scope,
             NVVM::ElectSyncOp::create(scope.builder, scope.loc,
                                       scope.builder.getI1Type(), Value()));
}

Val dsl::broadcastFirst(Val value, CallSite site) {
  Scope &scope = value.getScope();
  Call call(scope, site);
  Val all = i32Constant(scope, -1), lane = i32Constant(scope, 0),
      clamp = i32Constant(scope, 31);
  return Val(scope, NVVM::ShflOp::create(scope.builder, scope.loc,
                                         value.getType(), all.get(),
                                         value.get(), lane.get(), clamp.get(),
                                         NVVM::ShflKind::idx, UnitAttr()));
}

void dsl::syncWarp(Scope &scope, CallSite site) {
  Call call(scope, site);
  NVVM::SyncWarpOp::create(scope.builder, scope.loc,
                           i32Constant(scope, -1).get());
}

void dsl::namedBarrier(Val id, int64_t threads, CallSite site) {
  Scope &scope = id.getScope();
  Call call(scope, site);
  NVVM::BarrierOp::create(scope.builder, scope.loc, Type(), id.get(),
                          i32Constant(scope, threads).get(),
                          NVVM::BarrierReductionAttr(), Value());
}

void dsl::clusterBarrier(Scope &scope, CallSite site) {
  Call call(scope, site);
  NVVM::ClusterArriveOp::create(scope.builder, scope.loc, UnitAttr());
  NVVM::ClusterWaitOp::create(scope.builder, scope.loc, UnitAttr());
}

View dsl::clusterView(View view, Val block, CallSite site) {
  Scope &scope = view.get().getScope();
  Call call(scope, site);
  return View(Val(scope, ClusterViewOp::create(scope.builder, scope.loc,
                                               view.get().get(), block.get())));
}

void dsl::launchDependents(Scope &scope, CallSite site) {
  Call call(scope, site);
  NVVM::GriddepcontrolOp::create(scope.builder, scope.loc,
                                 NVVM::GridDepActionKind::launch_dependents);
}

void dsl::waitForGrids(Scope &scope, CallSite site) {
  Call call(scope, site);
  NVVM::GriddepcontrolOp::create(scope.builder, scope.loc,
                                 NVVM::GridDepActionKind::wait);
}
