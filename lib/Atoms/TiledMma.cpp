// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An mma atom over several atoms: thread-value layouts of the whole tile.
#include "tile/Atoms/TiledAtoms.h"
#include <array>

using namespace tile;
using llvm::StringRef;

MmaAtom tile::getFmaAtom(StringRef type) {
  MmaAtom atom;
  atom.name = ("UniversalFMA<" + type + ">").str();
  atom.m = atom.n = atom.k = atom.threads = 1;
  atom.a = atom.b = atom.c = type.str();
  Layout one = Layout::concat({Layout(), Layout()});
  atom.aLayout = atom.bLayout = atom.cLayout = one;
  return atom;
}

namespace {
/// One operand: the numbers of its two modes of M, N and K, and the atom's
/// layout.
struct Operand {
  unsigned first, second;
  const Layout &atomLayout;
};
} // namespace

static Layout getCompact(int64_t extent) { return *Layout::compact(extent); }

static std::array<int64_t, 3> getExtents(const MmaAtom &atom) {
  return {atom.m, atom.n, atom.k};
}

/// ((lane, (atoms, atoms)), (values of the atom, (rest, rest))) of a tile, as
/// the element number of each. `threads` is (lane, atom m, atom n, atom k) to
/// thread.
static Result<Layout> partition(const MmaAtom &atom, const Operand &operand,
                                const Layout &tile, const Tiler &permutation,
                                const Layout &threads) {
  Result<Layout> elements = logicalDivide(
      tile, Tiler::byMode({permutation.getModes()[operand.first],
                           permutation.getModes()[operand.second]}));
  if (!elements)
    return elements;
  std::array<int64_t, 3> extents = getExtents(atom);
  elements = zippedDivide(*elements,
                          Tiler::byMode({getCompact(extents[operand.first]),
                                         getCompact(extents[operand.second])}));
  if (!elements)
    return elements;
  elements = composition(
      *elements, Tiler::byMode({operand.atomLayout, Tiler::wildcard()}));
  if (!elements)
    return elements;
  // Mode 0 of the threads is the lane, 1 to 3 are the atoms along M, N and K.
  auto getAtoms = [&](unsigned mode) {
    return getCompact(threads[mode + 1].size().getValue());
  };
  Result<Layout> rest = zippedDivide(
      (*elements)[1],
      Tiler::byMode({getAtoms(operand.first), getAtoms(operand.second)}));
  if (!rest)
    return rest;
  // ((lane, value), (atoms, rest)) becomes ((lane, atoms), (value, rest)).
  return zip(Layout::concat({(*elements)[0], *rest}));
}

/// From the number of (lane, atom m, atom n, atom k) to the operand's (lane,
/// (atoms, atoms)): atoms along the mode that the operand has not hold the same
/// elements.
static Tiler broadcastAtoms(const Operand &operand, const Layout &threads) {
  auto getPair = [&](unsigned mode, bool first) {
    return *Layout::get(
        IntTuple::tuple({threads[mode].size(), threads[mode + 1].size()}),
        IntTuple::constants({first, !first}));
  };
  Tiler keep = Tiler::wildcard();
  if (operand.first == 0 && operand.second == 1) // K is missing, behind N
    return Tiler::byMode({keep, Tiler::byMode({keep, getPair(2, true)})});
  return Tiler::byMode(
      {keep, Tiler::byMode({getPair(1, operand.first == 0), keep})});
}

static Result<Layout> getOperandLayout(const TiledMma &mma,
                                       const Operand &operand,
                                       const Tiler &permutation) {
  std::array<int64_t, 3> extents = {mma.m, mma.n, mma.k};
  Result<Layout> tile = Layout::compact(
      IntTuple::constants({extents[operand.first], extents[operand.second]}));
  if (!tile)
    return tile;
  const Layout &threads = mma.threadLayout;
  Result<Layout> layout =
      partition(mma.atom, operand, *tile, permutation, threads);
  if (!layout)
    return layout;
  layout = composition(*layout, Tiler::byMode({broadcastAtoms(operand, threads),
                                               Tiler::wildcard()}));
  if (!layout)
    return layout;
  Result<Layout> numbers = rightInverse(threads);
  if (!numbers)
    return numbers;
  return composition(*layout, Tiler::byMode({*numbers, Tiler::wildcard()}));
}

/// What a mode of the tile extends to: what the atoms cover, or the
/// permutation.
static int64_t getExtent(int64_t covered, const Tiler &permutation) {
  return permutation.isWildcard() ? covered
                                  : permutation.getLayout().size().getValue();
}

static std::optional<Reason> checkTiledMma(const MmaAtom &atom,
                                           const Layout &atoms,
                                           const Tiler &permutation) {
  if (atoms.rank() != 3 || !atoms.isStatic())
    return Reason(
        "expected a constant layout of atoms along M, N and K, but got " +
        atoms.str());
  if (!permutation.isByMode() || permutation.rank() != 3)
    return Reason(
        "expected a permutation with a mode for M, N and K, but got " +
        permutation.str());
  std::array<int64_t, 3> extents = getExtents(atom);
  for (unsigned i = 0; i < 3; ++i) {
    const Tiler &mode = permutation.getModes()[i];
    if (mode.isByMode() || (mode.isLayout() && !mode.getLayout().isStatic()))
      return Reason("expected a constant layout or _ as mode " +
                    llvm::Twine(i) + " of the permutation, but got " +
                    mode.str());
    int64_t covered = extents[i] * atoms[i].size().getValue();
    if (getExtent(covered, mode) % covered)
      return Reason("expected mode " + llvm::Twine(i) +
                    " of the permutation to be a multiple of the " +
                    llvm::Twine(covered) +
                    " elements that the atoms cover, but got " +
                    llvm::Twine(getExtent(covered, mode)));
  }
  return std::nullopt;
}

Result<TiledMma> tile::getTiledMma(const MmaAtom &atom, const Layout &atoms,
                                   const Tiler &permutation) {
  if (std::optional<Reason> reason = checkTiledMma(atom, atoms, permutation))
    return *reason;
  TiledMma mma;
  mma.atom = atom;
  Result<Layout> threads = tiledProduct(atom.threadLayout, atoms);
  if (!threads)
    return threads.takeReason();
  mma.threadLayout = *threads;
  int64_t *const tile[] = {&mma.m, &mma.n, &mma.k};
  for (unsigned i = 0; i < 3; ++i)
    *tile[i] = getExtent(getExtents(atom)[i] * atoms[i].size().getValue(),
                         permutation.getModes()[i]);
  const std::pair<Operand, Layout *> operands[] = {
      {{0, 2, atom.aLayout}, &mma.aLayout},
      {{1, 2, atom.bLayout}, &mma.bLayout},
      {{0, 1, atom.cLayout}, &mma.cLayout}};
  for (const auto &[operand, result] : operands) {
    Result<Layout> layout = getOperandLayout(mma, operand, permutation);
    if (!layout)
      return layout.takeReason();
    *result = *layout;
  }
  return mma;
}
