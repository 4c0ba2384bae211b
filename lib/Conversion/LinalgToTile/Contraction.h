// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Analyses and builders that the conversion of contractions is made of.
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

/// Replaces a quantized matmul whose zero points are the constant 0 by a matmul.
/// Returns null if `op` is something else.
mlir::linalg::LinalgOp dropZeroPoints(mlir::RewriterBase &rewriter,
                                      mlir::linalg::LinalgOp op);

/// Whether `op` computes each element of one memref or tensor once, from
/// elements of its inputs.
bool isElementwise(mlir::linalg::LinalgOp op);

/// Whether the body of `op` uses elements of `value`, an input or the result.
bool readsOperand(mlir::linalg::LinalgOp op, mlir::Value value);

/// The memref that a view is of.
mlir::Value findBase(mlir::Value value);

/// Whether `base` was allocated in its function.
bool isAllocation(mlir::Value base);

/// Which memrefs may share memory.
struct Aliasing {
  bool distinctArguments = false;

  bool mayShare(mlir::Value a, mlir::Value b) const;
  /// Whether `op` may read or write `buffer`; with `writes`, only write or
  /// free.
  bool mayTouch(mlir::Operation *op, mlir::Value buffer,
                bool writes = false) const;
  /// The operation that is the last to touch the result of the contraction
  /// `op` before it, and sets all of it: an element-wise one or a copy. Null if
  /// there is none.
  mlir::Operation *findInit(mlir::linalg::LinalgOp op) const;
};

/// For each dimension of an operand the loop of the contraction that is its
/// index.
using Loops = mlir::SmallVector<unsigned, 4>;

/// A memref whose indices are loops of a contraction.
struct IndexedOperand {
  mlir::Value memref;
  Loops loops;
};

/// The loops of an operand; nothing where an index is not a loop.
std::optional<Loops> getLoops(mlir::AffineMap map);

/// What a GEMM is to read and write.
struct GemmOperands {
  IndexedOperand a, b, d;
  /// What the epilogue reads.
  mlir::SmallVector<IndexedOperand> others;
};

/// The operands of a GEMM as views: of rank 2, or 3 with a batch in front.
struct GemmViews {
  mlir::Value a, b, d;
  mlir::SmallVector<mlir::Value> others;
  /// By which of batch, m and n each of the others is indexed, and whether it
  /// has the shape of D.
  mlir::SmallVector<mlir::SmallVector<int64_t>> indices;
  mlir::SmallVector<bool> isWhole;
};

/// Makes the views of a GEMM's operands. On failure nothing is made, and
/// `reason` is a sentence.
mlir::FailureOr<GemmViews> createGemmViews(mlir::RewriterBase &rewriter,
                                           mlir::Location loc,
                                           const GemmOperands &operands,
                                           std::string &reason);

/// An element-wise operation in an epilogue. For each argument of its body:
/// the number of a value, those of steps before (0 is the contraction) or, from
/// `kFirstOperand` on, an operand; or `kUnused`, or `kScalar`.
struct EpilogueStep {
  mlir::linalg::LinalgOp op;
  mlir::SmallVector<int> sources;
};
constexpr int kFirstOperand = 1 << 16, kUnused = -1, kScalar = -2;

/// A contraction with what becomes its epilogue.
struct FusedContraction {
  mlir::linalg::LinalgOp op;
  GemmOperands operands;
  /// What sets the result before the sum, and goes; null if nothing does. It is
  /// a step, or else an operand by its number; with neither, zero.
  mlir::Operation *initOp = nullptr;
  std::optional<EpilogueStep> initStep;
  std::optional<unsigned> initOperand;
  mlir::SmallVector<EpilogueStep> steps;

  mlir::Operation *getLast() const {
    mlir::linalg::LinalgOp last = steps.empty() ? op : steps.back().op;
    return last.getOperation();
  }
};

/// Finds up to `most` element-wise operations behind the contraction `op` that
/// can be its epilogue as far as memory is concerned, and with `withInit` what
/// sets its result before; fewer where no more read its result. On failure,
/// `reason` says why not all of these.
mlir::FailureOr<FusedContraction> findFusion(mlir::linalg::LinalgOp op,
                                             const Aliasing &aliasing,
                                             unsigned most, bool withInit,
                                             std::string &reason);

/// Whether D of a fused contraction is more than the sum and C, which is the
/// operand `c`, if any.
bool needsEpilogue(const FusedContraction &fused, std::optional<unsigned> c);

/// Fills the epilogue of `gemm`. Returns why it cannot.
std::optional<std::string> buildEpilogue(const FusedContraction &fused,
                                         std::optional<unsigned> c,
                                         GemmOp gemm);

} // namespace tile

#endif // TILE_LIB_CONVERSION_LINALGTOTILE_CONTRACTION_H
