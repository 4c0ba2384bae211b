// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The layout algebra on layouts whose values pass through a swizzle.
#include "tile/Layout/ComposedAlgebra.h"
#include "CompositionCheck.h"
#include "SwizzleBits.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace tile;

/// Slices and inverses up to this size are checked element by element.
static constexpr int64_t kMaxEnumeration = 65536;

static bool isSmall(const ComposedLayout &layout) {
  return layout.isStatic() && layout.size().isStatic() &&
         layout.size().getValue() <= kMaxEnumeration;
}

/// The composed layout with the layout inside replaced.
static Result<ComposedLayout> rewrap(const ComposedLayout &outer,
                                     const Result<Layout> &inner) {
  if (!inner)
    return inner.takeReason();
  return ComposedLayout::get(outer.getSwizzle(), outer.getOffset(), *inner);
}

Result<ComposedLayout> tile::composition(const ComposedLayout &lhs,
                                         const Tiler &rhs) {
  return rewrap(lhs, composition(lhs.getLayout(), rhs));
}

Result<ComposedLayout> tile::coalesce(const ComposedLayout &layout) {
  return rewrap(layout, coalesce(layout.getLayout()));
}

Result<ComposedLayout> tile::flatten(const ComposedLayout &layout) {
  return rewrap(layout, flatten(layout.getLayout()));
}

Result<ComposedLayout> tile::select(const ComposedLayout &layout,
                                    llvm::ArrayRef<int64_t> modes) {
  return rewrap(layout, select(layout.getLayout(), modes));
}

Result<ComposedLayout> tile::take(const ComposedLayout &layout, int64_t begin,
                                  int64_t end) {
  return rewrap(layout, take(layout.getLayout(), begin, end));
}

Result<ComposedLayout> tile::getMode(const ComposedLayout &layout,
                                     llvm::ArrayRef<int64_t> path) {
  return rewrap(layout, getMode(layout.getLayout(), path));
}

Result<ComposedLayout> tile::groupModes(const ComposedLayout &layout,
                                        int64_t begin, int64_t end) {
  return rewrap(layout, groupModes(layout.getLayout(), begin, end));
}

Result<ComposedLayout> tile::transpose(const ComposedLayout &layout) {
  return rewrap(layout, transpose(layout.getLayout()));
}

Result<ComposedLayout> tile::withShape(const ComposedLayout &layout,
                                       const IntTuple &shape) {
  return rewrap(layout, withShape(layout.getLayout(), shape));
}

Result<ComposedLayout> tile::logicalDivide(const ComposedLayout &layout,
                                           const Tiler &tiler) {
  return rewrap(layout, logicalDivide(layout.getLayout(), tiler));
}

Result<ComposedLayout> tile::zippedDivide(const ComposedLayout &layout,
                                          const Tiler &tiler) {
  return rewrap(layout, zippedDivide(layout.getLayout(), tiler));
}

Result<ComposedLayout> tile::tiledDivide(const ComposedLayout &layout,
                                         const Tiler &tiler) {
  return rewrap(layout, tiledDivide(layout.getLayout(), tiler));
}

Result<ComposedLayout> tile::flatDivide(const ComposedLayout &layout,
                                        const Tiler &tiler) {
  return rewrap(layout, flatDivide(layout.getLayout(), tiler));
}

//===----------------------------------------------------------------------===//
// Recast
//===----------------------------------------------------------------------===//

static Result<int64_t> getLog2(int64_t count) {
  if (count < 1 || !llvm::isPowerOf2_64(count))
    return Reason("expected a power of two of elements under a swizzle, but "
                  "got " +
                  llvm::Twine(count));
  return int64_t(llvm::Log2_64(count));
}

Result<Swizzle> tile::upcast(const Swizzle &swizzle, int64_t count) {
  if (swizzle.isIdentity())
    return swizzle;
  Result<int64_t> log = getLog2(count);
  if (!log)
    return log.takeReason();
  int64_t base = swizzle.getBase() - *log, bits = swizzle.getBits();
  if (base < 0) {
    bits = std::max<int64_t>(0, bits + base);
    base = 0;
  }
  return Swizzle::get(bits, base, swizzle.getShift());
}

