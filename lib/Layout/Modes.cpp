// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mode surgery on layouts, coalescing and filtering.
#include "tile/Layout/Algebra.h"

using namespace tile;

/// A layout from the shape and stride that a tuple operation gave; either may
/// have failed.
static Result<Layout> combine(const Result<IntTuple> &shape,
                              const Result<IntTuple> &stride) {
  if (!shape)
    return shape.takeReason();
  if (!stride)
    return stride.takeReason();
  return Layout::get(*shape, *stride);
}

static llvm::SmallVector<Layout, 4> modesOf(const Layout &layout) {
  llvm::SmallVector<Layout, 4> modes;
  for (unsigned i = 0; i < layout.rank(); ++i)
    modes.push_back(layout[i]);
  return modes;
}

Result<Layout> tile::getMode(const Layout &layout,
                             llvm::ArrayRef<int64_t> path) {
  return combine(getMode(layout.getShape(), path),
                 getMode(layout.getStride(), path));
}

Result<Layout> tile::take(const Layout &layout, int64_t begin, int64_t end) {
  return combine(take(layout.getShape(), begin, end),
                 take(layout.getStride(), begin, end));
}

Result<Layout> tile::select(const Layout &layout,
                            llvm::ArrayRef<int64_t> modes) {
  return combine(select(layout.getShape(), modes),
                 select(layout.getStride(), modes));
}

Result<Layout> tile::groupModes(const Layout &layout, int64_t begin,
                                int64_t end) {
  return combine(groupModes(layout.getShape(), begin, end),
                 groupModes(layout.getStride(), begin, end));
}

Result<Layout> tile::replaceMode(const Layout &layout, int64_t index,
                                 const Layout &mode) {
  return combine(replaceMode(layout.getShape(), index, mode.getShape()),
                 replaceMode(layout.getStride(), index, mode.getStride()));
}

Layout tile::append(const Layout &layout, const Layout &mode) {
  llvm::SmallVector<Layout, 4> modes = modesOf(layout);
  modes.push_back(mode);
  return Layout::concat(modes);
}

Layout tile::prepend(const Layout &layout, const Layout &mode) {
  llvm::SmallVector<Layout, 4> modes = modesOf(layout);
  modes.insert(modes.begin(), mode);
  return Layout::concat(modes);
}

Layout tile::appendRank(const Layout &layout, unsigned rank) {
  if (layout.rank() >= rank)
    return layout;
  llvm::SmallVector<Layout, 4> modes = modesOf(layout);
  modes.resize(rank);
  return Layout::concat(modes);
}

Layout tile::prependRank(const Layout &layout, unsigned rank) {
  if (layout.rank() >= rank)
    return layout;
  llvm::SmallVector<Layout, 4> modes(rank - layout.rank());
  llvm::append_range(modes, modesOf(layout));
  return Layout::concat(modes);
}

Layout tile::reverseModes(const Layout &layout) {
  if (layout.isLeaf())
    return layout;
  llvm::SmallVector<Layout, 4> modes = modesOf(layout);
  std::reverse(modes.begin(), modes.end());
  return Layout::concat(modes);
}

Result<Layout> tile::transpose(const Layout &layout) {
  if (layout.rank() != 2)
    return Reason("expected a layout of rank 2 to transpose, but got rank " +
                  llvm::Twine(layout.rank()));
  return select(layout, {1, 0});
}

Result<Layout> tile::zip(const Layout &layout) {
  return combine(zip(layout.getShape()), zip(layout.getStride()));
}

/// A rearrangement of a valid layout is valid; one of invalid size stays.
static Layout getOr(const IntTuple &shape, const IntTuple &stride,
                    const Layout &original) {
  Result<Layout> layout = Layout::get(shape, stride);
  return layout ? *layout : original;
}

/// The leaf modes that are left of a layout: one leaf for a single mode.
static Layout fromLeafModes(llvm::ArrayRef<LeafMode> modes,
                            const Layout &original) {
  if (modes.empty())
    return Layout();
  llvm::SmallVector<IntTuple, 4> shape, stride;
  for (const LeafMode &mode : modes) {
    shape.push_back(mode.extent);
    stride.push_back(mode.stride);
  }
  if (modes.size() == 1)
    return getOr(shape.front(), stride.front(), original);
  return getOr(IntTuple::tuple(shape), IntTuple::tuple(stride), original);
}

Layout tile::flatten(const Layout &layout) {
  return layout.isLeaf() || layout.depth() == 1
             ? layout
             : getOr(layout.getShape().flatten(), layout.getStride().flatten(),
                     layout);
}

Result<Layout> tile::unflatten(const Layout &layout, const IntTuple &profile) {
  return combine(unflatten(layout.getShape(), profile),
                 unflatten(layout.getStride(), profile));
}

//===----------------------------------------------------------------------===//
// Simplification
//===----------------------------------------------------------------------===//

Layout tile::coalesce(const Layout &layout) {
  // Right to left; `kept` is in reverse order, its last entry is the front.
  llvm::SmallVector<LeafMode, 4> kept, modes = layout.getLeafModes();
  for (const LeafMode &mode : llvm::reverse(modes)) {
    if (mode.extent.isStatic(1))
      continue;
    if (!kept.empty() && kept.back().extent.isStatic() &&
        isSameStride(scaleStride(mode.stride, mode.extent),
                     kept.back().stride)) {
      kept.back() = {mode.extent * kept.back().extent, mode.stride};
      continue;
    }
    kept.push_back(mode);
  }
  std::reverse(kept.begin(), kept.end());
  return fromLeafModes(kept, layout);
}

Result<Layout> tile::coalesce(const Layout &layout, const IntTuple &profile) {
  if (profile.isLeaf())
    return coalesce(layout);
  if (profile.rank() > layout.rank() || layout.isLeaf())
    return Reason("expected a profile of at most the rank " +
                  llvm::Twine(layout.rank()) + " of " + layout.str() +
                  ", but got " + profile.str());
  llvm::SmallVector<Layout, 4> modes = modesOf(layout);
  for (unsigned i = 0; i < profile.rank(); ++i) {
    Result<Layout> mode = coalesce(modes[i], profile[i]);
    if (!mode)
      return mode;
    modes[i] = *mode;
  }
  return Layout::getConcat(modes);
}

/// The shape with extent 1 at every stride 0.
static IntTuple dropZeroStrides(const IntTuple &shape, const IntTuple &stride) {
  if (shape.isLeaf())
    return stride.isStatic(0) ? IntTuple(1) : shape;
  llvm::SmallVector<IntTuple, 4> modes;
  for (unsigned i = 0; i < shape.rank(); ++i)
    modes.push_back(dropZeroStrides(shape[i], stride[i]));
  return IntTuple::tuple(modes);
}

Layout tile::filterZeros(const Layout &layout) {
  return getOr(dropZeroStrides(layout.getShape(), layout.getStride()),
               layout.getStride(), layout);
}

Layout tile::filter(const Layout &layout) {
  return coalesce(filterZeros(layout));
}
