// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations that evaluate recipes: verifiers, and the general form of each.
#include "IteratorVerifiers.h"

#include "tile/IR/LayoutValues.h"
#include "tile/IR/MixedTuple.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tile;

/// Checks the number of run-time sizes.
static LogicalResult verifySizes(Operation *op, unsigned expected,
                                 unsigned given) {
  if (expected == given)
    return success();
  return op->emitOpError("expected one operand for each of the ")
         << expected << " run-time sizes of its recipe, but got " << given;
}

/// The values of the `?` leaves of `known`, whose expressions are in
/// `symbolic`. Nothing if one of them cannot be computed.
static FailureOr<SmallVector<Value>>
materializeLeaves(OpBuilder &builder, Location loc, const IntTuple &known,
                  const IntTuple &symbolic, ValueRange symbols) {
  SmallVector<Value> values;
  for (auto [type, leaf] :
       llvm::zip_equal(known.getLeaves(), symbolic.getLeaves())) {
    if (type.getInt().isStatic())
      continue;
    values.push_back(materialize(builder, loc, leaf.getInt(), symbols));
    if (!values.back())
      return failure();
  }
  return values;
}

//===----------------------------------------------------------------------===//
// MakeTensorIteratorOp
//===----------------------------------------------------------------------===//

/// Whether a view can have the extents of a tensor.
static bool hasExtents(const Layout &layout, ArrayRef<Int> extents) {
  return layout.getShape().isTuple() && layout.rank() == extents.size() &&
         llvm::all_of(llvm::enumerate(extents), [&](auto it) {
           const IntTuple &mode = layout.getShape()[it.index()];
           return !mode.isInt() || !mode.getInt().isStatic() ||
                  !it.value().isStatic() || mode.getInt() == it.value();
         });
}

static IntTuple toTuple(ArrayRef<Int> numbers) {
  return IntTuple::tuple(SmallVector<IntTuple>(numbers.begin(), numbers.end()));
}

/// The coordinate that the matrix starts at, if it is not zero.
static std::optional<IntTuple> getOrigin(const CoordinateMap &map) {
  if (llvm::all_of(map.origin,
                   [](const Int &number) { return number.isStatic(0); }))
    return std::nullopt;
  return toTuple(map.origin);
}

LogicalResult MakeTensorIteratorOp::verify() {
  IteratorType type = getResult().getType();
  if (getNumDynamicLeaves(getCoord()) != getCoordOperands().size())
    return emitOpError("expected one operand for each run-time leaf, but got ")
           << getCoordOperands().size();
  CoordinateMapAttrInterface recipe = getRecipe();
  if (failed(verifySizes(*this, recipe.getNumSizes(), getSizes().size())))
    return failure();
  Result<CoordinateMap> map = recipe.getCoordinateMap(/*symbolic=*/false);
  if (!map)
    return emitOpError(map.getReason());
  if (type.getGather())
    return emitOpError("expected an iterator without indices, which a recipe "
                       "does not have, but got ")
           << type;
  if (type.getCoords() != map->coords || type.getDivide() != map->getDivide()) {
    auto print = [](const Layout &coords, const IntTuple &divide) {
      return coords.str() +
             (divide.isTuple() ? ", divide " + divide.str() : "");
    };
    return emitOpError("expected an iterator with the coords of its recipe, ")
           << print(map->coords, map->getDivide()) << ", but got "
           << print(type.getCoords(), type.getDivide());
  }
  const Layout &layout = type.getView().getLayout();
  if (!hasExtents(layout, map->shape))
    return emitOpError("expected a view with the extents of its recipe, ")
           << toTuple(map->shape).str() << ", but got "
           << layout.getShape().str();
  return verifyPlace(*this, type,
                           withKnownDivisors(getCoord(), getCoordOperands()),
                           ::getOrigin(*map));
}

