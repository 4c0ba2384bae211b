// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Syntax of the kernels that a launch lists.
#ifndef TILE_LIB_IR_LAUNCHSYNTAX_H
#define TILE_LIB_IR_LAUNCHSYNTAX_H

#include "mlir/IR/OpImplementation.h"

namespace tile {

/// Parses `[@k::@a, @k::@b after (A by @k::@pack, …) and (B by …)]`.
mlir::ParseResult parseVariants(mlir::OpAsmParser &parser,
                                mlir::ArrayAttr &kernels,
                                mlir::ArrayAttr &prepare);
/// Prints what parseVariants reads.
void printVariants(mlir::OpAsmPrinter &printer, mlir::Operation *,
                   mlir::ArrayAttr kernels, mlir::ArrayAttr prepare);

} // namespace tile

#endif // TILE_LIB_IR_LAUNCHSYNTAX_H
