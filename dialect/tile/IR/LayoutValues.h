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
/// The same for shape, then stride; extents are at least 1.
Layout withSymbols(const Layout &layout, unsigned &next);

/// Turns an integer into index arithmetic; symbol #i becomes `symbols[i]`.
/// Division by a power of two becomes a shift, its remainder a mask. What is
/// divided by another number is taken to be non-negative. The ranges that the
/// symbols' operations infer, or that `llvm.range` states for the arguments of
/// a function, save operations. Null for an integer without expression.
mlir::Value materialize(mlir::OpBuilder &builder, mlir::Location loc,
                        const Int &integer, mlir::ValueRange symbols);
/// The same as i32 where that is proved to be enough: the integer fits, and so
/// does everything on the way that is divided or compared; what is only added
/// and multiplied may wrap around. The proof is by the ranges above and by
/// those of the symbols themselves. An index otherwise.
mlir::Value materializeOffset(mlir::OpBuilder &builder, mlir::Location loc,
                              const Int &integer, mlir::ValueRange symbols);
/// The same for one result of a layout operation: the run-time leaves of a
/// layout, an index (computed in 32 bits where that is enough), or an i1.
/// Nothing if one has no expression.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
materialize(mlir::OpBuilder &builder, mlir::Location loc,
            const AlgebraValue &value, mlir::ValueRange symbols);

/// The largest number that is known to divide an index: through constants,
/// products, sums, shifts and the operations of the layout algebra, which are
/// taken not to leave 64 bits. 0 for the constant 0.
int64_t getKnownDivisor(mlir::Value value);

/// Rewrites that move what is known of index operands into the types of layout
/// operations, and from there on to their users (see `tile.layout_cast`).
void populateLayoutSharpeningPatterns(mlir::RewritePatternSet &patterns);

} // namespace tile

#endif // TILE_IR_LAYOUTVALUES_H
