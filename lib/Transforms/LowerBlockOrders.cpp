// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers orders of thread blocks to index arithmetic.
#include "IteratorLowering.h"

#include "tile/IR/MixedTuple.h"

using namespace mlir;
using namespace tile;
using Arith = IndexArith;

namespace {

/// The logarithm of the columns in a group: how many of the widths 2, 4, … up
/// to that of the order fit n columns. A width that fits implies the smaller
/// ones, so that their number is the logarithm.
Value getGroupBits(Arith arith, BlockOrderAttr order, Value n) {
  Value bits = arith.constant(0);
  for (int64_t width = 2; width <= order.getWidth(); width *= 2) {
    Value fits;
    if (order.getKind() == BlockOrderKind::GroupedExact) {
      Value rest = arith.fold<arith::RemUIOp>(n, arith.constant(width));
      fits = arith.fold<arith::CmpIOp>(arith::CmpIPredicate::eq, rest,
                                       arith.constant(0));
    } else {
      // 4 n >= 3 w: n is at least 3 w / 4, rounded up.
      fits = arith.fold<arith::CmpIOp>(arith::CmpIPredicate::uge, n,
                                       arith.constant((3 * width + 3) / 4));
    }
    bits = arith.add(bits,
                     arith.select(fits, arith.constant(1), arith.constant(0)));
  }
  return bits;
}

struct LowerBlockGrid : OpConversionPattern<BlockGridOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(BlockGridOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Arith arith{rewriter, op.getLoc()};
    SmallVector<Value> operands = flatten(adaptor.getTilesOperands()), tiles;
    for (unsigned i = 0; i < 3; ++i)
      tiles.push_back(arith.get(getLeaf(rewriter, op.getTiles(), i, operands)));
    if (op.getOrder().getKind() == BlockOrderKind::Horizontal)
      std::swap(tiles[0], tiles[1]);
    if (op.getOrder().isGrouped()) {
      Value bits = getGroupBits(arith, op.getOrder(), tiles[1]);
      Value width = arith.fold<arith::ShLIOp>(arith.constant(1), bits);
      Value padded = arith.fold<arith::SubIOp>(arith.add(tiles[1], width),
                                               arith.constant(1));
      tiles[0] = arith.fold<arith::ShLIOp>(tiles[0], bits);
      tiles[1] = arith.fold<arith::ShRUIOp>(padded, bits);
    }
    rewriter.replaceOp(op, tiles);
    return success();
  }
};

struct LowerBlockTile : OpConversionPattern<BlockTileOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(BlockTileOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Arith arith{rewriter, op.getLoc()};
    Value row = adaptor.getX().front(), column = adaptor.getY().front();
    if (op.getOrder().getKind() == BlockOrderKind::Horizontal)
      std::swap(row, column);
    if (op.getOrder().isGrouped()) {
      SmallVector<Value> operands = flatten(adaptor.getTilesOperands());
      Value n = arith.get(getLeaf(rewriter, op.getTiles(), 1, operands));
      Value bits = getGroupBits(arith, op.getOrder(), n);
      Value width = arith.fold<arith::ShLIOp>(arith.constant(1), bits);
      Value inGroup = arith.fold<arith::AndIOp>(
          row, arith.fold<arith::SubIOp>(width, arith.constant(1)));
      column = arith.add(arith.fold<arith::ShLIOp>(column, bits), inGroup);
      row = arith.fold<arith::ShRUIOp>(row, bits);
    }
    rewriter.replaceOp(op, {row, column, adaptor.getZ().front()});
    return success();
  }
};

} // namespace

bool tile::isBlockOrderOp(Operation *op) {
  return isa<BlockGridOp, BlockTileOp>(op);
}

void tile::populateLowerBlockOrderPatterns(const TypeConverter &converter,
                                           RewritePatternSet &patterns) {
  patterns.add<LowerBlockGrid, LowerBlockTile>(converter,
                                               patterns.getContext());
}
