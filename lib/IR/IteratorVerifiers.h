// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared checks for the verifiers of iterator ops.
#ifndef TILE_LIB_IR_ITERATORVERIFIERS_H
#define TILE_LIB_IR_ITERATORVERIFIERS_H

#include "tile/IR/Tile.h"

namespace tile {

/// A tuple with run-time leaves, each also known to be a multiple of what is
/// known to divide its operand.
IntTuple withKnownDivisors(const IntTuple &tuple, mlir::ValueRange operands);

/// Reports what an iterator lacks of a concept, and which one would do.
mlir::LogicalResult verifyConcept(mlir::Operation *op, mlir::Type iterator,
                                  IteratorConcept required);

/// A constant pointer offset is a multiple of the elements of one access;
/// `offset` may be null.
mlir::LogicalResult verifyPointerOffset(mlir::Operation *op,
                                        IteratorType iterator,
                                        mlir::Value offset);

/// Checks that a part of the accesses, if one is named, is within all of them.
mlir::LogicalResult
verifyAccesses(mlir::Operation *op, IteratorType iterator,
               std::optional<llvm::ArrayRef<int64_t>> accesses);

/// Checks a fragment against the accesses that are transferred.
mlir::LogicalResult
verifyFragment(mlir::Operation *op, IteratorType iterator, mlir::Type fragment,
               std::optional<llvm::ArrayRef<int64_t>> accesses);

/// A copy reads one side, writes the other, and finds its elements in one
/// order on both.
mlir::LogicalResult verifyCopy(mlir::Operation *op, IteratorType source,
                               IteratorType destination);

/// A tile starts where its accesses are whole; `origin` is the coordinate of
/// the view that a mapped matrix starts at, if it is not zero.
mlir::LogicalResult verifyPlace(mlir::Operation *op, IteratorType type,
                                const IntTuple &coord,
                                const std::optional<IntTuple> &origin);

/// Checks that one access of `type`, an element or a vector of them, is legal
/// at a coordinate of a view.
mlir::LogicalResult verifyViewAccess(mlir::Operation *op, ViewType view,
                                     const IntTuple &coord, mlir::Type type);

} // namespace tile

#endif // TILE_LIB_IR_ITERATORVERIFIERS_H
