// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic and comparisons of nested integer tuples.
#include "tile/Layout/TupleArithmetic.h"

using namespace tile;

static Reason mismatch(const IntTuple &lhs, const IntTuple &rhs) {
  return Reason("expected tuples of matching nesting, but got " + lhs.str() +
                " and " + rhs.str());
}

static Result<IntTuple> checked(IntTuple tuple) {
  if (std::optional<std::string> reason = tuple.findInvalid())
    return Reason(*reason);
  return tuple;
}

static Result<Int> checked(Int integer) {
  if (integer.isInvalid())
    return Reason(integer.getInvalidReason());
  return integer;
}

static std::optional<Reason> checkInts(const IntTuple &tuple) {
  for (const IntTuple &leaf : tuple.getLeaves())
    if (!leaf.isInt())
      return Reason("expected a tuple of integers, but got " + tuple.str());
  return std::nullopt;
}

Result<Int> tile::product(const IntTuple &tuple) {
  if (std::optional<Reason> reason = checkInts(tuple))
    return *reason;
  Int result = 1;
  for (const IntTuple &leaf : tuple.getLeaves())
    result = result * leaf.getInt();
  return checked(result);
}

Result<IntTuple> tile::productEach(const IntTuple &tuple) {
  if (std::optional<Reason> reason = checkInts(tuple))
    return *reason;
  if (tuple.isLeaf())
    return tuple;
  llvm::SmallVector<IntTuple, 4> modes;
  for (const IntTuple &mode : tuple) {
    Result<Int> size = product(mode);
    if (!size)
      return size.takeReason();
    modes.push_back(*size);
  }
  return IntTuple::tuple(modes);
}

Result<Int> tile::sum(const IntTuple &tuple) {
  if (std::optional<Reason> reason = checkInts(tuple))
    return *reason;
  Int result = 0;
  for (const IntTuple &leaf : tuple.getLeaves())
    result = result + leaf.getInt();
  return checked(result);
}

Result<Int> tile::innerProduct(const IntTuple &lhs, const IntTuple &rhs) {
  if (!isCongruent(lhs, rhs))
    return mismatch(lhs, rhs);
  for (const IntTuple *tuple : {&lhs, &rhs})
    if (std::optional<Reason> reason = checkInts(*tuple))
      return *reason;
  Int result = 0;
  llvm::SmallVector<IntTuple, 4> left = lhs.getLeaves();
  llvm::SmallVector<IntTuple, 4> right = rhs.getLeaves();
  for (unsigned i = 0; i < left.size(); ++i)
    result = result + left[i].getInt() * right[i].getInt();
  return checked(result);
}

/// Applies a function to pairs of modes of two tuples of the same rank.
static Result<IntTuple>
mapModes(const IntTuple &lhs, const IntTuple &rhs,
         Result<IntTuple> (*function)(const IntTuple &, const IntTuple &)) {
  if (lhs.rank() != rhs.rank())
    return mismatch(lhs, rhs);
  llvm::SmallVector<IntTuple, 4> modes;
  for (unsigned i = 0; i < lhs.rank(); ++i) {
    Result<IntTuple> mode = function(lhs[i], rhs[i]);
    if (!mode)
      return mode;
    modes.push_back(*mode);
  }
  return IntTuple::tuple(modes);
}

Result<IntTuple> tile::elemScale(const IntTuple &lhs, const IntTuple &rhs) {
  if (lhs.isTuple()) {
    if (!rhs.isTuple())
      return mismatch(lhs, rhs);
    return mapModes(lhs, rhs, elemScale);
  }
  Result<Int> factor = product(rhs);
  if (!factor)
    return factor.takeReason();
  if (!lhs.isInt())
    return mismatch(lhs, rhs);
  return checked(IntTuple(lhs.getInt() * *factor));
}

/// Divides a tuple by a number from the left. `divide` divides two numbers.
static Result<IntTuple> divideTuple(const IntTuple &lhs, const Int &rhs,
                                    Result<Int> (*divide)(const Int &,
                                                          const Int &)) {
  Int rest = rhs;
  llvm::SmallVector<IntTuple, 4> modes;
  for (const IntTuple &mode : lhs) {
    Result<Int> size = product(mode);
    if (!size)
      return size.takeReason();
    if (mode.isTuple()) {
      Result<IntTuple> quotient = divideTuple(mode, rest, divide);
      if (!quotient)
        return quotient;
      modes.push_back(*quotient);
    } else {
      Result<Int> quotient = divide(mode.getInt(), rest);
      if (!quotient)
        return quotient.takeReason();
      modes.push_back(*quotient);
    }
    Result<Int> next = divide(rest, *size);
    if (!next)
      return next.takeReason();
    rest = *next;
  }
  return IntTuple::tuple(modes);
}

static Result<Int> ceilDivInts(const Int &lhs, const Int &rhs) {
  return checked(ceilDiv(lhs, rhs));
}

static Result<Int> shapeDivInts(const Int &lhs, const Int &rhs) {
  if (rhs.isMultipleOf(lhs))
    return Int(1);
  if (lhs.isMultipleOf(rhs))
    return checked(floorDiv(lhs, rhs));
  return Reason("expected extents of which one divides the other, but got " +
                lhs.str() + " and " + rhs.str());
}

