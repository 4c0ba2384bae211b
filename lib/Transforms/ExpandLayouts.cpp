// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expands layouts to index arithmetic.
#include "ControlFlow.h"

#include "tile/IR/LayoutValues.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Transforms/DialectConversion.h"

namespace tile {
#define GEN_PASS_DEF_TILEEXPANDLAYOUTS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

namespace {

/// An operation of the algebra: the same algorithm that inferred its type, on
/// symbols that stand for the operands' run-time leaves.
struct ExpandAlgebra : OpInterfaceConversionPattern<LayoutAlgebraOpInterface> {
  using OpInterfaceConversionPattern::OpInterfaceConversionPattern;
  LogicalResult
  matchAndRewrite(LayoutAlgebraOpInterface op, ArrayRef<ValueRange> operands,
                  ConversionPatternRewriter &rewriter) const override {
    AlgebraResult results = evaluateAlgebra(
        AlgebraOperands(op->getOperands()),
        [&](AlgebraOperands &values) { return op.evaluateOn(values); });
    if (!results)
      return op->emitOpError(results.getReason());
    SmallVector<Value> symbols;
    for (ValueRange values : operands)
      llvm::append_range(symbols, values);
    SmallVector<SmallVector<Value>> replacements;
    for (const AlgebraValue &result : *results) {
      FailureOr<SmallVector<Value>> values =
          materialize(rewriter, op.getLoc(), result, symbols);
      if (failed(values))
        return op->emitOpError(
            "expected a result that can be computed at run time");
      replacements.push_back(*values);
    }
    rewriter.replaceOpWithMultiple(op, std::move(replacements));
    return success();
  }
};

/// A leaf that the cast forgets becomes a value again.
struct ExpandCast : OpConversionPattern<LayoutCastOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(LayoutCastOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    unsigned next = 0;
    ComposedLayout source =
        withSymbols(op.getSource().getType().getComposed(), next);
    SmallVector<Value> values;
    for (auto [known, leaf] :
         llvm::zip_equal(getIntLeaves(source),
                         getIntLeaves(op.getResult().getType().getComposed())))
      if (leaf.isDynamic())
        values.push_back(
            materialize(rewriter, op.getLoc(), known, adaptor.getSource()));
    rewriter.replaceOpWithMultiple(op, {values});
    return success();
  }
};

struct TileExpandLayoutsPass
    : tile::impl::TileExpandLayoutsBase<TileExpandLayoutsPass> {
  using TileExpandLayoutsBase::TileExpandLayoutsBase;
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    TypeConverter converter;
    RewritePatternSet patterns(context);
    populateExpandLayoutPatterns(converter, patterns);
    ConversionTarget target(*context);
    target.markUnknownOpDynamicallyLegal([](Operation *op) {
      return !isa<LayoutAlgebraOpInterface, LayoutCastOp>(op);
    });
    if (failed(convertWithControlFlow(getOperation(), converter, target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

void tile::populateExpandLayoutPatterns(TypeConverter &converter,
                                        RewritePatternSet &patterns) {
  converter.addConversion([](Type type) { return type; });
  converter.addConversion(
      [](LayoutType type,
         SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
        types.append(getNumDynamicLeaves(type.getComposed()),
                     IndexType::get(type.getContext()));
        return success();
      });
  patterns.add<ExpandAlgebra, ExpandCast>(converter, patterns.getContext());
}
