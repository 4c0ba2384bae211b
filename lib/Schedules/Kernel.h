// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the kernels of all schedules have in common: parameters and names.
#ifndef TILE_LIB_SCHEDULES_KERNEL_H
#define TILE_LIB_SCHEDULES_KERNEL_H

#include "tile/DSL/DSL.h"
#include "tile/Schedules/Schedules.h"

namespace tile {
struct KernelCost;

/// Dimensions of an operand's matrix that may have stride 1 (0 rows,
/// 1 columns), best first; empty if none can.
llvm::SmallVector<int64_t> getUnitDims(mlir::Value operand);
/// The one dimension known to have stride 1, or -1.
int64_t getKnownUnitDim(mlir::Value operand);

/// The extents of a problem; M and N may be dynamic, as ShapedType has them. An
/// unknown K counts as `kAssumed`, an unknown batch as one matrix.
struct GemmExtents {
  int64_t m = 0, n = 0, k = 0, batch = 1;
  /// Taken for extents that are known at run time only.
  static constexpr int64_t kAssumed = 4096;

  static GemmExtents get(GemmOp gemm);
  bool isDynamic() const;
  /// M and N that are not known become `kAssumed`.
  void assume();
  /// Nanoseconds in which memory moves the operands once, reaching a share of
  /// the chip's bandwidth.
  double getMemoryNs(GemmOp gemm, const Chip &chip, double share) const;
};

/// A kernel's parameters: their types, and what they take.
struct KernelParameters {
  llvm::SmallVector<mlir::Type> types;
  std::vector<KernelParameter> parameters;

  /// Adds a parameter by its name in launch facts, such as "A.data".
  unsigned add(mlir::Type type, const llvm::Twine &name);
  /// A tensor map, 128 bytes by value.
  unsigned addTensorMap(mlir::MLIRContext *context, const llvm::Twine &name);
  bool isTensorMap(unsigned position) const;
};

/// The time that a kernel is expected to take, for its launch facts.
CostFacts makeCostFacts(const KernelCost &cost);

/// The text of a schedule, for launch facts.
std::string getScheduleText(mlir::Attribute schedule);

/// Gives a kernel its launch facts.
void setLaunchFacts(mlir::gpu::GPUFuncOp kernel, const LaunchFacts &facts);

/// Creates the kernel with a name that no other one of the file has.
mlir::gpu::GPUFuncOp createKernel(mlir::gpu::GPUModuleOp module,
                                  mlir::Location loc, const std::string &name,
                                  const KernelParameters &parameters,
                                  int64_t threads);

} // namespace tile

#endif // TILE_LIB_SCHEDULES_KERNEL_H
