// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers what tile-translate does: MLIR to PTX, cubin, object, artifact.

#include "tile/Target/Translations.h"

#include "mlir/Tools/mlir-translate/Translation.h"
#include "tile/Target/Chip.h"
#include "tile/Target/PTX.h"
#include "llvm/Support/CommandLine.h"

using namespace tile;
using namespace mlir;
namespace cl = llvm::cl;

namespace {
/// The command line of the translations.
struct TranslationOptions {
  cl::opt<std::string> chip{
      "chip",
      cl::desc("the GPU to compile for, as sm_80, sm_90a, h200 or rtx4090 "
               "(default: sm_90a)"),
      cl::value_desc("GPU"), cl::init(kDefaultChip)};
  cl::opt<std::string> schedule{
      "schedule", cl::desc("the schedule of every problem (default: chosen)"),
      cl::value_desc("#tile.simt<...>")};
  cl::opt<std::string> tuningTable{
      "tuning-table",
      cl::desc("a table of measured schedules, as tile-tune writes it"),
      cl::value_desc("file")};
  cl::opt<unsigned> ptxVersion{
      "ptx-version",
      cl::desc("PTX version times ten, as 80; 0: the default for the chip"),
      cl::init(0)};
  cl::opt<unsigned> optLevel{
      "opt-level", cl::desc("0 to 3, how hard LLVM optimises"), cl::init(3)};
  cl::opt<bool> lineInfo{"line-info", cl::desc("keep source lines in the PTX"),
                         cl::init(false)};
  cl::opt<bool> withCubin{"with-cubin",
                          cl::desc("put a cubin into the artifact (ptxas)"),
                          cl::init(false)};

  PTXOptions ptx() const {
    PTXOptions options;
    options.chip = chip;
    options.ptxVersion = ptxVersion;
    options.optLevel = optLevel;
    options.debugLineInfo = lineInfo;
    return options;
  }
};

/// What all translations share; lives as long as the last of them.
struct TranslationState {
  TranslationHooks hooks;
  TranslationOptions options;
  /// Whether something was written to the output.
  bool wrote = false;

  /// Brings `op` down to floor 3 and returns its module.
  FailureOr<ModuleOp> lower(Operation *op) const {
    // An error is one sentence, without a dump of the op.
    op->getContext()->printOpOnDiagnostic(false);
    auto module = dyn_cast<ModuleOp>(op);
    if (!module) {
      op->emitError() << "expected a builtin module, but got '"
                      << op->getName().getStringRef() << "'";
      return failure();
    }
    if (hooks.lowerToFloor3 &&
        failed(hooks.lowerToFloor3(
            module, {options.chip, options.schedule, options.tuningTable})))
      return failure();
    return module;
  }
};
} // namespace

static LogicalResult translatePTX(const TranslationState &state, Operation *op,
                                  raw_ostream &output) {
  FailureOr<ModuleOp> module = state.lower(op);
  if (failed(module))
    return failure();
  FailureOr<std::string> ptx = translateToPTX(*module, state.options.ptx());
  if (failed(ptx))
    return failure();
  output << *ptx;
  return success();
}

static LogicalResult translateCubin(const TranslationState &state,
                                    Operation *op, raw_ostream &output) {
  FailureOr<ModuleOp> module = state.lower(op);
  if (failed(module))
    return failure();
  FailureOr<std::string> ptx = translateToPTX(*module, state.options.ptx());
  if (failed(ptx))
    return failure();
  CubinOptions options;
  options.debugLineInfo = state.options.lineInfo;
  llvm::Expected<CubinResult> cubin =
      assemblePTX(*ptx, getArchitecture(state.options.chip), options);
  if (!cubin)
    return module->emitError() << llvm::toString(cubin.takeError());
  output << cubin->cubin;
  return success();
}

static LogicalResult translateObject(const TranslationState &state,
                                     Operation *op, raw_ostream &output) {
  FailureOr<ModuleOp> module = state.lower(op);
  if (failed(module))
    return failure();
  FailureOr<SimulatorObject> object = translateToSimulator(*module);
  if (failed(object))
    return failure();
  output << object->object;
  return success();
}

static LogicalResult translateArtifact(const TranslationState &state,
                                       Operation *op, raw_ostream &output) {
  FailureOr<ModuleOp> module = state.lower(op);
  if (failed(module))
    return failure();
  std::vector<ArtifactEntry> entries;
  if (state.hooks.collectEntries) {
    FailureOr<std::vector<ArtifactEntry>> found =
        state.hooks.collectEntries(*module);
    if (failed(found))
      return failure();
    entries = std::move(*found);
  }
  ArtifactOptions options;
  options.chip = state.options.chip;
  options.ptxVersion = state.options.ptxVersion;
  options.optLevel = state.options.optLevel;
  options.debugLineInfo = state.options.lineInfo;
  options.cubin = state.options.withCubin;
  FailureOr<Artifact> artifact =
      compileArtifact(*module, std::move(entries), options);
  if (failed(artifact))
    return failure();
  output << writeArtifact(*artifact);
  return success();
}

void tile::registerTileTranslations(TranslationHooks hooks) {
  auto state = std::make_shared<TranslationState>();
  state->hooks = std::move(hooks);
  auto dialects = [state](DialectRegistry &registry) {
    registerTargetDialects(registry);
    if (state->hooks.registerDialects)
      state->hooks.registerDialects(registry);
  };
  using Function =
      LogicalResult (*)(const TranslationState &, Operation *, raw_ostream &);
  auto add = [&](StringRef name, StringRef description, Function function) {
    TranslateFromMLIRRegistration(
        name, description,
        [state, function](Operation *op, raw_ostream &output) -> LogicalResult {
          // One file holds one of what a translation writes.
          if (state->wrote)
            return op->emitError("expected one module for an output file, but "
                                 "got another one, behind '// -----'");
          LogicalResult result = function(*state, op, output);
          state->wrote |= succeeded(result);
          return result;
        },
        dialects);
  };
  add("mlir-to-ptx", "kernels of a module to PTX text", translatePTX);
  add("mlir-to-cubin", "kernels of a module to a cubin, by way of ptxas",
      translateCubin);
  add("mlir-to-sim-object", "kernels of a module to simulator object code",
      translateObject);
  add("mlir-to-artifact", "a module to an artifact file", translateArtifact);
}
