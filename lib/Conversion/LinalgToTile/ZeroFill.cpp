// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the fill with 0 that makes a sum start from nothing.
#include "Contraction.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace tile;

/// The memory that a view is of.
static Value findBase(Value value) {
  while (auto view = value.getDefiningOp<ViewLikeOpInterface>())
    value = view.getViewSource();
  return value;
}

/// Whether two buffers may share memory: an allocation shares none with what is
/// not a view of it.
static bool mayShare(Value a, Value b) {
  Value baseA = findBase(a), baseB = findBase(b);
  if (baseA == baseB)
    return true;
  auto isAllocation = [](Value base) {
    return isa_and_nonnull<memref::AllocOp, memref::AllocaOp>(
        base.getDefiningOp());
  };
  return !isAllocation(baseA) && !isAllocation(baseB);
}

static bool mayTouch(Operation *op, Value buffer) {
  if (isMemoryEffectFree(op))
    return false;
  bool hasBody = op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
  if (hasBody)
    for (Region &region : op->getRegions())
      for (Operation &inner : region.getOps())
        if (mayTouch(&inner, buffer))
          return true;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return !hasBody;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  return llvm::any_of(
      effects, [&](const MemoryEffects::EffectInstance &effect) {
        if (isa<MemoryEffects::Allocate>(effect.getEffect()))
          return false;
        return !effect.getValue() || mayShare(effect.getValue(), buffer);
      });
}

linalg::FillOp tile::findZeroFill(Operation *op, Value buffer) {
  for (Operation *before = op->getPrevNode(); before;
       before = before->getPrevNode()) {
    if (auto fill = dyn_cast<linalg::FillOp>(before))
      if (fill.getDpsInits()[0] == buffer) {
        bool isZero = matchPattern(fill.value(), m_PosZeroFloat()) ||
                      matchPattern(fill.value(), m_Zero());
        return isZero ? fill : linalg::FillOp();
      }
    if (mayTouch(before, buffer))
      return {};
  }
  return {};
}
