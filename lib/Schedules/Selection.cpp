// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which schedule a problem gets, and why.
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

/// A float32 schedule to choose from.
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

/// Whether the tensor cores' schedule is the one for a problem.
static bool hasNarrowOperands(GemmOp gemm) {
  return cast<MemRefType>(gemm.getA().getType()).getElementTypeBitWidth() <= 16;
}

ScheduleChoice tile::selectSchedule(GemmOp gemm) {
  auto d = cast<MemRefType>(gemm.getD().getType());
  MLIRContext *context = gemm.getContext();
  int64_t m = d.getDimSize(d.getRank() - 2), n = d.getDimSize(d.getRank() - 1);
  auto simt = [&](ArrayRef<int64_t> tile, ArrayRef<int64_t> warps,
                  ArrayRef<int64_t> thread, int64_t minBlocks) {
    return SimtScheduleAttr::get(context, tile, warps, thread, minBlocks,
                                 /*group=*/8);
  };
  auto build = [&](const Candidate &candidate) {
    return simt(candidate.tile, candidate.warps, candidate.thread,
                candidate.minBlocks);
  };
  if (d.getElementType().isF64())
    return {simt({64, 64, 8}, {2, 2}, {8, 4}, 2),
            "f64 on the fused multiply-add units: 64 × 64 tiles keep the "
            "accumulator in 64 registers"};
  if (hasNarrowOperands(gemm))
    return selectWarpSpecialized(gemm);
  const Candidate &largest = kCandidates[0];
  if (ShapedType::isDynamic(m) || ShapedType::isDynamic(n))
    return {build(largest),
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
  return {build(*best), reason};
}

/// Why the SIMT schedule cannot build kernels for a problem.
static std::optional<std::string> checkSimt(GemmOp gemm,
                                            SimtScheduleAttr simt) {
  Type elementType = cast<MemRefType>(gemm.getD().getType()).getElementType();
  Type typeA = cast<MemRefType>(gemm.getA().getType()).getElementType();
  if (typeA != elementType || (!elementType.isF32() && !elementType.isF64())) {
    std::string text = "expected operands of f32 or f64, but got ";
    llvm::raw_string_ostream(text) << typeA;
    return text;
  }
  for (const SimtVariant &variant : getSimtVariants(gemm, simt))
    if (Result<SimtParts> parts = getSimtParts(simt, elementType, variant);
        !parts)
      return parts.getReason();
  return std::nullopt;
}

/// Why the warp-specialised schedule cannot.
static std::optional<std::string>
checkWarpSpecialized(GemmOp gemm, WarpSpecializedScheduleAttr schedule) {
  Type typeA = cast<MemRefType>(gemm.getA().getType()).getElementType();
  if (typeA.getIntOrFloatBitWidth() > 16) {
    std::string text = "expected operands of 16 or 8 bits, but got ";
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

SmallVector<Attribute> tile::candidateSchedules(GemmOp gemm) {
  if (hasNarrowOperands(gemm))
    return candidateWarpSpecialized(gemm);
  MLIRContext *context = gemm.getContext();
  SmallVector<Attribute> result;
  for (int64_t group : {8, 4})
    for (const Candidate &candidate : kCandidates)
      for (int64_t minBlocks : {candidate.minBlocks, candidate.minBlocks - 1})
        result.push_back(
            SimtScheduleAttr::get(context, candidate.tile, candidate.warps,
                                  candidate.thread, minBlocks, group));
  Attribute selected = selectSchedule(gemm).schedule;
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
  Type elementType = cast<MemRefType>(gemm.getD().getType()).getElementType();
  for (const SimtVariant &variant : getSimtVariants(gemm, simt))
    if (Result<SimtParts> parts = getSimtParts(simt, elementType, variant))
      choices.push_back(
          {buildSimtKernel(gemm, simt, variant, *parts, module), {}});
  return choices;
}
