// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rewrites tile iterators as views, layouts and coordinates.
#include "ControlFlow.h"
#include "IteratorLowering.h"

#include "tile/IR/MixedTuple.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Transforms/DialectConversion.h"

namespace tile {
#define GEN_PASS_DEF_TILEITERATORSTOVIEWS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;
using Arith = IndexArith;

//===----------------------------------------------------------------------===//
// What an iterator is, in terms of views
//===----------------------------------------------------------------------===//

namespace {
/// A tile of a view, and the thread that accesses it.
struct TilePlace {
  /// The view: its pointer and run-time leaves.
  ViewState view;
  /// Where the tile begins, (row, column) in the view.
  std::array<Value, 2> tile;
  Value thread;
  /// Of a predicated iterator: whether no access is made; below which row and
  /// column there are elements (null: not tested).
  Value isCleared;
  std::array<Value, 2> limit;
  /// In the residue phase: elements of the residue tile.
  Value residue;

  /// Whether a dimension is tested in a phase.
  static bool isTested(IteratorType type, int64_t dim) {
    return type.getPredicated() && (type.getPhase() == IteratorPhase::Residue ||
                                    type.getAdvance() != dim);
  }

  static SmallVector<Type> getTypes(IteratorType type) {
    SmallVector<Type> types = ViewState::getTypes(type.getView());
    Type index = IndexType::get(type.getContext());
    types.append(3, index);
    if (!type.getPredicated())
      return types;
    types.push_back(IntegerType::get(type.getContext(), 1));
    for (int64_t dim : {0, 1})
      if (isTested(type, dim))
        types.push_back(index);
    if (type.getPhase() == IteratorPhase::Residue)
      types.push_back(index);
    return types;
  }

  static TilePlace unpack(IteratorType type, ValueRange values) {
    TilePlace place;
    unsigned ofView = ViewState::getTypes(type.getView()).size();
    place.view = ViewState::unpack(type.getView(), values.take_front(ofView));
    values = values.drop_front(ofView);
    auto take = [&] {
      Value value = values.front();
      values = values.drop_front();
      return value;
    };
    place.tile = {take(), take()};
    place.thread = take();
    if (!type.getPredicated())
      return place;
    place.isCleared = take();
    for (int64_t dim : {0, 1})
      if (isTested(type, dim))
        place.limit[dim] = take();
    if (type.getPhase() == IteratorPhase::Residue)
      place.residue = take();
    return place;
  }

  SmallVector<Value> pack() const {
    SmallVector<Value> values = view.pack();
    llvm::append_range(values, tile);
    values.push_back(thread);
    if (isCleared)
      values.push_back(isCleared);
    for (Value bound : limit)
      if (bound)
        values.push_back(bound);
    if (residue)
      values.push_back(residue);
    return values;
  }

