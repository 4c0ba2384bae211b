// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cost model of the warp-specialised schedule, and the choice by it.
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

#include "WarpSpecialized.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <numeric>

using namespace mlir;
using namespace tile;

/// Multiprocessors of the chip that the constants belong to.
static constexpr double kMultiprocessors = 132;
/// Clusters of so many thread blocks that run at a time; the parts of the chip
/// that a cluster must lie in have unlike numbers of multiprocessors.
static double countSlots(int64_t clusterSize) {
  return clusterSize == 8 ? 15 : clusterSize == 4 ? 30 : 132 / clusterSize;
}
/// Floating-point operations of a multiprocessor's tensor cores in a
/// nanosecond, for 16 bits: 4096 a cycle, at what is left of the clock when all
/// of them are busy.
static constexpr double kFlopsPerNs16 = 5380;
/// Narrow tiles read shared memory more often for each operation; a single
/// consumer keeps the tensor cores less busy with a wide one, and so do two
/// that start and stop together or have two rows of atoms each, and few stages.
static constexpr double kNarrow = 1.02, kSingle = 1.04, kTogether = 1.01,
                        kShallow = 1.02, kTall = 1.005;
static constexpr int64_t kNarrowColumns = 128;
/// Energy: the clock sinks with the operands' traffic. Slowdown of a tile that
/// loads `x` operand rows for each of its elements.
static double slowdown(double x) { return 1 + x; }
/// Bytes that one multiprocessor receives in a nanosecond, by what the rows of
/// the operands' tiles start at multiples of: lines of L2, sectors, or less.
static double getBytesPerNs(int64_t rowAlignment) {
  return rowAlignment % 128 == 0 ? 130 : rowAlignment % 32 == 0 ? 90 : 52;
}
/// What counts for blocks on their own where operands were copied first and
/// there are several waves: at 4095 x 4097 x 4099, tiles of 128 x 128 were
/// measured to be 5 to 17 % faster in clusters of two.
static constexpr int64_t kCopiedAlignment = 32;
/// Blocks that receive parts of both operands from others wait for all of them.
static constexpr double kTwoSided = 1.05;
/// Bytes of device memory in a nanosecond.
static constexpr double kMemoryBytesPerNs = 4200;
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

/// Elements along K of a block of 128 bytes.
static int64_t depthOf(int64_t elementBytes) { return 128 / elementBytes; }

namespace {

/// What the choice depends on.
struct ModelledProblem {
  double m = 0, n = 0, k = 0, batch = 1;
  int64_t bytes = 2, bytesD = 2;
  /// What the pitches of A and B are multiples of, in bytes, up to 128.
  int64_t pitchAlignment = 128;
  /// A or B is copied by another kernel first.
  bool copied = false;
  /// Of A and B.
  bool kMajor[2] = {true, true};

  /// What the rows of the operands' tiles start at multiples of, in bytes, up
  /// to 128; tiles along a contiguous M or N start inside of rows.
  int64_t getRowAlignment(WarpSpecializedScheduleAttr schedule) const {
    ArrayRef<int64_t> tile = schedule.getTile();
    bool swap = schedule.getSwap();
    int64_t result = pitchAlignment;
    for (int i : {0, 1})
      if (!kMajor[i != swap])
        result = std::gcd(result, tile[i] * bytes);
    return result;
  }
};

/// The parameters of a schedule, to be varied.
struct Parameters {
  int64_t m, n, stages, consumers = 2;
  ConsumerMode mode = ConsumerMode::Cooperative;
  int64_t clusterM = 1, clusterN = 1, group = 8;
  Raster raster = Raster::M;
  int64_t swap = 0, overlap = 1, defer = 0, split = 1, tf32 = 0, staged = 0;

  Parameters(int64_t m, int64_t n, int64_t stages, int64_t consumers,
             ConsumerMode mode)
      : m(m), n(n), stages(stages), consumers(consumers), mode(mode),
        group(std::max<int64_t>(1, 1024 / m)) {}
  explicit Parameters(WarpSpecializedScheduleAttr schedule)
      : m(schedule.getTile()[0]), n(schedule.getTile()[1]),
        stages(schedule.getStages()), consumers(schedule.getConsumers()),
        mode(schedule.getMode()), clusterM(schedule.getClusterM()),
        clusterN(schedule.getClusterN()), group(schedule.getGroup()),
        raster(schedule.getRaster()), swap(schedule.getSwap()),
        overlap(schedule.getOverlap()), defer(schedule.getDefer()),
        split(schedule.getSplit()), tf32(schedule.getTf32()),
        staged(schedule.getStaged()) {}

