// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversion of types that become several values, through control flow.
#include "ControlFlow.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
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
} // namespace

LogicalResult tile::convertWithControlFlow(Operation *root,
                                           TypeConverter &converter,
                                           ConversionTarget &target,
                                           RewritePatternSet patterns) {
  scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                       target);
  patterns.add<ConvertFunction>(converter, patterns.getContext());
  populateCallOpTypeConversionPattern(patterns, converter);
  populateReturnOpTypeConversionPattern(patterns, converter);
  target.addDynamicallyLegalOp<func::FuncOp>([&](func::FuncOp op) {
    return converter.isSignatureLegal(op.getFunctionType()) &&
           converter.isLegal(&op.getBody());
  });
  target.addDynamicallyLegalOp<func::CallOp, func::ReturnOp>(
      [&](Operation *op) { return converter.isLegal(op); });
  return applyPartialConversion(root, target, std::move(patterns));
}