  /// Goes on to whole tiles, whose place along `advance` is not tested.
  void leaveResidue(int64_t advance) {
    if (!residue)
      return;
    residue = Value();
    limit[advance] = Value();
  }
};
} // namespace

/// Run-time extents and strides of a view, from where it is made.
static std::optional<ViewState> findLeaves(Value view) {
  auto type = cast<ViewType>(view.getType());
  if (type.getLayout().isStatic())
    return ViewState();
  Operation *op = view.getDefiningOp();
  if (auto make = dyn_cast_or_null<MakeViewOp>(op))
    return ViewState{Value(), SmallVector<Value>(make.getShapeOperands()),
                     SmallVector<Value>(make.getStrideOperands())};
  if (auto tile = dyn_cast_or_null<LocalTileOp>(op)) {
    std::optional<ViewState> leaves = findLeaves(tile.getView());
    if (leaves)
      leaves->shape.clear();
    return leaves;
  }
  if (!isa_and_nonnull<ViewTransposeOp, SliceOp>(op))
    return std::nullopt;
  Value source = op->getOperand(0);
  std::optional<ViewState> leaves = findLeaves(source);
  if (!leaves)
    return std::nullopt;
  // The modes that are kept, in their new order.
  const Layout &layout = cast<ViewType>(source.getType()).getLayout();
  SmallVector<unsigned> kept;
  if (auto slice = dyn_cast<SliceOp>(op)) {
    for (unsigned i = 0, e = layout.rank(); i < e; ++i)
      if (slice.getCoord()[i].isWildcard())
        kept.push_back(i);
  } else {
    kept = {1, 0};
  }
  auto keep = [&](const IntTuple &tuple, SmallVector<Value> &values) {
    SmallVector<Value> result;
    for (unsigned mode : kept) {
      unsigned first = 0;
      for (unsigned i = 0; i < mode; ++i)
        first += getNumDynamicLeaves(tuple[i]);
      llvm::append_range(result, ValueRange(values).slice(
                                     first, getNumDynamicLeaves(tuple[mode])));
    }
    values = std::move(result);
  };
  keep(layout.getShape(), leaves->shape);
  keep(layout.getStride(), leaves->stride);
  return leaves;
}

namespace {

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

struct RewriteMakeIterator : OpConversionPattern<MakeIteratorOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(MakeIteratorOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Arith arith{rewriter, op.getLoc()};
    IteratorType type = op.getResult().getType();
    std::optional<ViewState> leaves = findLeaves(op.getView());
    if (!leaves)
      return failure();
    TilePlace place;
    place.view = *leaves;
    place.view.pointer =
        ViewPointerOp::create(rewriter, op.getLoc(), op.getView());
    SmallVector<Value> coords = flatten(adaptor.getCoordOperands());
    for (unsigned dim : {0u, 1u})
      place.tile[dim] =
          arith.get(getLeaf(rewriter, op.getCoord(), dim, coords));
    place.thread = adaptor.getThread().front();
    if (type.getPredicated()) {
      place.isCleared =
          arith::ConstantIntOp::create(rewriter, op.getLoc(), 0, 1);
      const IntTuple &shape = type.getView().getLayout().getShape();
      for (int64_t dim : {0, 1}) {
        if (!TilePlace::isTested(type, dim))
          continue;
        Value extent =
            arith.get(getLeaf(rewriter, shape, dim, place.view.shape));
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
    TilePlace place =
        TilePlace::unpack(op.getIterator().getType(), adaptor.getIterator());
    move(op, adaptor, Arith{rewriter, op.getLoc()}, place);
    rewriter.replaceOpWithMultiple(op, {place.pack()});
    return success();
  }
};

void advance(IteratorAdvanceOp op,
             RewriteMove<IteratorAdvanceOp>::OneToNOpAdaptor, Arith arith,
             TilePlace &place) {
  IteratorType type = op.getIterator().getType();
  int64_t dim = type.getAdvance();
  Value step = place.residue
                   ? place.residue
                   : arith.constant(type.getMap().getTileShape()[dim]);
  place.tile[dim] = arith.add(place.tile[dim], step);
  place.leaveResidue(dim);
}

void retreat(IteratorRetreatOp op,
             RewriteMove<IteratorRetreatOp>::OneToNOpAdaptor, Arith arith,
             TilePlace &place) {
  IteratorType type = op.getIterator().getType();
  int64_t dim = type.getAdvance();
  Value step = arith.constant(type.getMap().getTileShape()[dim]);
  place.tile[dim] = arith.fold<arith::SubIOp>(place.tile[dim], step);
}

void addPointerOffset(
    IteratorAddPointerOffsetOp op,
    RewriteMove<IteratorAddPointerOffsetOp>::OneToNOpAdaptor adaptor,
    Arith arith, TilePlace &place) {
  place.view.pointer = arith.move(
      place.view.pointer, op.getIterator().getType().getView().getElementType(),
      adaptor.getOffset().front());
}

void clearMask(IteratorClearMaskOp,
               RewriteMove<IteratorClearMaskOp>::OneToNOpAdaptor adaptor,
               Arith arith, TilePlace &place) {
  place.isCleared =
      arith.fold<arith::OrIOp>(place.isCleared, adaptor.getCondition().front());
}

void addTileOffset(
    IteratorAddTileOffsetOp op,
    RewriteMove<IteratorAddTileOffsetOp>::OneToNOpAdaptor adaptor, Arith arith,
    TilePlace &place) {
  IteratorType type = op.getIterator().getType();
  SmallVector<Value> offsets = flatten(adaptor.getOffsetOperands());
  int64_t along = type.getAdvance();
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
    // The predicates are those of the tile that it comes to.
    if (place.isCleared && dim != along)
      place.isCleared =
          arith::ConstantIntOp::create(arith.builder, arith.loc, 0, 1);
  }
  auto result = cast<IteratorType>(op.getResult().getType());
  if (result.getPhase() == IteratorPhase::Steady)
    place.leaveResidue(along);
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// The accesses of an iterator at a place, one after the other.
class Accesses {
public:
  Accesses(Arith arith, IteratorType type, const TilePlace &place)
      : arith(arith), plan(type), place(place) {
    OpBuilder &builder = arith.builder;
    const Layout &layout = plan.getLayout();
    MLIRContext *context = builder.getContext();
    // The view itself, as long as its pointer has not moved.
    auto pointer = place.view.pointer.getDefiningOp<ViewPointerOp>();
    if (pointer && pointer.getView().getType() == type.getView())
      view = pointer.getView();
    else
      view = MakeViewOp::create(builder, arith.loc, type.getView(),
                                place.view.pointer, place.view.shape,
                                place.view.stride,
                                IntTupleAttr::get(context, layout.getShape()),
                                IntTupleAttr::get(context, layout.getStride()));
    Layout tv = type.getMap().getTVLayout();
    if (!tv.hasBasis())
      return;
    map = MakeLayoutOp::create(builder, arith.loc, ValueRange(), ValueRange(),
                               IntTupleAttr::get(context, tv.getShape()),
                               IntTupleAttr::get(context, tv.getStride()))
              ->getResult(0);
  }

  const AccessPlan &getPlan() const { return plan; }
  /// What one access moves: an element, or a vector of them.
  Type getType() const {
    return plan.width == 1
               ? plan.getElementType()
               : VectorType::get({plan.width}, plan.getElementType());
  }

  /// The access of the values from `value` on.
  Value load(int64_t value) {
    Site site = getSite(value);
    OpBuilder &builder = arith.builder;
    if (!site.isInside)
      return ViewLoadOp::create(builder, arith.loc, getType(), view,
                                site.coordinate, site.tuple);
    auto branch = scf::IfOp::create(builder, arith.loc, TypeRange(getType()),
                                    site.isInside, /*withElseRegion=*/true);
    OpBuilder inside = branch.getThenBodyBuilder();
    Value loaded = ViewLoadOp::create(inside, arith.loc, getType(), view,
                                      site.coordinate, site.tuple);
    scf::YieldOp::create(inside, arith.loc, loaded);
    OpBuilder outside = branch.getElseBodyBuilder();
    Value zero = arith::ConstantOp::create(outside, arith.loc,
                                           outside.getZeroAttr(getType()));
    scf::YieldOp::create(outside, arith.loc, zero);
    return branch.getResult(0);
  }

  void store(int64_t value, Value stored) {
    Site site = getSite(value);
    OpBuilder builder = arith.builder;
    if (site.isInside)
      builder = scf::IfOp::create(builder, arith.loc, site.isInside,
                                  /*withElseRegion=*/false)
                    .getThenBodyBuilder();
    ViewStoreOp::create(builder, arith.loc, stored, view, site.coordinate,
                        site.tuple);
  }

private:
  /// Where an access is, and whether it is made (null: always).
  struct Site {
    SmallVector<Value> coordinate;
    IntTupleAttr tuple;
    Value isInside;
  };

  Site getSite(int64_t value) {
    OpBuilder &builder = arith.builder;
    // Dimensions along which the map does not move have no coordinate.
    SmallVector<Value, 2> inTile;
    if (map) {
      auto pair = IntTuple::tuple({IntTuple(Int::dynamic(1)), IntTuple(value)});
      auto coordinate = CoordinateOp::create(
          builder, arith.loc, ValueRange{place.thread},
          IntTupleAttr::get(builder.getContext(), pair), map);
      llvm::append_range(inTile, coordinate->getResults());
    }
    inTile.resize(2);
    Site site;
    SmallVector<IntTuple> leaves;
    auto test = [&](Value number, Value limit) {
      Value below = arith.less(number, limit);
      site.isInside = site.isInside
                          ? arith.fold<arith::AndIOp>(site.isInside, below)
                          : below;
    };
    ThreadMapAttrInterface tileMap = plan.type.getMap();
    for (int64_t dim : {0, 1}) {
      Value own = inTile[dim] ? inTile[dim] : arith.constant(0);
      Value number = arith.add(place.tile[dim], own);
      if (std::optional<int64_t> constant = getConstantIntValue(number)) {
        leaves.push_back(IntTuple(*constant));
      } else {
        site.coordinate.push_back(number);
        leaves.push_back(IntTuple(
            Int::dynamic(dim == plan.pattern.vectorDim ? plan.width : 1)));
      }
      if (place.limit[dim])
        test(number, place.limit[dim]);
      if (plan.type.getPredicated() && mayLeaveTile(tileMap))
        test(own, arith.constant(tileMap.getTileShape()[dim]));
    }
    if (site.isInside) {
      Value one = arith::ConstantIntOp::create(builder, arith.loc, 1, 1);
      site.isInside = arith.fold<arith::AndIOp>(
          site.isInside, arith.fold<arith::XOrIOp>(place.isCleared, one));
    }
    site.tuple =
        IntTupleAttr::get(builder.getContext(), IntTuple::tuple(leaves));
    return site;
  }

  Arith arith;
  AccessPlan plan;
  TilePlace place;
  /// The view, and the layout of the map; null if all elements are one.
  Value view, map;
};

/// Values [first, first + count) of a fragment, as accesses.
std::pair<int64_t, int64_t>
getValues(const AccessPlan &plan, std::optional<ArrayRef<int64_t>> accesses) {
  int64_t vector = plan.pattern.vector;
  if (accesses)
    return {(*accesses)[0] * vector, (*accesses)[1] * vector};
  return {0, plan.pattern.getNumAccesses() * vector};
}

Value loadFragment(Accesses &accesses, Arith arith,
                   std::optional<ArrayRef<int64_t>> range) {
  const AccessPlan &plan = accesses.getPlan();
  auto [first, count] = getValues(plan, range);
  SmallVector<Value> elements;
  for (int64_t value = 0; value < count; value += plan.width) {
    Value loaded = accesses.load(first + value);
    if (plan.width == 1) {
      elements.push_back(loaded);
      continue;
    }
    for (int64_t e = 0; e < plan.width; ++e)
      elements.push_back(
          vector::ExtractOp::create(arith.builder, arith.loc, loaded, e));
  }
  return vector::FromElementsOp::create(
      arith.builder, arith.loc, VectorType::get({count}, plan.getElementType()),
      elements);
}

void storeFragment(Accesses &accesses, Arith arith, Value fragment,
                   std::optional<ArrayRef<int64_t>> range) {
  const AccessPlan &plan = accesses.getPlan();
  auto [first, count] = getValues(plan, range);
  for (int64_t value = 0; value < count; value += plan.width) {
    SmallVector<Value> elements;
    for (int64_t e = 0; e < plan.width; ++e)
      elements.push_back(vector::ExtractOp::create(arith.builder, arith.loc,
                                                   fragment, value + e));
    Value stored = plan.width == 1
                       ? elements[0]
                       : vector::FromElementsOp::create(
                             arith.builder, arith.loc,
                             cast<VectorType>(accesses.getType()), elements)
                             .getResult();
    accesses.store(first + value, stored);
  }
}

struct RewriteLoad : OpConversionPattern<IteratorLoadOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(IteratorLoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Arith arith{rewriter, op.getLoc()};
    IteratorType type = op.getIterator().getType();
    Accesses accesses(arith, type,
                      TilePlace::unpack(type, adaptor.getIterator()));
    rewriter.replaceOp(op, loadFragment(accesses, arith, op.getAccesses()));
    return success();
  }
};

struct RewriteStore : OpConversionPattern<IteratorStoreOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(IteratorStoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Arith arith{rewriter, op.getLoc()};
    IteratorType type = op.getIterator().getType();
    Accesses accesses(arith, type,
                      TilePlace::unpack(type, adaptor.getIterator()));
    storeFragment(accesses, arith, adaptor.getFragment().front(),
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
    IteratorType source = op.getSource().getType(),
                 destination = op.getDestination().getType();
    Arith from{rewriter, op.getSource().getLoc()},
        to{rewriter, op.getDestination().getLoc()};
    Accesses reads(from, source,
                   TilePlace::unpack(source, adaptor.getSource()));
    Value fragment = loadFragment(reads, from, std::nullopt);
    Accesses writes(to, destination,
                    TilePlace::unpack(destination, adaptor.getDestination()));
    storeFragment(writes, to, fragment, std::nullopt);
    rewriter.eraseOp(op);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Reports an operation that has no form on views.
LogicalResult checkOperation(Operation *op) {
  if (isa<IteratorGetMaskOp, IteratorSetMaskOp, IteratorEnableMaskOp,
          IteratorEqualOp, CopyAsyncOp>(op))
    return op->emitOpError("expected an operation on iterators that has a form "
                           "on views, but this one has none");
  auto make = dyn_cast<MakeIteratorOp>(op);
  if (!make)
    return success();
  IteratorType type = make.getResult().getType();
  if (!type.getPermute().empty() || type.getGather() || type.getTriangle())
    return op->emitOpError("expected an iterator without permute, gather or "
                           "triangle, which have no form on views, but got ")
           << type;
  ViewType view = make.getView().getType();
  if (!view.getSwizzle().isIdentity() ||
      view.getLayout().getShape().depth() != 1)
    return op->emitOpError("expected a view with one stride for each dimension "
                           "and no swizzle, but got ")
           << view;
  if (findLeaves(make.getView()))
    return success();
  InFlightDiagnostic error = op->emitOpError(
      "expected a view whose run-time extents and strides are known here, but "
      "operand #0 is not made here");
  error.attachNote() << "tile.make_view, and slices, tiles and transposes of "
                        "its result, would do";
  return error;
}

struct TileIteratorsToViewsPass
    : tile::impl::TileIteratorsToViewsBase<TileIteratorsToViewsPass> {
  void runOnOperation() override {
    bool fine = true;
    getOperation()->walk(
        [&](Operation *op) { fine &= succeeded(checkOperation(op)); });
    if (!fine)
      return signalPassFailure();
    MLIRContext *context = &getContext();
    TypeConverter converter;
    converter.addConversion([](Type type) { return type; });
    converter.addConversion(
        [](IteratorType type,
           SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
          llvm::append_range(types, TilePlace::getTypes(type));
          return success();
        });
    RewritePatternSet patterns(context);
    patterns.add<RewriteMakeIterator, RewriteLoad, RewriteStore, RewriteCopy>(
        converter, context);
    patterns.add<RewriteMove<IteratorAdvanceOp>>(converter, context, advance);
    patterns.add<RewriteMove<IteratorRetreatOp>>(converter, context, retreat);
    patterns.add<RewriteMove<IteratorAddPointerOffsetOp>>(converter, context,
                                                          addPointerOffset);
    patterns.add<RewriteMove<IteratorClearMaskOp>>(converter, context,
                                                   clearMask);
    patterns.add<RewriteMove<IteratorAddTileOffsetOp>>(converter, context,
                                                       addTileOffset);
    populateLowerAccessElsewherePatterns(converter, patterns);
    ConversionTarget target(*context);
    target.markUnknownOpDynamicallyLegal([&](Operation *op) {
      return llvm::none_of(op->getOperandTypes(),
                           llvm::IsaPred<IteratorType>) &&
             llvm::none_of(op->getResultTypes(), llvm::IsaPred<IteratorType>);
    });
    if (failed(convertWithControlFlow(getOperation(), converter, target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
