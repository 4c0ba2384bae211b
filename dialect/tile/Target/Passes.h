// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes between floor 3 and machine code, and the functions behind them.

#ifndef TILE_TARGET_PASSES_H
#define TILE_TARGET_PASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tile {

struct ChipInfo;
struct PTXOptions;

#define GEN_PASS_DECL
#include "tile/Target/Passes.h.inc"

/// Whom a kernel is lowered for: the two differ in the math library.
enum class KernelTarget { PTX, Simulator };

/// Rewrites the masked accesses below `root` that one predicate guards into
/// predicated inline PTX; see the pass `tile-lower-masked-memory`. Accesses of
/// another form stay. Returns how many were rewritten.
unsigned lowerMaskedMemory(mlir::Operation *root);

/// Makes one inline asm of each group of wgmma instructions below `root`.
void fuseWgmma(mlir::Operation *root);

/// Lowers everything inside `module` to the llvm and nvvm dialects. Reports one
/// error, at the first op that cannot be lowered, and fails.
mlir::LogicalResult lowerKernelsToLLVM(mlir::gpu::GPUModuleOp module,
                                       KernelTarget target);

/// Reports each nvvm op below `root` that `chip` or PTX `ptxVersion` (times
/// ten) lacks. Fails when there was one.
mlir::LogicalResult checkChip(mlir::Operation *root, const ChipInfo &chip,
                              unsigned ptxVersion);

/// Replaces each gpu.module directly in `module` by a gpu.binary of the same
/// name that holds its PTX.
mlir::LogicalResult replaceKernelsByPTX(mlir::ModuleOp module,
                                        const PTXOptions &options);

/// Inserts the simulator's access checks into floor-3 code and collects the
/// text of each site in `sites`; with `count`, what counts them, too. See the
/// pass `tile-instrument-accesses`.
mlir::LogicalResult
instrumentAccesses(mlir::gpu::GPUModuleOp module,
                   llvm::SmallVectorImpl<std::string> &sites,
                   bool count = false);

/// What the simulator needs to launch one kernel.
struct SimKernel {
  std::string name;        ///< the kernel's name in the gpu.module
  std::string symbol;      ///< its symbol in the object
  int64_t sharedBytes = 0; ///< static shared memory, bytes
};

/// Replaces nvvm ops and shared memory by the simulator's; see the pass
/// `tile-nvvm-to-simulator`. Adds sites of barriers and traps to `sites`.
mlir::LogicalResult
lowerNVVMToSimulator(mlir::gpu::GPUModuleOp module,
                     llvm::SmallVectorImpl<std::string> &sites,
                     llvm::SmallVectorImpl<SimKernel> &kernels);

#define GEN_PASS_REGISTRATION
#include "tile/Target/Passes.h.inc"

} // namespace tile

#endif // TILE_TARGET_PASSES_H
