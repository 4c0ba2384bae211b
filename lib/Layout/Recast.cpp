// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layouts in units of larger or smaller elements; common vectors.
#include "tile/Layout/Algebra.h"
#include <numeric>

using namespace tile;

static Int absolute(const Int &integer) {
  return integer.isStatic() && integer.getValue() < 0 ? -integer : integer;
}

/// Rebuilds a layout leaf by leaf.
static Result<Layout>
mapLeafModes(const Layout &layout,
             llvm::function_ref<Result<LeafMode>(const LeafMode &)> function) {
  llvm::SmallVector<IntTuple, 4> shape, stride;
  for (const LeafMode &mode : layout.getLeafModes()) {
    if (!mode.stride.isInt())
      return Reason("expected integer strides, but got " +
                    layout.getStride().str());
    Result<LeafMode> mapped = function(mode);
    if (!mapped)
      return mapped.takeReason();
    shape.push_back(mapped->extent);
    stride.push_back(mapped->stride);
  }
  if (layout.isLeaf())
    return Layout::get(shape.front(), stride.front());
  Result<Layout> flat =
      Layout::get(IntTuple::tuple(shape), IntTuple::tuple(stride));
  if (!flat)
    return flat;
  return unflatten(*flat, layout.getShape());
}

static std::optional<Reason> checkCount(int64_t count) {
  if (count < 1)
    return Reason("expected a positive number of elements, but got " +
                  llvm::Twine(count));
  return std::nullopt;
}

Result<Layout> tile::upcast(const Layout &layout, int64_t count) {
  if (std::optional<Reason> reason = checkCount(count))
    return *reason;
  return mapLeafModes(layout, [&](const LeafMode &mode) -> Result<LeafMode> {
    const Int &stride = mode.stride.getInt();
    Int size = absolute(stride);
    if (stride.isStatic(0))
      return mode;
    if (size.isMultipleOf(count)) {
      Int quotient = floorDiv(size, count);
      return LeafMode{mode.extent,
                      IntTuple(size == stride ? quotient : -quotient)};
    }
    // Several elements of this mode fall into one: 4 : 1 by 2 is 2 : 1.
    if (size.isStatic() && count % size.getValue() == 0)
      return LeafMode{ceilDiv(mode.extent, count / size.getValue()),
                      IntTuple(size == stride ? 1 : -1)};
    if (mode.extent.isStatic(1))
      return LeafMode{mode.extent, IntTuple(0)};
    return Reason("expected every stride to be a multiple of " +
                  llvm::Twine(count) + " or to divide it, but got " +
                  stride.str());
  });
}

Result<Layout> tile::downcast(const Layout &layout, int64_t count) {
  if (std::optional<Reason> reason = checkCount(count))
    return *reason;
  unsigned units = 0;
  Result<Layout> result =
      mapLeafModes(layout, [&](const LeafMode &mode) -> Result<LeafMode> {
        const Int &stride = mode.stride.getInt();
        if (stride.isStatic(1) || stride.isStatic(-1)) {
          ++units;
          return LeafMode{mode.extent * Int(count), mode.stride};
        }
        return LeafMode{mode.extent, IntTuple(stride * Int(count))};
      });
  if (result && units == 0 && count != 1)
    return Reason(
        "expected a mode of stride 1 or -1 to split, but got strides " +
        layout.getStride().str());
  return result;
}

Result<Layout> tile::recastLayout(const Layout &layout, int64_t oldBits,
                                  int64_t newBits) {
  if (oldBits < 1 || newBits < 1)
    return Reason("expected positive element sizes, but got " +
                  llvm::Twine(oldBits) + " and " + llvm::Twine(newBits) +
                  " bits");
  int64_t common = std::gcd(oldBits, newBits);
  // To the common unit first where neither size divides the other.
  Result<Layout> result = layout;
  if (oldBits != common)
    result = downcast(layout, oldBits / common);
  if (result && newBits != common)
    result = upcast(*result, newBits / common);
  return result;
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

/// Whether the first `count` indices of `lhs` through `inverse` are
/// contiguous: lhs(inverse(i)) = i.
static bool isContiguous(const Layout &lhs, const Layout &inverse) {
  Result<Layout> common = composition(lhs, inverse);
  if (!common)
    return false;
  Layout run = coalesce(*common);
  return run.size().isStatic(1) ||
         (run.isLeaf() && run.getStride().isStatic(1));
}

/// The divisors of an extent above 1, largest first.
static llvm::SmallVector<int64_t> divisorsDownwards(int64_t extent) {
  llvm::SmallVector<int64_t> large, small;
  for (int64_t i = 1; i <= extent / i; ++i) {
    if (extent % i != 0)
      continue;
    large.push_back(extent / i);
    if (i > 1 && i != extent / i)
      small.push_back(i);
    // Extents beyond 2^40 keep their large divisors only.
    if (i >= (int64_t(1) << 20))
      break;
  }
  large.append(small.rbegin(), small.rend());
  llvm::erase(large, 1);
  return large;
}

Result<Layout> tile::maxCommonLayout(const Layout &lhs, const Layout &rhs) {
  Result<Layout> inverse = rightInverse(rhs);
  if (!inverse)
    return inverse;
  Result<Layout> own = rightInverse(lhs);
  if (!own)
    return own;
  // Grow a prefix of the inverse mode by mode; the last mode by the largest
  // divisor of its extent.
  llvm::SmallVector<Layout, 4> prefix;
  for (const LeafMode &mode : inverse->getLeafModes()) {
    if (!mode.extent.isStatic())
      break;
    int64_t extent = mode.extent.getValue(), best = 1;
    for (int64_t part : divisorsDownwards(extent)) {
      llvm::SmallVector<Layout, 4> candidate = prefix;
      Result<Layout> leaf = Layout::get(part, mode.stride);
      if (!leaf)
        return leaf;
      candidate.push_back(*leaf);
      // Whole vectors only, in the run of either side.
      if (own->size().isMultipleOf(Layout::concat(candidate).size()) &&
          isContiguous(lhs, Layout::concat(candidate))) {
        prefix = std::move(candidate);
        best = part;
        break;
      }
    }
    if (best != extent)
      break;
  }
  return coalesce(Layout::concat(prefix));
}

Result<int64_t> tile::maxCommonVector(const Layout &lhs, const Layout &rhs) {
  Result<Layout> common = maxCommonLayout(lhs, rhs);
  if (!common)
    return common.takeReason();
  return common->size().getValue();
}

Result<int64_t> tile::maxAlignment(const Layout &layout) {
  if (layout.hasBasis())
    return Reason("expected integer strides, but got " +
                  layout.getStride().str());
  llvm::SmallVector<LeafMode, 4> modes = coalesce(layout).getLeafModes();
  Int run = 1;
  while (true) {
    auto *next = llvm::find_if(modes, [&](const LeafMode &mode) {
      return mode.extent.isStatic() && !mode.extent.isStatic(1) &&
             mode.stride.getInt().isSameAs(run);
    });
    if (next == modes.end())
      break;
    run = run * next->extent;
    modes.erase(next);
  }
  if (run.isInvalid())
    return Reason(run.getInvalidReason());
  int64_t alignment = run.getValue();
  for (const LeafMode &mode : modes)
    if (!mode.extent.isStatic(1))
      alignment = std::gcd(alignment, mode.stride.getInt().getDivisor());
  return alignment;
}
