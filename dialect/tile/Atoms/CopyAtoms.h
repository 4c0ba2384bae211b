// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The copy instructions of NVIDIA GPUs as data: who reads and who writes what.
#ifndef TILE_ATOMS_COPYATOMS_H
#define TILE_ATOMS_COPYATOMS_H

#include "tile/Layout/Algebra.h"

namespace tile {

// What a copy moves where
// =======================
//
// Three thread-value layouts, as for an mma atom, but they map (thread, value)
// to the number of a bit: the width of a value is the user's business. The
// source layout says which bits a thread points at or holds, the destination
// layout which it receives, and the reference layout is the one of both that a
// tiling of threads and values is stated in (registers, for a matrix load or
// store).
//
// ldmatrix of one 8x8 matrix reads 8 rows of 128 bits. Lanes 0 to 7 point at
// them; the addresses of the others count for nothing, so that these lanes
// stand for the same rows, with stride 0: ((8, 4), 128) : ((128, 0), 1). Each
// lane receives 32 bits of a row: (32, 32) : (32, 1).

/// One instruction.
struct CopyAtom {
  /// CuTe's name: `SM75_U32x4_LDSM_N`, `SM80_CP_ASYNC_CACHEALWAYS<uint128_t>`.
  std::string name;
  /// The first chip that has it; empty where every chip does.
  std::string chip;
  /// The lanes that take part.
  Layout threadLayout;
  /// (thread, value) to bit; after getCopyAtom(name, bits) to value.
  Layout source, destination, reference;
};

/// The atom with a name, in bits.
Result<CopyAtom> getCopyAtom(llvm::StringRef name);
/// The atom with a name, for values of so many bits.
Result<CopyAtom> getCopyAtom(llvm::StringRef name, int64_t valueBits);

} // namespace tile

#endif // TILE_ATOMS_COPYATOMS_H
