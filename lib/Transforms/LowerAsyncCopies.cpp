// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers asynchronous copies between iterators to cp.async and its groups.
#include "FoldedPlaces.h"
#include "IteratorLowering.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tile;
using Arith = IndexArith;

Value tile::getElementPointer(Arith arith, const AccessPlan &plan,
                              const IteratorState &state, Value index,
                              int64_t first) {
  std::array<Value, 2> offset = arith.decode(plan.pattern.iterations, index);
  offset[plan.pattern.vectorDim] =
      arith.add(offset[plan.pattern.vectorDim], arith.constant(first));
  if (FoldedPlan folded(plan.type); folded.isSeparable) {
    // Elements of one memory access follow one another.
    Value number = arith.add(arith.mul(index, plan.parts),
                             arith.constant(first / plan.width));
    offset[plan.pattern.vectorDim] = arith.fold<arith::SubIOp>(
        offset[plan.pattern.vectorDim], arith.constant(first % plan.width));
    return arith.move(getFoldedPointer(arith, folded, state, number, offset),
                      plan.getElementType(),
                      arith.constant(first % plan.width));
  }
  if (plan.type.isFolded()) {
    for (int64_t dim : {0, 1})
      offset[dim] = arith.add(state.first[dim], offset[dim]);
    return getFoldedAccess(arith, plan.type, state, offset, Value()).pointer;
  }
  Value elements = arith.constant(0);
  for (int64_t dim : {0, 1}) {
    Value stride = arith.get(getLeaf(
        arith.builder, plan.getLayout().getStride(), dim, state.stride));
    elements = arith.add(elements, arith.mul(offset[dim], stride));
  }
  return arith.move(state.pointer, plan.getElementType(), elements);
}

Value tile::getCopySize(Arith arith, Value predicate, int64_t bytes) {
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(arith.builder, arith.loc,
                                        arith.builder.getI32Type(), value);
  };
  return predicate ? arith.select(predicate, number(bytes), number(0))
                   : Value();
}

void tile::createCopyAsync(Arith arith, Value written, Value read,
                           int64_t bytes, Value size) {
  NVVM::CpAsyncOp::create(arith.builder, arith.loc, written, read,
                          static_cast<uint32_t>(bytes),
                          bytes == 16 ? NVVM::LoadCacheModifierKind::CG
                                      : NVVM::LoadCacheModifierKind::CA,
                          size);
}

namespace {

/// One cp.async for each element, or vector of elements, that is contiguous on
/// both sides.
struct LowerCopyAsync : OpConversionPattern<CopyAsyncOp> {
  LowerCopyAsync(const TypeConverter &converter, MLIRContext *context,
                 bool unroll)
      : OpConversionPattern(converter, context), unroll(unroll) {}
  bool unroll;

  LogicalResult
  matchAndRewrite(CopyAsyncOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    AccessPlan from(op.getSource().getType()),
        to(op.getDestination().getType());
    IteratorState source =
        IteratorState::unpack(from.type, adaptor.getSource());
    IteratorState destination =
        IteratorState::unpack(to.type, adaptor.getDestination());
    int64_t width = op.getAccessWidth();
    int64_t bytes = width * from.type.getView().getElementBytes();
    forEachAccess(
        Arith{rewriter, op.getLoc(), unroll}, from, source, 0,
        from.pattern.getNumAccesses(), Value(),
        [&](Arith arith, Access access, Value) -> Value {
          Value size = getCopySize(arith, access.predicate, bytes);
          for (int64_t first = 0; first < from.width; first += width) {
            // The elements of one access follow one another.
            Value read = arith.move(access.pointer, from.getElementType(),
                                    arith.constant(first));
            Value written =
                getElementPointer(arith, to, destination, access.index,
                                  access.part * from.width + first);
            createCopyAsync(arith, written, read, bytes, size);
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
