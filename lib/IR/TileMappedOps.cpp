// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations on iterators over mapped matrices: syntax and verifiers.
#include "IteratorVerifiers.h"

#include "tile/IR/LayoutValues.h"
#include "tile/IR/MixedTuple.h"
#include "tile/IR/ThreadMap.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

using Operands = SmallVectorImpl<OpAsmParser::UnresolvedOperand>;

ParseResult tile::parseCoordinateMap(
    OpAsmParser &parser, Operands &shapeOperands, IntTupleAttr &shape,
    Operands &strideOperands, IntTupleAttr &stride, Operands &originOperands,
    IntTupleAttr &origin, Operands &divideOperands, IntTupleAttr &divide) {
  if (succeeded(parser.parseOptionalKeyword("coords")) &&
      (parseMixedTuple(parser, shapeOperands, shape) || parser.parseColon() ||
       parseMixedTuple(parser, strideOperands, stride)))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("origin")) &&
      parseMixedTuple(parser, originOperands, origin))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("divide")))
    return parseMixedTuple(parser, divideOperands, divide);
  return success();
}

void tile::printCoordinateMap(OpAsmPrinter &printer, Operation *op,
                              OperandRange shapeOperands, IntTupleAttr shape,
                              OperandRange strideOperands, IntTupleAttr stride,
                              OperandRange originOperands, IntTupleAttr origin,
                              OperandRange divideOperands,
                              IntTupleAttr divide) {
  if (shape && stride) {
    printer << " coords ";
    printMixedTuple(printer, op, shapeOperands, shape);
    printer << " : ";
    printMixedTuple(printer, op, strideOperands, stride);
  }
  if (origin) {
    printer << " origin ";
    printMixedTuple(printer, op, originOperands, origin);
  }
  if (divide) {
    printer << " divide ";
    printMixedTuple(printer, op, divideOperands, divide);
  }
}

ParseResult tile::parseMappedResult(OpAsmParser &parser, Type &iterator,
                                    Type &view) {
  MappedIteratorType type;
  if (parser.parseType(type))
    return failure();
  iterator = type;
  view = type.getView();
  return success();
}

void tile::printMappedResult(OpAsmPrinter &printer, Operation *, Type iterator,
                             Type) {
  printer << iterator;
}

//===----------------------------------------------------------------------===//
// Making iterators
//===----------------------------------------------------------------------===//

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

