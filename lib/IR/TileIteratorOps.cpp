// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tile iterator operations: verifiers and type inference.
#include "IteratorVerifiers.h"

#include "tile/IR/LayoutValues.h"
#include "tile/IR/MixedTuple.h"
#include "tile/IR/ThreadMap.h"

#include "mlir/IR/Matchers.h"

#include <numeric>

using namespace mlir;
using namespace tile;

LogicalResult MakeIteratorOp::verify() {
  if (getNumDynamicLeaves(getCoord()) != getCoordOperands().size())
    return emitOpError("expected one operand for each run-time leaf, but got ")
           << getCoordOperands().size();
  if (!getCoord().isTuple() || getCoord().rank() != 2 ||
      getCoord().depth() != 1 || getCoord().hasWildcard() ||
      getCoord().hasBasis())
    return emitOpError("expected a coordinate (row, column), but got ")
           << IntTupleAttr::get(getContext(), getCoord());
  IteratorType type = getResult().getType();
  if (getIndices() && !type.getGather())
    return emitOpError("expected no indices for an iterator that does not "
                       "gather, but got ")
           << getIndices().getType();
  if (type.getGather()) {
    Type expected = type.getGather().getIndices();
    Type indices = getIndices() ? Type(getIndices().getType()) : Type();
    if (indices != expected) {
      InFlightDiagnostic error = emitOpError("expected indices of type ");
      error << expected << " for an iterator that gathers, but got ";
      return indices ? error << indices : error << "none";
    }
  }
  bool wantsLength = type.getGather() && type.getGather().hasRunTimeLength();
  if (wantsLength && !getLength())
    return emitOpError("expected a length for an iterator that gathers `")
           << type.getGather().getLength().str() << "` elements, but got none";
  if (getLength() && !wantsLength)
    return emitOpError("expected no length for an iterator whose gather has "
                       "none that is known at run time only, but got one");
  int64_t dim = type.getMap().getContiguousDim(), width = type.getAccessWidth();
  int64_t divisor = withKnownDivisors(getCoord(), getCoordOperands())[dim]
                        .getInt()
                        .getDivisor();
  if (divisor % width != 0)
    return emitOpError("expected a ")
           << (dim ? "column" : "row") << " that is a multiple of " << width
           << ", the elements of one access, but got one known to be a "
              "multiple of "
           << divisor;
  if (!getVectors())
    return success();
  int64_t bytes = type.getView().getElementBytes();
  int64_t wanted = std::gcd(getAccessPattern(type.getMap()).vector,
                            std::max<int64_t>(1, 16 / bytes));
  if (width >= wanted)
    return success();
  return emitOpError("expected a view that proves accesses of ")
         << wanted << " elements, " << wanted * bytes
         << " bytes, but operand #0 proves " << width << ", " << width * bytes
         << " bytes: " << type.getWidthBounds().front().fact;
}

IntTuple tile::withKnownDivisors(const IntTuple &tuple, ValueRange operands) {
  // Zero is a multiple of everything.
  constexpr int64_t kAll = int64_t(1) << 30;
  unsigned next = 0;
  return tuple.mapLeaves([&](const IntTuple &leaf) {
    if (leaf.isWildcard() || leaf.getInt().isStatic() ||
        next == operands.size())
      return leaf;
    int64_t divisor = getKnownDivisor(operands[next++]);
    Int known = leaf.getInt().withDivisor(divisor == 0 ? kAll : divisor);
    return leaf.isBasis() ? IntTuple::basis(known, leaf.getPath())
                          : IntTuple(known);
  });
}

LogicalResult tile::verifyConcept(Operation *op, Type iterator,
                                  IteratorConcept required) {
  std::optional<MissingConcept> missing = explainMissing(iterator, required);
  if (!missing)
    return success();
  InFlightDiagnostic error = op->emitOpError("expected a ")
                             << missing->name << " tile iterator, but this one "
                             << missing->lack;
  error.attachNote() << missing->remedy;
  return error;
}

LogicalResult tile::verifyPointerOffset(Operation *op, IteratorType iterator,
                                        Value offset) {
  APInt constant;
  int64_t width = iterator.getAccessWidth();
  if (offset && matchPattern(offset, m_ConstantInt(&constant)) &&
      constant.getSExtValue() % width != 0)
    return op->emitOpError("expected an offset that is a multiple of ")
           << width << ", the elements of one access, but got "
           << constant.getSExtValue();
  return success();
}

