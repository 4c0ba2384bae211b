// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How wide the memory accesses of an iterator are, and what bounds them.
#include "tile/IR/ThreadMap.h"
#include "tile/Layout/Algebra.h"

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FormatVariadic.h"
#include <numeric>

using namespace mlir;
using namespace tile;

/// Bytes of the widest memory access of one thread.
static constexpr int64_t kWidestAccessBytes = 16;
/// What a fact that bounds nothing allows.
static constexpr int64_t kUnbounded = int64_t(1) << 30;

/// Elements in bytes, as text: what is known to divide a number may be so large
/// that its bytes are no 64-bit number.
static std::string inBytes(int64_t elements, int64_t bytes) {
  SmallString<40> text;
  (APInt(128, elements, /*isSigned=*/true) * APInt(128, bytes))
      .toStringSigned(text);
  return text.str().str();
}

/// `pitch of 33 elements`, or what is known of one of run time.
static std::string describe(StringRef what, const Int &number, int64_t bytes) {
  if (number.isStatic())
    return llvm::formatv("its {0} is {1} elements, {2} bytes", what,
                         number.getValue(), inBytes(number.getValue(), bytes));
  return llvm::formatv("its {0} is known to be a multiple of {1} elements, {2} "
                       "bytes",
                       what, number.getDivisor(),
                       inBytes(number.getDivisor(), bytes));
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
    return (Twine(elements) + " elements, " + inBytes(elements, bytes) +
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

/// What keeps accesses of a matrix that is mapped to a view narrow: a vector
/// exists as a whole, in the view and within one run of the first leaf.
static void boundByCoords(SmallVectorImpl<WidthBound> &bounds,
                          IteratorType type, int64_t dim) {
  Layout coords = type.getCoordinateLayout();
  LeafMode first = coords[dim].getLeafModes().front();
  int64_t bytes = type.getView().getElementBytes();
  if (!first.stride.isBasis() || !first.stride.getInt().isStatic(1)) {
    bounds.push_back({1, llvm::formatv("its coords move by {0}, not by 1 along "
                                       "a mode of the view",
                                       first.stride.str())});
    return;
  }
  int64_t mode = first.stride.getPath()[0];
  const Layout &layout = type.getView().getLayout();
  std::string along = "along mode [" + std::to_string(mode) + "]";
  if (!layout.getStride()[mode].isStatic(1))
    bounds.push_back({1, llvm::formatv("its stride {0} is {1}, not 1", along,
                                       layout.getStride()[mode].str())});
  if (type.isDivided() && !type.getDivide()[mode].isStatic(1))
    bounds.push_back({1, "its coordinate " + along + " is divided"});
  auto add = [&](const Twine &what, const Int &number) {
    bounds.push_back(
        {number.getDivisor(), describe(what.str(), number, bytes)});
  };
  // Bits below those of a swizzle stay together.
  for (ArrayRef<int64_t> list = type.getXorBits(); !list.empty();
       list = list.drop_front(4))
    for (auto [of, bit] : {std::pair<int64_t, int64_t>(layout.rank() - 1,
                                                       list[1]),
                           std::pair<int64_t, int64_t>(list[2], list[3])})
      if (of == mode)
        bounds.push_back({int64_t(1) << bit,
                          llvm::formatv("its xor keeps together {0} elements, "
                                        "{1} bytes",
                                        int64_t(1) << bit,
                                        (int64_t(1) << bit) * bytes)});
  add("extent " + along, layout.getShape()[mode].getInt());
  add("run of coords " + along, first.extent);
  for (unsigned other = 0; other < layout.rank(); ++other)
    if (int64_t(other) != mode && !layout.getShape()[other].isStatic(1))
      add("stride along mode [" + Twine(other) + "]",
          layout.getStride()[other].getInt());
  for (unsigned d : {0u, 1u})
    for (auto [i, leaf] : llvm::enumerate(coords[d].getLeafModes()))
      if (!(d == dim && i == 0) && leaf.stride.isBasis() &&
          leaf.stride.getPath()[0] == mode)
        add("step of coords " + along, leaf.stride.getInt());
}

SmallVector<WidthBound> IteratorType::getWidthBounds() const {
  AccessPattern pattern = getAccessPattern(getMap());
  ViewType view = getView();
  const Layout &layout = view.getLayout();
  int64_t dim = pattern.vectorDim, bytes = view.getElementBytes();
  StringRef name = dim ? "columns" : "rows";
  SmallVector<WidthBound> bounds;
  if (isMapped())
    boundByCoords(bounds, *this, dim);
  else if (isFolded())
    boundByLayouts(bounds, *this, dim);
  else if (!layout.getStride()[dim].isStatic(1))
    bounds.push_back({1, llvm::formatv("its stride along the {0} is {1}, not 1",
                                       name, layout.getStride()[dim].str())});
  bounds.push_back({view.getBaseAlignment() / bytes,
                    llvm::formatv("its base address is known to be a multiple "
                                  "of {0} bytes",
                                  view.getBaseAlignment())});
  if (!isFolded() && !isMapped()) {
    Int pitch = layout.getStride()[1 - dim].getInt();
    bounds.push_back({pitch.getDivisor(), describe("pitch", pitch, bytes)});
  }
  bool gathers = isGathered(dim);
  if (getPredicated() && !isMapped()) {
    Int extent = gathers ? getGather().getWalkedLength()
                         : getDomain().getLayout()[dim].size();
    bounds.push_back(
        {extent.getDivisor(),
         describe(dim ? "extent along the columns" : "extent along the rows",
                  extent, bytes)});
  }
  // The list may end anywhere, and so may a run of coords behind it.
  int64_t together = gathers && !isMapped() ? getGather().getBlock() : 1;
  if (gathers)
    bounds.push_back(
        {together,
         llvm::formatv("its indices keep together {0} elements, {1} bytes",
                       together, inBytes(together, bytes))});
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
