// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One gpu.module out of the several that a module may hold.

#ifndef TILE_LIB_TARGET_COMMON_MODULES_H
#define TILE_LIB_TARGET_COMMON_MODULES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tile {

/// Clones the gpu.module `root`, or merges clones of all that are directly in
/// it, into one, alone in a new builtin module. Symbols that are not kernels
/// are renamed where they clash. Reports a root without kernels, and two
/// kernels of one name.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
cloneKernels(mlir::Operation *root);

/// Checks that LLVM has the types of a gpu.module's ops, and rewrites what
/// upstream only lowers by way of other ops: affine ops, rounded divisions,
/// reductions of a warp. `cloneKernels` does it with what it makes.
mlir::LogicalResult prepareKernels(mlir::gpu::GPUModuleOp module);

/// The gpu.module in a module made by `cloneKernels`.
mlir::gpu::GPUModuleOp getKernels(mlir::ModuleOp holder);

/// Moves the ops of the gpu.module into the builtin module around it, which the
/// translation to LLVM IR wants.
void unwrapKernels(mlir::ModuleOp holder);

} // namespace tile

#endif // TILE_LIB_TARGET_COMMON_MODULES_H
