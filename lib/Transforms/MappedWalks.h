// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the parts of a walk over a mapped matrix share.
#ifndef TILE_LIB_TRANSFORMS_MAPPEDWALKS_H
#define TILE_LIB_TRANSFORMS_MAPPEDWALKS_H

#include "DigitArith.h"
#include "MappedElements.h"

namespace tile {

/// The values that a walk keeps for one place along a dimension of digits: its
/// distance from the pointer; then its digits if they move, or its coordinates
/// along `getKeptModes`.
struct KeptPlace {
  mlir::Value &distance;
  llvm::MutableArrayRef<mlir::Value> rest;
};
KeptPlace getKeptPlace(const MappedPlan &plan, MappedState &state, int64_t dim,
                       size_t place);

/// The number of the thread's first element along a linear or uniform dimension
/// that moves.
mlir::Value &getMovingNumber(const MappedPlan &plan, MappedState &state,
                             int64_t dim);

/// The digits along a dimension, and their weights.
DigitModes getDigitModes(IndexArith arith, const MappedMatrix &matrix,
                         int64_t dim);

/// How far memory access `number` of a step is from the thread's first element
/// (of an incremental walk: from the first one of the step).
std::array<mlir::Value, 2> getAccessOffset(IndexArith arith,
                                           const MappedMatrix &matrix,
                                           mlir::Value number);

/// Packs a predicate for each memory access of a step in words.
llvm::SmallVector<mlir::Value> packWords(
    IndexArith arith, const MappedPlan &plan,
    llvm::function_ref<mlir::Value(IndexArith, mlir::Value number)> predicate);

/// A digit of the odometer: the steps of a tile, then the tiles.
struct OdometerDigit {
  /// How many values it has; null: any number.
  mlir::Value extent;
  /// What a count adds to the digit, and what one of that is in the address.
  mlir::Value step, weight;
};
llvm::SmallVector<OdometerDigit> getOdometer(IndexArith arith,
                                             const MappedMatrix &matrix);

} // namespace tile

#endif // TILE_LIB_TRANSFORMS_MAPPEDWALKS_H
