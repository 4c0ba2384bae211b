// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The simulator's tensor maps.
#ifndef TILE_RT_SIM_TENSORMAP_H
#define TILE_RT_SIM_TENSORMAP_H

#include "../lib/TensorMap.h"

#include <string>

namespace tile::rt {

/// Writes the 128 bytes of a tensor map for the simulator. Returns the reason,
/// "" when it could.
std::string encodeSimTensorMap(void *map128, const TensorMapFacts &facts);

} // namespace tile::rt

#endif // TILE_RT_SIM_TENSORMAP_H
