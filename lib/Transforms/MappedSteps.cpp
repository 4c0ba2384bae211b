// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a step of a walk over a mapped matrix accesses.
#include "IteratorLowering.h"
#include "MappedWalks.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tile;
using Arith = IndexArith;
using Kind = MappedPlan::Kind;

/// The coordinate of a memory access along a mode that moves.
static Value getMovingCoordinate(Arith arith, const MappedMatrix &matrix,
                                 int64_t mode,
                                 const std::array<Value, 2> &offset,
                                 Value number) {
  const MappedPlan &plan = matrix.plan;
  MappedState &state = matrix.state;
  size_t before =
      llvm::count(ArrayRef<bool>(plan.modeMoves).take_front(mode), true);
  Value coordinate = state.base[before];
  auto add = [&](Value digit, const MappedLeaf &leaf) {
    if (leaf.mode == mode)
      coordinate = arith.add(coordinate, arith.mul(digit, leaf.stride));
  };
  for (int64_t dim : {0, 1}) {
    ArrayRef<MappedLeaf> leaves = matrix.leaves[dim];
    if (plan.kinds[dim] != Kind::Digits) {
      add(plan.moves[dim]
              ? arith.add(getMovingNumber(plan, state, dim), offset[dim])
              : offset[dim],
          leaves[0]);
      if (plan.kinds[dim] == Kind::Uniform && plan.type.getAdvance() == dim)
        for (auto [digit, leaf] : llvm::zip_equal(
                 state.odometer, leaves.drop_front(plan.getFirstDigit(dim))))
          add(arith.toIndex(digit), leaf);
      continue;
    }
    auto pick = [&](size_t i) {
      SmallVector<Value> values;
      for (size_t place = 0; place < plan.places[dim].size(); ++place)
        values.push_back(getKeptPlace(plan, state, dim, place).rest[i]);
      return pickPlace(arith, plan.placeOf[dim], values, number);
    };
    if (plan.moves[dim]) {
      for (auto [i, leaf] : llvm::enumerate(leaves))
        if (leaf.mode == mode)
          add(pick(i), leaf);
      continue;
    }
    SmallVector<int64_t> modes = plan.getKeptModes(dim);
    const int64_t *found = llvm::find(modes, mode);
    if (found != modes.end())
      coordinate = arith.add(coordinate, pick(found - modes.begin()));
  }
  return coordinate;
}

/// Whether all memory accesses of a step are at one place along the dimensions
/// that move along a mode.
static bool isShared(const MappedPlan &plan, int64_t mode) {
  for (int64_t dim : {0, 1})
    if (plan.places[dim].size() > 1 &&
        llvm::any_of(plan.leaves[dim], [&](const LeafMode &leaf) {
          return MappedPlan::getMode(leaf) == mode;
        }))
      return false;
  return true;
}

namespace {

/// What decides whether a memory access exists, as far as a move may change
/// that: the dimensions along which it must be within `coords`, and the modes
/// along which it must be in the view.
struct Conditions {
  SmallVector<int64_t, 2> dims;
  SmallVector<int64_t> modes;
};

} // namespace

/// The conditions that are the same for all accesses of a step, or the others.
static Conditions getConditions(const MappedPlan &plan, bool shared) {
  Conditions conditions;
  for (int64_t dim : {0, 1}) {
    bool isUniform = plan.kinds[dim] == Kind::Uniform;
    // A uniform dimension that only steps within a tile stays within coords.
    if (plan.moves[dim] && !(isUniform && plan.type.getAdvance() != dim) &&
        shared == (isUniform || plan.places[dim].size() == 1))
      conditions.dims.push_back(dim);
  }
  if (!plan.type.isIdentity())
    for (int64_t mode = 0, rank = plan.modeMoves.size(); mode < rank; ++mode)
      if (plan.modeMoves[mode] && shared == isShared(plan, mode))
        conditions.modes.push_back(mode);
  return conditions;
}

/// Whether a memory access fulfills conditions; null: there are none.
static Value fulfills(Arith arith, const MappedMatrix &matrix, Value number,
                      const Conditions &conditions) {
  const MappedPlan &plan = matrix.plan;
  MappedState &state = matrix.state;
  std::array<Value, 2> offset = getAccessOffset(arith, matrix, number);
  Value exists;
  for (int64_t dim : conditions.dims) {
    Value last;
    if (plan.kinds[dim] == Kind::Uniform) {
      last = state.odometer.back();
    } else if (plan.kinds[dim] == Kind::Linear) {
      last = arith.add(getMovingNumber(plan, state, dim), offset[dim]);
    } else {
      SmallVector<Value> digits;
      for (size_t place = 0; place < plan.places[dim].size(); ++place)
        digits.push_back(getKeptPlace(plan, state, dim, place).rest.back());
      last = pickPlace(arith, plan.placeOf[dim], digits, number);
    }
    exists =
        both(arith, exists, arith.less(last, matrix.leaves[dim].back().extent));
  }
  for (int64_t mode : conditions.modes)
    exists = both(
        arith, exists,
        arith.less(getMovingCoordinate(arith, matrix, mode, offset, number),
                   matrix.getExtent(arith, mode)));
  return exists;
}

