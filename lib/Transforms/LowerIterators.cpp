// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers views and tile iterators to strip-mined loops over memory accesses.
#include "ControlFlow.h"
#include "FoldedPlaces.h"
#include "LoweredIterator.h"

#include "tile/IR/MixedTuple.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Transforms/DialectConversion.h"

namespace tile {
#define GEN_PASS_DEF_TILELOWERITERATORS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;
using Arith = IndexArith;

namespace {

//===----------------------------------------------------------------------===//
// Making iterators
//===----------------------------------------------------------------------===//

struct LowerMakeIterator : IteratorPattern<MakeIteratorOp> {
  using IteratorPattern::IteratorPattern;
  LogicalResult
  matchAndRewrite(MakeIteratorOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Arith arith{rewriter, op.getLoc(), unroll};
    rewriter.replaceOpWithMultiple(op, {op.getResult().getType().isMapped()
                                            ? makeMapped(op, adaptor, arith)
                                            : make(op, adaptor, arith)});
    return success();
  }

private:
  /// The list of a gather, with its length.
  static SmallVector<Value> getList(OneToNOpAdaptor adaptor) {
    SmallVector<Value> list(adaptor.getIndices());
    llvm::append_range(list, adaptor.getLength());
    return list;
  }

  /// A walk over a mapped matrix.
  static SmallVector<Value> makeMapped(MakeIteratorOp op,
                                       OneToNOpAdaptor adaptor, Arith arith) {
    IteratorType type = op.getResult().getType();
    MappedPlan plan(type);
    MappedState state;
    state.view = ViewState::unpack(type.getView(), adaptor.getView());
    state.coordShape = flatten(adaptor.getShapeOperands());
    state.coordStride = flatten(adaptor.getStrideOperands());
    state.divide = flatten(adaptor.getDivideOperands());
    unsigned modes = type.isIdentity() ? 0 : type.getView().getLayout().rank();
    SmallVector<Value> origin = flatten(adaptor.getOriginOperands());
    for (unsigned mode = 0; mode < modes; ++mode)
      state.origin.push_back(
          op.getOrigin()
              ? arith.get(getLeaf(arith.builder, *op.getOrigin(), mode, origin))
              : arith.constant(0));
    SmallVector<Value> coord = flatten(adaptor.getCoordOperands());
    std::array<Value, 2> inTile =
        arith.decode(plan.pattern.threads, adaptor.getThread().front());
    for (unsigned dim : {0u, 1u}) {
      state.tile.push_back(
          arith.get(getLeaf(arith.builder, op.getCoord(), dim, coord)));
      state.inTile.push_back(inTile[dim]);
    }
    if (type.getSteps() != 1)
      state.step.push_back(arith.constant(0));
    if (type.getPredicated())
      state.enabled.push_back(
          arith::ConstantIntOp::create(arith.builder, op.getLoc(), 1, 1));
    state.indices = getList(adaptor);
    startMappedWalk(arith, plan, state);
    return state.pack(plan);
  }

