// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cost model of the warp-specialised schedule, and the choice by it.
//
// A kernel's time is that of its waves. In a wave each multiprocessor computes
// one output tile: for each block along K it takes the longer of the tensor
// cores' time and of the time that the block's operands take to arrive; then
// the tile is stored, which two consumers in turn hide. The constants were
// fitted to measurements on an H200; bench/results has those of the kernels
// that the model chose. They rank kernels, and are not meant to predict a time
// to the microsecond.
#include "WarpSpecializedModel.h"

#include "WarpSpecialized.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir;
using namespace tile;

/// Multiprocessors of the chip that the constants belong to.
static constexpr double kMultiprocessors = 132;
/// Floating-point operations of a multiprocessor's tensor cores in a
/// nanosecond: 4096 a cycle for 16 bits, at the clock that is left under load.
static constexpr double kFlopsPerNs16 = 4096 * 1.7;
/// Bytes that one multiprocessor receives in a nanosecond, and those of
/// operands whose rows straddle the 128-byte lines of L2.
static constexpr double kBytesPerNs = 130, kBytesPerNsStraddling = 75;
/// Bytes of device memory in a nanosecond.
static constexpr double kMemoryBytesPerNs = 4200;
/// Launch, first fill of the pipeline and last store; with clusters.
static constexpr double kLaunchNs = 2600, kClusterNs = 300;
/// A kernel that is short beside its launch.
static constexpr double kShortNs = 11000;
/// A tile's end where it is hidden: handing over the tensor cores, which takes
/// longer when few stages are ahead; and where it is not: the drain, and the
/// store of each element.
static constexpr double kHandoverNs = 800, kHandoverShallowNs = 1280,
                        kDrainNs = 100, kStoreNsPerElement = 0.065;
/// Energy: the clock sinks with the operands' traffic. Slowdown of a tile that
/// loads `x` operand rows for each of its elements; straddling rows count
/// twice.
static double slowdown(double x) { return 0.904 + 21 * x; }
/// Consumers that start and stop together use the tensor cores less well.
static constexpr double kTogether = 1.07, kTogether256 = 1.1;

/// Elements along K of a block of 128 bytes.
static int64_t depthOf(int64_t elementBytes) { return 128 / elementBytes; }

namespace {

/// What the choice depends on.
struct Problem {
  double m = 0, n = 0, k = 0, batch = 1;
  int64_t bytes = 2, bytesD = 2;
  bool alignedPitch = true;
  /// Of A and B.
  bool kMajor[2] = {true, true};
};

struct Estimate {
  WarpSpecializedScheduleAttr schedule;
  double ns = 0, waves = 0, used = 0;
  size_t order = 0;
};

} // namespace

KernelCost tile::getCost(WarpSpecializedScheduleAttr schedule,
                         int64_t elementBytes, bool alignedPitch) {
  ArrayRef<int64_t> tile = schedule.getTile();
  bool pingPong = schedule.getMode() == ConsumerMode::PingPong;
  double m = tile[0], n = tile[1], elements = m * n;
  // Per element along K.
  double flops = 2 * elements / (kFlopsPerNs16 * 2 / elementBytes);
  double together = pingPong || schedule.getConsumers() == 1 ? 1
                    : m == 256                               ? kTogether256
                                                             : kTogether;
  flops *= slowdown((m + n) / elements * (alignedPitch ? 1 : 2)) * together;
  // A multicast tile is requested once for the cluster.
  double rows = m / schedule.getClusterN() + n / schedule.getClusterM();
  double arrival = rows * elementBytes /
                   (alignedPitch ? kBytesPerNs : kBytesPerNsStraddling);
  KernelCost cost;
  bool clusters = schedule.getClusterM() * schedule.getClusterN() > 1;
  cost.fixed = kLaunchNs + (clusters ? kClusterNs : 0);
  cost.tile = pingPong
                  ? schedule.getStages() < 5 ? kHandoverShallowNs : kHandoverNs
                  : kDrainNs + elements * kStoreNsPerElement;
  cost.k = std::max(flops, arrival);
  cost.boundByFlops = flops >= arrival;
  cost.bytes = 1 / kMemoryBytesPerNs;
  return cost;
}

static WarpSpecializedScheduleAttr
withOverlap(WarpSpecializedScheduleAttr schedule, bool overlap) {
  return WarpSpecializedScheduleAttr::get(
      schedule.getContext(), schedule.getTile(), schedule.getStages(),
      schedule.getConsumers(), schedule.getMode(), schedule.getClusterM(),
      schedule.getClusterN(), schedule.getGroup(), schedule.getRaster(),
      schedule.getSwap(), overlap);
}

