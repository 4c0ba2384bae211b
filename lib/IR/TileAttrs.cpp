// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes of the dialect: verification and derived layouts.
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

//===----------------------------------------------------------------------===//
// SimtScheduleAttr
//===----------------------------------------------------------------------===//

LogicalResult
SimtScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                         ArrayRef<int64_t> tile, ArrayRef<int64_t> warps,
                         ArrayRef<int64_t> thread, int64_t minBlocks,
                         int64_t group, int64_t stages) {
  if (tile.size() != 3)
    return emitError() << "expected three tile extents (M, N, K), but got "
                       << tile.size();
  for (int64_t extent : tile)
    if (extent < 1 || extent > 1024)
      return emitError() << "expected tile extents between 1 and 1024, but got "
                         << extent;
  if (failed(verifyPair(emitError, "warps", warps)) ||
      failed(verifyPair(emitError, "thread", thread)))
    return failure();
  if (warps[0] * warps[1] > 32)
    return emitError() << "expected at most 32 warps, but got "
                       << warps[0] * warps[1];
  if (minBlocks < 1 || minBlocks > 32)
    return emitError() << "expected min_blocks between 1 and 32, but got "
                       << minBlocks;
  if (group < 1 || group > 65536)
    return emitError() << "expected group between 1 and 65536, but got "
                       << group;
  if (stages != 0 && (stages < 2 || stages > 64))
    return emitError() << "expected stages between 2 and 64, or 0 for tiles "
                          "staged in registers, but got "
                       << stages;
  int64_t lanes = tile[0] * tile[1];
  int64_t threads = warps[0] * warps[1] * 32 * thread[0] * thread[1];
  if (threads != lanes)
    return emitError() << "expected the threads to cover the tile, but got "
                       << warps[0] * warps[1] << " warps × 32 lanes × "
                       << thread[0] << " × " << thread[1]
                       << " elements = " << threads << ", and the tile has "
                       << tile[0] << " × " << tile[1] << " = " << lanes;
  for (int side : {0, 1})
    if (tile[side] % (warps[side] * thread[side]) != 0)
      return emitError()
             << "expected warps × thread elements to divide the tile along "
             << (side ? "N" : "M") << ", but got " << warps[side] << " × "
             << thread[side] << " for " << tile[side];
  return success();
}

//===----------------------------------------------------------------------===//
// WarpSpecializedScheduleAttr
//===----------------------------------------------------------------------===//

LogicalResult WarpSpecializedScheduleAttr::verify(
    function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> tile,
    int64_t stages, int64_t consumers, ConsumerMode mode, int64_t clusterM,
    int64_t clusterN, int64_t group, Raster, int64_t swap, int64_t overlap,
    int64_t defer, int64_t split, int64_t tf32, int64_t staged) {
  if (tile.size() != 3)
    return emitError() << "expected three tile extents (M, N, K), but got "
                       << tile.size();
  bool pingPong = mode == ConsumerMode::PingPong;
  if (consumers != 1 && consumers != 2)
    return emitError() << "expected 1 or 2 consumers, but got " << consumers;
  if (pingPong && consumers != 2)
    return emitError() << "expected 2 consumers for pingpong, but got "
                       << consumers;
  int64_t rows = pingPong ? 64 : 64 * consumers;
  if (tile[0] < rows || tile[0] % rows != 0 || tile[0] > 256)
    return emitError() << "expected M of the tile to be a multiple of " << rows
                       << " up to 256, 64 rows for each consumer, but got "
                       << tile[0];
  if (tile[1] < 8 || tile[1] > 256 || tile[1] % 8 != 0)
    return emitError() << "expected N of the tile to be a multiple of 8 up to "
                          "256, but got "
                       << tile[1];
  if (tile[2] < 0 || tile[2] > 256 || tile[2] % 16 != 0)
    return emitError() << "expected K of the tile to be a multiple of 16 up to "
                          "256, or 0 for 128 bytes, but got "
                       << tile[2];
  int64_t registers = tile[0] / rows * tile[1] / 2;
  if (registers > 192)
    return emitError() << "expected at most 192 accumulator registers of a "
                          "thread, but "
                       << tile[0] << " × " << tile[1] << " elements over "
                       << (pingPong ? 1 : consumers) * 128 << " threads need "
                       << registers;
  if (stages < 1 || stages > 32)
    return emitError() << "expected between 1 and 32 stages, but got "
                       << stages;
  for (auto [name, number] :
       {std::pair("cluster_m", clusterM), std::pair("cluster_n", clusterN)})
    if (number != 1 && number != 2 && number != 4)
      return emitError() << "expected " << name << " to be 1, 2 or 4, but got "
                         << number;
  if (clusterM * clusterN > 8)
    return emitError() << "expected at most 8 thread blocks in a cluster, but "
                          "got "
                       << clusterM << " × " << clusterN;
  if (clusterM > 1 && tile[1] / clusterM % 8 != 0)
    return emitError() << "expected each of " << clusterM
                       << " thread blocks to load a multiple of 8 columns of "
                          "B, but got "
                       << tile[1] << " columns";
  if (group < 1 || group > 65536)
    return emitError() << "expected group between 1 and 65536, but got "
                       << group;
  if (swap != 0 && swap != 1)
    return emitError() << "expected swap to be 0 or 1, but got " << swap;
  if (overlap < 0 || overlap > 2)
    return emitError() << "expected overlap to be 0, 1 or 2, but got "
                       << overlap;
  if (defer != 0 && defer != 1)
    return emitError() << "expected defer to be 0 or 1, but got " << defer;
  if (tf32 != 0 && tf32 != 1)
    return emitError() << "expected tf32 to be 0 or 1, but got " << tf32;
  if (staged != 0 && staged != 1)
    return emitError() << "expected staged to be 0 or 1, but got " << staged;
  if (split != 1 && split != 2 && split != 4 && split != 8)
    return emitError() << "expected split to be 1, 2, 4 or 8, but got "
                       << split;
  if (pingPong && (defer || split > 1))
    return emitError() << "expected cooperative consumers with "
                       << (defer ? "defer" : "split") << ", but got pingpong";
  if (defer && split > 1)
    return emitError() << "expected either defer or split, but got both";
  if (split > 1 && clusterM * clusterN > 1)
    return emitError() << "expected no clusters along M and N with split, but "
                          "got "
                       << clusterM << " × " << clusterN << " thread blocks";
  if (split > 1 && (tile[0] != rows || tile[1] % (8 * split) != 0))
    return emitError() << "expected 64 rows for each consumer and a multiple "
                          "of 8 columns for each of "
                       << split << " parts, but got " << tile[0] << " × "
                       << tile[1];
  return success();
}
