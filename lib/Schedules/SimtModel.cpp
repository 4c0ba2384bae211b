// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cost model of the SIMT schedule, and what it proposes for a problem.
#include "Kernel.h"
#include "Simt.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace tile;

/// Estimated: launch, first loads and store of a tile; how much longer a tile
/// takes whose operands are loaded one element at a time.
static constexpr double kLaunchNs = 2500, kTileNs = 1000, kScalar = 1.25;
/// Of the bytes that tensor copies reach of device memory in a nanosecond.
static constexpr double kSimtMemoryShare = 5.0 / 6;

namespace {

/// The most blocks on a multiprocessor that a candidate's rates tell apart.
constexpr int64_t kMostBlocks = 4;

/// A schedule with sums in f32 to choose from.
struct Candidate {
  int64_t tile[3], warps[2], thread[2], minBlocks;
  /// Arithmetic rate of a multiprocessor that runs 1, 2, … blocks at a time,
  /// relative to the fastest.
  double rates[kMostBlocks];
  /// What an exchange of sums adds for each of these blocks, in nanoseconds.
  double exchangeNs;
  /// The most blocks that may share a tile along K.
  int64_t mostParts;
};

} // namespace

/// Large tiles reuse more, small ones divide a problem more evenly. The rates
/// and exchanges are fitted to 28 schedules at 16 problems on an H200 (within
/// 5 % in the root mean square; bench/results/2026-12-01-h200-simt-split.csv).
static constexpr Candidate kCandidates[] = {
    {{128, 128, 8}, {2, 2}, {16, 8}, 2, {0.65, 1.0}, 2200, 2},
    {{64, 128, 16}, {2, 2}, {8, 8}, 3, {0.6, 0.91, 0.975}, 840, 8},
    {{64, 64, 32}, {2, 2}, {8, 4}, 3, {0.55, 0.75, 0.83}, 460, 8},
    {{64, 64, 16}, {2, 2}, {8, 4}, 4, {0.43, 0.76, 0.78, 0.89}, 270, 8},
    {{32, 64, 32}, {2, 2}, {4, 4}, 4, {0.39, 0.59, 0.6, 0.61}, 180, 8},
};
/// Where large problems come only for want of a workspace.
static constexpr const Candidate &kSmall = kCandidates[2];
/// For f64: it keeps the accumulator in 64 registers. Measured at 4096^3.
static constexpr Candidate kDouble = {{64, 64, 8}, {2, 2}, {8, 4}, 2,
                                      {0.2, 0.3},  0,      1};

static SimtScheduleAttr build(MLIRContext *context, const Candidate &candidate,
                              int64_t splitK = 1) {
  SimtScheduleAttr::Params params;
  params.tile.assign(std::begin(candidate.tile), std::end(candidate.tile));
  params.warps.assign(std::begin(candidate.warps), std::end(candidate.warps));
  params.thread.assign(std::begin(candidate.thread),
                       std::end(candidate.thread));
  params.minBlocks = candidate.minBlocks;
  params.splitK = splitK;
  return SimtScheduleAttr::get(context, params);
}

static Type getFactorType(GemmOp gemm) {
  return cast<MemRefType>(gemm.getA().getType()).getElementType();
}

/// Tiles of all batches.
static double countTiles(const GemmExtents &extents, ArrayRef<int64_t> tile) {
  return static_cast<double>(extents.batch) *
         llvm::divideCeil(extents.m, tile[0]) *
         llvm::divideCeil(extents.n, tile[1]);
}

/// The candidate that a schedule is, or the one that is most like it.
static const Candidate &findCandidate(SimtScheduleAttr schedule) {
  for (const Candidate &candidate : kCandidates)
    if (schedule.getTile() == ArrayRef(candidate.tile))
      return candidate;
  if (schedule.getTile() == ArrayRef(kDouble.tile))
    return kDouble;
  return std::end(kCandidates)[-1];
}

/// Multiprocessors that blocks find, of which so many in a cluster must fit.
static double countMultiprocessors(int64_t splitK, const Chip &chip) {
  return chip.countClusters(splitK) * splitK;
}

