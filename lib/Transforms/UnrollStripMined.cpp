// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unrolls the loops over the accesses of one tile.
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tile {
#define GEN_PASS_DEF_TILEUNROLLSTRIPMINED
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

namespace {

/// No thread has more accesses of a tile.
constexpr uint64_t kMaxTrips = 4096;

/// The predicate at bit `position` of a word that was packed in this function,
/// or nothing if the word comes from elsewhere (a loop carries it).
Value findPredicate(PatternRewriter &rewriter, Location loc, Value word,
                    const APInt &position) {
  APInt constant;
  if (matchPattern(word, m_ConstantInt(&constant)))
    return arith::ConstantIntOp::create(rewriter, loc,
                                        constant.lshr(position)[0], 1);
  // Zero where a condition holds, or does not hold.
  if (auto select = word.getDefiningOp<arith::SelectOp>()) {
    bool isOff = matchPattern(select.getTrueValue(), m_Zero());
    if (!isOff && !matchPattern(select.getFalseValue(), m_Zero()))
      return {};
    Value predicate = findPredicate(
        rewriter, loc, isOff ? select.getFalseValue() : select.getTrueValue(),
        position);
    if (!predicate)
      return {};
    Value off = arith::ConstantIntOp::create(rewriter, loc, 0, 1);
    return rewriter.createOrFold<arith::SelectOp>(loc, select.getCondition(),
                                                  isOff ? off : predicate,
                                                  isOff ? predicate : off);
  }
  if (auto both = word.getDefiningOp<arith::AndIOp>()) {
    Value lhs = findPredicate(rewriter, loc, both.getLhs(), position);
    Value rhs =
        lhs ? findPredicate(rewriter, loc, both.getRhs(), position) : Value();
    return rhs ? rewriter.createOrFold<arith::AndIOp>(loc, lhs, rhs) : Value();
  }
  auto combined = word.getDefiningOp<arith::OrIOp>();
  Value bit = combined ? combined.getRhs() : word;
  APInt shift(position.getBitWidth(), 0);
  if (auto shifted = bit.getDefiningOp<arith::ShLIOp>()) {
    if (!matchPattern(shifted.getRhs(), m_ConstantInt(&shift)))
      return {};
    bit = shifted.getLhs();
  }
  auto extended = bit.getDefiningOp<arith::ExtUIOp>();
  if (!extended || !extended.getIn().getType().isInteger(1))
    return {};
  if (shift == position)
    return extended.getIn();
  if (combined)
    return findPredicate(rewriter, loc, combined.getLhs(), position);
  return arith::ConstantIntOp::create(rewriter, loc, 0, 1);
}

/// Where a word is packed and tested in one place, as in an epilogue, the
/// predicate itself serves; the word stays only where a loop carries it.
struct FoldMaskBit : OpRewritePattern<arith::TruncIOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::TruncIOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getType().isInteger(1) || !op.getIn().getType().isInteger(32))
      return rewriter.notifyMatchFailure(op, "not a predicate");
    Value word = op.getIn();
    APInt position(32, 0);
    if (auto shifted = word.getDefiningOp<arith::ShRUIOp>()) {
      if (!matchPattern(shifted.getRhs(), m_ConstantInt(&position)) ||
          position.uge(32))
        return rewriter.notifyMatchFailure(op, "not a constant position");
      word = shifted.getLhs();
    }
    Value predicate = findPredicate(rewriter, op.getLoc(), word, position);
    if (!predicate)
      return rewriter.notifyMatchFailure(op, "a word from elsewhere");
    rewriter.replaceOp(op, predicate);
    return success();
  }
};

struct TileUnrollStripMinedPass
    : tile::impl::TileUnrollStripMinedBase<TileUnrollStripMinedPass> {
  using TileUnrollStripMinedBase::TileUnrollStripMinedBase;
  void runOnOperation() override {
    // Post-order: inner loops are gone before the outer one is copied.
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](scf::ForOp loop) {
      if (loop->hasAttr(kStripMined))
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops) {
      std::optional<APInt> trips = loop.getStaticTripCount();
      if (trips && trips->ugt(kMaxTrips)) {
        loop.emitError("expected at most ")
            << kMaxTrips << " iterations of a strip-mined loop, but got "
            << trips->getZExtValue();
        return signalPassFailure();
      }
      if (failed(loopUnrollFull(loop))) {
        loop.emitError("expected a strip-mined loop with constant bounds");
        return signalPassFailure();
      }
    }
    RewritePatternSet patterns(&getContext());
    patterns.add<FoldMaskBit>(&getContext());
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingOps);
    SmallVector<Operation *> tests;
    getOperation()->walk([&](arith::TruncIOp op) { tests.push_back(op); });
    if (failed(applyOpPatternsGreedily(tests, std::move(patterns), config)))
      signalPassFailure();
  }
};

} // namespace
