// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rewrites iterators over mapped matrices as views, layouts and coordinates.
#include "TilePlace.h"

#include "tile/IR/MixedTuple.h"

using namespace mlir;
using namespace tile;
using Arith = IndexArith;

//===----------------------------------------------------------------------===//
// What an iterator is, in terms of views
//===----------------------------------------------------------------------===//

namespace {
/// A tile of a matrix that is mapped to a view, and the thread that accesses
/// it.
struct MappedPlace {
  ViewState view;
  /// Run-time leaves of the map of coordinates, and the origin and the divisors
  /// in each mode of the view (none for the identity).
  SmallVector<Value> shape, stride, origin, divide;
  /// Where the tile begins, (row, column).
  std::array<Value, 2> tile;
  Value thread;
  /// The step in the tile; whether anything is accessed.
  Value step, isEnabled;
  /// Where rows are looked up: a pointer, and how many there are.
  Value indices, numIndices;

  static unsigned getNumOrigins(MappedIteratorType type) {
    return type.isIdentity() ? 0 : type.getView().getLayout().rank();
  }

  static SmallVector<Type> getTypes(MappedIteratorType type) {
    MLIRContext *context = type.getContext();
    Type index = IndexType::get(context);
    SmallVector<Type> types = ViewState::getTypes(type.getView());
    types.append(getNumDynamicLeaves(type.getCoords().getShape()) +
                     getNumDynamicLeaves(type.getCoords().getStride()) +
                     getNumOrigins(type) +
                     getNumDynamicLeaves(type.getDivide()) + 4,
                 index);
    types.push_back(IntegerType::get(context, 1));
    if (type.getIndexed())
      types.append({getListType(context).getPointerType(), index});
    return types;
  }

  static MappedPlace unpack(MappedIteratorType type, ValueRange values) {
    auto take = [&](unsigned count) {
      ValueRange taken = values.take_front(count);
      values = values.drop_front(count);
      return SmallVector<Value>(taken);
    };
    MappedPlace place;
    ViewType view = type.getView();
    place.view =
        ViewState::unpack(view, take(ViewState::getTypes(view).size()));
    place.shape = take(getNumDynamicLeaves(type.getCoords().getShape()));
    place.stride = take(getNumDynamicLeaves(type.getCoords().getStride()));
    place.origin = take(getNumOrigins(type));
    place.divide = take(getNumDynamicLeaves(type.getDivide()));
    SmallVector<Value> rest = take(5);
    place.tile = {rest[0], rest[1]};
    place.thread = rest[2];
    place.step = rest[3];
    place.isEnabled = rest[4];
    if (type.getIndexed()) {
      place.indices = take(1).front();
      place.numIndices = take(1).front();
    }
    return place;
  }

  SmallVector<Value> pack() const {
    SmallVector<Value> values = view.pack();
    for (const auto *list : {&shape, &stride, &origin, &divide})
      llvm::append_range(values, *list);
    values.append({tile[0], tile[1], thread, step, isEnabled});
    if (indices)
      values.append({indices, numIndices});
    return values;
  }

  /// The list of rows, whatever its view's type says of its extent.
  static ViewType getListType(MLIRContext *context) {
    Result<Layout> layout =
        Layout::get(IntTuple::tuple({IntTuple(Int::dynamic(1))}),
                    IntTuple::tuple({IntTuple(1)}));
    return ViewType::get(context, IntegerType::get(context, 32),
                         MemorySpace::Global, *layout, /*align=*/1, Swizzle());
  }
};

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// The accesses of one step, one after the other.
class MappedAccesses {
public:
  MappedAccesses(Arith arith, MappedIteratorType type, const MappedPlace &place)
      : arith(arith), type(type), place(place),
        pattern(getAccessPattern(type.getMap())), width(type.getAccessWidth()),
        view(getView(arith, type.getView(), place.view)) {
    if (Layout tv = type.getMap().getTVLayout(); tv.hasBasis())
      map = makeLayout(arith, tv);
    if (!type.isIdentity())
      coords = makeLayout(arith, type.getCoords(), place.shape, place.stride);
    if (type.getIndexed())
      list =
          getView(arith, MappedPlace::getListType(arith.builder.getContext()),
                  {place.indices, {place.numIndices}, {}});
  }

  Type getType() const {
    Type element = type.getView().getElementType();
    return width == 1 ? element : VectorType::get({width}, element);
  }
  int64_t getWidth() const { return width; }

  Value load(int64_t value) {
    return access(value, getType(),
                  [&](OpBuilder &builder, ValueRange operands,
                      IntTupleAttr coordinate) -> Value {
                    return ViewLoadOp::create(builder, arith.loc, getType(),
                                              view, operands, coordinate);
                  });
  }