/// What a multiprocessor takes for the blocks that it gets, in rounds of as
/// many as it runs at a time.
static double estimateTilesNs(const GemmExtents &extents,
                              SimtScheduleAttr schedule, const Chip &chip) {
  const Candidate &candidate = findCandidate(schedule);
  ArrayRef<int64_t> tile = schedule.getTile();
  int64_t split = schedule.getSplitK(),
          most = std::min(schedule.getMinBlocks(), kMostBlocks);
  // A candidate of fewer blocks is as fast with more.
  auto getRate = [&](int64_t blocks) {
    return candidate.rates[std::min(blocks, candidate.minBlocks) - 1];
  };
  int64_t k = std::max<int64_t>(extents.k, 1);
  int64_t part = llvm::divideCeil(llvm::divideCeil(k, tile[2]), split);
  double flops = 2.0 * tile[0] * tile[1] * tile[2] * part;
  auto getRound = [&](int64_t blocks) {
    return blocks * (flops / (chip.fmaFlopsPerNs * getRate(blocks)) +
                     (split > 1 ? candidate.exchangeNs : 0));
  };
  double perRound = countMultiprocessors(split, chip) * most;
  double blocks = countTiles(extents, tile) * split;
  double rounds = std::floor(blocks / perRound);
  double rest = std::ceil((blocks - rounds * perRound) * most / perRound);
  double time = rounds * getRound(most);
  return rest > 0 ? time + getRound(static_cast<int64_t>(rest)) : time;
}

/// The time of a problem is what its blocks take one after the other, or
/// memory, and a little of the other.
static double estimateNs(GemmOp gemm, const GemmExtents &extents,
                         SimtScheduleAttr schedule, const Chip &chip) {
  double tiled = estimateTilesNs(extents, schedule, chip);
  double memory = extents.getMemoryNs(gemm, chip, kSimtMemoryShare);
  constexpr double kBesides = 0.05;
  return kLaunchNs + std::max(tiled, memory) +
         kBesides * std::min(tiled, memory);
}

std::optional<double> tile::estimateSimt(GemmOp gemm, SimtScheduleAttr schedule,
                                         const Chip &chip) {
  GemmExtents extents = GemmExtents::get(gemm);
  if (extents.isDynamic())
    return std::nullopt;
  return estimateNs(gemm, extents, schedule, chip);
}

static std::string describeTiles(const GemmExtents &extents,
                                 SimtScheduleAttr schedule, const Chip &chip) {
  ArrayRef<int64_t> tile = schedule.getTile();
  int64_t split = schedule.getSplitK();
  double blocks = countTiles(extents, tile) * split;
  double places = countMultiprocessors(split, chip);
  double used =
      blocks == 0 ? 1 : blocks / (std::ceil(blocks / places) * places);
  std::string parts =
      split == 1 ? "" : llvm::formatv(", in {0} parts of K,", split).str();
  return llvm::formatv("{0} × {1} tiles{2} use {3} % of the multiprocessors",
                       tile[0], tile[1], parts, std::lround(used * 100))
      .str();
}

/// The candidates for extents that are known, with as many parts of K as the
/// chip and the type allow. K is only split where whole tiles do not fill the
/// chip: at 8191^3, two parts take 5 % longer, as twice as much of A and B is
/// in use at a time.
static SmallVector<SimtScheduleAttr>
listSchedules(GemmOp gemm, const GemmExtents &extents, const Chip &chip) {
  SmallVector<SimtScheduleAttr> result;
  bool maySplit = chip.hasClusters() && getFactorType(gemm).isF32();
  for (const Candidate &candidate : kCandidates) {
    bool fills =
        countTiles(extents, candidate.tile) >
        candidate.minBlocks * static_cast<double>(chip.multiprocessors);
    int64_t most = maySplit && !fills ? candidate.mostParts : 1;
    for (int64_t split = 1; split <= most; split *= 2)
      result.push_back(build(gemm.getContext(), candidate, split));
  }
  return result;
}

