// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations on the modes of layouts: choose, group, replace, slice, reshape.
#ifndef TILE_IR_TILELAYOUTMODEOPS_TD
#define TILE_IR_TILELAYOUTMODEOPS_TD

include "tile/IR/TileLayoutInterfaces.td"

def Tile_GetOp : Tile_LayoutAlgebraOp<"get"> {
  let summary = "mode of a layout";
  let description = [{
    The mode at a path, outermost index first.

    Example: mode 1 of mode 0, `!tile.layout<3 : 8>`.

    ```mlir
    func.func @get(%l: !tile.layout<((4, 3), 2) : ((1, 8), 4)>) -> !tile.layout<3 : 8> {
      %0 = tile.get %l[0, 1] : !tile.layout<((4, 3), 2) : ((1, 8), 4)>
      return %0 : !tile.layout<3 : 8>
    }
    ```
  }];
  let arguments = (ins Tile_LayoutType:$layout, DenseI64ArrayAttr:$path);
  let assemblyFormat = "$layout `` $path attr-dict `:` qualified(type($layout))";
}

def Tile_SelectOp : Tile_LayoutAlgebraOp<"select"> {
  let summary = "some modes of a layout, in a given order";
  let description = [{
    The layout of the top-level modes with the given numbers.

    Example: (64, 128) : (128, 1).

    ```mlir
    func.func @select(%l: !tile.layout<(128, 64) : (1, 128)>) -> !tile.layout<(64, 128) : (128, 1)> {
      %0 = tile.select %l[1, 0] : !tile.layout<(128, 64) : (1, 128)>
      return %0 : !tile.layout<(64, 128) : (128, 1)>
    }
    ```
  }];
  let arguments = (ins Tile_LayoutType:$layout, DenseI64ArrayAttr:$modes);
  let assemblyFormat = "$layout `` $modes attr-dict `:` qualified(type($layout))";
}

/// Something done to the modes from `begin` up to `end`.
class Tile_LayoutRangeOp<string mnemonic> : Tile_LayoutAlgebraOp<mnemonic> {
  let arguments = (ins Tile_LayoutType:$layout, I64Attr:$begin, I64Attr:$end);
  let assemblyFormat = "$layout `` `[` $begin `to` $end `]` attr-dict `:` qualified(type($layout))";
}

def Tile_TakeOp : Tile_LayoutRangeOp<"take"> {
  let summary = "consecutive modes of a layout";
  let description = [{
    The top-level modes from `begin` up to, not including, `end`.

    Example: (3, 5) : (2, 6).

    ```mlir
    func.func @take(%l: !tile.layout<(2, 3, 5, 7) : (1, 2, 6, 30)>) -> !tile.layout<(3, 5) : (2, 6)> {
      %0 = tile.take %l[1 to 3] : !tile.layout<(2, 3, 5, 7) : (1, 2, 6, 30)>
      return %0 : !tile.layout<(3, 5) : (2, 6)>
    }
    ```
  }];
}

def Tile_GroupModesOp : Tile_LayoutRangeOp<"group_modes"> {
  let summary = "consecutive modes of a layout made one";
  let description = [{
    The top-level modes from `begin` up to, not including, `end` become one
    mode, so that one number runs through them.

    Example: ((2, 3), 5) : ((1, 2), 6).

    ```mlir
    func.func @group(%l: !tile.layout<(2, 3, 5) : (1, 2, 6)>) -> !tile.layout<((2, 3), 5) : ((1, 2), 6)> {
      %0 = tile.group_modes %l[0 to 2] : !tile.layout<(2, 3, 5) : (1, 2, 6)>
      return %0 : !tile.layout<((2, 3), 5) : ((1, 2), 6)>
    }
    ```
  }];
}

def Tile_AppendOp : Tile_LayoutBinaryOp<"append"> {
  let summary = "layout with one more mode at the end";
  let description = [{
    `rhs` becomes the last mode of `lhs`. It may be swizzled as `lhs` is, or
    where its swizzle leaves the modes of a plain `lhs` as they are.

    Example: (4, 8, 3) : (1, 4, 32).

    ```mlir
    func.func @append(%a: !tile.layout<(4, 8) : (1, 4)>, %b: !tile.layout<3 : 32>) -> !tile.layout<(4, 8, 3) : (1, 4, 32)> {
      %0 = tile.append %a, %b : !tile.layout<(4, 8) : (1, 4)>, !tile.layout<3 : 32>
      return %0 : !tile.layout<(4, 8, 3) : (1, 4, 32)>
    }
    ```
  }];
}

