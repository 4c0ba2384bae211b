// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layout operations: type inference through the algebra, verifiers, folders.
#include "tile/IR/LayoutValues.h"
#include "tile/IR/MixedTuple.h"
#include "tile/Layout/Algebra.h"

using namespace mlir;
using namespace tile;

/// Symbol numbers given to each operand in turn, so that they stay apart.
template <typename OpT, typename Algorithm>
static LogicalResult inferLayout(MLIRContext *context, std::optional<Location> loc,
                                 ValueRange operands, Algorithm algorithm,
                                 SmallVectorImpl<Type> &types) {
  SmallVector<Layout> layouts;
  unsigned next = 0;
  for (Value operand : operands) {
    auto type = dyn_cast<LayoutType>(operand.getType());
    if (!type)
      return emitOptionalError(loc, "expected a layout operand, but got ", operand.getType());
    layouts.push_back(withSymbols(type.getLayout(), next));
  }
  Result<Layout> result = algorithm(ArrayRef<Layout>(layouts));
  if (!result)
    return emitOptionalError(loc, result.getReason());
  Result<Layout> type =
      Layout::get(result->getShape().withoutExprs(), result->getStride().withoutExprs());
  if (!type)
    return emitOptionalError(loc, type.getReason());
  types.push_back(LayoutType::get(context, *type));
  return success();
}

#define TILE_LAYOUT_ALGEBRA_OP(OpT, expression)                                                    \
  static Result<Layout> apply##OpT(ArrayRef<Layout> operands) { return expression; }               \
  LogicalResult OpT::inferReturnTypes(MLIRContext *context, std::optional<Location> loc,           \
                                      ValueRange operands, DictionaryAttr, OpaqueProperties,       \
                                      RegionRange, SmallVectorImpl<Type> &types) {                 \
    return inferLayout<OpT>(context, loc, operands, apply##OpT, types);                            \
  }
TILE_LAYOUT_ALGEBRA_OP(CoalesceOp, coalesce(operands[0]))
TILE_LAYOUT_ALGEBRA_OP(CompositionOp, composition(operands[0], operands[1]))
TILE_LAYOUT_ALGEBRA_OP(LogicalDivideOp, logicalDivide(operands[0], operands[1]))
TILE_LAYOUT_ALGEBRA_OP(ZippedDivideOp, zippedDivide(operands[0], operands[1]))
TILE_LAYOUT_ALGEBRA_OP(LogicalProductOp, logicalProduct(operands[0], operands[1]))
#undef TILE_LAYOUT_ALGEBRA_OP

Result<Layout> tile::applyLayoutOp(Operation *op, ArrayRef<Layout> operands) {
  if (isa<CoalesceOp>(op))
    return applyCoalesceOp(operands);
  if (isa<CompositionOp>(op))
    return applyCompositionOp(operands);
  if (isa<LogicalDivideOp>(op))
    return applyLogicalDivideOp(operands);
  if (isa<ZippedDivideOp>(op))
    return applyZippedDivideOp(operands);
  if (isa<LogicalProductOp>(op))
    return applyLogicalProductOp(operands);
  return Reason("expected an operation of the layout algebra");
}

//===----------------------------------------------------------------------===//
// MakeLayoutOp
//===----------------------------------------------------------------------===//

LogicalResult MakeLayoutOp::inferReturnTypes(MLIRContext *context, std::optional<Location> loc,
                                             ValueRange operands, DictionaryAttr attributes,
                                             OpaqueProperties properties, RegionRange regions,
                                             SmallVectorImpl<Type> &types) {
  Adaptor adaptor(operands, attributes, properties, regions);
  Result<Layout> layout =
      Layout::get(adaptor.getShapeAttr().getValue(), adaptor.getStrideAttr().getValue());
  if (!layout)
    return emitOptionalError(loc, layout.getReason());
  types.push_back(LayoutType::get(context, *layout));
  return success();
}

LogicalResult MakeLayoutOp::verify() {
  if (getNumDynamicLeaves(getShape()) != getShapeOperands().size() ||
      getNumDynamicLeaves(getStride()) != getStrideOperands().size())
    return emitOpError("expected one operand for each run-time leaf, but got ")
           << getNumOperands();
  return success();
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

/// An index constant for a static integer.
static OpFoldResult foldInt(MLIRContext *context, const Int &integer) {
  if (!integer.isStatic())
    return {};
  return IntegerAttr::get(IndexType::get(context), integer.getValue());
}

OpFoldResult SizeOp::fold(FoldAdaptor) {
  return foldInt(getContext(), getLayout().getType().getLayout().size());
}

OpFoldResult CosizeOp::fold(FoldAdaptor) {
  return foldInt(getContext(), getLayout().getType().getLayout().cosize());
}

LogicalResult CosizeOp::verify() {
  unsigned next = 0;
  Int cosize = withSymbols(getLayout().getType().getLayout(), next).cosize();
  if (cosize.isInvalid())
    return emitOpError(cosize.getInvalidReason());
  return success();
}

//===----------------------------------------------------------------------===//
// Crd2IdxOp
//===----------------------------------------------------------------------===//

LogicalResult Crd2IdxOp::verify() {
  if (getNumDynamicLeaves(getCoord()) != getCoordOperands().size())
    return emitOpError("expected one operand for each run-time leaf, but got ")
           << getCoordOperands().size();
  if (getCoord().hasWildcard())
    return emitOpError("expected an integer coordinate, but got `_`");
  unsigned next = 0;
  Layout layout = withSymbols(getLayout().getType().getLayout(), next);
  if (layout.getStride().hasBasis())
    return emitOpError("expected a layout with integer strides, but got a coordinate-valued one");
  Result<IntTuple> offset = layout(withSymbols(getCoord(), next));
  if (!offset)
    return emitOpError(offset.getReason());
  return success();
}

OpFoldResult Crd2IdxOp::fold(FoldAdaptor adaptor) {
  SmallVector<Int> values;
  for (Attribute operand : adaptor.getCoordOperands()) {
    auto constant = dyn_cast_or_null<IntegerAttr>(operand);
    if (!constant)
      return {};
    values.push_back(Int(constant.getValue().getSExtValue()));
  }
  unsigned next = 0;
  IntTuple coord = withSymbols(getCoord(), next).substitute(values);
  const Layout &layout = getLayout().getType().getLayout();
  if (!layout.isStatic())
    return {};
  Result<IntTuple> offset = layout(coord);
  if (!offset || !offset->isInt())
    return {};
  return foldInt(getContext(), offset->getInt());
}
