// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the parts of a walk over a mapped matrix share.
#include "MappedWalks.h"
#include "IteratorLowering.h"

using namespace mlir;
using namespace tile;
using Arith = IndexArith;
using Kind = MappedPlan::Kind;

KeptPlace tile::getKeptPlace(const MappedPlan &plan, MappedState &state,
                             int64_t dim, size_t place) {
  auto perPlace = [&](int64_t d) {
    return 1 + (plan.moves[d] ? plan.leaves[d].size()
                              : plan.getKeptModes(d).size());
  };
  size_t first = place * perPlace(dim);
  if (dim == 1 && plan.kinds[0] == Kind::Digits)
    first += plan.places[0].size() * perPlace(0);
  MutableArrayRef<Value> values =
      MutableArrayRef<Value>(state.kept).slice(first, perPlace(dim));
  return {values.front(), values.drop_front()};
}

Value &tile::getMovingNumber(const MappedPlan &plan, MappedState &state,
                             int64_t dim) {
  bool isSecond = dim == 1 && plan.kinds[0] != Kind::Digits && plan.moves[0];
  return state.numbers[isSecond];
}

DigitModes tile::getDigitModes(Arith arith, const MappedMatrix &matrix,
                               int64_t dim) {
  DigitModes modes;
  for (const MappedLeaf &leaf : matrix.leaves[dim]) {
    modes.extents.push_back(leaf.extent);
    modes.weights.push_back(matrix.getWeight(arith, leaf));
  }
  return modes;
}

std::array<Value, 2>
tile::getAccessOffset(Arith arith, const MappedMatrix &matrix, Value number) {
  const MappedPlan &plan = matrix.plan;
  if (!matrix.state.step.empty())
    number = arith.add(arith.mul(matrix.state.step[0], plan.count), number);
  Value access = arith.fold<arith::DivUIOp>(number, arith.constant(plan.parts));
  Value part = arith.fold<arith::RemUIOp>(number, arith.constant(plan.parts));
  std::array<Value, 2> offset = arith.decode(
      plan.isIncremental ? plan.inner : plan.pattern.iterations, access);
  int64_t dim = plan.pattern.vectorDim;
  offset[dim] = arith.add(offset[dim], arith.mul(part, plan.width));
  return offset;
}

SmallVector<Value>
tile::packWords(Arith arith, const MappedPlan &plan,
                function_ref<Value(Arith, Value number)> predicate) {
  SmallVector<Value> words;
  for (int64_t begin = 0; words.size() < plan.getNumWords(); begin += 32)
    words.push_back(
        packBits(arith, begin, std::min(plan.count, begin + 32), predicate));
  return words;
}

SmallVector<OdometerDigit> tile::getOdometer(Arith arith,
                                             const MappedMatrix &matrix) {
  const MappedPlan &plan = matrix.plan;
  SmallVector<OdometerDigit> digits;
  for (const MapMode &mode : plan.steps)
    digits.push_back(
        {arith.constant(mode.size), arith.constant(1),
         arith.mul(matrix.getWeight(arith, matrix.leaves[mode.dim].front()),
                   mode.stride)});
  int64_t dim = plan.type.getAdvance();
  if (dim == IteratorType::kNoAdvance)
    return digits;
  Value tile = arith.constant(plan.type.getMap().getTileShape()[dim]);
  ArrayRef<MappedLeaf> leaves = matrix.leaves[dim];
  switch (plan.kinds[dim]) {
  case Kind::Linear:
    digits.push_back({Value(), tile, matrix.getWeight(arith, leaves[0])});
    break;
  case Kind::Uniform:
    for (unsigned i = plan.getFirstDigit(dim); i < leaves.size(); ++i)
      digits.push_back({i + 1 < leaves.size()
                            ? clampExtent(arith, leaves[i].extent)
                            : Value(),
                        i == 0 ? tile : arith.constant(1),
                        matrix.getWeight(arith, leaves[i])});
    break;
  case Kind::Digits:
    // Each place has an increment of its own; here only the steps go back.
    digits.push_back({Value(), arith.constant(1), arith.constant(0)});
    break;
  }
  return digits;
}
