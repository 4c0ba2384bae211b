// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tile-opt: runs passes on a file.
#include "Tools.h"

#include "tile/InitAll.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int tileOptMain(int argc, char **argv) {
  mlir::DialectRegistry registry;
  tile::registerAllDialects(registry);
  tile::registerAllPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Tile's pass driver\n", registry));
}
