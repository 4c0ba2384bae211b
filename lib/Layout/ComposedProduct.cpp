// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products and complements of swizzled layouts, modes put into them, and common
// vectors.
#include "SwizzleBits.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/bit.h"
#include <numeric>
#include <set>

using namespace tile;

/// Copies of up to this number of elements are compared one by one.
static constexpr int64_t kMaxEnumeration = 65536;

//===----------------------------------------------------------------------===//
// Copies of a swizzled block
//===----------------------------------------------------------------------===//

/// The leaf modes that are no multiples of the swizzle's period.
static llvm::SmallVector<LeafMode, 4> getOddSteps(const Swizzle &swizzle,
                                                  const Layout &repetitions) {
  llvm::SmallVector<LeafMode, 4> odd;
  for (const LeafMode &mode : repetitions.getLeafModes())
    if (!swizzle.isIdentity() && !mode.extent.isStatic(1) &&
        !mode.stride.getInt().isMultipleOf(swizzle.getPeriod()))
      odd.push_back(mode);
  return odd;
}

static bool isEnumerable(llvm::ArrayRef<LeafMode> modes, int64_t &size) {
  for (const LeafMode &mode : modes) {
    if (!mode.extent.isStatic() || !mode.stride.getInt().isStatic() ||
        mode.extent.getValue() > kMaxEnumeration)
      return false;
    size *= mode.extent.getValue();
    if (size > kMaxEnumeration)
      return false;
  }
  return true;
}

namespace {
/// Why the repetitions of a swizzled block are not swizzled as the block is.
struct Shear {
  Reason reason;
  /// Whether they are known not to be, or just not known to be.
  bool isKnown;
};
} // namespace

/// Compares every copy with the block, which must be moved by some number.
static std::optional<Shear> findShear(const ComposedLayout &block,
                                      const Layout &repetitions) {
  const Swizzle &swizzle = block.getSwizzle();
  llvm::SmallVector<LeafMode, 4> steps = getOddSteps(swizzle, repetitions);
  if (steps.empty())
    return std::nullopt;
  detail::BitSet moves;
  for (const LeafMode &mode : steps)
    moves = moves + detail::getBits(mode);
  if (detail::addsUnder(swizzle, detail::getBits(block), moves))
    return std::nullopt;

  int64_t size = 1;
  llvm::SmallVector<LeafMode, 4> modes = block.getLayout().getLeafModes();
  if (!block.getOffset().isStatic() || !isEnumerable(modes, size) ||
      !isEnumerable(steps, size))
    return Shear{
        Reason("expected repetitions at multiples of the swizzle's period " +
               llvm::Twine(swizzle.getPeriod()) + ", but got stride " +
               steps.front().stride.str()),
        /*isKnown=*/false};
  int64_t offset = block.getOffset().getValue(), origin = block.at(0);
  int64_t elements = block.size().getValue();
  for (int64_t copy = 1; copy < size / elements; ++copy) {
    uint64_t moved = offset;
    int64_t rest = copy;
    for (const LeafMode &mode : steps) {
      moved += uint64_t(rest % mode.extent.getValue()) *
               uint64_t(mode.stride.getInt().getValue());
      rest /= mode.extent.getValue();
    }
    int64_t start = int64_t(moved);
    for (int64_t i = 1; i < elements; ++i) {
      int64_t expected = block.at(i) - origin;
      int64_t actual =
          swizzle.at(start + block.getLayout().at(i)) - swizzle.at(start);
      if (actual != expected)
        return Shear{
            Reason("expected repetitions that are swizzled as the block is, as "
                   "at multiples of the swizzle's period " +
                   llvm::Twine(swizzle.getPeriod()) + ", but in the one at " +
                   llvm::Twine(start - offset) + " element " + llvm::Twine(i) +
                   " is at " + llvm::Twine(actual) +
                   " from the first instead of " + llvm::Twine(expected)),
            /*isKnown=*/true};
    }
  }
  return std::nullopt;
}

