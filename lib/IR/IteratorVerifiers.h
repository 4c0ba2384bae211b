// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the verifiers of iterator operations share.
#ifndef TILE_LIB_IR_ITERATORVERIFIERS_H
#define TILE_LIB_IR_ITERATORVERIFIERS_H

#include "tile/IR/Tile.h"

namespace tile {

/// Reports what an iterator lacks of a concept, and which one would do.
mlir::LogicalResult verifyConcept(mlir::Operation *op, mlir::Type iterator,
                                  IteratorConcept required);

/// A constant pointer offset is a multiple of the elements of one access;
/// `offset` may be null.
mlir::LogicalResult verifyPointerOffset(mlir::Operation *op,
                                        IteratorType iterator,
                                        mlir::Value offset);

/// Checks a fragment against the accesses that are transferred.
mlir::LogicalResult
verifyFragment(mlir::Operation *op, IteratorType iterator, mlir::Type fragment,
               std::optional<llvm::ArrayRef<int64_t>> accesses);

/// A copy reads one side, writes the other, and finds its elements in one
/// order on both.
mlir::LogicalResult verifyCopy(mlir::Operation *op, IteratorType source,
                               IteratorType destination);

} // namespace tile

#endif // TILE_LIB_IR_ITERATORVERIFIERS_H
