// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dialect's schedules as implementations of ScheduleAttrInterface.
#include "Im2col.h"
#include "Multistage.h"
#include "Pack.h"
#include "Simt.h"
#include "WarpSpecialized.h"

#include "mlir/IR/DialectRegistry.h"

#include <memory>

using namespace mlir;
using namespace tile;

static Type getFactorType(GemmOp gemm) {
  return cast<MemRefType>(gemm.getA().getType()).getElementType();
}

/// "expected …, but got …".
template <typename T>
static Reason expected(StringRef what, const T &actual) {
  std::string text;
  llvm::raw_string_ostream(text)
      << "expected " << what << ", but got " << actual;
  return Reason(text);
}

/// A plan of one kernel for each variant: of the parts that `getParts` derives
/// for it, or the first reason why there are none; `choose` builds it and
/// appends the ways to launch it.
template <typename Parts, typename Variants, typename GetParts, typename Choose>
static Result<SchedulePlan> planVariants(Attribute schedule,
                                         const Variants &variants,
                                         GetParts getParts, Choose choose) {
  using Variant = typename Variants::value_type;
  auto kernels = std::make_shared<SmallVector<std::pair<Variant, Parts>, 0>>();
  for (const Variant &variant : variants) {
    Result<Parts> parts = getParts(variant);
    if (!parts)
      return parts.takeReason();
    kernels->push_back({variant, *parts});
  }
  auto build = [=](gpu::GPUModuleOp module) {
    SmallVector<KernelChoice> choices;
    for (const auto &[variant, parts] : *kernels)
      choose(variant, parts, module, choices);
    return choices;
  };
  return SchedulePlan{schedule, build};
}

namespace {

struct SimtModel
    : ScheduleAttrInterface::ExternalModel<SimtModel, SimtScheduleAttr> {
  Result<SchedulePlan> plan(Attribute attr, GemmOp gemm,
                            const Chip &chip) const {
    auto schedule = cast<SimtScheduleAttr>(attr);
    Type type = getFactorType(gemm);
    if (schedule.getStages() > 0 && !chip.hasAsyncCopies())
      return expected("a chip with asynchronous copies, sm_80 or newer, for "
                      "stages",
                      chip.architecture);
    if (schedule.getSplitK() > 1 && !chip.hasClusters())
      return expected("a chip with clusters, sm_90 or newer, for split_k",
                      chip.architecture);
    // The dialect knows no other types of 16 bits or more.
    unsigned bits = type.getIntOrFloatBitWidth();
    if (bits < 16)
      return expected("operands of f64, f32, f16 or bf16", type);
    if (bits < 32 && schedule.getStages() > 0)
      return expected("operands of f64 or f32 for stages that asynchronous "
                      "copies fill",
                      type);
    return planVariants<SimtParts>(
        attr, getSimtVariants(gemm, schedule),
        [&](const SimtVariant &variant) {
          return getSimtParts(schedule, type, variant, chip);
        },
        [=](const SimtVariant &variant, const SimtParts &parts,
            gpu::GPUModuleOp module, SmallVectorImpl<KernelChoice> &choices) {
          choices.push_back(
              {buildSimtKernel(gemm, schedule, variant, parts, module), {}});
        });
  }

  std::optional<double> estimate(Attribute attr, GemmOp gemm,
                                 const Chip &chip) const {
    return estimateSimt(gemm, cast<SimtScheduleAttr>(attr), chip);
  }
};

} // namespace

namespace {

/// An operand that a kernel takes as it is, or as a copy with unit stride along
/// `contiguous`.
struct CopiedOperand {
  char name;
  int64_t contiguous;
  /// Whether its type allows the kernel to take it as it is.
  bool mayStay = true;
};

} // namespace

static CopiedOperand getCopy(GemmOp gemm, const OperandAssumption &operand) {
  int64_t dim = operand.toProblem(operand.unitDim);
  Value value = operand.name == 'A' ? gemm.getA() : gemm.getB();
  return {operand.name, dim, llvm::is_contained(getUnitDims(value), dim)};
}

