// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the facts of a tensor map and encodes the simulator's.
#include "TensorMap.h"

#include "../lib/Error.h"
#include "tile/Atoms/TensorMapRules.h"

#include <cstring>

using namespace tile;
using namespace tile::rt;

using Long = long long;

/// What cuTensorMapEncodeIm2col documents of the corners of a box of pixels.
static std::string checkPixels(const TensorMapFacts &facts) {
  if (facts.rank < 3)
    return format("expected 3 to 5 dimensions of pixels, but got %d",
                  facts.rank);
  // Bits of a corner are shared by the dimensions.
  int least = facts.rank == 3 ? -(1 << 15) : facts.rank == 4 ? -128 : -16;
  constexpr int mostPixels = 1024, mostTraversal = 8;
  if (facts.box[1] < 1 || facts.box[1] > mostPixels)
    return format("expected a box of 1 to %d pixels, but got %d", mostPixels,
                  facts.box[1]);
  for (int i = 0; i + 2 < facts.rank; ++i) {
    for (int corner : {facts.lower[i], facts.upper[i]})
      if (corner < least || corner >= -least)
        return format("expected corners of %d to %d, but got %d", least,
                      -least - 1, corner);
    if (facts.traversal[i] < 1 || facts.traversal[i] > mostTraversal)
      return format("expected a traversal of 1 to %d, but got %d",
                    mostTraversal, facts.traversal[i]);
  }
  return "";
}

std::string tile::rt::checkTensorMap(const TensorMapFacts &facts) {
  if (facts.rank < 1 || facts.rank > 5)
    return format("expected 1 to 5 dimensions, but got %d", facts.rank);
  TensorMapShape shape;
  shape.elementBytes = facts.elementBytes;
  shape.swizzleBytes = facts.swizzleBytes;
  shape.rank = facts.rank;
  shape.base = static_cast<int64_t>(reinterpret_cast<uintptr_t>(facts.base) %
                                    TensorMapLimits::kAlignment);
  for (int i = 0; i < facts.rank; ++i) {
    shape.box[i] = facts.box[i];
    shape.extents[i] = facts.dims[i];
    if (i > 0)
      shape.strides[i - 1] = facts.strides[i - 1];
  }
  if (facts.im2col) {
    std::string reason = checkPixels(facts);
    if (!reason.empty())
      return reason;
    // As many pixels as a box has may be more than a dimension's elements.
    shape.box[1] = 1;
  }
  TensorMapBreach breach = findTensorMapBreach(shape);
  Long value = breach.value;
  switch (breach.rule) {
  case TensorMapRule::None:
    return "";
  case TensorMapRule::ElementBytes:
    return format("expected elements of 1, 2, 4 or 8 bytes, but got %lld",
                  value);
  case TensorMapRule::SwizzleBytes:
    return format("expected a swizzle of 0, 32, 64 or 128 bytes, but got %lld",
                  value);
  case TensorMapRule::BoxExtent:
    return format("expected a box of 1 to %lld in dimension %d, but got %lld",
                  Long(TensorMapLimits::kMaxBox), breach.dim, value);
  case TensorMapRule::BoxRowMultiple:
    return format("expected a box whose rows are a multiple of 16 bytes, but "
                  "got %lld",
                  value);
  case TensorMapRule::BoxRowSwizzle:
    return format("expected box rows of at most %d bytes for the swizzle, but "
                  "got %lld",
                  facts.swizzleBytes, value);
  case TensorMapRule::Base:
    return format("expected a base address that is a multiple of 16, but got "
                  "%p",
                  facts.base);
  case TensorMapRule::Extent:
    return format("expected an extent of 1 to 2^32 in dimension %d, but got "
                  "%lld",
                  breach.dim, value);
  case TensorMapRule::StrideRange:
  case TensorMapRule::StrideMultiple:
    return format("expected a stride that is a multiple of 16 and less than "
                  "2^40 bytes in dimension %d, but got %lld",
                  breach.dim, value);
  }
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
  map.im2col = facts.im2col;
  for (int i = 0; i < 3; ++i) {
    map.lower[i] = static_cast<int16_t>(facts.lower[i]);
    map.upper[i] = static_cast<int16_t>(facts.upper[i]);
    map.traversal[i] = static_cast<uint8_t>(facts.traversal[i]);
  }
  std::memcpy(map128, &map, sizeof(map));
  return "";
}
