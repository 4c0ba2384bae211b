// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The problem of a GEMM and of its launch, which have the same operands.
#ifndef TILE_LIB_IR_GEMMOPERANDS_H
#define TILE_LIB_IR_GEMMOPERANDS_H

#include "tile/IR/Tile.h"

#include "llvm/ADT/StringSwitch.h"

namespace tile {

/// The problem that an op with a GEMM's operands states.
template <typename OpT>
Problem getGemmProblem(OpT op) {
  auto rank = [](mlir::Value value) {
    return value ? static_cast<int>(
                       mlir::cast<mlir::MemRefType>(value.getType()).getRank())
                 : 0;
  };
  return makeGemmProblem(rank(op.getA()), rank(op.getB()), rank(op.getC()),
                         rank(op.getD()));
}

/// The operand or scalar of that name; null if there is none.
template <typename OpT>
mlir::Value getGemmValue(OpT op, llvm::StringRef name) {
  return llvm::StringSwitch<mlir::Value>(name)
      .Case("A", op.getA())
      .Case("B", op.getB())
      .Case("C", op.getC())
      .Case("D", op.getD())
      .Case("alpha", op.getAlpha())
      .Case("beta", op.getBeta())
      .Default(mlir::Value());
}

} // namespace tile

#endif // TILE_LIB_IR_GEMMOPERANDS_H
