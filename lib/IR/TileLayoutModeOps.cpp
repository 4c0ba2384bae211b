// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations on the modes of layouts.
#include "tile/IR/LayoutValues.h"

using namespace mlir;
using namespace tile;

AlgebraResult GetOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  return yieldEither(operands.layout(), [&](const auto &layout) {
    return getMode(layout, op.getPath());
  });
}

AlgebraResult SelectOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  return yieldEither(operands.layout(), [&](const auto &layout) {
    return select(layout, op.getModes());
  });
}

AlgebraResult TakeOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  return yieldEither(operands.layout(), [&](const auto &layout) {
    return take(layout, op.getBegin(), op.getEnd());
  });
}

AlgebraResult GroupModesOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  return yieldEither(operands.layout(), [&](const auto &layout) {
    return groupModes(layout, op.getBegin(), op.getEnd());
  });
}

AlgebraResult AppendOp::evaluate(Adaptor, AlgebraOperands &operands) {
  ComposedLayout layout = operands.layout(), mode = operands.layout();
  if (layout.isPlain() && mode.isPlain())
    return yield(append(layout.getLayout(), mode.getLayout()));
  return yield(append(layout, mode));
}

AlgebraResult PrependOp::evaluate(Adaptor, AlgebraOperands &operands) {
  ComposedLayout layout = operands.layout(), mode = operands.layout();
  if (layout.isPlain() && mode.isPlain())
    return yield(prepend(layout.getLayout(), mode.getLayout()));
  return yield(prepend(layout, mode));
}

AlgebraResult ReplaceOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  ComposedLayout layout = operands.layout(), mode = operands.layout();
  if (layout.isPlain() && mode.isPlain())
    return yield(
        replaceMode(layout.getLayout(), op.getIndex(), mode.getLayout()));
  return yield(replaceMode(layout, op.getIndex(), mode));
}

AlgebraResult FlattenOp::evaluate(Adaptor, AlgebraOperands &operands) {
  return yieldEither(operands.layout(),
                     [](const auto &layout) { return flatten(layout); });
}

AlgebraResult UnflattenOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  return yieldInside(operands.layout(), [&](const Layout &layout) {
    return unflatten(layout, op.getProfileAttr().getValue());
  });
}

AlgebraResult TransposeOp::evaluate(Adaptor, AlgebraOperands &operands) {
  return yieldEither(operands.layout(),
                     [](const auto &layout) { return transpose(layout); });
}

AlgebraResult ReverseOp::evaluate(Adaptor, AlgebraOperands &operands) {
  return yieldInside(operands.layout(), [](const Layout &layout) {
    return Result<Layout>(reverseModes(layout));
  });
}

AlgebraResult ZipOp::evaluate(Adaptor, AlgebraOperands &operands) {
  return yieldInside(operands.layout(),
                     [](const Layout &layout) { return zip(layout); });
}

/// A layout padded to a rank by a function for that.
static AlgebraResult pad(AlgebraOperands &operands, int64_t rank,
                         Layout (*function)(const Layout &, unsigned)) {
  if (rank < 1 || rank > int64_t(kMaxTupleDepth))
    return Reason("expected a rank between 1 and " + Twine(kMaxTupleDepth) +
                  ", but got " + Twine(rank));
  return yieldInside(operands.layout(), [&](const Layout &layout) {
    return Result<Layout>(function(layout, rank));
  });
}

AlgebraResult AppendRankOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  return pad(operands, op.getRank(), appendRank);
}

AlgebraResult PrependRankOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  return pad(operands, op.getRank(), prependRank);
}

AlgebraResult WithShapeOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  IntTuple shape = operands.tuple(op.getShapeAttr().getValue(), /*lower=*/1);
  return yieldEither(operands.layout(), [&](const auto &layout) {
    return withShape(layout, shape);
  });
}

AlgebraResult ReshapeOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  IntTuple shape = operands.tuple(op.getShapeAttr().getValue(), /*lower=*/1);
  return yieldInside(operands.layout(), [&](const Layout &layout) {
    return reshape(layout, shape);
  });
}

AlgebraResult SliceLayoutOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  IntTuple coord = operands.tuple(op.getCoordAttr().getValue());
  ComposedLayout layout = operands.layout();
  if (layout.isPlain())
    return yield(slice(coord, layout.getLayout()));
  Result<ComposedAndOffset> sliced = sliceAndOffset(coord, layout);
  return sliced ? yield(sliced->layout) : sliced.takeReason();
}

AlgebraResult DiceOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  IntTuple coord = operands.tuple(op.getCoordAttr().getValue());
  return yieldInside(operands.layout(),
                     [&](const Layout &layout) { return dice(coord, layout); });
}

/// A layout, then its offset.
static AlgebraResult yieldBoth(const ComposedLayout &layout,
                               const IntTuple &offset) {
  if (!offset.isInt())
    return Reason("expected integer strides, but got " +
                  layout.getLayout().getStride().str());
  return SmallVector<AlgebraValue>{AlgebraValue(layout),
                                   AlgebraValue(offset.getInt())};
}

AlgebraResult SliceAndOffsetOp::evaluate(Adaptor op,
                                         AlgebraOperands &operands) {
  IntTuple coord = operands.tuple(op.getCoordAttr().getValue());
  ComposedLayout layout = operands.layout();
  if (layout.isPlain()) {
    Result<LayoutAndOffset> result = sliceAndOffset(coord, layout.getLayout());
    return result ? yieldBoth(result->layout, result->offset)
                  : result.takeReason();
  }
  Result<ComposedAndOffset> result = sliceAndOffset(coord, layout);
  return result ? yieldBoth(result->layout, result->offset)
                : result.takeReason();
}

AlgebraResult DomainOffsetOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  IntTuple coord = operands.tuple(op.getCoordAttr().getValue());
  ComposedLayout layout = operands.layout();
  if (layout.isPlain()) {
    Result<LayoutAndOffset> result = domainOffset(coord, layout.getLayout());
    return result ? yieldBoth(result->layout, result->offset)
                  : result.takeReason();
  }
  Result<ComposedLayout> result = domainOffset(coord, layout);
  return result ? yieldBoth(*result, 0) : result.takeReason();
}
