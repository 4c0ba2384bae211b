// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The SIMT schedule: variants of a problem and the kernel of one variant.
#ifndef TILE_LIB_SCHEDULES_SIMT_H
#define TILE_LIB_SCHEDULES_SIMT_H

#include "WarpSpecializedModel.h"

#include "tile/DSL/DSL.h"
#include "tile/Schedules/Schedules.h"

namespace tile {

/// What a kernel takes for granted of one operand, in the kernel's roles.
struct OperandAssumption {
  /// The operand's name in the problem: A, B, C or D.
  char name = 'A';
  /// The kernel's rows are the problem's columns.
  bool transposed = false;
  /// Dimension with stride 1 (0 rows, 1 columns), or -1.
  int64_t unitDim = -1;
  /// Elements of one global access along the unit dimension.
  int64_t vector = 1;

  /// A dimension of the kernel as dimension of the problem, and back.
  int64_t toProblem(int64_t dim) const { return transposed ? 1 - dim : dim; }
};

/// One kernel of the schedule. With `swapped`, the kernel computes the
/// transposed problem, so that its D has unit stride along N.
struct SimtVariant {
  bool swapped = false;
  OperandAssumption a, b, c, d;
  bool hasC = false;
  bool batched = false;
};

/// The variants of a problem, in order of preference.
llvm::SmallVector<SimtVariant> getSimtVariants(GemmOp gemm,
                                               SimtScheduleAttr schedule);

/// The type of sums, alpha and beta for operands of a type: f64 for f64, f32
/// for the others.
mlir::Type getSimtSumType(mlir::Type elementType);

/// The derived parts of a schedule for the element type of A and B.
struct SimtParts {
  SimtMmaAttr mma;
  ThreadMapAttrInterface mapA, mapB;
  /// Elements between columns of A's, and rows of B's, shared tile.
  int64_t pitchA = 0, pitchB = 0;
  int64_t threads = 0;
  /// Stages of shared memory: 2 where tiles are staged in registers.
  int64_t stages = 2;
  /// With split_k, who has which elements of the part of a tile that a block
  /// adds up from the sums of all; else null.
  ThreadMapAttrInterface mapPart;
  /// Bytes of shared memory of all stages of both operands.
  int64_t sharedBytes = 0;
  const Chip *chip = nullptr;
};

/// The parts for one variant on a chip, or the reason why there are none.
Result<SimtParts> getSimtParts(SimtScheduleAttr schedule,
                               mlir::Type elementType,
                               const SimtVariant &variant, const Chip &chip);

/// What a kernel costs on a chip, beside others that state a cost.
KernelCost getSimtCost(SimtScheduleAttr schedule, const SimtVariant &variant,
                       const Chip &chip);

/// Nanoseconds of a launch on a chip; nothing where M or N are not known.
std::optional<double> estimateSimt(GemmOp gemm, SimtScheduleAttr schedule,
                                   const Chip &chip);

/// What selection asks about the schedule.
ScheduleFamily getSimtFamily();

/// Builds the kernel of one variant; null after an error.
mlir::gpu::GPUFuncOp buildSimtKernel(GemmOp gemm, SimtScheduleAttr schedule,
                                     const SimtVariant &variant,
                                     const SimtParts &parts,
                                     mlir::gpu::GPUModuleOp module);

} // namespace tile

#endif // TILE_LIB_SCHEDULES_SIMT_H
