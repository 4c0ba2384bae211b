// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Construction and queries of layouts.
#include "tile/IR/LayoutValues.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

AlgebraResult MakeLayoutOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  IntTuple shape = operands.tuple(op.getShapeAttr().getValue(), /*lower=*/1);
  IntTuple stride = operands.tuple(op.getStrideAttr().getValue());
  return yield(Layout::get(shape, stride));
}

AlgebraResult MakeLayoutLeftOp::evaluate(Adaptor op,
                                         AlgebraOperands &operands) {
  return yield(makeLayoutLeft(
      operands.tuple(op.getShapeAttr().getValue(), /*lower=*/1)));
}

AlgebraResult MakeLayoutRightOp::evaluate(Adaptor op,
                                          AlgebraOperands &operands) {
  return yield(makeLayoutRight(
      operands.tuple(op.getShapeAttr().getValue(), /*lower=*/1)));
}

AlgebraResult MakeIdentityLayoutOp::evaluate(Adaptor op,
                                             AlgebraOperands &operands) {
  return yield(makeIdentityLayout(
      operands.tuple(op.getShapeAttr().getValue(), /*lower=*/1)));
}

AlgebraResult MakeOrderedLayoutOp::evaluate(Adaptor op,
                                            AlgebraOperands &operands) {
  return yield(makeOrderedLayout(
      operands.tuple(op.getShapeAttr().getValue(), /*lower=*/1),
      op.getOrderAttr().getValue()));
}

// What is swizzled is laid out anew, in the order of the layout inside.
AlgebraResult MakeLayoutLikeOp::evaluate(Adaptor, AlgebraOperands &operands) {
  return yield(makeLayoutLike(operands.layout().getLayout()));
}

AlgebraResult MakeFragmentLikeOp::evaluate(Adaptor, AlgebraOperands &operands) {
  return yield(makeFragmentLike(operands.layout().getLayout()));
}

AlgebraResult DomainDistributeOp::evaluate(Adaptor op, AlgebraOperands &) {
  return yield(domainDistribute(op.getShapeAttr().getValue(),
                                Int(static_cast<int64_t>(op.getCount()))));
}

AlgebraResult MakeSwizzleOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  IntTuple offset = operands.tuple(op.getOffsetAttr().getValue());
  Result<Layout> layout = operands.plainLayout();
  if (!layout)
    return yield(layout);
  if (!offset.isInt())
    return Reason("expected an integer offset, but got " + offset.str());
  return yield(ComposedLayout::get(op.getSwizzleAttr().getValue(),
                                   offset.getInt(), *layout));
}

//===----------------------------------------------------------------------===//
// LayoutCastOp
//===----------------------------------------------------------------------===//

/// Whether a layout of type `from` is one of type `to`.
static bool canCast(LayoutType from, LayoutType to) {
  return refines(from.getComposed(), to.getComposed()) ||
         isSameFunction(from.getComposed(), to.getComposed());
}

LogicalResult LayoutCastOp::verify() {
  if (canCast(getSource().getType(), getType()))
    return success();
  return emitOpError("expected a result type that the source's leaves fit, or "
                     "another nesting of the same constants, but got ")
         << getSource().getType() << " and " << getType();
}

OpFoldResult LayoutCastOp::fold(FoldAdaptor) {
  if (getSource().getType() == getType())
    return getSource();
  // A cast of a cast is one, unless the first is to another nesting, and the
  // second forgets of that.
  if (auto cast = getSource().getDefiningOp<LayoutCastOp>())
    if (canCast(cast.getSource().getType(), getType())) {
      getSourceMutable().assign(cast.getSource());
      return getResult();
    }
  return {};
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

AlgebraResult RankOp::evaluate(Adaptor, AlgebraOperands &operands) {
  return yield(Int(operands.layout().rank()));
}

AlgebraResult DepthOp::evaluate(Adaptor, AlgebraOperands &operands) {
  return yield(Int(operands.layout().getLayout().depth()));
}

AlgebraResult SizeOp::evaluate(Adaptor, AlgebraOperands &operands) {
  return yield(operands.layout().size());
}

AlgebraResult CosizeOp::evaluate(Adaptor, AlgebraOperands &operands) {
  return yield(operands.layout().cosize());
}

AlgebraResult Crd2IdxOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  IntTuple coord = operands.tuple(op.getCoordAttr().getValue());
  ComposedLayout layout = operands.layout();
  if (coord.hasWildcard())
    return Reason("expected an integer coordinate, but got `_`");
  if (layout.getLayout().hasBasis())
    return Reason("expected a layout with integer strides, but got a "
                  "coordinate-valued one");
  return yield(getOffsetAt(layout, coord));
}

AlgebraResult CoordinateOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  IntTuple coord = operands.tuple(op.getCoordAttr().getValue());
  ComposedLayout layout = operands.layout();
  if (coord.hasWildcard())
    return Reason("expected an integer coordinate, but got `_`");
  if (!layout.getLayout().hasBasis())
    return Reason("expected a layout whose values are coordinates, but got one "
                  "with integer "
                  "strides");
  return yieldLeaves(layout(coord));
}

AlgebraResult Idx2CrdOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  IntTuple index = operands.tuple(op.getIndexAttr().getValue());
  IntTuple shape = operands.tuple(op.getShapeAttr().getValue(), /*lower=*/1);
  return yieldLeaves(idx2crd(index, shape));
}