/// Calls `accept` with the other forms of a swizzled layout until it returns
/// true: without a swizzle, then (constants) with any that moves bits of its
/// values.
static bool findForm(const ComposedLayout &layout,
                     llvm::function_ref<bool(const ComposedLayout &)> accept) {
  if (std::optional<Layout> plain = detail::makePlain(layout)) {
    Result<ComposedLayout> form = ComposedLayout::get(
        Swizzle(), layout.getSwizzle()(layout.getOffset()), *plain);
    if (form && accept(*form))
      return true;
  }
  int64_t size = 1;
  if (!layout.getOffset().isStatic() ||
      !isEnumerable(layout.getLayout().getLeafModes(), size))
    return false;
  uint64_t bits = 0;
  for (int64_t i = 0; i < size; ++i)
    bits |= uint64_t(layout.at(i));
  int64_t width = llvm::bit_width(bits);
  for (int64_t count = 1; 2 * count <= width; ++count)
    for (int64_t base = 0; base + 2 * count <= width; ++base)
      for (int64_t shift = count; base + count + shift <= width; ++shift)
        for (int64_t sign : {1, -1})
          if (Result<Swizzle> swizzle = Swizzle::get(count, base, sign * shift))
            if (std::optional<ComposedLayout> form =
                    detail::rewrite(layout, *swizzle))
              if (accept(*form))
                return true;
  return false;
}

using LayoutFn = llvm::function_ref<Result<Layout>(const Layout &)>;

/// `product` of the layout inside, where the repetitions that `repeat` gives
/// are swizzled as the block is; in another form of the block if need be.
static Result<ComposedLayout> multiply(const ComposedLayout &block,
                                       LayoutFn product, LayoutFn repeat) {
  Result<Layout> inside = product(block.getLayout());
  if (!inside)
    return inside.takeReason();
  Result<Layout> repetitions = repeat(block.getLayout());
  if (!repetitions)
    return repetitions.takeReason();
  std::optional<Shear> shear = findShear(block, *repetitions);
  if (!shear)
    return ComposedLayout::get(block.getSwizzle(), block.getOffset(), *inside);
  Result<ComposedLayout> result = shear->reason;
  // With more known, this form might do.
  if (!shear->isKnown)
    return result;
  findForm(block, [&](const ComposedLayout &form) {
    Result<Layout> other = product(form.getLayout());
    repetitions = repeat(form.getLayout());
    if (!other || !repetitions || findShear(form, *repetitions))
      return false;
    result = ComposedLayout::get(form.getSwizzle(), form.getOffset(), *other);
    return bool(result);
  });
  return result;
}

/// The tiler with `_` for the modes that it leaves out: only what repeats is in
/// the second mode of a zipped product then.
static Tiler padTiler(const Tiler &tiler, unsigned rank) {
  if (!tiler.isByMode())
    return tiler;
  std::vector<Tiler> modes(tiler.getModes().begin(), tiler.getModes().end());
  while (modes.size() < rank)
    modes.push_back(Tiler::wildcard());
  return Tiler::byMode(std::move(modes));
}

