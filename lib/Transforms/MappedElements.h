// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the elements of a mapped matrix are, and how a walk over them moves.
#ifndef TILE_LIB_TRANSFORMS_MAPPEDELEMENTS_H
#define TILE_LIB_TRANSFORMS_MAPPEDELEMENTS_H

#include "MappedIteratorState.h"

namespace tile {

/// A leaf mode of `coords`, as values.
struct MappedLeaf {
  mlir::Value extent, stride;
  /// Mode of the view along which it moves; -1: none.
  int64_t mode = -1;
};

/// An iterator at one place of the code.
struct MappedMatrix {
  MappedMatrix(IndexArith arith, const MappedPlan &plan, MappedState &state);

  const MappedPlan &plan;
  MappedState &state;
  llvm::SmallVector<MappedLeaf> leaves[2];

  /// Extent and stride of a mode of the view.
  mlir::Value getExtent(IndexArith arith, int64_t mode) const;
  mlir::Value getStride(IndexArith arith, int64_t mode) const;
  /// What one step of a leaf adds to an address, in elements.
  mlir::Value getWeight(IndexArith arith, const MappedLeaf &leaf) const;
};

/// The coordinate along the last mode, with the bits of others xored into it
/// that an iterator's `xor` says.
mlir::Value swizzleLast(IndexArith arith, llvm::ArrayRef<int64_t> numbers,
                        llvm::ArrayRef<mlir::Value> coordinate);

/// A condition and one more; null: it always holds.
mlir::Value both(IndexArith arith, mlir::Value a, mlir::Value b);

/// The digits of `number` in the leaves [first, last) along `dim`. The last of
/// them takes the whole rest.
llvm::SmallVector<mlir::Value> getDigits(IndexArith arith,
                                         const MappedMatrix &matrix,
                                         int64_t dim, mlir::Value number,
                                         unsigned first, unsigned last);

/// The digits of the element that is `offset` from this thread's first one, and
/// whether they are within `coords`. State: tile, inTile, indices.
struct PlaceDigits {
  llvm::SmallVector<mlir::Value> digits;
  mlir::Value exists;
};
PlaceDigits getPlaceDigits(IndexArith arith, const MappedMatrix &matrix,
                           int64_t dim, mlir::Value offset);

/// Adds what digits contribute to the coordinate.
void addToCoordinate(IndexArith arith, const MappedMatrix &matrix, int64_t dim,
                     mlir::ValueRange digits,
                     llvm::MutableArrayRef<mlir::Value> coordinate);

/// Where an element is: its distance from the pointer of the view in elements,
/// and whether it exists (null: it does).
struct ElementPlace {
  mlir::Value distance, exists;
};
/// The element that is `offset` from this thread's first one in the tile. State
/// of a walk that is not incremental.
ElementPlace findElement(IndexArith arith, const MappedMatrix &matrix,
                         const std::array<mlir::Value, 2> &offset);

/// Fills in what a walk keeps. `state` has the view, the leaves of `coords`,
/// `enabled`, and divide, origin, tile, inTile, step, indices.
void startMappedWalk(IndexArith arith, const MappedPlan &plan,
                     MappedState &state);
/// Moves on by a number of steps; null: one.
void moveMappedWalk(IndexArith arith, const MappedPlan &plan,
                    MappedState &state, mlir::Value steps);
/// Computes the predicates of the current step, and, of a walk that is not
/// incremental, its distances.
void computeMappedStep(IndexArith arith, const MappedPlan &plan,
                       MappedState &state);
/// The first element of memory access `number` (in [0, plan.count)) of the
/// current step.
mlir::Value getMappedPointer(IndexArith arith, const MappedMatrix &matrix,
                             mlir::Value number);

} // namespace tile

#endif // TILE_LIB_TRANSFORMS_MAPPEDELEMENTS_H