/// Appends one kernel with all ways to prepare its operands: neither, one,
/// both.
static void addChoices(GemmOp gemm, gpu::GPUFuncOp kernel,
                       SmallVector<CopiedOperand> operands, const Chip &chip,
                       gpu::GPUModuleOp module,
                       SmallVectorImpl<KernelChoice> &choices) {
  Builder builder(gemm.getContext());
  auto getValue = [&](const CopiedOperand &operand) -> Value {
    return operand.name == 'A' ? gemm.getA() : gemm.getB();
  };
  // The im2col of a tensor is copied in any case, later.
  llvm::erase_if(operands, [&](const CopiedOperand &operand) {
    return getIm2col(getValue(operand));
  });
  SmallVector<PrepareAttr> copies;
  for (const CopiedOperand &operand : operands) {
    Value value = getValue(operand);
    auto type = cast<MemRefType>(value.getType());
    PackSpec spec;
    spec.elementBytes = type.getElementTypeBitWidth() / 8;
    spec.source = getKnownUnitDim(value);
    spec.packed = operand.contiguous;
    spec.batched = type.getRank() == 3;
    spec.bytesNs = getPackBytesNs(chip);
    gpu::GPUFuncOp pack = getPackKernel(module, gemm.getLoc(), spec);
    copies.push_back(PrepareAttr::get(
        gemm.getContext(), builder.getStringAttr(StringRef(&operand.name, 1)),
        SymbolRefAttr::get(module.getNameAttr(),
                           {FlatSymbolRefAttr::get(pack.getNameAttr())}),
        spec.packed, getPackedPitchMultiple(spec.elementBytes)));
  }
  for (unsigned copied = 0; copied < 1u << operands.size(); ++copied) {
    KernelChoice choice{kernel, {}};
    bool isPossible = true;
    for (auto [i, operand] : llvm::enumerate(operands))
      if (copied >> i & 1)
        choice.prepare.push_back(copies[i]);
      else
        isPossible &= operand.mayStay;
    if (isPossible)
      choices.push_back(choice);
  }
}

namespace {

struct MultistageModel
    : ScheduleAttrInterface::ExternalModel<MultistageModel,
                                           MultistageScheduleAttr> {
  Result<SchedulePlan> plan(Attribute attr, GemmOp gemm,
                            const Chip &chip) const {
    auto schedule = cast<MultistageScheduleAttr>(attr);
    if (std::optional<Reason> reason =
            checkMultistageProblem(gemm, schedule.getTf32(), chip))
      return *reason;
    return planVariants<MultistageParts>(
        attr, getMultistageVariants(gemm, schedule),
        [&](const MultistageVariant &variant) {
          return getMultistageParts(gemm, schedule, variant, chip);
        },
        [=, &chip](const MultistageVariant &variant,
                   const MultistageParts &parts, gpu::GPUModuleOp module,
                   SmallVectorImpl<KernelChoice> &choices) {
          gpu::GPUFuncOp kernel =
              buildMultistageKernel(gemm, schedule, variant, parts, module);
          if (!variant.takesCopies)
            return choices.push_back({kernel, {}});
          addChoices(gemm, kernel,
                     {getCopy(gemm, variant.a), getCopy(gemm, variant.b)}, chip,
                     module, choices);
        });
  }

  std::optional<double> estimate(Attribute attr, GemmOp gemm,
                                 const Chip &chip) const {
    return estimateMultistage(gemm, cast<MultistageScheduleAttr>(attr), chip);
  }
};

} // namespace

std::optional<Reason> tile::checkWarpSpecializedProblem(GemmOp gemm,
                                                        const Chip &chip) {
  if (!chip.hasWgmma())
    return expected("a chip with wgmma, sm_90a", chip.architecture);
  if (getUnitDims(gemm.getD()).empty())
    return expected("D with unit stride along rows or columns",
                    gemm.getD().getType());
  return std::nullopt;
}

