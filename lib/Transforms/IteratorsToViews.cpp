// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rewrites tile iterators as views, layouts and coordinates.
#include "ControlFlow.h"
#include "TilePlace.h"

#include "tile/Transforms/Passes.h"

#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tile {
#define GEN_PASS_DEF_TILEITERATORSTOVIEWS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;
using Arith = IndexArith;

namespace {

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// Whether masks of iterators of a type, in either phase, are set somewhere.
using SetsMasks = std::function<bool(IteratorType)>;

/// Words that are all `number`.
Value makeWords(Arith arith, IteratorType type, int32_t number) {
  int64_t words = llvm::divideCeil(type.getNumPredicates(), 32);
  auto vector = VectorType::get({words}, arith.builder.getI32Type());
  return arith::ConstantOp::create(
      arith.builder, arith.loc,
      DenseElementsAttr::get(vector, arith.builder.getI32IntegerAttr(number)));
}

struct RewriteMakeIterator : OpConversionPattern<MakeIteratorOp> {
  RewriteMakeIterator(const TypeConverter &converter, MLIRContext *context,
                      SetsMasks setsMasks)
      : OpConversionPattern(converter, context),
        setsMasks(std::move(setsMasks)) {}
  SetsMasks setsMasks;

  LogicalResult
  matchAndRewrite(MakeIteratorOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Arith arith{rewriter, op.getLoc()};
    IteratorType type = op.getResult().getType();
    if (!findLeaves(op.getView()))
      return failure();
    TilePlace place;
    place.view = *findLeaves(op.getView());
    place.view.pointer =
        ViewPointerOp::create(rewriter, op.getLoc(), op.getView());
    SmallVector<Value> coords = flatten(adaptor.getCoordOperands());
    for (unsigned dim : {0u, 1u})
      place.tile[dim] =
          arith.get(getLeaf(rewriter, op.getCoord(), dim, coords));
    place.thread = adaptor.getThread().front();
    if (type.getSteps() != 1)
      place.step = arith.constant(0);
    if (!type.isIdentity())
      setCoordinates(op, adaptor, arith, place);
    // What there is of the view is computed as for the iterator itself.
    IteratorState state;
    state.shape = type.isIdentity() ? place.view.shape : place.shape;
    place.indices = state.indices = findList(op, adaptor, arith);
    if (type.getPredicated()) {
      place.isCleared =
          arith::ConstantIntOp::create(rewriter, op.getLoc(), 0, 1);
      if (setsMasks(type)) {
        place.words = makeWords(arith, type, 0);
        place.isSet = place.isCleared;
      }
      SmallVector<Value> extents = getWalkedExtents(arith, type, state);
      for (int64_t dim : {0, 1}) {
        if (!TilePlace::isTested(type, dim))
          continue;
        Value extent = extents[dim];
        bool isResidue = type.getPhase() == IteratorPhase::Residue &&
                         type.getAdvance() == dim;
        place.limit[dim] =
            isResidue ? findResidue(arith, type, place, extent) : extent;
      }
    }
    rewriter.replaceOpWithMultiple(op, {place.pack()});
    return success();
  }

private:
  /// Sets what the map of coordinates has at run time.
  static void setCoordinates(MakeIteratorOp op, OneToNOpAdaptor adaptor,
                             Arith arith, TilePlace &place) {
    place.shape = flatten(adaptor.getShapeOperands());
    place.stride = flatten(adaptor.getStrideOperands());
    place.divide = flatten(adaptor.getDivideOperands());
    SmallVector<Value> origin = flatten(adaptor.getOriginOperands());
    unsigned modes = op.getView().getType().getLayout().rank();
    for (unsigned mode = 0; mode < modes; ++mode)
      place.origin.push_back(
          op.getOrigin()
              ? arith.get(getLeaf(arith.builder, *op.getOrigin(), mode, origin))
              : arith.constant(0));
  }

