// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dialect's schedules as implementations of ScheduleAttrInterface.
#include "Kernel.h"
#include "Pack.h"
#include "Simt.h"
#include "WarpSpecialized.h"

#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace tile;

#include "tile/Schedules/ScheduleAttrInterfaces.cpp.inc"

static Type getFactorType(GemmOp gemm) {
  return cast<MemRefType>(gemm.getA().getType()).getElementType();
}

/// "expected …, but got …".
template <typename T>
static std::string expected(StringRef what, const T &actual) {
  std::string text;
  llvm::raw_string_ostream(text)
      << "expected " << what << ", but got " << actual;
  return text;
}

namespace {

struct SimtModel
    : ScheduleAttrInterface::ExternalModel<SimtModel, SimtScheduleAttr> {
  std::optional<std::string> checkChip(Attribute, StringRef) const {
    return std::nullopt;
  }

  std::optional<std::string> checkProblem(Attribute attr, GemmOp gemm) const {
    auto schedule = cast<SimtScheduleAttr>(attr);
    Type type = getFactorType(gemm);
    // The dialect knows no other types of 16 bits or more.
    unsigned bits = type.getIntOrFloatBitWidth();
    if (bits < 16)
      return expected("operands of f64, f32, f16 or bf16", type);
    if (bits < 32 && schedule.getStages() > 0)
      return expected("operands of f64 or f32 for stages that asynchronous "
                      "copies fill",
                      type);
    for (const SimtVariant &variant : getSimtVariants(gemm, schedule))
      if (Result<SimtParts> parts = getSimtParts(schedule, type, variant);
          !parts)
        return parts.getReason();
    return std::nullopt;
  }

  SmallVector<KernelChoice> buildKernels(Attribute attr, GemmOp gemm,
                                         gpu::GPUModuleOp module) const {
    auto schedule = cast<SimtScheduleAttr>(attr);
    SmallVector<KernelChoice> choices;
    for (const SimtVariant &variant : getSimtVariants(gemm, schedule))
      if (Result<SimtParts> parts =
              getSimtParts(schedule, getFactorType(gemm), variant))
        choices.push_back(
            {buildSimtKernel(gemm, schedule, variant, *parts, module), {}});
    return choices;
  }
};

} // namespace

/// Appends one kernel with all ways to prepare its operands: neither, one,
/// both.
static void addChoices(GemmOp gemm, gpu::GPUFuncOp kernel,
                       const WarpSpecializedVariant &variant,
                       gpu::GPUModuleOp module,
                       SmallVectorImpl<KernelChoice> &choices) {
  Builder builder(gemm.getContext());
  choices.push_back({kernel, {}});
  SmallVector<PrepareAttr> copies;
  for (const TensorOperand *operand : {&variant.left, &variant.right}) {
    Value value = operand->name == 'A' ? gemm.getA() : gemm.getB();
    PackSpec spec;
    spec.elementBytes = operand->elementType.getIntOrFloatBitWidth() / 8;
    spec.source = getKnownUnitDim(value);
    spec.packed = operand->contiguous;
    spec.batched = operand->batched;
    gpu::GPUFuncOp pack = getPackKernel(module, gemm.getLoc(), spec);
    copies.push_back(PrepareAttr::get(
        gemm.getContext(), builder.getStringAttr(StringRef(&operand->name, 1)),
        SymbolRefAttr::get(module.getNameAttr(),
                           {FlatSymbolRefAttr::get(pack.getNameAttr())}),
        spec.packed, getPackedPitchMultiple(spec.elementBytes)));
  }
  choices.push_back({kernel, {copies[0]}});
  choices.push_back({kernel, {copies[1]}});
  choices.push_back({kernel, copies});
}

namespace {

struct WarpSpecializedModel
    : ScheduleAttrInterface::ExternalModel<WarpSpecializedModel,
                                           WarpSpecializedScheduleAttr> {
  std::optional<std::string> checkChip(Attribute, StringRef chip) const {
    if (hasWgmma(chip))
      return std::nullopt;
    return expected("a chip with wgmma, sm_90a", chip);
  }

  std::optional<std::string> checkProblem(Attribute attr, GemmOp gemm) const {
    auto schedule = cast<WarpSpecializedScheduleAttr>(attr);
    Type type = getFactorType(gemm);
    // Products of tf32 are less than those of f32: only who asks gets them.
    bool tf32 = schedule.getTf32() == 1;
    if (tf32 && !type.isF32())
      return expected("operands of f32 for tf32 = 1", type);
    if (!tf32 && type.getIntOrFloatBitWidth() > 16)
      return expected("operands of 16 or 8 bits, or tf32 = 1 and f32", type);
    if (getUnitDims(gemm.getD()).empty())
      return expected("D with unit stride along rows or columns",
                      gemm.getD().getType());
    for (const WarpSpecializedVariant &variant :
         getWarpSpecializedVariants(gemm, schedule))
      if (Result<WarpSpecializedParts> parts =
              getWarpSpecializedParts(schedule, variant);
          !parts)
        return parts.getReason();
    return std::nullopt;
  }

  SmallVector<KernelChoice> buildKernels(Attribute attr, GemmOp gemm,
                                         gpu::GPUModuleOp module) const {
    auto schedule = cast<WarpSpecializedScheduleAttr>(attr);
    SmallVector<KernelChoice> choices;
    for (const WarpSpecializedVariant &variant :
         getWarpSpecializedVariants(gemm, schedule)) {
      Result<WarpSpecializedParts> parts =
          getWarpSpecializedParts(schedule, variant);
      if (!parts)
        continue;
      gpu::GPUFuncOp kernel =
          buildWarpSpecializedKernel(gemm, schedule, variant, *parts, module);
      // Copies make the operands right; D has to be as the kernel wants it.
      if (variant.requiresOperandsOnly())
        addChoices(gemm, kernel, variant, module, choices);
      else
        choices.push_back({kernel, {}});
    }
    return choices;
  }
};

} // namespace

void tile::registerScheduleInterfaces(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TileDialect *) {
    SimtScheduleAttr::attachInterface<SimtModel>(*context);
    WarpSpecializedScheduleAttr::attachInterface<WarpSpecializedModel>(
        *context);
  });
}

std::optional<std::string> tile::checkSchedule(GemmOp gemm, Attribute schedule,
                                               StringRef chip) {
  if (auto list = dyn_cast_or_null<ArrayAttr>(schedule)) {
    if (list.empty())
      return "expected at least one schedule in the list";
    for (Attribute each : list)
      if (std::optional<std::string> reason = checkSchedule(gemm, each, chip))
        return reason;
    return std::nullopt;
  }
  auto known = dyn_cast_or_null<ScheduleAttrInterface>(schedule);
  if (!known)
    return expected(
        "a schedule such as #tile.simt<…> or #tile.warp_specialized<…>",
        schedule);
  if (std::optional<std::string> reason = known.checkChip(chip))
    return reason;
  return known.checkProblem(gemm);
}

SmallVector<KernelChoice> tile::buildKernels(GemmOp gemm, Attribute schedule,
                                             gpu::GPUModuleOp module) {
  auto list = dyn_cast<ArrayAttr>(schedule);
  if (!list)
    return cast<ScheduleAttrInterface>(schedule).buildKernels(gemm, module);
  SmallVector<KernelChoice> choices;
  for (Attribute each : list)
    llvm::append_range(choices, buildKernels(gemm, each, module));
  return choices;
}
