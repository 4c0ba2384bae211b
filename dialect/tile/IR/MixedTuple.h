// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tuples whose dynamic leaves are SSA operands, and their assembly syntax.
#ifndef TILE_IR_MIXEDTUPLE_H
#define TILE_IR_MIXEDTUPLE_H

#include "tile/IR/Tile.h"

#include "mlir/IR/Builders.h"

namespace tile {

/// Number of `?` leaves of a tuple, in depth-first order.
unsigned getNumDynamicLeaves(const IntTuple &tuple);

/// A tuple split as operations store it: constants in the tuple, SSA values
/// for its `?` leaves in depth-first order.
struct MixedTuple {
  IntTuple tuple;
  llvm::SmallVector<mlir::Value> operands;

  /// A flat tuple; leaves that are constants or constant-defined values become
  /// static.
  static MixedTuple get(llvm::ArrayRef<mlir::OpFoldResult> leaves);
};

/// Replaces `?` leaves whose operand is a constant. Returns the remaining
/// operands, or nothing when no operand is constant.
std::optional<MixedTuple> foldConstantLeaves(const IntTuple &tuple,
                                             mlir::ValueRange operands);

/// custom<MixedTuple>: `(4, (%n, _), %ld {div = 8})`.
mlir::ParseResult parseMixedTuple(
    mlir::OpAsmParser &parser,
    llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &operands,
    IntTupleAttr &tuple);
void printMixedTuple(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                     mlir::OperandRange operands, IntTupleAttr tuple);

/// custom<ConstantTuple>: `(1, (0, _))`, without run-time leaves.
mlir::ParseResult parseConstantTuple(mlir::OpAsmParser &parser,
                                     IntTupleAttr &tuple);
void printConstantTuple(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                        IntTupleAttr tuple);

/// custom<IteratorResult>: an iterator type, from which the types of its view
/// and its indices follow; one that gathers has an operand for them.
mlir::ParseResult
parseIteratorResult(mlir::OpAsmParser &parser, mlir::Type &iterator,
                    mlir::Type &view,
                    std::optional<mlir::OpAsmParser::UnresolvedOperand> indices,
                    mlir::Type &indicesType);
void printIteratorResult(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                         mlir::Type iterator, mlir::Type view,
                         mlir::Value indices, mlir::Type indicesType);

} // namespace tile

#endif // TILE_IR_MIXEDTUPLE_H
