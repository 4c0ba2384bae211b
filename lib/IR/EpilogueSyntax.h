// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Syntax of epilogues, and what a verifier asks of them.
#ifndef TILE_LIB_IR_EPILOGUESYNTAX_H
#define TILE_LIB_IR_EPILOGUESYNTAX_H

#include "mlir/IR/OpImplementation.h"

namespace tile {

using UnresolvedOperands =
    llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand>;

/// Parses `(%a[n], %b[m, n] : memref<…>, memref<…>) { … }`, or the region
/// alone.
mlir::ParseResult parseEpilogue(mlir::OpAsmParser &parser,
                                UnresolvedOperands &operands,
                                llvm::SmallVectorImpl<mlir::Type> &types,
                                mlir::ArrayAttr &indices, mlir::Region &region);
void printEpilogue(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                   mlir::OperandRange operands, mlir::TypeRange types,
                   mlir::ArrayAttr indices, mlir::Region &region);

/// The same of a convolution, whose indices are `pixel` and `channel`.
mlir::ParseResult parseConvEpilogue(mlir::OpAsmParser &parser,
                                    UnresolvedOperands &operands,
                                    llvm::SmallVectorImpl<mlir::Type> &types,
                                    mlir::ArrayAttr &indices,
                                    mlir::Region &region);
void printConvEpilogue(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                       mlir::OperandRange operands, mlir::TypeRange types,
                       mlir::ArrayAttr indices, mlir::Region &region);

/// The same of a launch: `"…" (%a[n] : memref<…>)`.
mlir::ParseResult
parseLaunchedEpilogue(mlir::OpAsmParser &parser, UnresolvedOperands &operands,
                      llvm::SmallVectorImpl<mlir::Type> &types,
                      mlir::ArrayAttr &indices, mlir::StringAttr &expression);
void printLaunchedEpilogue(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                           mlir::OperandRange operands, mlir::TypeRange types,
                           mlir::ArrayAttr indices,
                           mlir::StringAttr expression);

/// Checks operands against their indices and the extents of `d`.
mlir::LogicalResult
verifyEpilogueOperands(mlir::Operation *op, mlir::OperandRange operands,
                       std::optional<mlir::ArrayAttr> indices,
                       mlir::MemRefType d);

} // namespace tile

#endif // TILE_LIB_IR_EPILOGUESYNTAX_H
