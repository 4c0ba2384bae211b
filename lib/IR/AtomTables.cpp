// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types and layouts of the tables of atoms, as attributes have them.
#include "AtomTables.h"

using namespace mlir;
using namespace tile;

std::string tile::getTableName(Type type) {
  if (type.isUnsignedInteger())
    return "u" + std::to_string(type.getIntOrFloatBitWidth());
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return name;
}

Type tile::getStoredType(Type type) {
  if (type.isTF32())
    return Float32Type::get(type.getContext());
  if (type.isUnsignedInteger())
    return IntegerType::get(type.getContext(), type.getIntOrFloatBitWidth());
  return type;
}

Layout tile::toCoordinates(const Layout &layout, int64_t rows, int64_t rowDim) {
  IntTuple stride = layout.getStride().mapLeaves([&](const IntTuple &leaf) {
    int64_t elements = leaf.getInt().getValue();
    if (elements == 0)
      return leaf;
    bool alongRow = elements % rows == 0;
    return IntTuple::basis(Int(alongRow ? elements / rows : elements),
                           {alongRow ? 1 - rowDim : rowDim});
  });
  Result<Layout> result = Layout::get(layout.getShape(), stride);
  return result ? *result : Layout();
}
