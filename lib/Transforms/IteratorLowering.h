// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared parts of the lowerings of iterators: access plans, loops, masks.
#ifndef TILE_LIB_TRANSFORMS_ITERATORLOWERING_H
#define TILE_LIB_TRANSFORMS_ITERATORLOWERING_H

#include "IndexArith.h"
#include "IteratorState.h"

#include "mlir/Transforms/DialectConversion.h"

namespace tile {

/// A marked loop over [lower, upper) that carries `init`, or its iterations one
/// after the other.
llvm::SmallVector<mlir::Value> stripMinedLoop(
    IndexArith arith, int64_t lower, int64_t upper, mlir::ValueRange init,
    llvm::function_ref<llvm::SmallVector<mlir::Value>(IndexArith, mlir::Value,
                                                      mlir::ValueRange)>
        body);

/// The type in which memory holds an element or a vector of them: LLVM has no
/// floats of 8 bits.
mlir::Type getMemoryType(mlir::Type type);
mlir::VectorType getMemoryType(mlir::Type elementType, int64_t count);
/// An element or a vector as one of another type of the same size.
mlir::Value castElements(IndexArith arith, mlir::Value value, mlir::Type type);

/// Packs the predicates with the numbers [begin, end), at most 32, in a word;
/// null: it holds.
mlir::Value packBits(
    IndexArith arith, int64_t begin, int64_t end,
    llvm::function_ref<mlir::Value(IndexArith, mlir::Value number)> predicate);

/// The value for memory access `number`, out of one for each place; `placeOf`
/// has the place of each memory access.
mlir::Value pickPlace(IndexArith arith, llvm::ArrayRef<unsigned> placeOf,
                      llvm::ArrayRef<mlir::Value> values, mlir::Value number);

/// How an iterator's type splits the fragment of a thread into accesses.
struct AccessPlan {
  explicit AccessPlan(IteratorType type)
      : type(type), pattern(getAccessPattern(type.getMap())),
        width(type.getAccessWidth()), parts(pattern.vector / width) {}

  IteratorType type;
  AccessPattern pattern;
  /// Elements of one memory access; memory accesses of one access of the map.
  int64_t width, parts;

  mlir::Type getElementType() const { return type.getView().getElementType(); }
  Layout getLayout() const { return type.getView().getLayout(); }
};

/// Packs the predicates of all accesses: element `first` of the thread plus the
/// access's offset must lie below `limit` in every dimension that has one, and
/// in the triangle that is accessed, if there is one; or, with `onDiagonal`, on
/// the diagonal. Of a map that reaches beyond its tile, the element `inTile`
/// must lie in it.
llvm::SmallVector<mlir::Value>
buildMask(IndexArith arith, const AccessPlan &plan,
          llvm::ArrayRef<mlir::Value> first, llvm::ArrayRef<mlir::Value> limit,
          llvm::ArrayRef<mlir::Value> inTile, bool onDiagonal = false);

/// The extents (rows, columns) that are walked.
llvm::SmallVector<mlir::Value> getWalkedExtents(IndexArith arith,
                                                IteratorType type,
                                                const IteratorState &state);

/// Computes the predicates of the tile that an iterator is at, and of the
/// steady phase if it is in the residue phase.
void computeMasks(IndexArith arith, IteratorType type, IteratorState &state,
                  llvm::ArrayRef<mlir::Value> extents);

/// How row and column compare in a triangle.
mlir::arith::CmpIPredicate getPredicate(TriangleAttr triangle);

/// The coordinate that a list of indices has for `coordinate`. The index is
/// read if `predicate` is true, and is `none` otherwise.
mlir::Value lookUpIndex(IndexArith arith, GatherAttr gather,
                        mlir::ValueRange list, mlir::Value coordinate,
                        mlir::Value predicate, int64_t none = 0);

/// The coordinate that a gathered one leads to, and whether it is one of the
/// view's.
struct FoundCoordinate {
  mlir::Value coordinate, inside;
};
/// Looks up a coordinate; the index is read if `predicate` is true.
FoundCoordinate lookUpCoordinate(IndexArith arith, IteratorType type,
                                 const IteratorState &state,
                                 mlir::Value coordinate, mlir::Value predicate);

/// The memory of one access of a folded iterator that is not separable, and
/// whether its coordinate is one of the view's (null: nothing to test).
struct FoldedAccess {
  mlir::Value pointer, inside;
};
/// Looks up the coordinate (row, column) of an access and computes its address.
/// An index is read if `predicate` is true.
FoldedAccess getFoldedAccess(IndexArith arith, IteratorType type,
                             const IteratorState &state,
                             std::array<mlir::Value, 2> coordinate,
                             mlir::Value predicate);

/// The one memory access of a loop iteration.
struct Access {
  mlir::Value pointer;
  /// Position in the fragment of its first element.
  mlir::Value position;
  /// Null when the iterator is not predicated.
  mlir::Value predicate;
  /// Whether it is on a diagonal of ones; null if there is none.
  mlir::Value diagonal;
  /// The access of the map, and which part of it this is.
  mlir::Value index;
  int64_t part = 0;
};

/// A pattern that may write strip-mined loops.
template <typename OpT>
struct IteratorPattern : mlir::OpConversionPattern<OpT> {
  IteratorPattern(const mlir::TypeConverter &converter,
                  mlir::MLIRContext *context, bool unroll)
      : mlir::OpConversionPattern<OpT>(converter, context), unroll(unroll) {}
  bool unroll;
};

/// Adds the lowerings of asynchronous copies.
void populateLowerAsyncCopyPatterns(const mlir::TypeConverter &converter,
                                    mlir::RewritePatternSet &patterns,
                                    bool unroll);

/// Adds the lowerings of operations that are short for others: loads and stores
/// at an offset, and what evaluates a recipe.
void populateLowerToCanonicalPatterns(const mlir::TypeConverter &converter,
                                      mlir::RewritePatternSet &patterns);

/// Adds the lowerings of moves and of operations on masks.
void populateLowerIteratorMovePatterns(const mlir::TypeConverter &converter,
                                       mlir::RewritePatternSet &patterns,
                                       bool unroll);

/// Loads of matrices by a warp.
void populateLowerMatrixLoadPatterns(const mlir::TypeConverter &converter,
                                     mlir::RewritePatternSet &patterns);

/// Stream-K plans: their operations and lowerings.
bool isStreamKOp(mlir::Operation *op);
void populateLowerStreamKPatterns(const mlir::TypeConverter &converter,
                                  mlir::RewritePatternSet &patterns);

/// Orders of thread blocks: their operations and lowerings.
bool isBlockOrderOp(mlir::Operation *op);
void populateLowerBlockOrderPatterns(const mlir::TypeConverter &converter,
                                     mlir::RewritePatternSet &patterns);

} // namespace tile

#endif // TILE_LIB_TRANSFORMS_ITERATORLOWERING_H
