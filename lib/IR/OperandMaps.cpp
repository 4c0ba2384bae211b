// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How warps fetch operands of tensor cores from swizzled shared memory.
#include "tile/IR/OperandMaps.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tile;

/// Bytes of a line, and of a vector of it.
static constexpr int64_t kLineBytes = 128, kVectorBytes = 16;

/// Modes of the view.
enum Mode : int64_t { Line, Section, Element };

namespace {
/// A leaf of the map of coordinates.
struct CoordLeaf {
  int64_t extent, stride;
  Mode mode;
};
} // namespace

/// The layout of two modes from their leaves.
static Result<Layout> makeCoords(ArrayRef<SmallVector<CoordLeaf, 4>> modes) {
  SmallVector<IntTuple> shapes, strides;
  for (ArrayRef<CoordLeaf> leaves : modes) {
    SmallVector<IntTuple> shape, stride;
    for (const CoordLeaf &leaf : leaves) {
      shape.push_back(leaf.extent);
      stride.push_back(IntTuple::basis(leaf.stride, {leaf.mode}));
    }
    shapes.push_back(IntTuple::tuple(shape));
    strides.push_back(IntTuple::tuple(stride));
  }
  return Layout::get(IntTuple::tuple(shapes), IntTuple::tuple(strides));
}

template <typename... Args>
static Reason refuse(const char *format, Args &&...args) {
  return Reason(llvm::formatv(format, std::forward<Args>(args)...).str());
}

/// Why extents are not whole blocks, if so.
static std::optional<Reason> checkExtents(int64_t contiguous, int64_t strided,
                                          int64_t pitch, int64_t perLine,
                                          int64_t rows) {
  if (contiguous < 1 || contiguous % perLine != 0)
    return refuse("expected contiguous elements that are a multiple of {0}, "
                  "but got {1}",
                  perLine, contiguous);
  if (strided < 1 || strided % rows != 0)
    return refuse("expected rows that are a multiple of {0}, but got {1}", rows,
                  strided);
  if (pitch < contiguous || pitch % perLine != 0 || pitch > 1 << 20)
    return refuse("expected a pitch of at least {0} elements that is a "
                  "multiple of {1}, but got {2}",
                  contiguous, perLine, pitch);
  return std::nullopt;
}

/// Finishes an operand whose coordinates are given.
static Result<SharedOperand> finish(SharedOperand operand,
                                    const Result<Layout> &coords) {
  if (!coords)
    return coords.takeReason();
  operand.coords = *coords;
  return operand;
}

Result<SharedOperand> tile::getTensorOpOperand(int64_t bits, int64_t line,
                                               int64_t contiguous,
                                               int64_t strided, int64_t pitch) {
  if (!llvm::is_contained({4, 8, 16, 32}, bits))
    return refuse("expected elements of 4, 8, 16 or 32 bits, but got {0}",
                  bits);
  int64_t perLine = kLineBytes * 8 / bits, perVector = kVectorBytes * 8 / bits;
  if (line < perVector || line > perLine || !llvm::isPowerOf2_64(line))
    return refuse("expected a power of two between {0} and {1} as elements of "
                  "a row in one line, but got {2}",
                  perVector, perLine, line);
  int64_t rows = perLine / line;
  if (std::optional<Reason> reason =
          checkExtents(contiguous, strided, pitch, line, rows))
    return *reason;
  SharedOperand operand;
  operand.shape = {strided / rows, contiguous / line, perLine};
  operand.stride = {pitch * rows, perLine, 1};
  // Lines of several rows repeat after four, others after eight.
  operand.xorBits = {rows == 1 ? 3 : 2, llvm::Log2_64(perVector), Line, 0};
  SmallVector<CoordLeaf, 4> along{{line, 1, Element},
                                  {contiguous / line, 1, Section}};
  SmallVector<CoordLeaf, 4> across{{rows, line, Element},
                                   {strided / rows, 1, Line}};
  return finish(std::move(operand), makeCoords({along, across}));
}

Result<SharedOperand> tile::getCongruous32Operand(int64_t contiguous,
                                                  int64_t strided,
                                                  int64_t pitch) {
  if (std::optional<Reason> reason =
          checkExtents(contiguous, strided, pitch, 32, 4))
    return *reason;
  SharedOperand operand;
  operand.shape = {strided, contiguous / 32, 32};
  operand.stride = {pitch, 32, 1};
  // Pairs of vectors by the row modulo four.
  operand.xorBits = {2, 3, Line, 0};
  SmallVector<CoordLeaf, 4> along{{32, 1, Element},
                                  {contiguous / 32, 1, Section}};
  SmallVector<CoordLeaf, 4> across{{strided, 1, Line}};
  return finish(std::move(operand), makeCoords({along, across}));
}

