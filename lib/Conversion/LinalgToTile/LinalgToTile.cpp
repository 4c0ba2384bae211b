// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts contractions of linalg on memrefs to tile.gemm.
#include "Contraction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"

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

static Type getElementType(Value memref) {
  return cast<MemRefType>(memref.getType()).getElementType();
}

/// Which operand of the epilogue is C: the result itself, where it is read, or
/// the first that is a whole matrix of its type.
static std::optional<unsigned> chooseC(const GemmOperands &operands,
                                       const GemmViews &views) {
  std::optional<unsigned> c;
  for (auto [i, other] : llvm::enumerate(operands.others)) {
    if (other.memref == operands.d.memref)
      return i;
    if (!c && views.isWhole[i] &&
        getElementType(other.memref) == getElementType(operands.d.memref))
      c = i;
  }
  return c;
}

/// Makes a GEMM of a contraction and its epilogue, before the last of these.
/// The verifier knows what types may be: it is asked about the real thing.
static FailureOr<GemmOp> createGemm(RewriterBase &rewriter,
                                    const FusedContraction &fused,
                                    std::string &reason) {
  linalg::LinalgOp op = fused.op;
  Location loc = op.getLoc();
  FailureOr<GemmViews> views =
      createGemmViews(rewriter, loc, fused.operands, reason);
  if (failed(views))
    return failure();
  std::optional<unsigned> c = chooseC(fused.operands, *views);
  SmallVector<Value> others;
  SmallVector<Attribute> indices;
  for (auto [i, other] : llvm::enumerate(views->others)) {
    if (i == c)
      continue;
    others.push_back(other);
    indices.push_back(rewriter.getDenseI64ArrayAttr(views->indices[i]));
  }
  auto gemm = GemmOp::create(
      rewriter, loc, views->a, views->b, c ? views->others[*c] : Value(),
      views->d, /*alpha=*/Value(), /*beta=*/Value(), others,
      others.empty() ? ArrayAttr() : rewriter.getArrayAttr(indices),
      /*promoted_sums=*/UnitAttr(), /*schedule=*/Attribute(),
      /*reason=*/StringAttr());
  std::optional<std::string> why;
  if (needsEpilogue(fused, c))
    why = buildEpilogue(fused, c, gemm);
  if (!why)
    why = whyRefused(gemm);
  if (!why)
    return gemm;
  reason = std::move(*why);
  return failure();
}

/// Replaces a contraction and what is fused with it. On failure nothing is
/// changed.
static FailureOr<GemmOp> replaceFused(RewriterBase &rewriter,
                                      const FusedContraction &fused,
                                      std::string &reason) {
  OpBuilder::InsertionGuard guard(rewriter);
  Operation *last = fused.getLast(), *before = last->getPrevNode();
  rewriter.setInsertionPoint(last);
  FailureOr<GemmOp> gemm = createGemm(rewriter, fused, reason);
  if (failed(gemm)) {
    while (last->getPrevNode() != before)
      rewriter.eraseOp(last->getPrevNode());
    return failure();
  }
  for (const EpilogueStep &step : llvm::reverse(fused.steps))
    rewriter.eraseOp(step.op);
  rewriter.eraseOp(fused.op);
  if (fused.initOp)
    rewriter.eraseOp(fused.initOp);
  return gemm;
}

/// The element-wise operations that read the result of `op`, directly or
/// through others. A longer chain than this is no epilogue that pays.
static SmallVector<linalg::LinalgOp> listReaders(linalg::LinalgOp op) {
  constexpr unsigned kMost = 64;
  llvm::SmallPtrSet<Value, 4> results{op.getDpsInits()[0]};
  SmallVector<linalg::LinalgOp> readers;
  for (Operation *next = op->getNextNode(); next && readers.size() < kMost;
       next = next->getNextNode()) {
    auto reader = dyn_cast<linalg::LinalgOp>(next);
    if (!reader || !reader.hasPureBufferSemantics() || !isElementwise(reader) ||
        llvm::none_of(reader->getOperands(), [&](Value operand) {
          return results.contains(operand) && readsOperand(reader, operand);
        }))
      continue;
    results.insert(reader.getDpsInits()[0]);
    readers.push_back(reader);
  }
  return readers;
}

