// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a thread map means for code generation, derived from its layout.
#include "tile/IR/ThreadMap.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tile;

int64_t AccessPattern::getNumAccesses() const {
  int64_t count = 1;
  for (const MapMode &mode : iterations)
    count *= mode.size;
  return count;
}

/// Decodes a linear index over modes (first fastest) into a tile coordinate.
static std::pair<int64_t, int64_t> decode(ArrayRef<MapMode> modes,
                                          int64_t index) {
  int64_t offset[2] = {0, 0};
  for (const MapMode &mode : modes) {
    offset[mode.dim] += index % mode.size * mode.stride;
    index /= mode.size;
  }
  return {offset[0], offset[1]};
}

std::pair<int64_t, int64_t> AccessPattern::getAccessOffset(int64_t i) const {
  return decode(iterations, i);
}

std::pair<int64_t, int64_t> AccessPattern::getThreadOffset(int64_t t) const {
  return decode(threads, t);
}

/// Appends the leaves of one top-level mode of a thread-value layout.
static std::optional<std::string> appendModes(const Layout &mode,
                                              SmallVectorImpl<MapMode> &modes) {
  SmallVector<IntTuple> shape = mode.getShape().getLeaves();
  SmallVector<IntTuple> stride = mode.getStride().getLeaves();
  for (auto [extent, step] : llvm::zip_equal(shape, stride)) {
    if (!extent.isInt() || !extent.getInt().isStatic())
      return "expected static extents, but got " + extent.str();
    int64_t size = extent.getInt().getValue();
    if (size < 1)
      return "expected positive extents, but got " + extent.str();
    if (step.isStatic(0)) {
      modes.push_back({size, 0, 0});
      continue;
    }
    if (!step.isBasis() || !step.getInt().isStatic() ||
        step.getPath().size() != 1 || step.getPath()[0] > 1 ||
        step.getInt().getValue() < 0)
      return "expected strides of the form n@e0 (rows) or n@e1 (columns), but "
             "got " +
             step.str();
    modes.push_back({size, step.getPath()[0], step.getInt().getValue()});
  }
  return std::nullopt;
}

Result<AccessPattern> tile::parseAccessPattern(const Layout &layout) {
  if (layout.rank() != 2 || !layout.getShape().isTuple())
    return Reason(
        "expected a layout of two modes, (threads, values), but got " +
        Twine(layout.rank()));
  AccessPattern pattern;
  SmallVector<MapMode> values;
  if (std::optional<std::string> reason =
          appendModes(layout[0], pattern.threads))
    return Reason(*reason);
  if (std::optional<std::string> reason = appendModes(layout[1], values))
    return Reason(*reason);
  if (values.empty() || (values[0].size > 1 && values[0].stride != 1))
    return Reason("expected the first value mode to have stride 1 along one "
                  "dimension, but got " +
                  Twine(values.empty() ? 0 : values[0].stride));
  pattern.vector = values[0].size;
  pattern.vectorDim = values[0].dim;
  pattern.iterations.assign(values.begin() + 1, values.end());
  return pattern;
}

AccessPattern tile::getAccessPattern(ThreadMapAttrInterface map) {
  Result<AccessPattern> pattern = parseAccessPattern(map.getTVLayout());
  AccessPattern result = pattern ? *pattern : AccessPattern();
  result.vectorDim = map.getContiguousDim();
  return result;
}

Coverage tile::getCoverage(const AccessPattern &pattern,
                           ArrayRef<int64_t> tile) {
  int64_t threads = 1;
  for (const MapMode &mode : pattern.threads)
    threads *= mode.size;
  SmallVector<int32_t> touched(tile[0] * tile[1], 0);
  Coverage coverage;
  for (int64_t t = 0; t < threads; ++t) {
    auto [row0, column0] = pattern.getThreadOffset(t);
    for (int64_t i = 0, e = pattern.getNumAccesses(); i < e; ++i) {
      auto [dRow, dColumn] = pattern.getAccessOffset(i);
      for (int64_t v = 0; v < pattern.vector; ++v) {
        int64_t row = row0 + dRow + (pattern.vectorDim == 0 ? v : 0);
        int64_t column = column0 + dColumn + (pattern.vectorDim == 1 ? v : 0);
        if (row >= tile[0] || column >= tile[1]) {
          coverage.reason = llvm::formatv("thread {0} accesses element ({1}, "
                                          "{2}), outside the {3} by {4} tile",
                                          t, row, column, tile[0], tile[1]);
          return coverage;
        }
        ++touched[row * tile[1] + column];
      }
    }
  }
  coverage.multiplicity = touched.empty() ? 1 : touched[0];
  for (int64_t i = 0, e = touched.size(); i < e; ++i) {
    if (touched[i] != coverage.multiplicity || touched[i] == 0) {
      coverage.reason = llvm::formatv(
          "element ({0}, {1}) is accessed {2} times, element (0, 0) {3} times",
          i / tile[1], i % tile[1], touched[i], touched[0]);
      return coverage;
    }
  }
  coverage.uniform = true;
  return coverage;
}