/// The words of an incremental walk, as far as a mask does not clear them.
static SmallVector<Value> getWords(Arith arith, const MappedPlan &plan,
                                   MappedState &state) {
  SmallVector<Value> words(state.fixedWords);
  MappedMatrix matrix(arith, plan, state);
  Conditions own = getConditions(plan, /*shared=*/false);
  if (!own.dims.empty() || !own.modes.empty()) {
    SmallVector<Value> here =
        packWords(arith, plan, [&](Arith arith, Value number) {
          return fulfills(arith, MappedMatrix(arith, plan, state), number, own);
        });
    for (auto [word, bits] : llvm::zip_equal(words, here))
      word = arith.fold<arith::AndIOp>(word, bits);
  }
  for (auto [table, word] : llvm::zip_equal(plan.tables, state.tables)) {
    int64_t dim = plan.type.getAdvance();
    Value digit = state.odometer[table.leaf - plan.getFirstDigit(dim)];
    Value count =
        arith::ConstantIntOp::create(arith.builder, arith.loc, plan.count, 32);
    Value shift = arith.mul(digit, count);
    words[0] = arith.fold<arith::AndIOp>(
        words[0], arith.fold<arith::ShRUIOp>(word, shift));
  }
  Value shared = fulfills(arith, matrix, arith.constant(0),
                          getConditions(plan, /*shared=*/true));
  if (!shared)
    return words;
  Value none = arith::ConstantIntOp::create(arith.builder, arith.loc, 0, 32);
  for (Value &word : words)
    word = arith.select(shared, word, none);
  return words;
}

void tile::computeMappedStep(Arith arith, const MappedPlan &plan,
                             MappedState &state) {
  if (plan.keepsDistances()) {
    // The distances are values of their own, so that this is no loop.
    MappedMatrix matrix(arith, plan, state);
    SmallVector<Value> distances;
    for (int64_t i = 0; i < plan.count; ++i) {
      Value distance =
          findElement(arith, matrix,
                      getAccessOffset(arith, matrix, arith.constant(i)))
              .distance;
      distances.push_back(
          plan.hasNarrowDistances()
              ? arith.truncate(distance, arith.builder.getI32Type())
              : distance);
    }
    state.distances = distances;
  }
  if (plan.getNumWords() == 0)
    return;
  if (plan.isIncremental)
    state.words = getWords(arith, plan, state);
  else
    state.words = packWords(arith, plan, [&](Arith arith, Value number) {
      MappedMatrix matrix(arith, plan, state);
      return findElement(arith, matrix, getAccessOffset(arith, matrix, number))
          .exists;
    });
  Value none = arith::ConstantIntOp::create(arith.builder, arith.loc, 0, 32);
  for (Value &word : state.words)
    word = arith.select(state.enabled[0], word, none);
}

Value tile::getMappedPointer(Arith arith, const MappedMatrix &matrix,
                             Value number) {
  const MappedPlan &plan = matrix.plan;
  MappedState &state = matrix.state;
  Type elementType = plan.type.getView().getElementType();
  if (plan.keepsDistances()) {
    Value distance = state.distances[0];
    if (std::optional<int64_t> constant = getConstantIntValue(number)) {
      distance = state.distances[*constant];
    } else if (plan.count > 1) {
      auto type = VectorType::get({plan.count}, distance.getType());
      Value list = vector::FromElementsOp::create(arith.builder, arith.loc,
                                                  type, state.distances);
      distance = vector::ExtractOp::create(arith.builder, arith.loc, list,
                                           getAsOpFoldResult(number));
    }
    return arith.move(state.view.pointer, elementType, distance);
  }
  if (!plan.isIncremental) {
    std::array<Value, 2> offset = getAccessOffset(arith, matrix, number);
    return arith.move(state.view.pointer, elementType,
                      findElement(arith, matrix, offset).distance);
  }
  std::array<Value, 2> offset = getAccessOffset(arith, matrix, number);
  Value pointer = state.view.pointer;
  Value distance = arith.constant(0);
  for (int64_t dim : {0, 1}) {
    if (plan.kinds[dim] != Kind::Digits) {
      Value weight = matrix.getWeight(arith, matrix.leaves[dim].front());
      distance = arith.add(distance, arith.mul(offset[dim], weight));
      continue;
    }
    SmallVector<Value> distances;
    for (size_t place = 0; place < plan.places[dim].size(); ++place)
      distances.push_back(getKeptPlace(plan, state, dim, place).distance);
    pointer =
        arith.move(pointer, elementType,
                   pickPlace(arith, plan.placeOf[dim], distances, number));
  }
  return arith.move(pointer, elementType, distance);
}
