// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses of iterators whose coordinates are split or looked up.
#include "FoldedPlaces.h"
#include "DigitArith.h"
#include "IteratorLowering.h"

using namespace mlir;
using namespace tile;
using Arith = IndexArith;
using Kind = FoldedPlan::Kind;

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

/// More than so many places, and values for them, are not kept in registers.
static constexpr size_t kMaxPlaces = 16, kMaxKept = 48;

FoldedPlan::FoldedPlan(IteratorType type)
    : type(type), isSeparable(type.isFolded() && type.getPermute().empty() &&
                              type.getView().getSwizzle().isIdentity()) {
  if (!isSeparable)
    return;
  for (int64_t dim : {0, 1}) {
    leaves[dim] = type.getView().getLayout()[dim].getLeafModes();
    if (leaves[dim].size() > 1)
      kinds[dim] = Kind::Digits;
    if (GatherAttr gather = type.getGather();
        gather && gather.getDim() == dim) {
      kinds[dim] = Kind::Gathered;
      keepsGathered = type.getAdvance() != dim;
    }
  }
  AccessPlan plan(type);
  for (int64_t i = 0, e = plan.pattern.getNumAccesses() * plan.parts; i < e;
       ++i) {
    auto [row, column] = plan.pattern.getAccessOffset(i / plan.parts);
    int64_t offset[2] = {row, column};
    offset[plan.pattern.vectorDim] += i % plan.parts * plan.width;
    for (int64_t dim : {0, 1}) {
      int64_t *place = llvm::find(places[dim], offset[dim]);
      placeOf[dim].push_back(place - places[dim].begin());
      if (place == places[dim].end())
        places[dim].push_back(offset[dim]);
    }
  }
  size_t kept = 0;
  for (int64_t dim : {0, 1}) {
    kept += getNumKept(dim) * places[dim].size();
    if (kinds[dim] != Kind::Linear)
      isSeparable &= places[dim].size() <= kMaxPlaces;
  }
  isSeparable &= kept <= kMaxKept;
}

bool FoldedPlan::hasMovingDigits(int64_t dim) const {
  return kinds[dim] == Kind::Digits && type.getAdvance() == dim;
}

unsigned FoldedPlan::getNumKept(int64_t dim) const {
  if (kinds[dim] == Kind::Linear ||
      (kinds[dim] == Kind::Gathered && !keepsGathered))
    return 0;
  return 1 + (hasMovingDigits(dim) ? leaves[dim].size() : 0);
}

bool FoldedPlan::hasNarrowPlaces(int64_t dim) const {
  SmallVector<Int> extents, weights;
  for (const LeafMode &leaf : leaves[dim]) {
    extents.push_back(leaf.extent);
    weights.push_back(leaf.stride.getInt());
  }
  return fitsInt32(extents, weights);
}

SmallVector<Type> FoldedPlan::getKeptTypes() const {
  MLIRContext *context = type.getContext();
  Type index = IndexType::get(context), i32 = IntegerType::get(context, 32);
  SmallVector<Type> types;
  for (int64_t dim : {0, 1})
    for (size_t i = 0; i < places[dim].size() && getNumKept(dim) != 0; ++i) {
      types.push_back(hasNarrowPlaces(dim) ? i32 : index);
      types.append(getNumKept(dim) - 1, index);
    }
  return types;
}