  /// Sets the residue: what whole tiles leave over of the extent, or a whole
  /// tile. Returns where the elements end that the residue tile has.
  static Value findResidue(Arith arith, IteratorType type, TilePlace &place,
                           Value extent) {
    int64_t dim = type.getAdvance();
    Value tile = arith.constant(type.getMap().getTileShape()[dim]);
    Value zero = arith.constant(0), begin = place.tile[dim];
    Value left = arith.select(arith.less(extent, begin), zero,
                              arith.fold<arith::SubIOp>(extent, begin));
    Value rest = arith.fold<arith::RemUIOp>(left, tile);
    Value whole =
        arith.fold<arith::CmpIOp>(arith::CmpIPredicate::eq, rest, zero);
    place.residue = arith.select(whole, tile, rest);
    return arith.add(begin, arith.fold<arith::MinUIOp>(place.residue, left));
  }
};

/// Replaces an operation by the place that `move` makes of its operand's.
template <typename OpT>
struct RewriteMove : OpConversionPattern<OpT> {
  using OneToNOpAdaptor = typename OpConversionPattern<OpT>::OneToNOpAdaptor;
  using Move = void (*)(OpT, OneToNOpAdaptor, Arith, TilePlace &);
  RewriteMove(const TypeConverter &converter, MLIRContext *context, Move move)
      : OpConversionPattern<OpT>(converter, context), move(move) {}
  Move move;

