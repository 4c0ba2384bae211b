// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cost model of the multistage schedule, and what it proposes.
#include "Kernel.h"
#include "Multistage.h"
#include "Pack.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace tile;

/// Estimated: a launch with the first loads and the store of a wave, these of
/// each further wave; stores one element at a time.
static constexpr double kLaunchNs = 2500, kTileNs = 1000, kScalarStores = 1.5;
/// How much longer tiles take whose operands come by accesses of 8 and of 4
/// bytes, and through registers: 4096^3 of bf16 on an H200 takes 429, 645 to
/// 699 and 1083 us, with 16 bytes 335.
static constexpr double kEightBytes = 1.28, kFourBytes = 2, kRegisters = 3.3;
/// Bytes of the widest access.
static constexpr int64_t kWidestAccess = 16;
/// Of the bytes that tensor copies reach of device memory in a nanosecond.
static constexpr double kReachedMemory = 5.0 / 6;
/// What mma.sync reaches of the rate of wgmma: cuBLASLt's own kernels of either
/// kind at 8192^3 of bf16 on an H200.
static constexpr double kOfWgmma = 0.577;

namespace {

/// A schedule to choose from.
struct Candidate {
  int64_t tile[2], warps[2];
  /// Bytes along K of a stage, and how many; the next row may fit where a chip
  /// has less shared memory.
  int64_t bytesK, stages;
  /// Arithmetic rate with every multiprocessor busy, relative to the fastest.
  double rate;
};

} // namespace

/// Large tiles reuse more, small ones divide a problem more evenly. By times of
/// bf16 on an H200: 335 and 346 us of 4096^3 for the first two, 9.9, 10.3 and
/// 14.4 us of 1024^3 for those of 128 x 64, 64 x 64 and 64 x 32, 2.7 us of
/// 256^3 for 32 x 32. Stages of 128 bytes are as fast as those of 64, and
/// faster where narrower accesses divide them.
static constexpr Candidate kCandidates[] = {
    {{256, 128}, {4, 2}, 128, 3, 1.0}, {{128, 256}, {2, 4}, 128, 3, 0.97},
    {{256, 128}, {4, 2}, 64, 4, 1.0},  {{128, 256}, {2, 4}, 64, 4, 0.99},
    {{128, 128}, {2, 4}, 128, 3, 0.9}, {{128, 64}, {2, 2}, 128, 4, 0.8},
    {{64, 64}, {2, 2}, 128, 4, 0.7},   {{64, 32}, {2, 2}, 128, 4, 0.5},
    {{32, 32}, {2, 2}, 128, 4, 0.4},
};
/// For f64: sums take twice the registers. By 317 us of 2048^3 for the first
/// two, 9.9 and 13 us of 512^3 for the others.
static constexpr Candidate kDoubles[] = {
    {{128, 128}, {2, 4}, 128, 3, 1.0},
    {{64, 64}, {2, 2}, 128, 4, 0.98},
    {{32, 32}, {2, 2}, 256, 4, 0.6},
    {{32, 16}, {2, 1}, 256, 4, 0.4},
};
/// For tile-tune alone: two thread blocks on a multiprocessor, whose kernels
/// for operands through registers spill.
static constexpr Candidate kTuned[] = {
    {{128, 128}, {2, 2}, 64, 4, 1.0},
    {{128, 128}, {2, 2}, 64, 3, 1.0},
};

static ArrayRef<Candidate> getCandidates(Type type) {
  if (type.isF64())
    return kDoubles;
  return kCandidates;
}

static Type getFactor(GemmOp gemm) {
  return cast<MemRefType>(gemm.getA().getType()).getElementType();
}

static MultistageScheduleAttr build(GemmOp gemm, const Candidate &candidate) {
  MultistageScheduleAttr::Params params;
  int64_t bytes = getFactor(gemm).getIntOrFloatBitWidth() / 8;
  params.tile = {candidate.tile[0], candidate.tile[1],
                 candidate.bytesK / bytes};
  params.warps.assign(std::begin(candidate.warps), std::end(candidate.warps));
  params.stages = candidate.stages;
  params.swizzleSize = std::max<int64_t>(1, 1024 / candidate.tile[0]);
  return MultistageScheduleAttr::get(gemm.getContext(), params);
}

