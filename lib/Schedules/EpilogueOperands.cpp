// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operands of a gemm's epilogue.
#include "EpilogueOperands.h"

#include "tile/IR/Epilogue.h"

using namespace mlir;
using namespace tile;
using namespace tile::dsl;

/// Elements of an access to an operand that is loaded in pairs.
static constexpr int64_t kPair = 2;

/// Where the operands lie, with stride 0 along a dimension without an index.
static SmallVector<MatrixParameters> getMatrices(GemmOp gemm, bool transposed) {
  bool batched = cast<MemRefType>(gemm.getD().getType()).getRank() == 3;
  SmallVector<MatrixParameters> matrices;
  for (auto [i, operand] : llvm::enumerate(gemm.getEpilogueOperands())) {
    SmallVector<int64_t> strides;
    int64_t offset, unitDim = -1;
    std::array<bool, 2> repeated = {true, true};
    for (int64_t index : gemm.getEpilogueIndices(i))
      if (index != IndexBatch)
        repeated[(index == IndexN) != transposed] = false;
    auto type = cast<MemRefType>(operand.getType());
    if (failed(type.getStridesAndOffset(strides, offset)))
      strides.clear();
    for (auto [index, stride] : llvm::zip(gemm.getEpilogueIndices(i), strides))
      if (stride == 1 && index != IndexBatch)
        unitDim = (index == IndexN) != transposed;
    matrices.push_back(
        {"E" + std::to_string(i), transposed, unitDim, batched, repeated});
  }
  return matrices;
}

void tile::declareEpilogueOperands(GemmOp gemm, bool transposed,
                                   KernelParameters &parameters) {
  for (const MatrixParameters &matrix : getMatrices(gemm, transposed))
    matrix.declare(gemm.getContext(), parameters);
}

std::optional<unsigned> tile::findMatrixLikeD(GemmOp gemm, int64_t contiguous) {
  Type type = cast<MemRefType>(gemm.getD().getType()).getElementType();
  SmallVector<MatrixParameters> matrices =
      getMatrices(gemm, /*transposed=*/false);
  for (auto [i, matrix] : llvm::enumerate(matrices)) {
    auto own = cast<MemRefType>(gemm.getEpilogueOperands()[i].getType());
    if (!matrix.repeated[0] && !matrix.repeated[1] &&
        matrix.unitDim == contiguous && own.getElementType() == type)
      return i;
  }
  return std::nullopt;
}

bool tile::hasEpiloguePairs(GemmOp gemm, bool transposed) {
  return llvm::any_of(
      getMatrices(gemm, transposed),
      [](const MatrixParameters &matrix) { return matrix.unitDim == 1; });
}

void tile::requireEpiloguePairs(GemmOp gemm, bool transposed,
                                LaunchFacts &facts) {
  for (auto [matrix, operand] : llvm::zip_equal(getMatrices(gemm, transposed),
                                                gemm.getEpilogueOperands())) {
    if (matrix.unitDim != 1)
      continue;
    auto type = cast<MemRefType>(operand.getType());
    OperandRequirement &requirement = facts.requirements.emplace_back();
    requirement.operand.name = matrix.name;
    requirement.unitStride = transposed ? 0 : 1;
    requirement.alignment = kPair * type.getElementTypeBitWidth() / 8;
    requirement.strideMultiple = requirement.extentMultiple = kPair;
  }
}

void tile::addEpilogueOperands(Scope &scope, GemmOp gemm, bool transposed,
                               const KernelArguments &arguments, Val m, Val n,
                               bool pairs, Epilogue &epilogue) {
  for (auto [matrix, operand] : llvm::zip_equal(getMatrices(gemm, transposed),
                                                gemm.getEpilogueOperands())) {
    Type type = cast<MemRefType>(operand.getType()).getElementType();
    int64_t vector = pairs && matrix.unitDim == 1 ? kPair : 1;
    auto view = [&scope, &arguments, matrix = matrix, type, m, n,
                 vector](Val batch) {
      return arguments.makeView(scope, matrix, type, {m, n}, vector, batch);
    };
    epilogue.sources.push_back({view, Val(), matrix.repeated});
  }
}
