// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one inline assembly that kernels have: a wgmma with A in registers, for
// which the nvvm dialect has no operation.
#ifndef TILE_LIB_TARGET_COMMON_REGISTERWGMMA_H
#define TILE_LIB_TARGET_COMMON_REGISTERWGMMA_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "tile/Atoms/WgmmaInstruction.h"

namespace tile {

/// An inline assembly as tile-lower-warpgroups writes it.
struct RegisterWgmma {
  WgmmaInstruction instruction;
  /// Registers of A, i32; the descriptor of B; the accumulators before, which
  /// have the types of the members of the result.
  mlir::ValueRange a;
  mlir::Value b;
  mlir::ValueRange accumulators;
};

/// The multiply that an inline assembly is, with operands of the types that it
/// takes; nothing if it is anything else.
std::optional<RegisterWgmma> matchRegisterWgmma(mlir::LLVM::InlineAsmOp op);

} // namespace tile

#endif // TILE_LIB_TARGET_COMMON_REGISTERWGMMA_H