  LogicalResult
  matchAndRewrite(OpT op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Arith arith{rewriter, op.getLoc()};
    IteratorType type = op.getIterator().getType();
    TilePlace place = TilePlace::unpack(type, adaptor.getIterator());
    move(op, adaptor, arith, place);
    rewriter.replaceOpWithMultiple(op, {place.pack()});
    return success();
  }
};

void advance(IteratorAdvanceOp op,
             RewriteMove<IteratorAdvanceOp>::OneToNOpAdaptor adaptor,
             Arith arith, TilePlace &place) {
  IteratorType type = op.getIterator().getType();
  int64_t dim = type.getAdvance();
  Value tiles = op.getSteps() ? adaptor.getSteps().front() : arith.constant(1);
  if (place.step) {
    Value count = arith.constant(type.getSteps());
    Value next = arith.add(place.step, tiles);
    place.step = arith.fold<arith::RemUIOp>(next, count);
    tiles = arith.fold<arith::DivUIOp>(next, count);
  }
  Value by = place.residue
                 ? place.residue
                 : arith.mul(tiles, type.getMap().getTileShape()[dim]);
  place.tile[dim] = arith.add(place.tile[dim], by);
  place.leaveResidue(arith, dim);
  if (type.getTriangle() && !type.isMasked())
    place.forgetMasks(arith);
}

void retreat(IteratorRetreatOp op,
             RewriteMove<IteratorRetreatOp>::OneToNOpAdaptor, Arith arith,
             TilePlace &place) {
  IteratorType type = op.getIterator().getType();
  int64_t dim = type.getAdvance();
  Value step = arith.constant(type.getMap().getTileShape()[dim]);
  place.tile[dim] = arith.fold<arith::SubIOp>(place.tile[dim], step);
  if (type.getTriangle())
    place.forgetMasks(arith);
}

void addPointerOffset(
    IteratorAddPointerOffsetOp op,
    RewriteMove<IteratorAddPointerOffsetOp>::OneToNOpAdaptor adaptor,
    Arith arith, TilePlace &place) {
  place.view.pointer = arith.move(
      place.view.pointer, op.getIterator().getType().getView().getElementType(),
      adaptor.getOffset().front());
}

void clearMask(IteratorClearMaskOp op,
               RewriteMove<IteratorClearMaskOp>::OneToNOpAdaptor adaptor,
               Arith arith, TilePlace &place) {
  Value condition = adaptor.getCondition().front();
  place.isCleared = arith.fold<arith::OrIOp>(place.isCleared, condition);
  if (place.words)
    place.words =
        arith.select(condition, makeWords(arith, op.getIterator().getType(), 0),
                     place.words);
}

void setWords(Arith arith, TilePlace &place, Value words) {
  place.words = words;
  place.isSet = arith::ConstantIntOp::create(arith.builder, arith.loc, 1, 1);
}

void setMask(IteratorSetMaskOp,
             RewriteMove<IteratorSetMaskOp>::OneToNOpAdaptor adaptor,
             Arith arith, TilePlace &place) {
  setWords(arith, place, adaptor.getMask().front());
}

void enableMask(IteratorEnableMaskOp op,
                RewriteMove<IteratorEnableMaskOp>::OneToNOpAdaptor, Arith arith,
                TilePlace &place) {
  // A masked iterator accesses what exists again.
  if (op.getIterator().getType().isMasked())
    return place.forgetMasks(arith);
  setWords(arith, place, makeWords(arith, op.getIterator().getType(), -1));
}

void addTileOffset(
    IteratorAddTileOffsetOp op,
    RewriteMove<IteratorAddTileOffsetOp>::OneToNOpAdaptor adaptor, Arith arith,
    TilePlace &place) {
  IteratorType type = op.getIterator().getType();
  SmallVector<Value> offsets = flatten(adaptor.getOffsetOperands());
  int64_t along = type.getAdvance();
  bool crosses = false;
  for (int64_t dim : {0, 1}) {
    const IntTuple &offset = op.getOffset()[dim];
    if (offset.isStatic(0))
      continue;
    int64_t tile = type.getMap().getTileShape()[dim];
    Value step = arith.mul(
        arith.get(getLeaf(arith.builder, op.getOffset(), dim, offsets)), tile);
    // The first tile along the advance dimension is the residue.
    if (place.residue && dim == along)
      step =
          arith.add(place.residue,
                    arith.constant(offset.getInt().getValue() * tile - tile));
    place.tile[dim] = arith.add(place.tile[dim], step);
    crosses |= dim != along;
  }
  auto result = cast<IteratorType>(op.getResult().getType());
  if (result.getPhase() == IteratorPhase::Steady)
    place.leaveResidue(arith, along);
  if (crosses || type.getTriangle())
    place.forgetMasks(arith);
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// The number of the first value of a fragment, and of its values.
std::pair<int64_t, int64_t>
getValues(IteratorType type, std::optional<ArrayRef<int64_t>> accesses) {
  int64_t vector = getAccessPattern(type.getMap()).vector;
  if (accesses)
    return {(*accesses)[0] * vector, (*accesses)[1] * vector};
  return {0, type.getFragmentSize()};
}

Value loadFragment(Arith arith, IteratorType type, ValueRange values,
                   std::optional<ArrayRef<int64_t>> range = {}) {
  auto [first, count] = getValues(type, range);
  Accesses accesses(arith, type, TilePlace::unpack(type, values));
  return gatherElements(
      arith, VectorType::get({count}, type.getView().getElementType()),
      accesses.getPlan().width, [&, first = first](int64_t value) {
        return accesses.load(first + value);
      });
}

void storeFragment(Arith arith, IteratorType type, ValueRange values,
                   Value fragment,
                   std::optional<ArrayRef<int64_t>> range = {}) {
  int64_t first = getValues(type, range).first;
  Accesses accesses(arith, type, TilePlace::unpack(type, values));
  scatterElements(arith, fragment, accesses.getPlan().width,
                  [&](int64_t value, Value stored) {
                    accesses.store(first + value, stored);
                  });
}

struct RewriteLoad : OpConversionPattern<IteratorLoadOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(IteratorLoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op,
                       loadFragment(Arith{rewriter, op.getLoc()},
                                    op.getIterator().getType(),
                                    adaptor.getIterator(), op.getAccesses()));
    return success();
  }
};

