// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cost model of the warp-specialised schedule.
//
// A kernel's time is that of its waves. In a wave each multiprocessor computes
// one output tile: for each block along K it takes the longer of the tensor
// cores' time and of the time that the block's operands take to arrive, and a
// little more where the two are near each other; then the tile is stored, which
// two consumers in turn, or the next tile, hide. Rates and times were fitted to
// measurements on an H200 under load; bench/results has those of the kernels
// that the model chose. Factors within 5 % of 1 decide between tiles that
// measured alike, and were set so that those measured best come first. All of
// them rank kernels, and are not meant to predict a time to the microsecond.
#include "WarpSpecializedModel.h"

#include "Im2col.h"
#include "WarpSpecialized.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <numeric>

using namespace mlir;
using namespace tile;

/// Narrow tiles read shared memory more often for each operation; a single
/// consumer keeps the tensor cores less busy with a wide one, and so do two
/// that start and stop together or have two rows of atoms each, and few stages.
static constexpr double kNarrow = 1.02, kSingle = 1.04, kTogether = 1.01,
                        kShallow = 1.02, kTall = 1.005;
static constexpr int64_t kNarrowColumns = 128;
/// Energy: the clock sinks with the operands' traffic. Slowdown of a tile that
/// loads `x` operand rows for each of its elements.
static double slowdown(double x) { return 1 + x; }
/// What counts for blocks on their own where operands were copied first and
/// there are several waves: at 4095 x 4097 x 4099, tiles of 128 x 128 were
/// measured to be 5 to 17 % faster in clusters of two.
static constexpr int64_t kCopiedAlignment = 32;
/// Blocks that receive parts of both operands from others wait for all of them.
static constexpr double kTwoSided = 1.05;
/// Launch, first fill of the pipeline and last store; with clusters.
static constexpr double kLaunchNs = 2600, kClusterNs = 300;
/// A kernel that is short beside its launch.
static constexpr double kShortNs = 11000;
/// A tile's end where consumers take turns: handing over the tensor cores,
/// which takes longer when few stages are ahead.
static constexpr double kHandoverNs = 200, kHandoverShallowNs = 600,
                        kSecondNs = 300;
/// Where they do not: the drain, and the store of each element; and the same
/// where the tile is stored during the next one.
static constexpr double kDrainNs = 100, kStoreNsPerElement = 0.04,
                        kDeferredNs = 1000, kDeferredNsPerElement = 0.012;
/// Thread blocks that share a tile: the exchange of their sums, the bytes of
/// these that one of them receives in a nanosecond, and how much longer the
/// operands take that they load from different places along K.
static constexpr double kExchangeNs = 1500, kExchangeBytesPerNs = 25,
                        kScattered = 1.3;

WarpSpecializedScheduleAttr
tile::getScheduleOrNull(MLIRContext *context,
                        const WarpSpecializedScheduleAttr::Params &params) {
  // Verifiers need not speak up: what they refuse is no candidate.
  ScopedDiagnosticHandler quiet(context,
                                [](Diagnostic &) { return success(); });
  return WarpSpecializedScheduleAttr::getChecked(
      [&] { return mlir::emitError(UnknownLoc::get(context)); }, context,
      params);
}

int64_t WarpSpecializedProblem::getRowAlignment(
    WarpSpecializedScheduleAttr schedule) const {
  ArrayRef<int64_t> tile = schedule.getTile();
  bool swap = schedule.getSwapAb();
  int64_t result = pitchAlignment;
  for (int i : {0, 1})
    if (!kMajor[i != swap])
      result = std::gcd(result, tile[i] * bytes);
  return result;
}

