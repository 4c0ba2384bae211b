// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface of attributes that are schedules, and what its methods return.
#ifndef TILE_IR_SCHEDULEINTERFACES_H
#define TILE_IR_SCHEDULEINTERFACES_H

#include "tile/Atoms/Chips.h"
#include "tile/IR/Tile.h"
#include "tile/Layout/Result.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <functional>

namespace tile {

/// A kernel that solves a problem, after copies of operands by other kernels.
struct KernelChoice {
  mlir::gpu::GPUFuncOp kernel;
  llvm::SmallVector<PrepareAttr> prepare;
};

/// A schedule that is legal for a problem on a chip, with all that it derived
/// to know so.
struct SchedulePlan {
  mlir::Attribute schedule;
  /// Appends the kernels of the problem to a gpu.module, in order of
  /// preference; the last one requires nothing beyond the operands' types. Each
  /// carries its launch facts as the attribute `tile.launch_facts`.
  std::function<llvm::SmallVector<KernelChoice>(mlir::gpu::GPUModuleOp)> build;
};

} // namespace tile

#include "tile/IR/TileScheduleInterfaces.h.inc"

#endif // TILE_IR_SCHEDULEINTERFACES_H
