// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a walk over a mapped matrix moves.
#include "IteratorLowering.h"
#include "MappedWalks.h"

using namespace mlir;
using namespace tile;
using Arith = IndexArith;
using Kind = MappedPlan::Kind;

namespace {

/// Counts an odometer by one.
struct Counter {
  Arith arith;
  /// Whether the digits so far have gone back to zero; null: yes.
  Value carry;
  /// Of each digit but the last one, whether it does.
  SmallVector<Value> wraps;

  /// The digit after it has counted.
  Value count(Value digit, const OdometerDigit &by) {
    Type type = digit.getType();
    Value next = arith.add(digit, arith.cast(by.step, type)), before = carry;
    if (by.extent) {
      Value wrap = arith.fold<arith::CmpIOp>(arith::CmpIPredicate::uge, next,
                                             arith.cast(by.extent, type));
      next = arith.select(wrap, arith.cast(arith.constant(0), type), next);
      wraps.push_back(wrap);
      carry = both(arith, carry, wrap);
    }
    return before ? arith.select(before, next, digit) : next;
  }

  /// The value for the digit at which the counting ends.
  Value choose(ArrayRef<Value> values) const {
    Value chosen = values.back();
    for (size_t i = values.size() - 1; i-- > 0;)
      chosen = arith.select(wraps[i], chosen, values[i]);
    return chosen;
  }
};

} // namespace

/// Adds digits to those of each place.
static void addToPlaces(Arith arith, const MappedMatrix &matrix, int64_t dim,
                        ArrayRef<Value> digits, ArrayRef<Value> increments) {
  const MappedPlan &plan = matrix.plan;
  DigitModes modes = getDigitModes(arith, matrix, dim);
  for (size_t i = 0; i < plan.places[dim].size(); ++i) {
    KeptPlace kept = getKeptPlace(plan, matrix.state, dim, i);
    addDigits(arith, modes, kept.rest, digits, kept.distance, increments);
  }
}

/// What each digit of the odometer adds to the number along `dim` when it
/// counts: as `getIncrements`, of the steps and of a linear dimension.
static SmallVector<Value> getNumberIncrements(Arith arith,
                                              const MappedPlan &plan,
                                              int64_t dim, size_t digits) {
  SmallVector<Value> increments;
  int64_t back = 0;
  for (const MapMode &mode : plan.steps) {
    int64_t stride = mode.dim == dim ? mode.stride : 0;
    increments.push_back(arith.constant(stride - back));
    back += stride * (mode.size - 1);
  }
  int64_t tile =
      plan.type.getAdvance() == dim && plan.kinds[dim] == Kind::Linear
          ? plan.type.getMap().getTileShape()[dim]
          : 0;
  while (increments.size() < digits)
    increments.push_back(arith.constant(tile - back));
  return increments;
}

/// One step, by increments alone.
static void countStep(Arith arith, const MappedMatrix &matrix) {
  const MappedPlan &plan = matrix.plan;
  MappedState &state = matrix.state;
  SmallVector<OdometerDigit> digits = getOdometer(arith, matrix);
  Counter counter{arith, Value(), {}};
  for (auto [i, digit] : llvm::enumerate(state.stepDigits))
    digit = counter.count(digit, digits[i]);
  Value carry = counter.carry;
  for (auto [i, digit] : llvm::enumerate(state.odometer))
    digit = counter.count(digit, digits[plan.steps.size() + i]);
  for (int64_t dim : {0, 1})
    if (plan.moves[dim] && plan.kinds[dim] != Kind::Digits) {
      Value &number = getMovingNumber(plan, state, dim);
      number = arith.add(number, counter.choose(getNumberIncrements(
                                     arith, plan, dim, digits.size())));
    }
  ArrayRef<Value> increments = state.increments;
  state.view.pointer =
      arith.move(state.view.pointer, arith.builder.getI8Type(),
                 counter.choose(increments.take_front(digits.size())));
  for (int64_t dim : {0, 1}) {
    if (!plan.hasMovingDigits(dim))
      continue;
    SmallVector<Value> by(state.tileDigits);
    SmallVector<Value> moved(increments.drop_front(digits.size()));
    // Within a tile nothing is added, so that nothing carries.
    if (carry) {
      for (Value &digit : by)
        digit = arith.select(carry, digit, arith.constant(0));
      moved[0] = arith.select(carry, moved[0], arith.constant(0));
    }
    addToPlaces(arith, matrix, dim, by, moved);
  }
}

