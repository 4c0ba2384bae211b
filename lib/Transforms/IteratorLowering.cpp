// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared parts of the lowerings of iterators: access plans, loops, masks.
#include "IteratorLowering.h"

#include "tile/IR/LayoutValues.h"
#include "tile/IR/MixedTuple.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tile;
using Arith = IndexArith;

Type tile::getMemoryType(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return getMemoryType(vector.getElementType(), vector.getNumElements());
  bool isByte = isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 8;
  return isByte ? IntegerType::get(type.getContext(), 8) : type;
}

VectorType tile::getMemoryType(Type elementType, int64_t count) {
  return VectorType::get({count}, getMemoryType(elementType));
}

Value tile::castElements(Arith arith, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return arith::BitcastOp::create(arith.builder, arith.loc, type, value);
}

SmallVector<Value> tile::stripMinedLoop(
    Arith arith, int64_t lower, int64_t upper, ValueRange init,
    function_ref<SmallVector<Value>(Arith, Value, ValueRange)> body) {
  if (arith.unroll) {
    SmallVector<Value> carried(init);
    for (int64_t i = lower; i < upper; ++i)
      carried = body(arith, arith.constant(i), carried);
    return carried;
  }
  auto loop = scf::ForOp::create(
      arith.builder, arith.loc, arith.constant(lower), arith.constant(upper),
      arith.constant(1), init,
      [&](OpBuilder &builder, Location loc, Value index, ValueRange carried) {
        scf::YieldOp::create(builder, loc,
                             body(Arith{builder, loc}, index, carried));
      });
  loop->setAttr(kStripMined, arith.builder.getUnitAttr());
  return SmallVector<Value>(loop.getResults());
}

Value tile::packBits(Arith arith, int64_t begin, int64_t end,
                     function_ref<Value(Arith, Value number)> predicate) {
  Type i32 = arith.builder.getI32Type();
  Value zero = arith::ConstantIntOp::create(arith.builder, arith.loc, 0, 32);
  return stripMinedLoop(
      arith, begin, end, zero,
      [&](Arith arith, Value number, ValueRange carried) -> SmallVector<Value> {
        Value holds = predicate(arith, number);
        if (!holds)
          holds = arith::ConstantIntOp::create(arith.builder, arith.loc, 1, 1);
        Value shift = arith.fold<arith::IndexCastOp>(
            i32, arith.fold<arith::SubIOp>(number, arith.constant(begin)));
        Value bit = arith.fold<arith::ShLIOp>(
            arith.fold<arith::ExtUIOp>(i32, holds), shift);
        return {arith.fold<arith::OrIOp>(carried[0], bit)};
      })[0];
}

Value tile::pickPlace(Arith arith, ArrayRef<unsigned> placeOf,
                      ArrayRef<Value> values, Value number) {
  if (llvm::all_equal(values))
    return values.front();
  if (std::optional<int64_t> constant = getConstantIntValue(number))
    return values[placeOf[*constant]];
  SmallVector<Value> all;
  for (unsigned place : placeOf)
    all.push_back(values[place]);
  auto type = VectorType::get({int64_t(all.size())}, all[0].getType());
  Value list =
      vector::FromElementsOp::create(arith.builder, arith.loc, type, all);
  return vector::ExtractOp::create(arith.builder, arith.loc, list,
                                   getAsOpFoldResult(number));
}

arith::CmpIPredicate tile::getPredicate(TriangleAttr triangle) {
  bool isStored = triangle.getDiagonal() == DiagonalRule::Stored;
  if (triangle.getHalf() == TriangleHalf::Lower)
    return isStored ? arith::CmpIPredicate::uge : arith::CmpIPredicate::ugt;
  return isStored ? arith::CmpIPredicate::ule : arith::CmpIPredicate::ult;
}

SmallVector<Value> tile::buildMask(Arith arith, const AccessPlan &plan,
                                   ArrayRef<Value> first, ArrayRef<Value> limit,
                                   ArrayRef<Value> inTile, bool onDiagonal) {
  SmallVector<Value> words;
  ThreadMapAttrInterface map = plan.type.getMap();
  bool leavesTile = mayLeaveTile(map);
  int64_t count = plan.type.getNumPredicates();
  for (int64_t begin = 0; begin < count; begin += 32) {
    words.push_back(packBits(
        arith, begin, std::min(count, begin + 32),
        [&](Arith arith, Value index) -> Value {
          Value access =
              arith.fold<arith::DivUIOp>(index, arith.constant(plan.parts));
          std::array<Value, 2> offset =
              arith.decode(plan.pattern.iterations, access);
          Value part =
              arith.fold<arith::RemUIOp>(index, arith.constant(plan.parts));
          int64_t dim = plan.pattern.vectorDim;
          offset[dim] = arith.add(offset[dim], arith.mul(part, plan.width));
          Value inside =
              arith::ConstantIntOp::create(arith.builder, arith.loc, 1, 1);
          for (int64_t d : {0, 1}) {
            if (!limit[d])
              continue;
            Value below = arith.less(arith.add(first[d], offset[d]), limit[d]);
            inside = arith.fold<arith::AndIOp>(inside, below);
          }
          if (TriangleAttr triangle = plan.type.getTriangle()) {
            Value kept = arith.fold<arith::CmpIOp>(
                onDiagonal ? arith::CmpIPredicate::eq : getPredicate(triangle),
                arith.add(first[0], offset[0]), arith.add(first[1], offset[1]));
            inside = arith.fold<arith::AndIOp>(inside, kept);
          }
          for (int64_t d : {0, 1}) {
            if (!leavesTile)
              continue;
            Value below = arith.less(arith.add(inTile[d], offset[d]),
                                     arith.constant(map.getTileShape()[d]));
            inside = arith.fold<arith::AndIOp>(inside, below);
          }
          return inside;
        }));
  }
  return words;
}

