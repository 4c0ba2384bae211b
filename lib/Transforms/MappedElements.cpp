// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where an element of a mapped matrix is, from its row and column.
#include "MappedElements.h"
#include "DigitArith.h"
#include "IteratorLowering.h"

#include "tile/IR/MixedTuple.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tile;
using Arith = IndexArith;

MappedMatrix::MappedMatrix(Arith arith, const MappedPlan &plan,
                           MappedState &state)
    : plan(plan), state(state) {
  ValueRange shape = plan.type.isIdentity() ? ValueRange(state.view.shape)
                                            : ValueRange(state.coordShape);
  unsigned nextExtent = 0, nextStride = 0;
  auto get = [&](const Int &leaf, ValueRange values, unsigned &next) {
    return leaf.isStatic() ? arith.constant(leaf.getValue()) : values[next++];
  };
  for (int64_t dim : {0, 1})
    for (const LeafMode &mode : plan.leaves[dim]) {
      MappedLeaf leaf;
      leaf.extent = get(mode.extent, shape, nextExtent);
      leaf.stride = get(mode.stride.getInt(), state.coordStride, nextStride);
      leaf.mode = MappedPlan::getMode(mode);
      leaves[dim].push_back(leaf);
    }
}

Value MappedMatrix::getExtent(Arith arith, int64_t mode) const {
  return arith.get(getLeaf(arith.builder,
                           plan.type.getView().getLayout().getShape(), mode,
                           state.view.shape));
}

Value MappedMatrix::getStride(Arith arith, int64_t mode) const {
  return arith.get(getLeaf(arith.builder,
                           plan.type.getView().getLayout().getStride(), mode,
                           state.view.stride));
}

Value MappedMatrix::getWeight(Arith arith, const MappedLeaf &leaf) const {
  if (leaf.mode < 0)
    return arith.constant(0);
  return arith.mul(leaf.stride, getStride(arith, leaf.mode));
}

Value tile::both(Arith arith, Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return arith.fold<arith::AndIOp>(a, b);
}

SmallVector<Value> tile::getDigits(Arith arith, const MappedMatrix &matrix,
                                   int64_t dim, Value number, unsigned first,
                                   unsigned last) {
  if (first == last)
    return {};
  DigitModes modes;
  for (unsigned i = first; i < last; ++i)
    modes.extents.push_back(matrix.leaves[dim][i].extent);
  // An empty tensor must not divide by zero; its last extent masks it.
  return splitDigits(arith, modes, number);
}

PlaceDigits tile::getPlaceDigits(Arith arith, const MappedMatrix &matrix,
                                 int64_t dim, Value offset) {
  const MappedState &state = matrix.state;
  IteratorType type = matrix.plan.type;
  unsigned count = matrix.leaves[dim].size();
  Value inTile = arith.add(state.inTile[dim], offset);
  PlaceDigits place;
  unsigned split = type.getTileLeaves(dim);
  if (split == 0) {
    Value number = arith.add(state.tile[dim], inTile);
    if (GatherAttr gather = type.getGather(); gather && type.isGathered(dim)) {
      place.exists =
          arith.less(number, getListLength(arith, gather, state.indices));
      number = lookUpIndex(arith, gather, state.indices, number, place.exists,
                           /*none=*/-1);
    }
    place.digits = getDigits(arith, matrix, dim, number, 0, count);
  } else {
    // Leaves that hold whole tiles: the other digits do not depend on the
    // place in the tile.
    int64_t block = 1, tile = type.getMap().getTileShape()[dim];
    for (const LeafMode &leaf :
         ArrayRef<LeafMode>(matrix.plan.leaves[dim]).take_front(split))
      block *= leaf.extent.getValue();
    // Tiles start at multiples of their extent.
    Value low = arith.constant(0);
    if (block != tile)
      low = arith.fold<arith::RemUIOp>(state.tile[dim], arith.constant(block));
    Value high =
        arith.fold<arith::DivUIOp>(state.tile[dim], arith.constant(block));
    place.digits =
        getDigits(arith, matrix, dim, arith.add(low, inTile), 0, split);
    llvm::append_range(place.digits,
                       getDigits(arith, matrix, dim, high, split, count));
  }
  // The last digit has the whole rest.
  place.exists =
      both(arith, place.exists,
           arith.less(place.digits.back(), matrix.leaves[dim].back().extent));
  return place;
}

