// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles one tile.gemm with the installed libraries, as an embedder does.
#include "tile/InitAll.h"
#include "tile/Pipelines/Pipelines.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

static const char *const kText = R"mlir(
!mat = memref<?x?xf32, strided<[?, 1], offset: ?>>
func.func @gemm(%A: !mat, %B: !mat, %D: !mat) {
  tile.gemm ins(%A, %B : !mat, !mat) outs(%D : !mat)
  return
}
)mlir";

int main() {
  mlir::DialectRegistry registry;
  tile::registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(kText, &context);
  if (!module)
    return 1;
  tile::CompileOptions options;
  options.chip = "sm_90";
  mlir::FailureOr<std::string> artifact =
      tile::compileToArtifact(*module, options);
  if (mlir::failed(artifact))
    return 1;
  bool hasTarget = artifact->find(".target sm_90") != std::string::npos;
  llvm::outs() << "artifact of " << artifact->size()
               << " bytes, PTX for sm_90: " << (hasTarget ? "yes" : "no")
               << "\n";
  return hasTarget ? 0 : 1;
}