  void store(int64_t value, Value stored) {
    access(value, Type(),
           [&](OpBuilder &builder, ValueRange operands,
               IntTupleAttr coordinate) -> Value {
             ViewStoreOp::create(builder, arith.loc, stored, view, operands,
                                 coordinate);
             return {};
           });
  }

private:
  /// Conditions that all hold; null: there are none.
  struct Conditions {
    Arith arith;
    Value all = {};
    void require(Value condition) {
      all = all ? arith.fold<arith::AndIOp>(all, condition) : condition;
    }
  };

  /// The place in the tile of value `value` of the current step.
  std::array<Value, 2> getInTile(int64_t value) {
    std::array<Value, 2> inTile{arith.constant(0), arith.constant(0)};
    if (!map)
      return inTile;
    int64_t perStep = type.getFragmentSize();
    Value number =
        arith.add(arith.mul(place.step, perStep), arith.constant(value));
    SmallVector<Value> operands;
    IntTupleAttr pair =
        getCoordinate(arith, {place.thread, number}, 0, 1, operands);
    auto coordinate =
        CoordinateOp::create(arith.builder, arith.loc, operands, pair, map);
    for (auto [dim, number] : llvm::enumerate(coordinate->getResults()))
      inTile[dim] = number;
    return inTile;
  }

  /// Extents of the matrix, (rows, columns).
  Value getSize(int64_t dim) {
    if (type.isIdentity())
      return getExtent(arith, type.getView().getLayout().getShape(), dim,
                       place.view.shape);
    return getExtent(arith, type.getCoords().getShape(), dim, place.shape);
  }

  /// The row that is looked up, where it is to be accessed; -1 elsewhere.
  Value lookUp(Value row, Value condition) {
    OpBuilder &builder = arith.builder;
    auto branch =
        scf::IfOp::create(builder, arith.loc, TypeRange(builder.getIndexType()),
                          condition, /*withElseRegion=*/true);
    OpBuilder inside = branch.getThenBodyBuilder();
    SmallVector<Value> operands;
    IntTupleAttr coordinate =
        getCoordinate(Arith{inside, arith.loc}, row, 0, 1, operands);
    Value index = ViewLoadOp::create(inside, arith.loc, inside.getI32Type(),
                                     list, operands, coordinate);
    index = arith::IndexCastOp::create(inside, arith.loc, inside.getIndexType(),
                                       index);
    scf::YieldOp::create(inside, arith.loc, index);
    OpBuilder outside = branch.getElseBodyBuilder();
    Value none = arith::ConstantIndexOp::create(outside, arith.loc, -1);
    scf::YieldOp::create(outside, arith.loc, none);
    return branch.getResult(0);
  }

  Value access(int64_t value, Type result, AccessBody body) {
    std::array<Value, 2> inTile = getInTile(value), number;
    Conditions exists{arith};
    if (!type.getWhole())
      exists.require(place.isEnabled);
    for (int64_t dim : {0, 1}) {
      number[dim] = arith.add(place.tile[dim], inTile[dim]);
      if (mayLeaveTile(type.getMap()))
        exists.require(arith.less(
            inTile[dim], arith.constant(type.getMap().getTileShape()[dim])));
    }
    if (type.getFill() != FillMode::Full)
      exists.require(arith.fold<arith::CmpIOp>(type.getFill() == FillMode::Lower
                                                   ? arith::CmpIPredicate::uge
                                                   : arith::CmpIPredicate::ule,
                                               number[0], number[1]));
    if (type.getIndexed()) {
      exists.require(arith.less(number[0], place.numIndices));
      number[0] = lookUp(number[0], exists.all);
    }
    if (!type.getWhole())
      for (int64_t dim : {0, 1})
        exists.require(arith.less(number[dim], getSize(dim)));
    return guardAccess(
        arith.builder, arith.loc, exists.all, result, [&](OpBuilder &builder) {
          return accessView(Arith{builder, arith.loc}, number, result, body);
        });
  }

  /// The coordinate in the view of an element of the matrix.
  SmallVector<Value> getPlaceInView(Arith arith,
                                    const std::array<Value, 2> &number) {
    SmallVector<Value> place(number.begin(), number.end());
    if (type.isIdentity())
      return place;
    SmallVector<Value> operands;
    IntTupleAttr pair = getCoordinate(arith, place, 0, 1, operands);
    auto moved =
        CoordinateOp::create(arith.builder, arith.loc, operands, pair, coords);
    place = this->place.origin;
    for (auto [mode, along] : llvm::enumerate(moved->getResults()))
      place[mode] = arith.add(place[mode], along);
    return place;
  }

