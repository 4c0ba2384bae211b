// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations on layouts: construction and queries.
#ifndef TILE_IR_TILELAYOUTOPS_TD
#define TILE_IR_TILELAYOUTOPS_TD

include "tile/IR/TileLayoutInterfaces.td"

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

def Tile_MakeLayoutOp : Tile_LayoutAlgebraOp<"make_layout", [AttrSizedOperandSegments]> {
  let summary = "layout from a shape and a stride";
  let description = [{
    Builds a layout. Shape and stride are congruent tuples; a leaf is an
    integer or an SSA value, whose known divisibility can be stated as
    `%ld {div = 4}`: a promise that the value keeps. Leaves that turn out to be
    constants, or products and sums with a known divisor, sharpen the type when
    the operation is canonicalised (see `tile.layout_cast`).

    Example:

    ```mlir
    func.func @row_major(%rows: index, %ld: index) -> !tile.layout<(?, 8) : (?{div = 4}, 1)> {
      %0 = tile.make_layout (%rows, 8) : (%ld {div = 4}, 1)
      return %0 : !tile.layout<(?, 8) : (?{div = 4}, 1)>
    }
    ```
  }];
  let arguments = (ins
    Variadic<Index>:$shape_operands, Variadic<Index>:$stride_operands,
    Tile_IntTupleAttr:$shape, Tile_IntTupleAttr:$stride);
  let assemblyFormat = [{
    custom<MixedTuple>($shape_operands, $shape) `:`
    custom<MixedTuple>($stride_operands, $stride) attr-dict
  }];
}

/// A compact layout of a shape.
class Tile_MakeCompactOp<string mnemonic> : Tile_LayoutAlgebraOp<mnemonic> {
  let arguments = (ins Variadic<Index>:$shape_operands, Tile_IntTupleAttr:$shape);
  let assemblyFormat = "custom<MixedTuple>($shape_operands, $shape) attr-dict";
}

def Tile_MakeLayoutLeftOp : Tile_MakeCompactOp<"make_layout_left"> {
  let summary = "compact layout, first mode fastest";
  let description = [{
    Column-major: the stride of a leaf is the product of the extents to its
    left. A mode of extent 1 gets stride 0.

    Example: (2, ?, 4) : (1, 2, ?{div = 2}).

    ```mlir
    func.func @left(%n: index) {
      %0 = tile.make_layout_left (2, %n, 4)
      return
    }
    ```
  }];
}

def Tile_MakeLayoutRightOp : Tile_MakeCompactOp<"make_layout_right"> {
  let summary = "compact layout, last mode fastest";
  let description = [{
    Row-major: the stride of a leaf is the product of the extents to its right.
    A mode of extent 1 gets stride 0.

    Example: (2, 3, 4) : (12, 4, 1).

    ```mlir
    func.func @right() -> !tile.layout<(2, 3, 4) : (12, 4, 1)> {
      %0 = tile.make_layout_right (2, 3, 4)
      return %0 : !tile.layout<(2, 3, 4) : (12, 4, 1)>
    }
    ```
  }];
}

def Tile_MakeIdentityLayoutOp : Tile_MakeCompactOp<"make_identity_layout"> {
  let summary = "layout whose values are its coordinates";
  let description = [{
    Every leaf has its own basis vector as stride, so that the value at a
    coordinate is that coordinate. Divided and sliced like the layout of the
    memory next to it, it tells which element a position stands for, and
    `tile.elem_less` compares that with the extents.

    Example: (4, 8) : (1@e0, 1@e1).

    ```mlir
    func.func @identity() -> !tile.layout<(4, 8) : (1@e0, 1@e1)> {
      %0 = tile.make_identity_layout (4, 8)
      return %0 : !tile.layout<(4, 8) : (1@e0, 1@e1)>
    }
    ```
  }];
}

