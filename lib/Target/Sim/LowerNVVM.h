// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvvm ops as calls of the simulator.

#ifndef TILE_LIB_TARGET_SIM_LOWERNVVM_H
#define TILE_LIB_TARGET_SIM_LOWERNVVM_H

#include "../Common/Locations.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/MapVector.h"

namespace tile {

/// Whether the simulator provides the function `name`.
bool isSimulatorFunction(llvm::StringRef name);

/// Makes calls of the simulator's functions in one gpu.module, whose functions
/// have the context as their first argument.
class SimulatorCalls {
public:
  explicit SimulatorCalls(mlir::gpu::GPUModuleOp module) : module(module) {}

  /// Calls `tile_sim_<name>(context, arguments...)`. The value is null when
  /// `result` is.
  mlir::Value call(mlir::OpBuilder &builder, mlir::Location loc,
                   llvm::StringRef name, mlir::Type result,
                   mlir::ValueRange arguments);

  static mlir::Value constant(mlir::OpBuilder &builder, mlir::Location loc,
                              int32_t value);

  /// Stack memory for a value of `type`, one for each type and function: what
  /// lies there is used at once.
  mlir::Value slot(mlir::LLVM::LLVMFuncOp function, mlir::Type type);

  /// The ops that make the slots of `function`, last one first.
  llvm::SmallVector<mlir::Operation *>
  slots(mlir::LLVM::LLVMFuncOp function) const;

private:
  mlir::gpu::GPUModuleOp module;
  llvm::MapVector<std::pair<mlir::Operation *, mlir::Type>, mlir::Value> made;
};

/// Replaces an op of the nvvm dialect, or a trap, by calls. False when the
/// simulator does not model the op; special registers are not among these.
bool lowerNVVMOp(mlir::Operation *op, SimulatorCalls &calls, SiteTable &sites);

/// Reports the first use of a wgmma's accumulators that no wait for its group
/// comes before.
mlir::LogicalResult checkAccumulators(mlir::LLVM::LLVMFuncOp function);

} // namespace tile

#endif // TILE_LIB_TARGET_SIM_LOWERNVVM_H
