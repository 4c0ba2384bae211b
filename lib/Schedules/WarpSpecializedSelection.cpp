// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the warp-specialised schedule proposes for a problem, best first.
#include "EpilogueOperands.h"
#include "Im2col.h"
#include "Multistage.h"
#include "TensorWalks.h"
#include "WarpSpecialized.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace tile;

using Params = WarpSpecializedScheduleAttr::Params;
using Estimate = WarpSpecializedEstimate;

/// The fields of a schedule with as many rows of tiles visited together as make
/// 1024 rows.
static Params makeParams(int64_t m, int64_t n, int64_t stages,
                         int64_t consumers, ConsumerMode mode) {
  Params params;
  params.tile = {m, n, 0};
  params.stages = stages;
  params.consumers = consumers;
  params.mode = mode;
  params.swizzleSize = std::max<int64_t>(1, 1024 / m);
  return params;
}

/// Whether an operand of the epilogue can pass through shared memory.
static bool isMatrixOfEpilogueLoaded(GemmOp gemm) {
  int64_t contiguous = getKnownUnitDim(gemm.getD());
  return !gemm.getC() && contiguous >= 0 && findMatrixLikeD(gemm, contiguous);
}

/// Whether C, a matrix of the epilogue or 32-bit results can pass through
/// shared memory. Measured within
/// 3 % of direct accesses, either way, for large problems with K from 1024 on,
/// and 10 to 30 % faster at K = 512, at 1024^3 with C, and at odd extents.
static bool usesStaging(GemmOp gemm) {
  auto d = cast<MemRefType>(gemm.getD().getType());
  return gemm.getC() || isMatrixOfEpilogueLoaded(gemm) ||
         d.getElementTypeBitWidth() == 32;
}

/// Columns of a tile of 128 rows that a consumer has the registers for, beside
/// C if there is one: with more, ptxas spills up to 616 bytes. Fewer would
/// spare the 8 bytes of variants whose C has no alignment, but 128 and 144
/// columns cost 8 % at 8192^3 with f32 results.
static int64_t getMostColumns(GemmOp gemm) {
  // Promoted sums take as many registers as the accumulators.
  if (gemm.getPromotedSums())
    return 96;
  auto d = cast<MemRefType>(gemm.getD().getType());
  if (!gemm.getC() && !gemm.hasEpilogue())
    return 192;
  if (d.getElementTypeBitWidth() == 32)
    return 144;
  // An epilogue without C takes fewer.
  return gemm.getC() ? 160 : 168;
}

