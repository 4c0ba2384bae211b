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

int64_t AccessPattern::getNumThreads() const {
  int64_t count = 1;
  for (const MapMode &mode : threads)
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

Layout tile::toTVLayout(const AccessPattern &pattern) {
  auto step = [](const MapMode &mode) {
    return mode.stride == 0 ? IntTuple(0)
                            : IntTuple::basis(Int(mode.stride), {mode.dim});
  };
  SmallVector<IntTuple> threadShape, threadStride;
  for (const MapMode &mode : pattern.threads) {
    threadShape.push_back(mode.size);
    threadStride.push_back(step(mode));
  }
  SmallVector<IntTuple> shape{pattern.vector};
  SmallVector<IntTuple> stride{step({pattern.vector, pattern.vectorDim, 1})};
  for (const MapMode &mode : pattern.iterations) {
    shape.push_back(mode.size);
    stride.push_back(step(mode));
  }
  Result<Layout> layout = Layout::get(
      IntTuple::tuple({IntTuple::tuple(threadShape), IntTuple::tuple(shape)}),
      IntTuple::tuple(
          {IntTuple::tuple(threadStride), IntTuple::tuple(stride)}));
  return layout ? *layout : Layout();
}

namespace {
/// Calls `touch(thread, row, column)` for every element of every thread until
/// it returns false.
struct Enumeration {
  int64_t threads;
  function_ref<std::pair<int64_t, int64_t>(int64_t)> getThreadOffset;
  const AccessPattern &accesses;

  void forEach(function_ref<bool(int64_t, int64_t, int64_t)> touch) const {
    bool isRow = accesses.vectorDim == 0;
    int64_t count = accesses.getNumAccesses();
    for (int64_t t = 0; t < threads; ++t) {
      auto [row, column] = getThreadOffset(t);
      for (int64_t i = 0; i < count; ++i) {
        auto [rows, columns] = accesses.getAccessOffset(i);
        for (int64_t v = 0; v < accesses.vector; ++v)
          if (!touch(t, row + rows + (isRow ? v : 0),
                     column + columns + (isRow ? 0 : v)))
            return;
      }
    }
  }

  /// `by thread 3`, `by threads 3 and 67`, `by threads 3, 67, 99, …`.
  std::string getOwners(int64_t row, int64_t column) const {
    SmallVector<int64_t> owners;
    forEach([&](int64_t t, int64_t r, int64_t c) {
      if (r == row && c == column && (owners.empty() || owners.back() != t))
        owners.push_back(t);
      return owners.size() < 4;
    });
    if (owners.empty())
      return "by no thread";
    if (owners.size() == 1)
      return ("by thread " + Twine(owners[0])).str();
    if (owners.size() == 2)
      return ("by threads " + Twine(owners[0]) + " and " + Twine(owners[1]))
          .str();
    return llvm::formatv("by threads {0}, {1}, {2}{3}", owners[0], owners[1],
                         owners[2], owners.size() > 3 ? ", …" : "");
  }
};
} // namespace

Coverage tile::getCoverage(
    int64_t threads,
    function_ref<std::pair<int64_t, int64_t>(int64_t)> getThreadOffset,
    const AccessPattern &accesses, ArrayRef<int64_t> tile) {
  Enumeration enumeration{threads, getThreadOffset, accesses};
  SmallVector<int32_t> touched(tile[0] * tile[1], 0);
  Coverage coverage;
  enumeration.forEach([&](int64_t t, int64_t row, int64_t column) {
    if (row >= 0 && row < tile[0] && column >= 0 && column < tile[1]) {
      ++touched[row * tile[1] + column];
      return true;
    }
    if (coverage.outside++ == 0)
      coverage.reason =
          llvm::formatv("thread {0} accesses element ({1}, {2}), outside the "
                        "{3} by {4} tile",
                        t, row, column, tile[0], tile[1]);
    return true;
  });
  coverage.multiplicity = touched.empty() ? 1 : touched[0];
  coverage.uniformInside = true;
  for (int64_t i = 0, e = touched.size(); i < e; ++i) {
    if (touched[i] == coverage.multiplicity && touched[i] != 0)
      continue;
    coverage.uniformInside = false;
    if (!coverage.reason.empty())
      break;
    int64_t row = i / tile[1], column = i % tile[1];
    coverage.reason = llvm::formatv(
        "element ({0}, {1}) is accessed {2} times, element (0, 0) {3} times",
        row, column, touched[i], touched[0]);
    if (touched[i] != 0 || touched[0] > 1)
      coverage.reason +=
          touched[i] != 0
              ? " (the former " + enumeration.getOwners(row, column) + ")"
              : " (the latter " + enumeration.getOwners(0, 0) + ")";
    break;
  }
  coverage.uniform = coverage.uniformInside && coverage.outside == 0;
  return coverage;
}

Coverage tile::getCoverage(const AccessPattern &pattern,
                           ArrayRef<int64_t> tile) {
  return getCoverage(
      pattern.getNumThreads(),
      [&](int64_t t) { return pattern.getThreadOffset(t); }, pattern, tile);
}

std::string tile::getBalance(int64_t threads, const AccessPattern &accesses,
                             ArrayRef<int64_t> tile) {
  int64_t iterations = accesses.getNumAccesses();
  int64_t total = threads * iterations * accesses.vector;
  if (total == tile[0] * tile[1])
    return "";
  return llvm::formatv("{0} threads × {1} iterations × {2} elements = {3}, but "
                       "the tile has {4} elements",
                       threads, iterations, accesses.vector, total,
                       tile[0] * tile[1]);
}

SmallVector<int64_t> tile::getMaskedAccesses(const AccessPattern &pattern,
                                             ArrayRef<int64_t> tile) {
  // The furthest thread decides: offsets of threads and accesses add up.
  int64_t furthest[2] = {0, 0};
  for (const MapMode &mode : pattern.threads)
    furthest[mode.dim] += (mode.size - 1) * mode.stride;
  furthest[pattern.vectorDim] += pattern.vector - 1;
  SmallVector<int64_t> masked;
  for (int64_t i = 0, e = pattern.getNumAccesses(); i < e; ++i) {
    auto [row, column] = pattern.getAccessOffset(i);
    if (row + furthest[0] >= tile[0] || column + furthest[1] >= tile[1])
      masked.push_back(i);
  }
  return masked;
}

bool tile::hasOneOwner(ThreadMapAttrInterface map) {
  AccessPattern pattern = getAccessPattern(map);
  SmallVector<int64_t, 2> tile = map.getTileShape();
  // An exact map covers evenly, as its verifier has shown.
  if (map.getCoverage() == CoverageRule::Exact)
    return pattern.getNumThreads() * pattern.getNumAccesses() *
               pattern.vector ==
           tile[0] * tile[1];
  Coverage coverage = tile::getCoverage(pattern, tile);
  return coverage.uniformInside && coverage.multiplicity == 1;
}

bool tile::mayLeaveTile(ThreadMapAttrInterface map) {
  return map.getCoverage() != CoverageRule::Exact &&
         !getMaskedAccesses(getAccessPattern(map), map.getTileShape()).empty();
}
