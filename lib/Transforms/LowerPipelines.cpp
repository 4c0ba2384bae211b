// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers pipelines to mbarriers, and tensor copies to one bulk copy a box.
#include "ControlFlow.h"

#include "tile/Atoms/TmaBox.h"
#include "tile/IR/Tile.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/DialectConversion.h"

namespace tile {
#define GEN_PASS_DEF_TILELOWERPIPELINES
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

namespace {

/// Nanoseconds that a thread may sleep in one attempt to pass a barrier; the
/// attempts repeat until it does.
constexpr int64_t kWaitTicks = 10000000;

/// Marks an op whose arrivals and waits have the scope of the cluster.
constexpr StringLiteral kClusterScope = "cluster_scope";

Value constant32(OpBuilder &builder, Location loc, int64_t number) {
  return arith::ConstantIntOp::create(builder, loc, number, 32);
}

/// A pipeline's barriers. Those of full stages come first, then those of empty
/// ones.
struct Barriers {
  OpBuilder &builder;
  Location loc;
  Value base;
  int64_t stages;

  Value at(Value index) const {
    return LLVM::GEPOp::create(builder, loc, base.getType(),
                               builder.getI64Type(), base,
                               ArrayRef<LLVM::GEPArg>{index});
  }
  Value full(Value stage) const { return at(stage); }
  Value empty(Value stage) const {
    return at(builder.createOrFold<arith::AddIOp>(
        loc, stage, constant32(builder, loc, stages)));
  }
  /// Waits for a phase, and acquires what threads in `scope` have released.
  void wait(Value barrier, Value parity, NVVM::MemScopeKind scope) const {
    Value ticks = constant32(builder, loc, kWaitTicks);
    if (scope == NVVM::MemScopeKind::CTA) {
      NVVM::MBarrierTryWaitParityOp::create(builder, loc, barrier, parity,
                                            ticks);
      return;
    }
    // The op with a loop of its own has no scope.
    scf::WhileOp::create(
        builder, loc, TypeRange(), ValueRange(),
        [&](OpBuilder &builder, Location loc, ValueRange) {
          auto attempt = NVVM::MBarrierTryWaitOp::create(
              builder, loc, builder.getI1Type(), barrier, parity, ticks, scope,
              /*relaxed=*/false);
          Value again = arith::XOrIOp::create(
              builder, loc, attempt.getRes(),
              arith::ConstantIntOp::create(builder, loc, 1, 1));
          scf::ConditionOp::create(builder, loc, again, ValueRange());
        },
        [](OpBuilder &builder, Location loc, ValueRange) {
          scf::YieldOp::create(builder, loc);
        });
  }
  /// Arrives at a barrier, of another block of the cluster if there is one,
  /// after the thread's accesses as threads in `scope` see them.
  void arrive(Value barrier, ValueRange block, NVVM::MemScopeKind scope) const {
    if (!block.empty()) {
      barrier =
          NVVM::MapaOp::create(builder, loc,
                               LLVM::LLVMPointerType::get(
                                   builder.getContext(),
                                   static_cast<unsigned>(MemorySpace::Cluster)),
                               barrier, block.front());
    }
    NVVM::MBarrierArriveOp::create(builder, loc, Type(), barrier, Value(),
                                   scope);
  }
};

/// Whom the arrivals at a pipeline release to, and its waits acquire from.
///
/// Where threads of one block write or read what those of another do before or
/// after them, both sides need the scope of the cluster: without it, loads from
/// another block may still be on their way when that one overwrites what they
/// read. Such data comes with a commit to another block. What blocks share
/// otherwise are stages that tensor copies fill and wgmma reads: who has waited
/// for these knows that they are over, and a release at the scope of the
/// cluster would cost some 400 ns a stage.
NVVM::MemScopeKind getScope(Operation *op) {
  return op->hasAttr(kClusterScope) ? NVVM::MemScopeKind::CLUSTER
                                    : NVVM::MemScopeKind::CTA;
}

/// Marks the ops of pipelines that hand data to other blocks, before the first
/// of them is lowered.
void markClusterScopes(Operation *root) {
  root->walk([](PipelineCommitOp commit) {
    if (!commit.getBlock())
      return;
    for (Operation *user : commit.getPipeline().getUsers())
      user->setAttr(kClusterScope, UnitAttr::get(user->getContext()));
  });
}

/// The barriers of an operation on a pipeline, and its state: stage, parity.
template <typename OpT, typename AdaptorT>
std::tuple<Barriers, Value, Value> unpack(OpT op, AdaptorT adaptor,
                                          OpBuilder &builder) {
  Barriers barriers{builder, op.getLoc(), adaptor.getPipeline().front(),
                    op.getPipeline().getType().getStages()};
  return {barriers, adaptor.getState()[0], adaptor.getState()[1]};
}

struct LowerMakePipeline : OpConversionPattern<MakePipelineOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(MakePipelineOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    int64_t stages = op.getResult().getType().getStages();
    Value base = ViewPointerOp::create(rewriter, loc, op.getBarriers());
    Value thread = gpu::ThreadIdOp::create(rewriter, loc, gpu::Dimension::x);
    Value first =
        arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, thread,
                              arith::ConstantIndexOp::create(rewriter, loc, 0));
    scf::IfOp::create(
        rewriter, loc, first, [&](OpBuilder &builder, Location loc) {
          Barriers barriers{builder, loc, base, stages};
          for (int64_t i = 0; i < 2 * stages; ++i) {
            int64_t count = i < stages ? op.getProducers() : op.getConsumers();
            NVVM::MBarrierInitOp::create(
                builder, loc, barriers.at(constant32(builder, loc, i)),
                constant32(builder, loc, count), Value());
          }
          NVVM::FenceMbarrierInitOp::create(builder, loc);
          scf::YieldOp::create(builder, loc);
        });
    rewriter.replaceOp(op, base);
    return success();
  }
};