static Estimate estimate(const Problem &problem,
                         WarpSpecializedScheduleAttr schedule) {
  KernelCost cost = getCost(schedule, problem.bytes, problem.alignedPitch);
  double m = problem.m, n = problem.n;
  if (schedule.getSwap())
    std::swap(m, n);
  ArrayRef<int64_t> tile = schedule.getTile();
  double rows = std::ceil(m / (tile[0] * schedule.getClusterM())) *
                schedule.getClusterM();
  double columns = std::ceil(n / (tile[1] * schedule.getClusterN())) *
                   schedule.getClusterN();
  double tiles = rows * columns * problem.batch;
  Estimate result;
  result.schedule = schedule;
  result.waves = std::ceil(tiles / kMultiprocessors);
  result.used = m * n * problem.batch /
                (result.waves * kMultiprocessors * tile[0] * tile[1]);
  double depth = depthOf(problem.bytes);
  double k = std::ceil(problem.k / depth) * depth;
  double memory =
      ((m + n) * problem.k * problem.bytes + m * n * problem.bytesD) *
      problem.batch * cost.bytes;
  // The longer of the two, and a little of the other: among kernels that wait
  // for memory, the one with the least to do besides.
  double tiled = result.waves * (cost.tile + k * cost.k);
  result.ns = std::max(tiled, memory);
  // Setting up a kernel early shows where kernels are short or the tensor cores
  // are busy. Where operands are waited for, it costs more than it brings: its
  // blocks start as multiprocessors come free, no longer beside those that they
  // share operands with.
  bool overlap =
      cost.fixed + result.ns < kShortNs ||
      (cost.boundByFlops && tiled > 1.3 * memory && problem.batch == 1);
  result.schedule = withOverlap(schedule, overlap);
  result.ns =
      cost.fixed + std::pow(std::pow(tiled, 4) + std::pow(memory, 4), 0.25);
  return result;
}

/// All schedules that the model compares for a problem.
static SmallVector<WarpSpecializedScheduleAttr>
enumerate(GemmOp gemm, const Problem &problem) {
  MLIRContext *context = gemm.getContext();
  SmallVector<WarpSpecializedScheduleAttr> result;
  auto add = [&](int64_t m, int64_t n, int64_t consumers, ConsumerMode mode,
                 int64_t clusterM, int64_t swap) {
    // As many stages as fit beside two staged chunks of the output for each
    // consumer, and as two tiles have blocks along K.
    int64_t staging = 64 * std::min<int64_t>(n, 64) * 2 * 2 * consumers;
    int64_t columns = problem.kMajor[swap ? 0 : 1] ? n : llvm::alignTo(n, 64);
    int64_t blocks = std::ceil(problem.k / depthOf(problem.bytes));
    int64_t stages = (kMaxSharedBytes - staging - 1024) / ((m + columns) * 128);
    stages = std::min({stages, int64_t(16), std::max<int64_t>(2, 2 * blocks)});
    if (stages < 2)
      return;
    result.push_back(WarpSpecializedScheduleAttr::get(
        context, {m, n, 0}, stages, consumers, mode, clusterM, 1,
        /*group=*/std::max<int64_t>(1, 1024 / m), Raster::M, swap, 1));
  };
  for (int64_t swap : {0, 1}) {
    double columns = swap ? problem.m : problem.n;
    for (int64_t n = 8; n <= 256; n += 8) {
      // Wider than the matrix is waste; narrower than one with few columns
      // reads the other operand twice.
      if (n > 8 && n - 8 >= columns)
        break;
      if (n < columns && columns <= 64)
        continue;
      for (int64_t clusterM : problem.alignedPitch
                                  ? SmallVector<int64_t>{1}
                                  : SmallVector<int64_t>{1, 2}) {
        if (n / clusterM % 8 != 0)
          continue;
        add(64, n, 1, ConsumerMode::Cooperative, clusterM, swap);
        add(128, n, 2, ConsumerMode::Cooperative, clusterM, swap);
        if (n <= 192)
          add(256, n, 2, ConsumerMode::Cooperative, clusterM, swap);
        if (n <= 192)
          add(128, n, 2, ConsumerMode::PingPong, clusterM, swap);
      }
    }
  }
  return result;
}

static std::optional<Problem> describe(GemmOp gemm) {
  auto type = [](Value value) { return cast<MemRefType>(value.getType()); };
  MemRefType a = type(gemm.getA()), b = type(gemm.getB()),
             d = type(gemm.getD());
  auto dim = [](MemRefType type, int64_t i) {
    return type.getDimSize(type.getRank() - 2 + i);
  };
  Problem problem;
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
  problem.bytesD = d.getElementTypeBitWidth() / 8;
  problem.kMajor[0] = getUnitDims(gemm.getA()) != SmallVector<int64_t>{0};
  problem.kMajor[1] = getUnitDims(gemm.getB()) != SmallVector<int64_t>{1};
  for (MemRefType operand : {a, b}) {
    SmallVector<int64_t> strides;
    int64_t offset;
    if (failed(operand.getStridesAndOffset(strides, offset)))
      continue;
    for (int64_t stride : ArrayRef(strides).take_back(2))
      if (!ShapedType::isDynamic(stride) && stride != 1 &&
          stride * problem.bytes % 128 != 0)
        problem.alignedPitch = false;
  }
  return problem;
}

