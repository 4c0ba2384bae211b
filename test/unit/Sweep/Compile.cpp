// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler as a library, with one context for all programs.
#include "Compile.h"

#include "tile/InitAll.h"
#include "tile/Pipelines/Pipelines.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace tile::sweep;

static MLIRContext &getContext() {
  static MLIRContext *context = [] {
    DialectRegistry registry;
    tile::registerAllDialects(registry);
    return new MLIRContext(registry, MLIRContext::Threading::DISABLED);
  }();
  return *context;
}

/// Runs `body` and collects the diagnostics of its failure.
static Compiled collect(function_ref<FailureOr<std::string>()> body) {
  Compiled result;
  ScopedDiagnosticHandler handler(&getContext(), [&](Diagnostic &diagnostic) {
    result.error += (result.error.empty() ? "" : "; ") + diagnostic.str();
    return success();
  });
  FailureOr<std::string> artifact = body();
  if (succeeded(artifact)) {
    result.artifact = std::move(*artifact);
    result.error.clear();
  } else if (result.error.empty()) {
    result.error = "the compiler failed without a diagnostic";
  }
  return result;
}

static tile::CompileOptions optionsFor(const Target &target) {
  tile::CompileOptions options;
  options.chip = target.chip;
  options.simulator = target.simulator;
  options.ptx = !target.simulator;
  return options;
}

Compiled tile::sweep::compile(const std::string &text, const Target &target) {
  return collect([&]() -> FailureOr<std::string> {
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(text, &getContext());
    if (!module)
      return failure();
    return tile::compileToArtifact(*module, optionsFor(target));
  });
}

Compiled
tile::sweep::compileChanged(const std::string &text, MutationPoint point,
                            const std::function<bool(ModuleOp)> &change,
                            const Target &target) {
  return collect([&]() -> FailureOr<std::string> {
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(text, &getContext());
    if (!module)
      return failure();
    PassManager manager(&getContext());
    ToPTXOptions pipeline;
    pipeline.chip = target.chip;
    pipeline.stopAfter =
        point == MutationPoint::Kernels ? Stage::Kernels : Stage::Iterators;
    buildToPTXPipeline(manager, pipeline);
    if (failed(manager.run(*module)))
      return failure();
    if (!change(*module))
      return module->emitError("nothing to change"), failure();
    if (failed(verify(*module)))
      return failure();
    // Passes that have run already find nothing left to do.
    return tile::compileToArtifact(*module, optionsFor(target));
  });
}
