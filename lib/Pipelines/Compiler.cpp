// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles a module to an artifact.
#include "ArtifactCache.h"

#include "tile/IR/Tile.h"
#include "tile/Pipelines/Pipelines.h"
#include "tile/Target/Chip.h"
#include "tile/Target/StageTimes.h"
#include "tile/Target/Translations.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace tile;

/// Whether anything of the dialect is left to lower.
static bool hasTileOps(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        return isa_and_nonnull<TileDialect>(op->getDialect())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Converts what there is of linalg outside of kernels to problems.
static LogicalResult convertLinalg(ModuleOp module,
                                   const CompileOptions &options) {
  bool found = false, tensors = false;
  for (auto function : module.getOps<func::FuncOp>())
    function.walk([&](linalg::LinalgOp op) {
      found = true;
      tensors |= !op.hasPureBufferSemantics();
    });
  if (!found)
    return success();
  StageTimer timer(options.times, "linalg");
  PassManager manager(module.getContext());
  // A program on memrefs keeps its functions as they are.
  buildLinalgToTilePipeline(manager, tensors);
  return manager.run(module);
}

LogicalResult tile::lowerToFloor3(ModuleOp module,
                                  const CompileOptions &options) {
  if (failed(convertLinalg(module, options)))
    return failure();
  if (!hasTileOps(module))
    return success();
  StageTimer timer(options.times, "passes");
  PassManager manager(module.getContext());
  ToPTXOptions pipeline;
  pipeline.chip = options.chip;
  pipeline.schedule = options.schedule;
  pipeline.tuningTable = options.tuningTable;
  pipeline.remarks = options.remarks;
  pipeline.stopAfter = Stage::Layouts;
  buildToPTXPipeline(manager, pipeline);
  // The parser has verified the input; verifying after each pass again would
  // take a third of the passes' time, so the result is verified once.
  manager.enableVerifier(false);
  return success(succeeded(manager.run(module)) &&
                 succeeded(mlir::verify(module)));
}

static FailureOr<std::string> compileAnew(ModuleOp module,
                                          const CompileOptions &options) {
  if (failed(lowerToFloor3(module, options)))
    return failure();
  FailureOr<std::vector<ArtifactEntry>> entries = collectEntries(module);
  if (failed(entries))
    return failure();
  ArtifactOptions target;
  target.chip = options.chip;
  target.ptx = options.ptx;
  target.cubin = options.cubin;
  target.simulator = options.simulator;
  target.count = options.count;
  target.times = options.times;
  FailureOr<Artifact> artifact =
      compileArtifact(module, std::move(*entries), target);
  if (failed(artifact))
    return failure();
  return writeArtifact(*artifact);
}

FailureOr<std::string> tile::compileToArtifact(ModuleOp module,
                                               const CompileOptions &options) {
  if (options.cacheDirectory.empty())
    return compileAnew(module, options);
  Location loc = module.getLoc();
  Result<ArtifactCache> cache = ArtifactCache::find(module, options);
  // Remarks are asked for to be read.
  if (cache && !options.remarks)
    if (std::optional<std::string> bytes = cache->read())
      return std::move(*bytes);
  if (options.cacheOnly)
    return emitError(loc) << "expected an artifact that is compiled already, "
                             "but got none in "
                          << options.cacheDirectory
                          << (cache ? "" : ": " + cache.getReason());
  unsigned said = 0;
  FailureOr<std::string> bytes;
  {
    ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &) {
      ++said;
      return failure();
    });
    bytes = compileAnew(module, options);
  }
  if (failed(bytes) || said)
    return bytes;
  std::optional<std::string> reason =
      cache ? cache->write(*bytes) : cache.getReason();
  if (reason)
    emitWarning(loc) << "the artifact cannot be kept: " << *reason;
  return bytes;
}
