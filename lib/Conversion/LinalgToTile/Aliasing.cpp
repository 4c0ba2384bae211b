// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells which operations may read or write a memref.
#include "Contraction.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace tile;

Value tile::findBase(Value value) {
  while (auto view = value.getDefiningOp<ViewLikeOpInterface>())
    value = view.getViewSource();
  return value;
}

bool tile::isAllocation(Value base) {
  return isa_and_nonnull<memref::AllocOp, memref::AllocaOp>(
      base.getDefiningOp());
}

static bool isArgumentOfFunction(Value base) {
  auto argument = dyn_cast<BlockArgument>(base);
  return argument && argument.getOwner()->isEntryBlock() &&
         isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
}

bool Aliasing::mayShare(Value a, Value b) const {
  Value baseA = findBase(a), baseB = findBase(b);
  if (baseA == baseB)
    return true;
  bool fromOutsideA = isArgumentOfFunction(baseA),
       fromOutsideB = isArgumentOfFunction(baseB);
  if (fromOutsideA && fromOutsideB)
    return !distinctArguments;
  // What a region or a call gave back may be anything.
  auto isKnown = [](Value base, bool fromOutside) {
    return fromOutside || isAllocation(base) ||
           base.getDefiningOp<memref::GetGlobalOp>();
  };
  if (!isKnown(baseA, fromOutsideA) || !isKnown(baseB, fromOutsideB))
    return true;
  auto globalA = baseA.getDefiningOp<memref::GetGlobalOp>();
  auto globalB = baseB.getDefiningOp<memref::GetGlobalOp>();
  if (globalA && globalB)
    return globalA.getName() == globalB.getName();
  // A caller may have passed a global.
  return (globalA && fromOutsideB && !distinctArguments) ||
         (globalB && fromOutsideA && !distinctArguments);
}

bool Aliasing::mayTouch(Operation *op, Value buffer, bool writes) const {
  if (isMemoryEffectFree(op))
    return false;
  bool hasBody = op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
  if (hasBody)
    for (Region &region : op->getRegions())
      for (Operation &inner : region.getOps())
        if (mayTouch(&inner, buffer, writes))
          return true;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return !hasBody;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  return llvm::any_of(
      effects, [&](const MemoryEffects::EffectInstance &effect) {
        if (isa<MemoryEffects::Allocate>(effect.getEffect()) ||
            (writes && isa<MemoryEffects::Read>(effect.getEffect())))
          return false;
        return !effect.getValue() || mayShare(effect.getValue(), buffer);
      });
}

Operation *Aliasing::findInit(linalg::LinalgOp op) const {
  Value buffer = op.getDpsInits()[0];
  for (Operation *before = op->getPrevNode(); before;
       before = before->getPrevNode()) {
    auto init = dyn_cast<linalg::LinalgOp>(before);
    if (init && init.hasPureBufferSemantics() && isElementwise(init) &&
        init.getDpsInits()[0] == buffer && !readsOperand(init, buffer))
      return init;
    auto copy = dyn_cast<memref::CopyOp>(before);
    if (copy && copy.getTarget() == buffer)
      return copy;
    if (mayTouch(before, buffer))
      return nullptr;
  }
  return nullptr;
}
