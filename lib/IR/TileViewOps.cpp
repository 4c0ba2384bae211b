// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// View operations: verifiers and type inference.
#include "tile/IR/MixedTuple.h"

#include <numeric>

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// MakeViewOp
//===----------------------------------------------------------------------===//

LogicalResult MakeViewOp::verify() {
  if (getNumDynamicLeaves(getShape()) != getShapeOperands().size() ||
      getNumDynamicLeaves(getStride()) != getStrideOperands().size())
    return emitOpError("expected one operand for each run-time leaf, but got ")
           << getNumOperands() - 1;
  Result<Layout> layout = Layout::get(getShape(), getStride());
  if (!layout)
    return emitOpError(layout.getReason());
  ViewType type = getResult().getType();
  if (*layout != type.getLayout()) {
    InFlightDiagnostic diag = emitOpError("expected a view with the layout ");
    diag << LayoutAttr::get(getContext(), *layout) << ", but got "
         << LayoutAttr::get(getContext(), type.getLayout());
    return diag;
  }
  unsigned space =
      cast<LLVM::LLVMPointerType>(getBase().getType()).getAddressSpace();
  if (space != static_cast<unsigned>(type.getSpace()))
    return emitOpError("expected a pointer to address space ")
           << static_cast<unsigned>(type.getSpace()) << " for a view in "
           << stringifyMemorySpace(type.getSpace()) << " memory, but got "
           << space;
  return success();
}

//===----------------------------------------------------------------------===//
// AllocSharedOp
//===----------------------------------------------------------------------===//

/// The strictest alignment that an instruction asks of shared memory.
static constexpr int64_t kMaxSharedAlign = 1024;

LogicalResult AllocSharedOp::verify() {
  ViewType type = getResult().getType();
  if (type.getSpace() != MemorySpace::Shared)
    return emitOpError("expected a view in shared memory, but got ")
           << stringifyMemorySpace(type.getSpace());
  Layout layout = type.getLayout();
  if (!layout.isStatic())
    return emitOpError("expected a static layout, but got ")
           << LayoutAttr::get(getContext(), layout);
  for (const IntTuple &stride : layout.getStride().getLeaves())
    if (stride.getInt().getValue() < 0)
      return emitOpError("expected strides of 0 or more, but got ")
             << LayoutAttr::get(getContext(), layout);
  Int bytes = type.getSpanBytes();
  if (!bytes.isStatic() || bytes.getValue() > kMaxSharedBytes)
    return emitOpError("expected at most ")
           << kMaxSharedBytes << " bytes of shared memory, but got "
           << (bytes.isStatic() ? bytes.str() : "more than 64 bits can count");
  if (type.getAlign() > kMaxSharedAlign)
    return emitOpError("expected an alignment of at most ")
           << kMaxSharedAlign << " bytes in shared memory, but got "
           << type.getAlign();
  return success();
}

//===----------------------------------------------------------------------===//
// SliceOp
//===----------------------------------------------------------------------===//

/// The view without the modes that `coord` fixes, or the reason against it.
static Result<ViewType> sliceType(ViewType view, const IntTuple &coord) {
  const Layout &layout = view.getLayout();
  if (!coord.isTuple() || coord.rank() != layout.rank())
    return Reason("expected a coordinate of " + Twine(layout.rank()) +
                  " modes, but got " + coord.str());
  SmallVector<IntTuple> shape, stride;
  int64_t align = view.getAlign();
  for (unsigned i = 0, e = coord.rank(); i < e; ++i) {
    if (coord[i].isTuple() || coord[i].isBasis() ||
        (!coord[i].isWildcard() && layout.getShape()[i].isTuple()))
      return Reason(
          "expected an integer or `_` for a mode with one stride at mode [" +
          Twine(i) + "], but got " + coord[i].str());
    if (!coord[i].isWildcard()) {
      // The base moves by a known multiple of bytes (by 0: not at all).
      // Only the lowest set bit counts, which wrapping around keeps.
      uint64_t bytes = static_cast<uint64_t>(coord[i].getInt().getDivisor()) *
                       layout.getStride()[i].getInt().getDivisor() *
                       view.getElementBytes();
      align = std::gcd<uint64_t, uint64_t>(align, bytes & -bytes);
      if (int64_t period = view.getSwizzlePeriodBytes(); bytes % period != 0)
        return Reason("expected mode [" + Twine(i) +
                      "] to move by multiples of the " + Twine(period) +
                      " bytes after which " + view.getSwizzle().str() +
                      " repeats, but got multiples of " + Twine(bytes));
      continue;
    }
    shape.push_back(layout.getShape()[i]);
    stride.push_back(layout.getStride()[i]);
  }
  Result<Layout> result =
      Layout::get(IntTuple::tuple(shape), IntTuple::tuple(stride));
  if (!result)
    return result.takeReason();
  return ViewType::get(view.getContext(), view.getElementType(),
                       view.getSpace(), *result, align, view.getSwizzle());
}

