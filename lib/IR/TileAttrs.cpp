// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes of the dialect: verification and derived layouts.
#include "tile/IR/StructSyntax.h"
#include "tile/IR/ThreadMap.h"
#include "tile/IR/Tile.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;

#define GET_ATTRDEF_CLASSES
#include "tile/IR/TileAttrs.cpp.inc"

void TileDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tile/IR/TileAttrs.cpp.inc"
      >();
}

/// Elements of a tile that one thread may hold: far more than registers, few
/// enough to unroll.
static constexpr int64_t kMaxThreadElements = 4096;

/// `size` steps of `scale` elements along dimension `dim`.
static IntTuple step(int64_t scale, int64_t dim) {
  return scale == 0 ? IntTuple(0) : IntTuple::basis(Int(scale), {dim});
}

/// A layout ((threads), (values)) from modes of (extent, stride).
static Layout makeTVLayout(ArrayRef<std::pair<int64_t, IntTuple>> threads,
                           ArrayRef<std::pair<int64_t, IntTuple>> values) {
  auto build = [](ArrayRef<std::pair<int64_t, IntTuple>> modes, bool strides) {
    SmallVector<IntTuple> leaves;
    for (const auto &[extent, stride] : modes)
      leaves.push_back(strides ? stride : IntTuple(extent));
    return IntTuple::tuple(leaves);
  };
  Result<Layout> layout = Layout::get(
      IntTuple::tuple({build(threads, false), build(values, false)}),
      IntTuple::tuple({build(threads, true), build(values, true)}));
  return layout ? *layout : Layout();
}

//===----------------------------------------------------------------------===//
// SimtMmaAttr
//===----------------------------------------------------------------------===//

static LogicalResult verifyPair(function_ref<InFlightDiagnostic()> emitError,
                                StringRef name, ArrayRef<int64_t> pair) {
  if (pair.size() != 2)
    return emitError() << "expected " << name << " along (M, N), but got "
                       << pair.size() << " numbers";
  for (int64_t extent : pair)
    if (extent < 1 || extent > 1024)
      return emitError() << "expected " << name
                         << " between 1 and 1024, but got " << extent;
  return success();
}

LogicalResult SimtMmaAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  ArrayRef<int64_t> warps,
                                  ArrayRef<int64_t> lanes,
                                  ArrayRef<int64_t> thread, int64_t vector) {
  if (failed(verifyPair(emitError, "warps", warps)) ||
      failed(verifyPair(emitError, "lanes", lanes)) ||
      failed(verifyPair(emitError, "thread", thread)))
    return failure();
  if (lanes[0] * lanes[1] != 32)
    return emitError() << "expected 32 lanes, but got " << lanes[0] << " × "
                       << lanes[1] << " = " << lanes[0] * lanes[1];
  if (warps[0] * warps[1] > 32)
    return emitError() << "expected at most 32 warps, but got "
                       << warps[0] * warps[1];
  if (vector < 1 || thread[0] % vector != 0 || thread[1] % vector != 0)
    return emitError()
           << "expected vector to divide the elements of a thread, but got "
           << vector << " for " << thread[0] << " × " << thread[1];
  if (thread[0] * thread[1] > kMaxThreadElements)
    return emitError() << "expected at most " << kMaxThreadElements
                       << " elements for each thread, but got " << thread[0]
                       << " × " << thread[1] << " = " << thread[0] * thread[1];
  return success();
}

SmallVector<int64_t, 3> SimtMmaAttr::getShapeMNK() const {
  return {getWarps()[0] * getLanes()[0] * getThread()[0],
          getWarps()[1] * getLanes()[1] * getThread()[1], 1};
}

int64_t SimtMmaAttr::getThreads() const {
  return getWarps()[0] * getWarps()[1] * 32;
}

/// The value modes of a thread along one dimension: groups of `vector`
/// elements, one lane grid apart.
static SmallVector<std::pair<int64_t, IntTuple>>
valueModes(SimtMmaAttr mma, int64_t side, int64_t dim) {
  int64_t vector = mma.getVector();
  return {{vector, step(1, dim)},
          {mma.getThread()[side] / vector,
           step(mma.getLanes()[side] * vector, dim)}};
}

/// The thread modes (lanes along N and M, warps along N and M), moving along
/// dimension `dimM` for M and `dimN` for N; -1 for a side that is not there.
static SmallVector<std::pair<int64_t, IntTuple>>
threadModes(SimtMmaAttr mma, int64_t dimM, int64_t dimN) {
  int64_t vector = mma.getVector();
  auto along = [](int64_t scale, int64_t dim) {
    return dim < 0 ? IntTuple(0) : step(scale, dim);
  };
  return {
      {mma.getLanes()[1], along(vector, dimN)},
      {mma.getLanes()[0], along(vector, dimM)},
      {mma.getWarps()[1], along(mma.getLanes()[1] * mma.getThread()[1], dimN)},
      {mma.getWarps()[0], along(mma.getLanes()[0] * mma.getThread()[0], dimM)}};
}

Layout SimtMmaAttr::getALayout() const {
  return makeTVLayout(threadModes(*this, 0, -1), valueModes(*this, 0, 0));
}

Layout SimtMmaAttr::getBLayout() const {
  return makeTVLayout(threadModes(*this, -1, 1), valueModes(*this, 1, 1));
}

Layout SimtMmaAttr::getCLayout() const {
  SmallVector<std::pair<int64_t, IntTuple>> values = valueModes(*this, 1, 1);
  llvm::append_range(values, valueModes(*this, 0, 0));
  return makeTVLayout(threadModes(*this, 0, 1), values);
}
