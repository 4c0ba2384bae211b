// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the conversion of contractions asks of an operation of linalg.
#ifndef TILE_LIB_CONVERSION_LINALGTOTILE_CONTRACTION_H
#define TILE_LIB_CONVERSION_LINALGTOTILE_CONTRACTION_H

#include "tile/Conversion/Passes.h"

#include <optional>
#include <string>

namespace tile {

/// The value behind widening casts, of floats and of signed integers.
mlir::Value stripWidening(mlir::Value value);

/// Why the body of `op` is not: add the product of the two inputs, widened to
/// the result's type, to the result. Nothing when it is.
std::optional<std::string> whyNoContractionBody(mlir::linalg::LinalgOp op);

/// The operands of a GEMM as views of those of a contraction: of rank 2, or 3
/// with a batch in front.
struct ContractionViews {
  mlir::Value a, b, d;
};

/// Makes the views of a contraction on memrefs, before it. On failure nothing
/// is made, and `reason` is a sentence.
mlir::FailureOr<ContractionViews>
createContractionViews(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
                       std::string &reason);

/// The fill with 0 that is the last to touch `buffer` before `op`; null if
/// there is none, or something between the two may touch the buffer.
mlir::linalg::FillOp findZeroFill(mlir::Operation *op, mlir::Value buffer);

} // namespace tile

#endif // TILE_LIB_CONVERSION_LINALGTOTILE_CONTRACTION_H
