// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers matrix multiply atoms to arithmetic on fragments.
#include "tile/Atoms/Chips.h"
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

/// What the atom says that it is.
struct LowerMma : OpRewritePattern<MmaOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MmaOp op,
                                PatternRewriter &rewriter) const override {
    Value acc = op.getAtom().emit(rewriter, op.getLoc(), op.getA(), op.getB(),
                                  op.getAcc());
    if (!acc)
      return rewriter.notifyMatchFailure(op, "an atom without code");
    rewriter.replaceOp(op, acc);
    return success();
  }
};

/// Whether a chip has what `first` was the first to have; what only one
/// architecture has, such as sm_90a, is on no later one.
bool isOn(const Chip &chip, StringRef first) {
  if (first.empty() || first == chip.architecture)
    return true;
  return !first.ends_with("a") &&
         chip.sm >= getComputeCapability(first.str().c_str());
}

/// Reports the atoms that a chip lacks, each once.
LogicalResult checkAtoms(Operation *root, const Chip &chip) {
  llvm::SmallPtrSet<Attribute, 4> missing;
  root->walk([&](MmaOp op) {
    MmaAtomAttrInterface atom = op.getAtom();
    StringRef first = atom.getMinimumChip();
    if (isOn(chip, first) || !missing.insert(atom).second)
      return;
    InFlightDiagnostic error =
        op.emitOpError("expected ")
        << first << (first.ends_with("a") ? "" : " or newer") << " for " << atom
        << ", but got " << chip.architecture;
    std::string others = atom.getAlternatives(chip);
    if (!others.empty())
      error.attachNote() << chip.architecture << " multiplies these types by "
                         << others;
  });
  return success(missing.empty());
}

struct TileLowerAtomsPass : tile::impl::TileLowerAtomsBase<TileLowerAtomsPass> {
  using TileLowerAtomsBase::TileLowerAtomsBase;
  void runOnOperation() override {
    const Chip *row = findNearestChip(chip.c_str());
    if (row && failed(checkAtoms(getOperation(), *row)))
      return signalPassFailure();
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
  patterns.add<LowerMma, LowerFragmentSlice>(patterns.getContext());
}
