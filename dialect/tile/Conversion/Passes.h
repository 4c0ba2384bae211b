// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes from other dialects to problems, and the patterns that they apply.
#ifndef TILE_CONVERSION_PASSES_H
#define TILE_CONVERSION_PASSES_H

#include "tile/IR/Tile.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Pass/Pass.h"

namespace mlir {
class DialectRegistry;
class RewritePatternSet;
class RewriterBase;
} // namespace mlir

namespace tile {

#define GEN_PASS_DECL
#include "tile/Conversion/Passes.h.inc"

/// Replaces a contraction on memrefs by a `tile.gemm` on views of its operands,
/// and takes the fill with 0 before it away. On failure nothing is changed, and
/// `reason` is a sentence. TileDialect and MemRefDialect have to be loaded: they are
/// dependent dialects of a pass that calls this.
mlir::FailureOr<GemmOp> convertContraction(mlir::RewriterBase &rewriter,
                                           mlir::linalg::LinalgOp op,
                                           std::string &reason);

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
