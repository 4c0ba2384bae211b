// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers stream-K plans to index arithmetic.
#include "IteratorLowering.h"

using namespace mlir;
using namespace tile;
using Arith = IndexArith;

namespace {

/// Index arithmetic with constants.
struct Numbers : Arith {
  Value div(Value a, int64_t b) const {
    return fold<arith::DivUIOp>(a, constant(b));
  }
  Value rem(Value a, int64_t b) const {
    return fold<arith::RemUIOp>(a, constant(b));
  }
  Value plus(Value a, int64_t b) const { return add(a, constant(b)); }
  Value below(Value a, int64_t b) const { return less(a, constant(b)); }
};

struct LowerBlock : OpConversionPattern<StreamKBlockOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(StreamKBlockOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Numbers arith{{rewriter, op.getLoc()}};
    StreamKAttr plan = op.getPlan();
    Value x = adaptor.getX().front();
    // Neighbours of the first two waves go to different waves.
    if (int64_t wave = plan.getInterleaved()) {
      Value moved =
          arith.add(arith.div(x, 2), arith.mul(arith.rem(x, 2), wave));
      x = arith.select(arith.below(x, 2 * wave), moved, x);
    }
    if (plan.getRegions() > 1) {
      Value region = arith.rem(x, plan.getRegions());
      Value moved = arith.add(arith.mul(region, plan.getBlocks()),
                              arith.div(x, plan.getRegions()));
      x = arith.select(arith.below(x, plan.getRegions() * plan.getBlocks()),
                       moved, x);
    }
    rewriter.replaceOp(op, x);
    return success();
  }
};

struct LowerIterations : OpConversionPattern<StreamKIterationsOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(StreamKIterationsOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Numbers arith{{rewriter, op.getLoc()}};
    StreamKAttr plan = op.getPlan();
    Value block = adaptor.getBlock().front();
    Value region = arith.div(block, plan.getBlocks());
    Value inRegion = arith.rem(block, plan.getBlocks());
    // The blocks in front, of which the first `big` have one more.
    Value isBig = arith.below(inRegion, plan.getBig());
    Value more = arith.select(isBig, inRegion, arith.constant(plan.getBig()));
    Value begin =
        arith.add(arith.add(arith.mul(region, plan.getIterationsPerRegion()),
                            arith.mul(inRegion, plan.getIterationsPerBlock())),
                  more);
    Value own = arith.select(isBig, arith.constant(1), arith.constant(0));
    Value end = arith.add(arith.plus(begin, plan.getIterationsPerBlock()), own);
    rewriter.replaceOp(op, {begin, end});
    return success();
  }
};

struct LowerTile : OpConversionPattern<StreamKTileOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(StreamKTileOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    static constexpr int64_t kRows = 8, kColumns = 4;
    Numbers arith{{rewriter, op.getLoc()}};
    StreamKAttr plan = op.getPlan();
    int64_t rows = plan.getTiles()[0], columns = plan.getTiles()[1];
    Value tile = adaptor.getTile().front();
    Value row, column;
    if (plan.getGrouped()) {
      int64_t across = (columns + kColumns - 1) / kColumns;
      Value group = arith.div(tile, kRows * kColumns);
      Value inGroup = arith.rem(tile, kRows * kColumns);
      row = arith.add(arith.mul(arith.div(group, across), kRows),
                      arith.div(inGroup, kColumns));
      column = arith.add(arith.mul(arith.rem(group, across), kColumns),
                         arith.rem(inGroup, kColumns));
    } else if (rows < columns) {
      row = arith.rem(tile, rows);
      column = arith.div(tile, rows);
    } else {
      row = arith.div(tile, columns);
      column = arith.rem(tile, columns);
    }
    rewriter.replaceOp(op, {row, column});
    return success();
  }
};

struct LowerOwner : OpConversionPattern<StreamKOwnerOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(StreamKOwnerOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Numbers arith{{rewriter, op.getLoc()}};
    StreamKAttr plan = op.getPlan();
    int64_t perBlock = plan.getIterationsPerBlock(), big = plan.getBig();
    Value iteration =
        arith.mul(adaptor.getTile().front(), plan.getIterations());
    Value region = arith.div(iteration, plan.getIterationsPerRegion());
    Value inRegion = arith.rem(iteration, plan.getIterationsPerRegion());
    // Among the blocks with one more, or behind them.
    Value ofBig = arith.div(inRegion, perBlock + 1);
    Value behind = arith.fold<arith::SubIOp>(
        inRegion, arith.constant(big * (perBlock + 1)));
    Value ofOthers = arith.plus(arith.div(behind, perBlock), big);
    Value block = arith.select(arith.below(inRegion, big * (perBlock + 1)),
                               ofBig, ofOthers);
    rewriter.replaceOp(op,
                       arith.add(arith.mul(region, plan.getBlocks()), block));
    return success();
  }
};

} // namespace

bool tile::isStreamKOp(Operation *op) {
  return isa<StreamKBlockOp, StreamKIterationsOp, StreamKTileOp,
             StreamKOwnerOp>(op);
}

void tile::populateLowerStreamKPatterns(const TypeConverter &converter,
                                        RewritePatternSet &patterns) {
  patterns.add<LowerBlock, LowerIterations, LowerTile, LowerOwner>(
      converter, patterns.getContext());
}
