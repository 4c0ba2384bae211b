// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers moves of tile iterators, and operations on their masks.
#include "FoldedPlaces.h"
#include "IteratorLowering.h"

using namespace mlir;
using namespace tile;
using Arith = IndexArith;

namespace {

/// Moves an iterator by (rows, columns); a null value does not move. `forward`:
/// to the next tile, by no negative number.
void move(Arith arith, IteratorType type, IteratorState &state,
          std::array<Value, 2> by, bool forward = false) {
  Value moved = arith.constant(0);
  FoldedPlan folded(type);
  for (int64_t dim : {0, 1}) {
    if (!by[dim])
      continue;
    if (!state.first.empty())
      state.first[dim] = arith.add(state.first[dim], by[dim]);
    if (folded.isSeparable && folded.kinds[dim] != FoldedPlan::Kind::Linear) {
      if (forward)
        moveFolded(arith, folded, state, dim,
                   state.residue ? by[dim] : Value());
      else
        arriveFolded(arith, folded, state, {dim});
      continue;
    }
    if (folded.isSeparable) {
      moved = arith.add(moved, arith.mul(by[dim], getFoldedStride(arith, folded,
                                                                  state, dim)));
      continue;
    }
    if (type.isFolded())
      continue;
    Value stride =
        arith.get(getLeaf(arith.builder, type.getView().getLayout().getStride(),
                          dim, state.stride));
    moved = arith.add(moved, arith.mul(by[dim], stride));
  }
  state.pointer =
      arith.move(state.pointer, type.getView().getElementType(), moved);
}

/// The predicates of a triangle are those of the tile that it comes to.
void updateTriangle(Arith arith, IteratorType type, IteratorState &state) {
  if (type.getTriangle())
    computeMasks(arith, type, state, getWalkedExtents(arith, type, state));
}

struct LowerAdvance : OpConversionPattern<IteratorAdvanceOp> {
  LowerAdvance(const TypeConverter &converter, MLIRContext *context,
               bool unroll)
      : OpConversionPattern(converter, context), unroll(unroll) {}
  bool unroll;

  LogicalResult
  matchAndRewrite(IteratorAdvanceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Arith arith{rewriter, op.getLoc(), unroll};
    IteratorType type = op.getIterator().getType();
    IteratorState state = IteratorState::unpack(type, adaptor.getIterator());
    int64_t dim = type.getAdvance();
    std::array<Value, 2> by;
    by[dim] = state.residue ? state.residue
                            : arith.constant(type.getMap().getTileShape()[dim]);
    move(arith, type, state, by, /*forward=*/true);
    state.leaveResidue();
    updateTriangle(arith, type, state);
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
    for (auto *words : {&state.mask, &state.steadyMask, &state.diagonal})
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
  LowerRetreat(const TypeConverter &converter, MLIRContext *context,
               bool unroll)
      : OpConversionPattern(converter, context), unroll(unroll) {}
  bool unroll;

  LogicalResult
  matchAndRewrite(IteratorRetreatOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Arith arith{rewriter, op.getLoc(), unroll};
    IteratorType type = op.getIterator().getType();
    IteratorState state = IteratorState::unpack(type, adaptor.getIterator());
    int64_t dim = type.getAdvance();
    std::array<Value, 2> by;
    by[dim] = arith.constant(-type.getMap().getTileShape()[dim]);
    move(arith, type, state, by);
    updateTriangle(arith, type, state);
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
    SmallVector<Value> offsets = flatten(adaptor.getOffsetOperands());
    IntTuple offset = op.getOffset();
    int64_t advance = type.getAdvance();
    std::array<Value, 2> by;
    bool crosses = false;
    for (int64_t dim : {0, 1}) {
      if (offset[dim].isStatic(0))
        continue;
      int64_t tile = type.getMap().getTileShape()[dim];
      by[dim] =
          arith.mul(arith.get(getLeaf(rewriter, offset, dim, offsets)), tile);
      // The first tile along the advance dimension is the residue.
      if (state.residue && dim == advance)
        by[dim] = arith.add(
            state.residue,
            arith.constant(offset[dim].getInt().getValue() * tile - tile));
      crosses |= dim != advance;
    }
    move(arith, type, state, by);
    auto result = cast<IteratorType>(op.getResult().getType());
    if (result.getPhase() == IteratorPhase::Steady)
      state.leaveResidue();
    // In the steady phase the advance dimension has no predicates.
    if (type.getPredicated() && (crosses || type.getTriangle()))
      computeMasks(arith, result, state,
                   getWalkedExtents(arith, result, state));
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
    Value equal =
        LLVM::ICmpOp::create(rewriter, op.getLoc(), LLVM::ICmpPredicate::eq,
                             lhs.pointer, rhs.pointer);
    // A folded iterator is where its coordinates are.
    if (type.isFolded())
      for (int64_t dim : {0, 1}) {
        Value same = arith::CmpIOp::create(rewriter, op.getLoc(),
                                           arith::CmpIPredicate::eq,
                                           lhs.first[dim], rhs.first[dim]);
        equal = arith::AndIOp::create(rewriter, op.getLoc(), equal, same);
      }
    rewriter.replaceOp(op, equal);
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
  patterns.add<LowerAddPointerOffset, LowerEqual, LowerClearMask,
               LowerEnableMask, LowerGetMask, LowerSetMask>(converter, context);
  patterns.add<LowerAdvance, LowerRetreat, LowerAddTileOffset>(converter,
                                                               context, unroll);
}
