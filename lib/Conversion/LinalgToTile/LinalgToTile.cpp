// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts contractions of linalg on memrefs to tile.gemm.
#include "Contraction.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tile {
#define GEN_PASS_DEF_CONVERTLINALGTOTILE
#include "tile/Conversion/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

/// Why `tile.gemm` does not take these operands, in the words of its verifier;
/// nothing when it does.
static std::optional<std::string> whyRefused(GemmOp gemm) {
  std::string reason;
  ScopedDiagnosticHandler handler(gemm.getContext(),
                                  [&](Diagnostic &diagnostic) {
                                    if (reason.empty())
                                      reason = diagnostic.str();
                                    return success();
                                  });
  if (succeeded(verify(gemm, /*verifyRecursively=*/false)))
    return std::nullopt;
  return reason;
}

/// Why `op` is not one to look at; nothing where it may be a contraction.
static std::optional<std::string> whyNoCandidate(linalg::LinalgOp op) {
  if (!op.hasPureBufferSemantics())
    return std::string("expected operands that are memrefs: bufferize first");
  if (std::optional<std::string> reason = whyNoContractionBody(op))
    return reason;
  for (Value operand : op->getOperands())
    if (!isa<MemRefType>(operand.getType()))
      return std::string("expected operands that are ranked memrefs");
  return std::nullopt;
}

FailureOr<GemmOp> tile::convertContraction(RewriterBase &rewriter,
                                           linalg::LinalgOp op,
                                           std::string &reason) {
  MLIRContext *context = op->getContext();
  if (!context->getLoadedDialect<TileDialect>() ||
      !context->getLoadedDialect<memref::MemRefDialect>()) {
    reason = "expected the dialects tile and memref in the context, but got "
             "one without: make them dependent dialects of the pass";
    return failure();
  }
  if (std::optional<std::string> why = whyNoCandidate(op)) {
    reason = std::move(*why);
    return failure();
  }
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Operation *before = op->getPrevNode();
  FailureOr<ContractionViews> views =
      createContractionViews(rewriter, op, reason);
  if (failed(views))
    return failure();
  linalg::FillOp fill = findZeroFill(op, op->getOperand(2));
  // The verifier knows what the types may be: it is asked about the real thing,
  // which goes again where it refuses.
  auto gemm = GemmOp::create(rewriter, op.getLoc(), views->a, views->b,
                             fill ? Value() : views->d, views->d,
                             /*alpha=*/Value(), /*beta=*/Value());
  if (std::optional<std::string> why = whyRefused(gemm)) {
    reason = std::move(*why);
    while (op->getPrevNode() != before)
      rewriter.eraseOp(op->getPrevNode());
    return failure();
  }
  rewriter.eraseOp(op);
  if (fill)
    rewriter.eraseOp(fill);
  return gemm;
}

namespace {

struct ContractionToGemm : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    std::string reason;
    if (succeeded(convertContraction(rewriter, op, reason)))
      return success();
    return rewriter.notifyMatchFailure(op, reason);
  }
};

/// In the order of the program and each operation once, so that each has one
/// remark.
struct ConvertLinalgToTilePass
    : tile::impl::ConvertLinalgToTileBase<ConvertLinalgToTilePass> {
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> candidates;
    getOperation()->walk([&](linalg::LinalgOp op) {
      // These move or set data, and are no problem of ours.
      if (!isa<linalg::FillOp, linalg::CopyOp, linalg::TransposeOp,
               linalg::BroadcastOp>(op))
        candidates.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : candidates) {
      std::string reason;
      if (failed(convertContraction(rewriter, op, reason)))
        op->emitRemark("stays as it is, and is no problem of Tile: ") << reason;
    }
  }
};

} // namespace

void tile::populateLinalgToTilePatterns(RewritePatternSet &patterns) {
  patterns.add<ContractionToGemm>(patterns.getContext());
}