LogicalResult MakeTensorIteratorOp::canonicalize(MakeTensorIteratorOp op,
                                                 PatternRewriter &rewriter) {
  IteratorType type = op.getResult().getType();
  CoordinateMapAttrInterface recipe = op.getRecipe();
  Result<CoordinateMap> known = recipe.getCoordinateMap(/*symbolic=*/false),
                        map = recipe.getCoordinateMap(/*symbolic=*/true);
  if (!known || !map)
    return failure();
  MLIRContext *context = op.getContext();
  auto get = [&](const IntTuple &types, const IntTuple &values) {
    return materializeLeaves(rewriter, op.getLoc(), types, values,
                             op.getSizes());
  };
  FailureOr<SmallVector<Value>> shape =
      get(known->coords.getShape(), map->coords.getShape());
  FailureOr<SmallVector<Value>> stride =
      get(known->coords.getStride(), map->coords.getStride());
  std::optional<IntTuple> start = ::getOrigin(*known);
  FailureOr<SmallVector<Value>> origin = SmallVector<Value>(),
                                divide = SmallVector<Value>();
  IntTupleAttr originAttr, divideAttr;
  if (start) {
    origin = get(*start, toTuple(map->origin));
    originAttr = IntTupleAttr::get(context, *start);
  }
  if (type.isDivided()) {
    divide = get(known->getDivide(), map->getDivide());
    divideAttr = IntTupleAttr::get(context, known->getDivide());
  }
  if (failed(shape) || failed(stride) || failed(origin) || failed(divide))
    return failure();
  rewriter.replaceOpWithNewOp<MakeIteratorOp>(
      op, type, op.getView(), op.getCoordOperands(), op.getThread(), *shape,
      *stride, *origin, *divide, /*indices=*/Value(), /*length=*/Value(),
      op.getCoordAttr(), IntTupleAttr::get(context, known->coords.getShape()),
      IntTupleAttr::get(context, known->coords.getStride()), originAttr,
      divideAttr, /*vectors=*/UnitAttr());
  return success();
}

//===----------------------------------------------------------------------===//
// MakePermutedViewOp
//===----------------------------------------------------------------------===//

LogicalResult MakePermutedViewOp::verify() {
  PermutedAttr recipe = getRecipe();
  if (failed(verifySizes(*this, recipe.getNumSizes(), getSizes().size())))
    return failure();
  Result<Layout> layout = recipe.getLayout(/*symbolic=*/false);
  if (!layout)
    return emitOpError(layout.getReason());
  ViewType type = getResult().getType();
  if (*layout != type.getLayout() || !type.getSwizzle().isIdentity())
    return emitOpError("expected a view with the layout ")
           << layout->str() << ", but got " << type;
  unsigned space =
      cast<LLVM::LLVMPointerType>(getBase().getType()).getAddressSpace();
  if (space != static_cast<unsigned>(type.getSpace()))
    return emitOpError("expected a pointer to address space ")
           << static_cast<unsigned>(type.getSpace()) << " for a view in "
           << stringifyMemorySpace(type.getSpace()) << " memory, but got "
           << space;
  return success();
}

LogicalResult MakePermutedViewOp::canonicalize(MakePermutedViewOp op,
                                               PatternRewriter &rewriter) {
  Result<Layout> map = op.getRecipe().getLayout(/*symbolic=*/true);
  if (!map)
    return failure();
  ViewType type = op.getResult().getType();
  const Layout &known = type.getLayout();
  FailureOr<SmallVector<Value>> shape = materializeLeaves(
      rewriter, op.getLoc(), known.getShape(), map->getShape(), op.getSizes());
  FailureOr<SmallVector<Value>> stride =
      materializeLeaves(rewriter, op.getLoc(), known.getStride(),
                        map->getStride(), op.getSizes());
  if (failed(shape) || failed(stride))
    return failure();
  rewriter.replaceOpWithNewOp<MakeViewOp>(
      op, type, op.getBase(), *shape, *stride,
      IntTupleAttr::get(op.getContext(), known.getShape()),
      IntTupleAttr::get(op.getContext(), known.getStride()));
  return success();
}