  /// A walk over a view.
  static SmallVector<Value> make(MakeIteratorOp op, OneToNOpAdaptor adaptor,
                                 Arith arith) {
    IteratorType type = op.getResult().getType();
    AccessPlan plan(type);
    const Layout &layout = plan.getLayout();
    ViewState view = ViewState::unpack(type.getView(), adaptor.getView());
    SmallVector<Value> coords = flatten(adaptor.getCoordOperands());
    Value thread = adaptor.getThread().front();

    std::array<Value, 2> inTile = arith.decode(plan.pattern.threads, thread);
    IteratorState state;
    SmallVector<Value> coord;
    for (unsigned dim : {0u, 1u}) {
      coord.push_back(
          arith.get(getLeaf(arith.builder, op.getCoord(), dim, coords)));
      state.first.push_back(arith.add(coord[dim], inTile[dim]));
    }
    state.stride = view.stride;
    state.shape = view.shape;
    state.pointer = view.pointer;
    state.indices = getList(adaptor);
    FoldedPlan folded(type);
    if (folded.isSeparable) {
      Value offset = arith.constant(0);
      for (unsigned dim : {0u, 1u})
        if (folded.kinds[dim] == FoldedPlan::Kind::Linear)
          offset = arith.add(
              offset, arith.mul(state.first[dim],
                                getFoldedStride(arith, folded, state, dim)));
      state.pointer = arith.move(view.pointer, plan.getElementType(), offset);
      arriveFolded(arith, folded, state, {0, 1});
      keepTileDigits(arith, folded, state);
    } else if (!type.isFolded()) {
      Value offset = arith.constant(0);
      for (unsigned dim : {0u, 1u}) {
        Value stride = arith.get(
            getLeaf(arith.builder, layout.getStride(), dim, view.stride));
        offset = arith.add(offset, arith.mul(state.first[dim], stride));
      }
      state.pointer = arith.move(view.pointer, plan.getElementType(), offset);
    }
    if (type.getPredicated()) {
      SmallVector<Value> extent = getWalkedExtents(arith, type, state);
      state.inTile.assign(inTile.begin(), inTile.end());
      if (type.getPhase() == IteratorPhase::Residue) {
        // What is left of the extent, and how much of it the first tile takes.
        int64_t advance = type.getAdvance();
        Value tile = arith.constant(type.getMap().getTileShape()[advance]);
        Value zero = arith.constant(0);
        Value past = arith.less(extent[advance], coord[advance]);
        Value left = arith.select(
            past, zero,
            arith.fold<arith::SubIOp>(extent[advance], coord[advance]));
        Value rest = arith.fold<arith::RemUIOp>(left, tile);
        Value whole =
            arith.fold<arith::CmpIOp>(arith::CmpIPredicate::eq, rest, zero);
        state.residue = arith.select(whole, tile, rest);
        Value valid = arith.fold<arith::MinUIOp>(state.residue, left);
        state.residueEnd = arith.add(coord[advance], valid);
      }
      computeMasks(arith, type, state, extent);
    }
    // What is not kept from here on.
    if (!type.keepsCoordinates()) {
      state.first.clear();
      state.shape.clear();
    }
    if (!type.computesMasks() || !mayLeaveTile(type.getMap()))
      state.inTile.clear();
    if (!type.computesMasks())
      state.residueEnd = Value();
    return state.pack();
  }
};

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

/// The number one.
Value getOne(Arith arith, Type type) {
  TypedAttr one = isa<FloatType>(type)
                      ? TypedAttr(arith.builder.getFloatAttr(type, 1.0))
                      : TypedAttr(arith.builder.getIntegerAttr(type, 1));
  return arith::ConstantOp::create(arith.builder, arith.loc, one);
}

struct LowerIteratorLoad : IteratorPattern<IteratorLoadOp> {
  using IteratorPattern::IteratorPattern;
  LogicalResult
  matchAndRewrite(IteratorLoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    LoweredIterator iterator(op.getIterator().getType(), adaptor.getIterator());
    const AccessPlan &plan = iterator.plan;
    auto [first, count] = getRange(plan.type, op.getAccesses());
    auto fragmentType = cast<VectorType>(op.getFragment().getType());
    auto accessType = VectorType::get({plan.width}, plan.getElementType());
    VectorType memoryType = getMemoryType(plan.getElementType(), plan.width);
    unsigned alignment = plan.width * plan.type.getView().getElementBytes();
    Arith arith{rewriter, op.getLoc(), unroll};
    Value init = arith::ConstantOp::create(rewriter, op.getLoc(),
                                           rewriter.getZeroAttr(fragmentType));
    Value fragment = forEachAccess(
        arith, iterator, first, count, init,
        [&](Arith arith, Access access, Value fragment) -> Value {
          OpBuilder &builder = arith.builder;
          Value loaded;
          if (access.predicate) {
            auto maskType = VectorType::get({plan.width}, builder.getI1Type());
            Value mask = vector::BroadcastOp::create(
                builder, arith.loc, maskType, access.predicate);
            Value zero = arith::ConstantOp::create(
                builder, arith.loc, builder.getZeroAttr(memoryType));
            loaded = LLVM::MaskedLoadOp::create(builder, arith.loc, memoryType,
                                                access.pointer, mask, zero,
                                                alignment);
          } else {
            loaded = LLVM::LoadOp::create(builder, arith.loc, memoryType,
                                          access.pointer, alignment);
          }
          loaded = castElements(arith, loaded, accessType);
          for (int64_t e = 0; e < plan.width; ++e) {
            Value element =
                vector::ExtractOp::create(builder, arith.loc, loaded, e);
            if (access.diagonal)
              element =
                  arith.select(access.diagonal,
                               getOne(arith, plan.getElementType()), element);
            Value position = arith.add(access.position, arith.constant(e));
            fragment =
                vector::InsertOp::create(builder, arith.loc, element, fragment,
                                         getAsOpFoldResult(position));
          }
          return fragment;
        });
    rewriter.replaceOp(op, fragment);
    return success();
  }
};

struct LowerIteratorStore : IteratorPattern<IteratorStoreOp> {
  using IteratorPattern::IteratorPattern;
  LogicalResult
  matchAndRewrite(IteratorStoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    LoweredIterator iterator(op.getIterator().getType(), adaptor.getIterator());
    const AccessPlan &plan = iterator.plan;
    auto [first, count] = getRange(plan.type, op.getAccesses());
    auto accessType = VectorType::get({plan.width}, plan.getElementType());
    unsigned alignment = plan.width * plan.type.getView().getElementBytes();
    Value fragment = adaptor.getFragment().front();
    forEachAccess(
        Arith{rewriter, op.getLoc(), unroll}, iterator, first, count, Value(),
        [&](Arith arith, Access access, Value) -> Value {
          OpBuilder &builder = arith.builder;
          SmallVector<Value> elements;
          for (int64_t e = 0; e < plan.width; ++e) {
            Value position = arith.add(access.position, arith.constant(e));
            elements.push_back(vector::ExtractOp::create(
                builder, arith.loc, fragment, getAsOpFoldResult(position)));
          }
          Value stored = vector::FromElementsOp::create(builder, arith.loc,
                                                        accessType, elements);
          stored = castElements(
              arith, stored, getMemoryType(plan.getElementType(), plan.width));
          if (access.predicate) {
            auto maskType = VectorType::get({plan.width}, builder.getI1Type());
            Value mask = vector::BroadcastOp::create(
                builder, arith.loc, maskType, access.predicate);
            LLVM::MaskedStoreOp::create(builder, arith.loc, stored,
                                        access.pointer, mask, alignment);
          } else {
            LLVM::StoreOp::create(builder, arith.loc, stored, access.pointer,
                                  alignment);
          }
          return Value();
        });
    rewriter.eraseOp(op);
    return success();
  }
};

/// A copy goes through registers.
struct LowerCopy : OpConversionPattern<CopyOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(CopyOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value fragment =
        IteratorLoadOp::create(rewriter, op.getSource().getLoc(),
                               op.getSource().getType().getFragmentType(),
                               op.getSource(), DenseI64ArrayAttr());
    IteratorStoreOp::create(rewriter, op.getDestination().getLoc(), fragment,
                            op.getDestination(), DenseI64ArrayAttr());
    rewriter.eraseOp(op);
    return success();
  }
};

/// A last warp that is not full costs as much as a full one.
void warnOfIdleLanes(MakeIteratorOp op) {
  int64_t threads = op.getResult().getType().getMap().getThreads();
  if (threads % 32 != 0)
    op.emitWarning("expected a thread map of whole warps of 32 threads, but "
                   "got ")
        << threads << ": " << 32 - threads % 32
        << " lanes of the last warp have nothing to do";
}

struct TileLowerIteratorsPass
    : tile::impl::TileLowerIteratorsBase<TileLowerIteratorsPass> {
  using TileLowerIteratorsBase::TileLowerIteratorsBase;
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    // Shared memory becomes a global of a symbol table that this pass may edit.
    WalkResult homeless = getOperation()->walk([&](AllocSharedOp op) {
      Operation *table = SymbolTable::getNearestSymbolTable(op);
      if (table && getOperation()->isAncestor(table))
        return WalkResult::advance();
      op.emitOpError("expected tile-lower-iterators to run on the module "
                     "around it, but got ")
          << getOperation()->getName();
      return WalkResult::interrupt();
    });
    if (homeless.wasInterrupted())
      return signalPassFailure();
    getOperation()->walk(warnOfIdleLanes);
    if (failed(placeSharedMemory(getOperation())))
      return signalPassFailure();
    TypeConverter converter;
    populateIteratorTypeConversions(converter);
    RewritePatternSet patterns(context);
    populateLowerIteratorPatterns(converter, patterns, unroll);
    ConversionTarget target(*context);
    target.markUnknownOpDynamicallyLegal([&](Operation *op) {
      if (isBlockOrderOp(op) || isStreamKOp(op))
        return false;
      return !isa<MakeViewOp, AllocSharedOp, ClusterViewOp, AllocRegistersOp,
                  AllocFragmentLikeOp, SliceOp, ViewTransposeOp, LocalTileOp,
                  LocalPartitionOp, ThreadPartitionOp, ViewRecastOp, ViewLoadOp,
                  ViewStoreOp, ViewReshapeOp, ViewPointerOp, MakeIteratorOp,
                  IteratorLoadOp, IteratorStoreOp, CopyOp, IteratorAdvanceOp,
                  IteratorAddPointerOffsetOp, IteratorAddTileOffsetOp,
                  IteratorClearMaskOp, IteratorEnableMaskOp, IteratorEqualOp,
                  IteratorGetMaskOp, IteratorLoadWithPointerOffsetOp,
                  IteratorLoadWithTileOffsetOp, IteratorRetreatOp,
                  IteratorSetMaskOp, IteratorStoreWithPointerOffsetOp,
                  IteratorStoreWithTileOffsetOp, AsyncCommitGroupOp,
                  AsyncWaitGroupOp, CopyAsyncOp, LoadMatrixOp,
                  MakeTensorIteratorOp, MakePermutedViewOp>(op);
    });
    if (failed(convertWithControlFlow(getOperation(), converter, target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

void tile::populateIteratorTypeConversions(TypeConverter &converter) {
  converter.addConversion([](Type type) { return type; });
  converter.addConversion(
      [](ViewType type,
         SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
        llvm::append_range(types, ViewState::getTypes(type));
        return success();
      });
  converter.addConversion(
      [](IteratorType type,
         SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
        llvm::append_range(types, LoweredIterator::getTypes(type));
        return success();
      });
}

void tile::populateLowerIteratorPatterns(const TypeConverter &converter,
                                         RewritePatternSet &patterns,
                                         bool unroll) {
  populateLowerViewPatterns(converter, patterns);
  populateLowerIteratorMovePatterns(converter, patterns, unroll);
  populateLowerAsyncCopyPatterns(converter, patterns, unroll);
  populateLowerBlockOrderPatterns(converter, patterns);
  populateLowerStreamKPatterns(converter, patterns);
  populateLowerMatrixLoadPatterns(converter, patterns);
  patterns.add<LowerCopy>(converter, patterns.getContext());
  patterns.add<LowerMakeIterator, LowerIteratorLoad, LowerIteratorStore>(
      converter, patterns.getContext(), unroll);
}