  /// The schedule, or null if these make none.
  WarpSpecializedScheduleAttr get(MLIRContext *context) const {
    // Verifiers need not speak up: what they refuse is no candidate.
    ScopedDiagnosticHandler quiet(context,
                                  [](Diagnostic &) { return success(); });
    return WarpSpecializedScheduleAttr::getChecked(
        [&] { return mlir::emitError(UnknownLoc::get(context)); }, context,
        ArrayRef<int64_t>{m, n, 0}, stages, consumers, mode, clusterM, clusterN,
        group, raster, swap, overlap, defer, split, tf32, staged);
  }
};

struct Estimate {
  WarpSpecializedScheduleAttr schedule;
  double ns = 0, waves = 0, used = 0;
  size_t order = 0;
};

} // namespace

KernelCost tile::getCost(WarpSpecializedScheduleAttr schedule,
                         int64_t elementBytes, int64_t rowAlignment) {
  ArrayRef<int64_t> tile = schedule.getTile();
  bool pingPong = schedule.getMode() == ConsumerMode::PingPong;
  double m = tile[0], n = tile[1], elements = m * n;
  double split = schedule.getSplit();
  // Per element along K.
  double flops = 2 * elements / (kFlopsPerNs16 * 2 / elementBytes);
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
  double arrival = rows * elementBytes / getBytesPerNs(rowAlignment);
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
  else if (schedule.getDefer())
    cost.tile = kDeferredNs + elements * kDeferredNsPerElement;
  // Nothing hides the last one, nor that the second consumer starts late.
  if (pingPong || schedule.getDefer())
    cost.fixed += store;
  if (pingPong)
    cost.fixed += kSecondNs;
  if (split > 1)
    cost.tile +=
        kExchangeNs + elements * 4 * (split - 1) / split / kExchangeBytesPerNs;
  // Near each other, each delays the other.
  cost.k = std::pow(std::pow(flops, 8) + std::pow(arrival, 8), 0.125) / split;
  cost.boundByFlops = flops >= arrival;
  cost.bytes = 1 / kMemoryBytesPerNs;
  return cost;
}

static Estimate estimate(const ModelledProblem &problem,
                         WarpSpecializedScheduleAttr schedule) {
  double m = problem.m, n = problem.n;
  if (schedule.getSwap())
    std::swap(m, n);
  ArrayRef<int64_t> tile = schedule.getTile();
  double rows = std::ceil(m / (tile[0] * schedule.getClusterM())) *
                schedule.getClusterM();
  double columns = std::ceil(n / (tile[1] * schedule.getClusterN())) *
                   schedule.getClusterN();
  double tiles = rows * columns * problem.batch * schedule.getSplit();
  Estimate result;
  result.schedule = schedule;
  int64_t clusterSize = schedule.getClusterSize();
  result.waves = std::ceil(tiles / clusterSize / countSlots(clusterSize));
  int64_t alignment = problem.getRowAlignment(schedule);
  if (problem.copied && clusterSize == 1 && result.waves > 1)
    alignment = std::gcd(alignment, kCopiedAlignment);
  KernelCost cost = getCost(schedule, problem.bytes, alignment);
  result.used = m * n * problem.batch /
                (result.waves * kMultiprocessors * tile[0] * tile[1] /
                 schedule.getSplit());
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
  bool overlap = cost.fixed + result.ns < kShortNs ||
                 (cost.boundByFlops && problem.batch == 1 &&
                  tiled > (result.waves > 1 ? 1.3 : 0.7) * memory);
  // What no two blocks share can be fetched meanwhile.
  bool unshared =
      rows == schedule.getClusterM() || columns == schedule.getClusterN();
  Parameters parameters(schedule);
  parameters.overlap = overlap ? unshared ? 2 : 1 : 0;
  result.schedule = parameters.get(schedule.getContext());
  result.ns =
      cost.fixed + std::pow(std::pow(tiled, 4) + std::pow(memory, 4), 0.25);
  return result;
}