/// All schedules that the model compares for a problem.
static SmallVector<WarpSpecializedScheduleAttr>
enumerate(GemmOp gemm, const WarpSpecializedProblem &problem,
          const Chip &chip) {
  MLIRContext *context = gemm.getContext();
  SmallVector<WarpSpecializedScheduleAttr> result;
  auto add = [&](Params params) {
    params.useTmaStore = usesStaging(gemm);
    // As many stages as fit beside two staged chunks of the output for each
    // consumer, and beside partial sums, and as two tiles have blocks along K.
    int64_t m = params.tile[0], n = params.tile[1], split = params.splitK;
    int64_t other =
        64 * std::min<int64_t>(n / split, 64) * 2 * 2 * params.consumers;
    if (split > 1)
      other += m * n * 4;
    int64_t columns =
        problem.kMajor[params.swapAB ? 0 : 1] ? n : llvm::alignTo(n, 64);
    int64_t blocks = std::ceil(problem.k / problem.getDepth() / split);
    int64_t stages = (chip.sharedBytes - other - 1024) / ((m + columns) * 128);
    params.stages =
        std::min({stages, int64_t(16), std::max<int64_t>(2, 2 * blocks)});
    if (params.stages < 2)
      return;
    if (WarpSpecializedScheduleAttr schedule =
            getScheduleOrNull(context, params))
      result.push_back(schedule);
  };
  // The transpose has neighbours of a matrix of the epilogue in different
  // threads, each with an address: ptxas spills up to 800 bytes.
  bool hasMatrix = isMatrixOfEpilogueLoaded(gemm);
  for (bool swap : {false, true}) {
    double columns = swap ? problem.m : problem.n;
    if (swap && hasMatrix && columns > 64)
      break;
    for (int64_t n = 8; n <= 256; n += 8) {
      // Wider than the matrix is waste; narrower than one with few columns
      // reads the other operand twice.
      if (n > 8 && n - 8 >= columns)
        break;
      if (n < columns && columns <= 64)
        continue;
      // Integers have not every multiple of 8.
      if (WgmmaAttr::check(n, problem.typeA, problem.typeB, problem.typeSum))
        continue;
      auto addKinds = [&](int64_t clusterM, int64_t clusterN, bool overlap,
                          int64_t split) {
        auto addOne = [&](int64_t m, int64_t consumers, ConsumerMode mode) {
          Params params = makeParams(m, n, /*stages=*/2, consumers, mode);
          params.swapAB = swap;
          params.cluster = {clusterM, clusterN};
          params.overlapEpilogue = overlap;
          params.splitK = split;
          if (!overlap || consumers == 2)
            add(params);
        };
        // Promoted sums leave registers for half of the columns.
        if (n > 2 * getMostColumns(gemm))
          return;
        addOne(64, 1, ConsumerMode::Cooperative);
        addOne(128, 2, ConsumerMode::Cooperative);
        // A consumer has 128 rows of these.
        if (n <= getMostColumns(gemm))
          addOne(256, 2, ConsumerMode::Cooperative);
        // One consumer at a time leaves the tensor cores idle while it adds up
        // promoted sums: 1500 us against 910 at 8192^3 of 8 bits.
        if (n <= getMostColumns(gemm) && !overlap && split == 1 &&
            !gemm.getPromotedSums())
          addOne(128, 2, ConsumerMode::PingPong);
      };
      addKinds(/*clusterM=*/1, /*clusterN=*/1, /*overlap=*/false, /*split=*/1);
      addKinds(/*clusterM=*/1, /*clusterN=*/1, /*overlap=*/true, /*split=*/1);
      // Where rows lie well in L2, it serves neighbours together by itself.
      if (problem.pitchAlignment < 128 || problem.copied)
        for (auto [clusterM, clusterN] :
             {std::pair(2, 1), {4, 1}, {1, 2}, {1, 4}, {2, 2}})
          addKinds(clusterM, clusterN, /*overlap=*/false, /*split=*/1);
      // More parts, or parts of more columns, have not paid; but the gradients
      // of filters have few elements, each a sum over all pixels.
      bool isLong = problem.k >= 128 * std::max(problem.m, problem.n) ||
                    (getIm2col(gemm.getB()) && !getIm2col(gemm.getA()));
      if (isLong || std::min(problem.m, problem.n) <= 64)
        addKinds(/*clusterM=*/1, /*clusterN=*/1, /*overlap=*/false,
                 /*split=*/2);
      for (int64_t split : {4, 8})
        if (isLong)
          addKinds(/*clusterM=*/1, /*clusterN=*/1, /*overlap=*/false, split);
    }
  }
  return result;
}

/// How tensor copies read the tensors of a problem in place, by blocks along K
/// of 128 bytes as all proposals have; nothing if they cannot.
static std::optional<TensorWalks> findTensorWalks(GemmOp gemm) {
  if (!getIm2col(gemm.getA()) && !getIm2col(gemm.getB()))
    return std::nullopt;
  int64_t bits =
      cast<MemRefType>(gemm.getA().getType()).getElementTypeBitWidth();
  Result<TensorWalks> walks = planTensorWalks(gemm, /*tileK=*/128 * 8 / bits);
  if (!walks)
    return std::nullopt;
  return *walks;
}

/// The legal estimates of a problem, best first.
static SmallVector<Estimate>
rank(GemmOp gemm, const WarpSpecializedProblem &problem, const Chip &chip) {
  SmallVector<Estimate> estimates;
  std::optional<TensorWalks> walks = findTensorWalks(gemm);
  bool columnsFirst = getUnitDims(gemm.getD()).front() == 0;
  for (WarpSpecializedScheduleAttr schedule : enumerate(gemm, problem, chip)) {
    // Reading tensors in place is worth more than the best tile.
    if (walks && !fitsTensorWalks(schedule, *walks,
                                  columnsFirst != schedule.getSwapAb()))
      continue;
    Estimate candidate = estimate(problem, schedule, chip);
    // Consumers take turns, or store late, only if there are tiles to go on
    // with; K is only split if there are too few tiles.
    bool many = schedule.getMode() == ConsumerMode::PingPong ||
                schedule.getOverlapEpilogue();
    if (many ? candidate.waves < 2
             : schedule.getSplitK() > 1 && candidate.waves > 1)
      continue;
    estimates.push_back(candidate);
  }
  // Equal ones stay in order.
  sortByTime(estimates);
  return estimates;
}

