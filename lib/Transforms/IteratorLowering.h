// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the lowerings of iterators share: access plans, loops, masks.
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
/// access's offset must lie below `limit` in every dimension that has one. Of a
/// map that reaches beyond its tile, the element `inTile` must lie in it.
llvm::SmallVector<mlir::Value> buildMask(IndexArith arith,
                                         const AccessPlan &plan,
                                         llvm::ArrayRef<mlir::Value> first,
                                         llvm::ArrayRef<mlir::Value> limit,
                                         llvm::ArrayRef<mlir::Value> inTile);

/// Adds the lowerings of moves and of operations on masks.
void populateLowerIteratorMovePatterns(const mlir::TypeConverter &converter,
                                       mlir::RewritePatternSet &patterns,
                                       bool unroll);

/// Iterators over mapped matrices: their operations, types and lowerings.
bool isMappedIteratorOp(mlir::Operation *op);
void populateMappedIteratorTypeConversions(mlir::TypeConverter &converter);
void populateLowerMappedIteratorPatterns(const mlir::TypeConverter &converter,
                                         mlir::RewritePatternSet &patterns,
                                         bool unroll);

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
