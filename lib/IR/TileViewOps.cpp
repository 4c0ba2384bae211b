// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations on views: verifiers, and what they evaluate to.
#include "IteratorVerifiers.h"

#include "tile/Atoms/Chips.h"
#include "tile/IR/LayoutValues.h"
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
// SliceOp, ViewTransposeOp, LocalTileOp
//===----------------------------------------------------------------------===//

Result<ViewPart> SliceOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  ComposedLayout layout = operands.layout();
  return slicePart(operands.tuple(op.getCoordAttr().getValue()), layout);
}

Result<ViewPart> ViewTransposeOp::evaluate(Adaptor, AlgebraOperands &operands) {
  ComposedLayout layout = operands.layout();
  if (layout.getLayout().isLeaf() || layout.rank() != 2)
    return Reason("expected a view of two dimensions, but got " +
                  Twine(layout.rank()));
  Result<ComposedLayout> transposed = transpose(layout);
  if (!transposed)
    return transposed.takeReason();
  return ViewPart{*transposed};
}

Result<ViewPart> LocalTileOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  ComposedLayout composed = operands.layout();
  const Layout &layout = composed.getLayout();
  IntTuple coord = operands.tuple(op.getCoordAttr().getValue());
  if (layout.isLeaf() || layout.depth() != 1)
    return Reason(
        "expected a view with one stride for each dimension, but got " +
        layout.str());
  if (!coord.isTuple() || coord.depth() != 1 || coord.rank() != layout.rank() ||
      coord.hasWildcard() || coord.hasBasis())
    return Reason("expected a coordinate of " + Twine(layout.rank()) +
                  " integers, but got " + coord.str());
  ArrayRef<int64_t> tile = op.getTile();
  if (tile.size() != layout.rank())
    return Reason("expected one tile extent for each of " +
                  Twine(layout.rank()) + " dimensions, but got " +
                  Twine(tile.size()));
  Int offset = 0;
  for (auto [i, extent] : llvm::enumerate(tile)) {
    if (extent < 1 || extent > (int64_t(1) << 20))
      return Reason("expected tile extents between 1 and 1048576, but got " +
                    Twine(extent));
    offset = offset +
             coord[i].getInt() * Int(extent) * layout.getStride()[i].getInt();
  }
  Result<Layout> part =
      Layout::get(IntTuple::constants(tile), layout.getStride());
  if (!part)
    return part.takeReason();
  const Swizzle &swizzle = composed.getSwizzle();
  if (!offset.isMultipleOf(swizzle.getPeriod()))
    return Reason("expected a tile that starts at a multiple of the " +
                  Twine(swizzle.getPeriod()) + " elements after which " +
                  swizzle.str() + " repeats, but got a multiple of " +
                  Twine(offset.getDivisor()));
  Result<ComposedLayout> result = ComposedLayout::get(swizzle, 0, *part);
  if (!result)
    return result.takeReason();
  return ViewPart{*result, offset};
}

//===----------------------------------------------------------------------===//
// ViewLoadOp, ViewStoreOp
//===----------------------------------------------------------------------===//

/// Whether a run of `count` elements along a mode of stride 1 stays inside it.
/// A mode that is a dimension of its own may end anywhere: what is beyond is
/// the matter of whoever chose the coordinate.
static bool hasRun(const Layout &layout, int64_t count) {
  bool isFlat = layout.getShape().depth() <= 1;
  return llvm::any_of(layout.getLeafModes(), [&](const LeafMode &mode) {
    return mode.stride.isStatic(1) &&
           (isFlat || mode.extent.isMultipleOf(count));
  });
}

LogicalResult tile::verifyViewAccess(Operation *op, ViewType view,
                                     const IntTuple &coord, Type type) {
  unsigned next = 0;
  ComposedLayout composed = withSymbols(view.getComposed(), next);
  const Layout &layout = composed.getLayout();
  IntTuple position = withSymbols(coord, next);
  Result<Int> offset = getElementOffset(position, composed);
  if (!offset)
    return op->emitOpError(offset.getReason());
  if (offset->isInvalid())
    return op->emitOpError(offset->getInvalidReason());
  if (type == view.getElementType())
    return success();
  auto vector = dyn_cast<VectorType>(type);
  if (!vector || vector.getRank() != 1 || vector.isScalable() ||
      vector.getElementType() != view.getElementType())
    return op->emitOpError(
               "expected an element or a vector of elements of type ")
           << view.getElementType() << ", but got " << type;
  int64_t count = vector.getNumElements();
  if (!hasRun(layout, count))
    return op->emitOpError("expected a dimension of stride 1 for a vector, but "
                           "got the layout ")
           << LayoutAttr::get(op->getContext(), view.getLayout());
  int64_t bytes = count * view.getElementBytes();
  if (bytes > 16 || !llvm::isPowerOf2_64(bytes))
    return op->emitOpError("expected a vector of 2, 4, 8 or 16 bytes, but got ")
           << bytes;
  const Swizzle &swizzle = view.getSwizzle();
  if (int64_t together = int64_t(1) << swizzle.getBase();
      !swizzle.isIdentity() && count > together)
    return op->emitOpError("expected a vector of elements that ")
           << swizzle.str() << " keeps together, at most " << together
           << ", but got " << count;
  // In front of the swizzle: it keeps vectors of aligned elements.
  Result<IntTuple> linear = layout(position);
  int64_t place =
      linear ? linear->getInt().getDivisor() * view.getElementBytes() : 1;
  if (int64_t known = std::gcd(view.getBaseAlignment(), place);
      known % bytes != 0)
    return op->emitOpError("expected a place that is aligned to ")
           << bytes << " bytes, but got one known to be aligned to " << known;
  return success();
}

static LogicalResult verifyAccess(Operation *op, ViewType view,
                                  const IntTuple &coord, ValueRange operands,
                                  Type type) {
  if (getNumDynamicLeaves(coord) != operands.size())
    return op->emitOpError(
               "expected one operand for each run-time leaf, but got ")
           << operands.size();
  return verifyViewAccess(op, view, withKnownDivisors(coord, operands), type);
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