/// A schedule for each kind of problem, of which the runtime chooses one at
/// each launch.
static Attribute listForLaunch(GemmOp gemm, const Chip &chip) {
  MLIRContext *context = gemm.getContext();
  SmallVector<Attribute> list;
  auto add = [&](int64_t m, int64_t n, int64_t stages, int64_t consumers,
                 ConsumerMode mode, bool swap) {
    Params params = makeParams(m, n, stages, consumers, mode);
    params.swapAB = swap;
    params.useTmaStore = usesStaging(gemm);
    WarpSpecializedScheduleAttr schedule = getScheduleOrNull(context, params);
    if (!checkSchedule(gemm, schedule, chip))
      list.push_back(schedule);
  };
  // Where strides are open as well, each schedule makes four kernels and more,
  // and takes seconds to compile: one for each end of the range and one between
  // must do.
  bool isOpen =
      getUnitDims(gemm.getA()).size() * getUnitDims(gemm.getB()).size() > 2;
  if (gemm.getPromotedSums())
    add(128, 2 * getMostColumns(gemm), 4, 2, ConsumerMode::Cooperative, false);
  else
    add(128, getMostColumns(gemm), 4, 2, ConsumerMode::PingPong, false);
  if (!isOpen)
    add(128, 128, 6, 2,
        gemm.getPromotedSums() ? ConsumerMode::Cooperative
                               : ConsumerMode::PingPong,
        false);
  add(64, 128, 8, 1, ConsumerMode::Cooperative, false);
  if (!isOpen)
    add(64, 64, 12, 1, ConsumerMode::Cooperative, false);
  add(64, 16, 16, 1, ConsumerMode::Cooperative, true);
  if (!isOpen)
    add(128, 16, 12, 2, ConsumerMode::Cooperative, true);
  if (list.empty())
    list.push_back(getScheduleOrNull(
        context, makeParams(128, std::min<int64_t>(128, getMostColumns(gemm)),
                            4, 2, ConsumerMode::PingPong)));
  return ArrayAttr::get(context, list);
}

/// Products of tf32 are less than those of f32, so only who asks gets them.
static bool isFor(GemmOp gemm) {
  auto a = cast<MemRefType>(gemm.getA().getType());
  return a.getElementTypeBitWidth() <= 16;
}

/// Why a chip without tensor cores for a problem is none, with those that have.
static Reason explainChip(GemmOp gemm, const Chip &chip) {
  auto element = [](Value operand) {
    return cast<MemRefType>(operand.getType()).getElementType();
  };
  SmallVector<StringRef> able;
  for (const Chip &other : kChips)
    if (!other.isProduct() &&
        (other.hasWgmma() ||
         !checkMultistageProblem(gemm, /*tf32=*/false, other)))
      able.push_back(other.architecture);
  std::string text;
  llvm::raw_string_ostream(text)
      << "expected a chip whose tensor cores multiply " << element(gemm.getA())
      << " by " << element(gemm.getB()) << ", " << llvm::join(able, ", ")
      << ", but got " << chip.architecture;
  return Reason(text);
}

static Result<SmallVector<ScheduleProposal>> propose(GemmOp gemm,
                                                     const Chip &chip) {
  SmallVector<ScheduleProposal> result;
  // Chips without wgmma have mma.sync, which another family has.
  if (!isFor(gemm) ||
      (!chip.hasWgmma() && !checkMultistageProblem(gemm, /*tf32=*/false, chip)))
    return result;
  if (!chip.hasWgmma())
    return explainChip(gemm, chip);
  if (std::optional<Reason> reason = checkWarpSpecializedProblem(gemm, chip))
    return *reason;
  if (std::optional<WarpSpecializedProblem> problem =
          WarpSpecializedProblem::get(gemm))
    for (const Estimate &each : rank(gemm, *problem, chip))
      result.push_back({each.schedule, each.ns});
  if (result.empty())
    result.push_back({listForLaunch(gemm, chip)});
  return result;
}

static std::string describe(GemmOp gemm, Attribute schedule, const Chip &chip) {
  auto one = dyn_cast<WarpSpecializedScheduleAttr>(schedule);
  std::optional<WarpSpecializedProblem> problem =
      WarpSpecializedProblem::get(gemm);
  if (!one || !problem)
    return "extents are known at run time only: the kernel is chosen at launch";
  Estimate best = estimate(*problem, one, chip);
  return llvm::formatv("{0} × {1} tiles {2}in {3} wave{4} use {5} % of the "
                       "multiprocessors; about {6} µs",
                       one.getTile()[0], one.getTile()[1],
                       one.getSwapAb() ? "of the transpose " : "", best.waves,
                       best.waves == 1 ? "" : "s", std::lround(best.used * 100),
                       std::lround(best.ns / 1000))
      .str();
}

