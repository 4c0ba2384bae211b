// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic and comparison of integer tuples.
#ifndef TILE_IR_TILETUPLEOPS_TD
#define TILE_IR_TILETUPLEOPS_TD

include "tile/IR/TileLayoutInterfaces.td"

defvar twoTupleArguments = (ins
  Variadic<Index>:$lhs_operands, Variadic<Index>:$rhs_operands,
  Tile_IntTupleAttr:$lhs, Tile_IntTupleAttr:$rhs);
defvar twoTupleFormat = [{
  custom<MixedTuple>($lhs_operands, $lhs) `,` custom<MixedTuple>($rhs_operands, $rhs) attr-dict
}];

def Tile_ElemLessOp : Tile_AlgebraQueryOp<"elem_less", [AttrSizedOperandSegments]> {
  let summary = "whether every element of a tuple is less than another's";
  let description = [{
    The predicate of an access: true when every leaf of the coordinate `lhs`
    is less than the extent in `rhs`. Where `lhs` has a number and `rhs` a
    tuple, the size of the tuple is compared; `_` compares nothing.

    Example:

    ```mlir
    func.func @inside(%i: index, %j: index, %m: index) -> i1 {
      %0 = tile.elem_less (%i, %j), (%m, 128)
      return %0 : i1
    }
    ```
  }];
  let arguments = twoTupleArguments;
  let results = (outs I1:$result);
  let assemblyFormat = twoTupleFormat;
}

def Tile_CeilDivOp : Tile_AlgebraTupleOp<"ceil_div", [AttrSizedOperandSegments]> {
  let summary = "quotient of tuples, rounded up";
  let description = [{
    Mode by mode; a number is taken out of a tuple from the left. One result
    for each leaf of the quotient.

    Example: the tiles of a problem.

    ```mlir
    func.func @tiles(%m: index, %n: index) -> (index, index) {
      %t:2 = tile.ceil_div (%m, %n), (128, 64)
      return %t#0, %t#1 : index, index
    }
    ```
  }];
  let arguments = twoTupleArguments;
  let assemblyFormat = twoTupleFormat;
}

def Tile_ShapeDivOp : Tile_AlgebraTupleOp<"shape_div", [AttrSizedOperandSegments]> {
  let summary = "quotient of shapes, exact";
  let description = [{
    As `tile.ceil_div` where every step divides exactly, one way or the other;
    what does not is refused.

    Example: (4, (2, 3)) by 8 is (1, (1, 3)).

    ```mlir
    func.func @rest() -> (index, index, index) {
      %t:3 = tile.shape_div (4, (2, 3)), 8
      return %t#0, %t#1, %t#2 : index, index, index
    }
    ```
  }];
  let arguments = twoTupleArguments;
  let assemblyFormat = twoTupleFormat;
}

def Tile_ProductOp : Tile_AlgebraQueryOp<"product"> {
  let summary = "product of the leaves of a tuple";
  let description = [{
    1 for the empty tuple.

    Example:

    ```mlir
    func.func @elements(%m: index, %n: index) -> index {
      %0 = tile.product (%m, (%n, 8))
      return %0 : index
    }
    ```
  }];
  let arguments = (ins Variadic<Index>:$tuple_operands, Tile_IntTupleAttr:$tuple);
  let assemblyFormat = "custom<MixedTuple>($tuple_operands, $tuple) attr-dict";
}

def Tile_ProductEachOp : Tile_AlgebraTupleOp<"product_each"> {
  let summary = "product of each mode of a tuple";
  let description = [{
    One result for each top-level mode: the number of coordinates in it.

    Example: 4 and 6.

    ```mlir
    func.func @modes() -> (index, index) {
      %s:2 = tile.product_each (4, (2, 3))
      return %s#0, %s#1 : index, index
    }
    ```
  }];
  let arguments = (ins Variadic<Index>:$tuple_operands, Tile_IntTupleAttr:$tuple);
  let assemblyFormat = "custom<MixedTuple>($tuple_operands, $tuple) attr-dict";
}

def Tile_SumOp : Tile_AlgebraQueryOp<"sum"> {
  let summary = "sum of the leaves of a tuple";
  let description = [{
    0 for the empty tuple.

    Example:

    ```mlir
    func.func @total(%i: index, %j: index) -> index {
      %0 = tile.sum (%i, (%j, 8))
      return %0 : index
    }
    ```
  }];
  let arguments = (ins Variadic<Index>:$tuple_operands, Tile_IntTupleAttr:$tuple);
  let assemblyFormat = "custom<MixedTuple>($tuple_operands, $tuple) attr-dict";
}

def Tile_ElemScaleOp : Tile_AlgebraTupleOp<"elem_scale", [AttrSizedOperandSegments]> {
  let summary = "product of two tuples, leaf by leaf";
  let description = [{
    Where `lhs` has a number and `rhs` a tuple, the size of the tuple is the
    factor. One result for each leaf of `lhs`.

    Example: (2, 3) and (4, (5, 6)) give 8 and 90.

    ```mlir
    func.func @scale() -> (index, index) {
      %s:2 = tile.elem_scale (2, 3), (4, (5, 6))
      return %s#0, %s#1 : index, index
    }
    ```
  }];
  let arguments = twoTupleArguments;
  let assemblyFormat = twoTupleFormat;
}

def Tile_InnerProductOp : Tile_AlgebraQueryOp<"inner_product", [AttrSizedOperandSegments]> {
  let summary = "sum of the products of the leaves of two tuples";
  let description = [{
    The tuples are congruent: a coordinate times the strides is an offset.

    Example:

    ```mlir
    func.func @offset(%i: index, %j: index, %ld: index) -> index {
      %0 = tile.inner_product (%i, %j), (%ld, 1)
      return %0 : index
    }
    ```
  }];
  let arguments = twoTupleArguments;
  let assemblyFormat = twoTupleFormat;
}

#endif // TILE_IR_TILETUPLEOPS_TD
