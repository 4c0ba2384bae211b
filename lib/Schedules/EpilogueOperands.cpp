// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operands of a gemm's epilogue.
#include "EpilogueOperands.h"

#include "tile/IR/Epilogue.h"

using namespace mlir;
using namespace tile;
using namespace tile::dsl;

/// Where the operands lie, with stride 0 along a dimension without an index.
static SmallVector<MatrixParameters> getMatrices(GemmOp gemm, bool transposed) {
  bool batched = cast<MemRefType>(gemm.getD().getType()).getRank() == 3;
  SmallVector<MatrixParameters> matrices;
  for (auto [i, operand] : llvm::enumerate(gemm.getEpilogueOperands())) {
    SmallVector<int64_t> strides;
    int64_t offset, unitDim = -1;
    auto type = cast<MemRefType>(operand.getType());
    if (failed(type.getStridesAndOffset(strides, offset)))
      strides.clear();
    for (auto [index, stride] : llvm::zip(gemm.getEpilogueIndices(i), strides))
      if (stride == 1 && index != IndexBatch)
        unitDim = (index == IndexN) != transposed;
    matrices.push_back({"E" + std::to_string(i), transposed, unitDim, batched});
  }
  return matrices;
}

void tile::declareEpilogueOperands(GemmOp gemm, bool transposed,
                                   KernelParameters &parameters) {
  for (const MatrixParameters &matrix : getMatrices(gemm, transposed))
    matrix.declare(gemm.getContext(), parameters);
}

void tile::addEpilogueOperands(Scope &scope, GemmOp gemm, bool transposed,
                               const KernelArguments &arguments, Val m, Val n,
                               Epilogue &epilogue) {
  for (auto [matrix, operand] : llvm::zip_equal(getMatrices(gemm, transposed),
                                                gemm.getEpilogueOperands())) {
    Type type = cast<MemRefType>(operand.getType()).getElementType();
    auto view = [&scope, &arguments, matrix = matrix, type, m, n](Val batch) {
      return arguments.makeView(scope, matrix, type, {m, n}, /*vector=*/1,
                                batch);
    };
    epilogue.sources.push_back({view, Val()});
  }
}