/// Whether C or 32-bit results can pass through shared memory. Measured within
/// 3 % of direct accesses, either way, for large problems with K from 1024 on,
/// and 10 to 30 % faster at K = 512, at 1024^3 with C, and at odd extents.
static bool usesStaging(GemmOp gemm) {
  auto d = cast<MemRefType>(gemm.getD().getType());
  return gemm.getC() || d.getElementTypeBitWidth() == 32;
}

/// Columns of a tile that a consumer has the registers for, beside C if there
/// is one.
static int64_t getMostPingPongColumns(GemmOp gemm) {
  auto d = cast<MemRefType>(gemm.getD().getType());
  if (!gemm.getC())
    return 192;
  return d.getElementTypeBitWidth() == 32 ? 144 : 160;
}

/// All schedules that the model compares for a problem.
static SmallVector<WarpSpecializedScheduleAttr>
enumerate(GemmOp gemm, const ModelledProblem &problem) {
  MLIRContext *context = gemm.getContext();
  SmallVector<WarpSpecializedScheduleAttr> result;
  auto add = [&](Parameters parameters) {
    parameters.staged = usesStaging(gemm);
    // As many stages as fit beside two staged chunks of the output for each
    // consumer, and beside partial sums, and as two tiles have blocks along K.
    int64_t m = parameters.m, n = parameters.n, split = parameters.split;
    int64_t other =
        64 * std::min<int64_t>(n / split, 64) * 2 * 2 * parameters.consumers;
    if (split > 1)
      other += m * n * 4;
    int64_t columns =
        problem.kMajor[parameters.swap ? 0 : 1] ? n : llvm::alignTo(n, 64);
    int64_t blocks = std::ceil(problem.k / depthOf(problem.bytes) / split);
    int64_t stages = (kMaxSharedBytes - other - 1024) / ((m + columns) * 128);
    parameters.stages =
        std::min({stages, int64_t(16), std::max<int64_t>(2, 2 * blocks)});
    if (parameters.stages < 2)
      return;
    if (WarpSpecializedScheduleAttr schedule = parameters.get(context))
      result.push_back(schedule);
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
      auto addKinds = [&](int64_t clusterM, int64_t clusterN, int64_t defer,
                          int64_t split) {
        auto addOne = [&](int64_t m, int64_t consumers, ConsumerMode mode) {
          Parameters parameters(m, n, /*stages=*/2, consumers, mode);
          parameters.swap = swap;
          parameters.clusterM = clusterM;
          parameters.clusterN = clusterN;
          parameters.defer = defer;
          parameters.split = split;
          if (!defer || consumers == 2)
            add(parameters);
        };
        addOne(64, 1, ConsumerMode::Cooperative);
        addOne(128, 2, ConsumerMode::Cooperative);
        if (n <= 192)
          addOne(256, 2, ConsumerMode::Cooperative);
        if (n <= getMostPingPongColumns(gemm) && !defer && split == 1)
          addOne(128, 2, ConsumerMode::PingPong);
      };
      addKinds(/*clusterM=*/1, /*clusterN=*/1, /*defer=*/0, /*split=*/1);
      addKinds(/*clusterM=*/1, /*clusterN=*/1, /*defer=*/1, /*split=*/1);
      // Where rows lie well in L2, it serves neighbours together by itself.
      if (problem.pitchAlignment < 128 || problem.copied)
        for (auto [clusterM, clusterN] :
             {std::pair(2, 1), {4, 1}, {1, 2}, {1, 4}, {2, 2}})
          addKinds(clusterM, clusterN, /*defer=*/0, /*split=*/1);
      // More parts, or parts of more columns, have not paid.
      if (std::min(problem.m, problem.n) <= 64)
        addKinds(/*clusterM=*/1, /*clusterN=*/1, /*defer=*/0, /*split=*/2);
    }
  }
  return result;
}