def Tile_PrependOp : Tile_LayoutBinaryOp<"prepend"> {
  let summary = "layout with one more mode at the front";
  let description = [{
    `rhs` becomes the first mode of `lhs`.

    Example: (3, 4, 8) : (32, 1, 4).

    ```mlir
    func.func @prepend(%a: !tile.layout<(4, 8) : (1, 4)>, %b: !tile.layout<3 : 32>) -> !tile.layout<(3, 4, 8) : (32, 1, 4)> {
      %0 = tile.prepend %a, %b : !tile.layout<(4, 8) : (1, 4)>, !tile.layout<3 : 32>
      return %0 : !tile.layout<(3, 4, 8) : (32, 1, 4)>
    }
    ```
  }];
}

def Tile_ReplaceOp : Tile_LayoutAlgebraOp<"replace"> {
  let summary = "layout with one mode replaced";
  let description = [{
    The top-level mode `index` becomes `mode`.

    Example: (4, (2, 2)) : (1, (0, 4)).

    ```mlir
    func.func @replace(%a: !tile.layout<(4, 8) : (1, 4)>, %b: !tile.layout<(2, 2) : (0, 4)>) -> !tile.layout<(4, (2, 2)) : (1, (0, 4))> {
      %0 = tile.replace %a[1] with %b : !tile.layout<(4, 8) : (1, 4)>, !tile.layout<(2, 2) : (0, 4)>
      return %0 : !tile.layout<(4, (2, 2)) : (1, (0, 4))>
    }
    ```
  }];
  let arguments = (ins Tile_LayoutType:$layout, Tile_LayoutType:$mode, I64Attr:$index);
  let assemblyFormat = [{
    $layout `` `[` $index `]` `with` $mode attr-dict `:` qualified(type($layout)) `,` qualified(type($mode))
  }];
}

def Tile_FlattenOp : Tile_LayoutUnaryOp<"flatten"> {
  let summary = "layout without nesting";
  let description = [{
    One mode for each leaf, from left to right.

    Example: (4, 3, 2) : (1, 8, 4).

    ```mlir
    func.func @flatten(%l: !tile.layout<((4, 3), 2) : ((1, 8), 4)>) -> !tile.layout<(4, 3, 2) : (1, 8, 4)> {
      %0 = tile.flatten %l : !tile.layout<((4, 3), 2) : ((1, 8), 4)>
      return %0 : !tile.layout<(4, 3, 2) : (1, 8, 4)>
    }
    ```
  }];
}

def Tile_UnflattenOp : Tile_LayoutAlgebraOp<"unflatten"> {
  let summary = "flat layout with a given nesting";
  let description = [{
    Arranges the modes of a layout in the nesting of `profile`, whose leaves
    have no meaning; there are as many as modes.

    Example: ((4, 3), 2) : ((1, 8), 4).

    ```mlir
    func.func @nest(%l: !tile.layout<(4, 3, 2) : (1, 8, 4)>) -> !tile.layout<((4, 3), 2) : ((1, 8), 4)> {
      %0 = tile.unflatten %l as ((_, _), _) : !tile.layout<(4, 3, 2) : (1, 8, 4)>
      return %0 : !tile.layout<((4, 3), 2) : ((1, 8), 4)>
    }
    ```
  }];
  let arguments = (ins Tile_LayoutType:$layout, Tile_IntTupleAttr:$profile);
  let assemblyFormat = "$layout `as` custom<ConstantTuple>($profile) attr-dict `:` qualified(type($layout))";
}

def Tile_TransposeOp : Tile_LayoutUnaryOp<"transpose"> {
  let summary = "layout with its two modes exchanged";
  let description = [{
    Needs a layout of rank 2.

    Example: (8, 4) : (1, 8).

    ```mlir
    func.func @transpose(%l: !tile.layout<(4, 8) : (8, 1)>) -> !tile.layout<(8, 4) : (1, 8)> {
      %0 = tile.transpose %l : !tile.layout<(4, 8) : (8, 1)>
      return %0 : !tile.layout<(8, 4) : (1, 8)>
    }
    ```
  }];
}

