// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layouts made from shapes: compact, ordered, like another, identity.
#include "tile/Layout/Algebra.h"
#include <numeric>

using namespace tile;

Result<Layout> tile::makeLayoutLeft(const IntTuple &shape) {
  return Layout::compact(shape);
}

/// Compact strides from the last leaf to the first.
static IntTuple compactRight(const IntTuple &shape, Int &running) {
  if (shape.isLeaf()) {
    if (!shape.isInt() || shape.isStatic(1))
      return 0;
    Int current = running;
    running = running * shape.getInt();
    return current;
  }
  llvm::SmallVector<IntTuple, 4> modes(shape.rank());
  for (unsigned i = shape.rank(); i-- > 0;)
    modes[i] = compactRight(shape[i], running);
  return IntTuple::tuple(modes);
}

Result<Layout> tile::makeLayoutRight(const IntTuple &shape) {
  Int running = 1;
  return Layout::get(shape, compactRight(shape, running));
}

namespace {
/// One leaf of an order and the part of the shape that it stands for.
struct OrderedPart {
  int64_t order;
  IntTuple shape;
  Int size;
};
} // namespace

static std::optional<Reason>
collectParts(const IntTuple &shape, const IntTuple &order,
             llvm::SmallVectorImpl<OrderedPart> &parts) {
  if (order.isTuple()) {
    if (shape.isLeaf() || shape.rank() != order.rank())
      return Reason("expected an order that fits the shape " + shape.str() +
                    ", but got " + order.str());
    for (unsigned i = 0; i < shape.rank(); ++i)
      if (std::optional<Reason> reason =
              collectParts(shape[i], order[i], parts))
        return reason;
    return std::nullopt;
  }
  if (!order.isInt() || !order.getInt().isStatic())
    return Reason("expected a constant order, but got " + order.str());
  Result<Int> size = product(shape);
  if (!size)
    return size.takeReason();
  parts.push_back({order.getInt().getValue(), shape, *size});
  return std::nullopt;
}

/// The shape's strides from the parts' start strides, in the parts' order.
static IntTuple layOut(const IntTuple &shape, const IntTuple &order,
                       llvm::ArrayRef<OrderedPart> &parts,
                       llvm::ArrayRef<OrderedPart> all) {
  if (order.isTuple()) {
    llvm::SmallVector<IntTuple, 4> modes;
    for (unsigned i = 0; i < shape.rank(); ++i)
      modes.push_back(layOut(shape[i], order[i], parts, all));
    return IntTuple::tuple(modes);
  }
  Int running = 1;
  for (const OrderedPart &part : all)
    if (part.order < parts.front().order)
      running = running * part.size;
  parts = parts.drop_front();
  return shape.mapLeaves([&](const IntTuple &leaf) -> IntTuple {
    if (leaf.isStatic(1))
      return 0;
    Int current = running;
    running = running * leaf.getInt();
    return current;
  });
}

Result<Layout> tile::makeOrderedLayout(const IntTuple &shape,
                                       const IntTuple &order) {
  llvm::SmallVector<OrderedPart> parts;
  if (std::optional<Reason> reason = collectParts(shape, order, parts))
    return *reason;
  llvm::ArrayRef<OrderedPart> rest = parts;
  return Layout::get(shape, layOut(shape, order, rest, parts));
}

Result<Layout> tile::makeLayoutLike(const Layout &layout) {
  if (!layout.getStride().isStatic() || layout.hasBasis())
    return Reason("expected constant integer strides to order by, but got " +
                  layout.getStride().str());
  Result<Layout> ordered =
      makeOrderedLayout(filterZeros(layout).getShape(), layout.getStride());
  if (!ordered)
    return ordered;
  return Layout::get(layout.getShape(), ordered->getStride());
}

Result<Layout> tile::makeFragmentLike(const Layout &layout) {
  if (layout.rank() <= 1 || layout.isLeaf())
    return makeLayoutLike(layout);
  // Mode 0 compact on its own, the rest over it in the order of its strides.
  Result<Layout> first = Layout::compact(filterZeros(layout[0]).getShape());
  if (!first)
    return first;
  first = Layout::get(layout[0].getShape(), first->getStride());
  if (!first)
    return first;
  Result<Layout> others = take(layout, 1, layout.rank());
  if (!others)
    return others;
  others = makeLayoutLike(*others);
  if (!others)
    return others;
  return tiledProduct(*first, Tiler(*others));
}

static IntTuple identityStride(const IntTuple &shape,
                               llvm::SmallVectorImpl<int64_t> &path) {
  if (shape.isLeaf())
    return IntTuple::basis(1, path);
  llvm::SmallVector<IntTuple, 4> modes;
  for (unsigned i = 0; i < shape.rank(); ++i) {
    path.push_back(i);
    modes.push_back(identityStride(shape[i], path));
    path.pop_back();
  }
  return IntTuple::tuple(modes);
}

Result<Layout> tile::makeIdentityLayout(const IntTuple &shape) {
  llvm::SmallVector<int64_t> path;
  return Layout::get(shape, identityStride(shape, path));
}

Result<Layout> tile::domainDistribute(const IntTuple &shape, const Int &count) {
  Result<Layout> compact = Layout::compact(shape);
  if (!compact)
    return compact;
  if (!compact->isStatic() || !count.isStatic() || count.getValue() < 1)
    return Reason("expected a constant shape and a positive constant count, "
                  "but got " +
                  shape.str() + " and " + count.str());
  int64_t rest = count.getValue();
  llvm::SmallVector<Layout, 4> modes;
  for (const LeafMode &mode : compact->getLeafModes()) {
    int64_t part = std::gcd(mode.extent.getValue(), rest);
    rest /= part;
    Result<Layout> leaf = Layout::get(part, mode.stride);
    if (!leaf)
      return leaf;
    modes.push_back(*leaf);
  }
  return coalesce(Layout::concat(modes));
}
