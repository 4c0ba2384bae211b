// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The algebra of layouts: simplify, compose, complement, invert, recast.
#ifndef TILE_IR_TILELAYOUTALGEBRAOPS_TD
#define TILE_IR_TILELAYOUTALGEBRAOPS_TD

include "tile/IR/TileLayoutInterfaces.td"

//===----------------------------------------------------------------------===//
// Simplification
//===----------------------------------------------------------------------===//

def Tile_CoalesceOp : Tile_LayoutAlgebraOp<"coalesce"> {
  let summary = "same function with the fewest modes";
  let description = [{
    Joins neighbouring modes whose strides continue each other and drops modes
    of extent 1. The result is the same function of the linear index. With a
    profile, each mode at a leaf of the profile is coalesced on its own, so that
    the result takes the same coordinates. A run-time extent is not joined to
    its left neighbour.

    Example: the results are 32 : 1, and (4, 8) : (1, 4) by mode.

    ```mlir
    func.func @flat(%l: !tile.layout<((2, 2), 8) : ((1, 2), 4)>) -> !tile.layout<(4, 8) : (1, 4)> {
      %0 = tile.coalesce %l : !tile.layout<((2, 2), 8) : ((1, 2), 4)>
      %1 = tile.coalesce %l by (1, 1) : !tile.layout<((2, 2), 8) : ((1, 2), 4)>
      return %1 : !tile.layout<(4, 8) : (1, 4)>
    }
    ```
  }];
  let arguments = (ins Tile_LayoutType:$layout, OptionalAttr<Tile_IntTupleAttr>:$profile);
  let assemblyFormat = [{
    $layout (`by` custom<ConstantTuple>($profile)^)? attr-dict `:` qualified(type($layout))
  }];
}

def Tile_FilterOp : Tile_LayoutUnaryOp<"filter"> {
  let summary = "layout without repetitions, with the fewest modes";
  let description = [{
    Drops the modes of stride 0, then coalesces: the same offsets, each of
    those modes visited once.

    Example: 8 : 1.

    ```mlir
    func.func @filter(%l: !tile.layout<(4, 8) : (0, 1)>) -> !tile.layout<8 : 1> {
      %0 = tile.filter %l : !tile.layout<(4, 8) : (0, 1)>
      return %0 : !tile.layout<8 : 1>
    }
    ```
  }];
}

