// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Divides and products of layouts by tilers.
#include "Complement.h"
#include "llvm/ADT/STLFunctionalExtras.h"

using namespace tile;

namespace {
/// A layout split by a tiler: what lies inside the tile, and the rest.
struct Split {
  Layout tile, rest;
};

/// Splits one layout by a layout tiler.
using SplitFn = Result<Split>(const Layout &, const Layout &);
} // namespace

static Result<Split> divideByLayout(const Layout &layout, const Layout &tiler) {
  Result<Layout> rest =
      detail::complementInSize(tiler, coalesce(layout).getShape());
  if (!rest)
    return rest.takeReason();
  Result<Layout> divided = composition(layout, Layout::concat({tiler, *rest}));
  if (!divided)
    return divided.takeReason();
  return Split{(*divided)[0], (*divided)[1]};
}

/// An extent that every block of the layout fits into: the largest product of
/// a stride and its extent.
static Int spanOf(const Layout &layout) {
  Int span = 1;
  for (const LeafMode &mode : layout.getLeafModes())
    span = max(span, mode.stride.getInt() * mode.extent);
  return span;
}

static Result<Split> multiplyByLayout(const Layout &layout,
                                      const Layout &tiler) {
  Int copies = tiler.cosize();
  Result<Layout> room = complement(layout, layout.size() * copies);
  // A block with gaps that its complement does not use, such as
  // (2, 2) : (1, 5), needs a wider one: copies beyond the complement's size
  // would end up inside the block.
  if (room && !copies.isAtMost(room->size()))
    room = complement(layout, spanOf(layout) * copies);
  if (!room)
    return room.takeReason();
  Result<Layout> repetitions = composition(*room, tiler);
  if (!repetitions)
    return repetitions.takeReason();
  return Split{layout, *repetitions};
}

static Reason rankMismatch(const Layout &layout, const Tiler &tiler) {
  return Reason("expected a tiler of at most the rank " +
                llvm::Twine(layout.rank()) + " of " + layout.str() +
                ", but got " + tiler.str());
}

/// ((t0, r0), (t1, r1), further modes); `_` leaves its mode as it is.
static Result<Layout> splitByMode(const Layout &layout, const Tiler &tiler,
                                  llvm::function_ref<SplitFn> split) {
  if (tiler.isWildcard())
    return layout;
  if (tiler.isLayout()) {
    Result<Split> parts = split(layout, tiler.getLayout());
    if (!parts)
      return parts.takeReason();
    return Layout::getConcat({parts->tile, parts->rest});
  }
  if (tiler.rank() > layout.rank())
    return rankMismatch(layout, tiler);
  llvm::SmallVector<Layout, 4> modes;
  for (unsigned i = 0; i < layout.rank(); ++i) {
    if (i >= tiler.rank()) {
      modes.push_back(layout[i]);
      continue;
    }
    Result<Layout> mode = splitByMode(layout[i], tiler.getModes()[i], split);
    if (!mode)
      return mode;
    modes.push_back(*mode);
  }
  return Layout::getConcat(modes);
}

/// ((t0, t1), (r0, r1, further modes)); `_` takes its whole mode as tile.
static Result<Split> splitZipped(const Layout &layout, const Tiler &tiler,
                                 llvm::function_ref<SplitFn> split) {
  if (tiler.isWildcard())
    return Split{layout, Layout()};
  if (tiler.isLayout())
    return split(layout, tiler.getLayout());
  if (tiler.rank() > layout.rank())
    return rankMismatch(layout, tiler);
  llvm::SmallVector<Layout, 4> tiles, rests;
  for (unsigned i = 0; i < layout.rank(); ++i) {
    if (i >= tiler.rank()) {
      rests.push_back(layout[i]);
      continue;
    }
    Result<Split> mode = splitZipped(layout[i], tiler.getModes()[i], split);
    if (!mode)
      return mode;
    tiles.push_back(mode->tile);
    rests.push_back(mode->rest);
  }
  return Split{Layout::concat(tiles), Layout::concat(rests)};
}

/// Appends the modes of a layout; a layout of one mode stays one mode.
static void appendModes(llvm::SmallVectorImpl<Layout> &modes,
                        const Layout &layout) {
  if (layout.rank() == 1) {
    modes.push_back(layout);
    return;
  }
  for (unsigned i = 0; i < layout.rank(); ++i)
    modes.push_back(layout[i]);
}

/// The three arrangements of a split: how much of it is opened up.
enum class Arrangement { Zipped, Tiled, Flat };

static Result<Layout> arrange(const Result<Split> &split, Arrangement how) {
  if (!split)
    return split.takeReason();
  llvm::SmallVector<Layout, 4> modes;
  if (how == Arrangement::Flat)
    appendModes(modes, split->tile);
  else
    modes.push_back(split->tile);
  if (how == Arrangement::Zipped)
    modes.push_back(split->rest);
  else
    appendModes(modes, split->rest);
  return Layout::getConcat(modes);
}