struct LowerPipelineStart : OpConversionPattern<PipelineStartOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(PipelineStartOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value count = adaptor.getCount().front();
    Value stages =
        constant32(rewriter, loc, op.getResult().getType().getStages());
    Value stage = rewriter.createOrFold<arith::RemUIOp>(loc, count, stages);
    Value round = rewriter.createOrFold<arith::DivUIOp>(loc, count, stages);
    Value parity = rewriter.createOrFold<arith::AndIOp>(
        loc, round, constant32(rewriter, loc, 1));
    rewriter.replaceOpWithMultiple(op, {ValueRange{stage, parity}});
    return success();
  }
};

struct LowerPipelineAdvance : OpConversionPattern<PipelineAdvanceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(PipelineAdvanceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value stage = adaptor.getState()[0], parity = adaptor.getState()[1];
    Value stages =
        constant32(rewriter, loc, op.getState().getType().getStages());
    Value one = constant32(rewriter, loc, 1);
    if (op.getBy()) {
      Value sum = rewriter.createOrFold<arith::AddIOp>(loc, stage,
                                                       adaptor.getBy().front());
      Value rounds = rewriter.createOrFold<arith::DivUIOp>(loc, sum, stages);
      stage = rewriter.createOrFold<arith::RemUIOp>(loc, sum, stages);
      parity = rewriter.createOrFold<arith::XOrIOp>(
          loc, parity, rewriter.createOrFold<arith::AndIOp>(loc, rounds, one));
    } else {
      Value next = rewriter.createOrFold<arith::AddIOp>(loc, stage, one);
      Value wraps = rewriter.createOrFold<arith::CmpIOp>(
          loc, arith::CmpIPredicate::eq, next, stages);
      stage = rewriter.createOrFold<arith::SelectOp>(
          loc, wraps, constant32(rewriter, loc, 0), next);
      Value flipped = rewriter.createOrFold<arith::XOrIOp>(loc, parity, one);
      parity =
          rewriter.createOrFold<arith::SelectOp>(loc, wraps, flipped, parity);
    }
    rewriter.replaceOpWithMultiple(op, {ValueRange{stage, parity}});
    return success();
  }
};

struct LowerPipelineStage : OpConversionPattern<PipelineStageOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(PipelineStageOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<arith::IndexCastUIOp>(
        op, rewriter.getIndexType(), adaptor.getState()[0]);
    return success();
  }
};

