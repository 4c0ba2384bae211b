// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How warps fetch operands of tensor cores from swizzled shared memory.
#ifndef TILE_IR_OPERANDMAPS_H
#define TILE_IR_OPERANDMAPS_H

#include "tile/IR/ThreadMap.h"

namespace tile {

// An operand is a matrix (mn, k): the rows of A or the columns of B, and what
// is summed over. In shared memory one of the two is contiguous. CUTLASS's
// TensorOpMultiplicand layouts cut it into lines of 128 bytes, and swizzle the
// 16-byte vectors of a line by the number of the line, so that the eight rows
// of a matrix that ldmatrix reads lie in different banks.
//
// That is a view of three modes, (line, section, element of a line), a map of
// coordinates from (mn, k) to them, and an xor of bits of the line into the
// last coordinate. With 16 bits and 64 contiguous elements in a line, vector v
// of line l is at v xor l mod 8:
//
//   view (lines, 1, 64) : (64, 64, 1),  c -> 1@2,  s -> 1@0,  xor = [3, 3, 0,
//   0]
//
// With 32 elements two rows share a line, and vector v of row s is vector
// (v + 4 (s mod 2)) xor (s / 2) mod 4 of line s / 2.

/// A tile of an operand in shared memory.
struct SharedOperand {
  /// The view.
  llvm::SmallVector<int64_t, 3> shape, stride;
  /// From (contiguous, strided) to the view.
  Layout coords;
  /// See `!tile.iterator`.
  llvm::SmallVector<int64_t, 8> xorBits;
};

/// The layouts TensorOpMultiplicandCongruous and …Crosswise<bits, line> of
/// elements of 4 to 32 bits; `line` elements of a row are in one line. `pitch`
/// are the elements from one row to the next.
Result<SharedOperand> getTensorOpOperand(int64_t bits, int64_t line,
                                         int64_t contiguous, int64_t strided,
                                         int64_t pitch);
/// TensorOpMultiplicandCongruous<32, 32>, for operands that are fetched element
/// by element.
Result<SharedOperand> getCongruous32Operand(int64_t contiguous, int64_t strided,
                                            int64_t pitch);
/// TensorOpMultiplicandCongruous64b and …64bCrosswise, from (mn, k); `pitch` is
/// along k.
Result<SharedOperand> getOperand64(bool isCrosswise, int64_t mn, int64_t k,
                                   int64_t pitch);

/// What one warp fetches for one instruction along k.
struct OperandFetch {
  /// Operand A, or B.
  bool isA = true;
  /// K is contiguous in shared memory, or M (N).
  bool isCrosswise = true;
  int64_t bits = 16;
  /// Extents of the warp's tile, (mn, k) with k that of an instruction.
  int64_t mn = 0, k = 0;
};

/// The 16-byte rows that lanes supply to ldmatrix (transposing if K is not
/// contiguous), as a map (lane, (element of a row, instruction)) -> (mn, k).
Result<AccessPattern> getLdmatrixFetch(const OperandFetch &fetch);
/// The elements that lanes load one by one, of operands of 32 and 64 bits.
Result<AccessPattern> getElementFetch(const OperandFetch &fetch);

} // namespace tile

#endif // TILE_IR_OPERANDMAPS_H
