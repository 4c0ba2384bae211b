// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognises mma.sync.
#include "RegisterMma.h"

using namespace mlir;
using namespace tile;

std::optional<RegisterMma> tile::matchRegisterMma(Operation *op) {
  auto assembly = dyn_cast<LLVM::InlineAsmOp>(op);
  if (!assembly || op->getNumResults() != 1)
    return std::nullopt;
  std::optional<MmaInstruction> instruction =
      MmaInstruction::parse(assembly.getAsmString());
  if (!instruction ||
      assembly.getConstraints() != instruction->getConstraints())
    return std::nullopt;
  auto result = dyn_cast<LLVM::LLVMStructType>(assembly.getRes().getType());
  auto countA = static_cast<size_t>(instruction->getRegistersA()),
       countB = static_cast<size_t>(instruction->getRegistersB()),
       countD = static_cast<size_t>(instruction->getRegistersD());
  OperandRange operands = assembly.getOperands();
  if (!result || result.isOpaque() || result.getBody().size() != countD ||
      operands.size() != countA + countB + countD)
    return std::nullopt;
  RegisterMma match{*instruction, operands.take_front(countA),
                    operands.drop_front(countA).take_front(countB),
                    operands.drop_front(countA + countB)};
  auto isOperand = [&](Type type) {
    return instruction->a == "f64" ? type.isF64() : type.isInteger(32);
  };
  auto isSum = [&](Type type) {
    return instruction->d == "f64"   ? type.isF64()
           : instruction->d == "f32" ? type.isF32()
                                     : type.isInteger(32);
  };
  if (!llvm::all_of(match.a.getTypes(), isOperand) ||
      !llvm::all_of(match.b.getTypes(), isOperand) ||
      !llvm::all_of(match.sums.getTypes(), isSum) ||
      !llvm::all_of(result.getBody(), isSum))
    return std::nullopt;
  return match;
}
