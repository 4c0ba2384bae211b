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

PipelineState PipelineState::advance(Val count) const {
  Scope &scope = value.getScope();
  return PipelineState(Val(scope, PipelineAdvanceOp::create(
                                      scope.builder, scope.loc, value.getType(),
                                      value.get(), count.get())));
}

Val PipelineState::stage() const {
  Scope &scope = value.getScope();
  return Val(scope, PipelineStageOp::create(scope.builder, scope.loc,
                                            scope.builder.getIndexType(),
                                            value.get()));
}

Pipeline::Pipeline(Scope &scope, int64_t stages, int64_t producers,
                   int64_t consumers) {
  Result<Layout> layout = Layout::get(IntTuple::constants({stages, 2}),
                                      IntTuple::constants({1, stages}));
  View barriers =
      allocShared(scope, scope.builder.getI64Type(), *layout, /*align=*/8);
  value = Val(scope, MakePipelineOp::create(
                         scope.builder, scope.loc,
                         PipelineType::get(scope.builder.getContext(), stages),
                         barriers.get().get(), producers, consumers));
}

PipelineState Pipeline::start(Val count) const {
  Scope &scope = value.getScope();
  auto type =
      PipelineStateType::get(scope.builder.getContext(),
                             cast<PipelineType>(value.getType()).getStages());
  return PipelineState(
      Val(scope, PipelineStartOp::create(scope.builder, scope.loc, type,
                                         count.get())));
}

void Pipeline::acquire(PipelineState state, int64_t bytes) const {
  Scope &scope = value.getScope();
  PipelineAcquireOp::create(scope.builder, scope.loc, value.get(),
                            state.get().get(),
                            scope.builder.getI64IntegerAttr(bytes));
}

void Pipeline::acquire(PipelineState state) const {
  Scope &scope = value.getScope();
  PipelineAcquireOp::create(scope.builder, scope.loc, value.get(),
                            state.get().get(), IntegerAttr());
}

void Pipeline::commit(PipelineState state, Val block) const {
  Scope &scope = value.getScope();
  PipelineCommitOp::create(scope.builder, scope.loc, value.get(),
                           state.get().get(), block.get());
}

void Pipeline::wait(PipelineState state) const {
  Scope &scope = value.getScope();
  PipelineWaitOp::create(scope.builder, scope.loc, value.get(),
                         state.get().get());
}

void Pipeline::release(PipelineState state, Val block) const {
  Scope &scope = value.getScope();
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
                                        bool batched) {
  SmallVector<Val> coords{contiguous, other};
  if (batched)
    coords.push_back(batch ? batch : i32Constant(contiguous.getScope(), 0));
  return coords;
}

void dsl::tmaLoad(Val map, ArrayRef<Val> coords, View view, Pipeline pipeline,
                  PipelineState state, int64_t contiguous, Val multicast,
                  ArrayRef<Val> offsets) {
  Scope &scope = view.get().getScope();
  TmaLoadOp::create(scope.builder, scope.loc, map.get(), values(coords),
                    view.get().get(), pipeline.get().get(), state.get().get(),
                    multicast.get(), values(offsets), contiguous);
}

void dsl::tmaPrefetch(Val map, ArrayRef<Val> coords, View view,
                      int64_t contiguous, ArrayRef<Val> offsets) {
  Scope &scope = view.get().getScope();
  TmaPrefetchOp::create(scope.builder, scope.loc, map.get(), values(coords),
                        view.get().get(), values(offsets), contiguous);
}

void dsl::tmaStore(View view, Val map, ArrayRef<Val> coords,
                   int64_t contiguous) {
  Scope &scope = view.get().getScope();
  TmaStoreOp::create(scope.builder, scope.loc, view.get().get(), map.get(),
                     values(coords), contiguous);
}

void dsl::commitStores(Scope &scope) {
  NVVM::CpAsyncBulkCommitGroupOp::create(scope.builder, scope.loc);
}

void dsl::waitStores(Scope &scope, int64_t pending, bool read) {
  NVVM::CpAsyncBulkWaitGroupOp::create(
      scope.builder, scope.loc, static_cast<uint32_t>(pending),
      read ? scope.builder.getUnitAttr() : UnitAttr());
}

void dsl::fenceAsyncShared(Scope &scope) {
  NVVM::FenceProxyOp::create(
      scope.builder, scope.loc, NVVM::ProxyKind::async_shared,
      NVVM::SharedSpaceAttr::get(scope.builder.getContext(),
                                 NVVM::SharedSpace::shared_cta));
}

