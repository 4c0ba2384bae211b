// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A copy atom over threads and values: thread-value layouts of the whole tile.
#include "tile/Atoms/TiledAtoms.h"

using namespace tile;

/// (thread, value) to element, for a side of the atom: the atom's threads and
/// values are cut out of `layout`, seen as that side sees them, and put in
/// again.
static Result<Layout> getSide(const CopyAtom &atom, const Layout &layout,
                              const IntTuple &tile, const Layout &side) {
  // The side's (thread, value) to the number of the reference's.
  Result<Layout> inverse = rightInverse(atom.reference);
  if (!inverse)
    return inverse;
  Result<Layout> toReference = composition(*inverse, side);
  if (!toReference)
    return toReference;
  // ((thread, value), (rest of the threads, rest of the values)).
  Result<Tiler> tiler = Tiler::fromShape(
      IntTuple::tuple({atom.reference[0].size(), atom.reference[1].size()}));
  if (!tiler)
    return tiler.takeReason();
  Result<Layout> elements = zippedDivide(layout, *tiler);
  if (!elements)
    return elements;
  elements =
      composition(*elements, Tiler::byMode({*toReference, Tiler::wildcard()}));
  if (!elements)
    return elements;
  // ((thread, rest), (value, rest)).
  elements = zip(*elements);
  if (!elements)
    return elements;
  elements = coalesce(*elements, *IntTuple::parse("(1, (1, 1))"));
  if (!elements)
    return elements;
  Result<Layout> numbers = Layout::compact(tile);
  return numbers ? composition(*numbers, *elements) : numbers;
}

Result<TiledCopy> tile::getTiledCopy(const CopyAtom &atom, const Layout &layout,
                                     const IntTuple &tile) {
  if (layout.rank() != 2 || !layout.isStatic())
    return Reason("expected a constant layout of (thread, value), but got " +
                  layout.str());
  const int64_t have[] = {layout[0].size().getValue(),
                          layout[1].size().getValue()};
  const char *const names[] = {"threads", "values"};
  for (unsigned i = 0; i < 2; ++i) {
    int64_t need = atom.reference[i].size().getValue();
    if (have[i] % need)
      return Reason(llvm::Twine("expected a multiple of the ") +
                    llvm::Twine(need) + " " + names[i] + " of " + atom.name +
                    ", but got " + llvm::Twine(have[i]));
  }
  TiledCopy copy{atom, tile, have[0], layout, {}, {}};
  const std::pair<const Layout *, Layout *> sides[] = {
      {&atom.source, &copy.source}, {&atom.destination, &copy.destination}};
  for (auto [side, result] : sides) {
    Result<Layout> elements = getSide(atom, layout, tile, *side);
    if (!elements)
      return elements.takeReason();
    *result = *elements;
  }
  return copy;
}

Result<TiledCopy> tile::getTiledCopy(const CopyAtom &atom,
                                     const Layout &threads,
                                     const Layout &values) {
  Result<Layout> tile = rakedProduct(threads, values);
  if (!tile)
    return tile.takeReason();
  Result<Layout> layout = rightInverse(*tile);
  if (!layout)
    return layout.takeReason();
  layout = withShape(*layout, IntTuple::tuple({threads.size(), values.size()}));
  if (!layout)
    return layout.takeReason();
  llvm::SmallVector<IntTuple, 2> extents;
  for (unsigned i = 0; i < tile->rank(); ++i)
    extents.push_back((*tile)[i].size());
  return getTiledCopy(atom, *layout, IntTuple::tuple(extents));
}
