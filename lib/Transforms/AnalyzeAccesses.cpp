// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reports how warps access memory.
#include "tile/Transforms/AccessFigures.h"
#include "tile/Transforms/Passes.h"

namespace tile {
#define GEN_PASS_DEF_TILEANALYZEACCESSES
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

static void reportFigures(Location loc, const Result<AccessFigures> &figures) {
  if (!figures) {
    mlir::emitRemark(loc) << "nothing is known of this access: "
                          << figures.getReason();
    return;
  }
  InFlightDiagnostic diagnostic = mlir::emitRemark(loc)
                                  << describeFigures(*figures);
  if (!figures->narrowing.empty())
    diagnostic.attachNote() << "accesses are not wider: " << figures->narrowing;
  if (figures->assumesPitch && !figures->isShared)
    diagnostic.attachNote() << "for strides that are multiples of 32 bytes";
}

namespace {
struct TileAnalyzeAccessesPass
    : tile::impl::TileAnalyzeAccessesBase<TileAnalyzeAccessesPass> {
  void runOnOperation() override {
    getOperation()->walk(
        [](Operation *op) { forEachAccessFigures(op, reportFigures); });
    markAllAnalysesPreserved();
  }
};
} // namespace