Result<Swizzle> tile::downcast(const Swizzle &swizzle, int64_t count) {
  if (swizzle.isIdentity())
    return swizzle;
  Result<int64_t> log = getLog2(count);
  if (!log)
    return log.takeReason();
  return Swizzle::get(swizzle.getBits(), swizzle.getBase() + *log,
                      swizzle.getShift());
}

static Reason ratioReason(int64_t oldBits, int64_t newBits) {
  return Reason("expected element sizes whose ratio is a power of two under a "
                "swizzle, but got " +
                llvm::Twine(oldBits) + " and " + llvm::Twine(newBits) +
                " bits");
}

static bool hasPowerOfTwoRatio(int64_t oldBits, int64_t newBits) {
  if (oldBits < 1 || newBits < 1)
    return false;
  int64_t common = std::gcd(oldBits, newBits);
  return llvm::isPowerOf2_64(oldBits / common) &&
         llvm::isPowerOf2_64(newBits / common);
}

Result<Swizzle> tile::recastSwizzle(const Swizzle &swizzle, int64_t oldBits,
                                    int64_t newBits) {
  if (!hasPowerOfTwoRatio(oldBits, newBits))
    return ratioReason(oldBits, newBits);
  return newBits >= oldBits ? upcast(swizzle, newBits / oldBits)
                            : downcast(swizzle, oldBits / newBits);
}

Result<ComposedLayout> tile::upcast(const ComposedLayout &layout,
                                    int64_t count) {
  Result<Swizzle> swizzle = upcast(layout.getSwizzle(), count);
  if (!swizzle)
    return swizzle.takeReason();
  Result<Layout> inner = upcast(layout.getLayout(), count);
  if (!inner)
    return inner.takeReason();
  if (!layout.getOffset().isMultipleOf(count))
    return Reason("expected an offset that is a multiple of " +
                  llvm::Twine(count) + ", but got " + layout.getOffset().str());
  // Bits of the elements inside one new element must stay in place.
  const Swizzle &old = layout.getSwizzle();
  if (old.getTargetMask() & (count - 1))
    return Reason("expected a swizzle that keeps " + llvm::Twine(count) +
                  " elements together, but got " + old.str());
  return ComposedLayout::get(*swizzle, floorDiv(layout.getOffset(), count),
                             *inner);
}

Result<ComposedLayout> tile::downcast(const ComposedLayout &layout,
                                      int64_t count) {
  Result<Swizzle> swizzle = downcast(layout.getSwizzle(), count);
  if (!swizzle)
    return swizzle.takeReason();
  Result<Layout> inner = downcast(layout.getLayout(), count);
  if (!inner)
    return inner.takeReason();
  return ComposedLayout::get(*swizzle, layout.getOffset() * Int(count), *inner);
}

