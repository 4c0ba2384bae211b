// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atoms repeated over a tile: which elements of it each thread holds.
#ifndef TILE_ATOMS_TILEDATOMS_H
#define TILE_ATOMS_TILEDATOMS_H

#include "tile/Atoms/CopyAtoms.h"
#include "tile/Atoms/MmaAtoms.h"

namespace tile {

// How an atom becomes a tile
// ==========================
//
// Nothing here is more than the layout algebra. A tile is divided by the atom's
// tile, (m, n) = ((atom m, atom n), (rest m, rest n)); the atom's part is
// composed with its thread-value layout; the rest is divided by the arrangement
// of atoms over further threads. What remains are values. Example: m16n8k16 as
// 2 x 2 x 1 atoms, 4 warps, covers 32 x 16 x 16; thread 32 w + l holds of C
// what lane l holds of the atom, moved by 16 rows for w odd and by 8 columns
// for w at least 2:
//
//   ((4, 8, 2, 2), ((2, 2), (1, 1))) : ((64, 1, 16, 256), ((32, 8), (0, 0)))

/// An mma atom over atoms in M, N and K that other threads execute.
struct TiledMma {
  MmaAtom atom;
  /// (lane of the atom, atom m, atom n, atom k) to thread.
  Layout threadLayout;
  /// Extent of the tile along M, N and K.
  int64_t m = 0, n = 0, k = 0;
  /// (thread, value) to the element of the (M, K), (N, K) and (M, N) tile,
  /// counted down the first mode.
  Layout aLayout, bLayout, cLayout;
};

/// A multiply-add of the SIMT units as an atom: one thread, 1 x 1 x 1.
MmaAtom getFmaAtom(llvm::StringRef type);

/// Repeats `atom` over `atoms`, a layout of rank 3 from (atom m, atom n, atom
/// k) to a number of threads' group. `permutation` says how the elements of M,
/// N and K are dealt out, one layout a mode: larger than the atoms it gives a
/// thread more values, in another order than the compact one it permutes; `_`
/// takes what the atoms cover.
Result<TiledMma> getTiledMma(const MmaAtom &atom, const Layout &atoms,
                             const Tiler &permutation);

/// A copy atom over threads and values of a tile.
struct TiledCopy {
  /// In values.
  CopyAtom atom;
  /// The tile, (M, N).
  IntTuple tile;
  int64_t threads = 0;
  /// (thread, value) to element of the tile, counted down the first mode: as it
  /// was asked for, and what each thread reads and writes.
  Layout layout, source, destination;
};

/// Spreads `atom` over the threads and values of a (thread, value) layout of a
/// tile of that shape: that of a tiled mma's operand, for example.
Result<TiledCopy> getTiledCopy(const CopyAtom &atom, const Layout &layout,
                               const IntTuple &tile);
/// The same from an arrangement of threads, (M, N) to thread, each of which has
/// the values of `values`, (M, N) to value, side by side.
Result<TiledCopy> getTiledCopy(const CopyAtom &atom, const Layout &threads,
                               const Layout &values);

} // namespace tile

#endif // TILE_ATOMS_TILEDATOMS_H
