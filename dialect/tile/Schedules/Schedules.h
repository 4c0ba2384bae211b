// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a problem becomes kernels: schedules, their legality and selection.
#ifndef TILE_SCHEDULES_SCHEDULES_H
#define TILE_SCHEDULES_SCHEDULES_H

#include "tile/IR/Tile.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"

namespace tile {

/// A schedule and the sentence that says why it was chosen.
struct ScheduleChoice {
  mlir::Attribute schedule;
  std::string reason;
};

/// A kernel that solves a problem, after copies of operands by other kernels.
struct KernelChoice {
  mlir::gpu::GPUFuncOp kernel;
  llvm::SmallVector<PrepareAttr> prepare;
};

} // namespace tile

#include "tile/Schedules/ScheduleAttrInterfaces.h.inc"

namespace tile {

/// Makes the dialect's schedules implement ScheduleAttrInterface.
void registerScheduleInterfaces(mlir::DialectRegistry &registry);

/// Whether a chip multiplies 16- and 8-bit operands with wgmma; a chip that is
/// not known, "", does.
inline bool hasWgmma(llvm::StringRef chip) {
  return chip.empty() || chip == "sm_90a";
}

/// The schedule for a problem, from what is known of its extents and strides.
/// Without wgmma, 16-bit operands are multiplied on the fused multiply-add
/// units.
ScheduleChoice selectSchedule(GemmOp gemm, bool hasWgmma = true);

/// Schedules worth measuring for a problem, each legal for it.
llvm::SmallVector<mlir::Attribute> candidateSchedules(GemmOp gemm,
                                                      bool hasWgmma = true);

/// Why an attribute, a schedule or a list of them, cannot build kernels for a
/// problem, or a chip cannot run them; nothing if both are possible.
std::optional<std::string> checkSchedule(GemmOp gemm, mlir::Attribute schedule,
                                         llvm::StringRef chip = "");

/// The kernels of a problem by a schedule, or of all of a list, which
/// `checkSchedule` has accepted; see ScheduleAttrInterface::buildKernels.
llvm::SmallVector<KernelChoice> buildKernels(GemmOp gemm,
                                             mlir::Attribute schedule,
                                             mlir::gpu::GPUModuleOp module);

} // namespace tile

#endif // TILE_SCHEDULES_SCHEDULES_H