static Result<SmallVector<ScheduleProposal>> propose(GemmOp gemm,
                                                     const Chip &chip) {
  SmallVector<ScheduleProposal> result;
  Type type = getFactorType(gemm);
  if (type.getIntOrFloatBitWidth() < 16)
    return result;
  GemmExtents extents = GemmExtents::get(gemm);
  if (type.isF64() || extents.isDynamic()) {
    const Candidate &one = type.isF64() ? kDouble : kCandidates[0];
    extents.assume();
    SimtScheduleAttr schedule = build(gemm.getContext(), one);
    result.push_back({schedule, estimateNs(gemm, extents, schedule, chip)});
    return result;
  }
  for (SimtScheduleAttr schedule : listSchedules(gemm, extents, chip))
    result.push_back({schedule, estimateNs(gemm, extents, schedule, chip)});
  sortByTime(result);
  return result;
}

static std::string describe(GemmOp gemm, Attribute attr, const Chip &chip) {
  GemmExtents extents = GemmExtents::get(gemm);
  if (getFactorType(gemm).isF64())
    return "f64 on the fused multiply-add units: 64 × 64 tiles keep the "
           "accumulator in 64 registers";
  if (extents.isDynamic())
    return "extents are known at run time only: tiles of 128 × 128, the best "
           "for large problems";
  auto schedule = cast<SimtScheduleAttr>(attr);
  std::string reason =
      llvm::formatv("for {0} × {1}, {2} over their waves", extents.m, extents.n,
                    describeTiles(extents, schedule, chip))
          .str();
  SimtScheduleAttr largest = build(gemm.getContext(), kCandidates[0]);
  if (schedule != largest)
    reason += ", " + describeTiles(extents, largest, chip);
  return reason;
}

static SmallVector<Attribute> listCandidates(GemmOp gemm, const Chip &chip) {
  MLIRContext *context = gemm.getContext();
  SmallVector<Attribute> result;
  for (int64_t size : {8, 4})
    for (const Candidate &candidate : kCandidates)
      for (int64_t minBlocks : {candidate.minBlocks, candidate.minBlocks - 1}) {
        SimtScheduleAttr::Params params = build(context, candidate).getParams();
        params.minBlocks = minBlocks;
        params.swizzleSize = size;
        result.push_back(SimtScheduleAttr::get(context, params));
      }
  if (GemmExtents extents = GemmExtents::get(gemm); !extents.isDynamic())
    for (SimtScheduleAttr schedule : listSchedules(gemm, extents, chip))
      if (schedule.getSplitK() > 1)
        result.push_back(schedule);
  Result<SmallVector<ScheduleProposal>> proposed = propose(gemm, chip);
  if (proposed && !proposed->empty() &&
      !llvm::is_contained(result, proposed->front().schedule))
    result.push_back(proposed->front().schedule);
  return result;
}

/// Small tiles where the extents are not known.
static Attribute getFallback(GemmOp gemm, const Chip &chip) {
  if (GemmExtents::get(gemm).isDynamic() && !getFactorType(gemm).isF64())
    return build(gemm.getContext(), kSmall);
  Result<SmallVector<ScheduleProposal>> proposed = propose(gemm, chip);
  return proposed && !proposed->empty() ? proposed->front().schedule
                                        : Attribute();
}

ScheduleFamily tile::getSimtFamily() {
  return {"the fused multiply-add units", propose, describe, listCandidates,
          getFallback};
}

KernelCost tile::getSimtCost(SimtScheduleAttr schedule,
                             const SimtVariant &variant, const Chip &chip) {
  ArrayRef<int64_t> tile = schedule.getTile(), thread = schedule.getThread();
  double products = thread[0] * thread[1];
  // An extension of a fragment's element takes the place of a multiply-add.
  double issued = (products + thread[0] + thread[1]) / products;
  KernelCost cost;
  cost.fixed = kLaunchNs;
  cost.tile = kTileNs;
  cost.k = 2.0 * tile[0] * tile[1] / chip.fmaFlopsPerNs * issued;
  if (variant.a.vector == 1 || variant.b.vector == 1)
    cost.k *= kScalar;
  cost.bytes = 1 / (chip.memoryBytesPerNs * kSimtMemoryShare);
  return cost;
}
