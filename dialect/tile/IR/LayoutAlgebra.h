// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every operation of the layout algebra computes, on constants or symbols.
#ifndef TILE_IR_LAYOUTALGEBRA_H
#define TILE_IR_LAYOUTALGEBRA_H

#include "tile/Layout/ComposedAlgebra.h"

#include "mlir/IR/OpDefinition.h"

#include <variant>

namespace tile {

// One algorithm for types and values
// ==================================
//
// An operation such as `tile.composition` is one function `evaluate` of its
// attributes and operands, written with the algebra of tile/Layout. The
// operands' run-time leaves are symbols: #0, #1, ... in operand order, for a
// layout its extents, its strides and its offset from left to right, for an
// index the value itself. The result serves three purposes:
//
//   * its form without symbols is the result type (or the reason against it);
//   * its leaves, turned into arithmetic, are the result's run-time leaves
//     (tile-expand-layouts);
//   * with constants in the place of symbols it is what the operation folds to.
//
// Worked example: `tile.logical_divide` of (?{div = 64}) : (1) by 8 : 1 is
// (8, #0 floordiv 8) : (1, 8); the type is (8, ?{div = 8}) : (1, 8), and the
// one run-time leaf is the extent shifted right by three.

/// "Every first is less than its second", an i1.
using LessPairs = llvm::SmallVector<std::pair<Int, Int>>;
/// The value of one result: a layout, an index or an i1.
using AlgebraValue = std::variant<ComposedLayout, Int, LessPairs>;
/// One value a result, or the reason why there is none.
using AlgebraResult = Result<llvm::SmallVector<AlgebraValue>>;

/// The operands of an operation, read from left to right: layouts, and those of
/// views, by layout(), indices by tuple() and tiler().
class AlgebraOperands {
public:
  /// Run-time leaves become symbols; an index operand with a constant in
  /// `constants` (one attribute an operand, or none at all) becomes that.
  explicit AlgebraOperands(mlir::ValueRange operands,
                           llvm::ArrayRef<mlir::Attribute> constants = {});

  /// Whether a layout is left to read.
  bool hasLayout() const { return nextLayout < layouts.size(); }
  /// The next layout; 1 : 0 where there is none.
  ComposedLayout layout();
  /// The next layout if it has no swizzle and no offset, or a plain form.
  Result<Layout> plainLayout();
  /// `tuple` with its run-time leaves taken from the next index operands, known
  /// to be at least `lower`. Stated divisors are kept.
  IntTuple tuple(const IntTuple &tuple, int64_t lower = 0);
  /// The same for the leaves of a tiler, mode by mode its shape, then its
  /// stride; extents are at least 1.
  Result<Tiler> tiler(const Tiler &tiler);
  /// Why the operands do not fit the tuples that were read, if they do not.
  std::optional<Reason> findMismatch() const;

private:
  struct Index {
    unsigned symbol;
    std::optional<int64_t> constant;
  };
  IntTuple leaf(const IntTuple &leaf, int64_t lower);