struct LowerPipelineAcquire : OpConversionPattern<PipelineAcquireOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(PipelineAcquireOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto [barriers, stage, parity] = unpack(op, adaptor, rewriter);
    // The round before the first counts as over.
    Value before = rewriter.createOrFold<arith::XOrIOp>(
        loc, parity, constant32(rewriter, loc, 1));
    barriers.wait(barriers.empty(stage), before, getScope(op));
    if (op.getBytes())
      NVVM::MBarrierArriveExpectTxOp::create(
          rewriter, loc, Type(), barriers.full(stage),
          constant32(rewriter, loc, *op.getBytes()), NVVM::MemScopeKind::CTA,
          /*relaxed=*/false, /*predicate=*/Value());
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerPipelineCommit : OpConversionPattern<PipelineCommitOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(PipelineCommitOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto [barriers, stage, parity] = unpack(op, adaptor, rewriter);
    barriers.arrive(barriers.full(stage), adaptor.getBlock(), getScope(op));
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerPipelineWait : OpConversionPattern<PipelineWaitOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(PipelineWaitOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto [barriers, stage, parity] = unpack(op, adaptor, rewriter);
    barriers.wait(barriers.full(stage), parity, getScope(op));
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerPipelineRelease : OpConversionPattern<PipelineReleaseOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(PipelineReleaseOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto [barriers, stage, parity] = unpack(op, adaptor, rewriter);
    barriers.arrive(barriers.empty(stage), adaptor.getBlock(), getScope(op));
    rewriter.eraseOp(op);
    return success();
  }
};

/// The boxes that a copy between a tensor and `view` consists of.
Result<TmaBoxes> getBoxes(ViewType view, int64_t contiguous) {
  return getTmaBoxes(view.getComposed(), view.getElementBytes() * 8, contiguous,
                     view.getBaseAlignment());
}

/// Reports a tensor copy that does not consist of boxes. Ahead of the
/// conversion, which would add an error of its own.
template <typename OpT>
LogicalResult checkBoxes(OpT op) {
  Result<TmaBoxes> boxes = getBoxes(op.getView().getType(), op.getContiguous());
  if (boxes)
    return success();
  return op.emitOpError("cannot copy the tile in boxes: ") << boxes.getReason();
}

/// Whether the rows of a tile lie in one box: where they are pixels, or the
/// tensor has dimensions between those of the tile, nothing else will do.
template <typename OpT>
LogicalResult checkRows(OpT op) {
  if (failed(checkBoxes(op)))
    return failure();
  if (op.getOffsets().empty() && op.getCoords().size() <= 3)
    return success();
  Result<TmaBoxes> boxes = getBoxes(op.getView().getType(), op.getContiguous());
  for (const TmaBoxes::Box &box : boxes->boxes)
    if ((op.getContiguous() == 1 ? box.row : box.column) != 0)
      return op.emitOpError("expected a tile of one box of rows from a tensor "
                            "of ")
             << op.getCoords().size() << " dimensions, but got another at "
             << (op.getContiguous() == 1 ? box.row : box.column);
  return success();
}

LogicalResult checkTensorCopies(Operation *root) {
  return failure(root->walk([](Operation *op) {
                       LogicalResult result = success();
                       if (auto load = dyn_cast<TmaLoadOp>(op))
                         result = checkRows(load);
                       else if (auto prefetch = dyn_cast<TmaPrefetchOp>(op))
                         result = checkRows(prefetch);
                       else if (auto store = dyn_cast<TmaStoreOp>(op))
                         result = checkBoxes(store);
                       return failed(result) ? WalkResult::interrupt()
                                             : WalkResult::advance();
                     })
                     .wasInterrupted());
}

/// The coordinates of one box of the tile at `coords`.
SmallVector<Value> getCoordinates(OpBuilder &builder, Location loc,
                                  const TmaBoxes::Box &box, int64_t contiguous,
                                  ValueRange coords) {
  SmallVector<Value> result(coords);
  std::array<int64_t, 2> offsets{box.row, box.column};
  for (unsigned i : {0u, 1u})
    result[i] = builder.createOrFold<arith::AddIOp>(
        loc, coords[i],
        constant32(builder, loc,
                   offsets[i == 0 ? contiguous : 1 - contiguous]));
  return result;
}

template <typename OpT>
NVVM::TMALoadMode getMode(OpT op) {
  return op.getOffsets().empty() ? NVVM::TMALoadMode::TILE
                                 : NVVM::TMALoadMode::IM2COL;
}

/// The shared address of one box of a tile.
Value getPointer(OpBuilder &builder, Location loc, Value tile,
                 const TmaBoxes::Box &box) {
  if (box.sharedBytes == 0)
    return tile;
  return LLVM::GEPOp::create(
      builder, loc, tile.getType(), builder.getI8Type(), tile,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(box.sharedBytes)});
}

struct LowerTmaLoad : OpConversionPattern<TmaLoadOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(TmaLoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Result<TmaBoxes> boxes =
        getBoxes(op.getView().getType(), op.getContiguous());
    if (!boxes)
      return failure();
    auto [barriers, stage, parity] = unpack(op, adaptor, rewriter);
    Value barrier = barriers.full(stage);
    Value tile = ViewPointerOp::create(rewriter, loc, op.getView());
    auto cluster = LLVM::LLVMPointerType::get(getContext(), 7);
    for (const TmaBoxes::Box &box : boxes->boxes) {
      Value place = getPointer(rewriter, loc, tile, box);
      SmallVector<Value> coords = getCoordinates(
          rewriter, loc, box, op.getContiguous(), op.getCoords());
      Value pointer =
          LLVM::AddrSpaceCastOp::create(rewriter, loc, cluster, place);
      NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
          rewriter, loc, pointer, op.getMap(), coords, barrier, op.getOffsets(),
          op.getMulticast(),
          /*l2CacheHint=*/Value(), getMode(op),
          /*isCTAOnly=*/false, /*group=*/nullptr, /*predicate=*/Value());
    }
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerTmaPrefetch : OpConversionPattern<TmaPrefetchOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(TmaPrefetchOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Result<TmaBoxes> boxes =
        getBoxes(op.getView().getType(), op.getContiguous());
    if (!boxes)
      return failure();
    for (const TmaBoxes::Box &box : boxes->boxes)
      NVVM::CpAsyncBulkTensorPrefetchOp::create(
          rewriter, loc, op.getMap(),
          getCoordinates(rewriter, loc, box, op.getContiguous(),
                         op.getCoords()),
          op.getOffsets(), getMode(op), /*l2CacheHint=*/Value());
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerTmaStore : OpConversionPattern<TmaStoreOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(TmaStoreOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Result<TmaBoxes> boxes =
        getBoxes(op.getView().getType(), op.getContiguous());
    if (!boxes)
      return failure();
    Value tile = ViewPointerOp::create(rewriter, loc, op.getView());
    for (const TmaBoxes::Box &box : boxes->boxes) {
      Value pointer = getPointer(rewriter, loc, tile, box);
      SmallVector<Value> coords = getCoordinates(
          rewriter, loc, box, op.getContiguous(), op.getCoords());
      NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp::create(
          rewriter, loc, op.getMap(), pointer, coords,
          /*l2CacheHint=*/Value(), NVVM::TMAStoreMode::TILE,
          /*predicate=*/Value());
    }
    rewriter.eraseOp(op);
    return success();
  }
};

struct TileLowerPipelinesPass
    : tile::impl::TileLowerPipelinesBase<TileLowerPipelinesPass> {
  using TileLowerPipelinesBase::TileLowerPipelinesBase;
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    TypeConverter converter;
    converter.addConversion([](Type type) { return type; });
    converter.addConversion([](PipelineType type) -> Type {
      return LLVM::LLVMPointerType::get(
          type.getContext(), static_cast<unsigned>(MemorySpace::Shared));
    });
    converter.addConversion(
        [](PipelineStateType type,
           SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
          types.append(2, IntegerType::get(type.getContext(), 32));
          return success();
        });
    RewritePatternSet patterns(context);
    patterns.add<LowerMakePipeline, LowerPipelineStart, LowerPipelineAdvance,
                 LowerPipelineStage, LowerPipelineAcquire, LowerPipelineCommit,
                 LowerPipelineWait, LowerPipelineRelease, LowerTmaLoad,
                 LowerTmaPrefetch, LowerTmaStore>(converter, context);
    ConversionTarget target(*context);
    target.markUnknownOpDynamicallyLegal([](Operation *op) {
      return !isa<MakePipelineOp, PipelineStartOp, PipelineAdvanceOp,
                  PipelineStageOp, PipelineAcquireOp, PipelineCommitOp,
                  PipelineWaitOp, PipelineReleaseOp, TmaLoadOp, TmaPrefetchOp,
                  TmaStoreOp>(op);
    });
    markClusterScopes(getOperation());
    if (failed(checkTensorCopies(getOperation())) ||
        failed(convertWithControlFlow(getOperation(), converter, target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