static Result<ComposedLayout>
multiply(const ComposedLayout &block, const Tiler &tiler,
         Result<Layout> (*function)(const Layout &, const Tiler &)) {
  return multiply(
      block, [&](const Layout &layout) { return function(layout, tiler); },
      [&](const Layout &layout) -> Result<Layout> {
        Result<Layout> zipped =
            zippedProduct(layout, padTiler(tiler, layout.rank()));
        return zipped ? (*zipped)[1] : zipped;
      });
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

static Result<ComposedLayout>
multiplyByRank(const ComposedLayout &block, const Layout &tiler,
               Result<Layout> (*function)(const Layout &, const Layout &)) {
  return multiply(
      block, [&](const Layout &layout) { return function(layout, tiler); },
      [&](const Layout &layout) -> Result<Layout> {
        // The product of both, padded to one rank: (block, repetitions).
        unsigned rank = std::max(layout.rank(), tiler.rank());
        Result<Layout> zipped = zippedProduct(appendRank(layout, rank),
                                              Tiler(appendRank(tiler, rank)));
        return zipped ? (*zipped)[1] : zipped;
      });
}

Result<ComposedLayout> tile::blockedProduct(const ComposedLayout &block,
                                            const Layout &tiler) {
  return multiplyByRank(block, tiler, blockedProduct);
}

Result<ComposedLayout> tile::rakedProduct(const ComposedLayout &block,
                                          const Layout &tiler) {
  return multiplyByRank(block, tiler, rakedProduct);
}

Result<ComposedLayout> tile::tileToShape(const ComposedLayout &block,
                                         const IntTuple &shape,
                                         const std::optional<IntTuple> &order) {
  auto product = [&](const Layout &layout) {
    return tileToShape(layout, shape, order);
  };
  return multiply(block, product, [&](const Layout &layout) -> Result<Layout> {
    Result<Layout> tiled = product(layout);
    if (!tiled)
      return tiled;
    // Mode i is (block, repetitions).
    llvm::SmallVector<Layout, 4> modes;
    for (unsigned i = 0; i < tiled->rank(); ++i)
      modes.push_back((*tiled)[i][1]);
    return Layout::getConcat(modes);
  });
}

//===----------------------------------------------------------------------===//
// Modes put into a layout
//===----------------------------------------------------------------------===//

static Layout withoutStrides(const Layout &layout) {
  Result<Layout> still = Layout::get(
      layout.getShape(), layout.getStride().mapLeaves(
                             [](const IntTuple &) { return IntTuple(0); }));
  return still ? *still : layout;
}

using InsertFn =
    llvm::function_ref<Result<Layout>(const Layout &, const Layout &)>;

/// The modes of a plain layout beside a swizzled one, under its swizzle: where
/// that leaves them as they are.
static Result<ComposedLayout> insertSwizzled(const Layout &layout,
                                             const ComposedLayout &mode,
                                             InsertFn insert) {
  const Swizzle &swizzle = mode.getSwizzle();
  Result<Layout> all = insert(layout, mode.getLayout());
  // All coordinates, but only the values of the old modes, or of the new one.
  Result<Layout> old = insert(layout, withoutStrides(mode.getLayout()));
  Result<Layout> added = insert(withoutStrides(layout), mode.getLayout());
  if (!all || !old || !added)
    return all ? (old ? added : old).takeReason() : all.takeReason();
  Result<ComposedLayout> result =
      ComposedLayout::get(swizzle, mode.getOffset(), *all);
  Result<ComposedLayout> part =
      ComposedLayout::get(swizzle, mode.getOffset(), *added);
  if (!result || !part)
    return result ? part : result;
  detail::BitSet bits = detail::getBits(ComposedLayout(*old));
  if (!(bits.getMask() & uint64_t(swizzle.getSourceMask())) &&
      detail::addsUnder(swizzle, detail::getBits(*part), bits))
    return result;
  int64_t size = 1;
  if (!result->getOffset().isStatic() ||
      !isEnumerable(all->getLeafModes(), size))
    return Reason("expected a mode without a swizzle, or with the swizzle and "
                  "offset of the layout, but got " +
                  mode.str() + " for " + layout.str());
  for (int64_t i = 0; i < size; ++i) {
    int64_t expected = old->at(i) + part->at(i), actual = result->at(i);
    if (actual != expected)
      return Reason("expected modes that " + swizzle.str() +
                    " of the new one leaves as they are, but at index " +
                    llvm::Twine(i) + " they are at " + llvm::Twine(actual) +
                    " instead of " + llvm::Twine(expected));
  }
  return result;
}

/// A layout with a mode put into it. What is around the layout stays, so that
/// the mode is plain, or of the same swizzle and offset; or the layout is
/// plain.
static Result<ComposedLayout> insertMode(const ComposedLayout &layout,
                                         const ComposedLayout &mode,
                                         InsertFn insert) {
  std::optional<Layout> plain = getPlain(mode);
  bool sameOffset = mode.getOffset().isStatic()
                        ? mode.getOffset() == layout.getOffset()
                        : mode.getOffset().isSameAs(layout.getOffset());
  bool alike = mode.getSwizzle() == layout.getSwizzle() && sameOffset;
  if (alike || plain) {
    Result<Layout> inside =
        insert(layout.getLayout(), alike ? mode.getLayout() : *plain);
    if (!inside)
      return inside.takeReason();
    return ComposedLayout::get(layout.getSwizzle(), layout.getOffset(),
                               *inside);
  }
  if (std::optional<Layout> outside = getPlain(layout))
    return insertSwizzled(*outside, mode, insert);
  return Reason("expected a mode without a swizzle, or with the swizzle and "
                "offset of the layout, but got " +
                mode.str() + " for " + layout.str());
}

Result<ComposedLayout> tile::append(const ComposedLayout &layout,
                                    const ComposedLayout &mode) {
  return insertMode(layout, mode, [](const Layout &inside, const Layout &last) {
    return Result<Layout>(append(inside, last));
  });
}

Result<ComposedLayout> tile::prepend(const ComposedLayout &layout,
                                     const ComposedLayout &mode) {
  return insertMode(layout, mode,
                    [](const Layout &inside, const Layout &first) {
                      return Result<Layout>(prepend(inside, first));
                    });
}

Result<ComposedLayout> tile::replaceMode(const ComposedLayout &layout,
                                         int64_t index,
                                         const ComposedLayout &mode) {
  return insertMode(layout, mode,
                    [&](const Layout &inside, const Layout &other) {
                      return replaceMode(inside, index, other);
                    });
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

/// Whether copies of the layout, moved by the values of `rest`, are disjoint.
static bool areDisjoint(const ComposedLayout &layout, const Layout &rest) {
  int64_t size = 1;
  if (!isEnumerable(layout.getLayout().getLeafModes(), size) ||
      !isEnumerable(rest.getLeafModes(), size))
    return false;
  // An element that the layout reaches twice, by a stride of 0, counts once.
  std::set<int64_t> image, sums;
  for (int64_t i = 0, e = layout.size().getValue(); i < e; ++i)
    image.insert(layout.at(i));
  for (int64_t j = 0, e = rest.size().getValue(); j < e; ++j)
    for (int64_t value : image)
      if (!sums.insert(rest.at(j) + value).second)
        return false;
  return true;
}

static Result<Layout> complementOf(const ComposedLayout &layout,
                                   LayoutFn complement) {
  Result<Layout> rest = complement(layout.getLayout());
  if (!rest)
    return rest;
  if (std::optional<Reason> reason = findOffset(layout))
    return *reason;
  llvm::SmallVector<LeafMode, 4> odd = getOddSteps(layout.getSwizzle(), *rest);
  if (odd.empty())
    return rest;
  bool found = findForm(layout, [&](const ComposedLayout &form) {
    Result<Layout> other = complement(form.getLayout());
    if (!other || (!form.isPlain() && !areDisjoint(form, *other)))
      return false;
    rest = other;
    return true;
  });
  if (found || areDisjoint(layout, *rest))
    return rest;
  return Reason("expected a layout whose copies are disjoint, as at multiples "
                "of the swizzle's period " +
                llvm::Twine(layout.getSwizzle().getPeriod()) +
                ", but those of " + layout.str() + " start at stride " +
                odd.front().stride.str());
}

Result<Layout> tile::complement(const ComposedLayout &layout,
                                const IntTuple &cotarget) {
  return complementOf(layout, [&](const Layout &inside) {
    return complement(inside, cotarget);
  });
}

Result<Layout> tile::complement(const ComposedLayout &layout) {
  return complementOf(layout,
                      [](const Layout &inside) { return complement(inside); });
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
