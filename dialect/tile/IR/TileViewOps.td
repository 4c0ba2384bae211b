// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations on views: pointers with a layout, in global or shared memory.
#ifndef TILE_IR_TILEVIEWOPS_TD
#define TILE_IR_TILEVIEWOPS_TD

include "mlir/Dialect/LLVMIR/LLVMOpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tile/IR/TileTypes.td"

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

def Tile_SliceOp : Tile_Op<"slice", [
    Pure, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "view with some modes fixed";
  let description = [{
    Fixes top-level modes of a view at a coordinate; `_` keeps a mode.

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
  let results = (outs Tile_ViewType:$result);
  let assemblyFormat = [{
    $view `` custom<MixedTuple>($coord_operands, $coord) attr-dict `:` type($view)
  }];
  let hasVerifier = 1;
}

#endif // TILE_IR_TILEVIEWOPS_TD