unsigned FoldedPlan::getNumTileValues() const {
  for (int64_t dim : {0, 1})
    if (hasMovingDigits(dim))
      return 2 * leaves[dim].size();
  return 0;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Extents and strides of a dimension's leaves.
static DigitModes getModes(Arith arith, const FoldedPlan &plan,
                           const IteratorState &state, int64_t dim) {
  DigitModes modes;
  unsigned nextExtent = 0, nextStride = 0;
  auto get = [&](const Int &leaf, ArrayRef<Value> values, unsigned &next) {
    return leaf.isStatic() ? arith.constant(leaf.getValue()) : values[next++];
  };
  for (int64_t d = 0; d <= dim; ++d)
    for (const LeafMode &leaf : plan.leaves[d]) {
      Value extent = get(leaf.extent, state.shape, nextExtent);
      Value stride = get(leaf.stride.getInt(), state.stride, nextStride);
      if (d != dim)
        continue;
      modes.extents.push_back(extent);
      modes.weights.push_back(stride);
    }
  return modes;
}

/// The distance of digits, as it is kept.
static Value getDistance(Arith arith, const FoldedPlan &plan, int64_t dim,
                         const DigitModes &modes, ValueRange digits) {
  Value distance = joinDigits(arith, modes, digits);
  return plan.hasNarrowPlaces(dim)
             ? arith.truncate(distance, arith.builder.getI32Type())
             : distance;
}

/// What is kept for a place along `dim`: the distance, then digits.
static MutableArrayRef<Value> getKept(const FoldedPlan &plan,
                                      IteratorState &state, int64_t dim,
                                      size_t place) {
  size_t first = place * plan.getNumKept(dim);
  if (dim == 1)
    first += plan.places[0].size() * plan.getNumKept(0);
  return MutableArrayRef<Value>(state.kept).slice(first, plan.getNumKept(dim));
}

/// Looks up the coordinates of the places along the gathered dimension; the
/// index of a place is read if its predicate is true.
static void lookUp(Arith arith, const FoldedPlan &plan, IteratorState &state,
                   int64_t dim, ArrayRef<Value> predicates) {
  DigitModes modes = getModes(arith, plan, state, dim);
  SmallVector<Value> inside;
  for (auto [i, place] : llvm::enumerate(plan.places[dim])) {
    FoundCoordinate found = lookUpCoordinate(
        arith, plan.type, state,
        arith.add(state.first[dim], arith.constant(place)), predicates[i]);
    inside.push_back(found.inside);
    getKept(plan, state, dim, i).front() = getDistance(
        arith, plan, dim, modes, splitDigits(arith, modes, found.coordinate));
  }
  state.inside.clear();
  int64_t count = plan.type.getNumPredicates();
  for (int64_t begin = 0; begin < count; begin += 32)
    state.inside.push_back(packBits(arith, begin, std::min(count, begin + 32),
                                    [&](Arith arith, Value number) {
                                      return pickPlace(arith, plan.placeOf[dim],
                                                       inside, number);
                                    }));
}

void tile::arriveFolded(Arith arith, const FoldedPlan &plan,
                        IteratorState &state, ArrayRef<int64_t> dims) {
  size_t count = 0;
  for (int64_t dim : {0, 1})
    count += plan.places[dim].size() * plan.getNumKept(dim);
  state.kept.resize(count);
  for (int64_t dim : dims) {
    if (plan.getNumKept(dim) == 0)
      continue;
    if (plan.kinds[dim] == Kind::Gathered) {
      Value extent = getWalkedExtents(arith, plan.type, state)[dim];
      SmallVector<Value> inList;
      for (int64_t place : plan.places[dim])
        inList.push_back(arith.less(
            arith.add(state.first[dim], arith.constant(place)), extent));
      lookUp(arith, plan, state, dim, inList);
      continue;
    }
    DigitModes modes = getModes(arith, plan, state, dim);
    for (auto [i, place] : llvm::enumerate(plan.places[dim])) {
      SmallVector<Value> digits = splitDigits(
          arith, modes, arith.add(state.first[dim], arith.constant(place)));
      MutableArrayRef<Value> kept = getKept(plan, state, dim, i);
      kept.front() = getDistance(arith, plan, dim, modes, digits);
      if (plan.hasMovingDigits(dim))
        llvm::copy(digits, kept.drop_front().begin());
    }
  }
}

void tile::lookUpPlaces(Arith arith, FoldedPlan &plan, IteratorState &state,
                        int64_t first, int64_t last) {
  if (plan.keepsGathered)
    return;
  int64_t dim = plan.type.getGather().getDim();
  SmallVector<Value> kept(state.kept);
  plan.keepsGathered = true;
  state.kept.assign(kept.size() + plan.places[dim].size(), Value());
  // What is kept along the other dimension.
  if (int64_t other = 1 - dim; plan.getNumKept(other) != 0)
    llvm::copy(kept, getKept(plan, state, other, 0).begin());
  Type i32 = arith.builder.getI32Type();
  Value zero = arith::ConstantIntOp::create(arith.builder, arith.loc, 0, 32);
  SmallVector<Value> predicates;
  for (size_t place = 0; place < plan.places[dim].size(); ++place) {
    Value any;
    for (auto [word, mask] : llvm::enumerate(state.mask)) {
      uint32_t bits = 0;
      for (int64_t i = first; i < last; ++i)
        if (i / 32 == int64_t(word) && plan.placeOf[dim][i] == place)
          bits |= uint32_t(1) << i % 32;
      if (bits == 0)
        continue;
      Value ours = arith.fold<arith::AndIOp>(
          mask, arith::ConstantIntOp::create(arith.builder, arith.loc, i32,
                                             int32_t(bits)));
      any = any ? arith.fold<arith::OrIOp>(any, ours) : ours;
    }
    predicates.push_back(
        any ? arith.fold<arith::CmpIOp>(arith::CmpIPredicate::ne, any, zero)
            : Value(arith::ConstantIntOp::create(arith.builder, arith.loc, 0,
                                                 1)));
  }
  lookUp(arith, plan, state, dim, predicates);
}

void tile::keepTileDigits(Arith arith, const FoldedPlan &plan,
                          IteratorState &state) {
  for (int64_t dim : {0, 1}) {
    if (!plan.hasMovingDigits(dim))
      continue;
    DigitModes modes = getModes(arith, plan, state, dim);
    int64_t tile = plan.type.getMap().getTileShape()[dim];
    state.tileValues = splitDigits(arith, modes, arith.constant(tile));
    llvm::append_range(state.tileValues,
                       getCarryIncrements(arith, modes, state.tileValues));
  }
}

void tile::moveFolded(Arith arith, const FoldedPlan &plan, IteratorState &state,
                      int64_t dim, Value by) {
  if (!plan.hasMovingDigits(dim))
    return arriveFolded(arith, plan, state, {dim});
  DigitModes modes = getModes(arith, plan, state, dim);
  size_t count = modes.extents.size();
  SmallVector<Value> digits(
      ArrayRef<Value>(state.tileValues).take_front(count)),
      increments(ArrayRef<Value>(state.tileValues).drop_front(count));
  if (by) {
    digits = splitDigits(arith, modes, by);
    increments = getCarryIncrements(arith, modes, digits);
  }
  for (size_t i = 0; i < plan.places[dim].size(); ++i) {
    MutableArrayRef<Value> kept = getKept(plan, state, dim, i);
    addDigits(arith, modes, kept.drop_front(), digits, kept.front(),
              increments);
  }
}

Value tile::getFoldedStride(Arith arith, const FoldedPlan &plan,
                            const IteratorState &state, int64_t dim) {
  return getModes(arith, plan, state, dim).weights.front();
}

Value tile::getFoldedPointer(Arith arith, const FoldedPlan &plan,
                             const IteratorState &state, Value number,
                             const std::array<Value, 2> &offset) {
  Type elementType = plan.type.getView().getElementType();
  Value pointer = state.pointer, moved = arith.constant(0);
  for (int64_t dim : {0, 1}) {
    if (plan.kinds[dim] == Kind::Linear) {
      moved =
          arith.add(moved, arith.mul(offset[dim],
                                     getFoldedStride(arith, plan, state, dim)));
      continue;
    }
    IteratorState copy = state;
    SmallVector<Value> distances;
    for (size_t i = 0; i < plan.places[dim].size(); ++i)
      distances.push_back(getKept(plan, copy, dim, i).front());
    pointer =
        arith.move(pointer, elementType,
                   pickPlace(arith, plan.placeOf[dim], distances, number));
  }
  return arith.move(pointer, elementType, moved);
}
