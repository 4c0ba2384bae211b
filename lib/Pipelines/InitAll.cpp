// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one place where dialects, passes and pipelines are registered.
#include "tile/InitAll.h"

#include "tile/IR/Tile.h"
#include "tile/Pipelines/Pipelines.h"
#include "tile/Schedules/Schedules.h"
#include "tile/Target/Passes.h"
#include "tile/Target/Translations.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void tile::registerAllDialects(DialectRegistry &registry) {
  registry.insert<TileDialect, func::FuncDialect, memref::MemRefDialect>();
  registerTargetDialects(registry);
  registerScheduleInterfaces(registry);
}

void tile::registerAllPasses() {
  registerTileTransformsPasses();
  registerTileTargetPasses();
  registerTilePipelines();
  registerCanonicalizerPass();
  registerCSEPass();
  registerInlinerPass();
  registerLoopInvariantCodeMotionPass();
  registerStripDebugInfoPass();
  registerSymbolDCEPass();
}
