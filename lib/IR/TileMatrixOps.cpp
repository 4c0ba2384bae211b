// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations of a warp on matrices in shared memory: verifiers.
#include "IteratorVerifiers.h"

#include "tile/IR/LayoutValues.h"
#include "tile/IR/MixedTuple.h"

#include <numeric>

using namespace mlir;
using namespace tile;

/// Rows, bytes of a row, and lanes of a matrix.
static constexpr int64_t kRows = 8, kRowBytes = 16;
/// Registers of a fragment; far more than a warp multiplies at once.
static constexpr int64_t kMaxMatrices = 64;

int64_t LoadMatrixOp::getVector() {
  return kRowBytes / getView().getType().getElementBytes();
}

int64_t LoadMatrixOp::getContiguousDim() {
  const Layout &layout = getView().getType().getLayout();
  // Of two, the columns, which are not transposed.
  for (int64_t dim : {1, 0})
    for (const LeafMode &leaf : layout[dim].getLeafModes())
      if (leaf.stride.isStatic(1) && !leaf.extent.isStatic(1))
        return dim;
  return -1;
}

SmallVector<int64_t, 2> LoadMatrixOp::getMatrices() {
  SmallVector<int64_t, 2> size{kRows, kRows};
  size[getContiguousDim()] = getVector();
  // Transposed matrices of 16 bits are square.
  return {getTile()[0] / size[0], getTile()[1] / size[1]};
}

LogicalResult LoadMatrixOp::verify() {
  ViewType view = getView().getType();
  const Layout &layout = view.getLayout();
  if (view.getSpace() != MemorySpace::Shared || !layout.getShape().isTuple() ||
      layout.rank() != 2)
    return emitOpError("expected a view of shared memory with two dimensions, "
                       "but got ")
           << view;
  int64_t bytes = view.getElementBytes(), dim = getContiguousDim();
  if (bytes > 4)
    return emitOpError("expected elements of 1, 2 or 4 bytes, but got ")
           << view.getElementType();
  if (dim == -1)
    return emitOpError("expected 16 contiguous bytes along rows or columns, "
                       "but got ")
           << layout.str();
  if (dim == 0 && bytes != 2)
    return emitOpError("expected elements of 2 bytes where rows are "
                       "contiguous, as ldmatrix transposes no others, but got ")
           << view.getElementType();
  int64_t vector = getVector();
  int64_t rows = dim == 1 ? kRows : vector, columns = dim == 1 ? vector : kRows;
  ArrayRef<int64_t> tile = getTile();
  if (tile.size() != 2 || tile[0] < 1 || tile[1] < 1 || tile[0] % rows != 0 ||
      tile[1] % columns != 0)
    return emitOpError("expected a tile [rows, columns] of matrices of ")
           << rows << " by " << columns << " elements, but got ["
           << llvm::join(llvm::map_range(tile,
                                         [](int64_t extent) {
                                           return std::to_string(extent);
                                         }),
                         ", ")
           << "]";
  // No more than that many along each, so that their product is a number.
  int64_t alongRows = tile[0] / rows, alongColumns = tile[1] / columns;
  int64_t matrices = alongRows > kMaxMatrices || alongColumns > kMaxMatrices
                         ? kMaxMatrices + 1
                         : alongRows * alongColumns;
  if (matrices > kMaxMatrices || (matrices > 2 && matrices % 4 != 0))
    return emitOpError("expected 1, 2 or a multiple of 4 matrices, at most ")
           << kMaxMatrices << ", but got " << alongRows << " by "
           << alongColumns;
  if (getAlong() != 0 && getAlong() != 1)
    return emitOpError("expected along to be 0 (rows) or 1 (columns), but got ")
           << getAlong();
  auto expected =
      VectorType::get({matrices * vector / 4}, view.getElementType());
  if (getFragment().getType() != expected)
    return emitOpError("expected a fragment of type ")
           << expected << ", but got " << getFragment().getType();
  const IntTuple &coord = getCoord();
  if (!coord.isTuple() || coord.rank() != 2 || coord.depth() != 1 ||
      coord.hasWildcard() || coord.hasBasis())
    return emitOpError("expected a coordinate (row, column), but got ")
           << coord.str();
  if (getNumDynamicLeaves(coord) != getCoordOperands().size())
    return emitOpError("expected one operand for each run-time leaf, but got ")
           << getCoordOperands().size();
  for (int64_t d : {0, 1}) {
    Int first = coord[d].getInt(), extent = layout[d].size();
    if (!first.isStatic())
      continue;
    Int end = first + Int(tile[d]);
    if (first.getValue() < 0 || end.isInvalid() ||
        (extent.isStatic() && end.getValue() > extent.getValue()))
      return emitOpError("expected a tile inside of the ")
             << extent.str() << (d == 0 ? " rows" : " columns")
             << " of the view, but got " << tile[d] << " from " << first.str();
  }
  // Where lanes read: any row of a matrix, at a vector.
  SmallVector<IntTuple, 2> lanes(2, Int::dynamic());
  IntTuple known = withKnownDivisors(coord, getCoordOperands());
  lanes[dim] = Int::dynamic(std::gcd(known[dim].getInt().getDivisor(), vector));
  return verifyViewAccess(*this, view, IntTuple::tuple(lanes),
                          VectorType::get({vector}, view.getElementType()));
}
