// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Encodes the simulator's tensor maps: the facts as they are.
#include "TensorMap.h"

#include <cstring>

using namespace tile::rt;

std::string tile::rt::encodeSimTensorMap(void *map128,
                                         const TensorMapFacts &facts) {
  static_assert(sizeof(facts) <= 128, "a tensor map has 128 bytes");
  std::memset(map128, 0, 128);
  std::memcpy(map128, &facts, sizeof(facts));
  return "";
}
