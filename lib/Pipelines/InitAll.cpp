// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one place where dialects, passes and pipelines are registered.
#include "tile/InitAll.h"

#include "tile/Conversion/Passes.h"
#include "tile/IR/Tile.h"
#include "tile/Pipelines/Pipelines.h"
#include "tile/Schedules/Schedules.h"
#include "tile/Target/Passes.h"
#include "tile/Target/Translations.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/Transforms/InlinerInterfaceImpl.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/InliningUtils.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace {
/// A kernel may be written as functions: every op of ours is as good in the
/// caller.
struct TileInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

/// What --inline asks of dialects. Without it a call stays, in silence.
static void registerInliners(DialectRegistry &registry) {
  func::registerInlinerExtension(registry);
  LLVM::registerInlinerInterface(registry);
  NVVM::registerInlinerInterface(registry);
  registry.addExtension(+[](MLIRContext *, tile::TileDialect *dialect) {
    dialect->addInterfaces<TileInlinerInterface>();
  });
}

void tile::registerAllDialects(DialectRegistry &registry) {
  registry.insert<TileDialect, func::FuncDialect, memref::MemRefDialect>();
  registerLinalgDialects(registry);
  registerTargetDialects(registry);
  registerScheduleInterfaces(registry);
  registerInliners(registry);
}

void tile::registerAllPasses() {
  registerTileConversionPasses();
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