LogicalResult
SliceOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                          ValueRange operands, DictionaryAttr attributes,
                          OpaqueProperties properties, RegionRange regions,
                          SmallVectorImpl<Type> &types) {
  Adaptor adaptor(operands, attributes, properties, regions);
  auto view = dyn_cast<ViewType>(adaptor.getView().getType());
  if (!view)
    return emitOptionalError(loc, "expected a view, but got ",
                             adaptor.getView().getType());
  Result<ViewType> result = sliceType(view, adaptor.getCoordAttr().getValue());
  if (!result)
    return emitOptionalError(loc, result.getReason());
  types.push_back(*result);
  return success();
}

LogicalResult SliceOp::verify() {
  if (getNumDynamicLeaves(getCoord()) != getCoordOperands().size())
    return emitOpError("expected one operand for each run-time leaf, but got ")
           << getCoordOperands().size();
  return success();
}

//===----------------------------------------------------------------------===//
// ViewTransposeOp, LocalTileOp
//===----------------------------------------------------------------------===//

LogicalResult ViewTransposeOp::inferReturnTypes(MLIRContext *,
                                                std::optional<Location> loc,
                                                ValueRange operands,
                                                DictionaryAttr,
                                                OpaqueProperties, RegionRange,
                                                SmallVectorImpl<Type> &types) {
  auto view = dyn_cast<ViewType>(operands[0].getType());
  if (!view)
    return emitOptionalError(loc, "expected a view, but got ",
                             operands[0].getType());
  Layout layout = view.getLayout();
  if (!layout.getShape().isTuple() || layout.rank() != 2)
    return emitOptionalError(loc, "expected a view of two dimensions, but got ",
                             layout.rank());
  auto swap = [](const IntTuple &tuple) {
    return IntTuple::tuple({tuple[1], tuple[0]});
  };
  Result<Layout> result =
      Layout::get(swap(layout.getShape()), swap(layout.getStride()));
  if (!result)
    return emitOptionalError(loc, result.getReason());
  types.push_back(ViewType::get(view.getContext(), view.getElementType(),
                                view.getSpace(), *result, view.getAlign(),
                                view.getSwizzle()));
  return success();
}

/// Why a coordinate does not have one integer for each mode of a view.
static std::optional<std::string> checkCoord(ViewType view,
                                             const IntTuple &coord) {
  if (!view.getSwizzle().isIdentity())
    return "expected a view without a swizzle, but got " +
           view.getSwizzle().str();
  const Layout &layout = view.getLayout();
  if (!layout.getShape().isTuple() || layout.getShape().depth() != 1)
    return "expected a view with one stride for each dimension, but got " +
           layout.str();
  if (!coord.isTuple() || coord.depth() != 1 || coord.rank() != layout.rank() ||
      coord.hasWildcard())
    return "expected a coordinate of " + std::to_string(layout.rank()) +
           " integers, but got " + coord.str();
  return std::nullopt;
}

/// What is known to divide the byte offset of a coordinate, in steps of
/// `steps` elements; 0 if the offset is 0.
static int64_t knownOffsetBytes(ViewType view, const IntTuple &coord,
                                ArrayRef<int64_t> steps) {
  int64_t divisor = 0;
  for (unsigned i = 0, e = coord.rank(); i < e; ++i)
    divisor = std::gcd(
        divisor, coord[i].getInt().getDivisor() *
                     (steps.empty() ? 1 : steps[i]) *
                     view.getLayout().getStride()[i].getInt().getDivisor());
  return divisor * view.getElementBytes();
}

LogicalResult
LocalTileOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                              ValueRange operands, DictionaryAttr attributes,
                              OpaqueProperties properties, RegionRange regions,
                              SmallVectorImpl<Type> &types) {
  Adaptor adaptor(operands, attributes, properties, regions);
  auto view = dyn_cast<ViewType>(adaptor.getView().getType());
  if (!view)
    return emitOptionalError(loc, "expected a view, but got ",
                             adaptor.getView().getType());
  IntTuple coord = adaptor.getCoordAttr().getValue();
  if (std::optional<std::string> reason = checkCoord(view, coord))
    return emitOptionalError(loc, *reason);
  ArrayRef<int64_t> tile = adaptor.getTile();
  if (tile.size() != view.getLayout().rank())
    return emitOptionalError(loc, "expected one tile extent for each of ",
                             view.getLayout().rank(), " dimensions, but got ",
                             tile.size());
  for (int64_t extent : tile)
    if (extent < 1 || extent > (int64_t(1) << 20))
      return emitOptionalError(
          loc, "expected tile extents between 1 and 1048576, but got ", extent);
  Result<Layout> layout =
      Layout::get(IntTuple::constants(tile), view.getLayout().getStride());
  if (!layout)
    return emitOptionalError(loc, layout.getReason());
  int64_t bytes = knownOffsetBytes(view, coord, tile);
  int64_t align =
      bytes ? std::gcd(view.getAlign(), bytes & -bytes) : view.getAlign();
  types.push_back(ViewType::get(view.getContext(), view.getElementType(),
                                view.getSpace(), *layout, align));
  return success();
}