  Value accessView(Arith arith, const std::array<Value, 2> &number, Type result,
                   AccessBody body) {
    SmallVector<Value> at = getPlaceInView(arith, number);
    Conditions exists{arith};
    IntTuple shape = type.getView().getLayout().getShape();
    for (unsigned mode = 0; mode < at.size() && !type.isIdentity(); ++mode) {
      if (type.isDivided() && !type.getDivide()[mode].isStatic(1)) {
        Value divisor = arith.get(
            getLeaf(arith.builder, type.getDivide(), mode, place.divide));
        exists.require(arith.fold<arith::CmpIOp>(
            arith::CmpIPredicate::eq,
            arith.fold<arith::RemSIOp>(at[mode], divisor), arith.constant(0)));
        at[mode] = arith.fold<arith::DivSIOp>(at[mode], divisor);
      }
      if (!type.getWhole())
        exists.require(arith.less(
            at[mode],
            arith.get(getLeaf(arith.builder, shape, mode, place.view.shape))));
    }
    at.back() = swizzle(arith, at);
    // Accesses are wider than an element along the first leaf's mode only.
    int64_t mode = pattern.vectorDim;
    if (width > 1)
      mode = type.getCoordinateLayout()[mode]
                 .getLeafModes()
                 .front()
                 .stride.getPath()[0];
    return guardAccess(
        arith.builder, arith.loc, exists.all, result, [&](OpBuilder &builder) {
          SmallVector<Value> operands;
          IntTupleAttr coordinate = getCoordinate(Arith{builder, arith.loc}, at,
                                                  mode, width, operands);
          return body(builder, operands, coordinate);
        });
  }

  /// The coordinate along the last mode, with bits of others xored into it.
  Value swizzle(Arith arith, ArrayRef<Value> at) {
    Value swizzled = at.back();
    for (ArrayRef<int64_t> list = type.getXorBits(); !list.empty();
         list = list.drop_front(4)) {
      int64_t bits = list[0], into = list[1], from = list[3];
      Value moved = arith.fold<arith::AndIOp>(
          at[list[2]], arith.constant(((int64_t(1) << bits) - 1) << from));
      if (from > into)
        moved = arith.fold<arith::ShRUIOp>(moved, arith.constant(from - into));
      else if (from < into)
        moved = arith.fold<arith::ShLIOp>(moved, arith.constant(into - from));
      swizzled = arith.fold<arith::XOrIOp>(swizzled, moved);
    }
    return swizzled;
  }

  Arith arith;
  MappedIteratorType type;
  MappedPlace place;
  AccessPattern pattern;
  int64_t width;
  /// The view; the layouts of the map of threads and of coordinates, and the
  /// list of rows, where there are any.
  Value view, map, coords, list;
};

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

struct RewriteMakeMapped : OpConversionPattern<MakeMappedIteratorOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(MakeMappedIteratorOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Arith arith{rewriter, op.getLoc()};
    MappedIteratorType type = op.getResult().getType();
    std::optional<ViewState> leaves = findLeaves(op.getView());
    if (!leaves)
      return failure();
    MappedPlace place;
    place.view = *leaves;
    place.view.pointer =
        ViewPointerOp::create(rewriter, op.getLoc(), op.getView());
    place.shape = flatten(adaptor.getShapeOperands());
    place.stride = flatten(adaptor.getStrideOperands());
    place.divide = flatten(adaptor.getDivideOperands());
    SmallVector<Value> origin = flatten(adaptor.getOriginOperands());
    for (unsigned mode = 0; mode < MappedPlace::getNumOrigins(type); ++mode)
      place.origin.push_back(
          op.getOrigin()
              ? arith.get(getLeaf(rewriter, *op.getOrigin(), mode, origin))
              : arith.constant(0));
    SmallVector<Value> coord = flatten(adaptor.getCoordOperands());
    for (unsigned dim : {0u, 1u})
      place.tile[dim] = arith.get(getLeaf(rewriter, op.getCoord(), dim, coord));
    place.thread = adaptor.getThread().front();
    place.step = arith.constant(0);
    place.isEnabled = arith::ConstantIntOp::create(rewriter, op.getLoc(), 1, 1);
    if (type.getIndexed()) {
      std::optional<ViewState> list = findLeaves(op.getIndices());
      if (!list)
        return failure();
      place.indices =
          ViewPointerOp::create(rewriter, op.getLoc(), op.getIndices());
      place.numIndices =
          getExtent(arith, op.getIndices().getType().getLayout().getShape(), 0,
                    list->shape);
    }
    rewriter.replaceOpWithMultiple(op, {place.pack()});
    return success();
  }
};

