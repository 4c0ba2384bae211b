// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the facts of a tensor map and encodes the simulator's.
#include "TensorMap.h"

#include "../lib/Error.h"

#include <cstring>

using namespace tile::rt;

using Long = long long;

static constexpr int64_t maxExtent = int64_t(1) << 32;
static constexpr int64_t maxStride = int64_t(1) << 40;
static constexpr int32_t maxBox = 256;

std::string tile::rt::checkTensorMap(const TensorMapFacts &facts) {
  int bytes = facts.elementBytes;
  if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)
    return format("expected elements of 1, 2, 4 or 8 bytes, but got %d", bytes);
  if (facts.rank < 1 || facts.rank > 5)
    return format("expected 1 to 5 dimensions, but got %d", facts.rank);
  int swizzle = facts.swizzleBytes;
  if (swizzle != 0 && swizzle != 32 && swizzle != 64 && swizzle != 128)
    return format("expected a swizzle of 0, 32, 64 or 128 bytes, but got %d",
                  swizzle);
  if (reinterpret_cast<uintptr_t>(facts.base) % 16)
    return format("expected a base address that is a multiple of 16, but got "
                  "%p",
                  facts.base);
  for (int i = 0; i < facts.rank; ++i) {
    if (facts.dims[i] < 1 || facts.dims[i] > maxExtent)
      return format("expected an extent of 1 to 2^32 in dimension %d, but got "
                    "%lld",
                    i, Long(facts.dims[i]));
    if (facts.box[i] < 1 || facts.box[i] > maxBox)
      return format("expected a box of 1 to %d in dimension %d, but got %d",
                    maxBox, i, facts.box[i]);
  }
  for (int i = 1; i < facts.rank; ++i) {
    int64_t stride = facts.strides[i - 1];
    if (stride < 0 || stride >= maxStride || stride % 16)
      return format("expected a stride that is a multiple of 16 and less than "
                    "2^40 bytes in dimension %d, but got %lld",
                    i, Long(stride));
  }
  int64_t inner = int64_t(facts.box[0]) * bytes;
  if (inner % 16)
    return format("expected a box whose rows are a multiple of 16 bytes, but "
                  "got %lld",
                  Long(inner));
  if (swizzle && inner > swizzle)
    return format("expected box rows of at most %d bytes for the swizzle, but "
                  "got %lld",
                  swizzle, Long(inner));
  return "";
}

std::string tile::rt::encodeSimTensorMap(void *map128,
                                         const TensorMapFacts &facts) {
  std::string reason = checkTensorMap(facts);
  if (!reason.empty())
    return reason;
  SimTensorMap map;
  std::memset(&map, 0, sizeof(map));
  map.magic = SimTensorMap::theMagic;
  map.base = reinterpret_cast<uint64_t>(facts.base);
  for (int i = 0; i < 5; ++i) {
    map.dims[i] = i < facts.rank ? facts.dims[i] : 1;
    map.box[i] = i < facts.rank ? facts.box[i] : 1;
  }
  for (int i = 0; i + 1 < facts.rank; ++i)
    map.strides[i] = facts.strides[i];
  map.elementBytes = static_cast<uint8_t>(facts.elementBytes);
  map.rank = static_cast<uint8_t>(facts.rank);
  map.swizzleBytes = static_cast<uint8_t>(facts.swizzleBytes);
  std::memcpy(map128, &map, sizeof(map));
  return "";
}
