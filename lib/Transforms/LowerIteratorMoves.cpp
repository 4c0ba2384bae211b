// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers moves of tile iterators, and operations on their masks.
#include "IteratorLowering.h"

using namespace mlir;
using namespace tile;
using Arith = IndexArith;

namespace {

struct LowerAdvance : OpConversionPattern<IteratorAdvanceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(IteratorAdvanceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Arith arith{rewriter, op.getLoc()};
    IteratorType type = op.getIterator().getType();
    IteratorState state = IteratorState::unpack(type, adaptor.getIterator());
    int64_t dim = type.getAdvance();
    Value stride = arith.get(getLeaf(
        rewriter, type.getView().getLayout().getStride(), dim, state.stride));
    Value tiles = state.residue
                      ? state.residue
                      : arith.constant(type.getMap().getTileShape()[dim]);
    state.pointer = arith.move(state.pointer, type.getView().getElementType(),
                               arith.mul(tiles, stride));
    if (!state.first.empty())
      state.first[dim] = arith.add(state.first[dim], tiles);
    state.leaveResidue();
    rewriter.replaceOpWithMultiple(op, {state.pack()});
    return success();
  }
};

struct LowerAddPointerOffset : OpConversionPattern<IteratorAddPointerOffsetOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(IteratorAddPointerOffsetOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Arith arith{rewriter, op.getLoc()};
    IteratorType type = op.getIterator().getType();
    IteratorState state = IteratorState::unpack(type, adaptor.getIterator());
    state.pointer = arith.move(state.pointer, type.getView().getElementType(),
                               adaptor.getOffset().front());
    rewriter.replaceOpWithMultiple(op, {state.pack()});
    return success();
  }
};

struct LowerClearMask : OpConversionPattern<IteratorClearMaskOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(IteratorClearMaskOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Arith arith{rewriter, op.getLoc()};
    IteratorState state = IteratorState::unpack(op.getIterator().getType(),
                                                adaptor.getIterator());
    Value zero = arith::ConstantIntOp::create(rewriter, op.getLoc(), 0, 32);
    for (auto *words : {&state.mask, &state.steadyMask})
      for (Value &word : *words)
        word = arith.select(adaptor.getCondition().front(), zero, word);
    rewriter.replaceOpWithMultiple(op, {state.pack()});
    return success();
  }
};

struct LowerGetMask : OpConversionPattern<IteratorGetMaskOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(IteratorGetMaskOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    IteratorState state = IteratorState::unpack(op.getIterator().getType(),
                                                adaptor.getIterator());
    rewriter.replaceOpWithNewOp<vector::FromElementsOp>(
        op, cast<VectorType>(op.getMask().getType()), state.mask);
    return success();
  }
};

struct LowerSetMask : OpConversionPattern<IteratorSetMaskOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(IteratorSetMaskOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    IteratorState state = IteratorState::unpack(op.getIterator().getType(),
                                                adaptor.getIterator());
    for (auto [i, word] : llvm::enumerate(state.mask))
      state.mask[i] = vector::ExtractOp::create(rewriter, op.getLoc(),
                                                adaptor.getMask().front(),
                                                static_cast<int64_t>(i));
    rewriter.replaceOpWithMultiple(op, {state.pack()});
    return success();
  }
};

struct LowerRetreat : OpConversionPattern<IteratorRetreatOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(IteratorRetreatOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Arith arith{rewriter, op.getLoc()};
    IteratorType type = op.getIterator().getType();
    IteratorState state = IteratorState::unpack(type, adaptor.getIterator());
    int64_t dim = type.getAdvance();
    Value stride = arith.get(getLeaf(
        rewriter, type.getView().getLayout().getStride(), dim, state.stride));
    Value tiles = arith.constant(-type.getMap().getTileShape()[dim]);
    state.pointer = arith.move(state.pointer, type.getView().getElementType(),
                               arith.mul(tiles, stride));
    if (!state.first.empty())
      state.first[dim] = arith.add(state.first[dim], tiles);
    rewriter.replaceOpWithMultiple(op, {state.pack()});
    return success();
  }
};

/// The address of another tile is the layout function of its coordinate, along
/// both dimensions; its predicates are computed from that coordinate.
struct LowerAddTileOffset : OpConversionPattern<IteratorAddTileOffsetOp> {
  LowerAddTileOffset(const TypeConverter &converter, MLIRContext *context,
                     bool unroll)
      : OpConversionPattern(converter, context), unroll(unroll) {}
  bool unroll;

