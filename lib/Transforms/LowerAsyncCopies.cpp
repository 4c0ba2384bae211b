// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers asynchronous copies between iterators to cp.async and its groups.
#include "LoweredIterator.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tile;
using Arith = IndexArith;

/// Bytes that an asynchronous copy of `bytes` bytes reads: none where
/// `predicate` is off, which stores zeros; null if there is no predicate.
static Value getCopySize(Arith arith, Value predicate, int64_t bytes) {
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(arith.builder, arith.loc,
                                        arith.builder.getI32Type(), value);
  };
  return predicate ? arith.select(predicate, number(bytes), number(0))
                   : Value();
}

namespace {

/// One cp.async for each element, or vector of elements, that is contiguous on
/// both sides.
struct LowerCopyAsync : IteratorPattern<CopyAsyncOp> {
  using IteratorPattern::IteratorPattern;
  LogicalResult
  matchAndRewrite(CopyAsyncOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    LoweredIterator from(op.getSource().getType(), adaptor.getSource()),
        to(op.getDestination().getType(), adaptor.getDestination());
    int64_t width = op.getAccessWidth();
    int64_t bytes = width * from.type.getView().getElementBytes();
    auto cache = bytes == 16 ? NVVM::LoadCacheModifierKind::CG
                             : NVVM::LoadCacheModifierKind::CA;
    auto [begin, count] = getRange(from.type, op.getAccesses());
    forEachAccess(
        Arith{rewriter, op.getLoc(), unroll}, from, begin, count, Value(),
        [&](Arith arith, Access access, Value) -> Value {
          Value size = getCopySize(arith, access.predicate, bytes);
          for (int64_t first = 0; first < from.plan.width; first += width) {
            // The elements of one access follow one another.
            Value read = arith.move(access.pointer, from.plan.getElementType(),
                                    arith.constant(first));
            Value written = getElementPointer(
                arith, to, access.index, access.part * from.plan.width + first);
            NVVM::CpAsyncOp::create(arith.builder, arith.loc, written, read,
                                    static_cast<uint32_t>(bytes), cache, size);
          }
          return Value();
        });
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerCommitGroup : OpConversionPattern<AsyncCommitGroupOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(AsyncCommitGroupOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<NVVM::CpAsyncCommitGroupOp>(op);
    return success();
  }
};

struct LowerWaitGroup : OpConversionPattern<AsyncWaitGroupOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(AsyncWaitGroupOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<NVVM::CpAsyncWaitGroupOp>(
        op, static_cast<uint32_t>(op.getPending()));
    return success();
  }
};

} // namespace

void tile::populateLowerAsyncCopyPatterns(const TypeConverter &converter,
                                          RewritePatternSet &patterns,
                                          bool unroll) {
  MLIRContext *context = patterns.getContext();
  patterns.add<LowerCopyAsync>(converter, context, unroll);
  patterns.add<LowerCommitGroup, LowerWaitGroup>(converter, context);
}