KernelCost tile::getCost(WarpSpecializedScheduleAttr schedule,
                         int64_t elementBytes, int64_t rowAlignment,
                         const Chip &chip) {
  ArrayRef<int64_t> tile = schedule.getTile();
  bool pingPong = schedule.getMode() == ConsumerMode::PingPong;
  double m = tile[0], n = tile[1], elements = m * n;
  double split = schedule.getSplitK();
  // Per element along K.
  double flops = 2 * elements / (chip.tensorFlopsPerNs * 2 / elementBytes);
  flops *= slowdown((m + n) / elements);
  if (tile[1] < kNarrowColumns)
    flops *= kNarrow;
  else if (schedule.getConsumers() == 1)
    flops *= kSingle;
  if (!pingPong && schedule.getConsumers() > 1)
    flops *= kTogether;
  if (schedule.getStages() < 4)
    flops *= kShallow;
  if (m == 256)
    flops *= kTall;
  // A multicast tile is requested once for the cluster.
  double rows = m / schedule.getClusterN() + n / schedule.getClusterM();
  double arrival =
      rows * elementBytes / Chip::getArrivalBytesPerNs(rowAlignment);
  if (schedule.getClusterM() > 1 && schedule.getClusterN() > 1)
    arrival *= kTwoSided;
  if (split > 1)
    arrival *= kScattered;
  KernelCost cost;
  cost.fixed = kLaunchNs + (schedule.getClusterSize() > 1 ? kClusterNs : 0);
  double store = kDrainNs + elements / split * kStoreNsPerElement;
  cost.tile = store;
  if (pingPong)
    cost.tile = schedule.getStages() < 5 ? kHandoverShallowNs : kHandoverNs;
  else if (schedule.getOverlapEpilogue())
    cost.tile = kDeferredNs + elements * kDeferredNsPerElement;
  // Nothing hides the last one, nor that the second consumer starts late.
  if (pingPong || schedule.getOverlapEpilogue())
    cost.fixed += store;
  if (pingPong)
    cost.fixed += kSecondNs;
  if (split > 1)
    cost.tile +=
        kExchangeNs + elements * 4 * (split - 1) / split / kExchangeBytesPerNs;
  // Near each other, each delays the other.
  cost.k = std::pow(std::pow(flops, 8) + std::pow(arrival, 8), 0.125) / split;
  cost.boundByFlops = flops >= arrival;
  cost.bytes = 1 / chip.memoryBytesPerNs;
  return cost;
}

WarpSpecializedEstimate tile::estimate(const WarpSpecializedProblem &problem,
                                       WarpSpecializedScheduleAttr schedule,
                                       const Chip &chip) {
  double m = problem.m, n = problem.n;
  if (schedule.getSwapAb())
    std::swap(m, n);
  ArrayRef<int64_t> tile = schedule.getTile();
  double rows = std::ceil(m / (tile[0] * schedule.getClusterM())) *
                schedule.getClusterM();
  double columns = std::ceil(n / (tile[1] * schedule.getClusterN())) *
                   schedule.getClusterN();
  double tiles = rows * columns * problem.batch * schedule.getSplitK();
  WarpSpecializedEstimate result;
  result.schedule = schedule;
  int64_t clusterSize = schedule.getClusterSize();
  result.waves =
      std::ceil(tiles / clusterSize / chip.countClusters(clusterSize));
  int64_t alignment = problem.getRowAlignment(schedule);
  if (problem.copied && clusterSize == 1 && result.waves > 1)
    alignment = std::gcd(alignment, kCopiedAlignment);
  KernelCost cost = getCost(schedule, problem.bytes, alignment, chip);
  result.used = m * n * problem.batch /
                (result.waves * chip.multiprocessors * tile[0] * tile[1] /
                 schedule.getSplitK());
  double depth = problem.getDepth();
  double k = std::ceil(problem.k / depth) * depth;
  double memory = (problem.elements * problem.bytes +
                   m * n * problem.batch * problem.bytesD) *
                  cost.bytes;
  // The longer of the two, and a little of the other: among kernels that wait
  // for memory, the one with the least to do besides.
  double tiled = result.waves * (cost.tile + k * cost.k);
  result.ns = std::max(tiled, memory);
  // Setting up a kernel early shows where kernels are short or the tensor cores
  // are busy. Where operands are waited for, it costs more than it brings: its
  // blocks start as multiprocessors come free, no longer beside those that they
  // share operands with.
  bool overlap = cost.fixed + result.ns < kShortNs ||
                 (cost.boundByFlops && problem.batch == 1 &&
                  tiled > (result.waves > 1 ? 1.3 : 0.7) * memory);
  // What no two blocks share can be fetched meanwhile.
  bool unshared =
      rows == schedule.getClusterM() || columns == schedule.getClusterN();
  WarpSpecializedScheduleAttr::Params params = schedule.getParams();
  params.programmaticLaunch = !overlap   ? ProgrammaticLaunch::None
                              : unshared ? ProgrammaticLaunch::Prefetch
                                         : ProgrammaticLaunch::Wait;
  result.schedule = getScheduleOrNull(schedule.getContext(), params);
  result.ns =
      cost.fixed + std::pow(std::pow(tiled, 4) + std::pow(memory, 4), 0.25);
  return result;
}

