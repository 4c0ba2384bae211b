// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an iterator over a mapped matrix consists of once it is lowered.
#ifndef TILE_LIB_TRANSFORMS_MAPPEDITERATORSTATE_H
#define TILE_LIB_TRANSFORMS_MAPPEDITERATORSTATE_H

#include "IteratorState.h"

namespace tile {

/// The dimension along which a walk stays where it is, if numbers along it are
/// split by divisions: where the digits of a thread's accesses are is computed
/// once, where the iterator is made.
struct FixedDim {
  int64_t dim = 0;
  /// How far the accesses are from the thread's first element.
  llvm::SmallVector<int64_t> offsets;
  /// Modes of the view that the digits move along.
  llvm::SmallVector<int64_t> modes;
};
std::optional<FixedDim> getFixedDim(MappedIteratorType type);

/// The values behind a mapped iterator.
struct MappedState {
  /// The view: its pointer, and its run-time extents and strides.
  ViewState view;
  /// Run-time leaves of `coords` and `divide`, and the origin in each mode of
  /// the view (none for the identity).
  llvm::SmallVector<mlir::Value> coordShape, coordStride, divide, origin;
  /// (row, column) of the current tile, and of this thread's first element in
  /// a tile.
  llvm::SmallVector<mlir::Value> tile, inTile;
  /// The step in the tile, if there is more than one.
  mlir::Value step;
  /// An i1: whether anything is accessed.
  mlir::Value enabled;
  /// Where rows are looked up: a pointer, and how many there are.
  mlir::Value indices, numIndices;
  /// For each offset of a fixed dimension: what it adds to the coordinate along
  /// each of its modes, and an i1, whether it is within `coords`.
  llvm::SmallVector<mlir::Value> fixed;

  static llvm::SmallVector<mlir::Type> getTypes(MappedIteratorType type);
  static MappedState unpack(MappedIteratorType type, mlir::ValueRange values);
  llvm::SmallVector<mlir::Value> pack() const;
};

} // namespace tile

#endif // TILE_LIB_TRANSFORMS_MAPPEDITERATORSTATE_H
