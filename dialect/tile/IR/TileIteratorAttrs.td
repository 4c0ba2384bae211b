// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes that say what a tile iterator does beside walking over a view.
// Included by TileAttrs.td.
#ifndef TILE_IR_TILEITERATORATTRS_TD
#define TILE_IR_TILEITERATORATTRS_TD

def Tile_TriangleHalf : I32EnumAttr<"TriangleHalf", "half of a matrix on one side of its diagonal", [
    I32EnumAttrCase<"Lower", 0, "lower">,
    I32EnumAttrCase<"Upper", 1, "upper">]> {
  let cppNamespace = "::tile";
  let genSpecializedAttr = 0;
}

def Tile_DiagonalRule : I32EnumAttr<"DiagonalRule", "what the diagonal of a triangle is", [
    I32EnumAttrCase<"Stored", 0, "stored">,
    I32EnumAttrCase<"Unit", 1, "unit">,
    I32EnumAttrCase<"Zero", 2, "zero">]> {
  let cppNamespace = "::tile";
  let genSpecializedAttr = 0;
}

def Tile_GatherAttr : Tile_Attr<"Gather", "gather"> {
  let summary = "coordinate that is looked up in a list of indices";
  let description = [{
    Along `dim` (0 rows, 1 columns) an iterator does not visit the coordinate k
    but the one that `indices`, a view of one dimension, has for it:

        indices[k / block] - base    times block, plus k mod block

    so that with `block = 1`, the default, every coordinate has an index, and
    with larger blocks that many of them share one, as in a block-sparse matrix.
    The walk is as long as the list: its extent times the block, or `length`, a
    constant or `?{div = 8}`, where the last block is not full. Nothing is read
    beyond the list; if the coordinate that an index leads to is not one of the
    view's (an index below `base` is how a list is padded), the access is masked.

    A store through such an iterator scatters; that no two coordinates lead to one
    is then up to the list.

    Example: rows in the order of a list.

    ```mlir
    #rows = #tile.gather<dim = 0, indices = !tile.view<i32, global, (?) : (1)>>
    #blocks = #tile.gather<dim = 0, indices = !tile.view<i32, global, (?) : (1)>, block = 16, base = 1, length = ?{div = 8}>
    ```
  }];
  let parameters = (ins
    "int64_t":$dim, "::mlir::Type":$indices, "int64_t":$block, "int64_t":$base,
    Tile_IntTupleParameter:$length);
  let extraClassDeclaration = [{
    /// The length is stated; otherwise the list has it.
    bool hasLength() const { return !getLength().isStatic(0); }
    /// It is an operand of the iterator.
    bool hasRunTimeLength() const { return getLength().getInt().isDynamic(); }
    /// Coordinates that are walked.
    ::tile::Int getWalkedLength() const;
  }];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Tile_TriangleAttr : Tile_Attr<"Triangle", "triangle"> {
  let summary = "half of a matrix that is accessed";
  let description = [{
    An iterator accesses only the elements of the lower (row >= column) or upper
    (row <= column) triangle; others load as zero and are not stored. The
    `diagonal` is

    - `stored`: a part of the triangle (the default);
    - `zero`: not accessed, and loads as zero;
    - `unit`: not accessed, and loads as one.

    Example:

    ```mlir
    #lower = #tile.triangle<lower>
    #unit = #tile.triangle<upper, diagonal = unit>
    ```
  }];
  let parameters = (ins
    EnumParameter<Tile_TriangleHalf>:$half, EnumParameter<Tile_DiagonalRule>:$diagonal);
  let hasCustomAssemblyFormat = 1;
}

#endif // TILE_IR_TILEITERATORATTRS_TD