void tile::addToCoordinate(Arith arith, const MappedMatrix &matrix, int64_t dim,
                           ValueRange digits,
                           MutableArrayRef<Value> coordinate) {
  for (auto [digit, leaf] : llvm::zip_equal(digits, matrix.leaves[dim]))
    if (leaf.mode >= 0)
      coordinate[leaf.mode] =
          arith.add(coordinate[leaf.mode], arith.mul(digit, leaf.stride));
}

/// Adds what a walk keeps of a fixed dimension; false if it does not keep that
/// offset, or the offset is a loop's.
static bool addFixed(Arith arith, const MappedMatrix &matrix, int64_t dim,
                     Value offset, MutableArrayRef<Value> coordinate,
                     Value &exists) {
  std::optional<FixedDim> fixed = getFixedDim(matrix.plan.type);
  std::optional<int64_t> number = getConstantIntValue(offset);
  if (!fixed || fixed->dim != dim || !number)
    return false;
  const int64_t *found = llvm::find(fixed->offsets, *number);
  if (found == fixed->offsets.end())
    return false;
  size_t place = found - fixed->offsets.begin();
  for (auto [i, mode] : llvm::enumerate(fixed->modes))
    coordinate[mode] = arith.add(
        coordinate[mode], matrix.state.fixed[place * fixed->modes.size() + i]);
  exists = both(arith, exists, matrix.state.fixedExists[place]);
  return true;
}

Value tile::swizzleLast(Arith arith, ArrayRef<int64_t> numbers,
                        ArrayRef<Value> coordinate) {
  Value swizzled = coordinate.back();
  for (; !numbers.empty(); numbers = numbers.drop_front(4)) {
    int64_t bits = numbers[0], into = numbers[1], from = numbers[3];
    int64_t mask = ((int64_t(1) << bits) - 1) << from;
    Value moved =
        arith.fold<arith::AndIOp>(coordinate[numbers[2]], arith.constant(mask));
    if (from > into)
      moved = arith.fold<arith::ShRUIOp>(moved, arith.constant(from - into));
    else if (from < into)
      moved = arith.fold<arith::ShLIOp>(moved, arith.constant(into - from));
    swizzled = arith.fold<arith::XOrIOp>(swizzled, moved);
  }
  return swizzled;
}

ElementPlace tile::findElement(Arith arith, const MappedMatrix &matrix,
                               const std::array<Value, 2> &offset) {
  const MappedState &state = matrix.state;
  IteratorType type = matrix.plan.type;
  unsigned rank = type.getView().getLayout().rank();
  Value exists;
  auto require = [&](Value condition) {
    exists = both(arith, exists, condition);
  };
  std::array<Value, 2> inTile;
  for (int64_t dim : {0, 1}) {
    inTile[dim] = arith.add(state.inTile[dim], offset[dim]);
    if (matrix.plan.leavesTile)
      require(arith.less(inTile[dim],
                         arith.constant(type.getMap().getTileShape()[dim])));
  }
  if (TriangleAttr triangle = type.getTriangle())
    require(arith.fold<arith::CmpIOp>(getPredicate(triangle),
                                      arith.add(state.tile[0], inTile[0]),
                                      arith.add(state.tile[1], inTile[1])));
  SmallVector<Value> coordinate(state.origin);
  if (type.isIdentity())
    coordinate.assign(2, arith.constant(0));
  for (int64_t dim : {0, 1}) {
    if (addFixed(arith, matrix, dim, offset[dim], coordinate, exists))
      continue;
    PlaceDigits place = getPlaceDigits(arith, matrix, dim, offset[dim]);
    require(place.exists);
    addToCoordinate(arith, matrix, dim, place.digits, coordinate);
  }
  Value distance = arith.constant(0);
  for (unsigned mode = 0; mode < rank; ++mode) {
    Value c = coordinate[mode];
    // The coordinates of the identity are bounded as rows and columns are.
    if (!type.isIdentity()) {
      if (type.isDivided() && !type.getDivide()[mode].isStatic(1)) {
        Value divisor = arith.get(
            getLeaf(arith.builder, type.getDivide(), mode, state.divide));
        Value rest = arith.fold<arith::RemSIOp>(c, divisor);
        require(arith.fold<arith::CmpIOp>(arith::CmpIPredicate::eq, rest,
                                          arith.constant(0)));
        c = arith.fold<arith::DivSIOp>(c, divisor);
      }
      require(arith.less(c, matrix.getExtent(arith, mode)));
    }
    coordinate[mode] = c;
    if (mode + 1 == rank)
      c = swizzleLast(arith, type.getXorBits(), coordinate);
    distance = arith.add(distance, arith.mul(c, matrix.getStride(arith, mode)));
  }
  return {distance, !type.getPredicated() ? Value() : exists};
}
