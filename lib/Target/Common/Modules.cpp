// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One gpu.module out of the several that a module may hold.

#include "Modules.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringSet.h"

using namespace tile;
using namespace mlir;

static bool isKernel(Operation *op) {
  if (auto func = dyn_cast<gpu::GPUFuncOp>(op))
    return func.isKernel();
  return false;
}

/// Moves the ops of `source` to the end of `target` under names not in `used`.
static LogicalResult splice(gpu::GPUModuleOp source, gpu::GPUModuleOp target,
                            llvm::StringSet<> &used) {
  SymbolTable table(source);
  for (Operation &op : llvm::make_early_inc_range(*source.getBody())) {
    StringAttr name = SymbolTable::getSymbolName(&op);
    if (used.contains(name)) {
      if (isKernel(&op))
        return op.emitOpError() << "expected a kernel name that is used once "
                                   "in the module, but got '"
                                << name.getValue() << "' a second time";
      std::string fresh;
      unsigned suffix = 0;
      do
        fresh = (name.getValue() + "_" + Twine(suffix++)).str();
      while (used.contains(fresh) || table.lookup(fresh));
      if (failed(table.rename(&op, fresh)))
        return failure();
      name = SymbolTable::getSymbolName(&op);
    }
    used.insert(name);
  }
  target.getBody()->getOperations().splice(target.getBody()->end(),
                                           source.getBody()->getOperations());
  return success();
}

FailureOr<OwningOpRef<ModuleOp>> tile::cloneKernels(Operation *root) {
  SmallVector<gpu::GPUModuleOp> modules;
  if (auto module = dyn_cast<gpu::GPUModuleOp>(root))
    modules.push_back(module);
  else
    for (Region &region : root->getRegions())
      for (gpu::GPUModuleOp module : region.getOps<gpu::GPUModuleOp>())
        modules.push_back(module);
  bool hasKernel = llvm::any_of(modules, [](gpu::GPUModuleOp module) {
    return llvm::any_of(*module.getBody(),
                        [](Operation &op) { return isKernel(&op); });
  });
  if (!hasKernel) {
    root->emitError()
        << "expected at least one gpu.module with a kernel, but got "
        << modules.size() << " modules with none";
    return failure();
  }

  OwningOpRef<ModuleOp> holder(ModuleOp::create(root->getLoc()));
  gpu::GPUModuleOp merged = modules.front().clone();
  holder->push_back(merged);
  llvm::StringSet<> used;
  for (Operation &op : *merged.getBody())
    if (StringAttr name = SymbolTable::getSymbolName(&op))
      used.insert(name);
  for (gpu::GPUModuleOp module : ArrayRef(modules).drop_front()) {
    OwningOpRef<gpu::GPUModuleOp> clone(module.clone());
    if (failed(splice(*clone, merged, used)))
      return failure();
  }
  if (failed(prepareKernels(merged)))
    return failure();
  return holder;
}

gpu::GPUModuleOp tile::getKernels(ModuleOp holder) {
  return *holder.getOps<gpu::GPUModuleOp>().begin();
}

void tile::unwrapKernels(ModuleOp holder) {
  gpu::GPUModuleOp kernels = getKernels(holder);
  holder.getBody()->getOperations().splice(holder.getBody()->end(),
                                           kernels.getBody()->getOperations());
  kernels.erase();
}