namespace {

struct WarpSpecializedModel
    : ScheduleAttrInterface::ExternalModel<WarpSpecializedModel,
                                           WarpSpecializedScheduleAttr> {
  Result<SchedulePlan> plan(Attribute attr, GemmOp gemm,
                            const Chip &chip) const {
    auto schedule = cast<WarpSpecializedScheduleAttr>(attr);
    Type type = getFactorType(gemm);
    std::optional<Reason> reason = checkWarpSpecializedProblem(gemm, chip);
    if (reason && !chip.hasWgmma())
      return *reason;
    // Products of tf32 are less than those of f32: only who asks gets them.
    if (schedule.getTf32() && !type.isF32())
      return expected("operands of f32 for tf32 = true", type);
    if (!schedule.getTf32() && type.getIntOrFloatBitWidth() > 16)
      return expected("operands of 16 or 8 bits, or tf32 = true and f32", type);
    if (reason)
      return *reason;
    return planVariants<WarpSpecializedParts>(
        attr, getWarpSpecializedVariants(gemm, schedule),
        [&](const WarpSpecializedVariant &variant) {
          return getWarpSpecializedParts(schedule, variant, chip);
        },
        [=, &chip](const WarpSpecializedVariant &variant,
                   const WarpSpecializedParts &parts, gpu::GPUModuleOp module,
                   SmallVectorImpl<KernelChoice> &choices) {
          gpu::GPUFuncOp kernel = buildWarpSpecializedKernel(
              gemm, schedule, variant, parts, module);
          // Copies make the operands right; D has to be as the kernel wants it.
          if (!variant.requiresOperandsOnly() || variant.readsTensors())
            return choices.push_back({kernel, {}});
          auto getCopy = [](const TensorOperand &operand) {
            return CopiedOperand{operand.name, operand.contiguous};
          };
          addChoices(gemm, kernel,
                     {getCopy(variant.left), getCopy(variant.right)}, chip,
                     module, choices);
        });
  }

  std::optional<double> estimate(Attribute attr, GemmOp gemm,
                                 const Chip &chip) const {
    return estimateWarpSpecialized(
        gemm, cast<WarpSpecializedScheduleAttr>(attr), chip);
  }
};

/// Where two estimates are equal, the first family's counts.
struct TileSchedules : ScheduleDialectInterface {
  using ScheduleDialectInterface::ScheduleDialectInterface;
  ArrayRef<ScheduleFamily> getFamilies() const override {
    static const ScheduleFamily families[] = {
        getWarpSpecializedFamily(), getMultistageFamily(), getSimtFamily()};
    return families;
  }
};

} // namespace

void tile::registerScheduleInterfaces(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TileDialect *dialect) {
    // Passes depend on it as well as who registers all dialects.
    if (dialect->getRegisteredInterface<ScheduleDialectInterface>())
      return;
    dialect->addInterfaces<TileSchedules>();
    MultistageScheduleAttr::attachInterface<MultistageModel>(*context);
    SimtScheduleAttr::attachInterface<SimtModel>(*context);
    WarpSpecializedScheduleAttr::attachInterface<WarpSpecializedModel>(
        *context);
  });
}

Result<SmallVector<SchedulePlan>>
tile::planSchedule(GemmOp gemm, Attribute schedule, const Chip &chip) {
  SmallVector<Attribute> schedules{schedule};
  if (auto list = dyn_cast<ArrayAttr>(schedule))
    schedules.assign(list.begin(), list.end());
  SmallVector<SchedulePlan> plans;
  for (Attribute each : schedules) {
    if (!isSchedule(each))
      return expected("a schedule such as #tile.simt<…> or "
                      "#tile.warp_specialized<…>",
                      each);
    if (!each.getAbstractAttribute().hasInterface(
            ScheduleAttrInterface::getInterfaceID()))
      return expected("the schedules of the dialect to be registered, by "
                      "registerAllDialects or registerScheduleInterfaces",
                      each);
    Result<SchedulePlan> plan =
        cast<ScheduleAttrInterface>(each).plan(gemm, chip);
    if (!plan)
      return plan.takeReason();
    // No schedule but those that say so reads what lies elsewhere.
    if (getIm2col(gemm.getA()) || getIm2col(gemm.getB()))
      plan->build = [=, &chip, build = plan->build](gpu::GPUModuleOp module) {
        SmallVector<KernelChoice> choices = build(module);
        addIm2colCopies(gemm, chip, module, choices);
        return choices;
      };
    plans.push_back(std::move(*plan));
  }
  return plans;
}

std::optional<std::string> tile::checkSchedule(GemmOp gemm, Attribute schedule,
                                               const Chip &chip) {
  Result<SmallVector<SchedulePlan>> plans = planSchedule(gemm, schedule, chip);
  if (plans)
    return std::nullopt;
  return plans.getReason();
}
