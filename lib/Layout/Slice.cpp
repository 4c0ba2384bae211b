// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slices of layouts and the offsets where they start.
#include "tile/Layout/Algebra.h"

using namespace tile;

static Result<Layout> combine(const Result<IntTuple> &shape,
                              const Result<IntTuple> &stride) {
  if (!shape)
    return shape.takeReason();
  if (!stride)
    return stride.takeReason();
  return Layout::get(*shape, *stride);
}

Result<Layout> tile::slice(const IntTuple &coordinate, const Layout &layout) {
  return combine(slice(coordinate, layout.getShape()),
                 slice(coordinate, layout.getStride()));
}

Result<Layout> tile::dice(const IntTuple &coordinate, const Layout &layout) {
  return combine(dice(coordinate, layout.getShape()),
                 dice(coordinate, layout.getStride()));
}

Result<LayoutAndOffset> tile::sliceAndOffset(const IntTuple &coordinate,
                                             const Layout &layout) {
  Result<Layout> sliced = slice(coordinate, layout);
  if (!sliced)
    return sliced.takeReason();
  IntTuple origin = coordinate.mapLeaves([](const IntTuple &leaf) -> IntTuple {
    return leaf.isWildcard() ? IntTuple(0) : leaf;
  });
  Result<IntTuple> offset = layout(origin);
  if (!offset)
    return offset.takeReason();
  return LayoutAndOffset{*sliced, *offset};
}

Result<LayoutAndOffset> tile::domainOffset(const IntTuple &coordinate,
                                           const Layout &layout) {
  Result<IntTuple> offset = layout(coordinate);
  if (!offset)
    return offset.takeReason();
  return LayoutAndOffset{layout, *offset};
}
