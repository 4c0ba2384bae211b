// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognises wgmma with A in registers.
#include "RegisterWgmma.h"

using namespace mlir;
using namespace tile;

std::optional<RegisterWgmma> tile::matchRegisterWgmma(LLVM::InlineAsmOp op) {
  std::optional<WgmmaInstruction> instruction =
      WgmmaInstruction::parse(op.getAsmString());
  if (!instruction || !instruction->registerA ||
      op.getConstraints() != instruction->getConstraints() ||
      op->getNumResults() != 1)
    return std::nullopt;
  auto result = dyn_cast<LLVM::LLVMStructType>(op.getRes().getType());
  constexpr unsigned kA = WgmmaInstruction::kRegistersA;
  auto count = static_cast<size_t>(instruction->getAccumulators());
  OperandRange operands = op.getOperands();
  if (!result || result.isOpaque() || result.getBody().size() != count ||
      operands.size() != kA + 1 + count)
    return std::nullopt;
  RegisterWgmma match{*instruction, operands.take_front(kA), operands[kA],
                      operands.drop_front(kA + 1)};
  bool floats = instruction->d == "f32";
  auto isSum = [&](Type type) {
    return floats ? type.isF32() : type.isInteger(32);
  };
  auto isWord = [](Type type) { return type.isInteger(32); };
  if (!llvm::all_of(match.a.getTypes(), isWord) ||
      !match.b.getType().isInteger(64) ||
      !llvm::all_of(match.accumulators.getTypes(), isSum) ||
      !llvm::all_of(result.getBody(), isSum))
    return std::nullopt;
  return match;
}