  llvm::SmallVector<ComposedLayout> layouts;
  llvm::SmallVector<Index> indices;
  unsigned nextLayout = 0, nextIndex = 0;
  bool missing = false;
};

/// Results of one value.
AlgebraResult yield(const Layout &layout);
AlgebraResult yield(const ComposedLayout &layout);
AlgebraResult yield(const Int &integer);
/// Results from a result of the algebra, whose reason is passed on.
template <typename T>
AlgebraResult yield(const Result<T> &result) {
  if (!result)
    return result.takeReason();
  return yield(*result);
}
/// One index for each leaf of a tuple.
AlgebraResult yieldLeaves(const Result<IntTuple> &tuple);
/// Calls `function` with the plain layout where there is neither swizzle nor
/// offset, and with the composed one otherwise.
template <typename Function>
AlgebraResult yieldEither(const ComposedLayout &layout, Function function) {
  if (layout.isPlain())
    return yield(function(layout.getLayout()));
  return yield(function(layout));
}

/// Applies `function` to the layout inside; what is around it stays. For
/// functions that only rearrange or restrict the domain.
AlgebraResult
yieldInside(const ComposedLayout &layout,
            llvm::function_ref<Result<Layout>(const Layout &)> function);

/// Number of `?` leaves of a layout: extents, strides, offset.
unsigned getNumDynamicLeaves(const ComposedLayout &layout);
/// The integer leaves of a layout in the order of its run-time leaves.
llvm::SmallVector<Int> getIntLeaves(const ComposedLayout &layout);
/// A layout with a symbol for every `?` leaf, numbered from `next` on. Extents
/// are at least 1, strides and offsets at least 0.
ComposedLayout withSymbols(const ComposedLayout &layout, unsigned &next);
/// The layout's type: run-time leaves without their expressions.
Result<ComposedLayout> withoutExprs(const ComposedLayout &layout);
/// The offset of a coordinate. What is a multiple of a swizzle's period is
/// added after the swizzle, so that it can become part of an address.
Result<Int> getOffsetAt(const ComposedLayout &layout,
                        const IntTuple &coordinate);
/// True when `special` is `general` with more known: the same nesting, equal
/// constants, `?` leaves that are constants or multiples of the same divisor.
bool refines(const ComposedLayout &special, const ComposedLayout &general);

/// True when both are layouts of constants with the same value at every index,
/// as `32 : 1` and `(4, 8) : (1, 4)`. Different swizzles are compared up to
/// 65536 elements.
bool isSameFunction(const ComposedLayout &lhs, const ComposedLayout &rhs);

/// An operation's function of its operands, once they are read.
using AlgebraFunction = llvm::function_ref<AlgebraResult(AlgebraOperands &)>;

/// Calls `function` and checks what it returns: no integer beyond 64 bits, and
/// operands that fit the tuples.
AlgebraResult evaluateAlgebra(AlgebraOperands operands,
                              AlgebraFunction function);
/// The types of an operation's results.
mlir::LogicalResult inferAlgebraTypes(mlir::MLIRContext *context,
                                      std::optional<mlir::Location> loc,
                                      mlir::ValueRange operands,
                                      AlgebraFunction function,
                                      llvm::SmallVectorImpl<mlir::Type> &types);
/// Reports why an operation has no result, if it has none, and results of other
/// types than the inferred ones.
mlir::LogicalResult verifyAlgebra(mlir::Operation *op);
/// Constants for the results of an operation that has no layout as result.
mlir::LogicalResult
foldAlgebra(mlir::Operation *op, llvm::ArrayRef<mlir::Attribute> operands,
            llvm::SmallVectorImpl<mlir::OpFoldResult> &results);
/// The same for an operation with one result.
mlir::OpFoldResult foldAlgebra(mlir::Operation *op,
                               llvm::ArrayRef<mlir::Attribute> operands);

//===-- Views -------------------------------------------------------------===//

// A view is a pointer and a layout, so what makes a view of another one is one
// function as well: of the view's layout and of indices. Its result is the new
// layout, and by how many elements the pointer moves.

/// A part of a view, or the view under another layout.
struct ViewPart {
  ComposedLayout layout;
  Int offset = 0;
  /// Null: as before. Another one goes with offset 0.
  mlir::Type elementType = {};
};
using ViewFunction = llvm::function_ref<Result<ViewPart>(AlgebraOperands &)>;

/// Calls `function`, and checks the integers and the number of operands.
Result<ViewPart> evaluateView(AlgebraOperands operands, ViewFunction function);
/// The type of the result of an operation on a view, its first operand.
mlir::LogicalResult inferViewType(std::optional<mlir::Location> loc,
                                  mlir::ValueRange operands,
                                  ViewFunction function,
                                  llvm::SmallVectorImpl<mlir::Type> &types);
/// Reports why there is no result, or a result of another type.
mlir::LogicalResult verifyViewType(mlir::Operation *op, ViewFunction function);
/// The part of a view at a coordinate with wildcards. The integers of the
/// coordinate are taken to lie inside the layout.
Result<ViewPart> slicePart(const IntTuple &coordinate,
                           const ComposedLayout &layout);
/// The offset of an element of a view.
Result<Int> getElementOffset(const IntTuple &coordinate,
                             const ComposedLayout &layout);

} // namespace tile

#endif // TILE_IR_LAYOUTALGEBRA_H
