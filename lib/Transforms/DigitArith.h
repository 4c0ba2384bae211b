// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers in mixed radix as values: splitting, adding, and what that adds to an
// address.
#ifndef TILE_LIB_TRANSFORMS_DIGITARITH_H
#define TILE_LIB_TRANSFORMS_DIGITARITH_H

#include "IndexArith.h"

#include "tile/Layout/Layout.h"

namespace tile {

// A number is split over modes, the first one fastest; the last digit has the
// whole rest. Each digit has a weight in the address. Adding the digits of a
// second number needs no division:
//
//   extents (5, 3), number 8 = digits (3, 1), plus 4 = digits (4, 0):
//   3 + 4 = 7, minus 5 is 2, carry 1; 1 + 0 + 1 = 2: digits (2, 2) = 12
//
// and the address moves by 4 * w0 + 0 * w1, and for the carry by w1 - 5 * w0.

/// Extents and weights of the digits.
struct DigitModes {
  llvm::SmallVector<mlir::Value> extents, weights;
};

/// Whether a sum of digits times weights fits in 32 bits, whatever the digits
/// are: extents and weights are constants, and small enough.
bool fitsInt32(llvm::ArrayRef<Int> extents, llvm::ArrayRef<Int> weights);

/// An extent to divide by: at least one.
mlir::Value clampExtent(IndexArith arith, mlir::Value extent);

/// The digits of a number.
llvm::SmallVector<mlir::Value>
splitDigits(IndexArith arith, const DigitModes &modes, mlir::Value number);
/// The sum of the digits times their weights.
mlir::Value joinDigits(IndexArith arith, const DigitModes &modes,
                       mlir::ValueRange digits);

/// What adding digits does to an address: first the sum of their weights, then
/// for each digit but the last one what its carry adds.
llvm::SmallVector<mlir::Value> getCarryIncrements(IndexArith arith,
                                                  const DigitModes &modes,
                                                  mlir::ValueRange added);
/// Adds digits, which are less than the extents, to others, and what that is in
/// the address to `address`, an index or an i32.
void addDigits(IndexArith arith, const DigitModes &modes,
               llvm::MutableArrayRef<mlir::Value> digits,
               mlir::ValueRange added, mlir::Value &address,
               mlir::ValueRange increments);

} // namespace tile

#endif // TILE_LIB_TRANSFORMS_DIGITARITH_H