void dsl::prefetchTensorMap(Val map) {
  Scope &scope = map.getScope();
  NVVM::PrefetchOp::create(scope.builder, scope.loc,
                           NVVM::PrefetchCacheLevelAttr(),
                           NVVM::CacheEvictionPriorityAttr(), map.get(),
                           /*predicate=*/Value(), /*tensormap=*/true,
                           /*uniform=*/false, /*in_param_space=*/false);
}

//===----------------------------------------------------------------------===//
// Warpgroups
//===----------------------------------------------------------------------===//

Val dsl::zeroAccumulator(Scope &scope, AccumulatorType type) {
  return Val(scope, ZeroAccumulatorOp::create(scope.builder, scope.loc, type));
}

Val dsl::warpgroupMma(View a, View b, Val acc) {
  Scope &scope = acc.getScope();
  return Val(scope,
             WarpgroupMmaOp::create(scope.builder, scope.loc, acc.getType(),
                                    a.get().get(), b.get().get(), acc.get()));
}

Val dsl::warpgroupMma(View a, View b, AccumulatorType type) {
  Scope &scope = a.get().getScope();
  return Val(scope,
             WarpgroupMmaOp::create(scope.builder, scope.loc, type,
                                    a.get().get(), b.get().get(), Value()));
}

Val dsl::warpgroupWait(Val acc, int64_t pending) {
  Scope &scope = acc.getScope();
  return Val(scope, WarpgroupWaitOp::create(scope.builder, scope.loc,
                                            acc.getType(), acc.get(), pending));
}

Val dsl::accumulatorFragment(Val acc) {
  Scope &scope = acc.getScope();
  auto type = cast<AccumulatorType>(acc.getType());
  return Val(scope,
             AccumulatorFragmentOp::create(scope.builder, scope.loc,
                                           type.getFragmentType(), acc.get()));
}

void dsl::storeMatrix(Val fragment, View view, Val thread) {
  Scope &scope = fragment.getScope();
  StoreMatrixOp::create(scope.builder, scope.loc, fragment.get(),
                        view.get().get(), thread.get());
}

void dsl::setMaxRegisters(Scope &scope, int64_t count, bool increase) {
  NVVM::SetMaxRegisterOp::create(
      scope.builder, scope.loc, static_cast<uint32_t>(count),
      increase ? NVVM::SetMaxRegisterAction::increase
               : NVVM::SetMaxRegisterAction::decrease);
}

Val dsl::electThread(Scope &scope) {
  return Val(scope,
             NVVM::ElectSyncOp::create(scope.builder, scope.loc,
                                       scope.builder.getI1Type(), Value()));
}

Val dsl::broadcastFirst(Val value) {
  Scope &scope = value.getScope();
  Val all = i32Constant(scope, -1), lane = i32Constant(scope, 0),
      clamp = i32Constant(scope, 31);
  return Val(scope, NVVM::ShflOp::create(scope.builder, scope.loc,
                                         value.getType(), all.get(),
                                         value.get(), lane.get(), clamp.get(),
                                         NVVM::ShflKind::idx, UnitAttr()));
}

void dsl::syncWarp(Scope &scope) {
  NVVM::SyncWarpOp::create(scope.builder, scope.loc,
                           i32Constant(scope, -1).get());
}

void dsl::namedBarrier(Val id, int64_t threads) {
  Scope &scope = id.getScope();
  NVVM::BarrierOp::create(scope.builder, scope.loc, Type(), id.get(),
                          i32Constant(scope, threads).get(),
                          NVVM::BarrierReductionAttr(), Value());
}

void dsl::clusterBarrier(Scope &scope) {
  NVVM::ClusterArriveOp::create(scope.builder, scope.loc, UnitAttr());
  NVVM::ClusterWaitOp::create(scope.builder, scope.loc, UnitAttr());
}

View dsl::clusterView(View view, Val block) {
  Scope &scope = view.get().getScope();
  return View(Val(scope, ClusterViewOp::create(scope.builder, scope.loc,
                                               view.get().get(), block.get())));
}

void dsl::launchDependents(Scope &scope) {
  NVVM::GriddepcontrolOp::create(scope.builder, scope.loc,
                                 NVVM::GridDepActionKind::launch_dependents);
}

void dsl::waitForGrids(Scope &scope) {
  NVVM::GriddepcontrolOp::create(scope.builder, scope.loc,
                                 NVVM::GridDepActionKind::wait);
}
