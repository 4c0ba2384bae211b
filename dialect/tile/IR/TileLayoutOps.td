// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations on layouts: construction, queries and the algebra.
#ifndef TILE_IR_TILELAYOUTOPS_TD
#define TILE_IR_TILELAYOUTOPS_TD

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tile/IR/TileTypes.td"

def Tile_MakeLayoutOp : Tile_Op<"make_layout", [
    Pure, AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "layout from a shape and a stride";
  let description = [{
    Builds a layout. Shape and stride are congruent tuples; a leaf is an
    integer or an SSA value, whose known divisibility can be stated as
    `%ld {div = 8}`.

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
  let results = (outs Tile_LayoutType:$result);
  let assemblyFormat = [{
    custom<MixedTuple>($shape_operands, $shape) `:`
    custom<MixedTuple>($stride_operands, $stride) attr-dict
  }];
  let hasVerifier = 1;
}

class Tile_LayoutQueryOp<string mnemonic> : Tile_Op<mnemonic, [Pure]> {
  let arguments = (ins Tile_LayoutType:$layout);
  let results = (outs Index:$result);
  let assemblyFormat = "$layout attr-dict `:` type($layout)";
  let hasFolder = 1;
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

    Example:

    ```mlir
    func.func @cosize() -> index {
      %0 = tile.make_layout (4, 8) : (10, 1)
      %1 = tile.cosize %0 : !tile.layout<(4, 8) : (10, 1)>
      return %1 : index
    }
    ```
  }];
  let hasVerifier = 1;
}

def Tile_Crd2IdxOp : Tile_Op<"crd2idx", [Pure]> {
  let summary = "offset of a coordinate";
  let description = [{
    Applies a layout to a coordinate: a tuple congruent with the shape, or an
    integer where a mode is a tuple, which is then counted colexicographically
    through the mode.

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
  let results = (outs Index:$result);
  let assemblyFormat = [{
    custom<MixedTuple>($coord_operands, $coord) `,` $layout attr-dict `:` type($layout)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

class Tile_LayoutUnaryOp<string mnemonic> : Tile_Op<mnemonic, [
    Pure, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let arguments = (ins Tile_LayoutType:$layout);
  let results = (outs Tile_LayoutType:$result);
  let assemblyFormat = "$layout attr-dict `:` type($layout)";
}

def Tile_CoalesceOp : Tile_LayoutUnaryOp<"coalesce"> {
  let summary = "same function with the fewest modes";
  let description = [{
    Joins neighbouring modes whose strides continue each other and drops modes
    of extent 1. The result is the same function of the linear index.

    Example: the result has type `!tile.layout<32 : 1>`.

    ```mlir
    func.func @flat(%l: !tile.layout<(4, 8) : (1, 4)>) {
      %0 = tile.coalesce %l : !tile.layout<(4, 8) : (1, 4)>
      return
    }
    ```
  }];
}

class Tile_LayoutBinaryOp<string mnemonic> : Tile_Op<mnemonic, [
    Pure, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let arguments = (ins Tile_LayoutType:$lhs, Tile_LayoutType:$rhs);
  let results = (outs Tile_LayoutType:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs)";
}

def Tile_CompositionOp : Tile_LayoutBinaryOp<"composition"> {
  let summary = "one layout applied after another";
  let description = [{
    The layout R with R(i) = lhs(rhs(i)) for every index of `rhs`. Rejected,
    with the reason, where no layout has this property.

    Example: every second element of a row-major 4 by 8 tile.

    ```mlir
    func.func @compose(%a: !tile.layout<(4, 8) : (8, 1)>, %b: !tile.layout<16 : 2>) {
      %0 = tile.composition %a, %b : !tile.layout<(4, 8) : (8, 1)>, !tile.layout<16 : 2>
      return
    }
    ```
  }];
}

def Tile_LogicalDivideOp : Tile_LayoutBinaryOp<"logical_divide"> {
  let summary = "layout split into a tile and its repetitions";
  let description = [{
    Splits `lhs` into ((tile), (rest)): the elements that `rhs` selects, and
    the positions at which the tile repeats.

    Example:

    ```mlir
    func.func @divide(%a: !tile.layout<24 : 1>, %t: !tile.layout<4 : 2>) {
      %0 = tile.logical_divide %a, %t : !tile.layout<24 : 1>, !tile.layout<4 : 2>
      return
    }
    ```
  }];
}

def Tile_ZippedDivideOp : Tile_LayoutBinaryOp<"zipped_divide"> {
  let summary = "logical divide with tile modes and rest modes gathered";
  let description = [{
    As `tile.logical_divide`, with the tile in the first mode and the rest in
    the second.

    Example:

    ```mlir
    func.func @divide(%a: !tile.layout<24 : 1>, %t: !tile.layout<4 : 2>) {
      %0 = tile.zipped_divide %a, %t : !tile.layout<24 : 1>, !tile.layout<4 : 2>
      return
    }
    ```
  }];
}

def Tile_LogicalProductOp : Tile_LayoutBinaryOp<"logical_product"> {
  let summary = "layout repeated by another";
  let description = [{
    The layout ((lhs), (repetitions)), where repetitions of `lhs` are placed as
    `rhs` says, without overlap.

    Example:

    ```mlir
    func.func @product(%a: !tile.layout<4 : 1>, %t: !tile.layout<3 : 2>) {
      %0 = tile.logical_product %a, %t : !tile.layout<4 : 1>, !tile.layout<3 : 2>
      return
    }
    ```
  }];
}

#endif // TILE_IR_TILELAYOUTOPS_TD
