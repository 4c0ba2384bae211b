// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of element types.
#include "ElementType.h"

#include "CublasAbi.h"

#include "llvm/ADT/STLExtras.h"
#include <cstring>

using namespace tile::bench;

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

// CUBLAS_COMPUTE_32F is true float32: TF32 is another compute type.
static const ElementType types[] = {
    {"f32", 4, TILE_RT_F32, kCudaR32F, kCublasCompute32F, kCudaR32F, 0x1p-24,
     0x1p-24, encodeAs<float>, decodeAs<float>},
    {"f64", 8, TILE_RT_F64, kCudaR64F, kCublasCompute64F, kCudaR64F, 0x1p-53,
     0x1p-53, encodeAs<double>, decodeAs<double>},
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
