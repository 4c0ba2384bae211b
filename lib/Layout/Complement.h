// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The complement that divides use.
#ifndef TILE_LIB_LAYOUT_COMPLEMENT_H
#define TILE_LIB_LAYOUT_COMPLEMENT_H

#include "tile/Layout/Algebra.h"

namespace tile::detail {

/// The complement with respect to the size of a shape. Dynamic modes of the
/// shape stay apart where that divides exactly; unlike `complement` with a
/// tuple, nothing is rounded mode by mode.
Result<Layout> complementInSize(const Layout &layout, const IntTuple &shape);

} // namespace tile::detail

#endif // TILE_LIB_LAYOUT_COMPLEMENT_H
