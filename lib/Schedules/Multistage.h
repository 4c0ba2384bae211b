// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The multistage schedule: variants of a problem and the kernel of one variant.
#ifndef TILE_LIB_SCHEDULES_MULTISTAGE_H
#define TILE_LIB_SCHEDULES_MULTISTAGE_H

#include "Simt.h"

#include "tile/Atoms/SharedSwizzle.h"
#include "tile/DSL/WarpMma.h"

namespace tile {

/// One kernel of the schedule. What it assumes of operands is as in a SIMT
/// kernel: `vector` elements of an access to A and B are 16, 8 or 4 bytes, or
/// one element where tiles pass through registers.
struct MultistageVariant : SimtVariant {
  dsl::TileCopy copy = dsl::TileCopy::Async;
  /// A and B may be copies that lie along K, with zeros behind their rows, which
  /// the kernel multiplies as well.
  bool takesCopies = false;
};

/// Bytes of an access to A or B, as far as its type tells; what the type leaves
/// open is taken to be wide or, if `proves`, narrow. Bases are taken to be
/// aligned.
int64_t getAccessBytes(GemmOp gemm, bool ofB, bool proves);

/// The variants of a problem, in order of preference; the last one asks nothing
/// of operands beyond their types.
llvm::SmallVector<MultistageVariant>
getMultistageVariants(GemmOp gemm, MultistageScheduleAttr schedule);

/// What a GEMM multiplies by mma.sync: tf32 of f32, else its elements, and the
/// type of the sums: f64, i32 or f32.
mlir::Type getMultistageFactorType(mlir::Type elementType);
mlir::Type getMultistageSumType(mlir::Type elementType);

/// An operand in shared memory.
struct MultistageOperand {
  ThreadMapAttrInterface map;
  /// A tile as (M or N, K), and the elements of a stage.
  ComposedLayout layout;
  int64_t stageElements = 0;
};

/// The derived parts of a schedule.
struct MultistageParts {
  MmaSyncAttr atom;
  MultistageOperand a, b;
  int64_t tileK = 0, threads = 0;
  /// Bytes of shared memory of all stages of both operands.
  int64_t sharedBytes = 0;
  const Chip *chip = nullptr;
};

/// The parts for one variant on a chip, or the reason why there are none.
Result<MultistageParts> getMultistageParts(GemmOp gemm,
                                           MultistageScheduleAttr schedule,
                                           const MultistageVariant &variant,
                                           const Chip &chip);

/// Why a chip or a problem is not for the schedule; nothing if it may be.
std::optional<Reason> checkMultistageProblem(GemmOp gemm, bool tf32,
                                             const Chip &chip);

/// What a kernel costs on a chip, beside others that state a cost.
KernelCost getMultistageCost(MultistageScheduleAttr schedule,
                             mlir::Type elementType,
                             const MultistageVariant &variant,
                             const Chip &chip);

/// Nanoseconds of a launch on a chip; nothing where M or N are not known.
std::optional<double> estimateMultistage(GemmOp gemm,
                                         MultistageScheduleAttr schedule,
                                         const Chip &chip);

/// What selection asks about the schedule.
ScheduleFamily getMultistageFamily();

/// Builds the kernel of one variant.
mlir::gpu::GPUFuncOp buildMultistageKernel(GemmOp gemm,
                                           MultistageScheduleAttr schedule,
                                           const MultistageVariant &variant,
                                           const MultistageParts &parts,
                                           mlir::gpu::GPUModuleOp module);

} // namespace tile

#endif // TILE_LIB_SCHEDULES_MULTISTAGE_H
