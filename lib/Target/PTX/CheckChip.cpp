// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of which nvvm op exists on which chip, and the check against it.

#include "../Common/RegisterMma.h"
#include "../Common/RegisterWgmma.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/TypeUtilities.h"
#include "tile/Target/Chip.h"
#include "tile/Target/Passes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace tile {
#define GEN_PASS_DEF_TILECHECKCHIP
#include "tile/Target/Passes.h.inc"
} // namespace tile

using namespace tile;
using namespace mlir;

namespace {
/// One row: every op whose name starts with `prefix`. Rows with longer prefixes
/// win.
struct Requirement {
  StringLiteral prefix;
  unsigned minSM;  ///< oldest chip; 0: any
  unsigned minPTX; ///< oldest PTX version, times ten; 0: any
  /// When not all zero: only these arch-specific chips (90 stands for sm_90a).
  unsigned archSpecific[4] = {0, 0, 0, 0};
};
} // namespace

/// From the PTX ISA's "Target ISA Notes" and "PTX ISA Notes", and from what
/// LLVM 22 can select.
static constexpr Requirement kRequirements[] = {
    {"llvm.nvvm.cp.async.bulk.", 90, 80},
    {"llvm.nvvm.cp.async.", 80, 70},
    {"llvm.nvvm.ldmatrix.", 75, 65},
    {"llvm.nvvm.mma.m16n8k32.row.col.f32.e", 89, 84},
    {"llvm.nvvm.mma.m16n8k16.row.col.f64", 90, 78},
    {"llvm.nvvm.mma.", 70, 64},
    {"llvm.nvvm.setmaxnreg.", 90, 80, {90, 100, 103, 120}},
    {"llvm.nvvm.stmatrix.", 90, 78},
    {"llvm.nvvm.tcgen05.", 100, 86, {100, 101, 103, 110}},
    {"llvm.nvvm.wgmma.", 90, 80, {90}},
    {"nvvm.clusterlaunchcontrol.", 100, 86},
    {"nvvm.cluster.", 90, 78},
    {"nvvm.convert.bf16x2.to.f8x2", 100, 86, {100, 101, 103, 110}},
    {"nvvm.convert.f16x2.to.f8x2", 89, 81},
    {"nvvm.convert.f32x2.to.f4x2", 100, 86, {100, 101, 103, 120}},
    {"nvvm.convert.f32x2.to.f6x2", 100, 86, {100, 101, 103, 120}},
    {"nvvm.convert.f32x2.to.f8x2", 89, 81},
    {"nvvm.convert.float.to.tf32", 80, 70},
    {"nvvm.cp.async.bulk", 90, 80},
    {"nvvm.cp.async.mbarrier.arrive", 80, 70},
    {"nvvm.cp.async.", 80, 70},
    {"nvvm.dot.accumulate", 61, 50},
    {"nvvm.elect.sync", 90, 80},
    {"nvvm.fence.mbarrier.init", 90, 80},
    {"nvvm.fence.proxy.acquire", 90, 83},
    {"nvvm.fence.proxy.release", 90, 83},
    {"nvvm.fence.proxy.sync_restrict", 90, 86},
    {"nvvm.fence.proxy", 90, 80},
    {"nvvm.fence.sc.cluster", 90, 78},
    {"nvvm.fence.sync_restrict", 90, 86},
    {"nvvm.griddepcontrol", 90, 78},
    {"nvvm.ldmatrix", 75, 65},
    {"nvvm.mapa", 90, 78},
    {"nvvm.match.sync", 70, 60},
    {"nvvm.mbarrier.arrive.expect_tx", 90, 80},
    {"nvvm.mbarrier.complete_tx", 90, 80},
    {"nvvm.mbarrier.expect_tx", 90, 80},
    {"nvvm.mbarrier.try_wait", 90, 78},
    {"nvvm.mbarrier.", 80, 70},
    {"nvvm.mma.sp.sync", 80, 71},
    {"nvvm.mma.sync", 70, 64},
    {"nvvm.nanosleep", 70, 63},
    {"nvvm.prefetch", 90, 80},
    {"nvvm.redux.sync", 80, 70},
    {"nvvm.setmaxregister", 90, 80, {90, 100, 103, 120}},
    {"nvvm.st.bulk", 100, 86},
    {"nvvm.stmatrix", 90, 78},
    {"nvvm.tcgen05.", 100, 86, {100, 101, 103, 110}},
    {"nvvm.wgmma.", 90, 80, {90}},
    {"nvvm.wmma.", 70, 60},
};

