// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Encodes tensor maps with the CUDA driver.
#include "CudaDriver.h"
#include "Error.h"
#include "TensorMap.h"

using namespace tile::rt;

/// The driver's number of an element type, -1 where it has none. 8-bit floats
/// are moved as bytes.
static int dataType(TileRtType type) {
  switch (type) {
  case TILE_RT_I8:
  case TILE_RT_F8E4M3FN:
  case TILE_RT_F8E5M2:
    return 0;
  case TILE_RT_I32:
    return 3;
  case TILE_RT_I64:
    return 5;
  case TILE_RT_F16:
    return 6;
  case TILE_RT_F32:
    return 7;
  case TILE_RT_F64:
    return 8;
  case TILE_RT_BF16:
    return 9;
  default:
    return -1;
  }
}

/// The driver's number of a swizzle, -1 where it has none.
static int swizzleNumber(int bytes) {
  switch (bytes) {
  case 0:
    return 0;
  case 32:
    return 1;
  case 64:
    return 2;
  case 128:
    return 3;
  default:
    return -1;
  }
}

std::string tile::rt::encodeCudaTensorMap(const CudaDriver &driver,
                                          void *map128,
                                          const TensorMapFacts &facts) {
  constexpr int interleaveNone = 0, promoteTo128Bytes = 2, fillZero = 0;
  const char *function = facts.im2col ? "cuTensorMapEncodeIm2col"
                                      : "cuTensorMapEncodeTiled";
  bool known = facts.im2col ? driver.TensorMapEncodeIm2col != nullptr
                            : driver.TensorMapEncodeTiled != nullptr;
  if (!known)
    return format("the CUDA driver is too old: it has no function %s",
                  function);
  int type = dataType(facts.type), swizzle = swizzleNumber(facts.swizzleBytes);
  if (type < 0 || swizzle < 0 || facts.rank < 1 || facts.rank > 5)
    return format("expected a tensor map that CUDA knows, but got type %d, "
                  "swizzle %d and rank %d",
                  facts.type, facts.swizzleBytes, facts.rank);
  uint64_t dims[5], strides[5];
  uint32_t box[5], steps[5];
  for (int i = 0; i < facts.rank; ++i) {
    dims[i] = static_cast<uint64_t>(facts.dims[i]);
    box[i] = static_cast<uint32_t>(facts.box[i]);
    steps[i] = 1;
    if (i + 1 < facts.rank)
      strides[i] = static_cast<uint64_t>(facts.strides[i]);
  }
  CuResult result;
  if (facts.im2col) {
    for (int i = 0; i + 2 < facts.rank; ++i)
      steps[i + 1] = static_cast<uint32_t>(facts.traversal[i]);
    result = driver.TensorMapEncodeIm2col(
        map128, type, static_cast<uint32_t>(facts.rank), facts.base, dims,
        strides, facts.lower, facts.upper, box[0], box[1], steps,
        interleaveNone, swizzle, promoteTo128Bytes, fillZero);
  } else {
    result = driver.TensorMapEncodeTiled(
        map128, type, static_cast<uint32_t>(facts.rank), facts.base, dims,
        strides, box, steps, interleaveNone, swizzle, promoteTo128Bytes,
        fillZero);
  }
  if (result == 0)
    return "";
  const char *name = nullptr;
  driver.GetErrorName(result, &name);
  return format("%s failed: %s", function,
                name ? name : format("%d", result).c_str());
}
