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

/// A function of a layout and a mode for it, which has no swizzle of its own.
static AlgebraResult
yieldWithMode(AlgebraOperands &operands,
              llvm::function_ref<Result<Layout>(const Layout &, const Layout &)>
                  function) {
  ComposedLayout layout = operands.layout();
  Result<Layout> mode = operands.plainLayout();
  if (!mode)
    return mode.takeReason();
  return yieldInside(
      layout, [&](const Layout &inside) { return function(inside, *mode); });
}

AlgebraResult AppendOp::evaluate(Adaptor, AlgebraOperands &operands) {
  return yieldWithMode(operands, [](const Layout &layout, const Layout &mode) {
    return Result<Layout>(append(layout, mode));
  });
}

AlgebraResult PrependOp::evaluate(Adaptor, AlgebraOperands &operands) {
  return yieldWithMode(operands, [](const Layout &layout, const Layout &mode) {
    return Result<Layout>(prepend(layout, mode));
  });
}

AlgebraResult ReplaceOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  return yieldWithMode(operands, [&](const Layout &layout, const Layout &mode) {
    return replaceMode(layout, op.getIndex(), mode);
  });
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
  Result<Layout> layout = operands.plainLayout();
  return layout ? yield(slice(coord, *layout)) : yield(layout);
}

AlgebraResult DiceOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  IntTuple coord = operands.tuple(op.getCoordAttr().getValue());
  Result<Layout> layout = operands.plainLayout();
  return layout ? yield(dice(coord, *layout)) : yield(layout);
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
