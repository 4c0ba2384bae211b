// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products, complements and common vectors of swizzled layouts.
#include "tile/Layout/ComposedAlgebra.h"
#include <numeric>

using namespace tile;

/// Why the repetitions of a swizzled block are not swizzled as the block is, if
/// they are not.
static std::optional<Reason> findShear(const Swizzle &swizzle,
                                       const Layout &repetitions) {
  for (const LeafMode &mode : repetitions.getLeafModes())
    if (!swizzle.isIdentity() && !mode.extent.isStatic(1) &&
        !mode.stride.getInt().isMultipleOf(swizzle.getPeriod()))
      return Reason("expected repetitions at multiples of the swizzle's "
                    "period " +
                    llvm::Twine(swizzle.getPeriod()) + ", but got stride " +
                    mode.stride.str());
  return std::nullopt;
}

/// `product` of the layout inside, whose repetitions are mode 1 of `zipped`.
static Result<ComposedLayout> rewrapProduct(const ComposedLayout &block,
                                            const Result<Layout> &product,
                                            const Result<Layout> &zipped) {
  if (!product)
    return product.takeReason();
  if (!zipped)
    return zipped.takeReason();
  if (std::optional<Reason> reason =
          findShear(block.getSwizzle(), (*zipped)[1]))
    return *reason;
  return ComposedLayout::get(block.getSwizzle(), block.getOffset(), *product);
}

static Result<ComposedLayout>
multiply(const ComposedLayout &block, const Tiler &tiler,
         Result<Layout> (*function)(const Layout &, const Tiler &)) {
  return rewrapProduct(block, function(block.getLayout(), tiler),
                       zippedProduct(block.getLayout(), tiler));
}

Result<ComposedLayout> tile::logicalProduct(const ComposedLayout &block,
                                            const Tiler &tiler) {
  return multiply(block, tiler, logicalProduct);
}

Result<ComposedLayout> tile::zippedProduct(const ComposedLayout &block,
                                           const Tiler &tiler) {
  return multiply(block, tiler, zippedProduct);
}

Result<ComposedLayout> tile::tiledProduct(const ComposedLayout &block,
                                          const Tiler &tiler) {
  return multiply(block, tiler, tiledProduct);
}

Result<ComposedLayout> tile::flatProduct(const ComposedLayout &block,
                                         const Tiler &tiler) {
  return multiply(block, tiler, flatProduct);
}

/// The product of both, padded to one rank: (block, repetitions).
static Result<Layout> multiplyByRank(const Layout &block, const Layout &tiler) {
  unsigned rank = std::max(block.rank(), tiler.rank());
  return zippedProduct(appendRank(block, rank), Tiler(appendRank(tiler, rank)));
}

Result<ComposedLayout> tile::blockedProduct(const ComposedLayout &block,
                                            const Layout &tiler) {
  return rewrapProduct(block, blockedProduct(block.getLayout(), tiler),
                       multiplyByRank(block.getLayout(), tiler));
}

Result<ComposedLayout> tile::rakedProduct(const ComposedLayout &block,
                                          const Layout &tiler) {
  return rewrapProduct(block, rakedProduct(block.getLayout(), tiler),
                       multiplyByRank(block.getLayout(), tiler));
}

//===----------------------------------------------------------------------===//
// Complement and nullspace
//===----------------------------------------------------------------------===//

/// Why a composed layout does not start at 0, if it does not.
static std::optional<Reason> findOffset(const ComposedLayout &layout) {
  if (layout.getOffset().isStatic(0))
    return std::nullopt;
  return Reason("expected offset 0, but got " + layout.getOffset().str());
}

static Result<Layout> checkComplement(const ComposedLayout &layout,
                                      const Result<Layout> &complement) {
  if (!complement)
    return complement;
  if (std::optional<Reason> reason = findOffset(layout))
    return *reason;
  if (std::optional<Reason> reason =
          findShear(layout.getSwizzle(), *complement))
    return *reason;
  return complement;
}

Result<Layout> tile::complement(const ComposedLayout &layout,
                                const IntTuple &cotarget) {
  return checkComplement(layout, complement(layout.getLayout(), cotarget));
}

Result<Layout> tile::complement(const ComposedLayout &layout) {
  return checkComplement(layout, complement(layout.getLayout()));
}

Result<Layout> tile::nullspace(const ComposedLayout &layout) {
  if (std::optional<Reason> reason = findOffset(layout))
    return *reason;
  return nullspace(layout.getLayout());
}

//===----------------------------------------------------------------------===//
// Common layout
//===----------------------------------------------------------------------===//

Result<Layout> tile::maxCommonLayout(const ComposedLayout &lhs,
                                     const ComposedLayout &rhs) {
  for (const ComposedLayout *layout : {&lhs, &rhs})
    if (std::optional<Reason> reason = findOffset(*layout))
      return *reason;
  Result<Layout> common = maxCommonLayout(lhs.getLayout(), rhs.getLayout());
  if (!common || !common->size().isStatic())
    return common;
  // The first elements of the run, as many as each swizzle leaves in place, and
  // as are a layout: the first four of (3, 4) : (1, 18) are none.
  int64_t count = common->size().getValue();
  for (const ComposedLayout *layout : {&lhs, &rhs})
    if (!layout->getSwizzle().isIdentity())
      count = std::gcd(count, int64_t(1) << layout->getSwizzle().getBase());
  if (common->size().isStatic(count))
    return common;
  for (; count > 1; count = count % 2 == 0 ? count / 2 : 1) {
    Result<Layout> prefix = Layout::get(count, 1);
    if (!prefix)
      return prefix;
    if (Result<Layout> first = composition(*common, *prefix))
      return first;
  }
  return Layout::get(1, 0);
}
