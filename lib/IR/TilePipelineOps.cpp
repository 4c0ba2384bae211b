// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pipelines and bulk tensor copies: verifiers.
#include "tile/IR/Tile.h"

using namespace mlir;
using namespace tile;

/// Arrivals, and bytes, that one phase of an mbarrier can count.
static constexpr int64_t kMaxCount = (int64_t(1) << 20) - 1;

LogicalResult MakePipelineOp::verify() {
  ViewType view = getBarriers().getType();
  int64_t stages = getResult().getType().getStages();
  Result<Layout> expected = Layout::get(IntTuple::constants({stages, 2}),
                                        IntTuple::constants({1, stages}));
  if (view.getSpace() != MemorySpace::Shared ||
      !view.getElementType().isInteger(64) || !view.getSwizzle().isIdentity() ||
      !expected || view.getLayout() != *expected)
    return emitOpError("expected two barriers of i64 in shared memory for each "
                       "of ")
           << stages << " stages, (" << stages << ", 2) : (1, " << stages
           << "), but got " << view;
  for (auto [name, count] : {std::pair("producers", getProducers()),
                             std::pair("consumers", getConsumers())})
    if (static_cast<int64_t>(count) < 1 ||
        static_cast<int64_t>(count) > kMaxCount)
      return emitOpError("expected between 1 and ")
             << kMaxCount << " " << name << ", but got "
             << static_cast<int64_t>(count);
  return success();
}

LogicalResult PipelineAcquireOp::verify() {
  int64_t bytes = getBytes().value_or(0);
  if (bytes < 0 || bytes > kMaxCount)
    return emitOpError("expected between 0 and ")
           << kMaxCount << " bytes, but got " << bytes;
  return success();
}

/// Checks what copies from and to tensors have in common.
static LogicalResult verifyTensorCopy(Operation *op, ViewType view,
                                      ValueRange coords, int64_t contiguous) {
  if (view.getSpace() != MemorySpace::Shared || !view.getLayout().isStatic() ||
      !view.getLayout().getShape().isTuple() || view.getLayout().rank() != 2)
    return op->emitOpError("expected a static view of shared memory with two "
                           "dimensions, but got ")
           << view;
  if (coords.size() < 2 || coords.size() > 5)
    return op->emitOpError("expected between 2 and 5 coordinates, but got ")
           << coords.size();
  if (contiguous != 0 && contiguous != 1)
    return op->emitOpError("expected contiguous to be 0 (rows) or 1 (columns), "
                           "but got ")
           << contiguous;
  return success();
}

/// Checks what copies from tensors have in common.
template <typename OpT>
static LogicalResult verifyTensorLoad(OpT op) {
  size_t between =
      op.getCoords().size() - std::min<size_t>(op.getCoords().size(), 2);
  if (!op.getOffsets().empty() &&
      (between == 0 || op.getOffsets().size() != between))
    return op.emitOpError("expected an offset for each coordinate between the "
                          "first and the last, ")
           << between << ", but got " << op.getOffsets().size();
  return verifyTensorCopy(op, op.getView().getType(), op.getCoords(),
                          op.getContiguous());
}

LogicalResult TmaLoadOp::verify() { return verifyTensorLoad(*this); }

LogicalResult TmaPrefetchOp::verify() { return verifyTensorLoad(*this); }

LogicalResult TmaStoreOp::verify() {
  return verifyTensorCopy(*this, getView().getType(), getCoords(),
                          getContiguous());
}

//===----------------------------------------------------------------------===//
// ClusterViewOp
//===----------------------------------------------------------------------===//

LogicalResult ClusterViewOp::inferReturnTypes(MLIRContext *,
                                              std::optional<Location> loc,
                                              ValueRange operands,
                                              DictionaryAttr, OpaqueProperties,
                                              RegionRange,
                                              SmallVectorImpl<Type> &types) {
  auto view = dyn_cast<ViewType>(operands[0].getType());
  if (!view)
    return emitOptionalError(loc, "expected a view, but got ",
                             operands[0].getType());
  types.push_back(ViewType::get(view.getContext(), view.getElementType(),
                                MemorySpace::Cluster, view.getLayout(),
                                view.getAlign()));
  return success();
}

LogicalResult ClusterViewOp::verify() {
  ViewType view = getView().getType();
  if (view.getSpace() != MemorySpace::Shared || !view.getSwizzle().isIdentity())
    return emitOpError("expected a view of shared memory without a swizzle, "
                       "but got ")
           << view;
  return success();
}
