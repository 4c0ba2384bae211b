// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers views and tile iterators to strip-mined loops over memory accesses.
#include "ControlFlow.h"
#include "FoldedPlaces.h"
#include "IteratorLowering.h"

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

/// A pattern that may write strip-mined loops.
template <typename OpT>
struct IteratorPattern : OpConversionPattern<OpT> {
  IteratorPattern(const TypeConverter &converter, MLIRContext *context,
                  bool unroll)
      : OpConversionPattern<OpT>(converter, context), unroll(unroll) {}
  bool unroll;
};

//===----------------------------------------------------------------------===//
// Making iterators
//===----------------------------------------------------------------------===//

struct LowerMakeIterator : IteratorPattern<MakeIteratorOp> {
  using IteratorPattern::IteratorPattern;
  LogicalResult
  matchAndRewrite(MakeIteratorOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Arith arith{rewriter, op.getLoc(), unroll};
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
      coord.push_back(arith.get(getLeaf(rewriter, op.getCoord(), dim, coords)));
      state.first.push_back(arith.add(coord[dim], inTile[dim]));
    }
    state.stride = view.stride;
    state.shape = view.shape;
    state.pointer = view.pointer;
    if (op.getIndices())
      state.indices = SmallVector<Value>(adaptor.getIndices());
    if (op.getLength())
      state.length = adaptor.getLength().front();
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
        Value stride =
            arith.get(getLeaf(rewriter, layout.getStride(), dim, view.stride));
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
    rewriter.replaceOpWithMultiple(op, {state.pack()});
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

} // namespace

Value tile::forEachAccess(Arith arith, const AccessPlan &plan,
                          const IteratorState &iterator, int64_t first,
                          int64_t count, Value init,
                          function_ref<Value(Arith, Access, Value)> body) {
  FoldedPlan folded(plan.type);
  IteratorState state = iterator;
  if (folded.isSeparable)
    lookUpPlaces(arith, folded, state, first * plan.parts,
                 (first + count) * plan.parts);
  const Layout &layout = plan.getLayout();
  auto stride = [&](Arith arith, int64_t dim) {
    return arith.get(
        getLeaf(arith.builder, layout.getStride(), dim, state.stride));
  };
  auto offsetOf = [&](Arith arith, Value access) {
    std::array<Value, 2> offset = arith.decode(plan.pattern.iterations, access);
    return arith.add(arith.mul(offset[0], stride(arith, 0)),
                     arith.mul(offset[1], stride(arith, 1)));
  };
  // With one mode of iterations the pointer moves by addition.
  const MapMode *only = nullptr;
  unsigned modes = 0;
  for (const MapMode &mode : plan.pattern.iterations)
    if (mode.size > 1) {
      only = &mode;
      ++modes;
    }
  bool isFolded = plan.type.isFolded();
  // An index that leads nowhere masks its access.
  SmallVector<Value> mask(state.mask);
  for (auto [word, inside] : llvm::zip(mask, state.inside))
    word = arith.fold<arith::AndIOp>(word, inside);
  bool increments = modes <= 1 && !isFolded;
  Value increment;
  if (modes == 1 && increments)
    increment = arith.mul(stride(arith, only->dim), only->stride);

  Type elementType = plan.getElementType();
  // One loop for the accesses whose predicates share a word. Where the bits of
  // one access straddle words, each access has a loop of its own.
  int64_t perLoop = count;
  if (!state.mask.empty())
    perLoop = 32 % plan.parts == 0 ? 32 / plan.parts : 1;
  Value carried = init;
  Value pointer = state.pointer;
  if (increments && first > 0)
    pointer = arith.move(pointer, elementType,
                         offsetOf(arith, arith.constant(first)));
  for (int64_t begin = first, end = first + count; begin < end;) {
    int64_t next = std::min(end, (begin / perLoop + 1) * perLoop);
    if (state.mask.empty())
      next = end;
    SmallVector<Value> values;
    if (increments)
      values.push_back(pointer);
    if (carried)
      values.push_back(carried);
    values = stripMinedLoop(
        arith, begin, next, values,
        [&](Arith arith, Value index, ValueRange values) -> SmallVector<Value> {
          Value base;
          if (increments)
            base = values[0];
          else if (!isFolded)
            base =
                arith.move(state.pointer, elementType, offsetOf(arith, index));
          Value carried = init ? values.back() : Value();
          Value position =
              arith.mul(arith.fold<arith::SubIOp>(index, arith.constant(first)),
                        plan.pattern.vector);
          for (int64_t part = 0; part < plan.parts; ++part) {
            Access access;
            access.index = index;
            access.part = part;
            access.position =
                arith.add(position, arith.constant(part * plan.width));
            if (!state.mask.empty()) {
              Type i32 = arith.builder.getI32Type();
              int64_t number = (begin * plan.parts + part) / 32;
              Value bit =
                  arith.add(arith.mul(index, plan.parts), arith.constant(part));
              bit = arith.fold<arith::SubIOp>(bit, arith.constant(number * 32));
              bit = arith.fold<arith::IndexCastOp>(i32, bit);
              auto test = [&](ArrayRef<Value> words) {
                return arith.fold<arith::TruncIOp>(
                    arith.builder.getI1Type(),
                    arith.fold<arith::ShRUIOp>(words[number], bit));
              };
              access.predicate = test(mask);
              if (!state.diagonal.empty())
                access.diagonal = test(state.diagonal);
            }
            if (isFolded) {
              std::array<Value, 2> at =
                  arith.decode(plan.pattern.iterations, index);
              at[plan.pattern.vectorDim] =
                  arith.add(at[plan.pattern.vectorDim],
                            arith.constant(part * plan.width));
              if (folded.isSeparable) {
                Value number = arith.add(arith.mul(index, plan.parts),
                                         arith.constant(part));
                access.pointer =
                    getFoldedPointer(arith, folded, state, number, at);
              } else {
                for (int64_t dim : {0, 1})
                  at[dim] = arith.add(state.first[dim], at[dim]);
                FoldedAccess found = getFoldedAccess(arith, plan.type, state,
                                                     at, access.predicate);
                access.pointer = found.pointer;
                if (found.inside)
                  access.predicate =
                      arith.fold<arith::AndIOp>(access.predicate, found.inside);
              }
            } else {
              access.pointer =
                  arith.move(base, elementType,
                             arith.mul(stride(arith, plan.pattern.vectorDim),
                                       part * plan.width));
            }
            carried = body(arith, access, carried);
          }
          SmallVector<Value> results;
          if (increments)
            results.push_back(
                increment ? arith.move(base, elementType, increment) : base);
          if (carried)
            results.push_back(carried);
          return results;
        });
    if (increments)
      pointer = values[0];
    if (carried)
      carried = values.back();
    begin = next;
  }
  return carried;
}

