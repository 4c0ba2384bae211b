// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles floor-3 kernels for each device into one artifact.

#include "tile/Target/Chip.h"
#include "tile/Target/PTX.h"
#include "tile/Target/Translations.h"

using namespace tile;
using namespace mlir;

/// Assembles the artifact's PTX. Fails with ptxas's words at `module`.
static FailureOr<CubinResult> makeCubin(ModuleOp module, StringRef ptx,
                                        const ArtifactOptions &options) {
  StageTimer timer(options.times, "ptxas");
  CubinOptions cubinOptions;
  cubinOptions.debugLineInfo = options.debugLineInfo;
  llvm::Expected<CubinResult> result =
      assemblePTX(ptx, getArchitecture(options.chip), cubinOptions);
  if (result)
    return std::move(*result);
  module.emitError() << llvm::toString(result.takeError());
  return failure();
}

FailureOr<Artifact> tile::compileArtifact(ModuleOp module,
                                          std::vector<ArtifactEntry> entries,
                                          const ArtifactOptions &options) {
  Artifact artifact;
  artifact.entries = std::move(entries);
  auto emitError = [&] { return module.emitError(); };
  FailureOr<ChipInfo> chip = lookupChip(options.chip, emitError);
  if (failed(chip))
    return failure();
  artifact.chip = chip->name;
  FailureOr<unsigned> version =
      resolvePTXVersion(*chip, options.ptxVersion, emitError);
  if (failed(version))
    return failure();
  artifact.ptxVersion = formatPTXVersion(*version);

  std::vector<PtxasKernelInfo> ptxas;
  if (options.ptx || options.cubin) {
    PTXOptions ptxOptions;
    ptxOptions.chip = options.chip;
    ptxOptions.ptxVersion = *version;
    ptxOptions.optLevel = options.optLevel;
    ptxOptions.debugLineInfo = options.debugLineInfo;
    ptxOptions.times = options.times;
    FailureOr<std::string> ptx = translateToPTX(module, ptxOptions);
    if (failed(ptx))
      return failure();
    if (options.cubin) {
      FailureOr<CubinResult> cubin = makeCubin(module, *ptx, options);
      if (failed(cubin))
        return failure();
      artifact.cubin = std::move(cubin->cubin);
      ptxas = std::move(cubin->kernels);
    }
    if (options.ptx)
      artifact.ptx = std::move(*ptx);
  }
  if (options.simulator) {
    SimulatorOptions simulatorOptions;
    simulatorOptions.times = options.times;
    simulatorOptions.count = options.count;
    FailureOr<SimulatorObject> object =
        translateToSimulator(module, simulatorOptions);
    if (failed(object))
      return failure();
    artifact.simulator = std::move(*object);
  }
  FailureOr<std::vector<LaunchFacts>> kernels = describeKernels(module, ptxas);
  if (failed(kernels))
    return failure();
  artifact.kernels = std::move(*kernels);
  return artifact;
}
