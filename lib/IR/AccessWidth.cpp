// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How wide the memory accesses of an iterator are, and what bounds them.
#include "tile/IR/ThreadMap.h"
#include "tile/Layout/Algebra.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/FormatVariadic.h"
#include <numeric>

using namespace mlir;
using namespace tile;

/// Bytes of the widest memory access of one thread.
static constexpr int64_t kWidestAccessBytes = 16;
/// What a fact that bounds nothing allows.
static constexpr int64_t kUnbounded = int64_t(1) << 30;

/// `pitch of 33 elements`, or what is known of one of run time.
static std::string describe(StringRef what, const Int &number, int64_t bytes) {
  if (number.isStatic())
    return llvm::formatv("its {0} is {1} elements, {2} bytes", what,
                         number.getValue(), number.getValue() * bytes);
  return llvm::formatv("its {0} is known to be a multiple of {1} elements, {2} "
                       "bytes",
                       what, number.getDivisor(), number.getDivisor() * bytes);
}

/// What a layout that takes coordinates anew keeps side by side of neighbours
/// along its mode `dim`, or of all its elements (-1). `name` is that of the
/// layout in words.
static void boundByLayout(SmallVectorImpl<WidthBound> &bounds,
                          const ComposedLayout &layout, int64_t dim,
                          const std::string &name, int64_t bytes) {
  auto add = [&](int64_t elements, const Twine &fact) {
    bounds.push_back({elements, (Twine(name) + " " + fact).str()});
  };
  auto size = [&](int64_t elements) {
    return (Twine(elements) + " elements, " + Twine(elements * bytes) +
            " bytes")
        .str();
  };
  const Layout &inner = layout.getLayout();
  Layout mode = dim < 0 ? inner : inner[dim];
  if (Result<Layout> merged = coalesce(mode))
    mode = *merged;
  SmallVector<LeafMode, 4> along = mode.getLeafModes();
  if (!along.front().stride.isStatic(1))
    add(1, "has stride " + Twine(along.front().stride.str()) +
               ", not 1, from one element to the next");
  if (along.size() > 1)
    add(along.front().extent.getDivisor(),
        "keeps runs together whose length is known to be a multiple of " +
            size(along.front().extent.getDivisor()));
  SmallVector<LeafMode, 4> others(llvm::drop_begin(along));
  if (dim >= 0)
    llvm::append_range(others, inner[1 - dim].getLeafModes());
  for (const LeafMode &other : others)
    if (!other.extent.isStatic(1))
      add(other.stride.getInt().getDivisor(),
          "has a stride known to be a multiple of " +
              size(other.stride.getInt().getDivisor()));
  const Swizzle &swizzle = layout.getSwizzle();
  if (!swizzle.isIdentity())
    add(int64_t(1) << swizzle.getBase(),
        "passes offsets through " + Twine(swizzle.str()) +
            ", which keeps together " + size(int64_t(1) << swizzle.getBase()));
}

/// The same for all layouts of an iterator.
static void boundByLayouts(SmallVectorImpl<WidthBound> &bounds,
                           IteratorType type, int64_t dim) {
  int64_t bytes = type.getView().getElementBytes();
  int64_t next = dim;
  for (auto [i, layout] : llvm::enumerate(type.getPermute())) {
    boundByLayout(bounds, layout.getValue(), next,
                  "layout " + std::to_string(i) + " of its permutation", bytes);
    next = -1;
  }
  boundByLayout(bounds, type.getView().getComposed(), next, "its layout",
                bytes);
}

SmallVector<WidthBound> IteratorType::getWidthBounds() const {
  AccessPattern pattern = getAccessPattern(getMap());
  ViewType view = getView();
  const Layout &layout = view.getLayout();
  int64_t dim = pattern.vectorDim, bytes = view.getElementBytes();
  StringRef name = dim ? "columns" : "rows";
  SmallVector<WidthBound> bounds;
  if (isFolded())
    boundByLayouts(bounds, *this, dim);
  else if (!layout.getStride()[dim].isStatic(1))
    bounds.push_back({1, llvm::formatv("its stride along the {0} is {1}, not 1",
                                       name, layout.getStride()[dim].str())});
  bounds.push_back({view.getBaseAlignment() / bytes,
                    llvm::formatv("its base address is known to be a multiple "
                                  "of {0} bytes",
                                  view.getBaseAlignment())});
  if (!isFolded()) {
    Int pitch = layout.getStride()[1 - dim].getInt();
    bounds.push_back({pitch.getDivisor(), describe("pitch", pitch, bytes)});
  }
  bool gathers = getGather() && getGather().getDim() == dim;
  if (getPredicated()) {
    Int extent = gathers ? getGather().getWalkedLength()
                         : getDomain().getLayout()[dim].size();
    bounds.push_back(
        {extent.getDivisor(),
         describe(dim ? "extent along the columns" : "extent along the rows",
                  extent, bytes)});
  }
  if (gathers)
    bounds.push_back(
        {getGather().getBlock(),
         llvm::formatv("its indices keep together {0} elements, {1} bytes",
                       getGather().getBlock(),
                       getGather().getBlock() * bytes)});
  if (getTriangle())
    bounds.push_back({1, "its triangle ends between any two elements"});
  // A stride of 0 bounds nothing.
  for (WidthBound &bound : bounds)
    bound.elements =
        bound.elements == 0 ? kUnbounded : bound.elements & -bound.elements;
  auto *narrowest =
      llvm::min_element(bounds, [](const WidthBound &a, const WidthBound &b) {
        return a.elements < b.elements;
      });
  std::rotate(bounds.begin(), narrowest, std::next(narrowest));
  return bounds;
}

int64_t IteratorType::getAccessWidth() const {
  AccessPattern pattern = getAccessPattern(getMap());
  int64_t dim = pattern.vectorDim;
  int64_t width = std::gcd(pattern.vector,
                           kWidestAccessBytes / getView().getElementBytes());
  width = std::gcd(width, getWidthBounds().front().elements);
  // An access must not straddle the end of a tile, nor begin between accesses.
  if (getAdvance() == dim || getMap().getCoverage() != CoverageRule::Exact)
    width = std::gcd(width, getMap().getTileShape()[dim]);
  for (const auto *modes : {&pattern.threads, &pattern.iterations})
    for (const MapMode &mode : *modes)
      if (mode.dim == dim && mode.size > 1)
        width = std::gcd(width, mode.stride);
  return std::max<int64_t>(1, width & -width);
}
