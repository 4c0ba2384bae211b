// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The golden walks of iterators, as walks that the IR writes.
#ifndef TILE_TEST_UNIT_ITERATORS_GOLDENWALK_H
#define TILE_TEST_UNIT_ITERATORS_GOLDENWALK_H

#include "Walk.h"

#include "llvm/Support/JSON.h"

namespace tile::test {

/// A walk as the IR writes it, and what is needed to compare.
struct GoldenWalk {
  Walk walk;
  /// Rank of pairs of the data whose first number is the contiguous dimension:
  /// (contiguous, strided). Otherwise they are (row, column).
  bool pitchLinear = false;
  int64_t contiguous = 1;
  int64_t perTile = 0, tiles = 0;
  /// The tile along the strided dimension, for maps that pad.
  std::array<int64_t, 2> tileShape{1, 1};
  /// Moves of a walk with explicit offsets, (row, column); otherwise it
  /// advances.
  std::vector<std::array<int64_t, 2>> moves;
  std::string unsupported;
};

/// Reads a line of predicated_iterator_walks.
GoldenWalk readWalk(const llvm::json::Object &line);

/// The elements of each tile that thread `entry` of the line visits.
std::vector<WalkTile> readTiles(const llvm::json::Object &line,
                                const llvm::json::Value &entry);

/// The chain of the shared-memory layout that a line names, and which of its
/// coordinates, (c, s), is the contiguous one; nothing for other layouts.
struct GoldenOperand {
  LayoutChain chain;
  unsigned contiguous = 0;
};
std::optional<Result<GoldenOperand>>
readOperandLayout(llvm::StringRef name, int64_t bits,
                  std::array<int64_t, 2> extents, int64_t pitch);

} // namespace tile::test

#endif // TILE_TEST_UNIT_ITERATORS_GOLDENWALK_H
