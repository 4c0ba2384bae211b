// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of views by the algebra of layouts: types, slices, elements.
#include "tile/IR/Tile.h"

#include <numeric>

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

ViewType ViewType::getPart(const ComposedLayout &layout,
                           const Int &offset) const {
  // The base moves by a known multiple of bytes (by 0: not at all). Only the
  // lowest set bit counts, which wrapping around keeps.
  uint64_t bytes = static_cast<uint64_t>(offset.getDivisor()) *
                   static_cast<uint64_t>(getElementBytes());
  int64_t align = std::gcd<uint64_t, uint64_t>(getAlign(), bytes & -bytes);
  return ViewType::get(getContext(), getElementType(), getSpace(),
                       layout.getLayout(), align, layout.getSwizzle());
}

Result<ViewPart> tile::evaluateView(AlgebraOperands operands,
                                    ViewFunction function) {
  Result<ViewPart> part = function(operands);
  if (std::optional<Reason> mismatch = operands.findMismatch())
    return *mismatch;
  if (!part)
    return part;
  if (part->offset.isInvalid())
    return Reason(part->offset.getInvalidReason());
  if (Result<ComposedLayout> valid = withoutExprs(part->layout); !valid)
    return valid.takeReason();
  return part;
}

/// The type of a part of a view, if the type's own rules allow it.
static ViewType getType(function_ref<InFlightDiagnostic()> emitError,
                        ViewType view, const ViewPart &part) {
  ComposedLayout layout = *withoutExprs(part.layout);
  if (part.elementType)
    view = ViewType::getChecked(emitError, view.getContext(), part.elementType,
                                view.getSpace(), layout.getLayout(),
                                view.getBaseAlignment(), layout.getSwizzle());
  return view ? view.getPart(layout, part.offset) : view;
}

LogicalResult tile::inferViewType(std::optional<Location> loc,
                                  ValueRange operands, ViewFunction function,
                                  SmallVectorImpl<Type> &types) {
  auto view = dyn_cast<ViewType>(operands[0].getType());
  if (!view)
    return emitOptionalError(loc, "expected a view, but got ",
                             operands[0].getType());
  Result<ViewPart> part = evaluateView(AlgebraOperands(operands), function);
  if (!part)
    return emitOptionalError(loc, part.getReason());
  Location place = loc.value_or(UnknownLoc::get(view.getContext()));
  ViewType type = getType([&] { return mlir::emitError(place); }, view, *part);
  if (!type)
    return failure();
  types.push_back(type);
  return success();
}

LogicalResult tile::verifyViewType(Operation *op, ViewFunction function) {
  Result<ViewPart> part =
      evaluateView(AlgebraOperands(op->getOperands()), function);
  if (!part)
    return op->emitOpError(part.getReason());
  ViewType type = getType([&] { return op->emitOpError(); },
                          cast<ViewType>(op->getOperand(0).getType()), *part);
  if (!type)
    return failure();
  if (type == op->getResult(0).getType())
    return success();
  return op->emitOpError("expected a result of type ")
         << type << ", but got " << op->getResult(0).getType();
}

//===----------------------------------------------------------------------===//
// Coordinates
//===----------------------------------------------------------------------===//

/// What is known of a coordinate that lies inside a shape: its integers are
/// below the extents.
static IntTuple boundBy(const IntTuple &coordinate, const IntTuple &shape) {
  if (coordinate.isTuple()) {
    if (!shape.isTuple() || shape.rank() != coordinate.rank())
      return coordinate;
    SmallVector<IntTuple> modes;
    for (unsigned i = 0, e = coordinate.rank(); i < e; ++i)
      modes.push_back(boundBy(coordinate[i], shape[i]));
    return IntTuple::tuple(modes);
  }
  if (!coordinate.isInt())
    return coordinate;
  const IntExpr *expr = coordinate.getInt().getExpr();
  Result<Int> size = product(shape);
  if (!expr || expr->getKind() != IntExpr::Kind::Symbol || !size ||
      size->getUpper() == std::numeric_limits<int64_t>::max())
    return coordinate;
  return Int::symbol(expr->getSymbol(), coordinate.getInt().getDivisor(),
                     /*lower=*/0, size->getUpper() - 1);
}

/// Whether a constant of the coordinate lies outside a constant extent.
static bool isOutside(const IntTuple &coordinate, const IntTuple &shape) {
  if (coordinate.isTuple())
    return shape.isTuple() && shape.rank() == coordinate.rank() &&
           llvm::any_of(llvm::seq(coordinate.rank()), [&](unsigned i) {
             return isOutside(coordinate[i], shape[i]);
           });
  if (!coordinate.isInt() || !coordinate.getInt().isStatic())
    return false;
  Result<Int> size = product(shape);
  int64_t index = coordinate.getInt().getValue();
  return index < 0 || (size && size->getUpper() <= index);
}

/// Why a coordinate is none of a shape, if it is none. The algebra says what it
/// does not say.
static std::optional<Reason> checkCoordinate(const IntTuple &coordinate,
                                             const IntTuple &shape) {
  if (coordinate.hasBasis())
    return Reason("expected integers or `_` in a coordinate, but got " +
                  coordinate.str());
  if (isOutside(coordinate, shape))
    return Reason("expected a coordinate inside the shape " + shape.str() +
                  ", but got " + coordinate.str());
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Slices and elements
//===----------------------------------------------------------------------===//

Result<ViewPart> tile::slicePart(const IntTuple &coordinate,
                                 const ComposedLayout &layout) {
  const Layout &inside = layout.getLayout();
  if (std::optional<Reason> reason =
          checkCoordinate(coordinate, inside.getShape()))
    return *reason;
  Result<LayoutAndOffset> slice =
      sliceAndOffset(boundBy(coordinate, inside.getShape()), inside);
  if (!slice)
    return slice.takeReason();
  const Swizzle &swizzle = layout.getSwizzle();
  Int offset = slice->offset.getInt();
  if (swizzle.isIdentity())
    return ViewPart{ComposedLayout(slice->layout), offset};
  if (offset.isMultipleOf(swizzle.getPeriod())) {
    Result<ComposedLayout> moved =
        ComposedLayout::get(swizzle, 0, slice->layout);
    if (!moved)
      return moved.takeReason();
    return ViewPart{*moved, offset};
  }
  // A swizzle that is linear inside the slice becomes part of its strides.
  Result<ComposedAndOffset> plain = sliceAndOffset(coordinate, layout);
  if (plain && plain->layout.isPlain())
    return ViewPart{plain->layout, plain->offset};
  return Reason("expected a part that starts at a multiple of the " +
                Twine(swizzle.getPeriod()) + " elements after which " +
                swizzle.str() +
                " repeats, or in which it is linear, but got one that starts "
                "at a multiple of " +
                Twine(offset.getDivisor()));
}

Result<Int> tile::getElementOffset(const IntTuple &coordinate,
                                   const ComposedLayout &layout) {
  const IntTuple &shape = layout.getLayout().getShape();
  if (coordinate.hasWildcard())
    return Reason("expected a coordinate of integers, but got " +
                  coordinate.str());
  if (std::optional<Reason> reason = checkCoordinate(coordinate, shape))
    return *reason;
  return getOffsetAt(layout, boundBy(coordinate, shape));
}
