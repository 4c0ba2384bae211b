// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views of registers, parts of views for one thread, and views of other elements.
#ifndef TILE_IR_TILEVIEWPARTOPS_TD
#define TILE_IR_TILEVIEWPARTOPS_TD

include "tile/IR/TileLayoutInterfaces.td"

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

def Tile_AllocRegistersOp : Tile_Op<"alloc_registers", [MemoryEffects<[MemAlloc]>]> {
  let summary = "registers of a thread";
  let description = [{
    Storage of one thread under a static layout, aligned to 16 bytes. Elements
    that are read and written at constant coordinates only, also of slices and
    after loops are unrolled, live in registers. A coordinate that is known at
    run time only makes the storage local memory, which is slow: registers
    cannot be indexed. A thread has at most 1020 bytes, all of its registers. The
    storage is there for the whole run of the function: in a loop, it is the same
    each time.

    Example: two vectors of four.

    ```mlir
    func.func @pair(%x: vector<4xf32>) -> f32 {
      %r = tile.alloc_registers : !tile.view<f32, register, (4, 2) : (1, 4), align = 16>
      tile.view_store %x, %r(0, 1) : vector<4xf32>, !tile.view<f32, register, (4, 2) : (1, 4), align = 16>
      %0 = tile.view_load %r(2, 1) : !tile.view<f32, register, (4, 2) : (1, 4), align = 16> -> f32
      return %0 : f32
    }
    ```
  }];
  let results = (outs Tile_ViewType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tile_AllocFragmentLikeOp : Tile_Op<"alloc_fragment_like", [
    MemoryEffects<[MemAlloc]>, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "registers for the elements of a view";
  let description = [{
    As `tile.alloc_registers`, with the shape of a static view, compact, in the
    order of `tile.make_fragment_like`, and its elements or those named.

    Example: accumulators for what a thread has of a tile.

    ```mlir
    func.func @accumulators(%v: !tile.view<bf16, shared, (2, 4) : (64, 1)>)
        -> !tile.view<f32, register, (2, 4) : (1, 2), align = 16> {
      %0 = tile.alloc_fragment_like %v as f32 : !tile.view<bf16, shared, (2, 4) : (64, 1)>
      return %0 : !tile.view<f32, register, (2, 4) : (1, 2), align = 16>
    }
    ```
  }];
  let arguments = (ins Tile_ViewType:$view, OptionalAttr<TypeAttr>:$element);
  let results = (outs Tile_ViewType:$result);
  let assemblyFormat = "$view (`as` $element^)? attr-dict `:` type($view)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Partition
//===----------------------------------------------------------------------===//

def Tile_LocalPartitionOp : Tile_ViewAlgebraOp<"local_partition"> {
  let summary = "elements of a view that one of some threads takes in turn";
  let description = [{
    The view is divided into tiles of one element a thread, of the shape of the
    thread layout; the thread takes its element of each tile. With the thread
    layout (s0, s1) : (d0, d1), thread t is at (t floordiv d0 mod s0,
    t floordiv d1 mod s1): with (s0, 1) : (d0, 0) only rows are shared out, and
    several threads have the same. The tile has to divide the view.

    Example: 32 threads, eight side by side, on a 16 by 32 tile: each has every
    fourth row and every eighth column.

    ```mlir
    func.func @part(%v: !tile.view<f32, shared, (16, 32) : (32, 1)>, %t: index)
        -> !tile.view<f32, shared, (4, 4) : (128, 8)> {
      %0 = tile.local_partition %v by <(4, 8) : (8, 1)> at %t : !tile.view<f32, shared, (16, 32) : (32, 1)>
      return %0 : !tile.view<f32, shared, (4, 4) : (128, 8)>
    }
    ```
  }];
  let arguments = (ins
    Tile_ViewType:$view, Tile_LayoutAttr:$threads, Variadic<Index>:$thread_operands,
    Tile_IntTupleAttr:$thread);
  let assemblyFormat = [{
    $view `by` $threads `at` custom<MixedTuple>($thread_operands, $thread) attr-dict
    `:` type($view)
  }];
}

def Tile_PartitionMap : Attr<
    CPred<"::llvm::isa<::tile::ThreadMapAttrInterface, ::tile::LayoutAttr>($_self)">,
    "thread map, or layout of (thread, value)"> {
  let storageType = "::mlir::Attribute";
  let returnType = "::mlir::Attribute";
  let convertFromStorage = "$_self";
}

def Tile_ThreadPartitionOp : Tile_ViewAlgebraOp<"thread_partition"> {
  let summary = "elements of a view that a thread map gives to one thread";
  let description = [{
    The composition of the view with a thread-value layout, at one thread: a view
    with the modes of the thread's values. The map is a thread map, whose tile
    has the extents of the view, or a layout of two modes, threads and values,
    whose values are coordinates of the view or numbers of its elements. All of
    them lie inside the view, and the thread is one of the map's.

    Example: eight threads that load four elements each.

    ```mlir
    func.func @mine(%v: !tile.view<f32, global, (4, 8) : (8, 1)>, %t: index)
        -> !tile.view<f32, global, (2, 2) : (1, 16)> {
      %0 = tile.thread_partition %v
        by #tile.layout<((4, 2), (2, 2)) : ((2@e1, 1@e0), (1@e1, 2@e0))> at %t
        : !tile.view<f32, global, (4, 8) : (8, 1)>
      return %0 : !tile.view<f32, global, (2, 2) : (1, 16)>
    }
    ```
  }];
  let arguments = (ins
    Tile_ViewType:$view, Tile_PartitionMap:$map, Variadic<Index>:$thread_operands,
    Tile_IntTupleAttr:$thread);
  let assemblyFormat = [{
    $view `by` $map `at` custom<MixedTuple>($thread_operands, $thread) attr-dict
    `:` type($view)
  }];
}

//===----------------------------------------------------------------------===//
// Recast
//===----------------------------------------------------------------------===//

def Tile_ViewRecastOp : Tile_ViewAlgebraOp<"view_recast"> {
  let summary = "same memory as elements of another type";
  let description = [{
    A view of the same bytes. The layout is that of `tile.recast_layout`, the
    swizzle along with it. Elements that become larger need a base that is known
    to be aligned to them.

    Example: four bytes at once.

    ```mlir
    func.func @words(%v: !tile.view<i8, global, (64, 8) : (1, 64), align = 16>)
        -> !tile.view<i32, global, (16, 8) : (1, 16), align = 16> {
      %0 = tile.view_recast %v to i32 : !tile.view<i8, global, (64, 8) : (1, 64), align = 16>
      return %0 : !tile.view<i32, global, (16, 8) : (1, 16), align = 16>
    }
    ```
  }];
  let arguments = (ins Tile_ViewType:$view, TypeAttr:$element);
  let assemblyFormat = "$view `to` $element attr-dict `:` type($view)";
}

#endif // TILE_IR_TILEVIEWPARTOPS_TD