struct RewriteStore : OpConversionPattern<IteratorStoreOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(IteratorStoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    storeFragment(Arith{rewriter, op.getLoc()}, op.getIterator().getType(),
                  adaptor.getIterator(), adaptor.getFragment().front(),
                  op.getAccesses());
    rewriter.eraseOp(op);
    return success();
  }
};

struct RewriteCopy : OpConversionPattern<CopyOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(CopyOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value fragment =
        loadFragment(Arith{rewriter, op.getSource().getLoc()},
                     op.getSource().getType(), adaptor.getSource());
    storeFragment(Arith{rewriter, op.getDestination().getLoc()},
                  op.getDestination().getType(), adaptor.getDestination(),
                  fragment);
    rewriter.eraseOp(op);
    return success();
  }
};

/// The predicates of the current phase, packed as the iterator has them.
struct RewriteGetMask : OpConversionPattern<IteratorGetMaskOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(IteratorGetMaskOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Arith arith{rewriter, op.getLoc()};
    IteratorType type = op.getIterator().getType();
    Accesses accesses(arith, type,
                      TilePlace::unpack(type, adaptor.getIterator()));
    Type i32 = rewriter.getI32Type();
    auto number = [&](int64_t value) -> Value {
      return arith::ConstantIntOp::create(rewriter, op.getLoc(), value, 32);
    };
    auto vector = cast<VectorType>(op.getMask().getType());
    SmallVector<Value> words(vector.getNumElements(), number(0));
    for (int64_t bit = 0, e = type.getNumPredicates(); bit < e; ++bit) {
      Value isOn = arith.fold<arith::ExtUIOp>(
          i32, accesses.getPredicate(bit * accesses.getPlan().width));
      isOn = arith.fold<arith::ShLIOp>(isOn, number(bit % 32));
      words[bit / 32] = arith.fold<arith::OrIOp>(words[bit / 32], isOn);
    }
    rewriter.replaceOpWithNewOp<vector::FromElementsOp>(op, vector, words);
    return success();
  }
};

