// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which bits the values of a layout can have, and what a swizzle does to them.
#include "SwizzleBits.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace tile;
using namespace tile::detail;

/// All bits from the lowest one of `low` to the highest one of `high`.
static uint64_t fill(uint64_t low, uint64_t high) {
  if (!high)
    return 0;
  return llvm::maskTrailingOnes<uint64_t>(llvm::bit_width(high)) &
         (~uint64_t(0) << llvm::countr_zero(low));
}

BitSet BitSet::operator+(BitSet other) const {
  uint64_t both = mask | other.mask;
  if (!(mask & other.mask))
    return BitSet(both);
  uint64_t sum = mask + other.mask;
  return BitSet(fill(both, sum < mask ? ~uint64_t(0) : both | sum));
}

BitSet detail::getBits(const Int &integer) {
  if (integer.isStatic())
    return BitSet(uint64_t(integer.getValue()));
  if (integer.isInvalid())
    return BitSet(~uint64_t(0));
  uint64_t high =
      integer.getLower() < 0 ? ~uint64_t(0) : uint64_t(integer.getUpper());
  return BitSet(fill(uint64_t(integer.getDivisor()), high));
}

BitSet detail::getBits(const LeafMode &mode) {
  const Int &stride = mode.stride.getInt();
  Int last = mode.extent - Int(1);
  // Multiples of a power of two: every bit below the highest one of the index.
  if (stride.isStatic() && stride.getValue() > 0 && last.isStatic() &&
      last.getValue() >= 0 && llvm::isPowerOf2_64(stride.getValue())) {
    uint64_t index = fill(1, uint64_t(last.getValue()));
    if (llvm::bit_width(index) + llvm::Log2_64(stride.getValue()) < 63)
      return BitSet(index * uint64_t(stride.getValue()));
  }
  Int top = last * stride;
  if (top.isStatic(0))
    return BitSet();
  if (top.isInvalid() || stride.getLower() < 0)
    return BitSet(fill(uint64_t(stride.getDivisor()), ~uint64_t(0)));
  return BitSet(fill(uint64_t(stride.getDivisor()), uint64_t(top.getUpper())));
}

BitSet detail::getBits(const ComposedLayout &layout) {
  BitSet bits = getBits(layout.getOffset());
  for (const LeafMode &mode : layout.getLayout().getLeafModes())
    bits = bits + getBits(mode);
  return bits;
}

bool detail::addsUnder(const Swizzle &swizzle, BitSet x, BitSet y) {
  // A swizzle is linear over xor, and what does not carry is an xor.
  auto swizzled = [&](BitSet bits) {
    uint64_t source = bits.getMask() & uint64_t(swizzle.getSourceMask());
    int64_t shift = swizzle.getShift();
    return bits.getMask() | (shift >= 0 ? source >> shift : source << -shift);
  };
  return !(x.getMask() & y.getMask()) && !(swizzled(x) & swizzled(y));
}
