// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stream-K plans: verifiers.
#include "tile/IR/Tile.h"

using namespace mlir;
using namespace tile;

/// Numbers of tiles, iterations and blocks are below this.
static constexpr int64_t kLargest = int64_t(1) << 31;

LogicalResult StreamKAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  ArrayRef<int64_t> tiles, int64_t iterations,
                                  int64_t stream, int64_t regions,
                                  int64_t blocks, int64_t big, int64_t grouped,
                                  int64_t interleaved) {
  if (tiles.size() != 2)
    return emitError() << "expected rows and columns of tiles, but got "
                       << tiles.size() << " numbers";
  for (int64_t number : {tiles[0], tiles[1], iterations})
    if (number < 1 || number >= kLargest)
      return emitError()
             << "expected tiles and iterations between 1 and 2^31 - 1, but got "
             << number;
  if (grouped != 0 && grouped != 1)
    return emitError() << "expected grouped to be 0 or 1, but got " << grouped;
  if (interleaved < 0 || interleaved >= kLargest)
    return emitError()
           << "expected interleaved between 0 and 2^31 - 1, but got "
           << interleaved;
  if (stream < 0 || stream > tiles[0] * tiles[1])
    return emitError() << "expected at most the " << tiles[0] * tiles[1]
                       << " tiles to be shared, but got " << stream;
  if (stream == 0) {
    if (regions != 0 || blocks != 0 || big != 0)
      return emitError() << "expected no stream-K blocks without tiles, but "
                            "got "
                         << regions << " regions of " << blocks << " blocks";
    return success();
  }
  int64_t all, shares;
  if (regions < 1 || blocks < 1 ||
      __builtin_mul_overflow(stream, iterations, &all) ||
      __builtin_mul_overflow(regions, blocks, &shares) || shares > all)
    return emitError() << "expected between 1 and " << stream << " × "
                       << iterations << " stream-K blocks, but got " << regions
                       << " regions of " << blocks;
  if (all % regions != 0)
    return emitError() << "expected regions that divide the " << all
                       << " iterations, but got " << regions;
  if (big != all / regions % blocks)
    return emitError() << "expected " << all / regions % blocks
                       << " blocks with one iteration more, so that "
                       << all / regions << " are dealt out to " << blocks
                       << ", but got " << big;
  return success();
}

int64_t StreamKAttr::getIterationsPerRegion() const {
  return getStream() ? getStream() * getIterations() / getRegions() : 0;
}

int64_t StreamKAttr::getIterationsPerBlock() const {
  return getStream() ? getIterationsPerRegion() / getBlocks() : 0;
}

template <typename OpT>
static LogicalResult verifyHasBlocks(OpT op) {
  if (op.getPlan().getStream() != 0)
    return success();
  return op.emitOpError("expected a plan with stream-K blocks, but this one "
                        "has none");
}

LogicalResult StreamKIterationsOp::verify() { return verifyHasBlocks(*this); }

LogicalResult StreamKOwnerOp::verify() { return verifyHasBlocks(*this); }
