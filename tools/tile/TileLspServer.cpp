// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tile-lsp-server: MLIR's language server, with the dialects of the compiler.
#include "Tools.h"

#include "Support/Process.h"
#include "tile/InitAll.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int tileLspServerMain(int argc, char **argv) {
  mlir::DialectRegistry registry;
  tile::registerAllDialects(registry);
  return succeeded(mlir::MlirLspServerMain(argc, argv, registry))
             ? tile::Passed
             : tile::Failed;
}
