// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers the upstream dialects of a gpu.module to llvm and nvvm.

#include "mlir/Conversion/ArithCommon/AttrToLLVMConverter.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Transforms/DialectConversion.h"
#include "tile/Target/Passes.h"
#include "llvm/ADT/MapVector.h"

namespace tile {
#define GEN_PASS_DEF_TILEKERNELSTOLLVM
#include "tile/Target/Passes.h.inc"
} // namespace tile

using namespace tile;
using namespace mlir;

/// Lowers structured control flow where there is any.
static LogicalResult lowerControlFlow(gpu::GPUModuleOp module) {
  bool hasSCF = module
                    .walk([](Operation *op) {
                      return isa_and_nonnull<scf::SCFDialect>(op->getDialect())
                                 ? WalkResult::interrupt()
                                 : WalkResult::advance();
                    })
                    .wasInterrupted();
  if (!hasSCF)
    return success();
  MLIRContext *context = module.getContext();
  RewritePatternSet patterns(context);
  populateSCFToControlFlowConversionPatterns(patterns);
  ConversionTarget target(*context);
  target.addDynamicallyLegalDialect<scf::SCFDialect>([](Operation *op) {
    return !isa<scf::ForOp, scf::IfOp, scf::WhileOp, scf::ExecuteRegionOp,
                scf::IndexSwitchOp>(op);
  });
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  return applyPartialConversion(module, target, std::move(patterns));
}

namespace {
/// The square root that rounds to nearest, or the approximate one where the
/// flags allow it. libdevice's is approximate unless the compiler tells it
/// otherwise, and needs a toolkit.
struct LowerSqrt : ConvertOpToLLVMPattern<math::SqrtOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(math::SqrtOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = adaptor.getOperand().getType();
    // Vectors of several dimensions are arrays by now: another pattern unrolls
    // them.
    if (!LLVM::isCompatibleType(type) || isa<LLVM::LLVMArrayType>(type))
      return failure();
    rewriter.replaceOpWithNewOp<LLVM::SqrtOp>(
        op, type, adaptor.getOperand(),
        convertArithFastMathAttrToLLVM(op.getFastmathAttr()));
    return success();
  }
};

/// The error function of f32 without a branch, so that those of several
/// elements are computed together: libdevice's takes one of two ways for each
/// element, one after the other, which made GELU of 8192 x 8192 x 512 on an
/// H200 twice as slow as the bare GEMM.
///
/// Below kEnd, x + x * p(x * x); above, 1 - 2^(|x| * q(|x|)). The coefficients
/// are minimax fits; the largest error is 3 units in the last place, with the
/// hardware's exponential. Far out, q has the sign of its last coefficient, and
/// the power is 0.
struct LowerErf : ConvertOpToLLVMPattern<math::ErfOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  static constexpr float kEnd = 0.6F;
  static constexpr float kNear[] = {0.128379151F, -0.376125157F, 0.112810537F,
                                    -0.0266497191F, 0.00451614056F};
  static constexpr float kFar[] = {
      -1.62798297F,    -0.917894363F,    -0.149986655F,   0.0305506438F,
      -0.00277282461F, -0.000499579415F, 0.000186834688F, -1.78113769e-05F};

  LogicalResult
  matchAndRewrite(math::ErfOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value x = adaptor.getOperand();
    Type type = x.getType();
    if (!type.isF32())
      return failure();
    Location loc = op.getLoc();
    auto constant = [&](float value) -> Value {
      return LLVM::ConstantOp::create(rewriter, loc,
                                      rewriter.getF32FloatAttr(value));
    };
    auto evaluate = [&](ArrayRef<float> coefficients, Value at) {
      Value sum = constant(coefficients.back());
      for (float each : llvm::reverse(coefficients.drop_back()))
        sum = LLVM::FMAOp::create(rewriter, loc, sum, at, constant(each));
      return sum;
    };
    Value square = LLVM::FMulOp::create(rewriter, loc, x, x);
    Value near =
        LLVM::FMAOp::create(rewriter, loc, evaluate(kNear, square), x, x);
    Value size = LLVM::FAbsOp::create(rewriter, loc, type, x);
    Value exponent =
        LLVM::FMulOp::create(rewriter, loc, evaluate(kFar, size), size);
    Value power = LLVM::Exp2Op::create(rewriter, loc, type, exponent,
                                       LLVM::FastmathFlags::afn);
    Value rest = LLVM::FSubOp::create(rewriter, loc, constant(1), power);
    Value far = LLVM::CopySignOp::create(rewriter, loc, type, rest, x);
    Value isNear = LLVM::FCmpOp::create(rewriter, loc, LLVM::FCmpPredicate::olt,
                                        size, constant(kEnd));
    rewriter.replaceOpWithNewOp<LLVM::SelectOp>(op, isNear, near, far);
    return success();
  }
};
} // namespace

