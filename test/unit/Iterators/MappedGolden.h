// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Golden walks of mapped iterators against the lowered IR and the definition.
#ifndef TILE_TEST_UNIT_ITERATORS_MAPPEDGOLDEN_H
#define TILE_TEST_UNIT_ITERATORS_MAPPEDGOLDEN_H

#include "MappedWalk.h"
#include "llvm/Support/JSON.h"

namespace tile::test {

/// A line of golden data as a walk.
struct MappedGolden {
  MappedWalk walk;
  /// What the walk accesses by definition.
  MappedDefinition define;
  /// Steps between the positions; none: 1 each.
  std::vector<int64_t> jumps;
  /// A walk in which so many slices take turns: each goes on by as many steps.
  int64_t slices = 1;
  /// Elements by which all addresses are moved.
  int64_t pointerOffset = 0;
  bool stores = false;
  /// Accesses of the thread map go along the rows before the columns.
  bool rowsFirst = false;
  /// Not empty: why the line cannot be compared, which is a failure.
  std::string unsupported;
  /// Another test compares the line.
  bool isElsewhere = false;
};

/// An element where the reference differs from ours.
struct MappedDifference {
  const WalkElement &theirs, &ours;
  /// The first elements of the same vector.
  const WalkElement &theirFirst, &ourFirst;
  bool isFirst;
  /// The (row, column) of the matrix that the thread map puts it at; nothing
  /// beyond the tile.
  std::optional<std::array<int64_t, 2>> place;
};

/// Why an element of the reference differs from the definition, or "".
using ExplainMapped = std::string(const llvm::json::Object &line,
                                  const MappedDifference &difference);

/// Compares all lines of a file: for each position and thread, ours with the
/// definition, and the reference with ours. What differs for a reason must be
/// in the file NAME-exceptions.jsonl. Positions behind the last step of a tile,
/// where the reference is nowhere, are not compared; the file of the tree has
/// as many as `skipped`. Where loads of the reference go elsewhere than stores,
/// both are compared.
void compareMappedGolden(
    const char *name, const char *variable,
    llvm::function_ref<MappedGolden(const llvm::json::Object &)> read,
    llvm::function_ref<ExplainMapped> explain, unsigned skipped);

} // namespace tile::test

#endif // TILE_TEST_UNIT_ITERATORS_MAPPEDGOLDEN_H
