// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders of thread blocks: verifiers.
#include "tile/IR/MixedTuple.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tile;

LogicalResult
BlockOrderAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                       BlockOrderKind kind, int64_t width) {
  if (width < 1 || width > kMaxWidth || !llvm::isPowerOf2_64(width))
    return emitError() << "expected a power of two between 1 and " << kMaxWidth
                       << " as width, but got " << width;
  bool isGrouped =
      kind == BlockOrderKind::Grouped || kind == BlockOrderKind::GroupedExact;
  if (!isGrouped && width != 1)
    return emitError() << "expected a grouped order with a width, but got "
                       << stringifyBlockOrderKind(kind);
  return success();
}

/// Checks the numbers of tiles of an operation.
template <typename OpT>
static LogicalResult verifyTiles(OpT op) {
  const IntTuple &tiles = op.getTiles();
  if (!tiles.isTuple() || tiles.rank() != 3 || tiles.depth() != 1 ||
      tiles.hasWildcard() || tiles.hasBasis())
    return op.emitOpError("expected three numbers of tiles (m, n, k), but got ")
           << tiles.str();
  for (const IntTuple &leaf : tiles)
    if (leaf.getInt().isStatic() && leaf.getInt().getValue() < 0)
      return op.emitOpError("expected numbers of tiles that are not negative, "
                            "but got ")
             << leaf.getInt().getValue();
  if (getNumDynamicLeaves(tiles) != op.getTilesOperands().size())
    return op.emitOpError(
               "expected one operand for each run-time leaf, but got ")
           << op.getTilesOperands().size();
  return success();
}

LogicalResult BlockGridOp::verify() { return verifyTiles(*this); }

LogicalResult BlockTileOp::verify() { return verifyTiles(*this); }
