// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An iterator as the values that it becomes, and the accesses that it makes.
#ifndef TILE_LIB_TRANSFORMS_LOWEREDITERATOR_H
#define TILE_LIB_TRANSFORMS_LOWEREDITERATOR_H

#include "IteratorLowering.h"
#include "MappedElements.h"

namespace tile {

/// An iterator: how it walks, from its type, and its values. A walk over a view
/// has a pointer and words of predicates that stay from tile to tile; a walk
/// over a mapped matrix has digits that count, and words that follow from them.
struct LoweredIterator {
  LoweredIterator(IteratorType type, mlir::ValueRange values);

  static llvm::SmallVector<mlir::Type> getTypes(IteratorType type);
  llvm::SmallVector<mlir::Value> pack() const;

  IteratorType type;
  AccessPlan plan;
  /// Of a walk over a view.
  IteratorState state;
  /// Of a walk over a mapped matrix.
  std::optional<MappedPlan> mapped;
  MappedState mappedState;

  /// What all addresses are relative to.
  mlir::Value &getPointer() {
    return mapped ? mappedState.view.pointer : state.pointer;
  }
  /// The packed predicates of the current tile or step.
  llvm::SmallVector<mlir::Value> &getWords() {
    return mapped ? mappedState.words : state.mask;
  }
};

/// Whether two iterators of one type are at one place.
mlir::Value isSamePlace(IndexArith arith, LoweredIterator &lhs,
                        LoweredIterator &rhs);

/// The accesses that an operation transfers, as (first, count): those that it
/// names, or all.
std::pair<int64_t, int64_t>
getRange(IteratorType type, std::optional<llvm::ArrayRef<int64_t>> accesses);

/// Emits loops over `count` accesses of the current step from `first` on;
/// `body` makes one memory access and returns the next value of what it carries
/// (or null).
mlir::Value forEachAccess(
    IndexArith arith, const LoweredIterator &iterator, int64_t first,
    int64_t count, mlir::Value init,
    llvm::function_ref<mlir::Value(IndexArith, Access, mlir::Value)> body);

/// Where element `first` of an iterator's access `index` is.
mlir::Value getElementPointer(IndexArith arith, const LoweredIterator &iterator,
                              mlir::Value index, int64_t first);

} // namespace tile

#endif // TILE_LIB_TRANSFORMS_LOWEREDITERATOR_H