LogicalResult tile::verifyMappedPlace(Operation *op, MappedIteratorType type,
                                      const IntTuple &coord,
                                      const std::optional<IntTuple> &origin) {
  if (failed(verifyLeaves(op, "a coordinate (row, column)", coord, 2)))
    return failure();
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

LogicalResult MakeMappedIteratorOp::verify() {
  MappedIteratorType type = getResult().getType();
  unsigned modes = type.getView().getLayout().rank();
  std::optional<IntTuple> shape = getShape(), stride = getStride(),
                          origin = getOrigin(), divide = getDivide();
  auto count = [](const std::optional<IntTuple> &tuple) -> size_t {
    return tuple ? getNumDynamicLeaves(*tuple) : 0;
  };
  if (getNumDynamicLeaves(getCoord()) != getCoordOperands().size() ||
      count(shape) != getShapeOperands().size() ||
      count(stride) != getStrideOperands().size() ||
      count(origin) != getOriginOperands().size() ||
      count(divide) != getDivideOperands().size())
    return emitOpError("expected one operand for each run-time leaf, but got ")
           << getCoordOperands().size() + getShapeOperands().size() +
                  getStrideOperands().size() + getOriginOperands().size() +
                  getDivideOperands().size();
  if (shape.has_value() != stride.has_value() ||
      shape.has_value() == type.isIdentity())
    return emitOpError("expected coords if and only if its type has them, but "
                       "got ")
           << (shape ? "some" : "none");
  if (shape && (!fits(*shape, type.getCoords().getShape()) ||
                !fits(*stride, type.getCoords().getStride())))
    return emitOpError("expected the coords of its type, ")
           << type.getCoords().str() << ", but got " << shape->str() << " : "
           << stride->str();
  if (origin) {
    if (type.isIdentity())
      return emitOpError("expected coords with an origin, but got none");
    if (failed(verifyLeaves(*this, "an origin", *origin, modes)))
      return failure();
  }
  if (divide.has_value() != type.isDivided() ||
      (divide && !fits(*divide, type.getDivide())))
    return emitOpError("expected the divisors of its type, ")
           << (type.isDivided() ? type.getDivide().str() : "none")
           << ", but got " << (divide ? divide->str() : "none");
  if (bool(getIndices()) != type.getIndexed())
    return emitOpError("expected indices if and only if its type is indexed, "
                       "but got ")
           << (getIndices() ? "some" : "none");
  if (getIndices()) {
    ViewType indices = getIndices().getType();
    const Layout &layout = indices.getLayout();
    if (!indices.getElementType().isInteger(32) ||
        indices.getSpace() != MemorySpace::Global ||
        !layout.getShape().isTuple() || layout.rank() != 1 ||
        layout.getShape()[0].isTuple() || !layout.getStride()[0].isStatic(1))
      return emitOpError("expected indices that are a view of i32 in global "
                         "memory with one mode of stride 1, but got ")
             << indices;
  }
  if (origin)
    origin = withKnownDivisors(*origin, getOriginOperands());
  return verifyMappedPlace(*this, type,
                           withKnownDivisors(getCoord(), getCoordOperands()),
                           origin);
}

//===----------------------------------------------------------------------===//
// Using iterators
//===----------------------------------------------------------------------===//

static LogicalResult verifyStep(Operation *op, MappedIteratorType type,
                                Type fragment) {
  if (fragment == type.getFragmentType())
    return success();
  return op->emitOpError("expected a fragment of type ")
         << type.getFragmentType() << " (" << type.getStepAccesses()
         << " accesses of " << getAccessPattern(type.getMap()).vector
         << " elements), but got " << fragment;
}

LogicalResult MappedLoadOp::verify() {
  return verifyStep(*this, getIterator().getType(), getFragment().getType());
}

LogicalResult MappedStoreOp::verify() {
  MappedIteratorType type = getIterator().getType();
  if (failed(verifyConcept(*this, type, IteratorConcept::Writeable)))
    return failure();
  return verifyStep(*this, type, getFragment().getType());
}

LogicalResult MappedAdvanceOp::verify() {
  MappedIteratorType type = getIterator().getType();
  APInt constant;
  if (getSteps() && matchPattern(getSteps(), m_ConstantInt(&constant)) &&
      constant.isNegative())
    return emitOpError("expected steps that are not negative, but got ")
           << constant.getSExtValue();
  return verifyConcept(*this, type, IteratorConcept::Forward);
}

LogicalResult MappedClearMaskOp::verify() {
  return verifyConcept(*this, getIterator().getType(), IteratorConcept::Masked);
}

LogicalResult MappedAddPointerOffsetOp::verify() {
  APInt constant;
  int64_t width = getIterator().getType().getAccessWidth();
  if (matchPattern(getOffset(), m_ConstantInt(&constant)) &&
      constant.getSExtValue() % width != 0)
    return emitOpError("expected an offset that is a multiple of ")
           << width << ", the elements of one access, but got "
           << constant.getSExtValue();
  return success();
}

/// Checks the packed predicate words of an iterator.
static LogicalResult verifyMask(Operation *op, MappedIteratorType type,
                                Type mask) {
  if (failed(verifyConcept(op, type, IteratorConcept::Masked)))
    return failure();
  auto expected = VectorType::get({type.getNumMaskWords()},
                                  IntegerType::get(op->getContext(), 32));
  if (mask == expected)
    return success();
  return op->emitOpError("expected a mask of type ")
         << expected << " for " << type.getNumPredicates()
         << " predicates, but got " << mask;
}

LogicalResult MappedGetMaskOp::verify() {
  return verifyMask(*this, getIterator().getType(), getMask().getType());
}

LogicalResult MappedSetMaskOp::verify() {
  return verifyMask(*this, getIterator().getType(), getMask().getType());
}
