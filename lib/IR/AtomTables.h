// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Between the tables of atoms, which are plain C++, and atoms as attributes.
#ifndef TILE_LIB_IR_ATOMTABLES_H
#define TILE_LIB_IR_ATOMTABLES_H

#include "tile/IR/Tile.h"

namespace tile {

/// A type as the tables of atoms spell it: u8 for ui8.
std::string getTableName(mlir::Type type);

/// What memory and registers hold of an operand: f32 of tf32, i8 of ui8.
mlir::Type getStoredType(mlir::Type type);

/// A layout to elements numbered down a tile of `rows` rows as one to its
/// coordinates, where rows are dimension `rowDim`. In the tables each stride
/// leads along one of the two.
Layout toCoordinates(const Layout &layout, int64_t rows, int64_t rowDim);

} // namespace tile

#endif // TILE_LIB_IR_ATOMTABLES_H