std::optional<WarpSpecializedProblem> WarpSpecializedProblem::get(GemmOp gemm) {
  auto type = [](Value value) { return cast<MemRefType>(value.getType()); };
  MemRefType a = type(gemm.getA()), b = type(gemm.getB()),
             d = type(gemm.getD());
  auto dim = [](MemRefType type, int64_t i) {
    return type.getDimSize(type.getRank() - 2 + i);
  };
  WarpSpecializedProblem problem;
  SmallVector<int64_t> extents{dim(d, 0), dim(d, 1), dim(a, 1)};
  if (d.getRank() == 3)
    extents.push_back(d.getDimSize(0));
  if (ShapedType::isDynamic(extents[2]))
    extents[2] = dim(b, 0);
  for (int64_t extent : extents)
    if (ShapedType::isDynamic(extent))
      return std::nullopt;
  problem.m = extents[0];
  problem.n = extents[1];
  problem.k = extents[2];
  problem.batch = extents.size() > 3 ? extents[3] : 1;
  problem.bytes = a.getElementTypeBitWidth() / 8;
  // Of a tensor that a kernel reads in place, each element counts once.
  auto count = [&](Value operand, double matrix) {
    double elements = 1;
    Im2colAttr im2col = getIm2col(operand);
    if (!im2col)
      return matrix * problem.batch;
    for (int64_t extent : im2col.getExtents())
      elements *= extent;
    return elements;
  };
  problem.elements = count(gemm.getA(), problem.m * problem.k) +
                     count(gemm.getB(), problem.n * problem.k);
  problem.bytesD = d.getElementTypeBitWidth() / 8;
  problem.typeA = a.getElementType();
  problem.typeB = b.getElementType();
  problem.typeSum = problem.typeA.isInteger()
                        ? d.getElementType()
                        : Float32Type::get(gemm.getContext());
  problem.kMajor[0] = getUnitDims(gemm.getA()) != SmallVector<int64_t>{0};
  problem.kMajor[1] = getUnitDims(gemm.getB()) != SmallVector<int64_t>{1};
  for (MemRefType operand : {a, b}) {
    SmallVector<int64_t> strides;
    int64_t offset;
    if (failed(operand.getStridesAndOffset(strides, offset)))
      continue;
    // One that TMA cannot take is copied, with a pitch of whole lines.
    for (int64_t stride : ArrayRef(strides).take_back(2)) {
      if (ShapedType::isDynamic(stride) || stride == 1)
        continue;
      if (stride * problem.bytes % 16 != 0)
        problem.copied = true;
      else
        problem.pitchAlignment =
            std::gcd(problem.pitchAlignment, stride * problem.bytes);
    }
  }
  return problem;
}

std::optional<double>
tile::estimateWarpSpecialized(GemmOp gemm, WarpSpecializedScheduleAttr schedule,
                              const Chip &chip) {
  std::optional<WarpSpecializedProblem> problem =
      WarpSpecializedProblem::get(gemm);
  if (!problem)
    return std::nullopt;
  return estimate(*problem, schedule, chip).ns;
}
