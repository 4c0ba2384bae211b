// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass pipelines from problems to PTX.
#include "tile/Pipelines/Pipelines.h"

#include "tile/Conversion/Passes.h"
#include "tile/IR/Tile.h"
#include "tile/Target/Passes.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tile;

namespace {
/// Refuses ops of the dialect where no pass of the pipeline lowers them: in the
/// body of a gpu.launch, which is no kernel of a gpu.module yet.
struct CheckLaunchBodies
    : PassWrapper<CheckLaunchBodies, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CheckLaunchBodies)

  StringRef getArgument() const final { return "tile-check-launch-bodies"; }
  StringRef getDescription() const final {
    return "Refuse ops of the tile dialect in the body of a gpu.launch";
  }
  void runOnOperation() final {
    WalkResult result = getOperation().walk([](gpu::LaunchOp launch) {
      return launch.walk([](Operation *op) {
        if (!isa_and_present<TileDialect>(op->getDialect()))
          return WalkResult::advance();
        op->emitOpError("expected to be in a gpu.func of a gpu.module, which "
                        "gpu.launch_func launches, but got the body of a "
                        "gpu.launch");
        return WalkResult::interrupt();
      });
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace

/// The stages as `stop-after` spells them, in order.
static constexpr llvm::StringLiteral kStages[] = {
    "schedule", "kernels", "pipelines", "iterators",
    "unroll",   "atoms",   "layouts",   "ptx"};

bool ToPTXOptions::StageParser::parse(llvm::cl::Option &option, StringRef,
                                      StringRef text, Stage &stage) {
  for (auto [i, name] : llvm::enumerate(kStages))
    if (text == name) {
      stage = static_cast<Stage>(i);
      return false;
    }
  return option.error("expected one of the stages " +
                      llvm::join(ArrayRef(kStages), ", ") + ", but got '" +
                      text + "'");
}

void ToPTXOptions::StageParser::print(raw_ostream &stream, const Stage &stage) {
  stream << kStages[static_cast<size_t>(stage)];
}

/// Canonicalizes and removes common subexpressions in kernels.
static void addCleanup(OpPassManager &manager) {
  OpPassManager &kernels = manager.nest<gpu::GPUModuleOp>();
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
}

void tile::buildToPTXPipeline(OpPassManager &manager,
                              const ToPTXOptions &options) {
  Stage last = options.stopAfter;
  manager.addPass(std::make_unique<CheckLaunchBodies>());
  manager.addPass(createTileConvToGemm());
  manager.addPass(createTileSelectSchedule(
      {options.schedule, options.tuningTable, options.remarks, options.chip}));
  if (last == Stage::Schedule)
    return;
  manager.addPass(createTileBuildKernels({options.chip}));
  if (last == Stage::Kernels)
    return;
  manager.addNestedPass<gpu::GPUModuleOp>(createTileLowerPipelines());
  manager.addNestedPass<gpu::GPUModuleOp>(createTileLowerWarpgroups());
  if (last == Stage::Pipelines)
    return addCleanup(manager);
  TileLowerIteratorsOptions iterators;
  iterators.unroll = last != Stage::Iterators;
  manager.addNestedPass<gpu::GPUModuleOp>(createTileLowerIterators(iterators));
  if (last == Stage::Iterators)
    return addCleanup(manager);
  manager.addNestedPass<gpu::GPUModuleOp>(createTileUnrollStripMined());
  addCleanup(manager);
  if (last == Stage::Unroll)
    return;
  manager.addNestedPass<gpu::GPUModuleOp>(createTileLowerAtoms({options.chip}));
  if (last == Stage::Atoms)
    return;
  manager.addNestedPass<gpu::GPUModuleOp>(createTileExpandLayouts());
  if (last == Stage::Layouts)
    return;
  TileKernelsToPTXOptions target;
  target.chip = options.chip;
  manager.addPass(createTileKernelsToPTX(target));
}

/// From tensors to memrefs.
static void addBufferization(OpPassManager &manager) {
  manager.addPass(createTileFoldIntoContractions());
  manager.addPass(createCanonicalizerPass());
  // Arguments and results are whole matrices, row by row, as tensors are.
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  bufferize.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  bufferize.allowUnknownOps = true;
  manager.addPass(bufferization::createOneShotBufferizePass(bufferize));
  bufferization::BufferResultsToOutParamsPassOptions results;
  results.hoistStaticAllocs = true;
  results.hoistDynamicAllocs = true;
  results.modifyPublicFunctions = true;
  manager.addPass(bufferization::createBufferResultsToOutParamsPass(results));
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

void tile::buildLinalgToTilePipeline(OpPassManager &manager, bool tensors) {
  if (tensors)
    addBufferization(manager);
  manager.addPass(createConvertLinalgToTile());
  // The memrefs between operations that became one.
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createTileOutlineProblems());
  // The zeros of fills that are gone.
  manager.addPass(createCanonicalizerPass());
}

void tile::registerTilePipelines() {
  PassRegistration<CheckLaunchBodies>();
  PassPipelineRegistration<>(
      "linalg-to-tile",
      "from linalg on tensors or memrefs to entries of tile.gemm and a host "
      "program that calls them",
      [](OpPassManager &manager) { buildLinalgToTilePipeline(manager); });
  PassPipelineRegistration<ToPTXOptions>(
      "tile-to-ptx",
      "from tile.gemm to PTX: choose schedules, build kernels, lower them, and "
      "leave gpu.binaries",
      buildToPTXPipeline);
}
