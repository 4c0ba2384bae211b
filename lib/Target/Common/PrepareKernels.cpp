// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What both back ends need before they lower kernels: types that LLVM has, and
// no ops that upstream only lowers by way of others.

#include "Modules.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/MathExtras.h"

using namespace tile;
using namespace mlir;

/// Wider integers have no meaning on a GPU, and back ends abort on some.
static constexpr unsigned kMaxIntegerBits = 128;
/// More than any memory holds; sizes beyond it overflow further down.
static constexpr uint64_t kMaxBytes = uint64_t(1) << 40;
static constexpr unsigned kWarpSize = 32, kShuffleBits = 32;

/// A bound on the bytes of `type`, or none if it is beyond kMaxBytes or has no
/// size.
static std::optional<uint64_t> boundBytes(Type type) {
  auto times = [](std::optional<uint64_t> bytes,
                  uint64_t count) -> std::optional<uint64_t> {
    if (!bytes || (*bytes && count > kMaxBytes / *bytes))
      return std::nullopt;
    return *bytes * count;
  };
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return times(boundBytes(array.getElementType()), array.getNumElements());
  if (auto vector = dyn_cast<VectorType>(type)) {
    std::optional<uint64_t> bytes = boundBytes(vector.getElementType());
    for (int64_t extent : vector.getShape())
      bytes = times(bytes, static_cast<uint64_t>(extent));
    return bytes;
  }
  if (auto structure = dyn_cast<LLVM::LLVMStructType>(type)) {
    if (structure.isOpaque())
      return std::nullopt;
    uint64_t sum = 0;
    for (Type element : structure.getBody()) {
      std::optional<uint64_t> bytes = boundBytes(element);
      // Padding is at most as much again.
      if (!bytes || *bytes > kMaxBytes - sum)
        return std::nullopt;
      sum += *bytes;
    }
    return sum;
  }
  if (type.isIntOrFloat())
    return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8u);
  if (isa<LLVM::LLVMPointerType, IndexType>(type))
    return 8;
  return std::nullopt;
}

/// The type of what an op lays out in memory, none for other ops.
static Type getMemoryType(Operation *op) {
  if (auto gep = dyn_cast<LLVM::GEPOp>(op))
    return gep.getElemType();
  if (auto slot = dyn_cast<LLVM::AllocaOp>(op))
    return slot.getElemType();
  if (auto global = dyn_cast<LLVM::GlobalOp>(op))
    return global.getGlobalType();
  return {};
}

static LogicalResult checkTypes(Operation *op) {
  auto check = [&](Type type) -> LogicalResult {
    Type bad;
    type.walk([&](IntegerType integer) {
      if (integer.getWidth() == 0 || integer.getWidth() > kMaxIntegerBits)
        bad = integer;
    });
    if (!bad)
      return success();
    return op->emitError() << "expected integers of 1 to " << kMaxIntegerBits
                           << " bits in a kernel, but got " << bad;
  };
  for (Type type : op->getResultTypes())
    if (failed(check(type)))
      return failure();
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Type type : block.getArgumentTypes())
        if (failed(check(type)))
          return failure();
  Type memory = getMemoryType(op);
  if (!memory)
    return success();
  if (failed(check(memory)))
    return failure();
  if (!boundBytes(memory))
    return op->emitError() << "expected a type of at most " << kMaxBytes
                           << " bytes in memory, but got " << memory;
  return success();
}

/// Floats that LLVM does not have are integers of as many bits in memory.
static void replaceFloats(Operation *op) {
  if (!getMemoryType(op))
    return;
  AttrTypeReplacer replacer;
  replacer.addReplacement([](FloatType type) -> std::optional<Type> {
    if (LLVM::isCompatibleFloatingPointType(type))
      return std::nullopt;
    return IntegerType::get(type.getContext(), type.getWidth());
  });
  replacer.replaceElementsIn(op, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                             /*replaceTypes=*/false);
}

static bool isAffine(Operation *op) {
  return isa_and_nonnull<affine::AffineDialect>(op->getDialect());
}

/// Whether patterns rewrite `op`. One redux is better than shuffles: what
/// lowers to it stays.
static bool isExpanded(Operation *op) {
  if (auto reduce = dyn_cast<gpu::SubgroupReduceOp>(op))
    return !reduce.getUniform() || reduce.getClusterSize() ||
           !reduce.getType().isInteger(32);
  return isa<arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op);
}

static LogicalResult lowerAffine(gpu::GPUModuleOp module) {
  MLIRContext *context = module.getContext();
  RewritePatternSet affine(context);
  populateAffineToStdConversionPatterns(affine);
  ConversionTarget target(*context);
  target.addIllegalDialect<affine::AffineDialect>();
  // Those of memory need memrefs, which are refused by name further down.
  target.addLegalOp<affine::AffineLoadOp, affine::AffineStoreOp>();
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  return applyPartialConversion(module, target, std::move(affine));
}

/// Rewrites affine ops, rounded divisions and reductions of a warp into ops
/// that lower to llvm and nvvm.
static LogicalResult expandOps(gpu::GPUModuleOp module) {
  bool hasAffine = module
                       .walk([](Operation *op) {
                         return isAffine(op) ? WalkResult::interrupt()
                                             : WalkResult::advance();
                       })
                       .wasInterrupted();
  if (hasAffine && failed(lowerAffine(module)))
    return failure();
  // Affine maps become rounded divisions.
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (isExpanded(op))
      ops.push_back(op);
  });
  if (ops.empty())
    return success();
  MLIRContext *context = module.getContext();
  RewritePatternSet patterns(context);
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  // Vectors and narrow types travel as words of 32 bits.
  populateGpuBreakDownSubgroupReducePatterns(patterns, kShuffleBits);
  populateGpuLowerSubgroupReduceToShufflePatterns(patterns, kWarpSize,
                                                  kShuffleBits);
  populateGpuLowerClusteredSubgroupReduceToShufflePatterns(patterns, kWarpSize,
                                                           kShuffleBits);
  GreedyRewriteConfig config;
  config.enableFolding(false)
      .setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled)
      .setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  return applyOpPatternsGreedily(ops, std::move(patterns), config);
}

LogicalResult tile::prepareKernels(gpu::GPUModuleOp module) {
  WalkResult result = module.walk([&](Operation *op) {
    if (failed(checkTypes(op)))
      return WalkResult::interrupt();
    replaceFloats(op);
    return WalkResult::advance();
  });
  return result.wasInterrupted() ? failure() : expandOps(module);
}