def Tile_MakeOrderedLayoutOp : Tile_LayoutAlgebraOp<"make_ordered_layout"> {
  let summary = "compact layout with the modes in a given order";
  let description = [{
    Compact, with modes of smaller number in `order` running faster. The order
    consists of constants and may be coarser than the shape; modes of equal
    order get the same stride.

    Example: (2, (3, 4), 5) : (12, (1, 3), 24).

    ```mlir
    func.func @ordered() -> !tile.layout<(2, (3, 4), 5) : (12, (1, 3), 24)> {
      %0 = tile.make_ordered_layout (2, (3, 4), 5) order (1, 0, 2)
      return %0 : !tile.layout<(2, (3, 4), 5) : (12, (1, 3), 24)>
    }
    ```
  }];
  let arguments = (ins
    Variadic<Index>:$shape_operands, Tile_IntTupleAttr:$shape, Tile_IntTupleAttr:$order);
  let assemblyFormat = [{
    custom<MixedTuple>($shape_operands, $shape) `order` custom<ConstantTuple>($order) attr-dict
  }];
}

def Tile_MakeLayoutLikeOp : Tile_LayoutUnaryOp<"make_layout_like"> {
  let summary = "compact layout with the shape and order of another";
  let description = [{
    The compact layout with the same shape whose strides have the same order;
    modes of stride 0 keep it.

    Example: (4, 8) : (8, 1).

    ```mlir
    func.func @like(%l: !tile.layout<(4, 8) : (100, 2)>) -> !tile.layout<(4, 8) : (8, 1)> {
      %0 = tile.make_layout_like %l : !tile.layout<(4, 8) : (100, 2)>
      return %0 : !tile.layout<(4, 8) : (8, 1)>
    }
    ```
  }];
}

def Tile_MakeFragmentLikeOp : Tile_LayoutUnaryOp<"make_fragment_like"> {
  let summary = "compact layout of a thread's registers for a layout's elements";
  let description = [{
    As `tile.make_layout_like`, but mode 0 is compact on its own and comes
    first: a fragment whose first mode is one vector.

    Example: twelve vectors of two, (2, 3, 4) : (1, 8, 2).

    ```mlir
    func.func @fragment(%l: !tile.layout<(2, 3, 4) : (1, 100, 7)>) -> !tile.layout<(2, 3, 4) : (1, 8, 2)> {
      %0 = tile.make_fragment_like %l : !tile.layout<(2, 3, 4) : (1, 100, 7)>
      return %0 : !tile.layout<(2, 3, 4) : (1, 8, 2)>
    }
    ```
  }];
}

def Tile_DomainDistributeOp : Tile_LayoutAlgebraOp<"domain_distribute"> {
  let summary = "layout that spreads a number of workers over a shape";
  let description = [{
    The largest layout whose size divides `count` that spreads over the modes of
    a constant shape, first mode first; its values are indices into the shape.

    Example: 6 over (15, 14): 3 along the first mode, 2 along the second.

    ```mlir
    func.func @spread() -> !tile.layout<(3, 2) : (1, 15)> {
      %0 = tile.domain_distribute (15, 14) over 6
      return %0 : !tile.layout<(3, 2) : (1, 15)>
    }
    ```
  }];
  let arguments = (ins Tile_IntTupleAttr:$shape, I64Attr:$count);
  let assemblyFormat = "custom<ConstantTuple>($shape) `over` $count attr-dict";
}

def Tile_MakeSwizzleOp : Tile_LayoutAlgebraOp<"make_swizzle"> {
  let summary = "layout whose values pass through an offset and a swizzle";
  let description = [{
    `S<b, m, s> o offset o layout` takes a coordinate c to
    S(offset + layout(c)), where S xors the b bits from bit m + s on into the b
    bits s below (from bit m on, into the bits -s above, for a negative s). The
    unit is the element that the layout counts. Needs integer strides, a layout
    that is not swizzled yet, and |s| >= b.

    Example: eight rows of eight, the column xored with the row modulo 4.

    ```mlir
    func.func @swizzled(%l: !tile.layout<(8, 8) : (8, 1)>) {
      %0 = tile.make_swizzle S<2, 0, 3> o 0 o %l : !tile.layout<(8, 8) : (8, 1)>
      return
    }
    ```
  }];
  let arguments = (ins
    Variadic<Index>:$offset_operands, Tile_IntTupleAttr:$offset,
    Tile_SwizzleAttr:$swizzle, Tile_LayoutType:$layout);
  let assemblyFormat = [{
    `S` `` $swizzle `o` custom<MixedTuple>($offset_operands, $offset) `o` $layout attr-dict
    `:` qualified(type($layout))
  }];
}

