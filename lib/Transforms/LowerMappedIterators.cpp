// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers iterators over mapped matrices to loops over memory accesses.
#include "IteratorLowering.h"
#include "MappedElements.h"

#include "tile/IR/MixedTuple.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tile;
using Arith = IndexArith;

namespace {

/// A pattern that may write strip-mined loops.
template <typename OpT>
struct MappedPattern : OpConversionPattern<OpT> {
  MappedPattern(const TypeConverter &converter, MLIRContext *context,
                bool unroll)
      : OpConversionPattern<OpT>(converter, context), unroll(unroll) {}
  bool unroll;
};

//===----------------------------------------------------------------------===//
// Making and moving iterators
//===----------------------------------------------------------------------===//

struct LowerMakeMappedIterator : MappedPattern<MakeMappedIteratorOp> {
  using MappedPattern::MappedPattern;
  LogicalResult
  matchAndRewrite(MakeMappedIteratorOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Arith arith{rewriter, op.getLoc(), unroll};
    MappedIteratorType type = op.getResult().getType();
    MappedPlan plan(type);
    MappedState state;
    state.view = ViewState::unpack(type.getView(), adaptor.getView());
    state.coordShape = flatten(adaptor.getShapeOperands());
    state.coordStride = flatten(adaptor.getStrideOperands());
    state.divide = flatten(adaptor.getDivideOperands());
    unsigned modes = type.isIdentity() ? 0 : type.getView().getLayout().rank();
    SmallVector<Value> origin = flatten(adaptor.getOriginOperands());
    for (unsigned mode = 0; mode < modes; ++mode)
      state.origin.push_back(
          op.getOrigin()
              ? arith.get(getLeaf(rewriter, *op.getOrigin(), mode, origin))
              : arith.constant(0));
    SmallVector<Value> coord = flatten(adaptor.getCoordOperands());
    std::array<Value, 2> inTile =
        arith.decode(plan.pattern.threads, adaptor.getThread().front());
    for (unsigned dim : {0u, 1u}) {
      state.tile.push_back(
          arith.get(getLeaf(rewriter, op.getCoord(), dim, coord)));
      state.inTile.push_back(inTile[dim]);
    }
    if (type.getSteps() != 1)
      state.step.push_back(arith.constant(0));
    if (!type.getWhole())
      state.enabled.push_back(
          arith::ConstantIntOp::create(rewriter, op.getLoc(), 1, 1));
    if (type.getIndexed()) {
      ViewType indices = op.getIndices().getType();
      ViewState view = ViewState::unpack(indices, adaptor.getIndices());
      state.indices = {
          view.pointer,
          arith.get(getLeaf(rewriter, indices.getLayout().getShape(), 0,
                            view.shape))};
    }
    startMappedWalk(arith, plan, state);
    rewriter.replaceOpWithMultiple(op, {state.pack(plan)});
    return success();
  }
};

struct LowerMappedAdvance : MappedPattern<MappedAdvanceOp> {
  using MappedPattern::MappedPattern;
  LogicalResult
  matchAndRewrite(MappedAdvanceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Arith arith{rewriter, op.getLoc(), unroll};
    MappedPlan plan(op.getIterator().getType());
    MappedState state = MappedState::unpack(plan, adaptor.getIterator());
    moveMappedWalk(arith, plan, state,
                   op.getSteps() ? adaptor.getSteps().front() : Value());
    rewriter.replaceOpWithMultiple(op, {state.pack(plan)});
    return success();
  }
};

struct LowerMappedAddPointerOffset
    : OpConversionPattern<MappedAddPointerOffsetOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(MappedAddPointerOffsetOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Arith arith{rewriter, op.getLoc()};
    MappedPlan plan(op.getIterator().getType());
    MappedState state = MappedState::unpack(plan, adaptor.getIterator());
    state.view.pointer =
        arith.move(state.view.pointer, plan.type.getView().getElementType(),
                   adaptor.getOffset().front());
    rewriter.replaceOpWithMultiple(op, {state.pack(plan)});
    return success();
  }
};

struct LowerMappedClearMask : OpConversionPattern<MappedClearMaskOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(MappedClearMaskOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Arith arith{rewriter, op.getLoc()};
    MappedPlan plan(op.getIterator().getType());
    MappedState state = MappedState::unpack(plan, adaptor.getIterator());
    Value condition = adaptor.getCondition().front();
    Value never = arith::ConstantIntOp::create(rewriter, op.getLoc(), 0, 1);
    Value none = arith::ConstantIntOp::create(rewriter, op.getLoc(), 0, 32);
    state.enabled[0] = arith.select(condition, never, state.enabled[0]);
    for (Value &word : state.words)
      word = arith.select(condition, none, word);
    rewriter.replaceOpWithMultiple(op, {state.pack(plan)});
    return success();
  }
};

