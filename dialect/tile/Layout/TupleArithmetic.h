// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic and comparisons of nested integer tuples.
#ifndef TILE_LAYOUT_TUPLEARITHMETIC_H
#define TILE_LAYOUT_TUPLEARITHMETIC_H

#include "tile/Layout/IntTuple.h"

namespace tile {

/// The product of all leaves; 1 for the empty tuple. Wildcards and basis
/// leaves are refused.
Result<Int> product(const IntTuple &tuple);
/// The product of each mode: (4, (2, 3)) gives (4, 6). A leaf stays.
Result<IntTuple> productEach(const IntTuple &tuple);
/// The sum of all leaves.
Result<Int> sum(const IntTuple &tuple);
/// Sum over the leaves of the products; the tuples must be congruent.
Result<Int> innerProduct(const IntTuple &lhs, const IntTuple &rhs);

/// Leaf by leaf. `lhs` may be deeper than `rhs`, never the other way round.
/// elem_scale multiplies a tuple by the one number that stands for it:
/// elemScale((2, 3), (4, 5)) is (8, 15), elemScale(2, (3, 4)) is 24.
Result<IntTuple> elemScale(const IntTuple &lhs, const IntTuple &rhs);

/// Division that takes a number out of a tuple from the left:
/// ceilDiv((7, 9), (2, 4)) is (4, 3); ceilDiv((4, 8), 8) is (1, 4).
Result<IntTuple> ceilDiv(const IntTuple &lhs, const IntTuple &rhs);
/// The same where every step must divide exactly, one way or the other:
/// shapeDiv((4, (2, 3)), 8) is (1, (1, 3)), shapeDiv(6, 4) is refused.
Result<IntTuple> shapeDiv(const IntTuple &lhs, const IntTuple &rhs);

/// The same nesting.
bool isCongruent(const IntTuple &lhs, const IntTuple &rhs);
/// The nesting of `lhs` or deeper: a leaf is weakly congruent to anything.
bool isWeaklyCongruent(const IntTuple &lhs, const IntTuple &rhs);
/// `rhs` refines `lhs`: wherever `lhs` has a leaf, `rhs` has a tuple of that
/// size, so that every coordinate of `lhs` is one of `rhs`. False where
/// symbols leave it open.
bool isCompatible(const IntTuple &lhs, const IntTuple &rhs);
/// Every leaf (or size of a mode) of `rhs` divides that of `lhs`, by size
/// where `rhs` has the coarser nesting.
bool evenlyDivides(const IntTuple &lhs, const IntTuple &rhs);

/// True when every leaf of `lhs` is less than that of `rhs` (an identity
/// layout's coordinate against the extents: the predicate of an access).
/// Needs constants; `elemPairs` serves symbols.
Result<bool> elemLess(const IntTuple &lhs, const IntTuple &rhs);
/// The pairs of leaves that an elementwise comparison looks at. Where `lhs`
/// has a number and `rhs` a tuple, the size of the tuple is compared. Modes
/// of `rhs` beyond the rank of `lhs` are not compared; `_` leaves neither.
Result<llvm::SmallVector<std::pair<Int, Int>>> elemPairs(const IntTuple &lhs,
                                                         const IntTuple &rhs);

/// Mode surgery. Indices out of range are refused with the rank.
Result<IntTuple> getMode(const IntTuple &tuple, llvm::ArrayRef<int64_t> path);
Result<IntTuple> take(const IntTuple &tuple, int64_t begin, int64_t end);
Result<IntTuple> select(const IntTuple &tuple, llvm::ArrayRef<int64_t> modes);
Result<IntTuple> groupModes(const IntTuple &tuple, int64_t begin, int64_t end);
Result<IntTuple> replaceMode(const IntTuple &tuple, int64_t index,
                             const IntTuple &mode);
IntTuple append(const IntTuple &tuple, const IntTuple &mode);
IntTuple prepend(const IntTuple &tuple, const IntTuple &mode);
/// The modes in opposite order (not those inside a mode).
IntTuple reverseModes(const IntTuple &tuple);
/// ((a, b), (c, d)) becomes ((a, c), (b, d)).
Result<IntTuple> zip(const IntTuple &tuple);
/// A flat tuple rearranged into the nesting of `profile`.
Result<IntTuple> unflatten(const IntTuple &tuple, const IntTuple &profile);

/// The modes under the wildcards of `coordinate`, as a tuple: slice of
/// (2, (3, 4), 5) by (_, (2, _), 3) is (2, 4). A bare `_` keeps everything.
Result<IntTuple> slice(const IntTuple &coordinate, const IntTuple &tuple);
/// The modes that have a number instead of a wildcard.
Result<IntTuple> dice(const IntTuple &coordinate, const IntTuple &tuple);

} // namespace tile

#endif // TILE_LAYOUT_TUPLEARITHMETIC_H
