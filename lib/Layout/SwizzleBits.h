// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which bits the values of a layout can have, and what a swizzle does to them.
#ifndef TILE_LIB_LAYOUT_SWIZZLEBITS_H
#define TILE_LIB_LAYOUT_SWIZZLEBITS_H

#include "tile/Layout/ComposedAlgebra.h"

namespace tile::detail {

/// The bits that an integer can have: those outside of the mask are 0 in every
/// run.
class BitSet {
public:
  BitSet() = default;
  explicit BitSet(uint64_t mask) : mask(mask) {}

  uint64_t getMask() const { return mask; }
  bool contains(int64_t bit) const { return mask >> bit & 1; }
  /// The bits of a sum; where both have a bit, it carries upwards.
  BitSet operator+(BitSet other) const;

private:
  uint64_t mask = 0;
};

BitSet getBits(const Int &integer);
/// The bits of index * stride for an index below the extent.
BitSet getBits(const LeafMode &mode);
/// The bits of the integers that reach the swizzle of a layout.
BitSet getBits(const ComposedLayout &layout);

/// Whether S(x + y) = S(x) + S(y) for all integers with these bits: neither the
/// sum nor the sum of the swizzled integers carries.
bool addsUnder(const Swizzle &swizzle, BitSet x, BitSet y);

/// A layout of constants with another swizzle on the outside, the same values
/// and the same profile, if there is one.
std::optional<ComposedLayout> rewrite(const ComposedLayout &layout,
                                      const Swizzle &outer);
/// The plain layout i -> layout(i) - layout(0), if there is one with the same
/// profile: where the swizzle reads zeros only, and of constants also where it
/// is linear.
std::optional<Layout> makePlain(const ComposedLayout &layout);

} // namespace tile::detail

#endif // TILE_LIB_LAYOUT_SWIZZLEBITS_H
