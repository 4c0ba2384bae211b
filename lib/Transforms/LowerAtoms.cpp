// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers matrix multiply atoms to arithmetic on fragments.
#include "tile/IR/Tile.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tile {
#define GEN_PASS_DEF_TILELOWERATOMS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

namespace {

/// Positions [first, first + size).
SmallVector<int64_t> positions(int64_t first, int64_t size) {
  return llvm::to_vector(llvm::seq(first, first + size));
}

/// A part of a fragment, as a shuffle.
struct LowerFragmentSlice : OpRewritePattern<vector::ExtractStridedSliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(vector::ExtractStridedSliceOp op,
                                PatternRewriter &rewriter) const override {
    VectorType type = op.getType();
    if (type.getRank() != 1 || op.hasNonUnitStrides())
      return rewriter.notifyMatchFailure(op, "not a part of a fragment");
    int64_t first = cast<IntegerAttr>(op.getOffsets()[0]).getInt();
    rewriter.replaceOpWithNewOp<vector::ShuffleOp>(
        op, op.getSource(), op.getSource(),
        positions(first, type.getDimSize(0)));
    return success();
  }
};

/// One fused multiply-add on the row of the accumulator for each element of A.
struct LowerSimtMma : OpRewritePattern<MmaOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MmaOp op,
                                PatternRewriter &rewriter) const override {
    auto atom = dyn_cast<SimtMmaAttr>(op.getAtom());
    if (!atom)
      return rewriter.notifyMatchFailure(op, "not a SIMT atom");
    Location loc = op.getLoc();
    int64_t rows = atom.getThread()[0], columns = atom.getThread()[1];
    auto rowType = cast<VectorType>(op.getB().getType());
    SmallVector<Value> parts;
    for (int64_t i = 0; i < rows; ++i) {
      Value element = vector::ExtractOp::create(rewriter, loc, op.getA(), i);
      Value splat =
          vector::BroadcastOp::create(rewriter, loc, rowType, element);
      Value row =
          vector::ShuffleOp::create(rewriter, loc, op.getAcc(), op.getAcc(),
                                    positions(i * columns, columns));
      parts.push_back(
          LLVM::FMAOp::create(rewriter, loc, splat, op.getB(), row));
    }
    // Rows join two by two; an odd one waits for the next round.
    while (parts.size() > 1) {
      SmallVector<Value> joined;
      for (size_t i = 0; i + 1 < parts.size(); i += 2) {
        int64_t size = cast<VectorType>(parts[i].getType()).getDimSize(0) +
                       cast<VectorType>(parts[i + 1].getType()).getDimSize(0);
        joined.push_back(vector::ShuffleOp::create(
            rewriter, loc, parts[i], parts[i + 1], positions(0, size)));
      }
      if (parts.size() % 2)
        joined.push_back(parts.back());
      parts = std::move(joined);
    }
    Value acc = parts.front();
    rewriter.replaceOp(op, acc);
    return success();
  }
};

struct TileLowerAtomsPass : tile::impl::TileLowerAtomsBase<TileLowerAtomsPass> {
  using TileLowerAtomsBase::TileLowerAtomsBase;
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateLowerAtomPatterns(patterns);
    SmallVector<Operation *> atoms;
    getOperation()->walk([&](Operation *op) {
      if (isa<MmaOp, vector::ExtractStridedSliceOp>(op))
        atoms.push_back(op);
    });
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingOps);
    if (failed(applyOpPatternsGreedily(atoms, std::move(patterns), config)))
      return signalPassFailure();
    getOperation()->walk([&](MmaOp op) {
      op.emitOpError("expected an atom that can be lowered, but got ")
          << op.getAtom();
      signalPassFailure();
    });
  }
};

} // namespace

void tile::populateLowerAtomPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerSimtMma, LowerFragmentSlice>(patterns.getContext());
}
