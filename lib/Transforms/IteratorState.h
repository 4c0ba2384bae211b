// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a view or a tile iterator consists of once it is lowered.
#ifndef TILE_LIB_TRANSFORMS_ITERATORSTATE_H
#define TILE_LIB_TRANSFORMS_ITERATORSTATE_H

#include "IndexArith.h"

namespace tile {

/// The values behind a view: its pointer and its run-time leaves.
struct ViewState {
  mlir::Value pointer;
  llvm::SmallVector<mlir::Value> shape, stride;

  static llvm::SmallVector<mlir::Type> getTypes(ViewType type);
  static ViewState unpack(ViewType type, mlir::ValueRange values);
  llvm::SmallVector<mlir::Value> pack() const;
};

/// The values behind an iterator. `pointer` is this thread's first element in
/// the current tile; of a folded one, the base of the view, moved along linear
/// dimensions if it is separable.
struct IteratorState {
  mlir::Value pointer;
  /// Run-time strides of the view, in elements.
  llvm::SmallVector<mlir::Value> stride;
  /// Packed predicates of the current tile, i32 words.
  llvm::SmallVector<mlir::Value> mask;
  /// In the residue phase: the predicates of all later tiles, and the number of
  /// elements of the residue tile along the advance dimension.
  llvm::SmallVector<mlir::Value> steadyMask;
  mlir::Value residue;
  /// Of an iterator that keeps coordinates: (row, column) of this thread's
  /// first element, and the view's run-time extents.
  llvm::SmallVector<mlir::Value> first, shape;
  /// Of one that computes masks: the same (row, column) in the tile, of a map
  /// that reaches beyond it, and in the residue phase where along the advance
  /// dimension the residue tile ends.
  llvm::SmallVector<mlir::Value> inTile;
  mlir::Value residueEnd;
  /// Packed predicates of elements on a unit diagonal.
  llvm::SmallVector<mlir::Value> diagonal;
  /// The list of a gather: see `getListTypes`.
  llvm::SmallVector<mlir::Value> indices;
  /// Of a separable folded iterator: for each place along a dimension that is
  /// not linear its distance from the pointer, and its digits if they move; the
  /// digits of a tile's extent, and what they and carries add to a distance.
  /// Of a gather that keeps them, packed like predicates: which accesses are
  /// inside the view.
  llvm::SmallVector<mlir::Value> kept, tileValues, inside;

  /// Takes the predicates of the steady phase, if it was in the residue phase.
  void leaveResidue();

  static llvm::SmallVector<mlir::Type> getTypes(IteratorType type);
  static IteratorState unpack(IteratorType type, mlir::ValueRange values);
  llvm::SmallVector<mlir::Value> pack() const;
};

/// The values behind the list of a gather: its view and, if it is known at run
/// time only, its length.
llvm::SmallVector<mlir::Type> getListTypes(GatherAttr gather);
/// Coordinates that are walked of a list.
mlir::Value getListLength(IndexArith arith, GatherAttr gather,
                          mlir::ValueRange list);

/// Operands that each became some values, as one list.
llvm::SmallVector<mlir::Value> flatten(llvm::ArrayRef<mlir::ValueRange> ranges);

/// Top-level leaf `dim` of a flat tuple: a constant, or the run-time value for
/// it, of which `dynamic` holds those of all leaves in order.
mlir::OpFoldResult getLeaf(mlir::OpBuilder &builder, const IntTuple &tuple,
                           unsigned dim, mlir::ValueRange dynamic);

/// Top-level extent `dim` of a shape whose modes may be nested: the product of
/// its leaves.
mlir::Value getExtent(IndexArith arith, const IntTuple &shape, unsigned dim,
                      mlir::ValueRange dynamic);

} // namespace tile

#endif // TILE_LIB_TRANSFORMS_ITERATORSTATE_H
