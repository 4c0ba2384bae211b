// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expands layouts to index arithmetic.
#include "ControlFlow.h"

#include "tile/IR/LayoutValues.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
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

/// A printf whose format holds what is known of the values.
struct ExpandPrint : OpConversionPattern<PrintOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(PrintOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Result<SmallVector<std::string>> parts = op.getParts();
    if (!parts)
      return op.emitOpError(parts.getReason());
    Format format{rewriter, op.getLoc()};
    format.addText(parts->front());
    for (auto [value, lowered, part] : llvm::zip_equal(
             op.getValues(), adaptor.getValues(), llvm::drop_begin(*parts))) {
      if (auto type = dyn_cast<LayoutType>(value.getType()))
        format.add(type.getComposed(), lowered);
      else
        format.add(lowered.front());
      format.addText(part);
    }
    rewriter.replaceOpWithNewOp<gpu::PrintfOp>(
        op, rewriter.getStringAttr(format.text + "\n"), format.arguments);
    return success();
  }

  /// A format of printf and its arguments: i64, f32 or f64.
  struct Format {
    OpBuilder &builder;
    Location loc;
    std::string text = {};
    SmallVector<Value> arguments = {};

    void addText(StringRef part) {
      for (char c : part)
        text += c == '%' ? "%%" : std::string(1, c);
    }

    void add(Value value) {
      Type type = value.getType(), i64 = builder.getI64Type();
      if (isa<FloatType>(type)) {
        text += "%g";
        if (type.isF16() || type.isBF16())
          value =
              arith::ExtFOp::create(builder, loc, builder.getF32Type(), value);
      } else {
        text += "%lld";
        if (type.isIndex())
          value = builder.createOrFold<arith::IndexCastOp>(loc, i64, value);
        else if (type.isInteger(1))
          value = arith::ExtUIOp::create(builder, loc, i64, value);
        else if (type != i64)
          value = arith::ExtSIOp::create(builder, loc, i64, value);
      }
      arguments.push_back(value);
    }

    void add(const Int &leaf, Value value) {
      if (leaf.isStatic())
        text += std::to_string(leaf.getValue());
      else
        add(value);
    }

    void add(const IntTuple &tuple, ValueRange &leaves) {
      if (tuple.isTuple()) {
        text += '(';
        for (unsigned i = 0, e = tuple.rank(); i < e; ++i) {
          text += i ? ", " : "";
          add(tuple[i], leaves);
        }
        text += ')';
        return;
      }
      add(tuple.getInt(), leaves.empty() ? Value() : leaves.front());
      if (tuple.getInt().isDynamic())
        leaves = leaves.drop_front();
      if (tuple.isBasis())
        for (int64_t mode : llvm::reverse(tuple.getPath()))
          text += "@e" + std::to_string(mode);
    }

    /// As the type is printed. The run-time leaves are those of the shape, of
    /// the stride, then the offset.
    void add(const ComposedLayout &layout, ValueRange leaves) {
      if (!layout.isPlain()) {
        text += layout.getSwizzle().str() + " o ";
        add(layout.getOffset(), leaves.empty() ? Value() : leaves.back());
        text += " o ";
      }
      add(layout.getLayout().getShape(), leaves);
      text += " : ";
      add(layout.getLayout().getStride(), leaves);
    }
  };
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
      return !isa<LayoutAlgebraOpInterface, LayoutCastOp, PrintOp>(op);
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
  patterns.add<ExpandAlgebra, ExpandCast, ExpandPrint>(converter,
                                                       patterns.getContext());
}
