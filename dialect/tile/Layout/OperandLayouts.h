// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shared-memory layouts of operands that CUTLASS 2.x has names for.
#ifndef TILE_LAYOUT_OPERANDLAYOUTS_H
#define TILE_LAYOUT_OPERANDLAYOUTS_H

#include "tile/Layout/Swizzle.h"

namespace tile {

// Each of them is a layout behind a swizzle. The layout says which neighbours
// lie in a row of shared memory, the swizzle spreads what lies in one column
// over the banks.
//
//   TensorOpMultiplicandCrosswise<16, 32>, 64 columns by 8 rows, a pitch of 64
//   elements: sections of 32 elements; two rows of a section share 128 bytes.
//
//     S<2, 3, 4> o 0 o ((32, 2), (2, 4)) : ((1, 64), (32, 128))
//
// A swizzle takes its bits from the offset. Where the pitch is not a power of
// two, as with three stages side by side, the number of the row is not bits of
// the offset. A first layout then puts the lines of 128 bytes of all rows one
// behind the other, where a swizzle can act, and a second one puts the lines in
// place. Layouts whose swizzle takes bits from two places have two swizzles. So
// the general form is a list of layouts, each applied to the values of the one
// before; `permute` of a tile iterator is one.
//
//   The same with a pitch of 96, 96 columns:
//
//     S<2, 3, 3> o 0 o ((32, 3), (2, 4)) : ((1, 256), (32, 64)),
//     (64, 4, 3) : (1, 192, 64)

/// Layouts that are applied one after the other; the first one to the
/// coordinate (contiguous, strided), the last one gives the offset in elements.
using LayoutChain = llvm::SmallVector<ComposedLayout, 3>;

/// The value of a static chain.
int64_t evaluate(llvm::ArrayRef<ComposedLayout> chain, int64_t contiguous,
                 int64_t strided);

enum class OperandLayout {
  /// TensorOpMultiplicand<bits, section>, and Congruous and Crosswise, which
  /// are the same function.
  TensorOp,
  /// TensorOpMultiplicandCongruous<32, 32>, …Congruous64b and …128b.
  Congruous32,
  Congruous64,
  Congruous128,
  /// TensorOpMultiplicand64bCrosswise, TensorOpMultiplicandCrosswise128x4.
  Crosswise64,
  Crosswise128x4,
  /// TensorOpMultiplicandRowMajorInterleaved<8, 32>.
  RowInterleaved,
  /// VoltaTensorOpMultiplicandCongruous<16>, …BCongruous<16>,
  /// …Crosswise<16, 32>.
  VoltaCongruous,
  VoltaCongruousB,
  VoltaCrosswise
};

/// What is laid out: extents and pitch in elements.
struct OperandShape {
  int64_t contiguous = 0, strided = 0, pitch = 0;
  /// Of TensorOp only: bits of an element, and elements of a section of the
  /// contiguous dimension.
  int64_t bits = 0, section = 0;
};

/// The chain of a layout. The reason says which extent does not fit.
Result<LayoutChain> getOperandLayout(OperandLayout kind,
                                     const OperandShape &shape);

} // namespace tile

#endif // TILE_LAYOUT_OPERANDLAYOUTS_H
