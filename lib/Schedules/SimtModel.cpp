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
/// Extents that are known at run time only, for estimates.
static constexpr int64_t kAssumedExtent = 4096;

namespace {

/// A schedule with sums in f32 to choose from.
struct Candidate {
  int64_t tile[3], warps[2], thread[2], minBlocks;
  /// Arithmetic rate with every multiprocessor busy, relative to the fastest.
  double rate;
};

/// The extents of a problem, dynamic ones as ShapedType has them.
struct Extents {
  int64_t m, n, k, batch;
  bool isDynamic() const {
    return ShapedType::isDynamic(m) || ShapedType::isDynamic(n);
  }
};

} // namespace

/// Large tiles reuse more, small ones divide a problem more evenly.
static constexpr Candidate kCandidates[] = {
    {{128, 128, 8}, {2, 2}, {16, 8}, 2, 1.0},
    {{64, 64, 32}, {2, 2}, {8, 4}, 3, 0.88},
    {{32, 64, 32}, {2, 2}, {4, 4}, 4, 0.75},
};
/// For f64: it keeps the accumulator in 64 registers.
static constexpr Candidate kDouble = {{64, 64, 8}, {2, 2}, {8, 4}, 2, 1.0};

static SimtScheduleAttr build(MLIRContext *context,
                              const Candidate &candidate) {
  SimtScheduleAttr::Params params;
  params.tile.assign(std::begin(candidate.tile), std::end(candidate.tile));
  params.warps.assign(std::begin(candidate.warps), std::end(candidate.warps));
  params.thread.assign(std::begin(candidate.thread),
                       std::end(candidate.thread));
  params.minBlocks = candidate.minBlocks;
  return SimtScheduleAttr::get(context, params);
}

static Type getFactorType(GemmOp gemm) {
  return cast<MemRefType>(gemm.getA().getType()).getElementType();
}

static Extents getExtents(GemmOp gemm) {
  auto a = cast<MemRefType>(gemm.getA().getType());
  auto d = cast<MemRefType>(gemm.getD().getType());
  unsigned rank = d.getRank();
  int64_t batch = rank == 3 ? d.getDimSize(0) : 1;
  int64_t k = a.getDimSize(a.getRank() - 1);
  return {d.getDimSize(rank - 2), d.getDimSize(rank - 1),
          ShapedType::isDynamic(k) ? kAssumedExtent : k,
          ShapedType::isDynamic(batch) ? 1 : batch};
}

/// Waves of tiles of all batches.
static double countWaves(const Extents &extents, ArrayRef<int64_t> tile,
                         const Chip &chip) {
  double tiles = static_cast<double>(extents.batch) *
                 llvm::divideCeil(extents.m, tile[0]) *
                 llvm::divideCeil(extents.n, tile[1]);
  return std::ceil(tiles / chip.multiprocessors);
}

/// Tiles of all batches over the places in the waves that they take.
static double getUsedShare(const Extents &extents, ArrayRef<int64_t> tile,
                           const Chip &chip) {
  double tiles = static_cast<double>(extents.batch) *
                 llvm::divideCeil(extents.m, tile[0]) *
                 llvm::divideCeil(extents.n, tile[1]);
  double waves = countWaves(extents, tile, chip);
  return tiles == 0 ? 1 : tiles / (waves * chip.multiprocessors);
}

/// What of the peak a schedule reaches where every multiprocessor is busy.
static double getRate(SimtScheduleAttr schedule) {
  for (const Candidate &candidate : kCandidates)
    if (schedule.getTile() == ArrayRef(candidate.tile))
      return candidate.rate;
  return kCandidates[2].rate;
}

/// The time of a problem is its waves over the rate within a wave, and a little
/// of what memory takes besides.
static double estimateNs(GemmOp gemm, const Extents &extents,
                         SimtScheduleAttr schedule, const Chip &chip) {
  double m = extents.m, n = extents.n, k = std::max<int64_t>(extents.k, 1);
  double used = getUsedShare(extents, schedule.getTile(), chip);
  // Tiles at the edges take as long as others. That and what a wave takes
  // besides are those of the largest tile for all, so that tiles rank by their
  // rate.
  ArrayRef<int64_t> largest = kCandidates[0].tile;
  double rows = std::ceil(m / largest[0]) * largest[0];
  double columns = std::ceil(n / largest[1]) * largest[1];
  double speed = used * getRate(schedule);
  double tiled = 2 * rows * columns * k * extents.batch /
                 (chip.multiprocessors * chip.fmaFlopsPerNs * speed);
  auto getBytes = [](Value operand) {
    return cast<MemRefType>(operand.getType()).getElementTypeBitWidth() / 8.0;
  };
  double bytes = (m + n) * k * getBytes(gemm.getA()) +
                 m * n * getBytes(gemm.getD()) * (gemm.getC() ? 2 : 1);
  double memory =
      bytes * extents.batch / (chip.memoryBytesPerNs * kSimtMemoryShare);
  double waves = countWaves(extents, largest, chip);
  constexpr double kBesides = 0.05;
  return kLaunchNs + kTileNs * std::max(waves, 1.0) + std::max(tiled, memory) +
         kBesides * std::min(tiled, memory);
}

std::optional<double> tile::estimateSimt(GemmOp gemm, SimtScheduleAttr schedule,
                                         const Chip &chip) {
  Extents extents = getExtents(gemm);
  if (extents.isDynamic())
    return std::nullopt;
  return estimateNs(gemm, extents, schedule, chip);
}

static std::string describeTiles(const Extents &extents,
                                 SimtScheduleAttr schedule, const Chip &chip) {
  ArrayRef<int64_t> tile = schedule.getTile();
  return llvm::formatv("{0} × {1} tiles use {2} % of the multiprocessors",
                       tile[0], tile[1],
                       std::lround(getUsedShare(extents, tile, chip) * 100))
      .str();
}

static Result<SmallVector<ScheduleProposal>> propose(GemmOp gemm,
                                                     const Chip &chip) {
  MLIRContext *context = gemm.getContext();
  Type type = getFactorType(gemm);
  SmallVector<ScheduleProposal> result;
  if (type.getIntOrFloatBitWidth() < 16)
    return result;
  Extents extents = getExtents(gemm);
  if (type.isF64() || extents.isDynamic()) {
    const Candidate &one = type.isF64() ? kDouble : kCandidates[0];
    extents.m = extents.n = kAssumedExtent;
    SimtScheduleAttr schedule = build(context, one);
    result.push_back({schedule, estimateNs(gemm, extents, schedule, chip)});
    return result;
  }
  for (const Candidate &candidate : kCandidates) {
    SimtScheduleAttr schedule = build(context, candidate);
    result.push_back({schedule, estimateNs(gemm, extents, schedule, chip)});
  }
  sortByTime(result);
  return result;
}

static std::string describe(GemmOp gemm, Attribute attr, const Chip &chip) {
  Extents extents = getExtents(gemm);
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
  Result<SmallVector<ScheduleProposal>> proposed = propose(gemm, chip);
  if (proposed && !proposed->empty() &&
      !llvm::is_contained(result, proposed->front().schedule))
    result.push_back(proposed->front().schedule);
  return result;
}

/// Small tiles where the extents are not known: large problems come here only
/// for want of a workspace.
static Attribute getFallback(GemmOp gemm, const Chip &chip) {
  if (getExtents(gemm).isDynamic() && !getFactorType(gemm).isF64())
    return build(gemm.getContext(), kCandidates[1]);
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
