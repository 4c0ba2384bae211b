// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes from other dialects to problems, and the patterns that they apply.
#ifndef TILE_CONVERSION_PASSES_H
#define TILE_CONVERSION_PASSES_H

#include "tile/IR/Tile.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Pass/Pass.h"

#include <functional>
#include <string>

namespace mlir {
class DialectRegistry;
class RewritePatternSet;
class RewriterBase;
} // namespace mlir

namespace tile {

#define GEN_PASS_DECL
#include "tile/Conversion/Passes.h.inc"

/// An element-wise operation on the result of a contraction that did not become
/// part of its epilogue, and why.
struct NotFused {
  mlir::Operation *op;
  std::string reason;
};

/// A mark on a function whose arguments share no memory. One on tensors has it
/// before it is bufferized, and one on memrefs where its author says so.
constexpr llvm::StringLiteral kDistinctArguments = "tile.distinct_arguments";

struct ContractionOptions {
  /// Called for each operation that stays beside a GEMM.
  std::function<void(const NotFused &)> onNotFused;
};

/// Replaces a contraction on memrefs by a `tile.gemm` on views of its operands.
/// The element-wise operations on its result that can be its epilogue go, and
/// so does what sets the result before. On failure nothing is changed, and
/// `reason` is a sentence. TileDialect, MemRefDialect and ArithDialect have to
/// be loaded: they are dependent dialects of a pass that calls this.
mlir::FailureOr<GemmOp>
convertContraction(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
                   std::string &reason, const ContractionOptions &options = {});

/// Patterns that apply `convertContraction` where it succeeds, with the same
/// dependent dialects.
void populateLinalgToTilePatterns(mlir::RewritePatternSet &patterns);

/// Patterns that fold transposes, broadcasts and widening casts of tensors into
/// the contractions that read them.
void populateFoldIntoContractionPatterns(mlir::RewritePatternSet &patterns);

/// The dialects on which programs with `linalg` stand, and what bufferization
/// asks of them.
void registerLinalgDialects(mlir::DialectRegistry &registry);

#define GEN_PASS_REGISTRATION
#include "tile/Conversion/Passes.h.inc"

} // namespace tile

#endif // TILE_CONVERSION_PASSES_H
