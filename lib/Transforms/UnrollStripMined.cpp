// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unrolls the loops over the accesses of one tile.
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/SCF/Utils/Utils.h"

namespace tile {
#define GEN_PASS_DEF_TILEUNROLLSTRIPMINED
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

namespace {

struct TileUnrollStripMinedPass : tile::impl::TileUnrollStripMinedBase<TileUnrollStripMinedPass> {
  using TileUnrollStripMinedBase::TileUnrollStripMinedBase;
  void runOnOperation() override {
    // Post-order: inner loops are gone before the outer one is copied.
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](scf::ForOp loop) {
      if (loop->hasAttr(kStripMined))
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops) {
      if (failed(loopUnrollFull(loop))) {
        loop.emitError("expected a strip-mined loop with constant bounds");
        return signalPassFailure();
      }
    }
  }
};

} // namespace
