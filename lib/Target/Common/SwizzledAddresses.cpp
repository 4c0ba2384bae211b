// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes constants out of the exclusive ors of swizzled addresses.
#include "SwizzledAddresses.h"

#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace tile;
using namespace llvm::PatternMatch;

/// `sum` ^ `bits` with what the bits cannot touch of the sum's constant
/// outside; null where there is none.
static llvm::Value *moveConstant(llvm::BinaryOperator &op, llvm::Value *sum,
                                 llvm::Value *bits,
                                 const llvm::DataLayout &layout) {
  llvm::Value *rest;
  const llvm::APInt *constant;
  llvm::SimplifyQuery query(layout, &op);
  bool isAdd = match(sum, m_Add(m_Value(rest), m_APInt(constant)));
  if (!isAdd && (!match(sum, m_Or(m_Value(rest), m_APInt(constant))) ||
                 !llvm::MaskedValueIsZero(rest, *constant, query)))
    return nullptr;
  llvm::APInt touched = ~llvm::computeKnownBits(bits, query).Zero;
  // What is added below the highest of the bits may carry into them.
  if (isAdd)
    touched.setLowBits(touched.getActiveBits());
  llvm::APInt outside = *constant & ~touched, inside = *constant & touched;
  if (outside.isZero())
    return nullptr;
  auto *old = llvm::cast<llvm::BinaryOperator>(sum);
  llvm::IRBuilder<> builder(&op);
  auto get = [&](const llvm::APInt &part) {
    return llvm::ConstantInt::get(op.getType(), part);
  };
  if (isAdd)
    return builder.CreateAdd(
        builder.CreateXor(builder.CreateAdd(rest, get(inside)), bits),
        get(outside), "", old->hasNoUnsignedWrap(), old->hasNoSignedWrap());
  auto join = [&](llvm::Value *value, const llvm::APInt &part) {
    return builder.CreateOr(value, get(part), "", /*IsDisjoint=*/true);
  };
  if (!inside.isZero())
    rest = join(rest, inside);
  return join(builder.CreateXor(rest, bits), outside);
}

llvm::PreservedAnalyses
SwizzledAddressesPass::run(llvm::Function &function,
                           llvm::FunctionAnalysisManager &) {
  const llvm::DataLayout &layout = function.getDataLayout();
  bool changed = false;
  for (llvm::Instruction &inst :
       llvm::make_early_inc_range(llvm::instructions(function))) {
    auto *op = llvm::dyn_cast<llvm::BinaryOperator>(&inst);
    if (!op || op->getOpcode() != llvm::Instruction::Xor)
      continue;
    llvm::Value *a = op->getOperand(0), *b = op->getOperand(1);
    llvm::Value *moved = moveConstant(*op, a, b, layout);
    if (!moved)
      moved = moveConstant(*op, b, a, layout);
    if (!moved)
      continue;
    op->replaceAllUsesWith(moved);
    op->eraseFromParent();
    changed = true;
  }
  if (!changed)
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}