/// The legal estimates of a problem, best first.
static SmallVector<Estimate> rank(GemmOp gemm, const Problem &problem) {
  SmallVector<Estimate> estimates;
  for (WarpSpecializedScheduleAttr schedule : enumerate(gemm, problem)) {
    Estimate candidate = estimate(problem, schedule);
    // Consumers take turns only if there are tiles for both.
    if (schedule.getMode() == ConsumerMode::PingPong && candidate.waves < 2)
      continue;
    candidate.order = estimates.size();
    estimates.push_back(candidate);
  }
  // Equal ones stay in order.
  llvm::sort(estimates, [](const Estimate &a, const Estimate &b) {
    return std::tie(a.ns, a.order) < std::tie(b.ns, b.order);
  });
  return estimates;
}

ScheduleChoice tile::selectWarpSpecialized(GemmOp gemm) {
  std::optional<Problem> problem = describe(gemm);
  if (problem) {
    SmallVector<Estimate> estimates = rank(gemm, *problem);
    for (const Estimate &best : estimates) {
      if (checkSchedule(gemm, best.schedule))
        continue;
      ArrayRef<int64_t> tile = best.schedule.getTile();
      std::string reason =
          llvm::formatv("{0} × {1} tiles {2}in {3} wave{4} use {5} % of the "
                        "multiprocessors; about {6} µs",
                        tile[0], tile[1],
                        best.schedule.getSwap() ? "of the transpose " : "",
                        best.waves, best.waves == 1 ? "" : "s",
                        std::lround(best.used * 100),
                        std::lround(best.ns / 1000))
              .str();
      return {best.schedule, reason};
    }
  }
  // Extents are known at launch: one kernel for each kind of problem.
  MLIRContext *context = gemm.getContext();
  SmallVector<Attribute> list;
  auto add = [&](int64_t m, int64_t n, int64_t stages, int64_t consumers,
                 ConsumerMode mode, int64_t swap) {
    list.push_back(WarpSpecializedScheduleAttr::get(
        context, {m, n, 0}, stages, consumers, mode, 1, 1, /*group=*/1024 / m,
        Raster::M, swap, 1));
  };
  add(128, 192, 4, 2, ConsumerMode::PingPong, 0);
  add(128, 128, 6, 2, ConsumerMode::PingPong, 0);
  add(64, 128, 8, 1, ConsumerMode::Cooperative, 0);
  add(64, 64, 12, 1, ConsumerMode::Cooperative, 0);
  add(64, 16, 16, 1, ConsumerMode::Cooperative, 1);
  llvm::erase_if(list, [&](Attribute schedule) {
    return checkSchedule(gemm, schedule).has_value();
  });
  if (list.empty())
    list.push_back(WarpSpecializedScheduleAttr::get(context, {128, 128, 0}, 4,
                                                    2, ConsumerMode::PingPong,
                                                    1, 1, 8, Raster::M, 0, 1));
  return {ArrayAttr::get(context, list),
          "extents are known at run time only: the kernel is chosen at launch"};
}

SmallVector<Attribute> tile::candidateWarpSpecialized(GemmOp gemm) {
  // What the model thinks best, with clusters and other orders of tiles for the
  // first ones.
  constexpr size_t kCandidates = 14, kVaried = 2;
  std::optional<Problem> problem = describe(gemm);
  SmallVector<Attribute> result;
  if (!problem)
    return result;
  MLIRContext *context = gemm.getContext();
  double first = 0;
  for (const Estimate &candidate : rank(gemm, *problem)) {
    WarpSpecializedScheduleAttr schedule = candidate.schedule;
    if (checkSchedule(gemm, schedule))
      continue;
    if (result.empty())
      first = candidate.ns;
    if (result.size() >= kCandidates || candidate.ns > 1.5 * first)
      break;
    bool varied = result.size() < kVaried;
    result.push_back(schedule);
    if (!varied)
      continue;
    auto add = [&](int64_t clusterM, int64_t clusterN, int64_t group,
                   Raster raster) {
      auto variation = WarpSpecializedScheduleAttr::getChecked(
          [&] { return mlir::emitError(UnknownLoc::get(context)); }, context,
          schedule.getTile(), schedule.getStages(), schedule.getConsumers(),
          schedule.getMode(), clusterM, clusterN, group, raster,
          schedule.getSwap(), schedule.getOverlap());
      if (variation && !checkSchedule(gemm, variation) &&
          !llvm::is_contained(result, variation))
        result.push_back(variation);
    };
    int64_t group = schedule.getGroup();
    // Verifiers need not speak up: what they refuse is no candidate.
    ScopedDiagnosticHandler quiet(context,
                                  [](Diagnostic &) { return success(); });
    result.push_back(withOverlap(schedule, !schedule.getOverlap()));
    add(2, 1, std::max<int64_t>(1, group / 2), Raster::M);
    add(1, 2, group, Raster::M);
    if (candidate.waves < 2)
      continue;
    add(1, 1, group * 2, Raster::M);
    add(1, 1, 6, Raster::N);
    add(1, 1, 2, Raster::N);
  }
  return result;
}