Result<Layout> tile::logicalDivide(const Layout &layout, const Tiler &tiler) {
  return splitByMode(layout, tiler, divideByLayout);
}

Result<Layout> tile::zippedDivide(const Layout &layout, const Tiler &tiler) {
  return arrange(splitZipped(layout, tiler, divideByLayout),
                 Arrangement::Zipped);
}

Result<Layout> tile::tiledDivide(const Layout &layout, const Tiler &tiler) {
  return arrange(splitZipped(layout, tiler, divideByLayout),
                 Arrangement::Tiled);
}

Result<Layout> tile::flatDivide(const Layout &layout, const Tiler &tiler) {
  return arrange(splitZipped(layout, tiler, divideByLayout), Arrangement::Flat);
}

static std::optional<Reason>
findOverhangAt(const Layout &layout, const Tiler &tiler,
               llvm::SmallVectorImpl<int64_t> &path) {
  if (tiler.isWildcard())
    return std::nullopt;
  if (tiler.isLayout()) {
    if (layout.size().isMultipleOf(tiler.getLayout().size()))
      return std::nullopt;
    return Reason(
        "expected a tile that divides extent " + layout.size().str() +
        (path.empty() ? std::string() : " of mode " + printPath(path)) +
        ", but got " + tiler.getLayout().size().str());
  }
  if (tiler.rank() > layout.rank())
    return rankMismatch(layout, tiler);
  for (unsigned i = 0; i < tiler.rank(); ++i) {
    path.push_back(i);
    if (std::optional<Reason> reason =
            findOverhangAt(layout[i], tiler.getModes()[i], path))
      return reason;
    path.pop_back();
  }
  return std::nullopt;
}

std::optional<Reason> tile::findOverhang(const Layout &layout,
                                         const Tiler &tiler) {
  llvm::SmallVector<int64_t> path;
  return findOverhangAt(layout, tiler, path);
}

Result<Layout> tile::logicalProduct(const Layout &layout, const Tiler &tiler) {
  return splitByMode(layout, tiler, multiplyByLayout);
}

Result<Layout> tile::zippedProduct(const Layout &layout, const Tiler &tiler) {
  return arrange(splitZipped(layout, tiler, multiplyByLayout),
                 Arrangement::Zipped);
}

Result<Layout> tile::tiledProduct(const Layout &layout, const Tiler &tiler) {
  return arrange(splitZipped(layout, tiler, multiplyByLayout),
                 Arrangement::Tiled);
}

Result<Layout> tile::flatProduct(const Layout &layout, const Tiler &tiler) {
  return arrange(splitZipped(layout, tiler, multiplyByLayout),
                 Arrangement::Flat);
}

/// (block, repetitions) with both sides padded to the same rank.
static Result<Split> productOfEqualRanks(const Layout &block,
                                         const Layout &tiler) {
  unsigned rank = std::max(block.rank(), tiler.rank());
  return multiplyByLayout(appendRank(block, rank), appendRank(tiler, rank));
}

static Result<Layout> zipPair(const Layout &first, const Layout &second) {
  if (first.isLeaf() || second.isLeaf())
    return Layout::getConcat({Layout::concat({first, second})});
  return zip(Layout::concat({first, second}));
}

Result<Layout> tile::blockedProduct(const Layout &block, const Layout &tiler) {
  Result<Split> split = productOfEqualRanks(block, tiler);
  if (!split)
    return split.takeReason();
  return zipPair(split->tile, split->rest);
}

Result<Layout> tile::rakedProduct(const Layout &block, const Layout &tiler) {
  Result<Split> split = productOfEqualRanks(block, tiler);
  if (!split)
    return split.takeReason();
  return zipPair(split->rest, split->tile);
}

Result<Layout> tile::tileToShape(const Layout &block, const IntTuple &shape,
                                 const std::optional<IntTuple> &order) {
  if (block.rank() > shape.rank())
    return Reason("expected a shape of at least the rank " +
                  llvm::Twine(block.rank()) + " of the block, but got " +
                  shape.str());
  Result<IntTuple> target = productEach(shape);
  if (!target)
    return target.takeReason();
  Layout padded = appendRank(block, shape.rank());
  llvm::SmallVector<IntTuple, 4> counts;
  for (unsigned i = 0; i < shape.rank(); ++i) {
    Int extent = padded[i].size(), whole = (*target)[i].getInt();
    if (!whole.isMultipleOf(extent))
      return Reason("expected extent of mode " + llvm::Twine(i) +
                    " of the shape to be a multiple of " + extent.str() +
                    ", the extent of the block, but got " + whole.str());
    counts.push_back(floorDiv(whole, extent));
  }
  IntTuple count = shape.isLeaf() ? counts.front() : IntTuple::tuple(counts);
  Result<Layout> tiler =
      order ? makeOrderedLayout(count, *order) : makeLayoutLeft(count);
  if (!tiler)
    return tiler;
  return blockedProduct(padded, *tiler);
}
