// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which tile of the output each thread block of a grid computes.
#ifndef TILE_IR_TILEBLOCKOPS_TD
#define TILE_IR_TILEBLOCKOPS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"
include "tile/IR/TileTypes.td"

def Tile_BlockOrderKind : I32EnumAttr<"BlockOrderKind", "order in which blocks take tiles", [
    I32EnumAttrCase<"Plain", 0, "plain">,
    I32EnumAttrCase<"Horizontal", 1, "horizontal">,
    I32EnumAttrCase<"Grouped", 2, "grouped">,
    I32EnumAttrCase<"GroupedExact", 3, "grouped_exact">]> {
  let cppNamespace = "::tile";
  let genSpecializedAttr = 0;
  let description = [{
    `plain`: down the rows of tiles first. `horizontal`: along the columns
    first. `grouped`: some columns of tiles side by side, down the rows, so that
    neighbours in time share operands; blocks beyond the last column have no
    tile. `grouped_exact`: the same with groups that divide the columns, so
    that every block has a tile.
  }];
}
def Tile_BlockOrderKindParameter : EnumParameter<Tile_BlockOrderKind>;

def Tile_BlockOrderAttr : Tile_Attr<"BlockOrder", "block_order"> {
  let summary = "order in which the thread blocks of a grid take tiles";
  let description = [{
    Of m by n by k tiles (k counts slices of a split, or batches), block
    (x, y, z) takes the tile

    | kind | grid | tile (row, column, slice) |
    |---|---|---|
    | `plain` | (m, n, k) | (x, y, z) |
    | `horizontal` | (n, m, k) | (y, x, z) |
    | `grouped` and `grouped_exact` | (m w, n / w rounded up, k) | (x / w, y w + x mod w, z) |

    where w is the largest power of two of at most `width` with 3 w <= 4 n
    (a group is at least three quarters full if it is the only one), or that
    divides n (`grouped_exact`). These are CUTLASS's batched, horizontal, identity
    and no-padding threadblock swizzles, with and without split K.

    Example:

    ```mlir
    #order = #tile.block_order<kind = grouped, width = 8>
    ```
  }];
  let parameters = (ins
    Tile_BlockOrderKindParameter:$kind,
    DefaultValuedParameter<"int64_t", "1">:$width);
  let assemblyFormat = "`<` struct($kind, custom<Integer>($width)) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Widths are powers of two up to this.
    static constexpr int64_t kMaxWidth = 64;
    /// Columns of tiles may be side by side.
    bool isGrouped() const {
      return getKind() == ::tile::BlockOrderKind::Grouped ||
             getKind() == ::tile::BlockOrderKind::GroupedExact;
    }
  }];
}

def Tile_BlockGridOp : Tile_Op<"block_grid", [Pure]> {
  let summary = "grid of thread blocks for a number of tiles";
  let description = [{
    The extents (x, y, z) of the grid that computes m by n by k tiles in an
    order, see `#tile.block_order`. Blocks of it may have no tile.

    Example:

    ```mlir
    func.func @grid(%m: index, %n: index) -> (index, index, index) {
      %x, %y, %z = tile.block_grid #tile.block_order<kind = grouped, width = 8> (%m, %n, 1)
      return %x, %y, %z : index, index, index
    }
    ```
  }];
  let arguments = (ins Tile_BlockOrderAttr:$order,
    Variadic<Index>:$tiles_operands, Tile_IntTupleAttr:$tiles);
  let results = (outs Index:$x, Index:$y, Index:$z);
  let assemblyFormat = "$order custom<MixedTuple>($tiles_operands, $tiles) attr-dict";
  let hasVerifier = 1;
}

def Tile_BlockTileOp : Tile_Op<"block_tile", [Pure]> {
  let summary = "tile that a thread block takes";
  let description = [{
    The tile (row, column, slice) that block (x, y, z) of the grid that
    `tile.block_grid` gives takes, of m by n by k tiles. A block without a tile
    gets a column of n or more.

    Example:

    ```mlir
    func.func @tile(%m: index, %n: index, %x: index, %y: index, %z: index) -> (index, index) {
      %i, %j, %s = tile.block_tile #tile.block_order<kind = grouped, width = 8> (%m, %n, 1) at %x, %y, %z
      return %i, %j : index, index
    }
    ```
  }];
  let arguments = (ins Tile_BlockOrderAttr:$order,
    Variadic<Index>:$tiles_operands, Tile_IntTupleAttr:$tiles,
    Index:$x, Index:$y, Index:$z);
  let results = (outs Index:$row, Index:$column, Index:$slice);
  let assemblyFormat = [{
    $order custom<MixedTuple>($tiles_operands, $tiles) `at` $x `,` $y `,` $z attr-dict
  }];
  let hasVerifier = 1;
}

#endif // TILE_IR_TILEBLOCKOPS_TD
