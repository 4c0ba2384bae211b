// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tile-reduce: MLIR's reducer of test cases, with the dialects of the compiler.
#include "Tools.h"

#include "Support/Process.h"
#include "tile/InitAll.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "llvm/Support/SourceMgr.h"

int tileReduceMain(int argc, char **argv) {
  mlir::DialectRegistry registry;
  tile::registerAllDialects(registry);
  tile::registerAllPasses();
  mlir::MLIRContext context(registry);
  llvm::SourceMgr sources;
  mlir::SourceMgrDiagnosticHandler handler(sources, &context);
  return succeeded(mlir::mlirReduceMain(argc, argv, context)) ? tile::Passed
                                                              : tile::Failed;
}
