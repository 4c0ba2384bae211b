// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lets contractions on tensors read through transposes, broadcasts and casts.
#include "Contraction.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tile {
#define GEN_PASS_DEF_TILEFOLDINTOCONTRACTIONS
#include "tile/Conversion/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

/// The operation that made `value` if each element of it is an element of the
/// one input, at most widened.
static linalg::LinalgOp findRearrangement(Value value) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (!op || op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() ||
      !isa<RankedTensorType>(op->getOperand(0).getType()))
    return {};
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  Block &body = op->getRegion(0).front();
  Value result = stripWidening(body.getTerminator()->getOperand(0));
  if (result != body.getArgument(0) || !maps[0].isProjectedPermutation() ||
      !maps[1].isPermutation())
    return {};
  return op;
}

/// Copies the widening casts that make `value` of an argument of a body, for
/// `input` instead of that argument.
static Value cloneWidening(OpBuilder &builder, Value value, Value input) {
  Operation *cast = value.getDefiningOp();
  if (!cast)
    return input;
  IRMapping mapping;
  mapping.map(cast->getOperand(0),
              cloneWidening(builder, cast->getOperand(0), input));
  return builder.clone(*cast, mapping)->getResult(0);
}

/// Copies a body without its terminator, with `arguments` for its arguments.
/// Returns what it yields.
static Value cloneBody(OpBuilder &builder, Block &body, ValueRange arguments) {
  IRMapping mapping;
  mapping.map(body.getArguments(), arguments);
  for (Operation &op : body.without_terminator())
    builder.clone(op, mapping);
  return mapping.lookupOrDefault(body.getTerminator()->getOperand(0));
}

namespace {

struct FoldIntoContraction : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || whyNoContractionBody(op))
      return failure();
    for (unsigned input = 0; input < 2; ++input)
      if (linalg::LinalgOp source =
              findRearrangement(op.getDpsInputs()[input])) {
        fold(rewriter, op, input, source);
        return success();
      }
    return failure();
  }

  static void fold(PatternRewriter &rewriter, linalg::LinalgOp op,
                   unsigned input, linalg::LinalgOp source) {
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    SmallVector<AffineMap> sourceMaps = source.getIndexingMapsArray();
    // From the contraction's loops to the source's result, to the source's
    // loops, to its input.
    maps[input] = sourceMaps[0].compose(
        inversePermutation(sourceMaps[1]).compose(maps[input]));
    SmallVector<Value> inputs = op.getDpsInputs();
    inputs[input] = source->getOperand(0);
    Block &body = op->getRegion(0).front();
    Block &sourceBody = source->getRegion(0).front();
    auto build = [&](OpBuilder &builder, Location loc, ValueRange arguments) {
      SmallVector<Value> values(arguments);
      values[input] = cloneWidening(
          builder, sourceBody.getTerminator()->getOperand(0), arguments[input]);
      linalg::YieldOp::create(builder, loc, cloneBody(builder, body, values));
    };
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(
        op, op->getResultTypes(), inputs, op.getDpsInits(), maps,
        op.getIteratorTypesArray(), build);
  }
};

struct TileFoldIntoContractionsPass
    : tile::impl::TileFoldIntoContractionsBase<TileFoldIntoContractionsPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateFoldIntoContractionPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

void tile::populateFoldIntoContractionPatterns(RewritePatternSet &patterns) {
  patterns.add<FoldIntoContraction>(patterns.getContext());
}