LogicalResult LocalTileOp::verify() {
  if (getNumDynamicLeaves(getCoord()) != getCoordOperands().size())
    return emitOpError("expected one operand for each run-time leaf, but got ")
           << getCoordOperands().size();
  return success();
}

//===----------------------------------------------------------------------===//
// ViewLoadOp, ViewStoreOp
//===----------------------------------------------------------------------===//

/// Checks that one access of `type` at the coordinate is legal.
static LogicalResult verifyAccess(Operation *op, ViewType view,
                                  const IntTuple &coord, ValueRange operands,
                                  Type type) {
  if (getNumDynamicLeaves(coord) != operands.size())
    return op->emitOpError(
               "expected one operand for each run-time leaf, but got ")
           << operands.size();
  if (std::optional<std::string> reason = checkCoord(view, coord))
    return op->emitOpError(*reason);
  if (type == view.getElementType())
    return success();
  auto vector = dyn_cast<VectorType>(type);
  if (!vector || vector.getRank() != 1 || vector.isScalable() ||
      vector.getElementType() != view.getElementType())
    return op->emitOpError(
               "expected an element or a vector of elements of type ")
           << view.getElementType() << ", but got " << type;
  Layout layout = view.getLayout();
  if (llvm::none_of(layout.getStride().getModes(),
                    [](const IntTuple &stride) { return stride.isStatic(1); }))
    return op->emitOpError("expected a dimension of stride 1 for a vector, but "
                           "got the layout ")
           << LayoutAttr::get(op->getContext(), layout);
  int64_t bytes = vector.getNumElements() * view.getElementBytes();
  if (bytes > 16 || !llvm::isPowerOf2_64(bytes))
    return op->emitOpError("expected a vector of 2, 4, 8 or 16 bytes, but got ")
           << bytes;
  if (int64_t known =
          std::gcd(view.getBaseAlignment(), knownOffsetBytes(view, coord, {}));
      known % bytes != 0)
    return op->emitOpError("expected a place that is aligned to ")
           << bytes << " bytes, but got one known to be aligned to " << known;
  return success();
}

LogicalResult ViewLoadOp::verify() {
  return verifyAccess(*this, getView().getType(), getCoord(),
                      getCoordOperands(), getResult().getType());
}

LogicalResult ViewStoreOp::verify() {
  return verifyAccess(*this, getView().getType(), getCoord(),
                      getCoordOperands(), getValue().getType());
}

//===----------------------------------------------------------------------===//
// ViewReshapeOp, ViewPointerOp
//===----------------------------------------------------------------------===//

/// Bytes before the base, and from the base to the end of the last element,
/// that a static view reaches; what a swizzle permutes as a whole. No value if
/// 64 bits cannot count them.
static std::optional<std::pair<int64_t, int64_t>> getReach(ViewType view) {
  Int before = 0, after = 1;
  const Layout &layout = view.getLayout();
  for (auto [extent, stride] : llvm::zip_equal(
           layout.getShape().getLeaves(), layout.getStride().getLeaves())) {
    Int last = (extent.getInt() - 1) * stride.getInt();
    if (last.isStatic() && last.getValue() < 0)
      before = before - last;
    else
      after = after + last;
  }
  Int period = view.getSwizzlePeriodBytes(), bytes = view.getElementBytes();
  before = ceilDiv(before * bytes, period) * period;
  after = ceilDiv(after * bytes, period) * period;
  if (!before.isStatic() || !after.isStatic())
    return std::nullopt;
  return std::pair(before.getValue(), after.getValue());
}

LogicalResult ViewReshapeOp::verify() {
  ViewType from = getView().getType(), to = getResult().getType();
  if (from.getElementType() != to.getElementType() ||
      from.getSpace() != to.getSpace() || from.getSwizzle() != to.getSwizzle())
    return emitOpError("expected a view of the same elements, memory and "
                       "swizzle, but got ")
           << from << " and " << to;
  if (to.getAlign() > from.getAlign())
    return emitOpError("expected an alignment of at most ")
           << from.getAlign() << ", that of the view, but got "
           << to.getAlign();
  if (!from.getLayout().isStatic() || !to.getLayout().isStatic())
    return emitOpError("expected static layouts, but got ")
           << from << " and " << to;
  auto known = getReach(from), wanted = getReach(to);
  if (!known || !wanted)
    return emitOpError("expected layouts whose bytes 64 bits can count, but "
                       "got ")
           << from << " and " << to;
  if (wanted->first > known->first || wanted->second > known->second)
    return emitOpError("expected a layout within the view's bytes ")
           << -known->first << " to " << known->second << ", but got one of "
           << -wanted->first << " to " << wanted->second;
  return success();
}

LogicalResult ViewPointerOp::inferReturnTypes(MLIRContext *,
                                              std::optional<Location> loc,
                                              ValueRange operands,
                                              DictionaryAttr, OpaqueProperties,
                                              RegionRange,
                                              SmallVectorImpl<Type> &types) {
  auto view = dyn_cast<ViewType>(operands[0].getType());
  if (!view)
    return emitOptionalError(loc, "expected a view, but got ",
                             operands[0].getType());
  types.push_back(view.getPointerType());
  return success();
}
