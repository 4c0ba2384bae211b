// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forms of index expressions that take fewer operations than as they came.
#ifndef TILE_LAYOUT_INDEXARITHMETIC_H
#define TILE_LAYOUT_INDEXARITHMETIC_H

#include "tile/Layout/Int.h"

#include "llvm/ADT/SmallVector.h"

#include <utility>

namespace tile {

/// The terms of a sum with fewer remainders and products. An index that is
/// split along the modes of a layout gives one digit a mode. With shape (3, 5)
/// and stride (5, 1), 5 * (i mod 3) + i floordiv 3 becomes
/// 5 * i - 14 * (i floordiv 3).
llvm::SmallVector<Int> simplifyTerms(llvm::ArrayRef<Int> terms);

/// Two integers with the same exclusive or, and fewer operations where one of
/// them joins a term of the other: with i below 8 and j below 64,
/// (64 * i + j) xor 8 * i is 72 * i xor j.
std::pair<Int, Int> simplifyXor(const Int &lhs, const Int &rhs);

/// Whether the integer is a quotient that is 0 or 1, and costs a comparison: i
/// floordiv 12 for i below 24. Quotients by powers of two are shifts instead.
bool isStep(const Int &integer);

/// About how many operations the integer takes, equal ones counted once.
unsigned countOperations(const Int &integer);

} // namespace tile

#endif // TILE_LAYOUT_INDEXARITHMETIC_H
