// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mma.sync, which atoms write as an inline assembly.
#ifndef TILE_LIB_TARGET_COMMON_REGISTERMMA_H
#define TILE_LIB_TARGET_COMMON_REGISTERMMA_H

#include "tile/Atoms/MmaInstruction.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace tile {

/// One such op: its instruction, and the registers of its operands.
struct RegisterMma {
  MmaInstruction instruction;
  mlir::OperandRange a, b, sums;
};

/// Nothing for another op, or one whose operands do not fit its text.
std::optional<RegisterMma> matchRegisterMma(mlir::Operation *op);

} // namespace tile

#endif // TILE_LIB_TARGET_COMMON_REGISTERMMA_H