FailureOr<GemmOp> tile::convertContraction(RewriterBase &rewriter,
                                           linalg::LinalgOp op,
                                           std::string &reason,
                                           const ContractionOptions &options) {
  MLIRContext *context = op->getContext();
  if (!context->getLoadedDialect<TileDialect>() ||
      !context->getLoadedDialect<memref::MemRefDialect>() ||
      !context->getLoadedDialect<arith::ArithDialect>()) {
    reason = "expected the dialects tile, memref and arith in the context, but "
             "got one without: make them dependent dialects of the pass";
    return failure();
  }
  if (std::optional<std::string> why = whyNoCandidate(op)) {
    reason = std::move(*why);
    return failure();
  }
  auto function = op->getParentOfType<FunctionOpInterface>();
  Aliasing aliasing{function && function->hasAttr(kDistinctArguments)};
  SmallVector<linalg::LinalgOp> readers = listReaders(op);
  std::optional<NotFused> notFused;
  // As many as can be; and rather these than what sets the result before.
  for (unsigned most = readers.size();; --most) {
    std::string first;
    for (bool withInit : {true, false}) {
      reason.clear();
      FailureOr<FusedContraction> fused =
          findFusion(op, aliasing, most, withInit, reason);
      if (succeeded(fused)) {
        FailureOr<GemmOp> gemm = replaceFused(rewriter, *fused, reason);
        if (succeeded(gemm)) {
          if (notFused && options.onNotFused)
            options.onNotFused(*notFused);
          return gemm;
        }
      }
      if (withInit)
        first = reason;
    }
    if (most == 0)
      return failure();
    notFused = NotFused{readers[most - 1], first};
  }
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
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::LinalgOp> contractions, others;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (linalg::LinalgOp matmul = dropZeroPoints(rewriter, op))
        op = matmul;
      // These move or set data, and are no problem of ours.
      if (!isa<linalg::FillOp, linalg::CopyOp, linalg::TransposeOp,
               linalg::BroadcastOp>(op))
        (whyNoContractionBody(op) ? others : contractions).push_back(op);
    });
    ContractionOptions options;
    DenseMap<Operation *, std::string> reasons;
    options.onNotFused = [&](const NotFused &notFused) {
      reasons[notFused.op] = notFused.reason;
    };
    DenseSet<Operation *> erased;
    ErasedListener listener(erased);
    rewriter.setListener(&listener);
    for (linalg::LinalgOp op : contractions) {
      std::string reason;
      if (failed(convertContraction(rewriter, op, reason, options)))
        op->emitRemark("stays as it is, and is no problem of Tile: ") << reason;
    }
    for (linalg::LinalgOp op : others)
      if (!erased.contains(op))
        remark(op, reasons);
    getOperation()->walk([](FunctionOpInterface function) {
      function->removeAttr(kDistinctArguments);
    });
  }

private:
  struct ErasedListener : RewriterBase::Listener {
    explicit ErasedListener(DenseSet<Operation *> &erased) : erased(erased) {}
    void notifyOperationErased(Operation *op) override { erased.insert(op); }
    DenseSet<Operation *> &erased;
  };

  static void remark(linalg::LinalgOp op,
                     const DenseMap<Operation *, std::string> &reasons) {
    if (auto found = reasons.find(op); found != reasons.end())
      op->emitRemark("stays as it is, and is not in the epilogue of a GEMM: ")
          << found->second;
    else
      op->emitRemark("stays as it is, and is no problem of Tile: ")
          << whyNoCandidate(op).value_or("");
  }
};

} // namespace

void tile::populateLinalgToTilePatterns(RewritePatternSet &patterns) {
  patterns.add<ContractionToGemm>(patterns.getContext());
}
