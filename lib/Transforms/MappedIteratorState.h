// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an iterator over a mapped matrix consists of once it is lowered.
#ifndef TILE_LIB_TRANSFORMS_MAPPEDITERATORSTATE_H
#define TILE_LIB_TRANSFORMS_MAPPEDITERATORSTATE_H

#include "IteratorState.h"

namespace tile {

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

  static llvm::SmallVector<mlir::Type> getTypes(MappedIteratorType type);
  static MappedState unpack(MappedIteratorType type, mlir::ValueRange values);
  llvm::SmallVector<mlir::Value> pack() const;
};

} // namespace tile

#endif // TILE_LIB_TRANSFORMS_MAPPEDITERATORSTATE_H