  LogicalResult
  matchAndRewrite(IteratorAddTileOffsetOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Arith arith{rewriter, op.getLoc(), unroll};
    IteratorType type = op.getIterator().getType();
    IteratorState state = IteratorState::unpack(type, adaptor.getIterator());
    const Layout &layout = type.getView().getLayout();
    SmallVector<Value> offsets = flatten(adaptor.getOffsetOperands());
    IntTuple offset = op.getOffset();
    int64_t advance = type.getAdvance();
    Value moved = arith.constant(0);
    bool crosses = false;
    for (int64_t dim : {0, 1}) {
      if (offset[dim].isStatic(0))
        continue;
      int64_t tile = type.getMap().getTileShape()[dim];
      Value tiles =
          arith.mul(arith.get(getLeaf(rewriter, offset, dim, offsets)), tile);
      // The first tile along the advance dimension is the residue.
      if (state.residue && dim == advance)
        tiles = arith.add(
            state.residue,
            arith.constant(offset[dim].getInt().getValue() * tile - tile));
      crosses |= dim != advance;
      Value stride =
          arith.get(getLeaf(rewriter, layout.getStride(), dim, state.stride));
      moved = arith.add(moved, arith.mul(tiles, stride));
      if (!state.first.empty())
        state.first[dim] = arith.add(state.first[dim], tiles);
    }
    state.pointer =
        arith.move(state.pointer, type.getView().getElementType(), moved);
    auto result = cast<IteratorType>(op.getResult().getType());
    if (result.getPhase() == IteratorPhase::Steady)
      state.leaveResidue();
    // In the steady phase the advance dimension has no predicates.
    if (type.getPredicated() && crosses) {
      AccessPlan plan(result);
      SmallVector<Value> limit;
      for (unsigned dim : {0u, 1u})
        limit.push_back(
            arith.get(getLeaf(rewriter, layout.getShape(), dim, state.shape)));
      if (advance != IteratorType::kNoAdvance)
        limit[advance] = Value();
      if (state.residue) {
        state.steadyMask =
            buildMask(arith, plan, state.first, limit, state.inTile);
        limit[advance] = state.residueEnd;
      }
      state.mask = buildMask(arith, plan, state.first, limit, state.inTile);
    }
    rewriter.replaceOpWithMultiple(op, {state.pack()});
    return success();
  }
};

struct LowerEqual : OpConversionPattern<IteratorEqualOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(IteratorEqualOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    IteratorType type = op.getLhs().getType();
    IteratorState lhs = IteratorState::unpack(type, adaptor.getLhs());
    IteratorState rhs = IteratorState::unpack(type, adaptor.getRhs());
    rewriter.replaceOpWithNewOp<LLVM::ICmpOp>(op, LLVM::ICmpPredicate::eq,
                                              lhs.pointer, rhs.pointer);
    return success();
  }
};

struct LowerEnableMask : OpConversionPattern<IteratorEnableMaskOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(IteratorEnableMaskOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    IteratorState state = IteratorState::unpack(op.getIterator().getType(),
                                                adaptor.getIterator());
    for (Value &word : state.mask)
      word = arith::ConstantIntOp::create(rewriter, op.getLoc(), -1, 32);
    rewriter.replaceOpWithMultiple(op, {state.pack()});
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Loads and stores elsewhere: a move, and a load or store
//===----------------------------------------------------------------------===//

/// The iterator moved by a tile offset and, if there is one, a pointer offset.
template <typename OpT>
TypedValue<IteratorType> moveToTile(OpT op, OpBuilder &builder) {
  auto moved = IteratorAddTileOffsetOp::create(
                   builder, op.getLoc(), op.getIterator(),
                   op.getOffsetOperands(), op.getOffsetAttr())
                   .getResult();
  if (!op.getPointerOffset())
    return moved;
  return IteratorAddPointerOffsetOp::create(builder, op.getLoc(),
                                            moved.getType(), moved,
                                            op.getPointerOffset())
      .getResult();
}

template <typename OpT>
TypedValue<IteratorType> moveToPointer(OpT op, OpBuilder &builder) {
  return IteratorAddPointerOffsetOp::create(
             builder, op.getLoc(), op.getIterator().getType(), op.getIterator(),
             op.getPointerOffset())
      .getResult();
}

template <typename OpT, auto Move>
struct LowerLoadElsewhere : OpConversionPattern<OpT> {
  using OpConversionPattern<OpT>::OpConversionPattern;
  using OneToNOpAdaptor = typename OpConversionPattern<OpT>::OneToNOpAdaptor;
  LogicalResult
  matchAndRewrite(OpT op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<IteratorLoadOp>(op, op.getFragment().getType(),
                                                Move(op, rewriter),
                                                DenseI64ArrayAttr());
    return success();
  }
};

template <typename OpT, auto Move>
struct LowerStoreElsewhere : OpConversionPattern<OpT> {
  using OpConversionPattern<OpT>::OpConversionPattern;
  using OneToNOpAdaptor = typename OpConversionPattern<OpT>::OneToNOpAdaptor;
  LogicalResult
  matchAndRewrite(OpT op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<IteratorStoreOp>(
        op, op.getFragment(), Move(op, rewriter), DenseI64ArrayAttr());
    return success();
  }
};

} // namespace

void tile::populateLowerAccessElsewherePatterns(const TypeConverter &converter,
                                                RewritePatternSet &patterns) {
  patterns.add<
      LowerLoadElsewhere<IteratorLoadWithTileOffsetOp,
                         moveToTile<IteratorLoadWithTileOffsetOp>>,
      LowerLoadElsewhere<IteratorLoadWithPointerOffsetOp,
                         moveToPointer<IteratorLoadWithPointerOffsetOp>>,
      LowerStoreElsewhere<IteratorStoreWithTileOffsetOp,
                          moveToTile<IteratorStoreWithTileOffsetOp>>,
      LowerStoreElsewhere<IteratorStoreWithPointerOffsetOp,
                          moveToPointer<IteratorStoreWithPointerOffsetOp>>>(
      converter, patterns.getContext());
}

void tile::populateLowerIteratorMovePatterns(const TypeConverter &converter,
                                             RewritePatternSet &patterns,
                                             bool unroll) {
  MLIRContext *context = patterns.getContext();
  populateLowerAccessElsewherePatterns(converter, patterns);
  patterns.add<LowerAdvance, LowerRetreat, LowerAddPointerOffset, LowerEqual,
               LowerClearMask, LowerEnableMask, LowerGetMask, LowerSetMask>(
      converter, context);
  patterns.add<LowerAddTileOffset>(converter, context, unroll);
}
