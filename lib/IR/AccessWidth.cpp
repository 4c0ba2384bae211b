// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How wide the memory accesses of an iterator are, and what bounds them.
#include "tile/IR/ThreadMap.h"

#include "llvm/Support/FormatVariadic.h"
#include <numeric>

using namespace mlir;
using namespace tile;

/// Bytes of the widest memory access of one thread.
static constexpr int64_t kWidestAccessBytes = 16;

int64_t IteratorType::getAccessWidth() const {
  AccessPattern pattern = getAccessPattern(getMap());
  ViewType view = getView();
  const Layout &layout = view.getLayout();
  int64_t dim = pattern.vectorDim;
  if (!layout.getStride()[dim].isStatic(1))
    return 1;
  int64_t width =
      std::gcd(pattern.vector, kWidestAccessBytes / view.getElementBytes());
  width = std::gcd(width, view.getBaseAlignment() / view.getElementBytes());
  width = std::gcd(width, layout.getStride()[1 - dim].getInt().getDivisor());
  if (getPredicated())
    width = std::gcd(width, layout.getShape()[dim].getInt().getDivisor());
  // An access must not straddle the end of a tile, nor begin between accesses.
  if (getAdvance() == dim || getMap().getCoverage() != CoverageRule::Exact)
    width = std::gcd(width, getMap().getTileShape()[dim]);
  for (const auto *modes : {&pattern.threads, &pattern.iterations})
    for (const MapMode &mode : *modes)
      if (mode.dim == dim && mode.size > 1)
        width = std::gcd(width, mode.stride);
  return std::max<int64_t>(1, width & -width);
}

/// `pitch of 33 elements`, or what is known of one of run time.
static std::string describe(StringRef what, const Int &number, int64_t bytes) {
  if (number.isStatic())
    return llvm::formatv("its {0} is {1} elements, {2} bytes", what,
                         number.getValue(), number.getValue() * bytes);
  return llvm::formatv("its {0} is known to be a multiple of {1} elements, {2} "
                       "bytes",
                       what, number.getDivisor(), number.getDivisor() * bytes);
}

SmallVector<WidthBound> IteratorType::getWidthBounds() const {
  AccessPattern pattern = getAccessPattern(getMap());
  ViewType view = getView();
  const Layout &layout = view.getLayout();
  int64_t dim = pattern.vectorDim, bytes = view.getElementBytes();
  StringRef name = dim ? "columns" : "rows";
  SmallVector<WidthBound> bounds;
  if (!layout.getStride()[dim].isStatic(1))
    bounds.push_back({1, llvm::formatv("its stride along the {0} is {1}, not 1",
                                       name, layout.getStride()[dim].str())});
  bounds.push_back({view.getBaseAlignment() / bytes,
                    llvm::formatv("its base address is known to be a multiple "
                                  "of {0} bytes",
                                  view.getBaseAlignment())});
  Int pitch = layout.getStride()[1 - dim].getInt();
  bounds.push_back({pitch.getDivisor(), describe("pitch", pitch, bytes)});
  if (getPredicated()) {
    Int extent = layout.getShape()[dim].getInt();
    bounds.push_back(
        {extent.getDivisor(),
         describe(dim ? "extent along the columns" : "extent along the rows",
                  extent, bytes)});
  }
  for (WidthBound &bound : bounds)
    bound.elements = std::max<int64_t>(1, bound.elements & -bound.elements);
  auto *narrowest =
      llvm::min_element(bounds, [](const WidthBound &a, const WidthBound &b) {
        return a.elements < b.elements;
      });
  std::rotate(bounds.begin(), narrowest, std::next(narrowest));
  return bounds;
}