/// Any number of steps, by the digits of that number.
static void countSteps(Arith arith, const MappedMatrix &matrix, Value steps) {
  const MappedPlan &plan = matrix.plan;
  MappedState &state = matrix.state;
  Value below = arith.constant(1);
  for (auto [mode, digit] : llvm::zip_equal(plan.steps, state.stepDigits)) {
    steps = arith.add(steps, arith.mul(arith.toIndex(digit), below));
    below = arith.mul(below, mode.size);
  }
  std::array<Value, 2> by{arith.constant(0), arith.constant(0)};
  for (auto [mode, digit] : llvm::zip_equal(plan.steps, state.stepDigits)) {
    Value size = arith.constant(mode.size);
    Value next = arith.fold<arith::RemUIOp>(steps, size);
    steps = arith.fold<arith::DivUIOp>(steps, size);
    by[mode.dim] = arith.add(
        by[mode.dim],
        arith.mul(arith.fold<arith::SubIOp>(next, arith.toIndex(digit)),
                  mode.stride));
    digit = arith.cast(next, digit.getType());
  }
  int64_t advance = plan.type.getAdvance();
  Value tiles = arith.mul(steps, plan.type.getMap().getTileShape()[advance]);
  Value moved = arith.constant(0);
  for (int64_t dim : {0, 1}) {
    ArrayRef<MappedLeaf> leaves = matrix.leaves[dim];
    if (!plan.moves[dim])
      continue;
    if (plan.kinds[dim] == Kind::Digits) {
      DigitModes modes = getDigitModes(arith, matrix, dim);
      SmallVector<Value> digits = splitDigits(arith, modes, tiles);
      addToPlaces(arith, matrix, dim, digits,
                  getCarryIncrements(arith, modes, digits));
      continue;
    }
    if (dim == advance && plan.kinds[dim] == Kind::Linear)
      by[dim] = arith.add(by[dim], tiles);
    Value &number = getMovingNumber(plan, state, dim);
    number = arith.add(number, by[dim]);
    moved = arith.add(
        moved, arith.mul(by[dim], matrix.getWeight(arith, leaves.front())));
  }
  if (!state.odometer.empty()) {
    unsigned first = plan.getFirstDigit(advance);
    ArrayRef<MappedLeaf> leaves =
        ArrayRef<MappedLeaf>(matrix.leaves[advance]).drop_front(first);
    // Its number, and the digits of what that becomes.
    Value number = first == 0 ? tiles : steps;
    Value below = arith.constant(1);
    for (auto [leaf, digit] : llvm::zip_equal(leaves, state.odometer)) {
      number = arith.add(number, arith.mul(arith.toIndex(digit), below));
      below = arith.mul(below, clampExtent(arith, leaf.extent));
    }
    SmallVector<Value> next = getDigits(arith, matrix, advance, number, first,
                                        matrix.leaves[advance].size());
    for (auto [leaf, digit, to] :
         llvm::zip_equal(leaves, state.odometer, next)) {
      moved = arith.add(
          moved, arith.mul(arith.fold<arith::SubIOp>(to, arith.toIndex(digit)),
                           matrix.getWeight(arith, leaf)));
      digit = arith.cast(to, digit.getType());
    }
  }
  state.view.pointer = arith.move(state.view.pointer,
                                  plan.type.getView().getElementType(), moved);
}

/// A walk that is not incremental: counts steps and tiles.
static void moveRecomputed(Arith arith, const MappedPlan &plan,
                           MappedState &state, Value tiles) {
  IteratorType type = plan.type;
  if (!state.step.empty()) {
    Value count = arith.constant(type.getSteps());
    Value next = arith.add(state.step[0], tiles);
    state.step[0] = arith.fold<arith::RemUIOp>(next, count);
    tiles = arith.fold<arith::DivUIOp>(next, count);
  }
  int64_t dim = type.getAdvance();
  state.tile[dim] = arith.add(
      state.tile[dim], arith.mul(tiles, type.getMap().getTileShape()[dim]));
}

void tile::moveMappedWalk(Arith arith, const MappedPlan &plan,
                          MappedState &state, Value steps) {
  if (!plan.isIncremental) {
    moveRecomputed(arith, plan, state, steps ? steps : arith.constant(1));
  } else {
    MappedMatrix matrix(arith, plan, state);
    if (steps)
      countSteps(arith, matrix, steps);
    else
      countStep(arith, matrix);
  }
  computeMappedStep(arith, plan, state);
}