/// Math intrinsics that NVPTX has no instruction for.
static constexpr StringLiteral kNoInstruction[] = {
    "llvm.intr.acos",  "llvm.intr.asin", "llvm.intr.atan",  "llvm.intr.atan2",
    "llvm.intr.cosh",  "llvm.intr.exp",  "llvm.intr.exp10", "llvm.intr.frexp",
    "llvm.intr.ldexp", "llvm.intr.log",  "llvm.intr.log10", "llvm.intr.pow",
    "llvm.intr.powi",  "llvm.intr.sinh", "llvm.intr.tan"};

/// Math intrinsics with an approximate instruction, for 16 and 32 bits only.
static constexpr StringLiteral kApproximate[] = {
    "llvm.intr.cos", "llvm.intr.log2", "llvm.intr.sin", "llvm.intr.tanh"};

static const Requirement *findRequirement(StringRef name) {
  const Requirement *best = nullptr;
  for (const Requirement &row : kRequirements)
    if (name.starts_with(row.prefix) &&
        (!best || row.prefix.size() > best->prefix.size()))
      best = &row;
  return best;
}

/// Whether `chip` has what only the chips `versions` have. A family chip
/// (sm_100f) has no instruction that is tied to one chip.
static bool isOneOf(const ChipInfo &chip, ArrayRef<unsigned> versions) {
  return chip.archSpecific && llvm::is_contained(versions, chip.sm);
}

static std::string listArchSpecific(ArrayRef<unsigned> versions) {
  std::string text;
  for (auto [i, version] : llvm::enumerate(versions)) {
    if (i > 0)
      text += i + 1 == versions.size() ? " or " : ", ";
    text += "sm_" + std::to_string(version) + "a";
  }
  return text;
}

static LogicalResult reportChip(Operation *op, StringRef name,
                                const std::string &needed,
                                const ChipInfo &chip) {
  return op->emitError() << "expected " << needed << " for '" << name
                         << "', but got " << chip.name;
}

static LogicalResult reportPTX(Operation *op, const Twine &what,
                               unsigned needed, unsigned ptxVersion) {
  return op->emitError() << "expected PTX " << formatPTXVersion(needed)
                         << " or newer for '" << what << "', but got "
                         << formatPTXVersion(ptxVersion);
}

static LogicalResult checkTable(Operation *op, StringRef name,
                                const ChipInfo &chip, unsigned ptxVersion) {
  const Requirement *row = findRequirement(name);
  if (!row)
    return success();
  SmallVector<unsigned> specific;
  for (unsigned version : row->archSpecific)
    if (version)
      specific.push_back(version);
  if (!specific.empty()) {
    if (!isOneOf(chip, specific))
      return reportChip(op, name, listArchSpecific(specific), chip);
  } else if (chip.sm < row->minSM) {
    return reportChip(op, name,
                      "sm_" + std::to_string(row->minSM) + " or newer", chip);
  }
  if (ptxVersion < row->minPTX)
    return reportPTX(op, name, row->minPTX, ptxVersion);
  return success();
}

/// What the nvvm dialect itself says about the op.
static LogicalResult checkTrait(Operation *op, StringRef name,
                                const ChipInfo &chip) {
  auto interface = dyn_cast<NVVM::RequiresSMInterface>(op);
  if (!interface)
    return success();
  const NVVM::NVVMCheckSMVersion required = interface.getRequiredMinSMVersion();
  SmallVector<unsigned> versions(required.smVersionList.begin(),
                                 required.smVersionList.end());
  if (required.archAccelerated)
    return isOneOf(chip, versions)
               ? success()
               : reportChip(op, name, listArchSpecific(versions), chip);
  return chip.sm >= versions.front()
             ? success()
             : reportChip(op, name,
                          "sm_" + std::to_string(versions.front()) +
                              " or newer",
                          chip);
}

/// Whether NVPTX can select the math intrinsic `op`.
static bool hasInstruction(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (llvm::is_contained(kNoInstruction, name))
    return false;
  bool approximate = llvm::is_contained(kApproximate, name);
  if (!approximate && name != "llvm.intr.exp2")
    return true;
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  if (element.getIntOrFloatBitWidth() > 32)
    return false;
  auto flags = dyn_cast_or_null<LLVM::FastmathFlagsAttr>(
      op->getInherentAttr("fastmathFlags").value_or(Attribute()));
  return !approximate ||
         (flags &&
          bitEnumContainsAll(flags.getValue(), LLVM::FastmathFlags::afn));
}

/// The oldest chip with the shape and the types of a matrix instruction.
static unsigned minSMOf(NVVM::MmaOp op) {
  NVVM::MMAShapeAttr shape = op.getShape();
  switch (op.getMultiplicandAPtxType().value_or(NVVM::MMATypes::f16)) {
  case NVVM::MMATypes::f16:
    return shape.getK() == 4 ? 70 : shape.getK() == 8 ? 75 : 80;
  case NVVM::MMATypes::s8:
  case NVVM::MMATypes::u8:
  case NVVM::MMATypes::s4:
  case NVVM::MMATypes::u4:
  case NVVM::MMATypes::b1:
    return shape.getM() == 8 ? 75 : 80;
  case NVVM::MMATypes::e4m3:
  case NVVM::MMATypes::e5m2:
    return 89;
  case NVVM::MMATypes::e3m2:
  case NVVM::MMATypes::e2m3:
  case NVVM::MMATypes::e2m1:
    return 120;
  default:
    return 80;
  }
}

