// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The layout algebra on layouts whose values pass through a swizzle.
#ifndef TILE_LAYOUT_COMPOSEDALGEBRA_H
#define TILE_LAYOUT_COMPOSEDALGEBRA_H

#include "tile/Layout/Algebra.h"
#include "tile/Layout/Swizzle.h"

namespace tile {

// Operations that only rearrange the domain act on the layout inside:
// (S o offset o L) o R = S o offset o (L o R). Their names and arguments are
// those of Algebra.h.

Result<ComposedLayout> composition(const ComposedLayout &lhs, const Tiler &rhs);
/// R(i) = lhs(rhs(i)) for a right-hand side with a swizzle, which is moved to
/// the outside, bit by bit through the layout of lhs. Constants only; equal
/// swizzles on both sides cancel.
Result<ComposedLayout> composition(const ComposedLayout &lhs,
                                   const ComposedLayout &rhs);
Result<ComposedLayout> coalesce(const ComposedLayout &layout);
Result<ComposedLayout> flatten(const ComposedLayout &layout);
Result<ComposedLayout> select(const ComposedLayout &layout,
                              llvm::ArrayRef<int64_t> modes);
Result<ComposedLayout> take(const ComposedLayout &layout, int64_t begin,
                            int64_t end);
Result<ComposedLayout> getMode(const ComposedLayout &layout,
                               llvm::ArrayRef<int64_t> path);
Result<ComposedLayout> groupModes(const ComposedLayout &layout, int64_t begin,
                                  int64_t end);
Result<ComposedLayout> transpose(const ComposedLayout &layout);
Result<ComposedLayout> withShape(const ComposedLayout &layout,
                                 const IntTuple &shape);
Result<ComposedLayout> logicalDivide(const ComposedLayout &layout,
                                     const Tiler &tiler);
Result<ComposedLayout> zippedDivide(const ComposedLayout &layout,
                                    const Tiler &tiler);
Result<ComposedLayout> tiledDivide(const ComposedLayout &layout,
                                   const Tiler &tiler);
Result<ComposedLayout> flatDivide(const ComposedLayout &layout,
                                  const Tiler &tiler);
/// The plain layout with the same values, where there is one with the same
/// profile: the value at 0 is 0, and the swizzle reads zeros only, or is linear
/// (constants of up to 65536 elements).
std::optional<Layout> getPlain(const ComposedLayout &layout);

/// A layout with a mode put into it. The mode may be swizzled where its swizzle
/// and offset are those of the layout, where it has a plain form, or where a
/// plain layout has values that the mode's swizzle leaves in place.
///
///   4 : 1 and S<1, 2, 3> o 0 o (2, 2) : (4, 32)
///     = S<1, 2, 3> o 0 o (4, (2, 2)) : (1, (4, 32))
Result<ComposedLayout> append(const ComposedLayout &layout,
                              const ComposedLayout &mode);
Result<ComposedLayout> prepend(const ComposedLayout &layout,
                               const ComposedLayout &mode);
Result<ComposedLayout> replaceMode(const ComposedLayout &layout, int64_t index,
                                   const ComposedLayout &mode);

/// Products of a swizzled block: every copy is the block moved. The swizzle
/// stays on the outside where it does the same to all copies: those that start
/// at multiples of its period, whose bits do not meet those of the block under
/// it, or (constants of up to 65536 elements) that turn out to be alike.
/// Otherwise the block is taken without the bits of the swizzle that it does
/// not read, or in its plain form, or the reason is given.
///
///   S<1, 4, 3> o 0 o (4, 4) : (16, 128), 16 times by 1
///     = S<1, 4, 3> o 0 o ((4, 4), 16) : ((16, 128), 1)
///   S<2, 0, 3> o 0 o (2, 8) : (8, 1), 3 times by 16
///     = S<1, 0, 3> o 0 o ((2, 8), 3) : ((8, 1), 16)
Result<ComposedLayout>
tileToShape(const ComposedLayout &block, const IntTuple &shape,
            const std::optional<IntTuple> &order = std::nullopt);
Result<ComposedLayout> logicalProduct(const ComposedLayout &block,
                                      const Tiler &tiler);
Result<ComposedLayout> zippedProduct(const ComposedLayout &block,
                                     const Tiler &tiler);
Result<ComposedLayout> tiledProduct(const ComposedLayout &block,
                                    const Tiler &tiler);
Result<ComposedLayout> flatProduct(const ComposedLayout &block,
                                   const Tiler &tiler);
Result<ComposedLayout> blockedProduct(const ComposedLayout &block,
                                      const Layout &tiler);
Result<ComposedLayout> rakedProduct(const ComposedLayout &block,
                                    const Layout &tiler);
/// What a swizzled layout leaves out: copies of it moved by the complement do
/// not meet. That of the layout inside where it consists of multiples of the
/// swizzle's period, that of the layout's plain form where there is one, or
/// (constants of up to 65536 elements) that of the layout inside where the
/// copies turn out to be disjoint.
Result<Layout> complement(const ComposedLayout &layout,
                          const IntTuple &cotarget);
Result<Layout> complement(const ComposedLayout &layout);
/// The indices that the layout maps to 0. Needs offset 0.
Result<Layout> nullspace(const ComposedLayout &layout);

/// A swizzle in units of `count` elements (a power of two): its base moves by
/// the logarithm; bits below the new unit vanish.
Result<Swizzle> upcast(const Swizzle &swizzle, int64_t count);
Result<Swizzle> downcast(const Swizzle &swizzle, int64_t count);
Result<Swizzle> recastSwizzle(const Swizzle &swizzle, int64_t oldBits,
                              int64_t newBits);
Result<ComposedLayout> upcast(const ComposedLayout &layout, int64_t count);
Result<ComposedLayout> downcast(const ComposedLayout &layout, int64_t count);
Result<ComposedLayout> recastLayout(const ComposedLayout &layout,
                                    int64_t oldBits, int64_t newBits);

/// A composed layout and the value of its origin in the one it comes from.
struct ComposedAndOffset {
  ComposedLayout layout;
  Int offset = 0;
};
/// The slice at a coordinate: value(i) = offset + layout(i). Where a swizzle
/// acts linearly inside the slice (constants of up to 65536 elements) the
/// result is a plain layout; otherwise the offset goes under the swizzle.
///
///   row 3 of S<3, 3, 3> o 0 o (8, 64) : (64, 1)
///     = 216 + ((8, 4, 2)) : ((1, -8, 32))
Result<ComposedAndOffset> sliceAndOffset(const IntTuple &coordinate,
                                         const ComposedLayout &layout);
/// The layout that starts at a coordinate, the offset under the swizzle.
Result<ComposedLayout> domainOffset(const IntTuple &coordinate,
                                    const ComposedLayout &layout);

/// The inverses, with the swizzle moved to the outside: bit by bit through the
/// inverse of the layout. Needs a constant layout with offset 0.
Result<ComposedLayout> rightInverse(const ComposedLayout &layout);
Result<ComposedLayout> leftInverse(const ComposedLayout &layout);

/// As for plain layouts, limited to the 2^m elements that a swizzle keeps
/// together.
Result<int64_t> maxAlignment(const ComposedLayout &layout);
Result<int64_t> maxCommonVector(const ComposedLayout &lhs,
                                const ComposedLayout &rhs);
Result<Layout> maxCommonLayout(const ComposedLayout &lhs,
                               const ComposedLayout &rhs);

} // namespace tile

#endif // TILE_LAYOUT_COMPOSEDALGEBRA_H
