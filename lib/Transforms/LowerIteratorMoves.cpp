// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers moves of tile iterators, and operations on their masks.
#include "FoldedPlaces.h"
#include "LoweredIterator.h"

using namespace mlir;
using namespace tile;
using Arith = IndexArith;

namespace {

/// How far a move goes: to the next tile, or forward, by no negative number.
enum class Reach { Anywhere, Forward, Tile };

/// Moves an iterator by (rows, columns); a null value does not move.
void move(Arith arith, IteratorType type, IteratorState &state,
          std::array<Value, 2> by, Reach reach = Reach::Anywhere) {
  Value moved = arith.constant(0);
  FoldedPlan folded(type);
  for (int64_t dim : {0, 1}) {
    if (!by[dim])
      continue;
    if (!state.first.empty())
      state.first[dim] = arith.add(state.first[dim], by[dim]);
    if (folded.isSeparable && folded.kinds[dim] != FoldedPlan::Kind::Linear) {
      if (reach != Reach::Anywhere)
        moveFolded(arith, folded, state, dim,
                   reach == Reach::Tile ? Value() : by[dim]);
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

struct LowerAdvance : IteratorPattern<IteratorAdvanceOp> {
  using IteratorPattern::IteratorPattern;
  LogicalResult
  matchAndRewrite(IteratorAdvanceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Arith arith{rewriter, op.getLoc(), unroll};
    LoweredIterator iterator(op.getIterator().getType(), adaptor.getIterator());
    Value steps = op.getSteps() ? adaptor.getSteps().front() : Value();
    if (iterator.mapped)
      moveMappedWalk(arith, *iterator.mapped, iterator.mappedState, steps);
    else
      advance(arith, iterator.type, iterator.state, steps);
    rewriter.replaceOpWithMultiple(op, {iterator.pack()});
    return success();
  }

private:
  static void advance(Arith arith, IteratorType type, IteratorState &state,
                      Value steps) {
    int64_t dim = type.getAdvance();
    int64_t tile = type.getMap().getTileShape()[dim];
    std::array<Value, 2> by;
    if (steps)
      by[dim] = arith.mul(steps, tile);
    else
      by[dim] = state.residue ? state.residue : arith.constant(tile);
    move(arith, type, state, by,
         steps || state.residue ? Reach::Forward : Reach::Tile);
    state.leaveResidue();
    updateTriangle(arith, type, state);
  }
};

/// Replaces an operation by the iterator that `change` makes of its operand.
template <typename OpT>
struct LowerChange : IteratorPattern<OpT> {
  using OneToNOpAdaptor = typename OpConversionPattern<OpT>::OneToNOpAdaptor;
  using Change = void (*)(Arith, OneToNOpAdaptor, LoweredIterator &);
  LowerChange(const TypeConverter &converter, MLIRContext *context, bool unroll,
              Change change)
      : IteratorPattern<OpT>(converter, context, unroll), change(change) {}
  Change change;

  LogicalResult
  matchAndRewrite(OpT op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    LoweredIterator iterator(op.getIterator().getType(), adaptor.getIterator());
    change(Arith{rewriter, op.getLoc(), this->unroll}, adaptor, iterator);
    rewriter.replaceOpWithMultiple(op, {iterator.pack()});
    return success();
  }
};

void addPointerOffset(
    Arith arith,
    LowerChange<IteratorAddPointerOffsetOp>::OneToNOpAdaptor adaptor,
    LoweredIterator &iterator) {
  iterator.getPointer() =
      arith.move(iterator.getPointer(), iterator.plan.getElementType(),
                 adaptor.getOffset().front());
}

void clearMask(Arith arith,
               LowerChange<IteratorClearMaskOp>::OneToNOpAdaptor adaptor,
               LoweredIterator &iterator) {
  Value condition = adaptor.getCondition().front();
  Value never = arith::ConstantIntOp::create(arith.builder, arith.loc, 0, 1);
  Value zero = arith::ConstantIntOp::create(arith.builder, arith.loc, 0, 32);
  for (Value &enabled : iterator.mappedState.enabled)
    enabled = arith.select(condition, never, enabled);
  for (auto *words : {&iterator.getWords(), &iterator.state.steadyMask,
                      &iterator.state.diagonal})
    for (Value &word : *words)
      word = arith.select(condition, zero, word);
}

void enableMask(Arith arith, LowerChange<IteratorEnableMaskOp>::OneToNOpAdaptor,
                LoweredIterator &iterator) {
  if (iterator.mapped) {
    iterator.mappedState.enabled.front() =
        arith::ConstantIntOp::create(arith.builder, arith.loc, 1, 1);
    return computeMappedStep(arith, *iterator.mapped, iterator.mappedState);
  }
  for (Value &word : iterator.state.mask)
    word = arith::ConstantIntOp::create(arith.builder, arith.loc, -1, 32);
}

void setMask(Arith arith,
             LowerChange<IteratorSetMaskOp>::OneToNOpAdaptor adaptor,
             LoweredIterator &iterator) {
  for (auto [i, word] : llvm::enumerate(iterator.getWords()))
    word = vector::ExtractOp::create(arith.builder, arith.loc,
                                     adaptor.getMask().front(), int64_t(i));
}

struct LowerGetMask : OpConversionPattern<IteratorGetMaskOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(IteratorGetMaskOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    LoweredIterator iterator(op.getIterator().getType(), adaptor.getIterator());
    rewriter.replaceOpWithNewOp<vector::FromElementsOp>(
        op, cast<VectorType>(op.getMask().getType()), iterator.getWords());
    return success();
  }
};

struct LowerRetreat : IteratorPattern<IteratorRetreatOp> {
  using IteratorPattern::IteratorPattern;
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
struct LowerAddTileOffset : IteratorPattern<IteratorAddTileOffsetOp> {
  using IteratorPattern::IteratorPattern;
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
    LoweredIterator lhs(type, adaptor.getLhs()), rhs(type, adaptor.getRhs());
    rewriter.replaceOp(op, isSamePlace(Arith{rewriter, op.getLoc()}, lhs, rhs));
    return success();
  }
};

/// An operation becomes its canonical form, which is lowered in turn.
template <typename OpT>
struct LowerToCanonical : OpConversionPattern<OpT> {
  using OpConversionPattern<OpT>::OpConversionPattern;
  LogicalResult
  matchAndRewrite(OpT op, typename OpConversionPattern<OpT>::OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    return OpT::canonicalize(op, rewriter);
  }
};

} // namespace

void tile::populateLowerToCanonicalPatterns(const TypeConverter &converter,
                                            RewritePatternSet &patterns) {
  patterns.add<LowerToCanonical<IteratorLoadWithTileOffsetOp>,
               LowerToCanonical<IteratorLoadWithPointerOffsetOp>,
               LowerToCanonical<IteratorStoreWithTileOffsetOp>,
               LowerToCanonical<IteratorStoreWithPointerOffsetOp>,
               LowerToCanonical<MakeTensorIteratorOp>,
               LowerToCanonical<MakePermutedViewOp>>(converter,
                                                     patterns.getContext());
}

void tile::populateLowerIteratorMovePatterns(const TypeConverter &converter,
                                             RewritePatternSet &patterns,
                                             bool unroll) {
  MLIRContext *context = patterns.getContext();
  populateLowerToCanonicalPatterns(converter, patterns);
  patterns.add<LowerEqual, LowerGetMask>(converter, context);
  patterns.add<LowerAdvance, LowerRetreat, LowerAddTileOffset>(converter,
                                                               context, unroll);
  patterns.add<LowerChange<IteratorAddPointerOffsetOp>>(
      converter, context, unroll, addPointerOffset);
  patterns.add<LowerChange<IteratorClearMaskOp>>(converter, context, unroll,
                                                 clearMask);
  patterns.add<LowerChange<IteratorEnableMaskOp>>(converter, context, unroll,
                                                  enableMask);
  patterns.add<LowerChange<IteratorSetMaskOp>>(converter, context, unroll,
                                               setMask);
}
