// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads LLVM's own tables of chips and PTX versions, without any output.

#include "tile/Target/Chip.h"

#include "tile/Atoms/Chips.h"

#include "Backend.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"

using namespace tile;
using namespace mlir;

static const char *const kTriple = "nvptx64-nvidia-cuda";

/// LLVM's description of the NVPTX back end; null when it is not linked in.
/// The empty CPU name keeps LLVM from printing about unknown ones.
static std::unique_ptr<llvm::MCSubtargetInfo> subtargetInfo() {
  initializeBackends();
  llvm::Triple triple(kTriple);
  std::string reason;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, reason);
  if (!target)
    return nullptr;
  return std::unique_ptr<llvm::MCSubtargetInfo>(
      target->createMCSubtargetInfo(triple, "", ""));
}

/// Reads the number behind `prefix`, as in ptx80; nothing if `text` is not of
/// that form.
static std::optional<unsigned> numberAfter(StringRef text, StringRef prefix) {
  unsigned number = 0;
  if (!text.consume_front(prefix) || text.getAsInteger(10, number))
    return std::nullopt;
  return number;
}

static std::optional<ChipInfo> describeChip(StringRef name) {
  ChipInfo chip;
  chip.name = name.str();
  StringRef rest = chip.name;
  if (!rest.consume_front("sm_") || rest.consumeInteger(10, chip.sm))
    return std::nullopt;
  chip.archSpecific = rest == "a";
  chip.familySpecific = rest == "f";
  return chip;
}

/// The oldest PTX version with `chip`. No public table of LLVM has it, but it
/// is what LLVM writes when no version is asked for: reads it off an empty
/// module.
static unsigned findMinPTXVersion(StringRef chip) {
  BackendOptions options;
  options.triple = kTriple;
  options.cpu = chip.str();
  options.optLevel = 0;
  std::unique_ptr<llvm::TargetMachine> machine = createTargetMachine(options);
  if (!machine)
    return 0;
  llvm::LLVMContext context;
  llvm::Module module("empty", context);
  module.setTargetTriple(machine->getTargetTriple());
  module.setDataLayout(machine->createDataLayout());
  llvm::SmallString<256> text;
  if (!emitModule(module, *machine, llvm::CodeGenFileType::AssemblyFile, text))
    return 0;
  StringRef rest = text.str();
  rest = rest.substr(rest.find(".version"));
  unsigned major = 0, minor = 0;
  if (!rest.consume_front(".version ") || rest.consumeInteger(10, major) ||
      !rest.consume_front(".") || rest.consumeInteger(10, minor))
    return 0;
  return major * 10 + minor;
}

static std::vector<ChipInfo> allChips() {
  std::vector<ChipInfo> chips;
  std::unique_ptr<llvm::MCSubtargetInfo> info = subtargetInfo();
  if (!info)
    return chips;
  for (const auto &processor : info->getAllProcessorDescriptions())
    if (std::optional<ChipInfo> chip = describeChip(processor.Key))
      chips.push_back(std::move(*chip));
  llvm::sort(chips, [](const ChipInfo &a, const ChipInfo &b) {
    return std::tie(a.sm, a.name) < std::tie(b.sm, b.name);
  });
  return chips;
}

std::vector<std::string> tile::listChips() {
  std::vector<std::string> names;
  for (ChipInfo &chip : allChips())
    names.push_back(std::move(chip.name));
  return names;
}

std::string tile::getArchitecture(StringRef chip) {
  const Chip *row = findChip(chip.str().c_str());
  return row ? row->architecture : chip.str();
}

FailureOr<ChipInfo>
tile::lookupChip(StringRef name,
                 llvm::function_ref<InFlightDiagnostic()> emitError) {
  std::string architecture = getArchitecture(name);
  for (ChipInfo &chip : allChips())
    if (chip.name == architecture) {
      chip.minPTX = findMinPTXVersion(architecture);
      return std::move(chip);
    }
  InFlightDiagnostic diagnostic = emitError();
  diagnostic << "expected a chip that LLVM " << LLVM_VERSION_MAJOR
             << " knows, such as sm_80 or sm_90a, but got '" << name << "'";
  diagnostic.attachNote() << "the chips are " << llvm::join(listChips(), ", ");
  return failure();
}

unsigned tile::newestPTXVersion() {
  unsigned newest = 0;
  if (std::unique_ptr<llvm::MCSubtargetInfo> info = subtargetInfo())
    for (const auto &feature : info->getAllProcessorFeatures())
      if (std::optional<unsigned> version = numberAfter(feature.Key, "ptx"))
        newest = std::max(newest, *version);
  return newest;
}

unsigned tile::defaultPTXVersion(const ChipInfo &chip) {
  // The oldest version that has all that the chip can do: mma.sync of 8-bit
  // floats came later than sm_89. sm_90a has wgmma for these.
  bool hasNoWgmma = chip.sm == 89 || (chip.sm == 90 && !chip.archSpecific);
  return std::max(hasNoWgmma ? 84u : 80u, chip.minPTX);
}

std::string tile::formatPTXVersion(unsigned version) {
  return std::to_string(version / 10) + "." + std::to_string(version % 10);
}

FailureOr<unsigned>
tile::resolvePTXVersion(const ChipInfo &chip, unsigned requested,
                        llvm::function_ref<InFlightDiagnostic()> emitError) {
  if (requested == 0)
    return defaultPTXVersion(chip);
  if (requested < chip.minPTX) {
    emitError() << "expected PTX " << formatPTXVersion(chip.minPTX)
                << " or newer for chip " << chip.name << ", but got "
                << formatPTXVersion(requested);
    return failure();
  }
  std::string feature = "ptx" + std::to_string(requested);
  std::unique_ptr<llvm::MCSubtargetInfo> info = subtargetInfo();
  if (info && llvm::any_of(info->getAllProcessorFeatures(),
                           [&](const auto &f) { return feature == f.Key; }))
    return requested;
  emitError() << "expected a PTX version that LLVM " << LLVM_VERSION_MAJOR
              << " can write, at most " << formatPTXVersion(newestPTXVersion())
              << ", but got " << formatPTXVersion(requested);
  return failure();
}

std::string tile::getDeviceChip(llvm::StringRef architecture,
                                llvm::StringRef name) {
  const Chip *row = findProduct(name.str().c_str());
  // A name alone does not say that the device is one.
  if (row && architecture == "sm_" + std::to_string(row->sm) &&
      llvm::is_contained(listChips(), row->architecture))
    return row->name;
  return getCodeChip(architecture);
}

std::string tile::getCodeChip(llvm::StringRef device) {
  std::string specific = (device + "a").str();
  if (llvm::is_contained(listChips(), specific))
    return specific;
  return device.str();
}
