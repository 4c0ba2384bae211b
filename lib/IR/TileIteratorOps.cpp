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

/// Checks a tuple of integers, one for each of `modes`.
static LogicalResult verifyLeaves(Operation *op, StringRef what,
                                  const IntTuple &tuple, unsigned modes) {
  if (!tuple.isTuple() || tuple.rank() != modes || tuple.depth() != 1 ||
      tuple.hasWildcard() || tuple.hasBasis())
    return op->emitOpError("expected ")
           << what << " of " << modes << " integers, but got " << tuple.str();
  return success();
}

/// What is known of an integer of the operation is what the type says of it.
static bool fits(const IntTuple &given, const IntTuple &known) {
  if (given.isTuple() != known.isTuple() || given.rank() != known.rank())
    return false;
  if (given.isTuple())
    return llvm::all_of(llvm::seq<unsigned>(0, given.rank()),
                        [&](unsigned i) { return fits(given[i], known[i]); });
  return given == known;
}

LogicalResult tile::verifyPlace(Operation *op, IteratorType type,
                                const IntTuple &coord,
                                const std::optional<IntTuple> &origin) {
  if (!coord.isTuple() || coord.rank() != 2 || coord.depth() != 1 ||
      coord.hasWildcard() || coord.hasBasis())
    return op->emitOpError("expected a coordinate (row, column), but got ")
           << IntTupleAttr::get(op->getContext(), coord);
  int64_t dim = type.getMap().getContiguousDim(), width = type.getAccessWidth();
  int64_t divisor = coord[dim].getInt().getDivisor();
  StringRef names[] = {"row", "column"};
  if (divisor % width != 0)
    return op->emitOpError("expected a ")
           << names[dim] << " that is a multiple of " << width
           << ", the elements of one access, but got one known to be a "
              "multiple of "
           << divisor;
  if (origin && width > 1) {
    int64_t mode =
        type.getCoords()[dim].getLeafModes().front().stride.getPath()[0];
    int64_t known = (*origin)[mode].getInt().getDivisor();
    if (known % width != 0)
      return op->emitOpError("expected an origin along mode [")
             << mode << "] that is a multiple of " << width
             << ", the elements of one access, but got one known to be a "
                "multiple of "
             << known;
  }
  for (int64_t d : {0, 1}) {
    int64_t tile = type.getMap().getTileShape()[d];
    int64_t known = coord[d].getInt().getDivisor();
    if (type.getTileLeaves(d) != 0 && known % tile != 0)
      return op->emitOpError("expected a ")
             << names[d] << " that is a multiple of " << tile
             << ", since leaves of coords hold whole tiles, but got one known "
                "to be a multiple of "
             << known;
  }
  return success();
}

/// Checks the list of indices of an iterator that gathers, and its length.
static LogicalResult verifyGather(MakeIteratorOp op) {
  IteratorType type = op.getResult().getType();
  if (op.getIndices() && !type.getGather())
    return op.emitOpError("expected no indices for an iterator that does not "
                          "gather, but got ")
           << op.getIndices().getType();
  if (type.getGather()) {
    Type expected = type.getGather().getIndices();
    Type indices = op.getIndices() ? Type(op.getIndices().getType()) : Type();
    if (indices != expected) {
      InFlightDiagnostic error = op.emitOpError("expected indices of type ");
      error << expected << " for an iterator that gathers, but got ";
      return indices ? error << indices : error << "none";
    }
  }
  bool wantsLength = type.getGather() && type.getGather().hasRunTimeLength();
  if (wantsLength && !op.getLength())
    return op.emitOpError("expected a length for an iterator that gathers `")
           << type.getGather().getLength().str() << "` elements, but got none";
  if (op.getLength() && !wantsLength)
    return op.emitOpError("expected no length for an iterator whose gather has "
                          "none that is known at run time only, but got one");
  return success();
}

/// Checks what the operation says of the coordinates against the type.
static LogicalResult verifyCoordinates(MakeIteratorOp op) {
  IteratorType type = op.getResult().getType();
  std::optional<IntTuple> shape = op.getShape(), stride = op.getStride(),
                          origin = op.getOrigin(), divide = op.getDivide();
  if (shape.has_value() != stride.has_value() ||
      shape.has_value() == type.isIdentity())
    return op.emitOpError("expected coords if and only if its type has them, "
                          "but got ")
           << (shape ? "some" : "none");
  if (shape && (!fits(*shape, type.getCoords().getShape()) ||
                !fits(*stride, type.getCoords().getStride())))
    return op.emitOpError("expected the coords of its type, ")
           << type.getCoords().str() << ", but got " << shape->str() << " : "
           << stride->str();
  if (origin && type.isIdentity())
    return op.emitOpError("expected coords with an origin, but got none");
  if (origin && failed(verifyLeaves(op, "an origin", *origin,
                                    type.getView().getLayout().rank())))
    return failure();
  if (divide.has_value() != type.isDivided() ||
      (divide && !fits(*divide, type.getDivide())))
    return op.emitOpError("expected the divisors of its type, ")
           << (type.isDivided() ? type.getDivide().str() : "none")
           << ", but got " << (divide ? divide->str() : "none");
  return success();
}