struct LowerMappedEnableMask : MappedPattern<MappedEnableMaskOp> {
  using MappedPattern::MappedPattern;
  LogicalResult
  matchAndRewrite(MappedEnableMaskOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Arith arith{rewriter, op.getLoc(), unroll};
    MappedPlan plan(op.getIterator().getType());
    MappedState state = MappedState::unpack(plan, adaptor.getIterator());
    if (!state.enabled.empty()) {
      state.enabled[0] =
          arith::ConstantIntOp::create(rewriter, op.getLoc(), 1, 1);
      computeMappedStep(arith, plan, state);
    }
    rewriter.replaceOpWithMultiple(op, {state.pack(plan)});
    return success();
  }
};

struct LowerMappedGetMask : OpConversionPattern<MappedGetMaskOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(MappedGetMaskOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    MappedPlan plan(op.getIterator().getType());
    MappedState state = MappedState::unpack(plan, adaptor.getIterator());
    rewriter.replaceOpWithNewOp<vector::FromElementsOp>(
        op, cast<VectorType>(op.getMask().getType()), state.words);
    return success();
  }
};

struct LowerMappedSetMask : OpConversionPattern<MappedSetMaskOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(MappedSetMaskOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    MappedPlan plan(op.getIterator().getType());
    MappedState state = MappedState::unpack(plan, adaptor.getIterator());
    for (auto [i, word] : llvm::enumerate(state.words))
      word = vector::ExtractOp::create(rewriter, op.getLoc(),
                                       adaptor.getMask().front(), int64_t(i));
    rewriter.replaceOpWithMultiple(op, {state.pack(plan)});
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

/// One memory access.
struct MappedAccess {
  Value pointer;
  /// Whether it is made (null: it is).
  Value predicate;
  /// Position in the fragment of its first element.
  Value position;
  /// The access of the map in the step, and which of its memory accesses.
  Value index;
  int64_t part = 0;
};

/// Emits loops over the accesses of the current step; `body` makes one memory
/// access, and returns the next value of what it carries (or null).
Value forEachAccess(
    Arith arith, const MappedPlan &plan, MappedState &state, Value init,
    function_ref<Value(Arith, const MappedAccess &, Value carried)> body) {
  int64_t count = plan.count / plan.parts;
  // One loop for the accesses whose predicates share a word. Where the bits of
  // one access straddle words, each access has a loop of its own.
  int64_t perLoop = count;
  if (!state.words.empty())
    perLoop = 32 % plan.parts == 0 ? 32 / plan.parts : 1;
  SmallVector<Value> values;
  if (init)
    values.push_back(init);
  for (int64_t begin = 0; begin < count; begin += perLoop)
    values = stripMinedLoop(
        arith, begin, std::min(count, begin + perLoop), values,
        [&](Arith arith, Value index, ValueRange carried) {
          SmallVector<Value> values(carried);
          MappedMatrix matrix(arith, plan, state);
          for (int64_t part = 0; part < plan.parts; ++part) {
            Value number =
                arith.add(arith.mul(index, plan.parts), arith.constant(part));
            MappedAccess access;
            access.pointer = getMappedPointer(arith, matrix, number);
            access.position = arith.mul(number, plan.width);
            access.index = index;
            access.part = part;
            if (!state.words.empty()) {
              int64_t word = (begin * plan.parts + part) / 32;
              Value bit = arith.fold<arith::IndexCastOp>(
                  arith.builder.getI32Type(),
                  arith.fold<arith::SubIOp>(number, arith.constant(word * 32)));
              access.predicate = arith.fold<arith::TruncIOp>(
                  arith.builder.getI1Type(),
                  arith.fold<arith::ShRUIOp>(state.words[word], bit));
            }
            Value next =
                body(arith, access, values.empty() ? Value() : values.front());
            if (next)
              values.front() = next;
          }
          return values;
        });
  return values.empty() ? Value() : values.front();
}

Value broadcastMask(Arith arith, Value predicate, int64_t width) {
  return vector::BroadcastOp::create(
      arith.builder, arith.loc,
      VectorType::get({width}, arith.builder.getI1Type()), predicate);
}

struct LowerMappedLoad : MappedPattern<MappedLoadOp> {
  using MappedPattern::MappedPattern;
  LogicalResult
  matchAndRewrite(MappedLoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    MappedIteratorType type = op.getIterator().getType();
    MappedPlan plan(type);
    MappedState state = MappedState::unpack(plan, adaptor.getIterator());
    int64_t width = type.getAccessWidth();
    auto accessType = VectorType::get({width}, type.getView().getElementType());
    VectorType memoryType =
        getMemoryType(type.getView().getElementType(), width);
    unsigned alignment = width * type.getView().getElementBytes();
    Value init = arith::ConstantOp::create(
        rewriter, op.getLoc(), rewriter.getZeroAttr(type.getFragmentType()));
    Value fragment = forEachAccess(
        Arith{rewriter, op.getLoc(), unroll}, plan, state, init,
        [&](Arith arith, const MappedAccess &access, Value fragment) {
          OpBuilder &builder = arith.builder;
          Value loaded;
          if (access.predicate) {
            Value zero = arith::ConstantOp::create(
                builder, arith.loc, builder.getZeroAttr(memoryType));
            loaded = LLVM::MaskedLoadOp::create(
                builder, arith.loc, memoryType, access.pointer,
                broadcastMask(arith, access.predicate, width), zero, alignment);
          } else {
            loaded = LLVM::LoadOp::create(builder, arith.loc, memoryType,
                                          access.pointer, alignment);
          }
          loaded = castElements(arith, loaded, accessType);
          for (int64_t e = 0; e < width; ++e) {
            Value element =
                vector::ExtractOp::create(builder, arith.loc, loaded, e);
            fragment = vector::InsertOp::create(
                builder, arith.loc, element, fragment,
                getAsOpFoldResult(
                    arith.add(access.position, arith.constant(e))));
          }
          return fragment;
        });
    rewriter.replaceOp(op, fragment);
    return success();
  }
};

struct LowerMappedStore : MappedPattern<MappedStoreOp> {
  using MappedPattern::MappedPattern;
  LogicalResult
  matchAndRewrite(MappedStoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    MappedIteratorType type = op.getIterator().getType();
    MappedPlan plan(type);
    MappedState state = MappedState::unpack(plan, adaptor.getIterator());
    int64_t width = type.getAccessWidth();
    auto accessType = VectorType::get({width}, type.getView().getElementType());
    unsigned alignment = width * type.getView().getElementBytes();
    Value fragment = adaptor.getFragment().front();
    forEachAccess(Arith{rewriter, op.getLoc(), unroll}, plan, state, Value(),
                  [&](Arith arith, const MappedAccess &access, Value) {
                    OpBuilder &builder = arith.builder;
                    SmallVector<Value> elements;
                    for (int64_t e = 0; e < width; ++e)
                      elements.push_back(vector::ExtractOp::create(
                          builder, arith.loc, fragment,
                          getAsOpFoldResult(
                              arith.add(access.position, arith.constant(e)))));
                    Value stored = vector::FromElementsOp::create(
                        builder, arith.loc, accessType, elements);
                    stored = castElements(
                        arith, stored,
                        getMemoryType(type.getView().getElementType(), width));
                    if (access.predicate)
                      LLVM::MaskedStoreOp::create(
                          builder, arith.loc, stored, access.pointer,
                          broadcastMask(arith, access.predicate, width),
                          alignment);
                    else
                      LLVM::StoreOp::create(builder, arith.loc, stored,
                                            access.pointer, alignment);
                    return Value();
                  });
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerMappedCopyAsync : MappedPattern<MappedCopyAsyncOp> {
  using MappedPattern::MappedPattern;
  LogicalResult
  matchAndRewrite(MappedCopyAsyncOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    MappedPlan plan(op.getSource().getType());
    MappedState state = MappedState::unpack(plan, adaptor.getSource());
    AccessPlan to(op.getDestination().getType());
    IteratorState destination =
        IteratorState::unpack(to.type, adaptor.getDestination());
    int64_t width = op.getAccessWidth();
    int64_t bytes = width * plan.type.getView().getElementBytes();
    forEachAccess(
        Arith{rewriter, op.getLoc(), unroll}, plan, state, Value(),
        [&](Arith arith, const MappedAccess &access, Value) -> Value {
          Value size = getCopySize(arith, access.predicate, bytes);
          for (int64_t first = 0; first < plan.width; first += width) {
            Value read = arith.move(access.pointer, to.getElementType(),
                                    arith.constant(first));
            Value written =
                getElementPointer(arith, to, destination, access.index,
                                  access.part * plan.width + first);
            createCopyAsync(arith, written, read, bytes, size);
          }
          return Value();
        });
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

bool tile::isMappedIteratorOp(Operation *op) {
  return isa<MakeMappedIteratorOp, MappedLoadOp, MappedStoreOp, MappedAdvanceOp,
             MappedAddPointerOffsetOp, MappedClearMaskOp, MappedEnableMaskOp,
             MappedGetMaskOp, MappedSetMaskOp, MappedCopyAsyncOp>(op);
}

void tile::populateMappedIteratorTypeConversions(TypeConverter &converter) {
  converter.addConversion(
      [](MappedIteratorType type,
         SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
        llvm::append_range(types, MappedState::getTypes(MappedPlan(type)));
        return success();
      });
}

void tile::populateLowerMappedIteratorPatterns(const TypeConverter &converter,
                                               RewritePatternSet &patterns,
                                               bool unroll) {
  MLIRContext *context = patterns.getContext();
  patterns.add<LowerMappedAddPointerOffset, LowerMappedClearMask,
               LowerMappedGetMask, LowerMappedSetMask>(converter, context);
  patterns
      .add<LowerMakeMappedIterator, LowerMappedAdvance, LowerMappedEnableMask,
           LowerMappedLoad, LowerMappedStore, LowerMappedCopyAsync>(
          converter, context, unroll);
}