static std::optional<ModelledProblem> describe(GemmOp gemm) {
  auto type = [](Value value) { return cast<MemRefType>(value.getType()); };
  MemRefType a = type(gemm.getA()), b = type(gemm.getB()),
             d = type(gemm.getD());
  auto dim = [](MemRefType type, int64_t i) {
    return type.getDimSize(type.getRank() - 2 + i);
  };
  ModelledProblem problem;
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

/// The legal estimates of a problem, best first.
static SmallVector<Estimate> rank(GemmOp gemm, const ModelledProblem &problem) {
  SmallVector<Estimate> estimates;
  for (WarpSpecializedScheduleAttr schedule : enumerate(gemm, problem)) {
    Estimate candidate = estimate(problem, schedule);
    // Consumers take turns, or store late, only if there are tiles to go on
    // with; K is only split if there are too few tiles.
    bool many =
        schedule.getMode() == ConsumerMode::PingPong || schedule.getDefer();
    if (many ? candidate.waves < 2
             : schedule.getSplit() > 1 && candidate.waves > 1)
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
  std::optional<ModelledProblem> problem = describe(gemm);
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
    Parameters parameters(m, n, stages, consumers, mode);
    parameters.swap = swap;
    parameters.staged = usesStaging(gemm);
    list.push_back(parameters.get(context));
  };
  add(128, getMostPingPongColumns(gemm), 4, 2, ConsumerMode::PingPong, 0);
  add(128, 128, 6, 2, ConsumerMode::PingPong, 0);
  add(64, 128, 8, 1, ConsumerMode::Cooperative, 0);
  add(64, 64, 12, 1, ConsumerMode::Cooperative, 0);
  add(64, 16, 16, 1, ConsumerMode::Cooperative, 1);
  add(128, 16, 12, 2, ConsumerMode::Cooperative, 1);
  llvm::erase_if(list, [&](Attribute schedule) {
    return checkSchedule(gemm, schedule).has_value();
  });
  if (list.empty())
    add(128, 128, 4, 2, ConsumerMode::PingPong, 0);
  return {ArrayAttr::get(context, list),
          "extents are known at run time only: the kernel is chosen at launch"};
}

/// Schedules that differ from `base` in what does not change the estimate much.
static SmallVector<Parameters> vary(const Parameters &base, bool waves) {
  SmallVector<Parameters> result;
  auto add = [&](function_ref<void(Parameters &)> change) {
    result.push_back(base);
    change(result.back());
  };
  for (int64_t overlap : {0, 1, 2})
    add([overlap](Parameters &p) { p.overlap = overlap; });
  add([](Parameters &p) { p.swap = !p.swap; });
  add([](Parameters &p) {
    p.clusterM = 2;
    p.group = std::max<int64_t>(1, p.group / 2);
  });
  add([](Parameters &p) { p.clusterN = 2; });
  if (!waves)
    return result;
  add([](Parameters &p) { p.group *= 2; });
  for (int64_t group : {6, 2})
    add([group](Parameters &p) {
      p.raster = Raster::N;
      p.group = group;
    });
  return result;
}

SmallVector<Attribute> tile::candidateWarpSpecialized(GemmOp gemm) {
  // The tiles that the model thinks best, then clusters and other orders of
  // tiles for the first ones.
  constexpr size_t kTiles = 8, kVaried = 2, kCandidates = 20;
  std::optional<ModelledProblem> problem = describe(gemm);
  SmallVector<Attribute> result;
  if (!problem)
    return result;
  SmallVector<Parameters> tiles;
  SmallVector<double> waves;
  double first = 0;
  for (const Estimate &candidate : rank(gemm, *problem)) {
    if (tiles.size() >= kTiles || (first > 0 && candidate.ns > 1.5 * first))
      break;
    Parameters parameters(candidate.schedule);
    bool known = llvm::any_of(tiles, [&](const Parameters &other) {
      return other.m == parameters.m && other.n == parameters.n &&
             other.mode == parameters.mode && other.split == parameters.split;
    });
    if (known || checkSchedule(gemm, candidate.schedule))
      continue;
    if (tiles.empty())
      first = candidate.ns;
    tiles.push_back(parameters);
    waves.push_back(candidate.waves);
    result.push_back(candidate.schedule);
  }
  for (size_t i = 0; i < std::min(kVaried, tiles.size()); ++i)
    for (const Parameters &parameters : vary(tiles[i], waves[i] >= 2)) {
      WarpSpecializedScheduleAttr schedule = parameters.get(gemm.getContext());
      if (result.size() < kCandidates && schedule &&
          !checkSchedule(gemm, schedule) &&
          !llvm::is_contained(result, schedule))
        result.push_back(schedule);
    }
  return result;
}
