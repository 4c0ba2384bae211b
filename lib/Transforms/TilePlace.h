// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a tile iterator is in terms of views, layouts and coordinates.
#ifndef TILE_LIB_TRANSFORMS_TILEPLACE_H
#define TILE_LIB_TRANSFORMS_TILEPLACE_H

#include "IteratorLowering.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tile {

/// Run-time extents and strides of a view, from where it is made; nothing if
/// that is not seen.
std::optional<ViewState> findLeaves(mlir::Value view);
/// A view from its pointer and its run-time leaves: the one that the pointer is
/// of, as long as it has not moved.
mlir::Value getView(IndexArith arith, ViewType type, const ViewState &state);

/// A layout whose run-time leaves are values.
mlir::Value makeLayout(IndexArith arith, const Layout &layout,
                       mlir::ValueRange shape = {},
                       mlir::ValueRange stride = {});
/// A coordinate of numbers, whose values are appended to `operands`; constants
/// are written as such. `divisor` is known of dimension `dim`.
IntTupleAttr getCoordinate(IndexArith arith,
                           llvm::ArrayRef<mlir::Value> numbers, int64_t dim,
                           int64_t divisor,
                           llvm::SmallVectorImpl<mlir::Value> &operands);
/// `body` if a condition holds (null: always), and zeros otherwise.
mlir::Value
guardAccess(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value condition,
            mlir::Type result,
            llvm::function_ref<mlir::Value(mlir::OpBuilder &)> body);
/// A load or store of a view at a coordinate.
using AccessBody = llvm::function_ref<mlir::Value(
    mlir::OpBuilder &, mlir::ValueRange, IntTupleAttr)>;

/// The fragment of a type from accesses of `width` elements; `load` has the
/// values from a number on.
mlir::Value gatherElements(IndexArith arith, mlir::VectorType type,
                           int64_t width,
                           llvm::function_ref<mlir::Value(int64_t)> load);
/// Passes the elements of a fragment to `store`, `width` at a time.
void scatterElements(IndexArith arith, mlir::Value fragment, int64_t width,
                     llvm::function_ref<void(int64_t, mlir::Value)> store);

/// The operands of an operation that makes an iterator, after conversion.
using MakeIteratorAdaptor =
    mlir::OpConversionPattern<MakeIteratorOp>::OneToNOpAdaptor;
/// The list of a gather where it is made; none without one.
llvm::SmallVector<mlir::Value>
findList(MakeIteratorOp op, MakeIteratorAdaptor adaptor, IndexArith arith);
/// The view of the list of a gather, from its values.
mlir::Value getListView(IndexArith arith, GatherAttr gather,
                        mlir::ValueRange list);
/// The coordinate that the view of a list has for `number`.
mlir::Value lookUpInList(IndexArith arith, GatherAttr gather, mlir::Value list,
                         mlir::Value number);

/// A tile of a view, or of a matrix that is mapped to it, and the thread that
/// accesses it.
struct TilePlace {
  /// The view: its pointer and run-time leaves.
  ViewState view;
  /// Run-time leaves of the map of coordinates, and the origin and the divisors
  /// in each mode of the view; none without coords.
  llvm::SmallVector<mlir::Value> shape, stride, origin, divide;
  /// Where the tile begins, (row, column).
  std::array<mlir::Value, 2> tile;
  mlir::Value thread;
  /// The step in the tile, if there is more than one.
  mlir::Value step;
  /// The list of a gather.
  llvm::SmallVector<mlir::Value> indices;
  /// Of a predicated iterator: whether no access is made; below which row and
  /// column there are elements (null: not tested).
  mlir::Value isCleared;
  std::array<mlir::Value, 2> limit;
  /// In the residue phase: elements of the residue tile.
  mlir::Value residue;
  /// Where masks are set: the words of the current phase, and whether they are
  /// what counts. Null where no mask is.
  mlir::Value words, isSet;

  /// Whether a dimension is tested in a phase.
  static bool isTested(IteratorType type, int64_t dim);
  /// The values of a place; `setsMasks` if masks of the type are set.
  static llvm::SmallVector<mlir::Type> getTypes(IteratorType type,
                                                bool setsMasks);
  static TilePlace unpack(IteratorType type, mlir::ValueRange values);
  llvm::SmallVector<mlir::Value> pack() const;

  /// Goes on to whole tiles, whose place along `advance` is not tested.
  void leaveResidue(IndexArith arith, int64_t advance);
  /// The predicates are those of the tile that it has come to.
  void forgetMasks(IndexArith arith);
};

/// The accesses of an iterator at a place, one after the other.
class Accesses {
public:
  Accesses(IndexArith arith, IteratorType type, const TilePlace &place);

  const AccessPlan &getPlan() const { return plan; }
  /// What one access moves: an element, or a vector of them.
  mlir::Type getType() const;
  /// The access of the values from `value` on.
  mlir::Value load(int64_t value);
  void store(int64_t value, mlir::Value stored);
  /// The predicate of that access.
  mlir::Value getPredicate(int64_t value);
  /// The address of this thread's first element in the tile.
  mlir::Value getAddress();
  /// (row, column) of this thread's first element.
  std::array<mlir::Value, 2> getFirst();

private:
  /// Where an access is, and whether it is made (null: always); on a diagonal
  /// of ones, whether it is one of them (null: it is not).
  struct Site {
    std::array<mlir::Value, 2> number;
    mlir::Value isInside, isOne;
  };
  Site getSite(int64_t value);
  std::array<mlir::Value, 2> getInTile(int64_t value);
  mlir::Value access(const Site &site, mlir::Type result, AccessBody body);
  mlir::Value getWalkedExtent(IndexArith arith, int64_t dim);
  mlir::Value accessInside(mlir::OpBuilder &builder,
                           std::array<mlir::Value, 2> number, mlir::Type result,
                           AccessBody body);
  mlir::Value accessView(mlir::OpBuilder &builder,
                         const std::array<mlir::Value, 2> &number,
                         AccessBody body);
  mlir::Value accessMapped(mlir::OpBuilder &builder,
                           const std::array<mlir::Value, 2> &number,
                           mlir::Type result, AccessBody body);

  IndexArith arith;
  AccessPlan plan;
  TilePlace place;
  /// The view, and the layout of the map; null if all elements are one. The
  /// layout of the coordinates; null without.
  mlir::Value view, map, coords;
  /// The layouts of a permutation, and the list of a gather.
  llvm::SmallVector<mlir::Value> permute;
  mlir::Value list;
};

} // namespace tile

#endif // TILE_LIB_TRANSFORMS_TILEPLACE_H
