// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversion of types that become several values, through control flow.
#include "ControlFlow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/Transforms/StructuralTypeConversions.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"

using namespace mlir;

/// The attributes of arguments or results after conversion: of one that became
/// one they stay, of others they have no meaning.
static SmallVector<Attribute>
moveAttributes(TypeConverter &converter, ArrayRef<Type> types,
               function_ref<DictionaryAttr(unsigned)> get,
               MLIRContext *context) {
  SmallVector<Attribute> moved;
  for (auto [i, type] : llvm::enumerate(types)) {
    SmallVector<Type> converted;
    if (failed(converter.convertType(type, converted)))
      return {};
    DictionaryAttr attributes = get(i);
    bool isOne = converted.size() == 1 && converted.front() == type;
    moved.append(converted.size(), isOne && attributes
                                       ? attributes
                                       : DictionaryAttr::get(context));
  }
  return moved;
}

namespace {
/// Upstream leaves the attributes of arguments at their old numbers, where
/// other arguments may be afterwards: a range would be stated of something
/// else.
struct ConvertFunction : OpConversionPattern<func::FuncOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(func::FuncOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto &converter = *const_cast<TypeConverter *>(getTypeConverter());
    FunctionType type = op.getFunctionType();
    TypeConverter::SignatureConversion inputs(type.getNumInputs());
    SmallVector<Type> results;
    if (failed(converter.convertSignatureArgs(type.getInputs(), inputs)) ||
        failed(converter.convertTypes(type.getResults(), results)))
      return failure();
    SmallVector<Attribute> ofArguments = moveAttributes(
        converter, type.getInputs(),
        [&](unsigned i) { return op.getArgAttrDict(i); }, op.getContext());
    SmallVector<Attribute> ofResults = moveAttributes(
        converter, type.getResults(),
        [&](unsigned i) { return op.getResultAttrDict(i); }, op.getContext());
    if (!op.isExternal() &&
        failed(rewriter.convertRegionTypes(&op.getBody(), converter, &inputs)))
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      op.setType(FunctionType::get(op.getContext(), inputs.getConvertedTypes(),
                                   results));
      op.setAllArgAttrs(ofArguments);
      op.setAllResultAttrs(ofResults);
    });
    return success();
  }
};

/// The blocks of a kernel; its arguments stay as they are.
struct ConvertGPUFunction : OpConversionPattern<gpu::GPUFuncOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(gpu::GPUFuncOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    // Attributions of memory are arguments of the block as well.
    TypeRange types = op.getBody().front().getArgumentTypes();
    TypeConverter::SignatureConversion same(types.size());
    for (auto [i, type] : llvm::enumerate(types))
      same.addInputs(i, type);
    if (failed(rewriter.convertRegionTypes(&op.getBody(), *getTypeConverter(),
                                           &same)))
      return failure();
    rewriter.modifyOpInPlace(op, [] {});
    return success();
  }
};

/// Upstream has no conversion of this region.
struct ConvertExecuteRegion : OpConversionPattern<scf::ExecuteRegionOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(scf::ExecuteRegionOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<SmallVector<Type>> types(op.getNumResults());
    SmallVector<Type> all;
    for (auto [type, converted] : llvm::zip_equal(op.getResultTypes(), types)) {
      if (failed(getTypeConverter()->convertType(type, converted)))
        return failure();
      llvm::append_range(all, converted);
    }
    auto region = scf::ExecuteRegionOp::create(rewriter, op.getLoc(), all,
                                               op.getNoInline());
    rewriter.inlineRegionBefore(op.getRegion(), region.getRegion(),
                                region.getRegion().end());
    if (failed(rewriter.convertRegionTypes(&region.getRegion(),
                                           *getTypeConverter())))
      return failure();
    SmallVector<ValueRange> results;
    ValueRange rest = region.getResults();
    for (ArrayRef<Type> converted : types) {
      results.push_back(rest.take_front(converted.size()));
      rest = rest.drop_front(converted.size());
    }
    rewriter.replaceOpWithMultiple(op, results);
    return success();
  }
};

/// A choice between two values is one between the parts of each.
struct ConvertSelect : OpConversionPattern<arith::SelectOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(arith::SelectOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> parts;
    for (auto [onTrue, onFalse] :
         llvm::zip_equal(adaptor.getTrueValue(), adaptor.getFalseValue()))
      parts.push_back(arith::SelectOp::create(rewriter, op.getLoc(),
                                              adaptor.getCondition().front(),
                                              onTrue, onFalse));
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};
} // namespace

LogicalResult tile::convertWithControlFlow(Operation *root,
                                           TypeConverter &converter,
                                           ConversionTarget &target,
                                           RewritePatternSet patterns) {
  scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                       target);
  cf::populateCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                     target);
  patterns.add<ConvertFunction, ConvertGPUFunction, ConvertExecuteRegion,
               ConvertSelect>(converter, patterns.getContext());
  populateCallOpTypeConversionPattern(patterns, converter);
  populateReturnOpTypeConversionPattern(patterns, converter);
  target.addDynamicallyLegalOp<func::FuncOp>([&](func::FuncOp op) {
    return converter.isSignatureLegal(op.getFunctionType()) &&
           converter.isLegal(&op.getBody());
  });
  // The blocks behind the first one, whose arguments are the kernel's.
  target.addDynamicallyLegalOp<gpu::GPUFuncOp>([&](gpu::GPUFuncOp op) {
    return llvm::all_of(llvm::drop_begin(op.getBody()), [&](Block &block) {
      return converter.isLegal(block.getArgumentTypes());
    });
  });
  target.addDynamicallyLegalOp<func::CallOp, func::ReturnOp, scf::YieldOp,
                               scf::ExecuteRegionOp, arith::SelectOp>(
      [&](Operation *op) { return converter.isLegal(op); });
  return applyPartialConversion(root, target, std::move(patterns));
}
