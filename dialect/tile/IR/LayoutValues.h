// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bridge between the algebra's symbols and SSA values.
#ifndef TILE_IR_LAYOUTVALUES_H
#define TILE_IR_LAYOUTVALUES_H

#include "tile/IR/Tile.h"

#include "mlir/IR/Builders.h"

namespace tile {

/// Gives every `?` leaf of a tuple a symbol, numbered from `next` on in
/// depth-first order, so that the algebra can reason about it. A symbol is
/// known to be at least `lower`.
IntTuple withSymbols(const IntTuple &tuple, unsigned &next, int64_t lower = 0);
/// The same for shape, then stride.
Layout withSymbols(const Layout &layout, unsigned &next);

/// Turns an integer into index arithmetic; symbol #i becomes `symbols[i]`.
/// Integers are taken to be non-negative where they are divided.
mlir::Value materialize(mlir::OpBuilder &builder, mlir::Location loc, const Int &integer,
                        mlir::ValueRange symbols);

/// The result of a layout operation on layouts whose leaves are symbols.
Result<Layout> applyLayoutOp(mlir::Operation *op, llvm::ArrayRef<Layout> operands);

} // namespace tile

#endif // TILE_IR_LAYOUTVALUES_H