def Tile_LayoutCastOp : Tile_Op<"layout_cast", [Pure]> {
  let summary = "the same layout under another type";
  let description = [{
    Forgets constants and divisors: the type of the result has the same nesting
    and swizzle, and every leaf of the source is one of the values that the
    result's leaf allows. Or gives a layout of constants another nesting, with
    the same value at every index. Nothing happens at run time.

    Canonicalisation replaces a layout operation whose operands turn out to be
    constant by what the algebra gives to constants, and puts a cast behind it
    for the users that still expect the old type. The operations of the algebra
    absorb such a cast: they are built again on its source, and their types are
    inferred anew. So the knowledge moves from definitions to uses, and stops
    at function and loop boundaries. A coalesce of `(4, %n) : (1, 4)` has two
    modes; with 8 for `%n` it is `32 : 1`, and users that were written for two
    modes see it through a cast to `(4, 8) : (1, 4)`.

    Example:

    ```mlir
    func.func @forget(%l: !tile.layout<(4, 8) : (8, 1)>) -> !tile.layout<(?, 8) : (?{div = 4}, 1)> {
      %0 = tile.layout_cast %l : !tile.layout<(4, 8) : (8, 1)> to !tile.layout<(?, 8) : (?{div = 4}, 1)>
      return %0 : !tile.layout<(?, 8) : (?{div = 4}, 1)>
    }
    func.func @nest(%l: !tile.layout<32 : 1>) -> !tile.layout<(4, 8) : (1, 4)> {
      %0 = tile.layout_cast %l : !tile.layout<32 : 1> to !tile.layout<(4, 8) : (1, 4)>
      return %0 : !tile.layout<(4, 8) : (1, 4)>
    }
    ```
  }];
  let arguments = (ins Tile_LayoutType:$source);
  let results = (outs Tile_LayoutType:$result);
  let assemblyFormat = "$source attr-dict `:` qualified(type($source)) `to` qualified(type($result))";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

def Tile_RankOp : Tile_LayoutQueryOp<"rank"> {
  let summary = "number of top-level modes of a layout";
  let description = [{
    A constant; 1 for a layout of one integer.

    Example: 2.

    ```mlir
    func.func @rank(%l: !tile.layout<((2, 2), ?) : ((1, 4), 8)>) -> index {
      %0 = tile.rank %l : !tile.layout<((2, 2), ?) : ((1, 4), 8)>
      return %0 : index
    }
    ```
  }];
}

def Tile_DepthOp : Tile_LayoutQueryOp<"depth"> {
  let summary = "levels of nesting of a layout";
  let description = [{
    A constant; 0 for a layout of one integer, 1 for a flat tuple.

    Example: 2.

    ```mlir
    func.func @depth(%l: !tile.layout<((2, 2), ?) : ((1, 4), 8)>) -> index {
      %0 = tile.depth %l : !tile.layout<((2, 2), ?) : ((1, 4), 8)>
      return %0 : index
    }
    ```
  }];
}

def Tile_SizeOp : Tile_LayoutQueryOp<"size"> {
  let summary = "number of coordinates of a layout";
  let description = [{
    The product of the extents.

    Example:

    ```mlir
    func.func @size() -> index {
      %0 = tile.make_layout (4, 8) : (8, 1)
      %1 = tile.size %0 : !tile.layout<(4, 8) : (8, 1)>
      return %1 : index
    }
    ```
  }];
}

def Tile_CosizeOp : Tile_LayoutQueryOp<"cosize"> {
  let summary = "number of elements that a layout spans";
  let description = [{
    The largest minus the smallest offset of the layout, plus one;
    of a layout whose values are coordinates, the product of its modes' spans.
    Of a swizzled layout, the span of the image where the layout is constant,
    otherwise that of the blocks of one period that it touches.

    Example:

    ```mlir
    func.func @cosize() -> index {
      %0 = tile.make_layout (4, 8) : (10, 1)
      %1 = tile.cosize %0 : !tile.layout<(4, 8) : (10, 1)>
      return %1 : index
    }
    ```
  }];
}

def Tile_Crd2IdxOp : Tile_AlgebraQueryOp<"crd2idx"> {
  let summary = "offset of a coordinate";
  let description = [{
    Applies a layout to a coordinate: a tuple congruent with the shape, or an
    integer where a mode is a tuple, which is then counted colexicographically
    through the mode. Of a swizzled layout, what is a multiple of the swizzle's
    period is added after the swizzle. Layouts whose values are coordinates go
    through `tile.coordinate`.

    Example:

    ```mlir
    func.func @offset(%i: index, %l: !tile.layout<(4, 8) : (1, 4)>) -> index {
      %0 = tile.crd2idx (%i, 3), %l : !tile.layout<(4, 8) : (1, 4)>
      return %0 : index
    }
    ```
  }];
  let arguments = (ins
    Variadic<Index>:$coord_operands, Tile_IntTupleAttr:$coord,
    Tile_LayoutType:$layout);
  let assemblyFormat = [{
    custom<MixedTuple>($coord_operands, $coord) `,` $layout attr-dict `:` qualified(type($layout))
  }];
}

def Tile_CoordinateOp : Tile_AlgebraTupleOp<"coordinate"> {
  let summary = "value of a layout whose values are coordinates";
  let description = [{
    As `tile.crd2idx` for a layout with scaled basis vectors as strides: one
    index for each leaf of the coordinate, from left to right.

    Example: the row and the column of value `%v` of thread `%t`.

    ```mlir
    func.func @element(%t: index, %v: index,
                       %l: !tile.layout<((4, 8), 2) : ((2@e1, 1@e0), 1@e1)>) -> (index, index) {
      %c:2 = tile.coordinate (%t, %v), %l : !tile.layout<((4, 8), 2) : ((2@e1, 1@e0), 1@e1)>
      return %c#0, %c#1 : index, index
    }
    ```
  }];
  let arguments = (ins
    Variadic<Index>:$coord_operands, Tile_IntTupleAttr:$coord,
    Tile_LayoutType:$layout);
  let assemblyFormat = [{
    custom<MixedTuple>($coord_operands, $coord) `,` $layout attr-dict `:` qualified(type($layout))
  }];
}

def Tile_Idx2CrdOp : Tile_AlgebraTupleOp<"idx2crd", [AttrSizedOperandSegments]> {
  let summary = "coordinate of an index in a shape";
  let description = [{
    Splits an index colexicographically: the first mode runs fastest, the last
    one takes the whole rest and is not wrapped. A tuple of indices is split
    mode by mode. One result for each leaf of the shape, from left to right.

    Example: 23 in (4, 8) is (3, 5).

    ```mlir
    func.func @split(%i: index) -> (index, index) {
      %c:2 = tile.idx2crd %i in (4, 8)
      return %c#0, %c#1 : index, index
    }
    ```
  }];
  let arguments = (ins
    Variadic<Index>:$index_operands, Variadic<Index>:$shape_operands,
    Tile_IntTupleAttr:$index, Tile_IntTupleAttr:$shape);
  let assemblyFormat = [{
    custom<MixedTuple>($index_operands, $index) `in`
    custom<MixedTuple>($shape_operands, $shape) attr-dict
  }];
}

#endif // TILE_IR_TILELAYOUTOPS_TD
