// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs one line of the golden layout data through the layout algebra.
#ifndef TILE_TEST_UNIT_LAYOUT_GOLDENOPS_H
#define TILE_TEST_UNIT_LAYOUT_GOLDENOPS_H

#include "tile/Layout/ComposedAlgebra.h"
#include "llvm/Support/JSON.h"

namespace tile::test {

/// What an operation gave: a (composed) layout or a tuple.
struct Value {
  std::optional<ComposedLayout> layout;
  std::optional<IntTuple> tuple;

  Value(Layout layout) : layout(std::move(layout)) {}
  Value(ComposedLayout layout) : layout(std::move(layout)) {}
  Value(IntTuple tuple) : tuple(std::move(tuple)) {}

  std::string str() const { return layout ? layout->str() : tuple->str(); }
};

/// How run-time integers of the data (printed without underscore) are read.
using RunTime = llvm::function_ref<Int(int64_t)>;

/// Runs the operation of a golden line on our algebra.
Result<Value> runGolden(const llvm::json::Object &line, RunTime runTime);

/// The line's own result, read back.
Result<Value> readGolden(const llvm::json::Object &line);

/// Whether `result` satisfies the pointwise definition of the line's
/// operation, by enumeration. Nothing where no definition is at hand.
std::optional<bool> satisfiesDefinition(const llvm::json::Object &line,
                                        const ComposedLayout &result);

} // namespace tile::test

#endif // TILE_TEST_UNIT_LAYOUT_GOLDENOPS_H
