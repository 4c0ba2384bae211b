// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers in mixed radix as values.
#include "DigitArith.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tile;
using Arith = IndexArith;

bool tile::fitsInt32(ArrayRef<Int> extents, ArrayRef<Int> weights) {
  int64_t largest = 0;
  for (auto [extent, weight] : llvm::zip_equal(extents, weights)) {
    if (!extent.isStatic() || !weight.isStatic())
      return false;
    int64_t last, sum;
    if (llvm::MulOverflow(extent.getValue(), weight.getValue(), last) ||
        last == std::numeric_limits<int64_t>::min() ||
        llvm::AddOverflow(largest, std::abs(last), sum))
      return false;
    largest = sum;
  }
  return largest <= std::numeric_limits<int32_t>::max();
}

Value tile::clampExtent(Arith arith, Value extent) {
  return arith.fold<arith::MaxUIOp>(extent, arith.constant(1));
}

SmallVector<Value> tile::splitDigits(Arith arith, const DigitModes &modes,
                                     Value number) {
  SmallVector<Value> digits;
  for (Value extent : ArrayRef<Value>(modes.extents).drop_back()) {
    extent = clampExtent(arith, extent);
    digits.push_back(arith.fold<arith::RemUIOp>(number, extent));
    number = arith.fold<arith::DivUIOp>(number, extent);
  }
  digits.push_back(number);
  return digits;
}

Value tile::joinDigits(Arith arith, const DigitModes &modes,
                       ValueRange digits) {
  Value address = arith.constant(0);
  for (auto [digit, weight] : llvm::zip_equal(digits, modes.weights))
    address = arith.add(address, arith.mul(digit, weight));
  return address;
}

SmallVector<Value> tile::getCarryIncrements(Arith arith,
                                            const DigitModes &modes,
                                            ValueRange added) {
  SmallVector<Value> increments{joinDigits(arith, modes, added)};
  for (size_t i = 0; i + 1 < modes.extents.size(); ++i)
    increments.push_back(arith.fold<arith::SubIOp>(
        modes.weights[i + 1],
        arith.mul(clampExtent(arith, modes.extents[i]), modes.weights[i])));
  return increments;
}

void tile::addDigits(Arith arith, const DigitModes &modes,
                     MutableArrayRef<Value> digits, ValueRange added,
                     Value &address, ValueRange increments) {
  Value zero = arith.constant(0), one = arith.constant(1), carry;
  Type type = address.getType();
  address = arith.add(address, arith.truncate(increments[0], type));
  for (size_t i = 0; i < digits.size(); ++i) {
    Value sum = arith.add(digits[i], added[i]);
    if (carry)
      sum = arith.add(sum, arith.select(carry, one, zero));
    if (i + 1 < digits.size()) {
      Value extent = clampExtent(arith, modes.extents[i]);
      carry = arith.fold<arith::CmpIOp>(arith::CmpIPredicate::uge, sum, extent);
      sum = arith.select(carry, arith.fold<arith::SubIOp>(sum, extent), sum);
      address = arith.add(
          address, arith.select(carry, arith.truncate(increments[1 + i], type),
                                arith.truncate(zero, type)));
    }
    digits[i] = sum;
  }
}