SmallVector<Value> tile::getWalkedExtents(Arith arith, IteratorType type,
                                          const IteratorState &state) {
  SmallVector<Value> extents;
  for (unsigned dim : {0u, 1u})
    extents.push_back(getExtent(arith, type.getDomain().getLayout().getShape(),
                                dim, state.shape));
  if (GatherAttr gather = type.getGather())
    extents[gather.getDim()] = getListLength(arith, gather, state.indices);
  return extents;
}

void tile::computeMasks(Arith arith, IteratorType type, IteratorState &state,
                        ArrayRef<Value> extents) {
  AccessPlan plan(type);
  SmallVector<Value> limit(extents);
  int64_t advance = type.getAdvance();
  if (type.hasUnitDiagonal())
    state.diagonal = buildMask(arith, plan, state.first, limit, state.inTile,
                               /*onDiagonal=*/true);
  // The residue ends along the advance dimension; in the steady phase there are
  // no predicates along it. Those of a triangle are computed at every tile.
  if (advance != IteratorType::kNoAdvance && !type.getTriangle())
    limit[advance] = state.residueEnd;
  state.mask = buildMask(arith, plan, state.first, limit, state.inTile);
  if (!state.residue)
    return;
  limit[advance] = Value();
  state.steadyMask = buildMask(arith, plan, state.first, limit, state.inTile);
}

Value tile::lookUpIndex(Arith arith, GatherAttr gather, ValueRange indices,
                        Value coordinate, Value predicate, int64_t none) {
  OpBuilder &builder = arith.builder;
  auto list = cast<ViewType>(gather.getIndices());
  ViewState state = ViewState::unpack(list, indices);
  IntTuple strides = list.getLayout().getStride();
  Value stride = arith.get(
      getLeaf(builder, strides.isTuple() ? strides : IntTuple::tuple({strides}),
              0, state.stride));
  Value block = arith.constant(gather.getBlock());
  Value number = arith.fold<arith::DivUIOp>(coordinate, block);
  Value pointer = arith.move(state.pointer, list.getElementType(),
                             arith.mul(number, stride));
  auto type = VectorType::get({1}, list.getElementType());
  Value mask = vector::BroadcastOp::create(
      builder, arith.loc, VectorType::get({1}, builder.getI1Type()), predicate);
  Value instead = arith::ConstantOp::create(
      builder, arith.loc,
      DenseElementsAttr::get(type, Attribute(builder.getIntegerAttr(
                                       list.getElementType(), none))));
  Value loaded = LLVM::MaskedLoadOp::create(
      builder, arith.loc, type, pointer, mask, instead, list.getElementBytes());
  Value index = vector::ExtractOp::create(builder, arith.loc, loaded,
                                          static_cast<int64_t>(0));
  index = arith.fold<arith::IndexCastOp>(builder.getIndexType(), index);
  index = arith.fold<arith::SubIOp>(index, arith.constant(gather.getBase()));
  return arith.add(arith.mul(index, gather.getBlock()),
                   arith.fold<arith::RemUIOp>(coordinate, block));
}

FoundCoordinate tile::lookUpCoordinate(Arith arith, IteratorType type,
                                       const IteratorState &state,
                                       Value coordinate, Value predicate) {
  GatherAttr gather = type.getGather();
  FoundCoordinate found;
  found.coordinate =
      lookUpIndex(arith, gather, state.indices, coordinate, predicate);
  // A negative one is a large unsigned number.
  found.inside =
      arith.less(found.coordinate,
                 getExtent(arith, type.getDomain().getLayout().getShape(),
                           gather.getDim(), state.shape));
  return found;
}

/// The offset in elements of a coordinate; null if that of a constant one,
/// where `constants` are looked at, leaves 64 bits.
static Value computeOffset(Arith arith, const AccessPlan &plan,
                           const IteratorState &state,
                           ArrayRef<Value> coordinate, bool constants) {
  SmallVector<Value> symbols(state.shape);
  llvm::append_range(symbols, state.stride);
  std::array<Int, 2> position;
  for (int64_t dim : {0, 1}) {
    std::optional<int64_t> number = getConstantIntValue(coordinate[dim]);
    if (constants && number) {
      position[dim] = *number;
      continue;
    }
    int64_t divisor = dim == plan.pattern.vectorDim ? plan.width : 1;
    position[dim] = Int::symbol(symbols.size(), divisor, 0);
    symbols.push_back(coordinate[dim]);
  }
  Result<Int> offset = getElementOffset(plan.type, position[0], position[1]);
  return offset ? materialize(arith.builder, arith.loc, *offset, symbols)
                : Value();
}

FoldedAccess tile::getFoldedAccess(Arith arith, IteratorType type,
                                   const IteratorState &state,
                                   std::array<Value, 2> coordinate,
                                   Value predicate) {
  FoldedAccess access;
  AccessPlan plan(type);
  if (GatherAttr gather = type.getGather()) {
    int64_t dim = gather.getDim();
    FoundCoordinate found =
        lookUpCoordinate(arith, type, state, coordinate[dim], predicate);
    coordinate[dim] = found.coordinate;
    access.inside = found.inside;
  }
  Value elements = computeOffset(arith, plan, state, coordinate, true);
  // Constants that overflow wrap around as they would at run time.
  if (!elements)
    elements = computeOffset(arith, plan, state, coordinate, false);
  assert(elements && "products of symbols and strides have an expression");
  access.pointer = arith.move(state.pointer, plan.getElementType(), elements);
  return access;
}