/// Floating-point operations of a multiprocessor in a nanosecond. f64 has the
/// rate of f32 on the multiply-add units where a chip is made for it, by
/// NVIDIA's data: 19.5 TFLOP/s of either on an A100, 67 on an H100.
static double getRate(Type type, const Chip &chip) {
  if (type.isF64())
    return chip.fmaFlopsPerNs;
  double ratio = 16.0 / type.getIntOrFloatBitWidth();
  return chip.tensorFlopsPerNs * ratio * (chip.hasWgmma() ? kOfWgmma : 1);
}

/// How much longer K takes by accesses of so many bytes.
static double getSlowdown(int64_t bytes) {
  return bytes >= kWidestAccess ? 1
         : bytes == 8           ? kEightBytes
         : bytes == 4           ? kFourBytes
                                : kRegisters;
}

namespace {

/// How operands that 16 bytes at a time cannot read are best read.
struct NarrowOperands {
  /// Bytes of an access without copies.
  int64_t bytes = kWidestAccess;
  /// Nanoseconds of the copies.
  double copyNs = 0;

  static NarrowOperands get(GemmOp gemm, const GemmExtents &extents,
                            const Chip &chip);
  bool any() const { return bytes < kWidestAccess; }
  /// Nanoseconds of what takes `tiled` with wide accesses.
  double getNs(double tiled) const {
    return std::min(tiled * getSlowdown(bytes), tiled + copyNs);
  }
};

} // namespace

NarrowOperands NarrowOperands::get(GemmOp gemm, const GemmExtents &extents,
                                   const Chip &chip) {
  NarrowOperands result;
  for (bool isB : {false, true}) {
    Value operand = isB ? gemm.getB() : gemm.getA();
    int64_t width = getAccessBytes(gemm, isB, /*proves=*/false);
    if (width == kWidestAccess)
      continue;
    result.bytes = std::min(result.bytes, width);
    int64_t bits = cast<MemRefType>(operand.getType()).getElementTypeBitWidth();
    double elements = static_cast<double>(extents.batch) *
                      std::max<int64_t>(extents.k, 1) *
                      (isB ? extents.n : extents.m);
    // Wider elements are not copied.
    result.copyNs += bits > 16 ? std::numeric_limits<double>::infinity()
                               : getPackFixedNs() + 2 * elements * (bits / 8) *
                                                        getPackBytesNs(chip);
  }
  return result;
}

/// What of the peak a schedule reaches where every multiprocessor is busy.
static double getShare(MultistageScheduleAttr schedule, Type type) {
  ArrayRef<Candidate> candidates = getCandidates(type);
  for (const Candidate &candidate : candidates)
    if (schedule.getTile().take_front(2) == ArrayRef(candidate.tile))
      return candidate.rate;
  return candidates.back().rate;
}

/// A schedule divides the problem or its transpose, where D is column-major.
static std::pair<double, double> getTiles(GemmOp gemm,
                                          const GemmExtents &extents,
                                          MultistageScheduleAttr schedule,
                                          const Chip &chip) {
  ArrayRef<int64_t> tile = schedule.getTile();
  int64_t m = extents.m, n = extents.n;
  if (getKnownUnitDim(gemm.getD()) == 0)
    std::swap(m, n);
  double tiles = static_cast<double>(extents.batch) *
                 llvm::divideCeil(m, tile[0]) * llvm::divideCeil(n, tile[1]);
  return {tiles, std::ceil(tiles / chip.multiprocessors)};
}

static double estimateNs(GemmOp gemm, const GemmExtents &extents,
                         MultistageScheduleAttr schedule, const Chip &chip) {
  Type type = getFactor(gemm);
  ArrayRef<int64_t> tile = schedule.getTile();
  double waves = getTiles(gemm, extents, schedule, chip).second;
  double k = std::max<int64_t>(extents.k, 1);
  double tiled = waves * 2 * tile[0] * tile[1] * k /
                 (getRate(type, chip) * getShare(schedule, type));
  double memory = extents.getMemoryNs(gemm, chip, kReachedMemory);
  tiled = NarrowOperands::get(gemm, extents, chip).getNs(tiled);
  return kLaunchNs + kTileNs * std::max(waves - 1, 0.0) +
         std::max(tiled, memory);
}

std::optional<double> tile::estimateMultistage(GemmOp gemm,
                                               MultistageScheduleAttr schedule,
                                               const Chip &chip) {
  GemmExtents extents = GemmExtents::get(gemm);
  if (extents.isDynamic())
    return std::nullopt;
  return estimateNs(gemm, extents, schedule, chip);
}