/// Iterators are equal if they are at one place.
struct RewriteEqual : OpConversionPattern<IteratorEqualOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(IteratorEqualOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Arith arith{rewriter, op.getLoc()};
    IteratorType type = op.getLhs().getType();
    Accesses lhs(arith, type, TilePlace::unpack(type, adaptor.getLhs())),
        rhs(arith, type, TilePlace::unpack(type, adaptor.getRhs()));
    Value equal =
        LLVM::ICmpOp::create(rewriter, op.getLoc(), LLVM::ICmpPredicate::eq,
                             lhs.getAddress(), rhs.getAddress());
    if (type.isFolded()) {
      std::array<Value, 2> left = lhs.getFirst(), right = rhs.getFirst();
      for (int64_t dim : {0, 1})
        equal = arith.fold<arith::AndIOp>(
            equal, arith.fold<arith::CmpIOp>(arith::CmpIPredicate::eq,
                                             left[dim], right[dim]));
    }
    rewriter.replaceOp(op, equal);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Reports a view, or a list of indices, whose extents are not seen.
LogicalResult checkLeaves(Operation *op, Value view, bool isList) {
  if (!view || findLeaves(view))
    return success();
  InFlightDiagnostic error = op->emitOpError("expected ");
  error << (isList ? "indices whose run-time extent and stride are known here, "
                     "but they are not made here"
                   : "a view whose run-time extents and strides are known "
                     "here, but operand #0 is not made here");
  error.attachNote() << "tile.make_view, and slices, tiles and transposes of "
                        "its result, would do";
  return error;
}

/// Reports an operation that has no form on views.
LogicalResult checkOperation(Operation *op) {
  // The words of a mapped iterator, and what it compares, are of its lowering.
  bool isMapped = op->getNumOperands() > 0 &&
                  llvm::any_of(op->getOperandTypes(), [](Type type) {
                    auto iterator = dyn_cast<IteratorType>(type);
                    return iterator && iterator.isMapped();
                  });
  if (isa<CopyAsyncOp>(op) ||
      (isMapped &&
       isa<IteratorGetMaskOp, IteratorSetMaskOp, IteratorEqualOp>(op)))
    return op->emitOpError("expected an operation on iterators that has a form "
                           "on views, but this one has none");
  Value view, indices;
  if (auto make = dyn_cast<MakeIteratorOp>(op)) {
    view = make.getView();
    indices = make.getIndices();
  }
  if (failed(checkLeaves(op, view, /*isList=*/false)))
    return failure();
  return checkLeaves(op, indices, /*isList=*/true);
}

/// Writes recipes out, where there are any.
LogicalResult expandRecipes(Operation *root) {
  WalkResult found = root->walk([](Operation *op) {
    return isa<MakeTensorIteratorOp, MakePermutedViewOp>(op)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  if (!found.wasInterrupted())
    return success();
  RewritePatternSet patterns(root->getContext());
  MakeTensorIteratorOp::getCanonicalizationPatterns(patterns,
                                                    root->getContext());
  MakePermutedViewOp::getCanonicalizationPatterns(patterns, root->getContext());
  return applyPatternsGreedily(
      root, std::move(patterns),
      GreedyRewriteConfig().enableFolding(false).setRegionSimplificationLevel(
          GreedySimplifyRegionLevel::Disabled));
}

struct TileIteratorsToViewsPass
    : tile::impl::TileIteratorsToViewsBase<TileIteratorsToViewsPass> {
  void runOnOperation() override {
    if (failed(expandRecipes(getOperation())))
      return signalPassFailure();
    bool fine = true;
    getOperation()->walk(
        [&](Operation *op) { fine &= succeeded(checkOperation(op)); });
    if (!fine)
      return signalPassFailure();
    MLIRContext *context = &getContext();
    // Types, of the steady phase, whose masks are set.
    llvm::DenseSet<Type> masked;
    getOperation()->walk([&](Operation *op) {
      if (isa<IteratorSetMaskOp, IteratorEnableMaskOp>(op))
        masked.insert(
            cast<IteratorType>(op->getOperand(0).getType()).getSteady());
    });
    SetsMasks setsMasks = [&](IteratorType type) {
      return !type.isMasked() && masked.contains(type.getSteady());
    };
    TypeConverter converter;
    converter.addConversion([](Type type) { return type; });
    converter.addConversion(
        [&](IteratorType type,
            SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
          llvm::append_range(types, TilePlace::getTypes(type, setsMasks(type)));
          return success();
        });
    RewritePatternSet patterns(context);
    patterns.add<RewriteMakeIterator>(converter, context, setsMasks);
    patterns.add<RewriteLoad, RewriteStore, RewriteCopy, RewriteGetMask,
                 RewriteEqual>(converter, context);
    patterns.add<RewriteMove<IteratorSetMaskOp>>(converter, context, setMask);
    patterns.add<RewriteMove<IteratorEnableMaskOp>>(converter, context,
                                                    enableMask);
    patterns.add<RewriteMove<IteratorAdvanceOp>>(converter, context, advance);
    patterns.add<RewriteMove<IteratorRetreatOp>>(converter, context, retreat);
    patterns.add<RewriteMove<IteratorAddPointerOffsetOp>>(converter, context,
                                                          addPointerOffset);
    patterns.add<RewriteMove<IteratorClearMaskOp>>(converter, context,
                                                   clearMask);
    patterns.add<RewriteMove<IteratorAddTileOffsetOp>>(converter, context,
                                                       addTileOffset);
    populateLowerToCanonicalPatterns(converter, patterns);
    ConversionTarget target(*context);
    target.markUnknownOpDynamicallyLegal([&](Operation *op) {
      auto isIterator = llvm::IsaPred<IteratorType>;
      return llvm::none_of(op->getOperandTypes(), isIterator) &&
             llvm::none_of(op->getResultTypes(), isIterator);
    });
    if (failed(convertWithControlFlow(getOperation(), converter, target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