Result<IntTuple> tile::ceilDiv(const IntTuple &lhs, const IntTuple &rhs) {
  if (lhs.isTuple() && rhs.isTuple())
    return mapModes(
        lhs, rhs,
        static_cast<Result<IntTuple> (*)(const IntTuple &, const IntTuple &)>(
            ceilDiv));
  Result<Int> divisor = product(rhs);
  if (!divisor)
    return divisor.takeReason();
  if (lhs.isTuple())
    return divideTuple(lhs, *divisor, ceilDivInts);
  if (!lhs.isInt())
    return mismatch(lhs, rhs);
  return checked(IntTuple(ceilDiv(lhs.getInt(), *divisor)));
}

Result<IntTuple> tile::shapeDiv(const IntTuple &lhs, const IntTuple &rhs) {
  if (lhs.isTuple() && rhs.isTuple())
    return mapModes(lhs, rhs, shapeDiv);
  Result<Int> divisor = product(rhs);
  if (!divisor)
    return divisor.takeReason();
  if (lhs.isTuple())
    return divideTuple(lhs, *divisor, shapeDivInts);
  if (!lhs.isInt())
    return mismatch(lhs, rhs);
  Result<Int> quotient = shapeDivInts(lhs.getInt(), *divisor);
  if (!quotient)
    return quotient.takeReason();
  return IntTuple(*quotient);
}

bool tile::isCongruent(const IntTuple &lhs, const IntTuple &rhs) {
  if (lhs.isLeaf() || rhs.isLeaf())
    return lhs.isLeaf() && rhs.isLeaf();
  if (lhs.rank() != rhs.rank())
    return false;
  for (unsigned i = 0; i < lhs.rank(); ++i)
    if (!isCongruent(lhs[i], rhs[i]))
      return false;
  return true;
}

bool tile::isWeaklyCongruent(const IntTuple &lhs, const IntTuple &rhs) {
  if (lhs.isLeaf())
    return true;
  if (rhs.isLeaf() || lhs.rank() != rhs.rank())
    return false;
  for (unsigned i = 0; i < lhs.rank(); ++i)
    if (!isWeaklyCongruent(lhs[i], rhs[i]))
      return false;
  return true;
}

bool tile::isCompatible(const IntTuple &lhs, const IntTuple &rhs) {
  if (lhs.isLeaf()) {
    Result<Int> size = product(rhs);
    return size && lhs.isInt() && lhs.getInt().isSameAs(*size);
  }
  if (rhs.isLeaf() || lhs.rank() != rhs.rank())
    return false;
  for (unsigned i = 0; i < lhs.rank(); ++i)
    if (!isCompatible(lhs[i], rhs[i]))
      return false;
  return true;
}

bool tile::evenlyDivides(const IntTuple &lhs, const IntTuple &rhs) {
  if (lhs.isTuple() && rhs.isTuple()) {
    if (rhs.rank() > lhs.rank())
      return false;
    for (unsigned i = 0; i < rhs.rank(); ++i)
      if (!evenlyDivides(lhs[i], rhs[i]))
        return false;
    return true;
  }
  Result<Int> whole = product(lhs), part = product(rhs);
  return whole && part && whole->isMultipleOf(*part);
}

static std::optional<Reason>
collectPairs(const IntTuple &lhs, const IntTuple &rhs,
             llvm::SmallVectorImpl<std::pair<Int, Int>> &pairs) {
  if (lhs.isWildcard() || rhs.isWildcard())
    return std::nullopt;
  if (lhs.isTuple()) {
    if (rhs.isLeaf() || lhs.rank() > rhs.rank())
      return mismatch(lhs, rhs);
    for (unsigned i = 0; i < lhs.rank(); ++i)
      if (std::optional<Reason> reason = collectPairs(lhs[i], rhs[i], pairs))
        return reason;
    return std::nullopt;
  }
  Result<Int> size = product(rhs);
  if (!size)
    return size.takeReason();
  if (!lhs.isInt())
    return mismatch(lhs, rhs);
  pairs.push_back({lhs.getInt(), *size});
  return std::nullopt;
}

Result<llvm::SmallVector<std::pair<Int, Int>>>
tile::elemPairs(const IntTuple &lhs, const IntTuple &rhs) {
  llvm::SmallVector<std::pair<Int, Int>> pairs;
  if (std::optional<Reason> reason = collectPairs(lhs, rhs, pairs))
    return *reason;
  return pairs;
}

Result<bool> tile::elemLess(const IntTuple &lhs, const IntTuple &rhs) {
  Result<llvm::SmallVector<std::pair<Int, Int>>> pairs = elemPairs(lhs, rhs);
  if (!pairs)
    return pairs.takeReason();
  for (const auto &[left, right] : *pairs) {
    if (!left.isStatic() || !right.isStatic())
      return Reason("expected constants to compare, but got " + left.str() +
                    " and " + right.str());
    if (left.getValue() >= right.getValue())
      return false;
  }
  return true;
}