/// Replaces an operation by the place that `move` makes of its operand's.
template <typename OpT>
struct RewriteMappedMove : OpConversionPattern<OpT> {
  using OneToNOpAdaptor = typename OpConversionPattern<OpT>::OneToNOpAdaptor;
  using Move = void (*)(OpT, OneToNOpAdaptor, Arith, MappedPlace &);
  RewriteMappedMove(const TypeConverter &converter, MLIRContext *context,
                    Move move)
      : OpConversionPattern<OpT>(converter, context), move(move) {}
  Move move;

  LogicalResult
  matchAndRewrite(OpT op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    MappedPlace place =
        MappedPlace::unpack(op.getIterator().getType(), adaptor.getIterator());
    move(op, adaptor, Arith{rewriter, op.getLoc()}, place);
    rewriter.replaceOpWithMultiple(op, {place.pack()});
    return success();
  }
};

void advance(MappedAdvanceOp op,
             RewriteMappedMove<MappedAdvanceOp>::OneToNOpAdaptor adaptor,
             Arith arith, MappedPlace &place) {
  MappedIteratorType type = op.getIterator().getType();
  Value tiles = op.getSteps() ? adaptor.getSteps().front() : arith.constant(1);
  if (type.getSteps() != 1) {
    Value count = arith.constant(type.getSteps());
    Value next = arith.add(place.step, tiles);
    place.step = arith.fold<arith::RemUIOp>(next, count);
    tiles = arith.fold<arith::DivUIOp>(next, count);
  }
  int64_t dim = type.getAdvance();
  place.tile[dim] = arith.add(
      place.tile[dim], arith.mul(tiles, type.getMap().getTileShape()[dim]));
}

void addPointerOffset(
    MappedAddPointerOffsetOp op,
    RewriteMappedMove<MappedAddPointerOffsetOp>::OneToNOpAdaptor adaptor,
    Arith arith, MappedPlace &place) {
  place.view.pointer = arith.move(
      place.view.pointer, op.getIterator().getType().getView().getElementType(),
      adaptor.getOffset().front());
}

void clearMask(MappedClearMaskOp,
               RewriteMappedMove<MappedClearMaskOp>::OneToNOpAdaptor adaptor,
               Arith arith, MappedPlace &place) {
  Value off = arith::ConstantIntOp::create(arith.builder, arith.loc, 0, 1);
  place.isEnabled =
      arith.select(adaptor.getCondition().front(), off, place.isEnabled);
}

void enableMask(MappedEnableMaskOp,
                RewriteMappedMove<MappedEnableMaskOp>::OneToNOpAdaptor,
                Arith arith, MappedPlace &place) {
  place.isEnabled =
      arith::ConstantIntOp::create(arith.builder, arith.loc, 1, 1);
}

struct RewriteMappedLoad : OpConversionPattern<MappedLoadOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(MappedLoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Arith arith{rewriter, op.getLoc()};
    MappedIteratorType type = op.getIterator().getType();
    MappedAccesses accesses(arith, type,
                            MappedPlace::unpack(type, adaptor.getIterator()));
    rewriter.replaceOp(
        op,
        gatherElements(arith, type.getFragmentType(), accesses.getWidth(),
                       [&](int64_t value) { return accesses.load(value); }));
    return success();
  }
};

struct RewriteMappedStore : OpConversionPattern<MappedStoreOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(MappedStoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Arith arith{rewriter, op.getLoc()};
    MappedIteratorType type = op.getIterator().getType();
    MappedAccesses accesses(arith, type,
                            MappedPlace::unpack(type, adaptor.getIterator()));
    scatterElements(
        arith, adaptor.getFragment().front(), accesses.getWidth(),
        [&](int64_t value, Value stored) { accesses.store(value, stored); });
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

bool tile::hasFormOnViews(Operation *op) {
  return isa<MakeMappedIteratorOp, MappedLoadOp, MappedStoreOp, MappedAdvanceOp,
             MappedAddPointerOffsetOp, MappedClearMaskOp, MappedEnableMaskOp>(
      op);
}

void tile::populateMappedToViewsPatterns(TypeConverter &converter,
                                         RewritePatternSet &patterns) {
  converter.addConversion(
      [](MappedIteratorType type,
         SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
        llvm::append_range(types, MappedPlace::getTypes(type));
        return success();
      });
  MLIRContext *context = patterns.getContext();
  patterns.add<RewriteMakeMapped, RewriteMappedLoad, RewriteMappedStore>(
      converter, context);
  patterns.add<RewriteMappedMove<MappedAdvanceOp>>(converter, context, advance);
  patterns.add<RewriteMappedMove<MappedAddPointerOffsetOp>>(converter, context,
                                                            addPointerOffset);
  patterns.add<RewriteMappedMove<MappedClearMaskOp>>(converter, context,
                                                     clearMask);
  patterns.add<RewriteMappedMove<MappedEnableMaskOp>>(converter, context,
                                                      enableMask);
}
