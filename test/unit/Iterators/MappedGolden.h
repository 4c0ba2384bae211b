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
  /// Not empty: why the line is left out.
  std::string unsupported;
};

/// Why an element of the reference differs from the definition, or "". The
/// first elements are those of the same vector.
using ExplainMapped = std::string(const llvm::json::Object &line,
                                  const MappedGolden &golden,
                                  const WalkElement &theirs,
                                  const WalkElement &ours,
                                  const WalkElement &theirFirst,
                                  const WalkElement &ourFirst, bool isFirst);

/// Compares all lines of a file: for each position and thread, ours with the
/// definition, and the reference with ours. What differs for a reason must be
/// in the file NAME-exceptions.jsonl.
void compareMappedGolden(
    const char *name, const char *variable,
    llvm::function_ref<MappedGolden(const llvm::json::Object &)> read,
    llvm::function_ref<ExplainMapped> explain);

} // namespace tile::test

#endif // TILE_TEST_UNIT_ITERATORS_MAPPEDGOLDEN_H
