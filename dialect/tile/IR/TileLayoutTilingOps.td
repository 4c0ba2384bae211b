// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Division of layouts into tiles, and products of tiles.
#ifndef TILE_IR_TILELAYOUTTILINGOPS_TD
#define TILE_IR_TILELAYOUTTILINGOPS_TD

include "tile/IR/TileLayoutInterfaces.td"

//===----------------------------------------------------------------------===//
// Divide
//===----------------------------------------------------------------------===//

def Tile_LogicalDivideOp : Tile_LayoutTilerOp<"logical_divide"> {
  let summary = "layout split into a tile and its repetitions";
  let description = [{
    Splits `lhs` into ((tile), (rest)): the elements that the tiler selects, and
    the positions at which the tile repeats; each mode on its own for a by-mode
    tiler. The composition of `lhs` with (tiler, complement of the tiler).

    The tile has to divide a layout of offsets: a tile over the edge would
    address memory that is not there. A layout of coordinates may be divided
    unevenly; its coordinates are compared with the extents afterwards
    (`tile.elem_less`).

    Example:

    ```mlir
    func.func @divide(%a: !tile.layout<24 : 1>, %t: !tile.layout<4 : 2>) {
      %0 = tile.logical_divide %a, %t : !tile.layout<24 : 1>, !tile.layout<4 : 2>
      return
    }
    ```
  }];
}

def Tile_ZippedDivideOp : Tile_LayoutTilerOp<"zipped_divide"> {
  let summary = "logical divide with tile modes and rest modes gathered";
  let description = [{
    As `tile.logical_divide`, with the tile in the first mode and the rest in
    the second: ((t0, t1), (r0, r1)).

    Example: ((4, 8), (3, 4)) : ((1, 12), (4, 96)).

    ```mlir
    func.func @divide(%a: !tile.layout<(12, 32) : (1, 12)>) -> !tile.layout<((4, 8), (3, 4)) : ((1, 12), (4, 96))> {
      %0 = tile.zipped_divide %a by <4, 8> : !tile.layout<(12, 32) : (1, 12)>
      return %0 : !tile.layout<((4, 8), (3, 4)) : ((1, 12), (4, 96))>
    }
    ```
  }];
}

def Tile_TiledDivideOp : Tile_LayoutTilerOp<"tiled_divide"> {
  let summary = "logical divide with the tile gathered";
  let description = [{
    As `tile.logical_divide`, arranged as ((t0, t1), r0, r1).

    Example: ((4, 8), 3, 4) : ((1, 12), 4, 96).

    ```mlir
    func.func @divide(%a: !tile.layout<(12, 32) : (1, 12)>) -> !tile.layout<((4, 8), 3, 4) : ((1, 12), 4, 96)> {
      %0 = tile.tiled_divide %a by <4, 8> : !tile.layout<(12, 32) : (1, 12)>
      return %0 : !tile.layout<((4, 8), 3, 4) : ((1, 12), 4, 96)>
    }
    ```
  }];
}

