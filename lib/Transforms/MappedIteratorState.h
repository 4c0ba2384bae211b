// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a walk over a mapped matrix goes on, and what it consists of.
#ifndef TILE_LIB_TRANSFORMS_MAPPEDITERATORSTATE_H
#define TILE_LIB_TRANSFORMS_MAPPEDITERATORSTATE_H

#include "IteratorState.h"

namespace tile {

// How a mapped iterator moves
// ===========================
//
// Element (row, column) of the matrix is at origin + the sum of digit * stride
// in the view, where the digits are those of row and column. What a move does
// to the digits depends on the dimension:
//
//   linear    There is one digit, the row (column) itself: the address moves by
//             an increment.
//   uniform   The first digit holds whole tiles. Then the other digits are the
//             same for all threads and accesses, and count like an odometer:
//             next place of the filter, next row of places, next block. Each
//             carry has an increment of its own.
//   digits    Each of a thread's places has digits of its own. They are
//             computed once, where the iterator is made; a move adds the digits
//             of the tile's extent to them, with carries, and no division.
//
// The steps of a tile are digits in front of the odometer. So an iterator keeps
// one pointer, a distance for each place along a dimension of digits, and words
// of predicates, in which what a move cannot change is one word of its own. A
// walk that has no such form (divided, triangular, swizzled coordinates; rows
// that are looked up anew or split anew at each step) computes its addresses
// and predicates where it arrives.

/// How a walk goes on: what follows from its type alone.
struct MappedPlan {
  explicit MappedPlan(IteratorType type);

  enum class Kind { Linear, Uniform, Digits };

  IteratorType type;
  AccessPattern pattern;
  /// Elements of one memory access, memory accesses of one access of the map,
  /// and of one step.
  int64_t width, parts, count;
  bool leavesTile;
  /// The leaves of `coords` along each dimension; the mode of the view that one
  /// moves along, or -1.
  llvm::SmallVector<LeafMode, 4> leaves[2];
  static int64_t getMode(const LeafMode &leaf);
  /// A digit of the odometer that is kept in 32 bits; all others are indices.
  static bool isNarrow(const LeafMode &leaf);

  /// It moves by increments; what follows holds for such a walk only.
  bool isIncremental = true;
  Kind kinds[2] = {Kind::Linear, Kind::Linear};
  /// The iterations of the map within a step, and the steps of a tile.
  llvm::SmallVector<MapMode> inner, steps;
  /// Places along each dimension of a step's memory accesses, relative to the
  /// first, and the place of each memory access.
  llvm::SmallVector<int64_t> places[2];
  llvm::SmallVector<unsigned> placeOf[2];
  /// Whether a move changes the number along a dimension, and the coordinate
  /// along a mode.
  bool moves[2] = {false, false};
  llvm::SmallVector<bool> modeMoves;
  /// A mode that moves with one digit of the odometer, of few values: what
  /// exists is looked up in a word that has the bits of each value. Such a mode
  /// does not count as one that moves.
  struct Table {
    int64_t mode;
    unsigned leaf;
  };
  llvm::SmallVector<Table, 2> tables;
  /// No move changes the coordinate along a mode of the view.
  bool stays(int64_t mode) const;

  /// The first leaf of a uniform dimension that counts: one that holds exactly
  /// a tile does not.
  unsigned getFirstDigit(int64_t dim) const;
  /// Digits of the odometer along the advance dimension (none if its digits
  /// are not uniform).
  unsigned getNumOdometer() const;
  /// Modes of the view along which the coordinates of a dimension are kept for
  /// each place.
  llvm::SmallVector<int64_t> getKeptModes(int64_t dim) const;
  /// Whether the digits of each place move.
  bool hasMovingDigits(int64_t dim) const {
    return kinds[dim] == Kind::Digits && moves[dim];
  }
  /// The distances of the places along a dimension of digits are kept in 32
  /// bits: constant extents and strides prove that they fit.
  bool hasNarrowPlaces(int64_t dim) const;
  /// Words of predicates; none if everything exists.
  unsigned getNumWords() const;
  /// A walk that is not incremental keeps the distance of each memory access;
  /// in 32 bits if the view is small enough.
  bool keepsDistances() const;
  bool hasNarrowDistances() const;
};

/// The dimension along which a walk that is not incremental stays where it is,
/// if numbers along it are split by divisions: where the digits of a thread's
/// accesses are is computed once, where the iterator is made.
struct FixedDim {
  int64_t dim = 0;
  /// How far the accesses are from the thread's first element.
  llvm::SmallVector<int64_t> offsets;
  /// Modes of the view that the digits move along.
  llvm::SmallVector<int64_t> modes;
};
std::optional<FixedDim> getFixedDim(IteratorType type);

/// The values behind a mapped iterator.
struct MappedState {
  using Values = llvm::SmallVector<mlir::Value>;

  /// The view: its pointer, and its run-time extents and strides. The pointer
  /// of an incremental walk is that of the step.
  ViewState view;
  /// Run-time leaves of `coords`.
  Values coordShape, coordStride;
  /// An i1, whether anything is accessed, and the packed predicates of the
  /// current step, i32 words. None if everything exists.
  Values enabled, words;

  // Of an incremental walk.
  /// Predicates that no move changes, and a word for each of `plan.tables`.
  Values fixedWords, tables;
  /// The step in the tile, a digit for each mode of `plan.steps`, i32.
  Values stepDigits;
  /// The number of a thread's first element along each linear or uniform
  /// dimension that moves; along a uniform one without the odometer's.
  Values numbers;
  /// The coordinate along each mode that moves, as far as no move changes it.
  Values base;
  /// The odometer of a uniform advance dimension: i32 or indices.
  Values odometer;
  /// For each dimension of digits and each place along it: the distance from
  /// the pointer; then its digits if they move, or its coordinates along
  /// `getKeptModes`.
  Values kept;
  /// Of digits that move: those of the tile's extent.
  Values tileDigits;
  /// What a move adds to the pointer, in bytes, by the digit that it ends at:
  /// steps, then the odometer. Of digits that move, instead of the odometer:
  /// what leads back from the last step; and what a tile, and the carry out of
  /// each digit, adds to each distance.
  Values increments;

  // Of any other.
  /// Divisors, and the origin in each mode of the view (none for the identity).
  Values divide, origin;
  /// (row, column) of the current tile, and of this thread's first element in
  /// a tile.
  Values tile, inTile;
  /// The step in the tile, if there is more than one.
  Values step;
  /// The list in which a coordinate is looked up: see `getListTypes`.
  Values indices;
  /// For each offset of a fixed dimension: what it adds to the coordinate along
  /// each of its modes, and an i1, whether it is within `coords`.
  Values fixed, fixedExists;
  /// The distance of each memory access of the current step from the pointer.
  Values distances;

  static llvm::SmallVector<mlir::Type> getTypes(const MappedPlan &plan);
  static MappedState unpack(const MappedPlan &plan, mlir::ValueRange values);
  llvm::SmallVector<mlir::Value> pack(const MappedPlan &plan) const;
};

} // namespace tile

#endif // TILE_LIB_TRANSFORMS_MAPPEDITERATORSTATE_H
