// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations on tile iterators that go elsewhere: verifiers, canonical forms.
#include "IteratorVerifiers.h"

#include "tile/IR/MixedTuple.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tile;

LogicalResult IteratorRetreatOp::verify() {
  return verifyConcept(*this, getIterator().getType(),
                       IteratorConcept::Bidirectional);
}

LogicalResult IteratorEqualOp::verify() {
  return verifyConcept(*this, getLhs().getType(), IteratorConcept::Forward);
}

LogicalResult IteratorEnableMaskOp::verify() {
  return verifyConcept(*this, getIterator().getType(), IteratorConcept::Masked);
}

/// Checks an offset in tiles, (down, to the right).
static LogicalResult verifyTileOffset(Operation *op, IteratorType iterator,
                                      const IntTuple &offset,
                                      ValueRange operands) {
  if (getNumDynamicLeaves(offset) != operands.size())
    return op->emitOpError(
               "expected one operand for each run-time leaf, but got ")
           << operands.size();
  if (!offset.isTuple() || offset.rank() != 2 || offset.depth() != 1 ||
      offset.hasWildcard() || offset.hasBasis())
    return op->emitOpError("expected an offset (tiles down, tiles to the "
                           "right), but got ")
           << IntTupleAttr::get(op->getContext(), offset);
  if (iterator.getPhase() != IteratorPhase::Residue)
    return success();
  int64_t dim = iterator.getAdvance();
  Int along = offset[dim].getInt();
  if (along.isStatic() && along.getValue() >= 0)
    return success();
  return op->emitOpError("expected a constant of 0 or more tiles along the ")
         << (dim ? "columns" : "rows")
         << ", the advance dimension, in the residue phase, but got "
         << offset[dim].str();
}

LogicalResult IteratorAddTileOffsetOp::verify() {
  IteratorType type = getIterator().getType();
  if (failed(verifyConcept(*this, type, IteratorConcept::RandomAccess)))
    return failure();
  return verifyTileOffset(*this, type, getOffset(), getOffsetOperands());
}

LogicalResult IteratorAddTileOffsetOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> loc, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
    SmallVectorImpl<Type> &types) {
  Adaptor adaptor(operands, attributes, properties, regions);
  auto iterator = dyn_cast<IteratorType>(adaptor.getIterator().getType());
  if (!iterator)
    return emitOptionalError(loc, "expected a tile iterator, but got ",
                             adaptor.getIterator().getType());
  // Only a move along the advance dimension leaves the residue tile.
  IntTuple offset = adaptor.getOffset();
  int64_t dim = iterator.getAdvance();
  bool stays = iterator.getPhase() == IteratorPhase::Residue &&
               offset.isTuple() && offset.rank() == 2 &&
               offset[dim].isStatic(0);
  types.push_back(stays ? iterator : iterator.getSteady());
  return success();
}

LogicalResult IteratorLoadWithPointerOffsetOp::verify() {
  IteratorType type = getIterator().getType();
  if (failed(verifyConcept(*this, type, IteratorConcept::ReadableContiguous)) ||
      failed(verifyPointerOffset(*this, type, getPointerOffset())))
    return failure();
  return verifyFragment(*this, type, getFragment().getType(), std::nullopt);
}

LogicalResult IteratorStoreWithPointerOffsetOp::verify() {
  IteratorType type = getIterator().getType();
  if (failed(
          verifyConcept(*this, type, IteratorConcept::WriteableContiguous)) ||
      failed(verifyPointerOffset(*this, type, getPointerOffset())))
    return failure();
  return verifyFragment(*this, type, getFragment().getType(), std::nullopt);
}

LogicalResult IteratorLoadWithTileOffsetOp::verify() {
  IteratorType type = getIterator().getType();
  IteratorConcept required =
      getPointerOffset() ? IteratorConcept::ReadableRandomAccessContiguous
                         : IteratorConcept::ReadableRandomAccess;
  if (failed(verifyConcept(*this, type, required)) ||
      failed(verifyTileOffset(*this, type, getOffset(), getOffsetOperands())) ||
      failed(verifyPointerOffset(*this, type, getPointerOffset())))
    return failure();
  return verifyFragment(*this, type, getFragment().getType(), std::nullopt);
}

LogicalResult IteratorStoreWithTileOffsetOp::verify() {
  IteratorType type = getIterator().getType();
  IteratorConcept required =
      getPointerOffset() ? IteratorConcept::WriteableRandomAccessContiguous
                         : IteratorConcept::WriteableRandomAccess;
  if (failed(verifyConcept(*this, type, required)) ||
      failed(verifyTileOffset(*this, type, getOffset(), getOffsetOperands())) ||
      failed(verifyPointerOffset(*this, type, getPointerOffset())))
    return failure();
  return verifyFragment(*this, type, getFragment().getType(), std::nullopt);
}

//===----------------------------------------------------------------------===//
// Canonical forms: a move, and a load or store
//===----------------------------------------------------------------------===//

static Value moveByPointer(OpBuilder &builder, Location loc, Value iterator,
                           Value offset) {
  if (!offset)
    return iterator;
  return IteratorAddPointerOffsetOp::create(builder, loc, iterator.getType(),
                                            iterator, offset);
}

/// The iterator moved by a tile offset and, if there is one, a pointer offset.
template <typename OpT>
static Value moveByTiles(OpBuilder &builder, OpT op) {
  Value moved = IteratorAddTileOffsetOp::create(
      builder, op.getLoc(), op.getIterator(), op.getOffsetOperands(),
      op.getOffsetAttr());
  return moveByPointer(builder, op.getLoc(), moved, op.getPointerOffset());
}

LogicalResult IteratorLoadWithPointerOffsetOp::canonicalize(
    IteratorLoadWithPointerOffsetOp op, PatternRewriter &rewriter) {
  rewriter.replaceOpWithNewOp<IteratorLoadOp>(
      op, op.getType(),
      moveByPointer(rewriter, op.getLoc(), op.getIterator(),
                    op.getPointerOffset()),
      DenseI64ArrayAttr());
  return success();
}

LogicalResult IteratorStoreWithPointerOffsetOp::canonicalize(
    IteratorStoreWithPointerOffsetOp op, PatternRewriter &rewriter) {
  rewriter.replaceOpWithNewOp<IteratorStoreOp>(
      op, op.getFragment(),
      moveByPointer(rewriter, op.getLoc(), op.getIterator(),
                    op.getPointerOffset()),
      DenseI64ArrayAttr());
  return success();
}

LogicalResult IteratorLoadWithTileOffsetOp::canonicalize(
    IteratorLoadWithTileOffsetOp op, PatternRewriter &rewriter) {
  rewriter.replaceOpWithNewOp<IteratorLoadOp>(
      op, op.getType(), moveByTiles(rewriter, op), DenseI64ArrayAttr());
  return success();
}

LogicalResult IteratorStoreWithTileOffsetOp::canonicalize(
    IteratorStoreWithTileOffsetOp op, PatternRewriter &rewriter) {
  rewriter.replaceOpWithNewOp<IteratorStoreOp>(
      op, op.getFragment(), moveByTiles(rewriter, op), DenseI64ArrayAttr());
  return success();
}