def Tile_FlatDivideOp : Tile_LayoutTilerOp<"flat_divide"> {
  let summary = "logical divide without grouping";
  let description = [{
    As `tile.logical_divide`, arranged as (t0, t1, r0, r1).

    Example: (4, 8, 3, 4) : (1, 12, 4, 96).

    ```mlir
    func.func @divide(%a: !tile.layout<(12, 32) : (1, 12)>) -> !tile.layout<(4, 8, 3, 4) : (1, 12, 4, 96)> {
      %0 = tile.flat_divide %a by <4, 8> : !tile.layout<(12, 32) : (1, 12)>
      return %0 : !tile.layout<(4, 8, 3, 4) : (1, 12, 4, 96)>
    }
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Product
//===----------------------------------------------------------------------===//

def Tile_LogicalProductOp : Tile_LayoutTilerOp<"logical_product"> {
  let summary = "layout repeated by another";
  let description = [{
    The layout ((lhs), (repetitions)), where repetitions of `lhs` are placed as
    the tiler says, without overlap; each mode on its own for a by-mode tiler.
    Every repetition of a swizzled block is the block moved, as it is at
    multiples of the swizzle's period; what is not is refused.

    Example:

    ```mlir
    func.func @product(%a: !tile.layout<4 : 1>, %t: !tile.layout<3 : 2>) {
      %0 = tile.logical_product %a, %t : !tile.layout<4 : 1>, !tile.layout<3 : 2>
      return
    }
    ```
  }];
}

def Tile_ZippedProductOp : Tile_LayoutTilerOp<"zipped_product"> {
  let summary = "logical product with block modes and repetitions gathered";
  let description = [{
    As `tile.logical_product`, arranged as ((b0, b1), (r0, r1)).

    Example:

    ```mlir
    func.func @product(%a: !tile.layout<(2, 2) : (1, 2)>) {
      %0 = tile.zipped_product %a by <3, 4> : !tile.layout<(2, 2) : (1, 2)>
      return
    }
    ```
  }];
}

def Tile_TiledProductOp : Tile_LayoutTilerOp<"tiled_product"> {
  let summary = "logical product with the block gathered";
  let description = [{
    As `tile.logical_product`, arranged as ((b0, b1), r0, r1).

    Example:

    ```mlir
    func.func @product(%a: !tile.layout<(2, 2) : (1, 2)>) {
      %0 = tile.tiled_product %a by <3, 4> : !tile.layout<(2, 2) : (1, 2)>
      return
    }
    ```
  }];
}

def Tile_FlatProductOp : Tile_LayoutTilerOp<"flat_product"> {
  let summary = "logical product without grouping";
  let description = [{
    As `tile.logical_product`, arranged as (b0, b1, r0, r1).

    Example:

    ```mlir
    func.func @product(%a: !tile.layout<(2, 2) : (1, 2)>) {
      %0 = tile.flat_product %a by <3, 4> : !tile.layout<(2, 2) : (1, 2)>
      return
    }
    ```
  }];
}

def Tile_BlockedProductOp : Tile_LayoutBinaryOp<"blocked_product"> {
  let summary = "blocks repeated rank by rank, each block together";
  let description = [{
    Mode i of the result is (mode i of the block `lhs`, its repetitions along
    mode i of `rhs`).

    Example: a 2 by 5 block, 3 times down and 4 times across.

    ```mlir
    func.func @blocked(%b: !tile.layout<(2, 5) : (5, 1)>, %t: !tile.layout<(3, 4) : (1, 3)>) -> !tile.layout<((2, 3), (5, 4)) : ((5, 10), (1, 30))> {
      %0 = tile.blocked_product %b, %t : !tile.layout<(2, 5) : (5, 1)>, !tile.layout<(3, 4) : (1, 3)>
      return %0 : !tile.layout<((2, 3), (5, 4)) : ((5, 10), (1, 30))>
    }
    ```
  }];
}

def Tile_RakedProductOp : Tile_LayoutBinaryOp<"raked_product"> {
  let summary = "blocks repeated rank by rank, interleaved";
  let description = [{
    Mode i of the result is (the repetitions along mode i of `rhs`, mode i of
    the block `lhs`).

    Example:

    ```mlir
    func.func @raked(%b: !tile.layout<(2, 5) : (5, 1)>, %t: !tile.layout<(3, 4) : (1, 3)>) -> !tile.layout<((3, 2), (4, 5)) : ((10, 5), (30, 1))> {
      %0 = tile.raked_product %b, %t : !tile.layout<(2, 5) : (5, 1)>, !tile.layout<(3, 4) : (1, 3)>
      return %0 : !tile.layout<((3, 2), (4, 5)) : ((10, 5), (30, 1))>
    }
    ```
  }];
}

def Tile_TileToShapeOp : Tile_LayoutAlgebraOp<"tile_to_shape"> {
  let summary = "block repeated until it covers a shape";
  let description = [{
    The block must divide the shape, mode by mode. Repetitions run along the
    first mode first, or as `order` says (see `tile.make_ordered_layout`).
    Repetitions of a swizzled block are those of `tile.logical_product`.

    Example: four 8 by 8 blocks.

    ```mlir
    func.func @cover(%b: !tile.layout<(8, 8) : (8, 1)>) {
      %0 = tile.tile_to_shape %b as (16, 16) order (1, 0) : !tile.layout<(8, 8) : (8, 1)>
      return
    }
    ```
  }];
  let arguments = (ins
    Tile_LayoutType:$layout, Variadic<Index>:$shape_operands,
    Tile_IntTupleAttr:$shape, OptionalAttr<Tile_IntTupleAttr>:$order);
  let assemblyFormat = [{
    $layout `as` custom<MixedTuple>($shape_operands, $shape)
    (`order` custom<ConstantTuple>($order)^)? attr-dict `:` qualified(type($layout))
  }];
}

#endif // TILE_IR_TILELAYOUTTILINGOPS_TD
