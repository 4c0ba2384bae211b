// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Enumerating the wgmma atoms, which are given by formulas.
#ifndef TILE_LIB_ATOMS_WGMMAATOMS_H
#define TILE_LIB_ATOMS_WGMMAATOMS_H

#include "tile/Atoms/MmaAtoms.h"

namespace tile {

/// Visits all shapes until `visit` returns false.
void forEachWgmma(llvm::function_ref<bool(const WgmmaShape &)> visit);

/// The name of the atom of a valid shape.
std::string getWgmmaName(const WgmmaShape &shape);

} // namespace tile

#endif // TILE_LIB_ATOMS_WGMMAATOMS_H
