// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a tile iterator is in terms of views, layouts and coordinates.
#include "TilePlace.h"
#include "MappedElements.h"

#include "tile/IR/MixedTuple.h"

using namespace mlir;
using namespace tile;
using Arith = IndexArith;

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

std::optional<ViewState> tile::findLeaves(Value view) {
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

Value tile::getView(Arith arith, ViewType type, const ViewState &state) {
  auto pointer = state.pointer.getDefiningOp<ViewPointerOp>();
  if (pointer && pointer.getView().getType() == type)
    return pointer.getView();
  MLIRContext *context = type.getContext();
  const Layout &layout = type.getLayout();
  return MakeViewOp::create(arith.builder, arith.loc, type, state.pointer,
                            state.shape, state.stride,
                            IntTupleAttr::get(context, layout.getShape()),
                            IntTupleAttr::get(context, layout.getStride()));
}

//===----------------------------------------------------------------------===//
// TilePlace
//===----------------------------------------------------------------------===//

SmallVector<Value> tile::findList(MakeIteratorOp op,
                                  MakeIteratorAdaptor adaptor, Arith arith) {
  if (!op.getIndices())
    return {};
  ViewState list = *findLeaves(op.getIndices());
  list.pointer =
      ViewPointerOp::create(arith.builder, arith.loc, op.getIndices());
  SmallVector<Value> values = list.pack();
  llvm::append_range(values, adaptor.getLength());
  return values;
}

Value tile::getListView(Arith arith, GatherAttr gather, ValueRange list) {
  auto type = cast<ViewType>(gather.getIndices());
  return getView(arith, type,
                 ViewState::unpack(
                     type, list.take_front(ViewState::getTypes(type).size())));
}

Value tile::lookUpInList(Arith arith, GatherAttr gather, Value list,
                         Value number) {
  OpBuilder &builder = arith.builder;
  auto type = cast<ViewType>(gather.getIndices());
  Value block = arith.constant(gather.getBlock());
  SmallVector<Value> operands;
  IntTupleAttr coordinate = getCoordinate(
      arith, arith.fold<arith::DivUIOp>(number, block), 0, 1, operands);
  if (!type.getLayout().getShape().isTuple())
    coordinate =
        IntTupleAttr::get(builder.getContext(), coordinate.getValue()[0]);
  Value index = ViewLoadOp::create(builder, arith.loc, type.getElementType(),
                                   list, operands, coordinate);
  index = arith.fold<arith::IndexCastOp>(builder.getIndexType(), index);
  index = arith.fold<arith::SubIOp>(index, arith.constant(gather.getBase()));
  return arith.add(arith.mul(index, gather.getBlock()),
                   arith.fold<arith::RemUIOp>(number, block));
}

static Value getFalse(Arith arith) {
  return arith::ConstantIntOp::create(arith.builder, arith.loc, 0, 1);
}

bool TilePlace::isTested(IteratorType type, int64_t dim) {
  return type.getPredicated() &&
         (type.getPhase() != IteratorPhase::Steady ||
          type.getAdvance() != dim || type.getTriangle());
}

/// Values in the origin: one for each mode of the view that coords lead to.
static unsigned getNumOrigins(IteratorType type) {
  return type.isIdentity() ? 0 : type.getView().getLayout().rank();
}

SmallVector<Type> TilePlace::getTypes(IteratorType type, bool setsMasks) {
  SmallVector<Type> types = ViewState::getTypes(type.getView());
  MLIRContext *context = type.getContext();
  Type index = IndexType::get(context), bit = IntegerType::get(context, 1);
  types.append(getNumDynamicLeaves(type.getCoords().getShape()) +
                   getNumDynamicLeaves(type.getCoords().getStride()) +
                   getNumOrigins(type) + getNumDynamicLeaves(type.getDivide()) +
                   (type.getSteps() != 1 ? 4 : 3),
               index);
  if (GatherAttr gather = type.getGather())
    llvm::append_range(types, getListTypes(gather));
  if (!type.getPredicated())
    return types;
  types.push_back(bit);
  for (int64_t dim : {0, 1})
    if (isTested(type, dim))
      types.push_back(index);
  if (type.getPhase() == IteratorPhase::Residue)
    types.push_back(index);
  if (setsMasks) {
    int64_t words = llvm::divideCeil(type.getNumPredicates(), 32);
    types.push_back(VectorType::get({words}, IntegerType::get(context, 32)));
    types.push_back(bit);
  }
  return types;
}

TilePlace TilePlace::unpack(IteratorType type, ValueRange values) {
  TilePlace place;
  auto takeView = [&](ViewType view) {
    ValueRange taken = values.take_front(ViewState::getTypes(view).size());
    values = values.drop_front(taken.size());
    return taken;
  };
  auto take = [&] {
    Value value = values.front();
    values = values.drop_front();
    return value;
  };
  auto takeList = [&](unsigned count) {
    ValueRange taken = values.take_front(count);
    values = values.drop_front(count);
    return SmallVector<Value>(taken);
  };
  place.view = ViewState::unpack(type.getView(), takeView(type.getView()));
  place.shape = takeList(getNumDynamicLeaves(type.getCoords().getShape()));
  place.stride = takeList(getNumDynamicLeaves(type.getCoords().getStride()));
  place.origin = takeList(getNumOrigins(type));
  place.divide = takeList(getNumDynamicLeaves(type.getDivide()));
  place.tile = {take(), take()};
  place.thread = take();
  if (type.getSteps() != 1)
    place.step = take();
  if (GatherAttr gather = type.getGather())
    place.indices = takeList(getListTypes(gather).size());
  if (!type.getPredicated())
    return place;
  place.isCleared = take();
  for (int64_t dim : {0, 1})
    if (isTested(type, dim))
      place.limit[dim] = take();
  if (type.getPhase() == IteratorPhase::Residue)
    place.residue = take();
  if (!values.empty()) {
    place.words = take();
    place.isSet = take();
  }
  return place;
}

SmallVector<Value> TilePlace::pack() const {
  SmallVector<Value> values = view.pack();
  for (const auto *list : {&shape, &stride, &origin, &divide})
    llvm::append_range(values, *list);
  llvm::append_range(values, tile);
  values.push_back(thread);
  if (step)
    values.push_back(step);
  llvm::append_range(values, indices);
  for (Value value : {isCleared, limit[0], limit[1], residue, words, isSet})
    if (value)
      values.push_back(value);
  return values;
}

void TilePlace::leaveResidue(Arith arith, int64_t advance) {
  if (!residue)
    return;
  residue = Value();
  limit[advance] = Value();
  // Words are those of a phase.
  if (isSet)
    isSet = getFalse(arith);
}

void TilePlace::forgetMasks(Arith arith) {
  if (isCleared)
    isCleared = getFalse(arith);
  if (isSet)
    isSet = getFalse(arith);
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

Value tile::makeLayout(Arith arith, const Layout &layout, ValueRange shape,
                       ValueRange stride) {
  MLIRContext *context = arith.builder.getContext();
  return MakeLayoutOp::create(arith.builder, arith.loc, shape, stride,
                              IntTupleAttr::get(context, layout.getShape()),
                              IntTupleAttr::get(context, layout.getStride()))
      ->getResult(0);
}

static Value makeComposed(Arith arith, const ComposedLayout &layout) {
  Value inside = makeLayout(arith, layout.getLayout());
  if (layout.isPlain())
    return inside;
  MLIRContext *context = arith.builder.getContext();
  return MakeSwizzleOp::create(arith.builder, arith.loc, ValueRange(),
                               IntTupleAttr::get(context, layout.getOffset()),
                               SwizzleAttr::get(context, layout.getSwizzle()),
                               inside)
      ->getResult(0);
}

Accesses::Accesses(Arith arith, IteratorType type, const TilePlace &place)
    : arith(arith), plan(type), place(place),
      view(getView(arith, type.getView(), place.view)) {
  if (Layout tv = type.getMap().getTVLayout(); tv.hasBasis())
    map = makeLayout(arith, tv);
  if (!type.isIdentity())
    coords = makeLayout(arith, type.getCoords(), place.shape, place.stride);
  for (LayoutAttr layout : type.getPermute())
    permute.push_back(makeComposed(arith, layout.getValue()));
  if (GatherAttr gather = type.getGather())
    list = getListView(arith, gather, place.indices);
}

Type Accesses::getType() const {
  return plan.width == 1 ? plan.getElementType()
                         : VectorType::get({plan.width}, plan.getElementType());
}

IntTupleAttr tile::getCoordinate(Arith arith, ArrayRef<Value> numbers,
                                 int64_t dim, int64_t divisor,
                                 SmallVectorImpl<Value> &operands) {
  SmallVector<IntTuple> leaves;
  for (auto [d, number] : llvm::enumerate(numbers)) {
    std::optional<int64_t> constant = getConstantIntValue(number);
    if (constant && *constant >= 0) {
      leaves.push_back(IntTuple(*constant));
      continue;
    }
    operands.push_back(number);
    leaves.push_back(IntTuple(Int::dynamic(int64_t(d) == dim ? divisor : 1)));
  }
  return IntTupleAttr::get(arith.builder.getContext(), IntTuple::tuple(leaves));
}

std::array<Value, 2> Accesses::getInTile(int64_t value) {
  std::array<Value, 2> inTile{arith.constant(0), arith.constant(0)};
  if (!map)
    return inTile;
  Value number = arith.constant(value);
  if (place.step)
    number =
        arith.add(arith.mul(place.step, plan.type.getFragmentSize()), number);
  SmallVector<Value> operands;
  IntTupleAttr pair =
      getCoordinate(arith, {place.thread, number}, 0, 1, operands);
  auto coordinate =
      CoordinateOp::create(arith.builder, arith.loc, operands, pair, map);
  // Dimensions along which the map does not move have no coordinate.
  for (auto [dim, number] : llvm::enumerate(coordinate->getResults()))
    inTile[dim] = number;
  return inTile;
}

Accesses::Site Accesses::getSite(int64_t value) {
  IteratorType type = plan.type;
  std::array<Value, 2> inTile = getInTile(value);
  Site site;
  auto require = [&](Value condition) {
    site.isInside = site.isInside
                        ? arith.fold<arith::AndIOp>(site.isInside, condition)
                        : condition;
  };
  for (int64_t dim : {0, 1}) {
    site.number[dim] = arith.add(place.tile[dim], inTile[dim]);
    if (place.limit[dim])
      require(arith.less(site.number[dim], place.limit[dim]));
    if (type.getPredicated() && mayLeaveTile(type.getMap()))
      require(arith.less(inTile[dim],
                         arith.constant(type.getMap().getTileShape()[dim])));
  }
  if (!type.getPredicated())
    return site;
  Value one = arith::ConstantIntOp::create(arith.builder, arith.loc, 1, 1);
  Value isOn = arith.fold<arith::XOrIOp>(place.isCleared, one);
  if (site.isInside)
    isOn = arith.fold<arith::AndIOp>(site.isInside, isOn);
  site.isInside = isOn;
  if (TriangleAttr triangle = type.getTriangle()) {
    auto compare = [&](arith::CmpIPredicate predicate) {
      return arith.fold<arith::CmpIOp>(predicate, site.number[0],
                                       site.number[1]);
    };
    if (type.hasUnitDiagonal())
      site.isOne = arith.fold<arith::AndIOp>(site.isInside,
                                             compare(arith::CmpIPredicate::eq));
    require(compare(tile::getPredicate(triangle)));
  }
  if (place.words) {
    int64_t bit = value / plan.width;
    Value word = vector::ExtractOp::create(arith.builder, arith.loc,
                                           place.words, bit / 32);
    Value number =
        arith::ConstantIntOp::create(arith.builder, arith.loc, bit % 32, 32);
    Value isSet = arith.fold<arith::TruncIOp>(
        arith.builder.getI1Type(), arith.fold<arith::ShRUIOp>(word, number));
    site.isInside = arith.select(place.isSet, isSet, site.isInside);
  }
  return site;
}

Value Accesses::getPredicate(int64_t value) { return getSite(value).isInside; }

std::array<Value, 2> Accesses::getFirst() {
  std::array<Value, 2> inTile = getInTile(0);
  return {arith.add(place.tile[0], inTile[0]),
          arith.add(place.tile[1], inTile[1])};
}

Value Accesses::getAddress() {
  // A folded iterator is where its coordinates are.
  if (plan.type.isFolded())
    return place.view.pointer;
  std::array<Value, 2> first = getFirst();
  Value offset = arith.constant(0);
  for (unsigned dim : {0u, 1u})
    offset = arith.add(
        offset,
        arith.mul(first[dim],
                  arith.get(getLeaf(arith.builder, plan.getLayout().getStride(),
                                    dim, place.view.stride))));
  return arith.move(place.view.pointer, plan.getElementType(), offset);
}

Value tile::guardAccess(OpBuilder &builder, Location loc, Value condition,
                        Type result,
                        llvm::function_ref<Value(OpBuilder &)> body) {
  if (!condition)
    return body(builder);
  auto branch =
      scf::IfOp::create(builder, loc, result ? TypeRange(result) : TypeRange(),
                        condition, /*withElseRegion=*/bool(result));
  OpBuilder inside = branch.getThenBodyBuilder();
  Value value = body(inside);
  if (!result)
    return {};
  scf::YieldOp::create(inside, loc, value);
  OpBuilder outside = branch.getElseBodyBuilder();
  Value zero =
      arith::ConstantOp::create(outside, loc, outside.getZeroAttr(result));
  scf::YieldOp::create(outside, loc, zero);
  return branch.getResult(0);
}

Value Accesses::accessView(OpBuilder &builder,
                           const std::array<Value, 2> &number,
                           AccessBody body) {
  Arith inside{builder, arith.loc};
  SmallVector<Value> numbers(number.begin(), number.end());
  int64_t dim = plan.pattern.vectorDim;
  for (auto [i, layout] : llvm::enumerate(permute)) {
    SmallVector<Value> operands;
    IntTupleAttr coordinate =
        getCoordinate(inside, numbers, i == 0 ? dim : 0, plan.width, operands);
    // The layouts behind the first one take its value, a number.
    if (i > 0)
      coordinate =
          IntTupleAttr::get(builder.getContext(), coordinate.getValue()[0]);
    numbers.assign(
        1, Crd2IdxOp::create(builder, arith.loc, operands, coordinate, layout)
               ->getResult(0));
  }
  SmallVector<Value> operands;
  IntTupleAttr coordinate = getCoordinate(
      inside, numbers, permute.empty() ? dim : 0, plan.width, operands);
  if (!permute.empty() && plan.getLayout().rank() != 1)
    coordinate =
        IntTupleAttr::get(builder.getContext(), coordinate.getValue()[0]);
  return body(builder, operands, coordinate);
}

/// The same through a map of coordinates, where the element may not exist.
Value Accesses::accessMapped(OpBuilder &builder,
                             const std::array<Value, 2> &number, Type result,
                             AccessBody body) {
  IteratorType type = plan.type;
  Arith inside{builder, arith.loc};
  SmallVector<Value> at(number.begin(), number.end());
  Value exists;
  auto require = [&](Value condition) {
    exists = exists ? inside.fold<arith::AndIOp>(exists, condition) : condition;
  };
  if (coords) {
    SmallVector<Value> operands;
    IntTupleAttr pair =
        getCoordinate(inside, at, plan.pattern.vectorDim, plan.width, operands);
    auto moved =
        CoordinateOp::create(builder, arith.loc, operands, pair, coords);
    at = place.origin;
    for (auto [mode, along] : llvm::enumerate(moved->getResults()))
      at[mode] = inside.add(at[mode], along);
  }
  IntTuple shape = type.getView().getLayout().getShape();
  for (unsigned mode = 0; coords && mode < at.size(); ++mode) {
    if (type.isDivided() && !type.getDivide()[mode].isStatic(1)) {
      Value divisor =
          inside.get(getLeaf(builder, type.getDivide(), mode, place.divide));
      require(inside.fold<arith::CmpIOp>(
          arith::CmpIPredicate::eq,
          inside.fold<arith::RemSIOp>(at[mode], divisor), inside.constant(0)));
      at[mode] = inside.fold<arith::DivSIOp>(at[mode], divisor);
    }
    if (type.getPredicated())
      require(inside.less(at[mode], inside.get(getLeaf(builder, shape, mode,
                                                       place.view.shape))));
  }
  at.back() = swizzleLast(inside, type.getXorBits(), at);
  // Accesses are wider than an element along the first leaf's mode only.
  int64_t mode = plan.pattern.vectorDim;
  if (plan.width > 1)
    mode = type.getCoordinateLayout()[mode]
               .getLeafModes()
               .front()
               .stride.getPath()[0];
  return guardAccess(
      builder, arith.loc, exists, result, [&](OpBuilder &builder) {
        SmallVector<Value> operands;
        IntTupleAttr coordinate = getCoordinate(Arith{builder, arith.loc}, at,
                                                mode, plan.width, operands);
        return body(builder, operands, coordinate);
      });
}

Value Accesses::getWalkedExtent(Arith arith, int64_t dim) {
  return getExtent(arith, plan.type.getDomain().getLayout().getShape(), dim,
                   coords ? ValueRange(place.shape)
                          : ValueRange(place.view.shape));
}

/// The same behind a list of indices, if there is one.
Value Accesses::accessInside(OpBuilder &builder, std::array<Value, 2> number,
                             Type result, AccessBody body) {
  GatherAttr gather = plan.type.getGather();
  auto access = [&](OpBuilder &builder) {
    return plan.type.isMapped() ? accessMapped(builder, number, result, body)
                                : accessView(builder, number, body);
  };
  if (!gather)
    return access(builder);
  Arith inside{builder, arith.loc};
  int64_t dim = gather.getDim();
  number[dim] = lookUpInList(inside, gather, list, number[dim]);
  // A negative one is a large unsigned number.
  Value exists = inside.less(number[dim], getWalkedExtent(inside, dim));
  return guardAccess(builder, arith.loc, exists, result, access);
}

Value Accesses::access(const Site &site, Type result, AccessBody body) {
  return guardAccess(arith.builder, arith.loc, site.isInside, result,
                     [&](OpBuilder &builder) {
                       return accessInside(builder, site.number, result, body);
                     });
}

Value Accesses::load(int64_t value) {
  Site site = getSite(value);
  Value loaded =
      access(site, getType(),
             [&](OpBuilder &builder, ValueRange operands,
                 IntTupleAttr coordinate) -> Value {
               return ViewLoadOp::create(builder, arith.loc, getType(), view,
                                         operands, coordinate);
             });
  if (!site.isOne)
    return loaded;
  Type type = getType();
  TypedAttr one = isa<FloatType>(type)
                      ? TypedAttr(arith.builder.getFloatAttr(type, 1.0))
                      : TypedAttr(arith.builder.getIntegerAttr(type, 1));
  return arith.select(site.isOne,
                      arith::ConstantOp::create(arith.builder, arith.loc, one),
                      loaded);
}

void Accesses::store(int64_t value, Value stored) {
  access(getSite(value), Type(),
         [&](OpBuilder &builder, ValueRange operands,
             IntTupleAttr coordinate) -> Value {
           ViewStoreOp::create(builder, arith.loc, stored, view, operands,
                               coordinate);
           return {};
         });
}

//===----------------------------------------------------------------------===//
// Fragments
//===----------------------------------------------------------------------===//

Value tile::gatherElements(Arith arith, VectorType type, int64_t width,
                           llvm::function_ref<Value(int64_t)> load) {
  SmallVector<Value> elements;
  for (int64_t value = 0; value < type.getNumElements(); value += width) {
    Value loaded = load(value);
    if (width == 1) {
      elements.push_back(loaded);
      continue;
    }
    for (int64_t e = 0; e < width; ++e)
      elements.push_back(
          vector::ExtractOp::create(arith.builder, arith.loc, loaded, e));
  }
  return vector::FromElementsOp::create(arith.builder, arith.loc, type,
                                        elements);
}

void tile::scatterElements(Arith arith, Value fragment, int64_t width,
                           llvm::function_ref<void(int64_t, Value)> store) {
  auto type = cast<VectorType>(fragment.getType());
  for (int64_t value = 0; value < type.getNumElements(); value += width) {
    SmallVector<Value> elements;
    for (int64_t e = 0; e < width; ++e)
      elements.push_back(vector::ExtractOp::create(arith.builder, arith.loc,
                                                   fragment, value + e));
    Value stored = elements[0];
    if (width > 1)
      stored = vector::FromElementsOp::create(
          arith.builder, arith.loc,
          VectorType::get({width}, type.getElementType()), elements);
    store(value, stored);
  }
}
