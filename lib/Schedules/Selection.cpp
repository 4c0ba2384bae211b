// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which schedule a problem gets, and why.
#include "Kernel.h"
#include "Simt.h"
#include "WarpSpecialized.h"
#include "WarpSpecializedModel.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace tile;

/// Multiprocessors of the chip that the choice is tuned for, an H200; the
/// measurements are in bench/results.
static constexpr int64_t kMultiprocessors = 132;

namespace {

/// A schedule with sums in f32 to choose from.
struct Candidate {
  int64_t tile[3], warps[2], thread[2], minBlocks;
  /// Arithmetic rate with every multiprocessor busy, relative to the fastest.
  double rate;
  /// Share of the multiprocessors that work, over the waves of a problem.
  double used = 0;
};

} // namespace

/// Large tiles reuse more, small ones divide a problem more evenly.
static constexpr Candidate kCandidates[] = {
    {{128, 128, 8}, {2, 2}, {16, 8}, 2, 1.0},
    {{64, 64, 32}, {2, 2}, {8, 4}, 3, 0.88},
    {{32, 64, 32}, {2, 2}, {4, 4}, 4, 0.75},
};

/// Tiles of all batches over the places in the waves that they take.
static double usedShare(MemRefType d, const Candidate &candidate) {
  unsigned rank = d.getRank();
  double tiles = 1;
  if (rank == 3 && !ShapedType::isDynamic(d.getDimSize(0)))
    tiles = d.getDimSize(0);
  for (int side : {0, 1})
    tiles *=
        llvm::divideCeil(d.getDimSize(rank - 2 + side), candidate.tile[side]);
  double waves = std::ceil(tiles / kMultiprocessors);
  return tiles == 0 ? 1 : tiles / (waves * kMultiprocessors);
}

static std::string describe(const Candidate &candidate) {
  return llvm::formatv("{0} × {1} tiles use {2} % of the multiprocessors",
                       candidate.tile[0], candidate.tile[1],
                       std::lround(candidate.used * 100))
      .str();
}

/// Bits of an element of A and B.
static int64_t getFactorBits(GemmOp gemm) {
  return cast<MemRefType>(gemm.getA().getType()).getElementTypeBitWidth();
}

static SimtScheduleAttr build(MLIRContext *context,
                              const Candidate &candidate) {
  return SimtScheduleAttr::get(context, candidate.tile, candidate.warps,
                               candidate.thread, candidate.minBlocks,
                               /*group=*/8);
}

/// The schedule on the fused multiply-add units for sums in f32. `unknown` is
/// the one for extents that are known at run time only.
static ScheduleChoice selectSimt(GemmOp gemm, const Candidate &unknown) {
  auto d = cast<MemRefType>(gemm.getD().getType());
  MLIRContext *context = gemm.getContext();
  int64_t m = d.getDimSize(d.getRank() - 2), n = d.getDimSize(d.getRank() - 1);
  if (ShapedType::isDynamic(m) || ShapedType::isDynamic(n))
    return {build(context, unknown),
            "extents are known at run time only: tiles of 128 × 128, the best "
            "for large problems"};

  // The time of a problem is its waves over the rate within a wave.
  SmallVector<Candidate> candidates(std::begin(kCandidates),
                                    std::end(kCandidates));
  for (Candidate &candidate : candidates)
    candidate.used = usedShare(d, candidate);
  const Candidate *best = &candidates[0];
  for (const Candidate &candidate : candidates)
    if (candidate.used * candidate.rate > best->used * best->rate)
      best = &candidate;
  std::string reason = llvm::formatv("for {0} × {1}, {2} over their waves", m,
                                     n, describe(*best))
                           .str();
  if (best != &candidates[0])
    reason += ", " + describe(candidates[0]);
  return {build(context, *best), reason};
}

/// Whether tensor copies cannot read A or B in place, as far as their types
/// tell. Offsets known at run time only, and bases, are taken to be right,
/// strides are not.
static bool mayNeedCopies(GemmOp gemm) {
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

/// The schedule for factors of 16 bits where there is wgmma.
static ScheduleChoice selectForWgmma(GemmOp gemm) {
  ScheduleChoice choice = selectWarpSpecialized(gemm);
  // Small tiles: large problems come here only for want of a workspace.
  ScheduleChoice simt = selectSimt(gemm, kCandidates[1]);
  if (checkSchedule(gemm, choice.schedule))
    return {simt.schedule,
            "D has no unit stride, which the tensor cores' kernels need"};
  auto list = dyn_cast<ArrayAttr>(choice.schedule);
  if (!list && !mayNeedCopies(gemm))
    return choice;
  SmallVector<Attribute> schedules{choice.schedule};
  if (list)
    schedules.assign(list.begin(), list.end());
  schedules.push_back(simt.schedule);
  choice.schedule = ArrayAttr::get(gemm.getContext(), schedules);
  if (!list)
    choice.reason += "; the fused multiply-add units where copies of operands "
                     "do not pay, or have no workspace";
  return choice;
}

ScheduleChoice tile::selectSchedule(GemmOp gemm, bool hasWgmma) {
  auto d = cast<MemRefType>(gemm.getD().getType());
  if (d.getElementType().isF64())
    return {SimtScheduleAttr::get(gemm.getContext(), {64, 64, 8}, {2, 2},
                                  {8, 4}, /*min_blocks=*/2, /*group=*/8),
            "f64 on the fused multiply-add units: 64 × 64 tiles keep the "
            "accumulator in 64 registers"};
  if (getFactorBits(gemm) == 8)
    return selectWarpSpecialized(gemm);
  if (getFactorBits(gemm) == 16 && hasWgmma)
    return selectForWgmma(gemm);
  return selectSimt(gemm, kCandidates[0]);
}

SmallVector<Attribute> tile::candidateSchedules(GemmOp gemm, bool hasWgmma) {
  int64_t bits = getFactorBits(gemm);
  if (bits == 8 || (bits == 16 && hasWgmma))
    return candidateWarpSpecialized(gemm);
  MLIRContext *context = gemm.getContext();
  SmallVector<Attribute> result;
  for (int64_t group : {8, 4})
    for (const Candidate &candidate : kCandidates)
      for (int64_t minBlocks : {candidate.minBlocks, candidate.minBlocks - 1})
        result.push_back(
            SimtScheduleAttr::get(context, candidate.tile, candidate.warps,
                                  candidate.thread, minBlocks, group));
  Attribute selected = selectSchedule(gemm, hasWgmma).schedule;
  if (!llvm::is_contained(result, selected))
    result.push_back(selected);
  llvm::erase_if(result, [&](Attribute schedule) {
    return checkSchedule(gemm, schedule).has_value();
  });
  return result;
}