def Tile_ReverseOp : Tile_LayoutUnaryOp<"reverse"> {
  let summary = "layout with its modes in the opposite order";
  let description = [{
    The last top-level mode comes first. Modes stay as they are inside.

    Example: (2, (4, 3)) : (4, (1, 8)).

    ```mlir
    func.func @reverse(%l: !tile.layout<((4, 3), 2) : ((1, 8), 4)>) -> !tile.layout<(2, (4, 3)) : (4, (1, 8))> {
      %0 = tile.reverse %l : !tile.layout<((4, 3), 2) : ((1, 8), 4)>
      return %0 : !tile.layout<(2, (4, 3)) : (4, (1, 8))>
    }
    ```
  }];
}

def Tile_ZipOp : Tile_LayoutUnaryOp<"zip"> {
  let summary = "layout of pairs made a pair of layouts";
  let description = [{
    ((a, b), (c, d)) becomes ((a, c), (b, d)); all modes have as many modes
    inside. What a logical divide returns, zipped, is a zipped divide.

    Example: ((4, 8), (3, 4)) : ((1, 12), (4, 96)).

    ```mlir
    func.func @zip(%l: !tile.layout<((4, 3), (8, 4)) : ((1, 4), (12, 96))>) -> !tile.layout<((4, 8), (3, 4)) : ((1, 12), (4, 96))> {
      %0 = tile.zip %l : !tile.layout<((4, 3), (8, 4)) : ((1, 4), (12, 96))>
      return %0 : !tile.layout<((4, 8), (3, 4)) : ((1, 12), (4, 96))>
    }
    ```
  }];
}

/// A layout of a given rank.
class Tile_LayoutRankOp<string mnemonic> : Tile_LayoutAlgebraOp<mnemonic> {
  let arguments = (ins Tile_LayoutType:$layout, I64Attr:$rank);
  let assemblyFormat = "$layout `to` $rank attr-dict `:` qualified(type($layout))";
}

def Tile_AppendRankOp : Tile_LayoutRankOp<"append_rank"> {
  let summary = "layout with modes 1 : 0 at the end, up to a rank";
  let description = [{
    A layout that has as many modes already stays as it is. A rank is at most
    64.

    Example: (4, 8, 1) : (1, 4, 0).

    ```mlir
    func.func @pad(%l: !tile.layout<(4, 8) : (1, 4)>) -> !tile.layout<(4, 8, 1) : (1, 4, 0)> {
      %0 = tile.append_rank %l to 3 : !tile.layout<(4, 8) : (1, 4)>
      return %0 : !tile.layout<(4, 8, 1) : (1, 4, 0)>
    }
    ```
  }];
}

def Tile_PrependRankOp : Tile_LayoutRankOp<"prepend_rank"> {
  let summary = "layout with modes 1 : 0 at the front, up to a rank";
  let description = [{
    As `tile.append_rank`, at the other end.

    Example: (1, 4, 8) : (0, 1, 4).

    ```mlir
    func.func @pad(%l: !tile.layout<(4, 8) : (1, 4)>) -> !tile.layout<(1, 4, 8) : (0, 1, 4)> {
      %0 = tile.prepend_rank %l to 3 : !tile.layout<(4, 8) : (1, 4)>
      return %0 : !tile.layout<(1, 4, 8) : (0, 1, 4)>
    }
    ```
  }];
}

/// A layout with another shape.
class Tile_LayoutShapeOp<string mnemonic> : Tile_LayoutAlgebraOp<mnemonic> {
  let arguments = (ins
    Tile_LayoutType:$layout, Variadic<Index>:$shape_operands, Tile_IntTupleAttr:$shape);
  let assemblyFormat = [{
    $layout `as` custom<MixedTuple>($shape_operands, $shape) attr-dict `:` qualified(type($layout))
  }];
}

def Tile_WithShapeOp : Tile_LayoutShapeOp<"with_shape"> {
  let summary = "layout addressed through another shape";
  let description = [{
    The composition with the compact layout of `shape`: the result at index i
    is the layout at index i. The shape may have fewer elements.

    Example: ((2, 2), 8) : ((8, 16), 1).

    ```mlir
    func.func @split_rows(%l: !tile.layout<(4, 8) : (8, 1)>) -> !tile.layout<((2, 2), 8) : ((8, 16), 1)> {
      %0 = tile.with_shape %l as ((2, 2), 8) : !tile.layout<(4, 8) : (8, 1)>
      return %0 : !tile.layout<((2, 2), 8) : ((8, 16), 1)>
    }
    ```
  }];
}