/// Checks that accesses are as wide as the thread map has them.
static LogicalResult verifyVectors(MakeIteratorOp op) {
  IteratorType type = op.getResult().getType();
  int64_t bytes = type.getView().getElementBytes();
  int64_t width = type.getAccessWidth();
  int64_t wanted = std::gcd(getAccessPattern(type.getMap()).vector,
                            std::max<int64_t>(1, 16 / bytes));
  if (width >= wanted)
    return success();
  return op.emitOpError("expected a view that proves accesses of ")
         << wanted << " elements, " << wanted * bytes
         << " bytes, but operand #0 proves " << width << ", " << width * bytes
         << " bytes: " << type.getWidthBounds().front().fact;
}

LogicalResult MakeIteratorOp::verify() {
  std::optional<IntTuple> origin = getOrigin();
  auto count = [](const std::optional<IntTuple> &tuple) -> size_t {
    return tuple ? getNumDynamicLeaves(*tuple) : 0;
  };
  if (getNumDynamicLeaves(getCoord()) != getCoordOperands().size() ||
      count(getShape()) != getShapeOperands().size() ||
      count(getStride()) != getStrideOperands().size() ||
      count(origin) != getOriginOperands().size() ||
      count(getDivide()) != getDivideOperands().size())
    return emitOpError("expected one operand for each run-time leaf, but got ")
           << getCoordOperands().size() + getShapeOperands().size() +
                  getStrideOperands().size() + getOriginOperands().size() +
                  getDivideOperands().size();
  if (failed(verifyCoordinates(*this)) || failed(verifyGather(*this)))
    return failure();
  if (origin)
    origin = withKnownDivisors(*origin, getOriginOperands());
  if (failed(verifyPlace(*this, getResult().getType(),
                         withKnownDivisors(getCoord(), getCoordOperands()),
                         origin)))
    return failure();
  return getVectors() ? verifyVectors(*this) : success();
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

LogicalResult tile::verifyAccesses(Operation *op, IteratorType iterator,
                                   std::optional<ArrayRef<int64_t>> accesses) {
  if (!accesses)
    return success();
  int64_t count = iterator.getStepAccesses();
  if (accesses->size() != 2)
    return op->emitOpError("expected accesses = [first, count], but got ")
           << accesses->size() << " numbers";
  auto [first, number] = std::pair((*accesses)[0], (*accesses)[1]);
  if (first < 0 || number < 1 || first > count || number > count - first)
    return op->emitOpError("expected accesses within the ")
           << count << " of the thread map, but got [" << first << ", "
           << number << "]";
  return success();
}

LogicalResult tile::verifyFragment(Operation *op, IteratorType iterator,
                                   Type fragment,
                                   std::optional<ArrayRef<int64_t>> accesses) {
  if (failed(verifyAccesses(op, iterator, accesses)))
    return failure();
  AccessPattern pattern = getAccessPattern(iterator.getMap());
  int64_t count = accesses ? (*accesses)[1] : iterator.getStepAccesses();
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

LogicalResult tile::verifyCopy(Operation *op, IteratorType source,
                               IteratorType destination) {
  if (failed(verifyConcept(op, source, IteratorConcept::Readable)) ||
      failed(verifyConcept(op, destination, IteratorConcept::Writeable)))
    return failure();
  if (source.getMap() != destination.getMap())
    return op->emitOpError("expected one thread map on both sides, but got ")
           << source.getMap() << " and " << destination.getMap();
  for (auto [side, type] :
       {std::pair("source", source), std::pair("destination", destination)})
    if (type.getSteps() != 1)
      return op->emitOpError("expected a ")
             << side << " whose tile is one step, but got " << type.getSteps()
             << " steps";
  Type from = source.getView().getElementType(),
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
  IteratorType type = getIterator().getType();
  APInt constant;
  if (getSteps() && matchPattern(getSteps(), m_ConstantInt(&constant)) &&
      constant.isNegative())
    return emitOpError("expected steps that are not negative, but got ")
           << constant.getSExtValue();
  if (getSteps() && type.getPhase() == IteratorPhase::Residue)
    return emitOpError("expected one step from the residue tile, whose extent "
                       "is another, but got a number of them");
  return verifyConcept(*this, type, IteratorConcept::Forward);
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
