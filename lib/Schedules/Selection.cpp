// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which schedule a problem gets, and why.
#include "Kernel.h"
#include "Pack.h"
#include "Simt.h"
#include "WarpSpecialized.h"
#include "WarpSpecializedModel.h"

#include "llvm/Support/FormatVariadic.h"

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
/// tell: they want stride 1 along one dimension and multiples of 16 bytes
/// along the others and for the offset. Offsets known at run time only, and
/// bases, are taken to be right.
static bool mayNeedCopies(GemmOp gemm) {
  for (Value operand : {gemm.getA(), gemm.getB()}) {
    auto type = cast<MemRefType>(operand.getType());
    int64_t elements = 16 / (type.getElementTypeBitWidth() / 8);
    SmallVector<int64_t> strides;
    int64_t offset, unit = getKnownUnitDim(operand);
    if (unit < 0 || failed(type.getStridesAndOffset(strides, offset)) ||
        (!ShapedType::isDynamic(offset) && offset % elements != 0))
      return true;
    strides.erase(strides.end() - 2 + unit);
    for (int64_t stride : strides)
      if (ShapedType::isDynamic(stride) || stride % elements != 0)
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

/// Why the SIMT schedule cannot build kernels for a problem.
static std::optional<std::string> checkSimt(GemmOp gemm,
                                            SimtScheduleAttr simt) {
  Type typeA = cast<MemRefType>(gemm.getA().getType()).getElementType();
  int64_t bits = getFactorBits(gemm);
  // The dialect knows no other types of 16 bits or more.
  if (bits < 16 || (bits < 32 && simt.getStages() > 0)) {
    std::string text =
        bits < 16 ? "expected operands of f64, f32, f16 or bf16, but got "
                  : "expected operands of f64 or f32 for stages that "
                    "asynchronous copies fill, but got ";
    llvm::raw_string_ostream(text) << typeA;
    return text;
  }
  for (const SimtVariant &variant : getSimtVariants(gemm, simt))
    if (Result<SimtParts> parts = getSimtParts(simt, typeA, variant); !parts)
      return parts.getReason();
  return std::nullopt;
}

/// Why the warp-specialised schedule cannot.
static std::optional<std::string>
checkWarpSpecialized(GemmOp gemm, WarpSpecializedScheduleAttr schedule) {
  Type typeA = cast<MemRefType>(gemm.getA().getType()).getElementType();
  // Products of tf32 are less than those of f32: only who asks gets them.
  bool tf32 = schedule.getTf32() == 1;
  if (tf32 ? !typeA.isF32() : typeA.getIntOrFloatBitWidth() > 16) {
    std::string text =
        tf32 ? "expected operands of f32 for tf32 = 1, but got "
             : "expected operands of 16 or 8 bits, or tf32 = 1 and f32, but "
               "got ";
    llvm::raw_string_ostream(text) << typeA;
    return text;
  }
  if (getUnitDims(gemm.getD()).empty()) {
    std::string text = "expected D with unit stride along rows or columns, but "
                       "got ";
    llvm::raw_string_ostream(text) << gemm.getD().getType();
    return text;
  }
  for (const WarpSpecializedVariant &variant :
       getWarpSpecializedVariants(gemm, schedule))
    if (Result<WarpSpecializedParts> parts =
            getWarpSpecializedParts(schedule, variant);
        !parts)
      return parts.getReason();
  return std::nullopt;
}

std::optional<std::string> tile::checkSchedule(GemmOp gemm,
                                               Attribute schedule) {
  if (auto list = dyn_cast_or_null<ArrayAttr>(schedule)) {
    if (list.empty())
      return "expected at least one schedule in the list";
    for (Attribute each : list)
      if (std::optional<std::string> reason = checkSchedule(gemm, each))
        return reason;
    return std::nullopt;
  }
  if (auto simt = dyn_cast_or_null<SimtScheduleAttr>(schedule))
    return checkSimt(gemm, simt);
  if (auto special = dyn_cast_or_null<WarpSpecializedScheduleAttr>(schedule))
    return checkWarpSpecialized(gemm, special);
  std::string text = "expected a schedule such as #tile.simt<…> or "
                     "#tile.warp_specialized<…>, but got ";
  llvm::raw_string_ostream stream(text);
  stream << schedule;
  return text;
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

/// Appends one kernel with all ways to prepare its operands: neither, one,
/// both.
static void addChoices(GemmOp gemm, gpu::GPUFuncOp kernel,
                       const WarpSpecializedVariant &variant,
                       gpu::GPUModuleOp module,
                       SmallVectorImpl<KernelChoice> &choices) {
  Builder builder(gemm.getContext());
  choices.push_back({kernel, {}});
  SmallVector<Attribute> copies;
  for (const TensorOperand *operand : {&variant.left, &variant.right}) {
    Value value = operand->name == 'A' ? gemm.getA() : gemm.getB();
    PackSpec spec;
    spec.elementBytes = operand->elementType.getIntOrFloatBitWidth() / 8;
    spec.source = getKnownUnitDim(value);
    spec.packed = operand->contiguous;
    spec.batched = operand->batched;
    gpu::GPUFuncOp pack = getPackKernel(module, gemm.getLoc(), spec);
    copies.push_back(builder.getDictionaryAttr(
        {builder.getNamedAttr(
             "operand", builder.getStringAttr(StringRef(&operand->name, 1))),
         builder.getNamedAttr("kernel",
                              FlatSymbolRefAttr::get(pack.getNameAttr())),
         builder.getNamedAttr("contiguous",
                              builder.getI64IntegerAttr(spec.packed)),
         builder.getNamedAttr("pitch_multiple",
                              builder.getI64IntegerAttr(getPackedPitchMultiple(
                                  spec.elementBytes)))}));
  }
  choices.push_back({kernel, {copies[0]}});
  choices.push_back({kernel, {copies[1]}});
  choices.push_back({kernel, copies});
}

SmallVector<KernelChoice> tile::buildKernels(GemmOp gemm, Attribute schedule,
                                             gpu::GPUModuleOp module) {
  SmallVector<KernelChoice> choices;
  if (auto list = dyn_cast<ArrayAttr>(schedule)) {
    for (Attribute each : list)
      llvm::append_range(choices, buildKernels(gemm, each, module));
    return choices;
  }
  if (auto special = dyn_cast<WarpSpecializedScheduleAttr>(schedule)) {
    for (const WarpSpecializedVariant &variant :
         getWarpSpecializedVariants(gemm, special)) {
      Result<WarpSpecializedParts> parts =
          getWarpSpecializedParts(special, variant);
      if (!parts)
        continue;
      gpu::GPUFuncOp kernel =
          buildWarpSpecializedKernel(gemm, special, variant, *parts, module);
      // Copies make the operands right; D has to be as the kernel wants it.
      if (variant.requiresOperandsOnly())
        addChoices(gemm, kernel, variant, module, choices);
      else
        choices.push_back({kernel, {}});
    }
    return choices;
  }
  auto simt = cast<SimtScheduleAttr>(schedule);
  Type elementType = cast<MemRefType>(gemm.getA().getType()).getElementType();
  for (const SimtVariant &variant : getSimtVariants(gemm, simt))
    if (Result<SimtParts> parts = getSimtParts(simt, elementType, variant))
      choices.push_back(
          {buildSimtKernel(gemm, simt, variant, *parts, module), {}});
  return choices;
}