static Result<SmallVector<ScheduleProposal>> propose(GemmOp gemm,
                                                     const Chip &chip) {
  SmallVector<ScheduleProposal> result;
  Type type = getFactor(gemm);
  // Other families take what this one is not for: wgmma is faster, and f32 is
  // not tf32.
  if (type.isF64() ? !chip.hasFastDoubles() : chip.hasWgmma())
    return result;
  if (checkMultistageProblem(gemm, /*tf32=*/false, chip))
    return result;
  GemmExtents extents = GemmExtents::get(gemm);
  extents.assume();
  for (const Candidate &candidate : getCandidates(type)) {
    MultistageScheduleAttr schedule = build(gemm, candidate);
    if (checkSchedule(gemm, schedule, chip))
      continue;
    result.push_back({schedule, estimateNs(gemm, extents, schedule, chip)});
  }
  sortByTime(result);
  return result;
}

/// What becomes of operands that 16 bytes at a time cannot read.
static std::string describeOperands(GemmOp gemm, const GemmExtents &extents,
                                    const Chip &chip) {
  NarrowOperands narrow = NarrowOperands::get(gemm, extents, chip);
  if (!narrow.any())
    return "";
  std::string text = llvm::formatv("; operands are read {0} byte{1} at a time",
                                   narrow.bytes, narrow.bytes == 1 ? "" : "s")
                         .str();
  if (std::isinf(narrow.copyNs))
    return text;
  return text + llvm::formatv(", or copied first, about {0} µs, where that is "
                              "less and the workspace has room",
                              std::lround(narrow.copyNs / 1000))
                    .str();
}

static std::string describe(GemmOp gemm, Attribute attr, const Chip &chip) {
  GemmExtents extents = GemmExtents::get(gemm);
  std::string reason = "the tensor cores, by mma.sync";
  if (getFactor(gemm).isF64() && chip.hasWgmma())
    reason += ", as wgmma has no f64";
  auto schedule = cast<MultistageScheduleAttr>(attr);
  ArrayRef<int64_t> tile = schedule.getTile();
  if (extents.isDynamic())
    return reason + llvm::formatv(": extents are known at run time only: tiles "
                                  "of {0} × {1}, the best for large problems",
                                  tile[0], tile[1])
                        .str();
  auto [tiles, waves] = getTiles(gemm, extents, schedule, chip);
  double used = tiles == 0 ? 1 : tiles / (waves * chip.multiprocessors);
  return reason +
         llvm::formatv(": for {0} × {1}, {2} × {3} tiles use {4} % of the "
                       "multiprocessors over their waves",
                       extents.m, extents.n, tile[0], tile[1],
                       std::lround(used * 100))
             .str() +
         describeOperands(gemm, extents, chip);
}

static SmallVector<Attribute> listCandidates(GemmOp gemm, const Chip &chip) {
  SmallVector<Attribute> result;
  auto add = [&](const Candidate &candidate, int64_t blocks) {
    for (int64_t stages : {candidate.stages, candidate.stages + 1})
      // Rows of tiles that are visited together.
      for (int64_t rows : {1024, 2048, 512}) {
        auto params = build(gemm, candidate).getParams();
        params.stages = stages;
        params.minBlocks = blocks;
        params.swizzleSize = std::max<int64_t>(1, rows / candidate.tile[0]);
        Attribute schedule =
            MultistageScheduleAttr::get(gemm.getContext(), params);
        if (!llvm::is_contained(result, schedule))
          result.push_back(schedule);
      }
  };
  for (const Candidate &candidate : getCandidates(getFactor(gemm)))
    add(candidate, /*blocks=*/1);
  if (!getFactor(gemm).isF64())
    for (const Candidate &candidate : kTuned)
      add(candidate, /*blocks=*/2);
  return result;
}

ScheduleFamily tile::getMultistageFamily() {
  return {"mma.sync", propose, describe, listCandidates};
}

KernelCost tile::getMultistageCost(MultistageScheduleAttr schedule,
                                   Type elementType,
                                   const MultistageVariant &variant,
                                   const Chip &chip) {
  ArrayRef<int64_t> tile = schedule.getTile();
  KernelCost cost;
  cost.fixed = kLaunchNs;
  cost.tile = kTileNs * (variant.d.vector == 1 ? kScalarStores : 1);
  cost.k = 2.0 * tile[0] * tile[1] /
           (getRate(elementType, chip) * getShare(schedule, elementType));
  int64_t bytes = variant.a.vector * elementType.getIntOrFloatBitWidth() / 8;
  cost.k *=
      variant.copy == dsl::TileCopy::Async ? getSlowdown(bytes) : kRegisters;
  cost.bytes = 1 / (chip.memoryBytesPerNs * kReachedMemory);
  return cost;
}