/// The types of A and B of a multiply of a warpgroup, if it is one.
static std::optional<std::pair<std::string, std::string>>
getWgmmaTypes(Operation *op) {
  if (auto multiply = dyn_cast<NVVM::WgmmaMmaAsyncOp>(op))
    return std::pair(NVVM::stringifyWGMMATypes(multiply.getTypeA()).str(),
                     NVVM::stringifyWGMMATypes(multiply.getTypeB()).str());
  // The nvvm dialect has none with A in registers.
  if (auto assembly = dyn_cast<LLVM::InlineAsmOp>(op))
    if (std::optional<RegisterWgmma> match = matchRegisterWgmma(assembly))
      return std::pair(match->instruction.a, match->instruction.b);
  return std::nullopt;
}

/// What depends on the attributes or types of an op, not on its name alone.
static LogicalResult checkForm(Operation *op, StringRef name,
                               const ChipInfo &chip, unsigned ptxVersion) {
  if (auto types = getWgmmaTypes(op)) {
    auto [a, b] = *types;
    bool mixed = (a == "s8" && b == "u8") || (a == "u8" && b == "s8");
    if (mixed && ptxVersion < 84)
      return reportPTX(op, name + " of " + a + " and " + b, 84, ptxVersion);
  }
  // The nvvm dialect has no op for some of these.
  if (std::optional<RegisterMma> match = matchRegisterMma(op)) {
    const MmaInstruction &instruction = match->instruction;
    std::string what = "mma.sync " + instruction.getShape() + " of " +
                       instruction.a + " and " + instruction.b;
    if (chip.sm < instruction.getMinSM())
      return reportChip(op, what,
                        "sm_" + std::to_string(instruction.getMinSM()) +
                            " or newer",
                        chip);
    if (ptxVersion < instruction.getMinPTX())
      return reportPTX(op, what, instruction.getMinPTX(), ptxVersion);
  }
  if (auto mma = dyn_cast<NVVM::MmaOp>(op)) {
    unsigned minSM = minSMOf(mma);
    if (chip.sm < minSM)
      return reportChip(op, name, "sm_" + std::to_string(minSM) + " or newer",
                        chip);
  }
  if (auto redux = dyn_cast<NVVM::ReduxOp>(op))
    if (redux.getRes().getType().isF32() && !isOneOf(chip, {100, 101, 103}))
      return reportChip(op, name, listArchSpecific({100, 101, 103}), chip);
  return success();
}

/// The instruction that an op stands for.
static StringRef getInstruction(Operation *op) {
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op))
    return call.getIntrin();
  if (isa<LLVM::InlineAsmOp>(op) && getWgmmaTypes(op))
    return NVVM::WgmmaMmaAsyncOp::getOperationName();
  return op->getName().getStringRef();
}

static LogicalResult checkOp(Operation *op, StringRef name,
                             const ChipInfo &chip, unsigned ptxVersion) {
  if (!hasInstruction(op))
    return op->emitError() << "expected an op that NVPTX can select, such as "
                              "one of the math dialect, but got '"
                           << name << "'";
  if (failed(checkTable(op, name, chip, ptxVersion)) ||
      failed(checkTrait(op, name, chip)))
    return failure();
  return checkForm(op, name, chip, ptxVersion);
}

LogicalResult tile::checkChip(Operation *root, const ChipInfo &chip,
                              unsigned ptxVersion) {
  // A kernel has the same instruction at a hundred places: the first tells.
  llvm::DenseSet<std::pair<StringRef, Attribute>> missing;
  root->walk([&](Operation *op) {
    StringRef name = getInstruction(op);
    if ((missing.empty() ||
         !missing.contains({name, op->getAttrDictionary()})) &&
        failed(checkOp(op, name, chip, ptxVersion)))
      missing.insert({name, op->getAttrDictionary()});
  });
  return success(missing.empty());
}

namespace {
struct CheckChipPass : tile::impl::TileCheckChipBase<CheckChipPass> {
  using TileCheckChipBase::TileCheckChipBase;

  void runOnOperation() override {
    auto emitError = [&] { return getOperation()->emitError(); };
    FailureOr<ChipInfo> info = lookupChip(chip, emitError);
    if (failed(info))
      return signalPassFailure();
    FailureOr<unsigned> version =
        resolvePTXVersion(*info, ptxVersion, emitError);
    if (failed(version) || failed(checkChip(getOperation(), *info, *version)))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
