// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Complements, left and right inverses, nullspaces.
#include "tile/Layout/Algebra.h"

using namespace tile;

namespace {
/// A leaf mode and the index stride that it has in the layout's domain: the
/// product of the extents before it.
struct PlacedMode {
  Int extent;
  Int stride;
  Int position;
};
} // namespace

static Result<llvm::SmallVector<PlacedMode, 4>> place(const Layout &layout) {
  if (layout.hasBasis())
    return Reason("expected integer strides, but got " +
                  layout.getStride().str());
  llvm::SmallVector<PlacedMode, 4> modes;
  Int position = 1;
  for (const LeafMode &mode : layout.getLeafModes()) {
    modes.push_back({mode.extent, mode.stride.getInt(), position});
    position = position * mode.extent;
  }
  return modes;
}

/// The modes of extent other than 1 in the order of their strides.
static Result<llvm::SmallVector<PlacedMode, 4>>
sortByStride(const Layout &layout) {
  Result<llvm::SmallVector<PlacedMode, 4>> placed = place(layout);
  if (!placed)
    return placed;
  llvm::SmallVector<PlacedMode, 4> sorted;
  llvm::erase_if(*placed,
                 [](const PlacedMode &mode) { return mode.extent.isStatic(1); });
  for (const PlacedMode &mode : *placed)
    if (mode.stride.isStatic() && mode.stride.getValue() < 0)
      return Reason("expected non-negative strides, but got " +
                    mode.stride.str());
  while (!placed->empty()) {
    auto *smallest = llvm::find_if(*placed, [&](const PlacedMode &candidate) {
      return llvm::all_of(*placed, [&](const PlacedMode &mode) {
        return &mode == &candidate || candidate.stride.isStatic(0) ||
               candidate.stride.isAtMost(mode.stride);
      });
    });
    if (smallest == placed->end())
      return Reason("expected strides whose order is known, but got " +
                    layout.getStride().str());
    sorted.push_back(*smallest);
    placed->erase(smallest);
  }
  return sorted;
}

static Result<Layout> leaf(const Int &extent, const Int &stride) {
  return Layout::get(extent, stride);
}

/// Appends `extent : stride`; false (with the reason) when it is invalid.
static std::optional<Reason> appendLeaf(llvm::SmallVectorImpl<Layout> &modes,
                                        const Int &extent, const Int &stride) {
  Result<Layout> mode = leaf(extent, stride);
  if (!mode)
    return mode.takeReason();
  modes.push_back(*mode);
  return std::nullopt;
}

/// How often a block of `span` fits into the target, rounded up, as modes. A
/// tuple is divided mode by mode while that is exact or constant, so that
/// dynamic modes stay apart: (32, 4, ?) over 64 is (1, 2, ?).
static IntTuple repeat(const IntTuple &cotarget, const Int &span) {
  Int rest = span, whole = 1;
  bool apart = cotarget.isTuple();
  llvm::SmallVector<IntTuple, 4> counts;
  for (const IntTuple &extent : cotarget.getLeaves()) {
    const Int &size = extent.getInt();
    whole = whole * size;
    apart &= rest.isMultipleOf(size) || size.isMultipleOf(rest) ||
             (size.isStatic() && rest.isStatic());
    counts.push_back(rest.isMultipleOf(size) ? Int(1) : ceilDiv(size, rest));
    rest = size.isMultipleOf(rest) ? Int(1) : ceilDiv(rest, size);
  }
  if (apart)
    return IntTuple::tuple(counts);
  return ceilDiv(whole, span);
}