def Tile_FilterZerosOp : Tile_LayoutUnaryOp<"filter_zeros"> {
  let summary = "layout without repetitions, of the same nesting";
  let description = [{
    Modes of stride 0 get extent 1.

    Example: (1, 8) : (0, 1).

    ```mlir
    func.func @filter(%l: !tile.layout<(4, 8) : (0, 1)>) -> !tile.layout<(1, 8) : (0, 1)> {
      %0 = tile.filter_zeros %l : !tile.layout<(4, 8) : (0, 1)>
      return %0 : !tile.layout<(1, 8) : (0, 1)>
    }
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Composition and inverses
//===----------------------------------------------------------------------===//

def Tile_CompositionOp : Tile_LayoutTilerOp<"composition"> {
  let summary = "one layout applied after another";
  let description = [{
    The layout R with R(i) = lhs(rhs(i)) for every index of `rhs`; or, by mode,
    with each top-level mode of `lhs` composed with its own tiler, where n
    stands for n : 1 and `_` leaves the mode alone; numbers may be SSA values.
    Rejected, with the reason, where no layout has this property. A swizzle
    stays outside.

    Example: every second element of a row-major 4 by 8 tile; its upper left
    quarter.

    ```mlir
    func.func @compose(%a: !tile.layout<(4, 8) : (8, 1)>, %b: !tile.layout<16 : 2>) {
      %0 = tile.composition %a, %b : !tile.layout<(4, 8) : (8, 1)>, !tile.layout<16 : 2>
      %1 = tile.composition %a by <2, 4> : !tile.layout<(4, 8) : (8, 1)>
      return
    }
    ```
  }];
}

def Tile_ComplementOp : Tile_LayoutAlgebraOp<"complement"> {
  let summary = "what a layout leaves out";
  let description = [{
    An ordered layout of the offsets in [0, cotarget) that `layout` repeated
    over them would start at: together they reach every offset exactly once.
    Without cotarget, that of the layout's own span. The layout must not reach
    an offset twice, modes of stride 0 aside. Of a swizzled layout, the copies
    are disjoint, as those at multiples of the swizzle's period are.

    Example: (3, 2) : (2, 12).

    ```mlir
    func.func @rest(%l: !tile.layout<(2, 2) : (1, 6)>) -> !tile.layout<(3, 2) : (2, 12)> {
      %0 = tile.complement %l in 24 : !tile.layout<(2, 2) : (1, 6)>
      return %0 : !tile.layout<(3, 2) : (2, 12)>
    }
    ```
  }];
  let arguments = (ins
    Tile_LayoutType:$layout, Variadic<Index>:$cotarget_operands,
    OptionalAttr<Tile_IntTupleAttr>:$cotarget);
  let assemblyFormat = [{
    $layout (`in` custom<MixedTuple>($cotarget_operands, $cotarget)^)? attr-dict `:` qualified(type($layout))
  }];
}

def Tile_RightInverseOp : Tile_LayoutUnaryOp<"right_inverse"> {
  let summary = "largest layout that undoes another from the right";
  let description = [{
    The largest R with layout(R(i)) = i for all i below its size: where to
    find offset i.

    Example: (8, 4) : (4, 1).

    ```mlir
    func.func @inverse(%l: !tile.layout<(4, 8) : (8, 1)>) -> !tile.layout<(8, 4) : (4, 1)> {
      %0 = tile.right_inverse %l : !tile.layout<(4, 8) : (8, 1)>
      return %0 : !tile.layout<(8, 4) : (4, 1)>
    }
    ```
  }];
}

def Tile_LeftInverseOp : Tile_LayoutUnaryOp<"left_inverse"> {
  let summary = "layout that undoes another from the left";
  let description = [{
    An R with R(layout(i)) = i for all i below the size of the layout, which
    must not reach an offset twice.

    Example:

    ```mlir
    func.func @inverse(%l: !tile.layout<(4, 8) : (8, 1)>) {
      %0 = tile.left_inverse %l : !tile.layout<(4, 8) : (8, 1)>
      return
    }
    ```
  }];
}

def Tile_NullspaceOp : Tile_LayoutUnaryOp<"nullspace"> {
  let summary = "indices that a layout takes to 0";
  let description = [{
    The layout of the modes of stride 0, as a function into the indices of
    `layout`. A swizzle takes 0 to 0 and no other number there, so that it does
    not matter.

    Example: 8 : 4.

    ```mlir
    func.func @nullspace(%l: !tile.layout<(4, 8) : (1, 0)>) -> !tile.layout<8 : 4> {
      %0 = tile.nullspace %l : !tile.layout<(4, 8) : (1, 0)>
      return %0 : !tile.layout<8 : 4>
    }
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Recast
//===----------------------------------------------------------------------===//

/// A layout in other units.
class Tile_LayoutCountOp<string mnemonic> : Tile_LayoutAlgebraOp<mnemonic> {
  let arguments = (ins Tile_LayoutType:$layout, I64Attr:$count);
  let assemblyFormat = "$layout `by` $count attr-dict `:` qualified(type($layout))";
}

def Tile_UpcastOp : Tile_LayoutCountOp<"upcast"> {
  let summary = "layout in units of several elements";
  let description = [{
    Every stride must be a multiple of `count` or divide it. A swizzle needs a
    power of two.

    Example: pairs of elements, (2, 8) : (1, 2).

    ```mlir
    func.func @pairs(%l: !tile.layout<(4, 8) : (1, 4)>) -> !tile.layout<(2, 8) : (1, 2)> {
      %0 = tile.upcast %l by 2 : !tile.layout<(4, 8) : (1, 4)>
      return %0 : !tile.layout<(2, 8) : (1, 2)>
    }
    ```
  }];
}

def Tile_DowncastOp : Tile_LayoutCountOp<"downcast"> {
  let summary = "layout in units of a part of an element";
  let description = [{
    A mode of stride 1 or -1 grows by `count`, all other strides are multiplied
    by it.

    Example: halves of elements, (8, 8) : (1, 8).

    ```mlir
    func.func @halves(%l: !tile.layout<(4, 8) : (1, 4)>) -> !tile.layout<(8, 8) : (1, 8)> {
      %0 = tile.downcast %l by 2 : !tile.layout<(4, 8) : (1, 4)>
      return %0 : !tile.layout<(8, 8) : (1, 8)>
    }
    ```
  }];
}

def Tile_RecastLayoutOp : Tile_LayoutAlgebraOp<"recast_layout"> {
  let summary = "layout of other elements on the same storage";
  let description = [{
    The layout of elements of `newBits` on the storage of elements of
    `oldBits`: upcast, downcast, or both where neither divides the other. A
    swizzle needs a ratio that is a power of two.

    Example: f32 seen as f16, (8, 8) : (1, 8).

    ```mlir
    func.func @recast(%l: !tile.layout<(4, 8) : (1, 4)>) -> !tile.layout<(8, 8) : (1, 8)> {
      %0 = tile.recast_layout %l from 32 to 16 : !tile.layout<(4, 8) : (1, 4)>
      return %0 : !tile.layout<(8, 8) : (1, 8)>
    }
    ```
  }];
  let arguments = (ins Tile_LayoutType:$layout, I64Attr:$oldBits, I64Attr:$newBits);
  let assemblyFormat = "$layout `from` $oldBits `to` $newBits attr-dict `:` qualified(type($layout))";
}

def Tile_MaxCommonLayoutOp : Tile_LayoutBinaryOp<"max_common_layout"> {
  let summary = "what two layouts can move as one contiguous run";
  let description = [{
    The largest layout of indices that both operands take to the same
    contiguous run 0, 1, 2, ..., at most as many as swizzles keep together.

    Example: 4 : 1.

    ```mlir
    func.func @common(%a: !tile.layout<(4, 8) : (1, 4)>, %b: !tile.layout<(4, 8) : (1, 16)>) -> !tile.layout<4 : 1> {
      %0 = tile.max_common_layout %a, %b : !tile.layout<(4, 8) : (1, 4)>, !tile.layout<(4, 8) : (1, 16)>
      return %0 : !tile.layout<4 : 1>
    }
    ```
  }];
}

def Tile_MaxCommonVectorOp : Tile_AlgebraQueryOp<"max_common_vector"> {
  let summary = "elements that one access can move between two layouts";
  let description = [{
    The size of `tile.max_common_layout`, at most what the swizzles keep
    together. A constant.

    Example: 4.

    ```mlir
    func.func @common(%a: !tile.layout<(4, 8) : (1, 4)>, %b: !tile.layout<(4, 8) : (1, 16)>) -> index {
      %0 = tile.max_common_vector %a, %b : !tile.layout<(4, 8) : (1, 4)>, !tile.layout<(4, 8) : (1, 16)>
      return %0 : index
    }
    ```
  }];
  let arguments = (ins Tile_LayoutType:$lhs, Tile_LayoutType:$rhs);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` qualified(type($lhs)) `,` qualified(type($rhs))";
}

def Tile_MaxAlignmentOp : Tile_LayoutQueryOp<"max_alignment"> {
  let summary = "elements that a layout's contiguous runs are aligned to";
  let description = [{
    The largest number that divides the length of the contiguous run at the
    start of a layout and every step between runs, at most what a swizzle keeps
    together: what an access of any run can be as wide as, if the base is
    aligned to it. A constant.

    Example: runs of 8, 12 apart: 4.

    ```mlir
    func.func @runs(%l: !tile.layout<(8, 4) : (1, 12)>) -> index {
      %0 = tile.max_alignment %l : !tile.layout<(8, 4) : (1, 12)>
      return %0 : index
    }
    ```
  }];
}

#endif // TILE_IR_TILELAYOUTALGEBRAOPS_TD