namespace {
/// The number one.
Value getOne(Arith arith, Type type) {
  TypedAttr one = isa<FloatType>(type)
                      ? TypedAttr(arith.builder.getFloatAttr(type, 1.0))
                      : TypedAttr(arith.builder.getIntegerAttr(type, 1));
  return arith::ConstantOp::create(arith.builder, arith.loc, one);
}

/// The accesses that an operation transfers.
std::pair<int64_t, int64_t>
getRange(const AccessPlan &plan, std::optional<ArrayRef<int64_t>> accesses) {
  if (accesses)
    return {(*accesses)[0], (*accesses)[1]};
  return {0, plan.pattern.getNumAccesses()};
}

struct LowerIteratorLoad : IteratorPattern<IteratorLoadOp> {
  using IteratorPattern::IteratorPattern;
  LogicalResult
  matchAndRewrite(IteratorLoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    AccessPlan plan(op.getIterator().getType());
    IteratorState state =
        IteratorState::unpack(plan.type, adaptor.getIterator());
    auto [first, count] = getRange(plan, op.getAccesses());
    auto fragmentType = cast<VectorType>(op.getFragment().getType());
    auto accessType = VectorType::get({plan.width}, plan.getElementType());
    VectorType memoryType = getMemoryType(plan.getElementType(), plan.width);
    unsigned alignment = plan.width * plan.type.getView().getElementBytes();
    Arith arith{rewriter, op.getLoc(), unroll};
    Value init = arith::ConstantOp::create(rewriter, op.getLoc(),
                                           rewriter.getZeroAttr(fragmentType));
    Value fragment = forEachAccess(
        arith, plan, state, first, count, init,
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
    AccessPlan plan(op.getIterator().getType());
    IteratorState state =
        IteratorState::unpack(plan.type, adaptor.getIterator());
    auto [first, count] = getRange(plan, op.getAccesses());
    auto accessType = VectorType::get({plan.width}, plan.getElementType());
    unsigned alignment = plan.width * plan.type.getView().getElementBytes();
    Value fragment = adaptor.getFragment().front();
    forEachAccess(
        Arith{rewriter, op.getLoc(), unroll}, plan, state, first, count,
        Value(), [&](Arith arith, Access access, Value) -> Value {
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
      if (isMappedIteratorOp(op) || isBlockOrderOp(op) || isStreamKOp(op) ||
          isMatrixOrRecipeOp(op))
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
                  AsyncWaitGroupOp, CopyAsyncOp>(op);
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
        llvm::append_range(types, IteratorState::getTypes(type));
        return success();
      });
  populateMappedIteratorTypeConversions(converter);
}

void tile::populateLowerIteratorPatterns(const TypeConverter &converter,
                                         RewritePatternSet &patterns,
                                         bool unroll) {
  populateLowerViewPatterns(converter, patterns);
  populateLowerIteratorMovePatterns(converter, patterns, unroll);
  populateLowerAsyncCopyPatterns(converter, patterns, unroll);
  populateLowerMappedIteratorPatterns(converter, patterns, unroll);
  populateLowerBlockOrderPatterns(converter, patterns);
  populateLowerStreamKPatterns(converter, patterns);
  populateLowerMatrixAndRecipePatterns(converter, patterns);
  patterns.add<LowerCopy>(converter, patterns.getContext());
  patterns.add<LowerMakeIterator, LowerIteratorLoad, LowerIteratorStore>(
      converter, patterns.getContext(), unroll);
}