Result<ComposedLayout> tile::recastLayout(const ComposedLayout &layout,
                                          int64_t oldBits, int64_t newBits) {
  if (layout.getSwizzle().isIdentity() && layout.getOffset().isStatic(0))
    return rewrap(layout, recastLayout(layout.getLayout(), oldBits, newBits));
  if (!hasPowerOfTwoRatio(oldBits, newBits))
    return ratioReason(oldBits, newBits);
  return newBits >= oldBits ? upcast(layout, newBits / oldBits)
                            : downcast(layout, oldBits / newBits);
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

std::optional<ComposedLayout> detail::rewrite(const ComposedLayout &layout,
                                              const Swizzle &outer) {
  if (!isSmall(layout) || layout.getOffset().getValue() < 0)
    return std::nullopt;
  const Swizzle &swizzle = layout.getSwizzle();
  int64_t base = layout.getOffset().getValue();
  int64_t origin = outer.at(swizzle.at(base));
  llvm::SmallVector<IntTuple, 4> shapes, strides;
  for (const LeafMode &mode : layout.getLayout().getLeafModes()) {
    int64_t stride = mode.stride.getInt().getValue();
    auto value = [&](int64_t index) {
      return outer.at(swizzle.at(base + index * stride)) - origin;
    };
    std::optional<llvm::SmallVector<LeafMode, 4>> fit =
        detail::fitLayout(value, mode.extent.getValue());
    if (!fit)
      return std::nullopt;
    llvm::SmallVector<IntTuple, 4> shape, steps;
    for (const LeafMode &part : *fit) {
      shape.push_back(part.extent);
      steps.push_back(part.stride);
    }
    bool single = shape.size() == 1;
    shapes.push_back(single ? shape.front() : IntTuple::tuple(shape));
    strides.push_back(single ? steps.front() : IntTuple::tuple(steps));
  }
  const IntTuple &profile = layout.getLayout().getShape();
  Result<IntTuple> shape = unflatten(IntTuple::tuple(shapes), profile);
  Result<IntTuple> stride = unflatten(IntTuple::tuple(strides), profile);
  if (!shape || !stride)
    return std::nullopt;
  Result<Layout> inside = Layout::get(*shape, *stride);
  if (!inside)
    return std::nullopt;
  Result<ComposedLayout> result = ComposedLayout::get(outer, origin, *inside);
  if (!result)
    return std::nullopt;
  for (int64_t i = 0, e = result->size().getValue(); i < e; ++i)
    if (result->at(i) != layout.at(i))
      return std::nullopt;
  return *result;
}

std::optional<Layout> detail::makePlain(const ComposedLayout &layout) {
  // What the swizzle reads may be 0 throughout.
  if (layout.isPlain() || !(getBits(layout).getMask() &
                            uint64_t(layout.getSwizzle().getSourceMask())))
    return layout.getLayout();
  std::optional<ComposedLayout> plain = rewrite(layout, Swizzle());
  return plain ? std::optional(plain->getLayout()) : std::nullopt;
}

std::optional<Layout> tile::getPlain(const ComposedLayout &layout) {
  if (!layout.getSwizzle()(layout.getOffset()).isStatic(0))
    return std::nullopt;
  return detail::makePlain(layout);
}

Result<ComposedAndOffset> tile::sliceAndOffset(const IntTuple &coordinate,
                                               const ComposedLayout &layout) {
  Result<LayoutAndOffset> inner =
      sliceAndOffset(coordinate, layout.getLayout());
  if (!inner)
    return inner.takeReason();
  if (layout.isPlain() && !inner->offset.isInt())
    return Reason("expected integer strides to slice with an offset, but got " +
                  layout.getLayout().getStride().str());
  Int offset = layout.getOffset() + inner->offset.getInt();
  if (layout.getSwizzle().isIdentity())
    return ComposedAndOffset{ComposedLayout(inner->layout), offset};
  Result<ComposedLayout> sliced =
      ComposedLayout::get(layout.getSwizzle(), offset, inner->layout);
  if (!sliced)
    return sliced.takeReason();
  if (std::optional<Layout> plain = detail::makePlain(*sliced))
    return ComposedAndOffset{ComposedLayout(*plain),
                             layout.getSwizzle()(offset)};
  return ComposedAndOffset{*sliced, 0};
}

Result<ComposedLayout> tile::domainOffset(const IntTuple &coordinate,
                                          const ComposedLayout &layout) {
  Result<IntTuple> offset = layout.getLayout()(coordinate);
  if (!offset)
    return offset.takeReason();
  if (!offset->isInt())
    return Reason("expected an integer offset, but got " + offset->str());
  return ComposedLayout::get(layout.getSwizzle(),
                             layout.getOffset() + offset->getInt(),
                             layout.getLayout());
}

//===----------------------------------------------------------------------===//
// Inverses
//===----------------------------------------------------------------------===//

/// The image of a run of bits under a layout that maps bits to bits: the
/// number of the first image bit, when the images are consecutive bits too.
static std::optional<int64_t> mapBits(const Layout &inverse, int64_t first,
                                      int64_t count) {
  std::optional<int64_t> start;
  for (int64_t k = 0; k < count; ++k) {
    int64_t image = inverse.at(int64_t(1) << (first + k));
    if (image < 1 || !llvm::isPowerOf2_64(image))
      return std::nullopt;
    int64_t bit = llvm::Log2_64(image);
    if (!start)
      start = bit;
    else if (bit != *start + k)
      return std::nullopt;
  }
  return start;
}

/// The swizzle S' with layout o swizzle = S' o layout, if bits map to bits.
static Result<Swizzle> moveOutside(const Layout &layout,
                                   const Swizzle &swizzle) {
  if (swizzle.isIdentity())
    return swizzle;
  Reason refused("expected a swizzle whose bits the layout " + layout.str() +
                 " keeps together, but got " + swizzle.str());
  if (!layout.isStatic() || layout.hasBasis())
    return refused;
  int64_t shift = swizzle.getShift(), base = swizzle.getBase();
  std::optional<int64_t> target =
      mapBits(layout, base + std::max<int64_t>(-shift, 0), swizzle.getBits());
  std::optional<int64_t> source =
      mapBits(layout, base + std::max<int64_t>(shift, 0), swizzle.getBits());
  if (!target || !source)
    return refused;
  Result<Swizzle> moved = Swizzle::get(
      swizzle.getBits(), std::min(*target, *source), *source - *target);
  return moved ? moved : Result<Swizzle>(refused);
}

/// The inverse of a swizzled layout from that of the layout.
static Result<ComposedLayout> invert(const ComposedLayout &layout,
                                     const Result<Layout> &inverse) {
  if (!inverse)
    return inverse.takeReason();
  if (!layout.getOffset().isStatic(0))
    return Reason("expected offset 0 to invert a layout, but got " +
                  layout.getOffset().str());
  Result<Swizzle> swizzle = moveOutside(*inverse, layout.getSwizzle());
  if (!swizzle)
    return swizzle.takeReason();
  if (!swizzle->isIdentity() && !isSmall(layout))
    return Reason("expected a constant swizzled layout of at most " +
                  llvm::Twine(kMaxEnumeration) + " elements, but got " +
                  layout.str());
  return ComposedLayout::get(*swizzle, 0, *inverse);
}

/// The result, or that of a plain form where the swizzle stands in the way.
static Result<ComposedLayout>
orOfPlain(const Result<ComposedLayout> &result, const ComposedLayout &layout,
          llvm::function_ref<Result<Layout>(const Layout &)> function) {
  if (result)
    return result;
  std::optional<Layout> plain = getPlain(layout);
  if (!plain)
    return result;
  Result<Layout> other = function(*plain);
  return other ? Result<ComposedLayout>(ComposedLayout(*other)) : result;
}

static Result<ComposedLayout> invertRight(const ComposedLayout &layout) {
  Result<ComposedLayout> inverse =
      invert(layout, rightInverse(layout.getLayout()));
  if (!inverse || layout.getSwizzle().isIdentity())
    return inverse;
  for (int64_t i = 0, e = inverse->size().getValue(); i < e; ++i)
    if (layout.at(inverse->at(i)) != i)
      return Reason("expected an inverse that swizzles alike, but index " +
                    llvm::Twine(i) + " comes back as " +
                    llvm::Twine(layout.at(inverse->at(i))));
  return inverse;
}

static Result<ComposedLayout> invertLeft(const ComposedLayout &layout) {
  Result<ComposedLayout> inverse =
      invert(layout, leftInverse(layout.getLayout()));
  if (!inverse || layout.getSwizzle().isIdentity())
    return inverse;
  for (int64_t i = 0, e = layout.size().getValue(); i < e; ++i)
    if (inverse->at(layout.at(i)) != i)
      return Reason("expected an inverse that swizzles alike, but index " +
                    llvm::Twine(i) + " comes back as " +
                    llvm::Twine(inverse->at(layout.at(i))));
  return inverse;
}

Result<ComposedLayout> tile::rightInverse(const ComposedLayout &layout) {
  return orOfPlain(invertRight(layout), layout,
                   [](const Layout &plain) { return rightInverse(plain); });
}

Result<ComposedLayout> tile::leftInverse(const ComposedLayout &layout) {
  return orOfPlain(invertLeft(layout), layout,
                   [](const Layout &plain) { return leftInverse(plain); });
}

//===----------------------------------------------------------------------===//
// Composition of two swizzled layouts
//===----------------------------------------------------------------------===//

static Result<ComposedLayout> compose(const ComposedLayout &lhs,
                                      const ComposedLayout &rhs) {
  Result<Layout> inner = composition(lhs.getLayout(), rhs.getLayout());
  if (!inner)
    return inner.takeReason();
  Result<IntTuple> start = lhs.getLayout()(rhs.getOffset());
  if (!start)
    return start.takeReason();
  if (!start->isInt())
    return Reason("expected integer strides under a swizzle, but got " +
                  lhs.getLayout().getStride().str());
  Result<Swizzle> moved = moveOutside(lhs.getLayout(), rhs.getSwizzle());
  if (!moved)
    return moved.takeReason();
  bool cancels = *moved == lhs.getSwizzle() && lhs.getOffset().isStatic(0);
  if (!moved->isIdentity() && !lhs.isPlain() && !cancels)
    return Reason("expected at most one swizzle in the result, but got " +
                  lhs.getSwizzle().str() + " after " + moved->str());
  Swizzle swizzle = moved->isIdentity() ? lhs.getSwizzle()
                    : cancels           ? Swizzle()
                                        : *moved;
  Result<ComposedLayout> result =
      ComposedLayout::get(swizzle, lhs.getOffset() + start->getInt(), *inner);
  if (!result)
    return result;
  if (!isSmall(*result) || !isSmall(rhs) || !lhs.isStatic())
    return Reason("expected constant layouts of at most " +
                  llvm::Twine(kMaxEnumeration) + " elements, but got " +
                  rhs.str());
  for (int64_t i = 0, e = result->size().getValue(); i < e; ++i)
    if (result->at(i) != lhs.at(rhs.at(i)))
      return Reason("expected a swizzle that the left-hand side keeps, but at "
                    "index " +
                    llvm::Twine(i) + " the composition is " +
                    llvm::Twine(lhs.at(rhs.at(i))) + " instead of " +
                    llvm::Twine(result->at(i)));
  return result;
}

Result<ComposedLayout> tile::composition(const ComposedLayout &lhs,
                                         const ComposedLayout &rhs) {
  if (rhs.isPlain())
    return composition(lhs, Tiler(rhs.getLayout()));
  Result<ComposedLayout> result = compose(lhs, rhs);
  if (result)
    return result;
  std::optional<Layout> plain = getPlain(rhs);
  if (!plain)
    return result;
  Result<ComposedLayout> other = composition(lhs, Tiler(*plain));
  return other ? other : result;
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

/// Limits a number of elements to those that the swizzle keeps together.
static int64_t limit(int64_t count, const ComposedLayout &layout) {
  if (!layout.getSwizzle().isIdentity())
    count = std::gcd(count, int64_t(1) << layout.getSwizzle().getBase());
  return layout.getOffset().isStatic(0)
             ? count
             : std::gcd(count, layout.getOffset().getDivisor());
}

Result<int64_t> tile::maxAlignment(const ComposedLayout &layout) {
  Result<int64_t> alignment = maxAlignment(layout.getLayout());
  if (!alignment)
    return alignment;
  return limit(*alignment, layout);
}

Result<int64_t> tile::maxCommonVector(const ComposedLayout &lhs,
                                      const ComposedLayout &rhs) {
  Result<int64_t> count = maxCommonVector(lhs.getLayout(), rhs.getLayout());
  if (!count)
    return count;
  return limit(limit(*count, lhs), rhs);
}
