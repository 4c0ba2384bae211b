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
  unsigned space = cast<LLVM::LLVMPointerType>(getBase().getType()).getAddressSpace();
  if (space != static_cast<unsigned>(type.getSpace()))
    return emitOpError("expected a pointer to address space ")
           << static_cast<unsigned>(type.getSpace()) << " for a view in "
           << stringifyMemorySpace(type.getSpace()) << " memory, but got " << space;
  return success();
}

//===----------------------------------------------------------------------===//
// AllocSharedOp
//===----------------------------------------------------------------------===//

/// Shared memory of a multiprocessor that one thread block can have on the
/// largest chip; a chip or a schedule may offer less.
static constexpr int64_t kMaxSharedBytes = 227 * 1024;
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
  Int bytes = layout.cosize() * Int(type.getElementBytes());
  if (!bytes.isStatic() || bytes.getValue() > kMaxSharedBytes)
    return emitOpError("expected at most ")
           << kMaxSharedBytes << " bytes of shared memory, but got "
           << (bytes.isStatic() ? bytes.str() : "more than 64 bits can count");
  if (type.getAlign() > kMaxSharedAlign)
    return emitOpError("expected an alignment of at most ")
           << kMaxSharedAlign << " bytes in shared memory, but got " << type.getAlign();
  return success();
}

//===----------------------------------------------------------------------===//
// SliceOp
//===----------------------------------------------------------------------===//

/// The view without the modes that `coord` fixes, or the reason against it.
static Result<ViewType> sliceType(ViewType view, const IntTuple &coord) {
  const Layout &layout = view.getLayout();
  if (!coord.isTuple() || coord.rank() != layout.rank())
    return Reason("expected a coordinate of " + Twine(layout.rank()) + " modes, but got " +
                  coord.str());
  SmallVector<IntTuple> shape, stride;
  int64_t align = view.getAlign();
  for (unsigned i = 0, e = coord.rank(); i < e; ++i) {
    if (coord[i].isTuple() || coord[i].isBasis() ||
        (!coord[i].isWildcard() && layout.getShape()[i].isTuple()))
      return Reason("expected an integer or `_` for a mode with one stride at mode [" + Twine(i) +
                    "], but got " + coord[i].str());
    if (!coord[i].isWildcard()) {
      // The base moves by a known multiple of bytes (by 0: not at all).
      // Only the lowest set bit counts, which wrapping around keeps.
      uint64_t bytes = static_cast<uint64_t>(coord[i].getInt().getDivisor()) *
                       layout.getStride()[i].getInt().getDivisor() * view.getElementBytes();
      align = std::gcd<uint64_t, uint64_t>(align, bytes & -bytes);
      continue;
    }
    shape.push_back(layout.getShape()[i]);
    stride.push_back(layout.getStride()[i]);
  }
  Result<Layout> result = Layout::get(IntTuple::tuple(shape), IntTuple::tuple(stride));
  if (!result)
    return result.takeReason();
  return ViewType::get(view.getContext(), view.getElementType(), view.getSpace(), *result,
                       align);
}

LogicalResult SliceOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                        ValueRange operands, DictionaryAttr attributes,
                                        OpaqueProperties properties, RegionRange regions,
                                        SmallVectorImpl<Type> &types) {
  Adaptor adaptor(operands, attributes, properties, regions);
  auto view = dyn_cast<ViewType>(adaptor.getView().getType());
  if (!view)
    return emitOptionalError(loc, "expected a view, but got ", adaptor.getView().getType());
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
