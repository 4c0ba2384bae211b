// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The layout algebra: every operation that builds layouts from layouts.
#ifndef TILE_LAYOUT_ALGEBRA_H
#define TILE_LAYOUT_ALGEBRA_H

#include "tile/Layout/Layout.h"
#include "tile/Layout/Tiler.h"
#include "tile/Layout/TupleArithmetic.h"

namespace tile {

// One algorithm serves constants and symbols. A question that the algorithm
// asks ("does 4 divide this extent?") is answered by the constant, or proved
// from divisors, bounds and equal expressions; what cannot be proved is
// refused, with the question in the reason. Dynamic extents count as at least
// 1, dynamic strides as at least 1 where an order of strides matters
// (complement, inverses).

//===-- Construction ------------------------------------------------------===//

/// First mode fastest: (2, 3, 4) : (1, 2, 6). Extent 1 gets stride 0.
Result<Layout> makeLayoutLeft(const IntTuple &shape);
/// Last mode fastest: (2, 3, 4) : (12, 4, 1).
Result<Layout> makeLayoutRight(const IntTuple &shape);
/// Compact, modes with smaller numbers in `order` faster; modes of equal order
/// get the same stride. `order` has constants and may be coarser than the
/// shape: (2, (3, 4), 5) with (1, 0, 2) gives (12, (1, 3), 24).
Result<Layout> makeOrderedLayout(const IntTuple &shape, const IntTuple &order);
/// A compact layout with the shape and the order of strides of `layout`;
/// stride-0 modes keep stride 0.
Result<Layout> makeLayoutLike(const Layout &layout);
/// As makeLayoutLike, but mode 0 is compact on its own and comes first (a
/// register fragment whose first mode is one vector).
Result<Layout> makeFragmentLike(const Layout &layout);
/// The layout whose value at a coordinate is the coordinate:
/// (4, 8) : (1@0, 1@1).
Result<Layout> makeIdentityLayout(const IntTuple &shape);
/// The largest layout of size dividing `count` that spreads over the modes of
/// a shape: (15, 14) over 6 gives (3, 2) : (1, 15).
Result<Layout> domainDistribute(const IntTuple &shape, const Int &count);

//===-- Modes -------------------------------------------------------------===//

Result<Layout> getMode(const Layout &layout, llvm::ArrayRef<int64_t> path);
Result<Layout> take(const Layout &layout, int64_t begin, int64_t end);
Result<Layout> select(const Layout &layout, llvm::ArrayRef<int64_t> modes);
Result<Layout> groupModes(const Layout &layout, int64_t begin, int64_t end);
Result<Layout> replaceMode(const Layout &layout, int64_t index,
                           const Layout &mode);
Layout append(const Layout &layout, const Layout &mode);
Layout prepend(const Layout &layout, const Layout &mode);
/// Pads with modes 1 : 0 up to a rank.
Layout appendRank(const Layout &layout, unsigned rank);
Layout prependRank(const Layout &layout, unsigned rank);
Layout reverseModes(const Layout &layout);
/// Both modes of a rank-2 layout swapped.
Result<Layout> transpose(const Layout &layout);
/// ((a, b), (c, d)) becomes ((a, c), (b, d)), in shape and stride.
Result<Layout> zip(const Layout &layout);
Layout flatten(const Layout &layout);
Result<Layout> unflatten(const Layout &layout, const IntTuple &profile);

//===-- Simplification ----------------------------------------------------===//

/// The same function of an index with as few modes as possible: extents 1
/// vanish, neighbours with matching strides merge. A dynamic extent is never
/// merged into its left neighbour, so that it stays visible as a mode.
/// coalesce((2, (1, 6)) : (1, (6, 2))) is 12 : 1.
Layout coalesce(const Layout &layout);
/// Mode by mode, where `profile` has leaves.
Result<Layout> coalesce(const Layout &layout, const IntTuple &profile);
/// Stride-0 modes get extent 1.
Layout filterZeros(const Layout &layout);
/// filterZeros, then coalesce.
Layout filter(const Layout &layout);

//===-- Composition -------------------------------------------------------===//

/// R(i) = lhs(rhs(i)) for all i in the domain of rhs, where lhs extends beyond
/// its size along its last mode. The shape of R refines that of rhs. Accepted
/// exactly if such a layout exists (constants of up to 65536 coordinates; for
/// larger ones and for symbols, if no carry between digits can occur).
///
///   (10, 2) : (16, 4) o (3, 4) : (1, 5) = (3, (2, 2)) : (16, (80, 4))
///
/// The strides of rhs may be scaled basis vectors: 3@1 walks mode 1 of lhs.
Result<Layout> composition(const Layout &lhs, const Layout &rhs);
/// Mode by mode for a by-mode tiler: `_` keeps a mode, modes of lhs beyond the
/// tiler's rank are dropped.
Result<Layout> composition(const Layout &lhs, const Tiler &rhs);
/// lhs with a new shape: composition with the shape's compact layout.
Result<Layout> withShape(const Layout &layout, const IntTuple &shape);
/// withShape that requires the same size.
Result<Layout> reshape(const Layout &layout, const IntTuple &shape);

//===-- Complement and inverses -------------------------------------------===//

/// What `layout` leaves out of [0, cotarget): an ordered layout whose image is
/// disjoint from it. (2, 2) : (1, 6) in 24 is (3, 2) : (2, 12). A tuple as
/// cotarget is divided mode by mode, each time rounded up, and its dynamic
/// modes stay apart. A dynamic extent at a stride that leaves a gap must be
/// known to be at least 2.
Result<Layout> complement(const Layout &layout, const IntTuple &cotarget);
/// With respect to the layout's own span.
Result<Layout> complement(const Layout &layout);
/// The largest R with layout(R(i)) = i for all i below its size.
Result<Layout> rightInverse(const Layout &layout);
/// An R with R(layout(i)) = i for all i below the size of `layout`.
Result<Layout> leftInverse(const Layout &layout);
/// The indices that the layout maps to 0: (4, 8) : (1, 0) has 8 : 4.
Result<Layout> nullspace(const Layout &layout);

//===-- Divide ------------------------------------------------------------===//

/// Splits a layout into (tile, rest): composition with (tiler, complement of
/// the tiler). By mode for a by-mode tiler: ((t0, r0), (t1, r1), ...).
Result<Layout> logicalDivide(const Layout &layout, const Tiler &tiler);
/// ((t0, t1), (r0, r1, further modes)). `_` takes the whole mode as tile.
Result<Layout> zippedDivide(const Layout &layout, const Tiler &tiler);
/// ((t0, t1), r0, r1, ...).
Result<Layout> tiledDivide(const Layout &layout, const Tiler &tiler);
/// (t0, t1, r0, r1, ...).
Result<Layout> flatDivide(const Layout &layout, const Tiler &tiler);

/// Why a tile does not cover its mode evenly, if it does not: "expected a tile
/// that divides extent 8 of mode [0], but got 3". The divides accept such
/// tiles, whose last copy hangs over the edge; that is meant for coordinates,
/// which are compared with the extents afterwards (elemLess). A layout of
/// memory should be checked with this first.
std::optional<Reason> findOverhang(const Layout &layout, const Tiler &tiler);

//===-- Product -----------------------------------------------------------===//

/// (layout, repetitions): the tiler lays out copies of `layout` in its
/// complement.
Result<Layout> logicalProduct(const Layout &layout, const Tiler &tiler);
Result<Layout> zippedProduct(const Layout &layout, const Tiler &tiler);
Result<Layout> tiledProduct(const Layout &layout, const Tiler &tiler);
Result<Layout> flatProduct(const Layout &layout, const Tiler &tiler);
/// Rank by rank, ((block, tile), ...): blocks stay together.
Result<Layout> blockedProduct(const Layout &block, const Layout &tiler);
/// Rank by rank, ((tile, block), ...): blocks interleave.
Result<Layout> rakedProduct(const Layout &block, const Layout &tiler);
/// Repeats a block until it covers a shape that it divides; `order` as in
/// makeOrderedLayout, first mode fastest without it.
Result<Layout> tileToShape(const Layout &block, const IntTuple &shape,
                           const std::optional<IntTuple> &order = std::nullopt);

//===-- Slices ------------------------------------------------------------===//

/// The modes under the wildcards of the coordinate.
Result<Layout> slice(const IntTuple &coordinate, const Layout &layout);
/// The other modes.
Result<Layout> dice(const IntTuple &coordinate, const Layout &layout);
/// A layout and the value that its origin has in the layout it comes from.
struct LayoutAndOffset {
  Layout layout;
  IntTuple offset;
};
/// The slice and where it starts: layout(coordinate with _ as 0).
Result<LayoutAndOffset> sliceAndOffset(const IntTuple &coordinate,
                                       const Layout &layout);
/// The layout itself and where the coordinate is.
Result<LayoutAndOffset> domainOffset(const IntTuple &coordinate,
                                     const Layout &layout);

//===-- Recast and vectorise ----------------------------------------------===//

/// The layout in units of `count` elements. Every stride must be a multiple
/// of count or divide it.
Result<Layout> upcast(const Layout &layout, int64_t count);
/// The layout in units of 1/count of an element. Needs a mode of stride 1
/// or -1, which grows by that factor.
Result<Layout> downcast(const Layout &layout, int64_t count);
/// The layout of elements of `newBits` on the storage of elements of
/// `oldBits`.
Result<Layout> recastLayout(const Layout &layout, int64_t oldBits,
                            int64_t newBits);
/// The largest layout of indices (into the domain of both) that both map to
/// the same contiguous run 0, 1, 2, ...
Result<Layout> maxCommonLayout(const Layout &lhs, const Layout &rhs);
/// Its size: how many elements one access of both can move.
Result<int64_t> maxCommonVector(const Layout &lhs, const Layout &rhs);
/// The largest number of elements that divides every step between contiguous
/// runs and the run itself.
Result<int64_t> maxAlignment(const Layout &layout);

} // namespace tile

#endif // TILE_LAYOUT_ALGEBRA_H
