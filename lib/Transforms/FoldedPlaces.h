// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses of iterators whose coordinates are split or looked up.
#ifndef TILE_LIB_TRANSFORMS_FOLDEDPLACES_H
#define TILE_LIB_TRANSFORMS_FOLDEDPLACES_H

#include "IndexArith.h"
#include "IteratorState.h"

namespace tile {

// Where rows and columns are nested modes of a layout or looked up in a list,
// but no swizzle and no further layout comes behind, the offset of an element
// is a sum: one number for its row and one for its column. So an iterator keeps
// a pointer and, for each of the few places along such a dimension at which its
// accesses are, a distance from it:
//
//   linear    one mode: the pointer moves by its stride
//   digits    nested modes: the digits of each place are split where the
//             iterator is made; a tile's are added to them, with carries
//   gathered  the coordinate is looked up where the iterator is made, and stays
//             while it moves along the other dimension; along the dimension in
//             which it advances it is looked up where it is used, once for all
//             accesses at that place
//
// Other layouts have no such form: their function is computed at each access.

/// How a folded iterator finds its addresses, from its type alone.
struct FoldedPlan {
  explicit FoldedPlan(IteratorType type);

  enum class Kind { Linear, Digits, Gathered };

  IteratorType type;
  /// The offset is a sum of the row's and the column's.
  bool isSeparable;
  Kind kinds[2] = {Kind::Linear, Kind::Linear};
  /// What is looked up is kept.
  bool keepsGathered = true;
  llvm::SmallVector<LeafMode, 4> leaves[2];
  /// Places along each dimension of a fragment's memory accesses, relative to
  /// the first, and the place of each memory access.
  llvm::SmallVector<int64_t> places[2];
  llvm::SmallVector<unsigned> placeOf[2];

  /// The digits of each place along a dimension move.
  bool hasMovingDigits(int64_t dim) const;
  /// Values that are kept for each place along a dimension: its distance, and
  /// digits that move.
  unsigned getNumKept(int64_t dim) const;
  /// The distances along a dimension are kept in 32 bits: constant extents and
  /// strides prove that they fit.
  bool hasNarrowPlaces(int64_t dim) const;
  /// The types of what is kept for all places.
  llvm::SmallVector<mlir::Type> getKeptTypes() const;
  /// Values that are kept of a tile's extent.
  unsigned getNumTileValues() const;
};

/// Finds the places again along the dimensions `dims`, from the coordinate that
/// the iterator is at.
void arriveFolded(IndexArith arith, const FoldedPlan &plan,
                  IteratorState &state, llvm::ArrayRef<int64_t> dims);
/// Looks up what is not kept, for the memory accesses [first, last) of the
/// fragment; an index is read if the predicate of one of them is on. Plan and
/// state are then those of an iterator that keeps it.
void lookUpPlaces(IndexArith arith, FoldedPlan &plan, IteratorState &state,
                  int64_t first, int64_t last);
/// Computes what is kept of a tile's extent.
void keepTileDigits(IndexArith arith, const FoldedPlan &plan,
                    IteratorState &state);
/// Moves the places along a dimension forward, by a tile (null) or a number of
/// elements. The coordinate has been moved.
void moveFolded(IndexArith arith, const FoldedPlan &plan, IteratorState &state,
                int64_t dim, mlir::Value by);
/// The stride of a linear dimension.
mlir::Value getFoldedStride(IndexArith arith, const FoldedPlan &plan,
                            const IteratorState &state, int64_t dim);
/// The first element of memory access `number` of the fragment, which is
/// `offset` (row, column) from the thread's first one.
mlir::Value getFoldedPointer(IndexArith arith, const FoldedPlan &plan,
                             const IteratorState &state, mlir::Value number,
                             const std::array<mlir::Value, 2> &offset);

} // namespace tile

#endif // TILE_LIB_TRANSFORMS_FOLDEDPLACES_H
