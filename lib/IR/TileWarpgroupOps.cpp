// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations of a warpgroup: verifiers.
#include "tile/IR/Tile.h"

using namespace mlir;
using namespace tile;

/// Checks that a view is a shared operand of `extent` by some multiple of
/// the atom's k elements.
static LogicalResult verifyOperand(WarpgroupMmaOp op, StringRef name,
                                   ViewType view, Type elementType,
                                   int64_t extent, StringRef dim) {
  if (view.getSpace() != MemorySpace::Shared || !view.getLayout().isStatic() ||
      !view.getLayout().getShape().isTuple() || view.getLayout().rank() != 2)
    return op.emitOpError("expected ")
           << name << " to be a static view of shared memory with dimensions ("
           << dim << ", K), but got " << view;
  Type stored = WgmmaAttr::getStoredType(elementType);
  if (view.getElementType() != stored) {
    InFlightDiagnostic error = op.emitOpError("expected ")
                               << name << " to have the atom's element type "
                               << elementType;
    if (stored != elementType)
      error << ", stored as " << stored;
    return error << ", but got " << view.getElementType();
  }
  int64_t rows = view.getLayout()[0].size().getValue();
  if (rows != extent)
    return op.emitOpError("expected ")
           << name << " to have " << extent << " elements along " << dim
           << ", as the accumulators, but got " << rows;
  return success();
}

/// Elements along K of a fragment in registers; far more than these hold.
static constexpr int64_t kMaxRegisterK = 4096;

/// Checks that a fragment is A in registers, `k` elements along K.
static LogicalResult verifyFragment(WarpgroupMmaOp op, Type type, int64_t k) {
  AccumulatorType acc = op.getResult().getType();
  WgmmaAttr atom = acc.getAtom();
  if (k % atom.getK() != 0 || k > kMaxRegisterK)
    return op.emitOpError("expected B to have a multiple of ")
           << atom.getK() << " elements along K up to " << kMaxRegisterK
           << ", but got " << k;
  int64_t steps = k / atom.getK();
  VectorType expected = atom.getFragmentTypeA(acc.getCount()[0], steps);
  if (type != expected)
    return op.emitOpError("expected A to be a fragment of type ")
           << expected << ", for " << acc.getCount()[0] << " × " << steps
           << " instructions along (M, K), but got " << type;
  return success();
}

LogicalResult WarpgroupMmaOp::verify() {
  AccumulatorType acc = getResult().getType();
  if (getAcc() && getAcc().getType() != acc)
    return emitOpError("expected accumulators of the result's type, ")
           << acc << ", but got " << getAcc().getType();
  WgmmaAttr atom = acc.getAtom();
  SmallVector<int64_t, 2> tile = acc.getTileShape();
  auto a = dyn_cast<ViewType>(getA().getType());
  ViewType b = getB().getType();
  if (atom.hasRegisterA() == static_cast<bool>(a))
    return emitOpError("expected A to be ")
           << (a ? "a fragment in registers" : "a view of shared memory")
           << ", where the atom " << atom << " reads it, but got "
           << getA().getType();
  if (a && failed(verifyOperand(*this, "A", a, atom.getA(), tile[0], "M")))
    return failure();
  if (failed(verifyOperand(*this, "B", b, atom.getB(), tile[1], "N")))
    return failure();
  int64_t kB = b.getLayout()[1].size().getValue();
  if (!a)
    return verifyFragment(*this, getA().getType(), kB);
  int64_t kA = a.getLayout()[1].size().getValue();
  if (kA != kB || kA % atom.getK() != 0)
    return emitOpError("expected A and B to have the same multiple of ")
           << atom.getK() << " elements along K, but got " << kA << " and "
           << kB;
  return success();
}

LogicalResult WarpgroupWaitOp::verify() {
  int64_t pending = getPending();
  if (pending < 0 || pending > 7)
    return emitOpError("expected between 0 and 7 pending, but got ") << pending;
  return success();
}

LogicalResult AccumulatorFragmentOp::verify() {
  VectorType expected = getAcc().getType().getFragmentType();
  if (getResult().getType() != expected)
    return emitOpError("expected a fragment of type ")
           << expected << ", but got " << getResult().getType();
  return success();
}

/// Whether a view of two dimensions has units of 8 elements along `dim`.
static bool hasUnits(const Layout &layout, unsigned dim) {
  // The first leaf of the mode runs along memory, in multiples of 8.
  IntTuple stride = layout[dim].getStride().getLeaves()[0];
  IntTuple shape = layout[dim].getShape().getLeaves()[0];
  if (!stride.isStatic(1) || shape.getInt().getValue() % 8 != 0)
    return false;
  for (unsigned i : {0u, 1u})
    for (const IntTuple &leaf : layout[i].getStride().getLeaves())
      if (!leaf.isStatic(1) && leaf.getInt().getValue() % 8 != 0)
        return false;
  return true;
}

LogicalResult StoreMatrixOp::verify() {
  ViewType view = getView().getType();
  auto fragment = cast<VectorType>(getFragment().getType());
  const Layout &layout = view.getLayout();
  if (view.getSpace() != MemorySpace::Shared || !layout.isStatic() ||
      !layout.getShape().isTuple() || layout.rank() != 2 ||
      view.getElementBytes() != 2)
    return emitOpError("expected a static view of shared memory with two "
                       "dimensions of 16-bit elements, but got ")
           << view;
  int64_t rows = layout[0].size().getValue(),
          columns = layout[1].size().getValue();
  if (rows != WgmmaAttr::kM || columns % 8 != 0 || columns > 256)
    return emitOpError(
               "expected 64 rows and a multiple of 8 columns up to 256, "
               "as one wgmma has, but got ")
           << rows << " by " << columns;
  if (fragment.getElementType() != view.getElementType() ||
      fragment.getRank() != 1 || fragment.isScalable() ||
      fragment.getNumElements() != columns / 2)
    return emitOpError("expected a fragment of ")
           << columns / 2 << " elements of type " << view.getElementType()
           << ", but got " << fragment;
  if (view.getAlign() % 16 != 0 ||
      (!hasUnits(layout, 0) && !hasUnits(layout, 1)))
    return emitOpError("expected 8 contiguous elements, aligned to 16 bytes, "
                       "along rows or columns, but got ")
           << view;
  if (!view.getSwizzle().isIdentity() && view.getSwizzle().getBase() < 3)
    return emitOpError("expected a swizzle that keeps units of 8 elements, but "
                       "got ")
           << view.getSwizzle().str();
  return success();
}
