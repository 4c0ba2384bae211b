// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long kernels take, and which warp-specialised one a problem gets.
#ifndef TILE_LIB_SCHEDULES_WARPSPECIALIZEDMODEL_H
#define TILE_LIB_SCHEDULES_WARPSPECIALIZEDMODEL_H

#include "tile/Schedules/Schedules.h"

namespace tile {

/// Nanoseconds that a kernel takes, as the runtime adds them up: fixed, plus
/// for each wave of thread blocks `tile` and `k` for each element along K, or
/// `bytes` for each byte of A, B and D where that is more.
struct KernelCost {
  double fixed = 0, tile = 0, k = 0, bytes = 0;
  /// `k` is the time of the tensor cores, not that of the operands' arrival.
  bool boundByFlops = true;
};

/// The cost of a schedule for operands of `elementBytes` bytes. `rowAlignment`:
/// what rows of the operands' tiles start at multiples of, in bytes.
KernelCost getCost(WarpSpecializedScheduleAttr schedule, int64_t elementBytes,
                   int64_t rowAlignment);

/// The schedule for a problem whose extents are known; for others a list of
/// schedules, of which the runtime chooses one at each launch.
ScheduleChoice selectWarpSpecialized(GemmOp gemm);

/// Schedules worth measuring for a problem, best first by the model.
llvm::SmallVector<mlir::Attribute> candidateWarpSpecialized(GemmOp gemm);

} // namespace tile

#endif // TILE_LIB_SCHEDULES_WARPSPECIALIZEDMODEL_H