static void populatePatterns(LLVMTypeConverter &converter, KernelTarget target,
                             RewritePatternSet &patterns) {
  populateGpuToNVVMConversionPatterns(converter, patterns);
  populateGpuSubgroupReduceOpLoweringPattern(converter, patterns);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  populateFuncToLLVMConversionPatterns(converter, patterns);
  index::populateIndexToLLVMConversionPatterns(converter, patterns);
  populateMathToLLVMConversionPatterns(converter, patterns,
                                       /*approximateLog1p=*/false,
                                       /*benefit=*/2);
  ub::populateUBToLLVMConversionPatterns(converter, patterns);
  populateVectorToLLVMConversionPatterns(converter, patterns);
  // A math function on the GPU is one of libdevice's; on the host LLVM turns
  // its intrinsic into a call of libm where the CPU has no instruction.
  if (target == KernelTarget::PTX) {
    populateLibDeviceConversionPatterns(converter, patterns, /*benefit=*/10);
    patterns.add<LowerSqrt>(converter, /*benefit=*/20);
  } else {
    populateMathToLibmConversionPatterns(patterns);
  }
  // The simulator checks what the GPU computes.
  patterns.add<LowerErf>(converter, /*benefit=*/20);
}

/// Reports the first op that is neither llvm nor nvvm. A conversion of types
/// that is left is reported only when there is no other op to blame.
static LogicalResult checkLowered(gpu::GPUModuleOp module,
                                  KernelTarget target) {
  UnrealizedConversionCastOp cast;
  Operation *left = nullptr;
  module.walk([&](Operation *op) {
    if (op == module.getOperation() ||
        isa_and_nonnull<LLVM::LLVMDialect, NVVM::NVVMDialect>(op->getDialect()))
      return WalkResult::advance();
    if (auto found = dyn_cast<UnrealizedConversionCastOp>(op)) {
      if (!cast)
        cast = found;
      return WalkResult::advance();
    }
    left = op;
    return WalkResult::interrupt();
  });
  if (left)
    return left->emitError()
           << "expected only ops that lower to the llvm and nvvm dialects for "
           << (target == KernelTarget::PTX ? "PTX" : "the simulator")
           << ", but got '" << left->getName().getStringRef() << "'";
  if (cast)
    return cast.emitError()
           << "expected types that have an llvm counterpart, but got a "
              "conversion from "
           << cast.getOperandTypes() << " to " << cast.getResultTypes()
           << " left after lowering";
  return success();
}

/// The attributes of the kernels' arguments, by kernel.
using ArgumentAttributes = llvm::MapVector<StringAttr, ArrayAttr>;

static ArgumentAttributes collectArguments(gpu::GPUModuleOp module) {
  ArgumentAttributes attributes;
  for (auto function : module.getOps<gpu::GPUFuncOp>())
    if (ArrayAttr found = function.getAllArgAttrs())
      attributes[SymbolTable::getSymbolName(function)] = found;
  return attributes;
}