Result<SharedOperand> tile::getOperand64(bool isCrosswise, int64_t mn,
                                         int64_t k, int64_t pitch) {
  if (std::optional<Reason> reason = checkExtents(mn, k, pitch, 16, 4))
    return *reason;
  // Four k by sixteen m (n) are a block: the pair (m, m + 8) is a vector, k
  // counts vectors, and bits 1 and 2 of m are its row.
  SharedOperand operand;
  operand.shape = {k, mn / 16, 16};
  operand.stride = {pitch, 16, 1};
  if (isCrosswise)
    operand.xorBits = {1, 0, Line, 2, 1, 3, Line, 3};
  else
    operand.xorBits = {2, 1, Line, 0};
  SmallVector<CoordLeaf, 4> rows{
      {2, 8, Element}, {4, 1, Line}, {2, 1, Element}, {mn / 16, 1, Section}};
  SmallVector<CoordLeaf, 4> columns{{4, 2, Element}, {k / 4, 4, Line}};
  return finish(std::move(operand), makeCoords({rows, columns}));
}

/// Modes along mn and k.
static MapMode alongMN(int64_t size, int64_t stride) {
  return {size, 0, stride};
}
static MapMode alongK(int64_t size, int64_t stride) {
  return {size, 1, stride};
}

Result<AccessPattern> tile::getLdmatrixFetch(const OperandFetch &fetch) {
  if (!llvm::is_contained({4, 8, 16, 32}, fetch.bits) ||
      (!fetch.isCrosswise && fetch.bits != 16))
    return refuse("expected elements of 4, 8, 16 or 32 bits, or of 16 where K "
                  "is not contiguous, but got {0}",
                  fetch.bits);
  int64_t vector = kVectorBytes * 8 / fetch.bits;
  bool isWide = fetch.k == 2 * vector;
  if (!isWide && fetch.k != vector)
    return refuse("expected an instruction of {0} or {1} elements along k, but "
                  "got {2}",
                  vector, 2 * vector, fetch.k);
  int64_t rows = isWide ? 16 : 32;
  if (fetch.mn < 1 || fetch.mn % rows != 0)
    return refuse("expected rows of a warp that are a multiple of {0}, but got "
                  "{1}",
                  rows, fetch.mn);
  AccessPattern pattern;
  pattern.vector = vector;
  pattern.vectorDim = fetch.isCrosswise ? 1 : 0;
  pattern.iterations = {alongMN(fetch.mn / rows, rows)};
  // Lanes 8q to 8q + 7 have the rows of matrix q. The four matrices of a wide
  // instruction go along mn, then k for A, and along k, then mn for B.
  if (fetch.isCrosswise) {
    if (!isWide)
      pattern.threads = {alongMN(32, 1)};
    else if (fetch.isA)
      pattern.threads = {alongMN(16, 1), alongK(2, vector)};
    else
      pattern.threads = {alongMN(8, 1), alongK(2, vector), alongMN(2, 8)};
  } else {
    if (!isWide)
      pattern.threads = {alongK(8, 1), alongMN(4, 8)};
    else if (fetch.isA)
      pattern.threads = {alongK(8, 1), alongMN(2, 8), alongK(2, 8)};
    else
      pattern.threads = {alongK(16, 1), alongMN(2, 8)};
  }
  return pattern;
}

Result<AccessPattern> tile::getElementFetch(const OperandFetch &fetch) {
  if (fetch.bits != 32 && fetch.bits != 64)
    return refuse("expected elements of 32 or 64 bits, but got {0}",
                  fetch.bits);
  int64_t rows = fetch.isA && fetch.bits == 32 ? 16 : 8,
          k = fetch.bits == 32 ? 8 : 4;
  if (fetch.k != k)
    return refuse("expected an instruction of {0} elements along k, but got "
                  "{1}",
                  k, fetch.k);
  if (fetch.mn < 1 || fetch.mn % rows != 0)
    return refuse("expected rows of a warp that are a multiple of {0}, but got "
                  "{1}",
                  rows, fetch.mn);
  AccessPattern pattern;
  pattern.vectorDim = fetch.isCrosswise ? 1 : 0;
  pattern.threads = {alongK(4, 1), alongMN(8, 1)};
  if (fetch.bits == 32 && fetch.isA)
    pattern.iterations = {alongMN(2, 8), alongK(2, 4)};
  else if (fetch.bits == 32)
    pattern.iterations = {alongK(2, 4)};
  pattern.iterations.push_back(alongMN(fetch.mn / rows, rows));
  return pattern;
}
