// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tuples whose dynamic leaves are SSA operands, and their assembly syntax.
#ifndef TILE_IR_MIXEDTUPLE_H
#define TILE_IR_MIXEDTUPLE_H

#include "tile/IR/Tile.h"

#include "mlir/IR/Builders.h"

namespace tile {

/// Number of `?` leaves of a tuple, in depth-first order.
unsigned getNumDynamicLeaves(const IntTuple &tuple);
/// The same of a tiler: of each mode the shape, then the stride.
unsigned getNumDynamicLeaves(const Tiler &tiler);

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

/// custom<MixedTuple>: `(4, (%n, _), %ld {div = 8})`; a stride may be scaled,
/// `%s@e0`.
mlir::ParseResult parseMixedTuple(
    mlir::OpAsmParser &parser,
    llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &operands,
    IntTupleAttr &tuple);
void printMixedTuple(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                     mlir::OperandRange operands, IntTupleAttr tuple);

/// custom<MixedTiler>: `<4, %n {div = 8} : %s, _>`.
mlir::ParseResult parseMixedTiler(
    mlir::OpAsmParser &parser,
    llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &operands,
    TilerAttr &tiler);
void printMixedTiler(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                     mlir::OperandRange operands, TilerAttr tiler);

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

/// custom<CoordinateMap>: `coords (%m, (8, %n)) : (1@e0, (1@e2, 8@e1))
/// origin (0, -1, 0) divide (1, %s, 1)`, each of the three optional.
mlir::ParseResult parseCoordinateMap(
    mlir::OpAsmParser &parser,
    llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &shapeOperands,
    IntTupleAttr &shape,
    llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &strideOperands,
    IntTupleAttr &stride,
    llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &originOperands,
    IntTupleAttr &origin,
    llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &divideOperands,
    IntTupleAttr &divide);
void printCoordinateMap(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                        mlir::OperandRange shapeOperands, IntTupleAttr shape,
                        mlir::OperandRange strideOperands, IntTupleAttr stride,
                        mlir::OperandRange originOperands, IntTupleAttr origin,
                        mlir::OperandRange divideOperands, IntTupleAttr divide);

/// custom<TensorIteratorResult>: an iterator type, from which its view's type
/// follows.
mlir::ParseResult parseTensorIteratorResult(mlir::OpAsmParser &parser,
                                            mlir::Type &iterator,
                                            mlir::Type &view);
void printTensorIteratorResult(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                               mlir::Type iterator, mlir::Type view);

} // namespace tile

#endif // TILE_IR_MIXEDTUPLE_H