/// Upstream drops llvm.byval from the arguments of a gpu.func; puts back what
/// is missing where the arguments are still the same ones. In PTX, such an
/// argument is read where it is, as a tensor map has to be: it is marked as
/// constant, which upstream's verifier does not allow on a gpu.func.
static void restoreArguments(gpu::GPUModuleOp module, KernelTarget target,
                             const ArgumentAttributes &attributes) {
  for (const auto &[name, arguments] : attributes) {
    auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
    if (!function || function.getNumArguments() != arguments.size())
      continue;
    for (auto [i, dictionary] :
         llvm::enumerate(arguments.getAsRange<DictionaryAttr>()))
      for (NamedAttribute attribute : dictionary) {
        if (!function.getArgAttr(i, attribute.getName()))
          function.setArgAttr(i, attribute.getName(), attribute.getValue());
        if (target == KernelTarget::PTX &&
            attribute.getName() == LLVM::LLVMDialect::getByValAttrName())
          function.setArgAttr(i, NVVM::NVVMDialect::getGridConstantAttrName(),
                              UnitAttr::get(module.getContext()));
      }
  }
}

/// Upstream puts the arguments of a printf on the stack where it is called; in
/// a branch or a loop that would be stack memory of unknown size. Moves them to
/// where the function starts.
static void hoistPrintfArguments(gpu::GPUModuleOp module) {
  module.walk([](LLVM::AllocaOp alloca) {
    Operation *size = alloca.getArraySize().getDefiningOp();
    auto function = alloca->getParentOfType<LLVM::LLVMFuncOp>();
    bool isPrinted = llvm::any_of(alloca->getUsers(), [](Operation *user) {
      auto call = dyn_cast<LLVM::CallOp>(user);
      return call && call.getCallee() == StringRef("vprintf");
    });
    if (!isPrinted || !function || !isa_and_nonnull<LLVM::ConstantOp>(size))
      return;
    Block *entry = &function.getBody().front();
    alloca->moveBefore(entry, entry->begin());
    OpBuilder builder(alloca);
    alloca.getArraySizeMutable().assign(builder.clone(*size)->getResult(0));
  });
}

LogicalResult tile::lowerKernelsToLLVM(gpu::GPUModuleOp module,
                                       KernelTarget kernelTarget) {
  if (failed(lowerControlFlow(module)))
    return failure();

  ArgumentAttributes arguments = collectArguments(module);
  MLIRContext *context = module.getContext();
  LowerToLLVMOptions options(context);
  options.overrideIndexBitwidth(64);
  LLVMTypeConverter converter(context, options);
  configureGpuToNVVMTypeConverter(converter);
  RewritePatternSet patterns(context);
  populatePatterns(converter, kernelTarget, patterns);

  ConversionTarget target(*context);
  target.addLegalDialect<LLVM::LLVMDialect, NVVM::NVVMDialect>();
  target.addLegalOp<gpu::GPUModuleOp>();
  if (failed(applyPartialConversion(module, target, std::move(patterns))))
    return failure();

  restoreArguments(module, kernelTarget, arguments);
  hoistPrintfArguments(module);
  SmallVector<UnrealizedConversionCastOp> casts;
  module.walk([&](UnrealizedConversionCastOp op) { casts.push_back(op); });
  reconcileUnrealizedCasts(casts);
  return checkLowered(module, kernelTarget);
}

namespace {
struct KernelsToLLVMPass
    : tile::impl::TileKernelsToLLVMBase<KernelsToLLVMPass> {
  using TileKernelsToLLVMBase::TileKernelsToLLVMBase;

  void runOnOperation() override {
    if (kernelTarget != "ptx" && kernelTarget != "simulator") {
      getOperation().emitError()
          << "expected target ptx or simulator, but got '" << kernelTarget
          << "'";
      return signalPassFailure();
    }
    if (failed(lowerKernelsToLLVM(
            getOperation(), kernelTarget == "ptx" ? KernelTarget::PTX
                                                  : KernelTarget::Simulator)))
      signalPassFailure();
  }
};
} // namespace
