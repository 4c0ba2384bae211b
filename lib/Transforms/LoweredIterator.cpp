// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An iterator as the values that it becomes, and the accesses that it makes.
#include "LoweredIterator.h"
#include "FoldedPlaces.h"

using namespace mlir;
using namespace tile;
using Arith = IndexArith;

LoweredIterator::LoweredIterator(IteratorType type, ValueRange values)
    : type(type), plan(type) {
  if (!type.isMapped()) {
    state = IteratorState::unpack(type, values);
    return;
  }
  mapped.emplace(type);
  mappedState = MappedState::unpack(*mapped, values);
}

SmallVector<Type> LoweredIterator::getTypes(IteratorType type) {
  return type.isMapped() ? MappedState::getTypes(MappedPlan(type))
                         : IteratorState::getTypes(type);
}

SmallVector<Value> LoweredIterator::pack() const {
  return mapped ? mappedState.pack(*mapped) : state.pack();
}

Value tile::isSamePlace(Arith arith, LoweredIterator &lhs,
                        LoweredIterator &rhs) {
  Value equal =
      LLVM::ICmpOp::create(arith.builder, arith.loc, LLVM::ICmpPredicate::eq,
                           lhs.getPointer(), rhs.getPointer());
  auto require = [&](ArrayRef<Value> left, ArrayRef<Value> right) {
    for (auto [a, b] : llvm::zip_equal(left, right)) {
      Value same = arith::CmpIOp::create(arith.builder, arith.loc,
                                         arith::CmpIPredicate::eq, a, b);
      equal = arith::AndIOp::create(arith.builder, arith.loc, equal, same);
    }
  };
  // Where no increment leads from place to place, it is where its coordinates
  // are; a mapped one, where all that counts is.
  if (lhs.type.isFolded())
    require(lhs.state.first, rhs.state.first);
  if (lhs.mapped)
    for (auto list : {&MappedState::stepDigits, &MappedState::numbers,
                      &MappedState::odometer, &MappedState::kept,
                      &MappedState::tile, &MappedState::step})
      require(lhs.mappedState.*list, rhs.mappedState.*list);
  return equal;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

namespace {

/// Where the accesses of an iterator are, one after the other.
class Addresses {
public:
  Addresses(Arith arith, const LoweredIterator &iterator, int64_t first,
            int64_t count);

  /// Packed predicates, and those of a diagonal of ones; none if there are
  /// none.
  SmallVector<Value> words, diagonal;
  /// The pointer to access `first` that moves from access to access; null if
  /// each one has an address of its own.
  Value pointer;
  Value next(Arith arith, Value base) const {
    return increment
               ? arith.move(base, iterator.plan.getElementType(), increment)
               : base;
  }

  /// Where access `index` is that `find` starts from, if no pointer moves
  /// there.
  Value getBase(Arith arith, Value index) const {
    if (iterator.mapped || iterator.type.isFolded())
      return {};
    return arith.move(state.pointer, iterator.plan.getElementType(),
                      getDistance(arith, index));
  }
  /// Sets the pointer of memory access `number` of the fragment, which is
  /// access.part of access.index; `base` is what has moved there.
  void find(Arith arith, Value base, Value number, Access &access);

private:
  Value getStride(Arith arith, int64_t dim) const {
    return arith.get(getLeaf(arith.builder,
                             iterator.plan.getLayout().getStride(), dim,
                             state.stride));
  }
  Value getDistance(Arith arith, Value index) const {
    std::array<Value, 2> offset =
        arith.decode(iterator.plan.pattern.iterations, index);
    return arith.add(arith.mul(offset[0], getStride(arith, 0)),
                     arith.mul(offset[1], getStride(arith, 1)));
  }
  void findFolded(Arith arith, Value number, Access &access);

  const LoweredIterator &iterator;
  IteratorState state;
  MappedState mappedState;
  FoldedPlan folded;
  Value increment;
};

} // namespace

Addresses::Addresses(Arith arith, const LoweredIterator &iterator,
                     int64_t first, int64_t count)
    : iterator(iterator), state(iterator.state),
      mappedState(iterator.mappedState), folded(iterator.type) {
  const AccessPlan &plan = iterator.plan;
  if (iterator.mapped) {
    words = mappedState.words;
    return;
  }
  if (folded.isSeparable)
    lookUpPlaces(arith, folded, state, first * plan.parts,
                 (first + count) * plan.parts);
  // An index that leads nowhere masks its access.
  words = state.mask;
  for (auto [word, inside] : llvm::zip(words, state.inside))
    word = arith.fold<arith::AndIOp>(word, inside);
  diagonal = state.diagonal;
  // With one mode of iterations the pointer moves by addition.
  const MapMode *only = nullptr;
  unsigned modes = 0;
  for (const MapMode &mode : plan.pattern.iterations)
    if (mode.size > 1) {
      only = &mode;
      ++modes;
    }
  if (modes > 1 || iterator.type.isFolded())
    return;
  if (modes == 1)
    increment = arith.mul(getStride(arith, only->dim), only->stride);
  pointer = state.pointer;
  if (first > 0)
    pointer = arith.move(pointer, plan.getElementType(),
                         getDistance(arith, arith.constant(first)));
}

void Addresses::find(Arith arith, Value base, Value number, Access &access) {
  if (iterator.mapped) {
    access.pointer = getMappedPointer(
        arith, MappedMatrix(arith, *iterator.mapped, mappedState), number);
    return;
  }
  const AccessPlan &plan = iterator.plan;
  if (iterator.type.isFolded())
    return findFolded(arith, number, access);
  access.pointer =
      arith.move(base, plan.getElementType(),
                 arith.mul(getStride(arith, plan.pattern.vectorDim),
                           access.part * plan.width));
}

void Addresses::findFolded(Arith arith, Value number, Access &access) {
  const AccessPlan &plan = iterator.plan;
  std::array<Value, 2> at = arith.decode(plan.pattern.iterations, access.index);
  int64_t dim = plan.pattern.vectorDim;
  at[dim] = arith.add(at[dim], arith.constant(access.part * plan.width));
  if (folded.isSeparable) {
    access.pointer = getFoldedPointer(arith, folded, state, number, at);
    return;
  }
  for (int64_t dim : {0, 1})
    at[dim] = arith.add(state.first[dim], at[dim]);
  FoldedAccess found =
      getFoldedAccess(arith, iterator.type, state, at, access.predicate);
  access.pointer = found.pointer;
  if (found.inside)
    access.predicate =
        arith.fold<arith::AndIOp>(access.predicate, found.inside);
}

std::pair<int64_t, int64_t>
tile::getRange(IteratorType type, std::optional<ArrayRef<int64_t>> accesses) {
  if (accesses)
    return {(*accesses)[0], (*accesses)[1]};
  return {0, type.getStepAccesses()};
}

/// Bit `number` of packed words, where it is known to be in word `word`.
static Value testBit(Arith arith, ArrayRef<Value> words, int64_t word,
                     Value number) {
  Value bit = arith.fold<arith::IndexCastOp>(
      arith.builder.getI32Type(),
      arith.fold<arith::SubIOp>(number, arith.constant(word * 32)));
  return arith.fold<arith::TruncIOp>(
      arith.builder.getI1Type(), arith.fold<arith::ShRUIOp>(words[word], bit));
}

Value tile::forEachAccess(Arith arith, const LoweredIterator &iterator,
                          int64_t first, int64_t count, Value init,
                          function_ref<Value(Arith, Access, Value)> body) {
  const AccessPlan &plan = iterator.plan;
  Addresses addresses(arith, iterator, first, count);
  bool isTested = !addresses.words.empty();
  // One loop for the accesses whose predicates share a word. Where the bits of
  // one access straddle words, each access has a loop of its own.
  int64_t perLoop = 32 % plan.parts == 0 ? 32 / plan.parts : 1;
  bool moves = bool(addresses.pointer);
  SmallVector<Value> carried;
  if (moves)
    carried.push_back(addresses.pointer);
  if (init)
    carried.push_back(init);
  auto makeAccesses = [&](Arith arith, int64_t begin, Value index,
                          ValueRange values) {
    Value base = moves ? values.front() : addresses.getBase(arith, index);
    Value carried = init ? values.back() : Value();
    Value position =
        arith.mul(arith.fold<arith::SubIOp>(index, arith.constant(first)),
                  plan.pattern.vector);
    for (int64_t part = 0; part < plan.parts; ++part) {
      Access access;
      access.index = index;
      access.part = part;
      access.position = arith.add(position, arith.constant(part * plan.width));
      Value number =
          arith.add(arith.mul(index, plan.parts), arith.constant(part));
      int64_t word = (begin * plan.parts + part) / 32;
      // What is looked up anew is so if the access is made.
      if (iterator.mapped)
        addresses.find(arith, base, number, access);
      if (isTested)
        access.predicate = testBit(arith, addresses.words, word, number);
      if (!addresses.diagonal.empty())
        access.diagonal = testBit(arith, addresses.diagonal, word, number);
      if (!iterator.mapped)
        addresses.find(arith, base, number, access);
      carried = body(arith, access, carried);
    }
    SmallVector<Value> results;
    if (moves)
      results.push_back(addresses.next(arith, base));
    if (carried)
      results.push_back(carried);
    return results;
  };
  for (int64_t begin = first, end = first + count; begin < end;) {
    int64_t next =
        isTested ? std::min(end, (begin / perLoop + 1) * perLoop) : end;
    carried = stripMinedLoop(arith, begin, next, carried,
                             [&](Arith arith, Value index, ValueRange values) {
                               return makeAccesses(arith, begin, index, values);
                             });
    begin = next;
  }
  return init ? carried.back() : Value();
}

Value tile::getElementPointer(Arith arith, const LoweredIterator &iterator,
                              Value index, int64_t first) {
  const AccessPlan &plan = iterator.plan;
  if (iterator.mapped) {
    MappedState state = iterator.mappedState;
    // Elements of one memory access follow one another.
    Value number = arith.add(arith.mul(index, plan.parts),
                             arith.constant(first / plan.width));
    Value pointer = getMappedPointer(
        arith, MappedMatrix(arith, *iterator.mapped, state), number);
    return arith.move(pointer, plan.getElementType(),
                      arith.constant(first % plan.width));
  }
  const IteratorState &state = iterator.state;
  std::array<Value, 2> offset = arith.decode(plan.pattern.iterations, index);
  offset[plan.pattern.vectorDim] =
      arith.add(offset[plan.pattern.vectorDim], arith.constant(first));
  if (FoldedPlan folded(plan.type); folded.isSeparable) {
    Value number = arith.add(arith.mul(index, plan.parts),
                             arith.constant(first / plan.width));
    offset[plan.pattern.vectorDim] = arith.fold<arith::SubIOp>(
        offset[plan.pattern.vectorDim], arith.constant(first % plan.width));
    return arith.move(getFoldedPointer(arith, folded, state, number, offset),
                      plan.getElementType(),
                      arith.constant(first % plan.width));
  }
  if (plan.type.isFolded()) {
    for (int64_t dim : {0, 1})
      offset[dim] = arith.add(state.first[dim], offset[dim]);
    return getFoldedAccess(arith, plan.type, state, offset, Value()).pointer;
  }
  Value elements = arith.constant(0);
  for (int64_t dim : {0, 1}) {
    Value stride = arith.get(getLeaf(
        arith.builder, plan.getLayout().getStride(), dim, state.stride));
    elements = arith.add(elements, arith.mul(offset[dim], stride));
  }
  return arith.move(state.pointer, plan.getElementType(), elements);
}
