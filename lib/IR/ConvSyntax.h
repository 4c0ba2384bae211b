// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Syntax of convolutions that no generator makes well.
#ifndef TILE_LIB_IR_CONVSYNTAX_H
#define TILE_LIB_IR_CONVSYNTAX_H

#include "tile/IR/Tile.h"

namespace tile {

/// Parses `fprop`, `dgrad` or `wgrad`.
mlir::ParseResult parseConvKind(mlir::OpAsmParser &parser, ConvKindAttr &kind);
/// Prints what parseConvKind reads.
void printConvKind(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                   ConvKindAttr kind);

} // namespace tile

#endif // TILE_LIB_IR_CONVSYNTAX_H