Result<Layout> tile::complement(const Layout &layout,
                                const IntTuple &cotarget) {
  if (Result<Layout> target = Layout::compact(cotarget); !target)
    return target.takeReason();
  Result<llvm::SmallVector<PlacedMode, 4>> sorted =
      sortByStride(filter(layout));
  if (!sorted)
    return sorted.takeReason();
  llvm::SmallVector<Layout, 4> modes;
  Int span = 1;
  for (const PlacedMode &mode : *sorted) {
    bool disjoint = mode.stride.isMultipleOf(span) || span.isAtMost(mode.stride);
    if (!disjoint)
      return Reason("expected a stride of at least " + span.str() +
                    ", the span of the faster modes of " + layout.str() +
                    ", but got " + mode.stride.str());
    if (std::optional<Reason> reason =
            appendLeaf(modes, floorDiv(mode.stride, span), span))
      return *reason;
    span = mode.stride * mode.extent;
  }
  IntTuple counts = repeat(cotarget, span);
  if (std::optional<std::string> reason = counts.findInvalid())
    return Reason(*reason);
  for (const IntTuple &count : counts.getLeaves()) {
    if (std::optional<Reason> reason = appendLeaf(modes, count.getInt(), span))
      return *reason;
    span = span * count.getInt();
  }
  return coalesce(Layout::concat(modes));
}

Result<Layout> tile::complement(const Layout &layout) {
  return complement(layout, layout.cosize());
}

Result<Layout> tile::rightInverse(const Layout &layout) {
  Result<llvm::SmallVector<PlacedMode, 4>> placed = place(layout);
  if (!placed)
    return placed.takeReason();
  llvm::SmallVector<Layout, 4> modes;
  Int span = 1;
  while (true) {
    auto *next = llvm::find_if(*placed, [&](const PlacedMode &mode) {
      return !mode.extent.isStatic(1) && mode.stride.isSameAs(span);
    });
    if (next == placed->end())
      break;
    if (std::optional<Reason> reason =
            appendLeaf(modes, next->extent, next->position))
      return *reason;
    span = span * next->extent;
    placed->erase(next);
  }
  return coalesce(Layout::concat(modes));
}

Result<Layout> tile::leftInverse(const Layout &layout) {
  Result<llvm::SmallVector<PlacedMode, 4>> sorted = sortByStride(layout);
  if (!sorted)
    return sorted.takeReason();
  llvm::SmallVector<Layout, 4> modes;
  for (unsigned i = 0; i < sorted->size(); ++i) {
    const PlacedMode &mode = (*sorted)[i];
    if (mode.stride.isStatic(0))
      return Reason("expected an injective layout, but got stride 0 at extent " +
                    mode.extent.str());
    // What lies below the smallest stride is never reached.
    if (i == 0 && !mode.stride.isStatic(1))
      if (std::optional<Reason> reason = appendLeaf(modes, mode.stride, 0))
        return *reason;
    Int extent = mode.extent;
    if (i + 1 < sorted->size()) {
      const Int &next = (*sorted)[i + 1].stride;
      if (!next.isMultipleOf(mode.stride))
        return Reason("expected every stride to be a multiple of the next "
                      "smaller one, but got " +
                      next.str() + " after " + mode.stride.str());
      extent = floorDiv(next, mode.stride);
      if (!mode.extent.isAtMost(extent))
        return Reason("expected an injective layout, but got extent " +
                      mode.extent.str() + " at stride " + mode.stride.str() +
                      " below stride " + next.str());
    }
    if (std::optional<Reason> reason = appendLeaf(modes, extent, mode.position))
      return *reason;
  }
  return coalesce(Layout::concat(modes));
}

Result<Layout> tile::nullspace(const Layout &layout) {
  Result<llvm::SmallVector<PlacedMode, 4>> placed = place(layout);
  if (!placed)
    return placed.takeReason();
  llvm::SmallVector<Layout, 4> modes;
  for (const PlacedMode &mode : *placed)
    if (mode.stride.isStatic(0))
      if (std::optional<Reason> reason = appendLeaf(
              modes, mode.extent,
              mode.extent.isStatic(1) ? Int(0) : mode.position))
        return *reason;
  if (modes.size() <= 1)
    return modes.empty() ? Layout() : modes.front();
  return Layout::concat(modes);
}