def Tile_ReshapeOp : Tile_LayoutShapeOp<"reshape"> {
  let summary = "layout of the same size with another shape";
  let description = [{
    As `tile.with_shape`, for a shape that has as many elements as the layout.

    Example: (32) to (4, 8).

    ```mlir
    func.func @reshape(%l: !tile.layout<32 : 2>) -> !tile.layout<(4, 8) : (2, 8)> {
      %0 = tile.reshape %l as (4, 8) : !tile.layout<32 : 2>
      return %0 : !tile.layout<(4, 8) : (2, 8)>
    }
    ```
  }];
}

/// A layout at a coordinate with wildcards.
class Tile_LayoutCoordOp<string mnemonic> : Tile_LayoutAlgebraOp<mnemonic> {
  let arguments = (ins
    Tile_LayoutType:$layout, Variadic<Index>:$coord_operands, Tile_IntTupleAttr:$coord);
  let assemblyFormat = [{
    $layout `at` custom<MixedTuple>($coord_operands, $coord) attr-dict `:` qualified(type($layout))
  }];
}

def Tile_SliceLayoutOp : Tile_LayoutCoordOp<"slice_layout"> {
  let summary = "modes of a layout that a coordinate leaves free";
  let description = [{
    The modes under the wildcards of a coordinate. Where they start is what
    `tile.slice_and_offset` gives as well.

    Example: row `%i` of a matrix.

    ```mlir
    func.func @row(%l: !tile.layout<(4, 8) : (8, 1)>, %i: index) {
      %0 = tile.slice_layout %l at (%i, _) : !tile.layout<(4, 8) : (8, 1)>
      return
    }
    ```
  }];
}

def Tile_DiceOp : Tile_LayoutCoordOp<"dice"> {
  let summary = "modes of a layout that a coordinate fixes";
  let description = [{
    The modes that have a number, not a wildcard, in the coordinate. The swizzle
    and the offset of a swizzled layout stay.

    Example:

    ```mlir
    func.func @rows(%l: !tile.layout<(4, 8) : (8, 1)>) {
      %0 = tile.dice %l at (0, _) : !tile.layout<(4, 8) : (8, 1)>
      return
    }
    ```
  }];
}

/// A layout and where it starts.
class Tile_LayoutAndOffsetOp<string mnemonic> : Tile_LayoutCoordOp<mnemonic> {
  let results = (outs Tile_LayoutType:$result, Index:$offset);
}

def Tile_SliceAndOffsetOp : Tile_LayoutAndOffsetOp<"slice_and_offset"> {
  let summary = "modes that a coordinate leaves free, and where they start";
  let description = [{
    For the layout L and a coordinate c with wildcards, the layout R of the
    free modes and the offset o with L(c with i in the free modes) = o + R(i).
    Of a swizzled layout, the offset stays under the swizzle where the swizzle
    is not linear inside the slice.

    Example: row `%i` of a matrix, and its first element.

    ```mlir
    func.func @row(%l: !tile.layout<(4, 8) : (8, 1)>, %i: index) -> index {
      %row, %start = tile.slice_and_offset %l at (%i, _) : !tile.layout<(4, 8) : (8, 1)>
      return %start : index
    }
    ```
  }];
}

def Tile_DomainOffsetOp : Tile_LayoutAndOffsetOp<"domain_offset"> {
  let summary = "layout whose origin is moved to a coordinate";
  let description = [{
    For the layout L and a coordinate c, the layout R and the offset o with
    L(c + i) = o + R(i). R is L, and o is L(c); of a swizzled layout, o is 0 and
    L(c) goes under the swizzle.

    Example:

    ```mlir
    func.func @from(%l: !tile.layout<(4, 8) : (8, 1)>, %i: index, %j: index) -> index {
      %rest, %start = tile.domain_offset %l at (%i, %j) : !tile.layout<(4, 8) : (8, 1)>
      return %start : index
    }
    ```
  }];
}

#endif // TILE_IR_TILELAYOUTMODEOPS_TD
