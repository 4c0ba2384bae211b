// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the lowerings of iterators share: access plans, loops, masks.
#include "IteratorLowering.h"

#include "tile/Transforms/Passes.h"

using namespace mlir;
using namespace tile;
using Arith = IndexArith;

SmallVector<Value> tile::stripMinedLoop(
    Arith arith, int64_t lower, int64_t upper, ValueRange init,
    function_ref<SmallVector<Value>(Arith, Value, ValueRange)> body) {
  if (arith.unroll) {
    SmallVector<Value> carried(init);
    for (int64_t i = lower; i < upper; ++i)
      carried = body(arith, arith.constant(i), carried);
    return carried;
  }
  auto loop = scf::ForOp::create(
      arith.builder, arith.loc, arith.constant(lower), arith.constant(upper),
      arith.constant(1), init,
      [&](OpBuilder &builder, Location loc, Value index, ValueRange carried) {
        scf::YieldOp::create(builder, loc,
                             body(Arith{builder, loc}, index, carried));
      });
  loop->setAttr(kStripMined, arith.builder.getUnitAttr());
  return SmallVector<Value>(loop.getResults());
}

SmallVector<Value> tile::buildMask(Arith arith, const AccessPlan &plan,
                                   ArrayRef<Value> first, ArrayRef<Value> limit,
                                   ArrayRef<Value> inTile) {
  SmallVector<Value> words;
  ThreadMapAttrInterface map = plan.type.getMap();
  bool leavesTile = mayLeaveTile(map);
  int64_t count = plan.type.getNumPredicates();
  for (int64_t begin = 0; begin < count; begin += 32) {
    Value zero = arith::ConstantIntOp::create(arith.builder, arith.loc, 0, 32);
    SmallVector<Value> word = stripMinedLoop(
        arith, begin, std::min(count, begin + 32), zero,
        [&](Arith arith, Value index,
            ValueRange carried) -> SmallVector<Value> {
          Value access =
              arith.fold<arith::DivUIOp>(index, arith.constant(plan.parts));
          std::array<Value, 2> offset =
              arith.decode(plan.pattern.iterations, access);
          Value part =
              arith.fold<arith::RemUIOp>(index, arith.constant(plan.parts));
          int64_t dim = plan.pattern.vectorDim;
          offset[dim] = arith.add(offset[dim], arith.mul(part, plan.width));
          Value inside =
              arith::ConstantIntOp::create(arith.builder, arith.loc, 1, 1);
          for (int64_t d : {0, 1}) {
            if (!limit[d])
              continue;
            Value below = arith.less(arith.add(first[d], offset[d]), limit[d]);
            inside = arith.fold<arith::AndIOp>(inside, below);
          }
          for (int64_t d : {0, 1}) {
            if (!leavesTile)
              continue;
            Value below = arith.less(arith.add(inTile[d], offset[d]),
                                     arith.constant(map.getTileShape()[d]));
            inside = arith.fold<arith::AndIOp>(inside, below);
          }
          Type i32 = arith.builder.getI32Type();
          Value position =
              arith.fold<arith::SubIOp>(index, arith.constant(begin));
          Value shift = arith.fold<arith::IndexCastOp>(i32, position);
          Value bit = arith.fold<arith::ExtUIOp>(i32, inside);
          bit = arith.fold<arith::ShLIOp>(bit, shift);
          return {arith.fold<arith::OrIOp>(carried[0], bit)};
        });
    words.push_back(word[0]);
  }
  return words;
}
