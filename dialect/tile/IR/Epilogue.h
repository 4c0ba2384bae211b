// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Epilogues of problems: their indices, and the region as an expression.
#ifndef TILE_IR_EPILOGUE_H
#define TILE_IR_EPILOGUE_H

#include "tile/Facts/Expression.h"
#include "tile/IR/Tile.h"

namespace tile {

/// What an operand of an epilogue is indexed by.
enum EpilogueIndex : int64_t { IndexBatch, IndexM, IndexN };

/// The epilogue of a verified gemm as an expression over the sum, the element
/// of C if there is one, and the elements of the operands.
Expression getExpression(GemmOp gemm);

} // namespace tile

#endif // TILE_IR_EPILOGUE_H
