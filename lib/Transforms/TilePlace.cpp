// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a tile iterator is in terms of views, layouts and coordinates.
#include "TilePlace.h"

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

/// The view of a gather's indices; null without one.
static ViewType getList(IteratorType type) {
  return type.getGather() ? cast<ViewType>(type.getGather().getIndices())
                          : ViewType();
}

static Value getFalse(Arith arith) {
  return arith::ConstantIntOp::create(arith.builder, arith.loc, 0, 1);
}

bool TilePlace::isTested(IteratorType type, int64_t dim) {
  return type.getPredicated() &&
         (type.getPhase() == IteratorPhase::Residue ||
          type.getAdvance() != dim || type.getTriangle());
}

SmallVector<Type> TilePlace::getTypes(IteratorType type, bool setsMasks) {
  SmallVector<Type> types = ViewState::getTypes(type.getView());
  MLIRContext *context = type.getContext();
  Type index = IndexType::get(context), bit = IntegerType::get(context, 1);
  types.append(3, index);
  if (ViewType list = getList(type))
    llvm::append_range(types, ViewState::getTypes(list));
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
  place.view = ViewState::unpack(type.getView(), takeView(type.getView()));
  place.tile = {take(), take()};
  place.thread = take();
  if (ViewType list = getList(type))
    llvm::append_range(place.indices, takeView(list));
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
  llvm::append_range(values, tile);
  values.push_back(thread);
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
  for (LayoutAttr layout : type.getPermute())
    permute.push_back(makeComposed(arith, layout.getValue()));
  if (ViewType indices = getList(type))
    list = getView(arith, indices, ViewState::unpack(indices, place.indices));
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
  auto pair = IntTuple::tuple({IntTuple(Int::dynamic(1)), IntTuple(value)});
  auto coordinate = CoordinateOp::create(
      arith.builder, arith.loc, ValueRange{place.thread},
      IntTupleAttr::get(arith.builder.getContext(), pair), map);
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
    bool isLower = triangle.getHalf() == TriangleHalf::Lower;
    bool isStored = triangle.getDiagonal() == DiagonalRule::Stored;
    require(compare(isStored ? (isLower ? arith::CmpIPredicate::uge
                                        : arith::CmpIPredicate::ule)
                             : (isLower ? arith::CmpIPredicate::ugt
                                        : arith::CmpIPredicate::ult)));
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

/// The same behind a list of indices, if there is one.
Value Accesses::accessInside(OpBuilder &builder, std::array<Value, 2> number,
                             Type result, AccessBody body) {
  GatherAttr gather = plan.type.getGather();
  if (!gather)
    return accessView(builder, number, body);
  Arith inside{builder, arith.loc};
  int64_t dim = gather.getDim();
  Value block = inside.constant(gather.getBlock());
  Value place = inside.fold<arith::DivUIOp>(number[dim], block);
  bool isLeaf = !getList(plan.type).getLayout().getShape().isTuple();
  SmallVector<Value> operands;
  IntTupleAttr coordinate = getCoordinate(inside, place, 0, 1, operands);
  if (isLeaf)
    coordinate =
        IntTupleAttr::get(builder.getContext(), coordinate.getValue()[0]);
  Value index = ViewLoadOp::create(builder, arith.loc,
                                   getList(plan.type).getElementType(), list,
                                   operands, coordinate);
  index = inside.fold<arith::IndexCastOp>(builder.getIndexType(), index);
  index = inside.fold<arith::SubIOp>(index, inside.constant(gather.getBase()));
  number[dim] = inside.add(inside.mul(index, gather.getBlock()),
                           inside.fold<arith::RemUIOp>(number[dim], block));
  // A negative one is a large unsigned number.
  Value exists = inside.less(
      number[dim],
      getExtent(inside, plan.type.getDomain().getLayout().getShape(), dim,
                this->place.view.shape));
  return guardAccess(
      builder, arith.loc, exists, result,
      [&](OpBuilder &builder) { return accessView(builder, number, body); });
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