/// Schedules that differ from `base` in what does not change the estimate much.
static SmallVector<Params> vary(const Params &base, bool waves) {
  SmallVector<Params> result;
  auto add = [&](function_ref<void(Params &)> change) {
    result.push_back(base);
    change(result.back());
  };
  for (auto launch : {ProgrammaticLaunch::None, ProgrammaticLaunch::Wait,
                      ProgrammaticLaunch::Prefetch})
    add([launch](Params &p) { p.programmaticLaunch = launch; });
  add([](Params &p) { p.swapAB = !p.swapAB; });
  add([](Params &p) {
    p.cluster[0] = 2;
    p.swizzleSize = std::max<int64_t>(1, p.swizzleSize / 2);
  });
  add([](Params &p) { p.cluster[1] = 2; });
  if (!waves)
    return result;
  add([](Params &p) { p.swizzleSize *= 2; });
  for (int64_t size : {6, 2})
    add([size](Params &p) {
      p.rasterOrder = RasterOrder::N;
      p.swizzleSize = size;
    });
  return result;
}

static SmallVector<Attribute> listCandidates(GemmOp gemm, const Chip &chip) {
  // The tiles that the model thinks best, then clusters and other orders of
  // tiles for the first ones.
  constexpr size_t kTiles = 8, kVaried = 2, kCandidates = 20;
  std::optional<WarpSpecializedProblem> problem =
      WarpSpecializedProblem::get(gemm);
  SmallVector<Attribute> result;
  if (!problem)
    return result;
  SmallVector<Params> tiles;
  SmallVector<double> waves;
  double first = 0;
  for (const Estimate &candidate : rank(gemm, *problem, chip)) {
    if (tiles.size() >= kTiles || (first > 0 && candidate.ns > 1.5 * first))
      break;
    Params params = candidate.schedule.getParams();
    bool known = llvm::any_of(tiles, [&](const Params &other) {
      return other.tile == params.tile && other.mode == params.mode &&
             other.splitK == params.splitK;
    });
    if (known || checkSchedule(gemm, candidate.schedule, chip))
      continue;
    if (tiles.empty())
      first = candidate.ns;
    tiles.push_back(params);
    waves.push_back(candidate.waves);
    result.push_back(candidate.schedule);
  }
  for (size_t i = 0; i < std::min(kVaried, tiles.size()); ++i)
    for (const Params &params : vary(tiles[i], waves[i] >= 2)) {
      WarpSpecializedScheduleAttr schedule =
          getScheduleOrNull(gemm.getContext(), params);
      if (result.size() < kCandidates && schedule &&
          !checkSchedule(gemm, schedule, chip) &&
          !llvm::is_contained(result, schedule))
        result.push_back(schedule);
    }
  return result;
}

/// Whether tensor copies cannot read A or B in place, as far as their types
/// tell. Offsets known at run time only, and bases, are taken to be right,
/// strides are not.
static bool mayNeedCopies(GemmOp gemm) {
  if (getIm2col(gemm.getA()) || getIm2col(gemm.getB()))
    return !findTensorWalks(gemm);
  for (Value operand : {gemm.getA(), gemm.getB()}) {
    auto type = cast<MemRefType>(operand.getType());
    SmallVector<int64_t> strides;
    int64_t offset, unit = getKnownUnitDim(operand);
    if (unit < 0 || failed(type.getStridesAndOffset(strides, offset)))
      return true;
    TensorMapFacts facts;
    facts.elementBits = type.getElementTypeBitWidth();
    facts.contiguousDim = unit;
    int64_t bytes = facts.elementBits / 8;
    if (!ShapedType::isDynamic(offset))
      facts.baseBytes = offset % 16 * bytes;
    strides.erase(strides.end() - 2 + unit);
    // The other dimension comes before the batch.
    for (int64_t stride : llvm::reverse(strides)) {
      if (ShapedType::isDynamic(stride))
        return true;
      int64_t pitch;
      if (llvm::MulOverflow(stride, bytes, pitch))
        return true;
      facts.strideBytes.push_back(pitch);
    }
    if (checkTensorMap(facts))
      return true;
  }
  return false;
}

static bool mayCopy(GemmOp gemm, Attribute schedule) {
  return isa<ArrayAttr>(schedule) || mayNeedCopies(gemm);
}

ScheduleFamily tile::getWarpSpecializedFamily() {
  return {"the tensor cores",      propose, describe, listCandidates,
          /*getFallback=*/nullptr, mayCopy};
}
