// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expands layouts to index arithmetic.
#include "tile/IR/LayoutValues.h"
#include "tile/IR/MixedTuple.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Transforms/DialectConversion.h"

namespace tile {
#define GEN_PASS_DEF_TILEEXPANDLAYOUTS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

namespace {

/// Appends the run-time leaves of a tuple of symbols as values.
LogicalResult appendLeaves(OpBuilder &builder, Location loc, const IntTuple &tuple,
                           ValueRange symbols, SmallVectorImpl<Value> &values) {
  for (const IntTuple &leaf : tuple.getLeaves()) {
    if (leaf.getInt().isStatic())
      continue;
    Value value = materialize(builder, loc, leaf.getInt(), symbols);
    if (!value)
      return failure();
    values.push_back(value);
  }
  return success();
}

struct ExpandMakeLayout : OpConversionPattern<MakeLayoutOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(MakeLayoutOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> leaves(adaptor.getShapeOperands());
    llvm::append_range(leaves, adaptor.getStrideOperands());
    rewriter.replaceOpWithMultiple(op, {leaves});
    return success();
  }
};

template <typename OpT>
struct ExpandQuery : OpConversionPattern<OpT> {
  using OpConversionPattern<OpT>::OpConversionPattern;
  LogicalResult matchAndRewrite(OpT op, typename OpT::template GenericAdaptor<ArrayRef<ValueRange>> adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    unsigned next = 0;
    Layout layout = withSymbols(op.getLayout().getType().getLayout(), next);
    Int number = std::is_same_v<OpT, SizeOp> ? layout.size() : layout.cosize();
    Value value = materialize(rewriter, op.getLoc(), number, adaptor.getLayout());
    if (!value)
      return op.emitOpError("expected a layout whose value can be computed at run time");
    rewriter.replaceOp(op, value);
    return success();
  }
};

struct ExpandCrd2Idx : OpConversionPattern<Crd2IdxOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(Crd2IdxOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> symbols(adaptor.getLayout());
    for (ValueRange coord : adaptor.getCoordOperands())
      llvm::append_range(symbols, coord);
    unsigned next = 0;
    Layout layout = withSymbols(op.getLayout().getType().getLayout(), next);
    Result<IntTuple> offset = layout(withSymbols(op.getCoord(), next));
    if (!offset)
      return op.emitOpError(offset.getReason());
    Value value = materialize(rewriter, op.getLoc(), offset->getInt(), symbols);
    if (!value)
      return op.emitOpError("expected an offset that can be computed at run time");
    rewriter.replaceOp(op, value);
    return success();
  }
};

/// An operation of the algebra: the same algorithm that inferred its type, on
/// symbols that stand for the operands' run-time leaves.
template <typename OpT>
struct ExpandAlgebra : OpConversionPattern<OpT> {
  using OpConversionPattern<OpT>::OpConversionPattern;
  LogicalResult matchAndRewrite(OpT op, typename OpT::template GenericAdaptor<ArrayRef<ValueRange>> adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Layout> layouts;
    SmallVector<Value> symbols, leaves;
    unsigned next = 0;
    for (auto [operand, values] : llvm::zip_equal(op->getOperands(), adaptor.getOperands())) {
      layouts.push_back(withSymbols(cast<LayoutType>(operand.getType()).getLayout(), next));
      llvm::append_range(symbols, values);
    }
    Result<Layout> result = applyLayoutOp(op, layouts);
    if (!result)
      return op.emitOpError(result.getReason());
    if (failed(appendLeaves(rewriter, op.getLoc(), result->getShape(), symbols, leaves)) ||
        failed(appendLeaves(rewriter, op.getLoc(), result->getStride(), symbols, leaves)))
      return op.emitOpError("expected a layout that can be computed at run time");
    rewriter.replaceOpWithMultiple(op, {leaves});
    return success();
  }
};

struct TileExpandLayoutsPass : tile::impl::TileExpandLayoutsBase<TileExpandLayoutsPass> {
  using TileExpandLayoutsBase::TileExpandLayoutsBase;
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    TypeConverter converter;
    RewritePatternSet patterns(context);
    populateExpandLayoutPatterns(converter, patterns);
    ConversionTarget target(*context);
    target.markUnknownOpDynamicallyLegal([](Operation *op) {
      return !isa<MakeLayoutOp, SizeOp, CosizeOp, Crd2IdxOp, CoalesceOp, CompositionOp,
                  LogicalDivideOp, ZippedDivideOp, LogicalProductOp>(op);
    });
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns, target);
    populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns, converter);
    populateCallOpTypeConversionPattern(patterns, converter);
    populateReturnOpTypeConversionPattern(patterns, converter);
    target.addDynamicallyLegalOp<func::FuncOp>([&](func::FuncOp op) {
      return converter.isSignatureLegal(op.getFunctionType()) && converter.isLegal(&op.getBody());
    });
    target.addDynamicallyLegalOp<func::CallOp, func::ReturnOp>(
        [&](Operation *op) { return converter.isLegal(op); });
    if (failed(applyPartialConversion(getOperation(), target, std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

void tile::populateExpandLayoutPatterns(TypeConverter &converter, RewritePatternSet &patterns) {
  converter.addConversion([](Type type) { return type; });
  converter.addConversion(
      [](LayoutType type, SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
        unsigned leaves = getNumDynamicLeaves(type.getLayout().getShape()) +
                          getNumDynamicLeaves(type.getLayout().getStride());
        types.append(leaves, IndexType::get(type.getContext()));
        return success();
      });
  patterns.add<ExpandMakeLayout, ExpandQuery<SizeOp>, ExpandQuery<CosizeOp>, ExpandCrd2Idx,
               ExpandAlgebra<CoalesceOp>, ExpandAlgebra<CompositionOp>,
               ExpandAlgebra<LogicalDivideOp>, ExpandAlgebra<ZippedDivideOp>,
               ExpandAlgebra<LogicalProductOp>>(converter, patterns.getContext());
}
