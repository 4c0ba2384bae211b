// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Complements, left and right inverses, nullspaces.
#include "Complement.h"

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
  llvm::erase_if(
      *placed, [](const PlacedMode &mode) { return mode.extent.isStatic(1); });
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

/// How often a block of `span` fits into the target, rounded up, mode by mode:
/// (32, 4, ?) over 64 is (1, 2, ?).
static IntTuple repeatByMode(const IntTuple &cotarget, const Int &span) {
  Int rest = span;
  llvm::SmallVector<IntTuple, 4> counts;
  for (const IntTuple &extent : cotarget.getLeaves()) {
    const Int &size = extent.getInt();
    counts.push_back(rest.isMultipleOf(size) ? Int(1) : ceilDiv(size, rest));
    rest = size.isMultipleOf(rest) ? Int(1) : ceilDiv(rest, size);
  }
  return IntTuple::tuple(counts);
}

/// Whether dividing mode by mode never rounds.
static bool dividesByMode(const IntTuple &cotarget, const Int &span) {
  Int rest = span;
  for (const IntTuple &extent : cotarget.getLeaves()) {
    const Int &size = extent.getInt();
    if (rest.isMultipleOf(size))
      rest = floorDiv(rest, size);
    else if (size.isMultipleOf(rest))
      rest = 1;
    else
      return false;
  }
  return true;
}

/// The complement; the number of repetitions comes from `repeat`.
static Result<Layout>
complementBy(const Layout &layout, const IntTuple &cotarget,
             llvm::function_ref<IntTuple(const Int &)> repeat) {
  if (Result<Layout> target = Layout::compact(cotarget); !target)
    return target.takeReason();
  Result<llvm::SmallVector<PlacedMode, 4>> sorted =
      sortByStride(filter(layout));
  if (!sorted)
    return sorted.takeReason();
  llvm::SmallVector<Layout, 4> modes;
  Int span = 1;
  for (const PlacedMode &mode : *sorted) {
    bool disjoint =
        mode.stride.isMultipleOf(span) || span.isAtMost(mode.stride);
    if (!disjoint)
      return Reason("expected a stride of at least " + span.str() +
                    ", the span of the faster modes of " + layout.str() +
                    ", but got " + mode.stride.str());
    // An extent that turns out as 1 must not leave a gap behind.
    if (!mode.stride.isSameAs(span) && !Int(2).isAtMost(mode.extent))
      return Reason("expected an extent that is known to be at least 2 at "
                    "stride " +
                    mode.stride.str() + ", which leaves a gap, but got " +
                    mode.extent.str());
    if (std::optional<Reason> reason =
            appendLeaf(modes, floorDiv(mode.stride, span), span))
      return *reason;
    span = mode.stride * mode.extent;
  }
  IntTuple counts = repeat(span);
  if (std::optional<std::string> reason = counts.findInvalid())
    return Reason(*reason);
  for (const IntTuple &count : counts.getLeaves()) {
    if (std::optional<Reason> reason = appendLeaf(modes, count.getInt(), span))
      return *reason;
    span = span * count.getInt();
  }
  return coalesce(Layout::concat(modes));
}

Result<Layout> tile::complement(const Layout &layout,
                                const IntTuple &cotarget) {
  return complementBy(layout, cotarget, [&](const Int &span) -> IntTuple {
    if (cotarget.isLeaf())
      return ceilDiv(cotarget.getInt(), span);
    return repeatByMode(cotarget, span);
  });
}

Result<Layout> detail::complementInSize(const Layout &layout,
                                        const IntTuple &shape) {
  return complementBy(layout, shape, [&](const Int &span) -> IntTuple {
    Result<Int> size = product(shape);
    if (!size)
      return Int::invalid(size.takeReason());
    if (!size->isStatic() && dividesByMode(shape, span))
      return repeatByMode(shape, span);
    return ceilDiv(*size, span);
  });
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
      return Reason(
          "expected an injective layout, but got stride 0 at extent " +
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
      if (std::optional<Reason> reason =
              appendLeaf(modes, mode.extent,
                         mode.extent.isStatic(1) ? Int(0) : mode.position))
        return *reason;
  if (modes.size() <= 1)
    return modes.empty() ? Layout() : modes.front();
  return Layout::concat(modes);
}
