// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations on views: pointers with a layout, in global memory, shared memory or
// registers.
#ifndef TILE_IR_TILEVIEWOPS_TD
#define TILE_IR_TILEVIEWOPS_TD

include "mlir/Dialect/LLVMIR/LLVMOpBase.td"
include "tile/IR/TileLayoutInterfaces.td"

def Tile_MakeViewOp : Tile_Op<"make_view", [Pure, AttrSizedOperandSegments]> {
  let summary = "view of the memory behind a pointer";
  let description = [{
    Gives memory a shape and strides, in elements. The result type repeats them
    with `?` for each SSA value.

    Example: a row-major matrix.

    ```mlir
    func.func @matrix(%p: !llvm.ptr<1>, %m: index, %n: index, %ld: index) {
      %0 = tile.make_view %p, (%m, %n) : (%ld, 1)
        : !llvm.ptr<1> -> !tile.view<f32, global, (?, ?) : (?, 1)>
      return
    }
    ```
  }];
  let arguments = (ins
    LLVM_AnyPointer:$base,
    Variadic<Index>:$shape_operands, Variadic<Index>:$stride_operands,
    Tile_IntTupleAttr:$shape, Tile_IntTupleAttr:$stride);
  let results = (outs Tile_ViewType:$result);
  let assemblyFormat = [{
    $base `,` custom<MixedTuple>($shape_operands, $shape) `:`
    custom<MixedTuple>($stride_operands, $stride) attr-dict
    `:` type($base) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_AllocSharedOp : Tile_Op<"alloc_shared", [
    MemoryEffects<[MemAlloc]>]> {
  let summary = "shared memory of the thread block";
  let description = [{
    Memory that all threads of a thread block share, for the whole run of the
    kernel; its layout is static. The base is aligned to 16 bytes.

    Example: two stages of a tile of 128 by 8, padded by 4.

    ```mlir
    func.func @stages() {
      %0 = tile.alloc_shared : !tile.view<f32, shared, (128, 8, 2) : (1, 132, 1056)>
      return
    }
    ```
  }];
  let results = (outs Tile_ViewType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tile_SliceOp : Tile_ViewAlgebraOp<"slice"> {
  let summary = "view with some modes fixed";
  let description = [{
    Fixes modes of a view at a coordinate inside it; `_` keeps a mode. Of a
    swizzled view the slice starts at a multiple of the swizzle's period, or the
    swizzle is linear inside it; then the result is a view without one.

    Example: stage `%s` of a double-buffered tile.

    ```mlir
    func.func @stage(%v: !tile.view<f32, shared, (128, 8, 2) : (1, 132, 1056)>, %s: index) {
      %0 = tile.slice %v(_, _, %s) : !tile.view<f32, shared, (128, 8, 2) : (1, 132, 1056)>
      return
    }
    ```
  }];
  let arguments = (ins
    Tile_ViewType:$view, Variadic<Index>:$coord_operands,
    Tile_IntTupleAttr:$coord);
  let assemblyFormat = [{
    $view `` custom<MixedTuple>($coord_operands, $coord) attr-dict `:` type($view)
  }];
}

def Tile_ViewTransposeOp : Tile_ViewAlgebraOp<"view_transpose"> {
  let summary = "view with its two dimensions swapped";
  let description = [{
    The same memory, columns as rows. Nothing is moved.

    Example:

    ```mlir
    func.func @columns(%v: !tile.view<f32, global, (?, 8) : (?, 1)>) -> !tile.view<f32, global, (8, ?) : (1, ?)> {
      %0 = tile.view_transpose %v : !tile.view<f32, global, (?, 8) : (?, 1)>
      return %0 : !tile.view<f32, global, (8, ?) : (1, ?)>
    }
    ```
  }];
  let arguments = (ins Tile_ViewType:$view);
  let assemblyFormat = "$view attr-dict `:` type($view)";
}

def Tile_LocalTileOp : Tile_ViewAlgebraOp<"local_tile"> {
  let summary = "tile of a view at a tile coordinate";
  let description = [{
    The part of a view that starts at `coord`, counted in tiles, with the
    extents of the tile. A tile at the edge of the view may reach past it. A tile
    of a swizzled view starts at a multiple of the swizzle's period.

    Example: the tile in row `%i` and column `%j` of tiles of 128 by 8.

    ```mlir
    func.func @tile(%v: !tile.view<f32, global, (?, ?) : (?, 1)>, %i: index, %j: index) {
      %0 = tile.local_tile %v[128, 8](%i, %j) : !tile.view<f32, global, (?, ?) : (?, 1)>
      return
    }
    ```
  }];
  let arguments = (ins
    Tile_ViewType:$view, DenseI64ArrayAttr:$tile,
    Variadic<Index>:$coord_operands, Tile_IntTupleAttr:$coord);
  let assemblyFormat = [{
    $view `` $tile `` custom<MixedTuple>($coord_operands, $coord) attr-dict `:` type($view)
  }];
}

def Tile_ViewLoadOp : Tile_Op<"view_load", [MemoryEffects<[MemRead]>]> {
  let summary = "element, or vector of elements, of a view";
  let description = [{
    Loads the element at a coordinate inside the view, through its swizzle, or
    the elements from there on along the dimension of stride 1. A coordinate is
    as deep as the shape, or has a number where the shape has a tuple, which is
    counted through the tuple. A vector needs what makes one access legal: the
    base, the other strides and the coordinate known to be multiples of its
    size, and a swizzle that keeps its elements together.

    Example:

    ```mlir
    func.func @load(%v: !tile.view<f32, shared, (128, 8) : (1, 132), align = 16>, %i: index, %k: index) {
      %0 = tile.view_load %v(%i, %k) : !tile.view<f32, shared, (128, 8) : (1, 132), align = 16> -> f32
      %1 = tile.view_load %v(%i {div = 4}, %k) : !tile.view<f32, shared, (128, 8) : (1, 132), align = 16> -> vector<4xf32>
      return
    }
    ```
  }];
  let arguments = (ins
    Tile_ViewType:$view, Variadic<Index>:$coord_operands, Tile_IntTupleAttr:$coord);
  let results = (outs AnyTypeOf<[AnyInteger, AnyFloat, AnyVectorOfNonZeroRank]>:$result);
  let assemblyFormat = [{
    $view `` custom<MixedTuple>($coord_operands, $coord) attr-dict
    `:` type($view) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_ViewStoreOp : Tile_Op<"view_store", [MemoryEffects<[MemWrite]>]> {
  let summary = "element, or vector of elements, to a view";
  let description = [{
    Stores to the place that `tile.view_load` reads, under the same conditions.

    Example:

    ```mlir
    func.func @store(%x: vector<4xf32>, %v: !tile.view<f32, shared, (128, 8) : (1, 132), align = 16>) {
      tile.view_store %x, %v(4, 3) : vector<4xf32>, !tile.view<f32, shared, (128, 8) : (1, 132), align = 16>
      return
    }
    ```
  }];
  let arguments = (ins
    AnyTypeOf<[AnyInteger, AnyFloat, AnyVectorOfNonZeroRank]>:$value, Tile_ViewType:$view, Variadic<Index>:$coord_operands,
    Tile_IntTupleAttr:$coord);
  let assemblyFormat = [{
    $value `,` $view `` custom<MixedTuple>($coord_operands, $coord) attr-dict
    `:` type($value) `,` type($view)
  }];
  let hasVerifier = 1;
}

def Tile_ViewReshapeOp : Tile_Op<"view_reshape", [Pure]> {
  let summary = "same memory under another layout";
  let description = [{
    A view of the same elements, of static layout, with other modes. Every
    element of the result must lie where the view reaches; the swizzle stays.

    Example: the rows of a stage, by warpgroup.

    ```mlir
    func.func @split(%v: !tile.view<bf16, shared, (128, 64) : (64, 1), align = 1024>) {
      %0 = tile.view_reshape %v : !tile.view<bf16, shared, (128, 64) : (64, 1), align = 1024>
        -> !tile.view<bf16, shared, (64, 64, 2) : (64, 1, 4096), align = 1024>
      return
    }
    ```
  }];
  let arguments = (ins Tile_ViewType:$view);
  let results = (outs Tile_ViewType:$result);
  let assemblyFormat = "$view attr-dict `:` type($view) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_ViewPointerOp : Tile_Op<"view_pointer", [
    Pure, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "address of a view's first element";
  let description = [{
    The base of a view as a pointer to its memory, for operations that know no
    views.

    Example:

    ```mlir
    func.func @base(%v: !tile.view<i64, shared, (4, 2) : (1, 4), align = 8>) -> !llvm.ptr<3> {
      %0 = tile.view_pointer %v : !tile.view<i64, shared, (4, 2) : (1, 4), align = 8>
      return %0 : !llvm.ptr<3>
    }
    ```
  }];
  let arguments = (ins Tile_ViewType:$view);
  let results = (outs LLVM_AnyPointer:$result);
  let assemblyFormat = "$view attr-dict `:` type($view)";
}

#endif // TILE_IR_TILEVIEWOPS_TD
