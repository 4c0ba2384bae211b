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

/// Checks the element types of A, B and D; those of C and of the scalars follow
/// from them. `added` names C or a scalar that the problem has.
llvm::LogicalResult verifyElementTypes(mlir::Operation *op, mlir::Type a,
                                       mlir::Type b, mlir::Type d,
                                       llvm::StringRef added);

/// C or a scalar that a problem has; "" if it has neither.
template <typename OpT>
llvm::StringRef nameAdded(OpT op) {
  return op.getC() ? "C" : op.getAlpha() ? "alpha" : op.getBeta() ? "beta" : "";
}

/// Checks how a problem scales and promotes its sums.
template <typename OpT>
llvm::LogicalResult verifyScaling(OpT op) {
  mlir::Type element =
      mlir::cast<mlir::MemRefType>(op.getD().getType()).getElementType();
  mlir::Type scalarType =
      element.isF64() ? element : mlir::Float32Type::get(op.getContext());
  for (auto [name, scalar] :
       {std::pair("alpha", op.getAlpha()), std::pair("beta", op.getBeta())})
    if (scalar && scalar.getType() != scalarType)
      return op.emitOpError("expected ")
             << name << " of the type that sums have, " << scalarType
             << ", but got " << scalar.getType();
  mlir::Type factor =
      mlir::cast<mlir::MemRefType>(op.getA().getType()).getElementType();
  if (op.getPromotedSums() && (!mlir::isa<mlir::FloatType>(factor) ||
                               factor.getIntOrFloatBitWidth() > 16))
    return op.emitOpError("expected promoted_sums for floats of 8 or 16 bits, "
                          "whose sums a tensor core cuts, but got A of ")
           << factor;
  if (op.getBeta() && !op.getC())
    return op.emitOpError(
        "expected operand C together with beta, but got none");
  return llvm::success();
}

} // namespace tile

#endif // TILE_LIB_IR_GEMMOPERANDS_H
