// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lets contractions on tensors, and element-wise operations, read through
// transposes, broadcasts and casts.
#include "Contraction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/SmallPtrSet.h"

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
      op.getNumParallelLoops() != op.getNumLoops())
    return {};
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  Block &body = op->getRegion(0).front();
  Value result = stripWidening(body.getTerminator()->getOperand(0));
  if (result != body.getArgument(0) || !maps[0].isProjectedPermutation() ||
      !maps[1].isPermutation())
    return {};
  return op;
}

/// Whether an element-wise operation is behind a contraction, directly or
/// through others.
static bool isBehindContraction(linalg::LinalgOp op) {
  SmallVector<linalg::LinalgOp> work{op};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!work.empty())
    for (Value operand : work.pop_back_val()->getOperands()) {
      auto source = operand.getDefiningOp<linalg::LinalgOp>();
      if (!source || !seen.insert(source).second)
        continue;
      if (!whyNoContractionBody(source))
        return true;
      if (isElementwise(source))
        work.push_back(source);
    }
  return false;
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
    bool isContraction = !whyNoContractionBody(op);
    if (!op.hasPureTensorSemantics() ||
        (!isContraction && !(isElementwise(op) && isBehindContraction(op))))
      return failure();
    if (isContraction && ownInit(rewriter, op))
      return success();
    for (unsigned input = 0, e = op.getNumDpsInputs(); input < e; ++input) {
      Value value = op.getDpsInputs()[input];
      if (linalg::LinalgOp source = findRearrangement(value);
          source && (!isContraction ||
                     isa<RankedTensorType>(source->getOperand(0).getType()))) {
        fold(rewriter, op, input, source);
        return success();
      }
      if (!isContraction && foldSplat(rewriter, op, input))
        return success();
    }
    return failure();
  }

  /// Gives a contraction a fill or broadcast of its own to add to, in a tensor
  /// of its own. Bufferization would copy what is used by others as well, and
  /// may put it where the function's result is, which others see.
  static bool ownInit(PatternRewriter &rewriter, linalg::LinalgOp op) {
    OpOperand &init = op.getDpsInitsMutable()[0];
    Operation *source = init.get().getDefiningOp();
    if (!isa_and_nonnull<linalg::FillOp, linalg::BroadcastOp>(source))
      return false;
    OpOperand &empty =
        cast<DestinationStyleOpInterface>(source).getDpsInitsMutable()[0];
    auto isShared = [](Value value) { return !value.hasOneUse(); };
    bool isEmptyShared =
        empty.get().getDefiningOp<tensor::EmptyOp>() && isShared(empty.get());
    if (!isShared(init.get()) && !isEmptyShared)
      return false;
    Operation *copy = rewriter.clone(*source);
    if (isEmptyShared) {
      rewriter.setInsertionPoint(copy);
      Operation *own = rewriter.clone(*empty.get().getDefiningOp());
      cast<DestinationStyleOpInterface>(copy).getDpsInitsMutable()[0].set(
          own->getResult(0));
    }
    rewriter.modifyOpInPlace(op, [&] { init.set(copy->getResult(0)); });
    return true;
  }

  /// Replaces an input whose elements are one constant by that.
  static bool foldSplat(PatternRewriter &rewriter, linalg::LinalgOp op,
                        unsigned input) {
    DenseElementsAttr elements;
    if (!matchPattern(op.getDpsInputs()[input], m_Constant(&elements)) ||
        !elements.isSplat() || !isa<FloatType>(elements.getElementType()))
      return false;
    Value scalar = arith::ConstantOp::create(
        rewriter, op.getLoc(),
        cast<TypedAttr>(elements.getSplatValue<Attribute>()));
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    maps[input] = AffineMap::get(op.getNumLoops(), 0, rewriter.getContext());
    rebuild(rewriter, op, input, scalar, maps,
            [](OpBuilder &, Value argument) { return argument; });
    return true;
  }

  static void fold(PatternRewriter &rewriter, linalg::LinalgOp op,
                   unsigned input, linalg::LinalgOp source) {
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    SmallVector<AffineMap> sourceMaps = source.getIndexingMapsArray();
    // From the contraction's loops to the source's result, to the source's
    // loops, to its input.
    maps[input] = sourceMaps[0].compose(
        inversePermutation(sourceMaps[1]).compose(maps[input]));
    Value result = source->getRegion(0).front().getTerminator()->getOperand(0);
    rebuild(rewriter, op, input, source->getOperand(0), maps,
            [&](OpBuilder &builder, Value argument) {
              return cloneWidening(builder, result, argument);
            });
  }

  /// Replaces `op` by a generic with another input, of whose element `widen`
  /// makes what the body had.
  static void rebuild(PatternRewriter &rewriter, linalg::LinalgOp op,
                      unsigned input, Value value, ArrayRef<AffineMap> maps,
                      function_ref<Value(OpBuilder &, Value)> widen) {
    SmallVector<Value> inputs = op.getDpsInputs();
    inputs[input] = value;
    Block &body = op->getRegion(0).front();
    auto build = [&](OpBuilder &builder, Location loc, ValueRange arguments) {
      SmallVector<Value> values(arguments);
      values[input] = widen(builder, arguments[input]);
      // The body of linalg.map may have no argument for the result.
      values.resize(body.getNumArguments());
      linalg::YieldOp::create(builder, loc, cloneBody(builder, body, values));
    };
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(
        op, op->getResultTypes(), inputs, op.getDpsInits(), maps,
        op.getIteratorTypesArray(), build);
  }
};

/// Bufferization gives an argument that is written memory of its own; where
/// there are no memrefs yet, all are apart.
void markDistinctArguments(FunctionOpInterface function) {
  auto isMemref = [](Type type) { return isa<BaseMemRefType>(type); };
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  auto types = llvm::concat<const Type>(function.getArgumentTypes(),
                                        function.getResultTypes());
  if (llvm::none_of(types, isMemref) && llvm::any_of(types, isTensor))
    function->setAttr(kDistinctArguments, UnitAttr::get(function.getContext()));
}

struct DropZeroPoints : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    return success(bool(dropZeroPoints(rewriter, op)));
  }
};

struct TileFoldIntoContractionsPass
    : tile::impl::TileFoldIntoContractionsBase<TileFoldIntoContractionsPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateFoldIntoContractionPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
    getOperation()->walk(markDistinctArguments);
  }
};

} // namespace

void tile::populateFoldIntoContractionPatterns(RewritePatternSet &patterns) {
  patterns.add<DropZeroPoints, FoldIntoContraction>(patterns.getContext());
}