LogicalResult IteratorAddPointerOffsetOp::verify() {
  if (failed(verifyConcept(*this, getIterator().getType(),
                           IteratorConcept::ContiguousMemory)))
    return failure();
  return verifyPointerOffset(*this, getIterator().getType(), getOffset());
}

LogicalResult tile::verifyFragment(Operation *op, IteratorType iterator,
                                   Type fragment,
                                   std::optional<ArrayRef<int64_t>> accesses) {
  AccessPattern pattern = getAccessPattern(iterator.getMap());
  int64_t count = pattern.getNumAccesses();
  if (accesses) {
    if (accesses->size() != 2)
      return op->emitOpError("expected accesses = [first, count], but got ")
             << accesses->size() << " numbers";
    auto [first, number] = std::pair((*accesses)[0], (*accesses)[1]);
    if (first < 0 || number < 1 || first > count || number > count - first)
      return op->emitOpError("expected accesses within the ")
             << count << " of the thread map, but got [" << first << ", "
             << number << "]";
    count = number;
  }
  auto expected = VectorType::get({count * pattern.vector},
                                  iterator.getView().getElementType());
  if (fragment != expected)
    return op->emitOpError("expected a fragment of type ")
           << expected << " (" << count << " accesses of " << pattern.vector
           << " elements), but got " << fragment;
  return success();
}

LogicalResult IteratorLoadOp::verify() {
  if (failed(verifyConcept(*this, getIterator().getType(),
                           IteratorConcept::Readable)))
    return failure();
  return verifyFragment(*this, getIterator().getType(), getFragment().getType(),
                        getAccesses());
}

LogicalResult IteratorStoreOp::verify() {
  if (failed(verifyConcept(*this, getIterator().getType(),
                           IteratorConcept::Writeable)))
    return failure();
  return verifyFragment(*this, getIterator().getType(), getFragment().getType(),
                        getAccesses());
}

LogicalResult tile::verifyCopy(Operation *op, Type source,
                               ThreadMapAttrInterface map, ViewType view,
                               IteratorType destination) {
  if (failed(verifyConcept(op, source, IteratorConcept::Readable)) ||
      failed(verifyConcept(op, destination, IteratorConcept::Writeable)))
    return failure();
  if (map != destination.getMap())
    return op->emitOpError("expected one thread map on both sides, but got ")
           << map << " and " << destination.getMap();
  Type from = view.getElementType(),
       to = destination.getView().getElementType();
  if (from != to)
    return op->emitOpError("expected one element type on both sides, but got ")
           << from << " and " << to;
  return success();
}

LogicalResult CopyOp::verify() {
  return verifyCopy(*this, getSource().getType(), getDestination().getType());
}

LogicalResult IteratorAdvanceOp::verify() {
  return verifyConcept(*this, getIterator().getType(),
                       IteratorConcept::Forward);
}

LogicalResult IteratorClearMaskOp::verify() {
  return verifyConcept(*this, getIterator().getType(), IteratorConcept::Masked);
}

LogicalResult
IteratorAdvanceOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                    ValueRange operands, DictionaryAttr,
                                    OpaqueProperties, RegionRange,
                                    SmallVectorImpl<Type> &types) {
  auto iterator = dyn_cast<IteratorType>(operands[0].getType());
  if (!iterator)
    return emitOptionalError(loc, "expected a tile iterator, but got ",
                             operands[0].getType());
  types.push_back(iterator.getSteady());
  return success();
}

/// Checks the packed predicate words of an iterator.
static LogicalResult verifyMask(Operation *op, IteratorType iterator,
                                Type mask) {
  if (failed(verifyConcept(op, iterator, IteratorConcept::Masked)))
    return failure();
  auto expected = VectorType::get({iterator.getNumMaskWords()},
                                  IntegerType::get(op->getContext(), 32));
  if (mask != expected)
    return op->emitOpError("expected a mask of type ")
           << expected << " for " << iterator.getNumPredicates()
           << " predicates, but got " << mask;
  return success();
}

LogicalResult IteratorGetMaskOp::verify() {
  return verifyMask(*this, getIterator().getType(), getMask().getType());
}

LogicalResult IteratorSetMaskOp::verify() {
  return verifyMask(*this, getIterator().getType(), getMask().getType());
}
