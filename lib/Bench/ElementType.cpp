// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of element types.
#include "ElementType.h"

#include "CublasAbi.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>
#include <vector>

using namespace tile::bench;
using llvm::APFloat;
using llvm::APFloatBase;

template <class T>
static double encodeAs(double value, void *to) {
  T rounded = static_cast<T>(value);
  std::memcpy(to, &rounded, sizeof(T));
  return rounded;
}

template <class T>
static double decodeAs(const void *from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

using Semantics = const llvm::fltSemantics &();

/// Types that C++ lacks, by LLVM's arithmetic.
template <Semantics semantics, class Bits>
static double encodeBits(double value, void *to) {
  APFloat number(value);
  bool inexact = false;
  number.convert(semantics(), APFloat::rmNearestTiesToEven, &inexact);
  Bits bits = static_cast<Bits>(number.bitcastToAPInt().getZExtValue());
  std::memcpy(to, &bits, sizeof(Bits));
  return number.convertToDouble();
}

/// A table: results have hundreds of millions of elements.
template <Semantics semantics, class Bits>
static double decodeBits(const void *from) {
  static const std::vector<double> values = [] {
    unsigned width = 8 * sizeof(Bits);
    std::vector<double> result(size_t(1) << width);
    for (size_t i = 0; i < result.size(); ++i)
      result[i] = APFloat(semantics(), llvm::APInt(width, i)).convertToDouble();
    return result;
  }();
  Bits bits;
  std::memcpy(&bits, from, sizeof(Bits));
  return values[bits];
}

// CUBLAS_COMPUTE_32F is true float32: TF32 is another compute type.
static const ElementType types[] = {
    {"f32", 4, kCudaR32F, kCublasCompute32F, kCudaR32F, 0x1p-24, 0x1p-24,
     encodeAs<float>, decodeAs<float>},
    {"f64", 8, kCudaR64F, kCublasCompute64F, kCudaR64F, 0x1p-53, 0x1p-53,
     encodeAs<double>, decodeAs<double>},
    {"f16", 2, kCudaR16F, kCublasCompute32F, kCudaR32F, 0x1p-24, 0x1p-11,
     encodeBits<APFloatBase::IEEEhalf, uint16_t>,
     decodeBits<APFloatBase::IEEEhalf, uint16_t>},
    {"bf16", 2, kCudaR16BF, kCublasCompute32F, kCudaR32F, 0x1p-24, 0x1p-8,
     encodeBits<APFloatBase::BFloat, uint16_t>,
     decodeBits<APFloatBase::BFloat, uint16_t>},
    {"f8E4M3FN", 1, kCudaR8FE4M3, kCublasCompute32F, kCudaR32F, 0x1p-14, 0x1p-4,
     encodeBits<APFloatBase::Float8E4M3FN, uint8_t>,
     decodeBits<APFloatBase::Float8E4M3FN, uint8_t>},
    {"f8E5M2", 1, kCudaR8FE5M2, kCublasCompute32F, kCudaR32F, 0x1p-14, 0x1p-3,
     encodeBits<APFloatBase::Float8E5M2, uint8_t>,
     decodeBits<APFloatBase::Float8E5M2, uint8_t>},
};

const ElementType *tile::bench::findElementType(llvm::StringRef name) {
  for (const ElementType &type : types)
    if (type.name == name)
      return &type;
  return nullptr;
}

std::string tile::bench::listElementTypes() {
  std::string names;
  for (const ElementType &type : types)
    names += (names.empty() ? "" : ", ") + type.name.str();
  return names;
}

TileRtType ElementType::runtime() const {
  // By name, so that the runtime's list may grow without this one.
  for (int i = 0; i < 64; ++i) {
    const char *known = tileRtTypeName(static_cast<TileRtType>(i));
    if (known && name == known)
      return static_cast<TileRtType>(i);
  }
  return TILE_RT_TYPE_MAX;
}
