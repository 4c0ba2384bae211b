// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of 16 bits on the host.
#include "tile/Jit/Jit.h"

#include "llvm/ADT/APFloat.h"

using namespace tile::jit;
using llvm::APFloat;

static uint16_t narrow(float value, const llvm::fltSemantics &semantics) {
  APFloat number(value);
  bool losesInfo;
  number.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
  return static_cast<uint16_t>(number.bitcastToAPInt().getZExtValue());
}

static float widen(uint16_t bits, const llvm::fltSemantics &semantics) {
  APFloat number(semantics, llvm::APInt(16, bits));
  bool losesInfo;
  number.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return number.convertToFloat();
}

F16::F16(float value) : bits(narrow(value, APFloat::IEEEhalf())) {}
F16::operator float() const { return widen(bits, APFloat::IEEEhalf()); }

BF16::BF16(float value) : bits(narrow(value, APFloat::BFloat())) {}
BF16::operator float() const { return widen(bits, APFloat::BFloat()); }
