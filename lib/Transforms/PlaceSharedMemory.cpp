// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places a kernel's allocations in dynamic shared memory.
#include "tile/Atoms/Chips.h"
#include "tile/Atoms/SharedPlan.h"
#include "tile/IR/Tile.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace tile;

/// Bytes of the widest access, to which every allocation is aligned.
static constexpr int64_t kLeastAlignment = 16;

LogicalResult tile::placeSharedMemory(Operation *root) {
  WalkResult result = root->walk([](gpu::GPUFuncOp kernel) {
    SmallVector<AllocSharedOp> allocations;
    int64_t bytes = 0;
    kernel.walk([&](AllocSharedOp op) {
      allocations.push_back(op);
      // Offsets of an earlier run mean nothing any more.
      op->removeAttr(kSharedOffset);
      bytes += op.getResult().getType().getSpanBytes().getValue();
    });
    if (!allocations.empty())
      kernel->removeAttr(kDynamicSharedBytes);
    if (bytes <= Chip::kStaticSharedBytes)
      return WalkResult::advance();
    SmallVector<SharedBuffer> buffers;
    for (AllocSharedOp op : allocations) {
      ViewType type = op.getResult().getType();
      buffers.push_back({"an allocation", type.getSpanBytes().getValue(),
                         std::max(kLeastAlignment, type.getAlign())});
    }
    Result<SharedPlan> plan = planSharedMemory(buffers, kMaxSharedBytes);
    if (!plan) {
      kernel.emitOpError(plan.getReason());
      return WalkResult::interrupt();
    }
    Operation *table = SymbolTable::getNearestSymbolTable(kernel);
    Operation *symbol = SymbolTable::lookupSymbolIn(table, kDynamicShared);
    if (symbol && !isa<LLVM::GlobalOp>(symbol)) {
      kernel.emitOpError("expected @")
          << kDynamicShared << " to be a global, but got another symbol";
      return WalkResult::interrupt();
    }
    Builder builder(kernel.getContext());
    for (auto [op, offset] : llvm::zip_equal(allocations, plan->offsets))
      op->setAttr(kSharedOffset, builder.getI64IntegerAttr(offset));
    kernel->setAttr(kDynamicSharedBytes,
                    builder.getI64IntegerAttr(plan->totalBytes));
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
