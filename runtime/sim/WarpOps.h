// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations that the lanes of a warp make together.
#ifndef TILE_RT_SIM_WARPOPS_H
#define TILE_RT_SIM_WARPOPS_H

#include <cstdint>

namespace tile::rt {

/// Which operation; a kind where there are several.
enum WarpOperation {
  WarpSync,
  WarpElect,
  WarpShuffle,
  WarpVote,
  WarpRedux,
  WarpLoadMatrix,
  WarpStoreMatrix,
  WarpMultiply,
  WarpWgmma
};

/// A lane's operands and its result.
struct WarpArguments {
  int32_t kind = 0;
  int32_t value = 0, offset = 0, clamp = 0;
  int32_t result = 0, valid = 0;
  /// Matrices: the lane's row, its registers, how many, and whether transposed.
  uint8_t *address = nullptr;
  int32_t *registers = nullptr;
  int32_t count = 0;
  bool transpose = false;
  /// Of mma.sync: the lane's registers. `kind` is the shape, `value` the types.
  void *sums = nullptr;
  const void *a = nullptr, *b = nullptr;
};

/// Computes the results of the lanes in `mask` of a sync, elect, shuffle, vote
/// or redux.
void runWarpOperation(WarpOperation operation, uint32_t mask,
                      WarpArguments *const *lanes);

/// mma.sync, of all 32 lanes.
void multiplyMatrices(WarpArguments *const *lanes);

} // namespace tile::rt

#endif // TILE_RT_SIM_WARPOPS_H
