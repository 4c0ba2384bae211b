// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tile-opt: runs passes on a file.
#include "Tools.h"

#include "tile/InitAll.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

int tileOptMain(int argc, char **argv) {
  mlir::DialectRegistry registry;
  tile::registerAllDialects(registry);
  tile::registerAllPasses();

  // An error is a sentence, not a listing of the module that it is in, unless
  // the command line asks for that.
  constexpr llvm::StringLiteral kPrintOp = "mlir-print-op-on-diagnostic";
  std::string quiet = ("--" + kPrintOp + "=false").str();
  llvm::SmallVector<char *> arguments(argv, argv + argc);
  if (llvm::none_of(arguments, [&](llvm::StringRef argument) {
        return argument.contains(kPrintOp);
      }))
    arguments.insert(arguments.begin() + 1, quiet.data());
  int count = arguments.size();
  arguments.push_back(nullptr);
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      count, arguments.data(), "Tile's pass driver\n", registry));
}
