// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations on iterators over a matrix that is mapped to a tensor.
#ifndef TILE_IR_TILEMAPPEDOPS_TD
#define TILE_IR_TILEMAPPEDOPS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"
include "tile/IR/TileIteratorOps.td"
include "tile/IR/TileMappedTypes.td"

def Tile_MakeMappedIteratorOp : Tile_Op<"make_mapped_iterator", [Pure, AttrSizedOperandSegments]> {
  let summary = "iterator of one thread at a tile of a mapped matrix";
  let description = [{
    Places thread `thread` at the tile whose first element is (row, column) of
    the matrix. `coords` gives the layout of the iterator's type its run-time
    leaves, `origin` the coordinate in the view of the matrix's first element
    (zero if absent), `divide` the divisors. Values are read as signed: strides
    and origins may be negative.

    Along the contiguous dimension the coordinate and the origin must be known
    to be multiples of the elements of one access; an SSA value says so as
    `%c {div = 8}`. Along a dimension whose leading leaves hold whole tiles, the
    coordinate must be known to be a multiple of the tile.

    Example: the pixels under a filter. Row m of the matrix is an output pixel
    (n, p, q), column k a block of 32 channels at a place (r, s) of the filter,
    and the element is x[n, p + r - 1, q + s - 1, c].

    ```mlir
    !view = !tile.view<f16, global, (?, ?, ?, ?{div = 8}) : (?{div = 8}, ?{div = 8}, ?{div = 8}, 1), align = 16>
    !iter = !tile.mapped_iterator<!view,
      #tile.warp_raked<tile = [64, 32], contiguous = 1, threads = 64, warp = [4, 8], elements = 8>,
      coords ((?, ?, ?), (32, 3, 3, ?)) : ((1@e2, 1@e1, 1@e0), (1@e3, 1@e2, 1@e1, 32@e3)), steps = 1, advance = 1>
    func.func @activation(%x: !view, %n: index, %p: index, %q: index, %blocks: index, %row: index, %t: index) {
      %0 = tile.make_mapped_iterator %x(%row, 0), %t
        coords ((%q, %p, %n), (32, 3, 3, %blocks)) : ((1@e2, 1@e1, 1@e0), (1@e3, 1@e2, 1@e1, 32@e3))
        origin (0, -1, -1, 0) : !iter
      return
    }
    ```
  }];
  let arguments = (ins
    Tile_ViewType:$view, Variadic<Index>:$coord_operands, Index:$thread,
    Variadic<Index>:$shape_operands, Variadic<Index>:$stride_operands,
    Variadic<Index>:$origin_operands, Variadic<Index>:$divide_operands,
    Optional<Tile_ViewType>:$indices,
    Tile_IntTupleAttr:$coord,
    OptionalAttr<Tile_IntTupleAttr>:$shape, OptionalAttr<Tile_IntTupleAttr>:$stride,
    OptionalAttr<Tile_IntTupleAttr>:$origin, OptionalAttr<Tile_IntTupleAttr>:$divide);
  let results = (outs Tile_MappedIteratorType:$result);
  let assemblyFormat = [{
    $view `` custom<MixedTuple>($coord_operands, $coord) `,` $thread
    custom<CoordinateMap>($shape_operands, $shape, $stride_operands, $stride,
                          $origin_operands, $origin, $divide_operands, $divide)
    (`indices` $indices^ `:` type($indices))? attr-dict
    `:` custom<MappedResult>(type($result), type($view))
  }];
  let hasVerifier = 1;
}

def Tile_MappedLoadOp : Tile_Op<"mapped_load", [MemoryEffects<[MemRead]>]> {
  let summary = "this thread's elements of the current step";
  let description = [{
    Loads a fragment: the elements of one step in access order. Elements that
    do not exist are zero and not read.

    Example:

    ```mlir
    !iter = !tile.mapped_iterator<!tile.view<f32, global, (?, ?) : (?, 1)>,
      #tile.output_tile<shape = [64, 8, 2, 1, 1], count = [1, 4, 1, 1, 4], threads = 128, elements = 4, bits = 32>,
      steps = 4, advance = 0>
    func.func @source(%it: !iter) -> vector<8xf32> {
      %0 = tile.mapped_load %it : !iter -> vector<8xf32>
      return %0 : vector<8xf32>
    }
    ```
  }];
  let arguments = (ins Tile_MappedIteratorType:$iterator);
  let results = (outs AnyVectorOfAnyRank:$fragment);
  let assemblyFormat = "$iterator attr-dict `:` type($iterator) `->` type($fragment)";
  let hasVerifier = 1;
}

def Tile_MappedStoreOp : Tile_Op<"mapped_store", [MemoryEffects<[MemWrite]>]> {
  let summary = "fragment to the current step";
  let description = [{
    Stores a fragment to the elements of one step; elements that do not exist
    are not written. Every element of the tile has one owner in the map.

    Example: two steps of an epilogue.

    ```mlir
    !iter = !tile.mapped_iterator<!tile.view<f32, global, (?, ?) : (?, 1)>,
      #tile.output_tile<shape = [64, 8, 2, 1, 1], count = [1, 4, 1, 1, 4], threads = 128, elements = 4, bits = 32>,
      steps = 4, advance = 0>
    func.func @result(%f: vector<8xf32>, %g: vector<8xf32>, %it: !iter) {
      tile.mapped_store %f, %it : vector<8xf32>, !iter
      %next = tile.mapped_advance %it : !iter
      tile.mapped_store %g, %next : vector<8xf32>, !iter
      return
    }
    ```
  }];
  let arguments = (ins AnyVectorOfAnyRank:$fragment, Tile_MappedIteratorType:$iterator);
  let assemblyFormat = "$fragment `,` $iterator attr-dict `:` type($fragment) `,` type($iterator)";
  let hasVerifier = 1;
}

/// An operation that gives another position of the same walk.
def Tile_MappedCopyAsyncOp : Tile_Op<"mapped_copy_async", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "start of a copy of a mapped iterator's tile to shared memory";
  let description = [{
    As `tile.copy_async`, from an iterator over a mapped matrix whose tile is one
    step. Elements that do not exist become zero and are not read.

    Example: pixels of a convolution, 16 bytes at a time.

    ```mlir
    !map = !tile.mapped_iterator<!tile.view<f32, global, (?, ?, ?, ?{div = 4}) : (?{div = 4}, ?{div = 4}, ?{div = 4}, 1), align = 16>,
      #tile.strip_mined<tile = [128, 16], contiguous = 1, threads = 256, elements = 4>,
      coords ((?, ?, ?), (16, 3, 3, ?)) : ((1@e2, 1@e1, 1@e0), (1@e3, 1@e2, 1@e1, 16@e3)), advance = 1>
    !shared = !tile.iterator<!tile.view<f32, shared, (128, 16) : (1, 132), align = 16>,
      #tile.strip_mined<tile = [128, 16], contiguous = 1, threads = 256, elements = 4>, steady>
    func.func @stage(%src: !map, %dst: !shared) {
      tile.mapped_copy_async %src, %dst : !map, !shared
      tile.async_commit_group
      return
    }
    ```
  }];
  let arguments = (ins Tile_MappedIteratorType:$source, Tile_AnyIterator:$destination);
  let assemblyFormat = [{
    $source `,` $destination attr-dict `:` type($source) `,` type($destination)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Elements of one copy: what both sides prove.
    int64_t getAccessWidth();
  }];
}

class Tile_MappedMoveOp<string mnemonic> : Tile_Op<mnemonic, [
    Pure, AllTypesMatch<["iterator", "result"]>]> {
  let results = (outs Tile_MappedIteratorType:$result);
}

def Tile_MappedAdvanceOp : Tile_MappedMoveOp<"mapped_advance"> {
  let summary = "iterator at a later step";
  let description = [{
    Goes on by one step, or by a number of steps that is not negative. After the
    last step of a tile comes the first one of the next tile along the advance
    dimension.

    Example:

    ```mlir
    !iter = !tile.mapped_iterator<!tile.view<f32, global, (?, ?) : (?, 1)>,
      #tile.output_tile<shape = [64, 8, 2, 1, 1], count = [1, 4, 1, 1, 4], threads = 128, elements = 4, bits = 32>,
      steps = 4, advance = 0>
    func.func @skip(%it: !iter, %n: index) -> !iter {
      %0 = tile.mapped_advance %it : !iter
      %1 = tile.mapped_advance %0 by %n : !iter
      return %1 : !iter
    }
    ```
  }];
  let arguments = (ins Tile_MappedIteratorType:$iterator, Optional<Index>:$steps);
  let assemblyFormat = "$iterator (`by` $steps^)? attr-dict `:` type($iterator)";
  let hasVerifier = 1;
}

def Tile_MappedAddPointerOffsetOp : Tile_MappedMoveOp<"mapped_add_pointer_offset"> {
  let summary = "mapped iterator at a pointer offset";
  let description = [{
    Moves all addresses by an offset in elements of the view, a multiple of the
    elements of one access. What is accessed stays as it is.

    Example:

    ```mlir
    !iter = !tile.mapped_iterator<!tile.view<f32, global, (?, ?) : (?, 1)>,
      #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 128, elements = 4>, steps = 1>
    func.func @batch(%it: !iter, %stride: index) -> !iter {
      %0 = tile.mapped_add_pointer_offset %it, %stride : !iter
      return %0 : !iter
    }
    ```
  }];
  let arguments = (ins Tile_MappedIteratorType:$iterator, Index:$offset);
  let assemblyFormat = "$iterator `,` $offset attr-dict `:` type($iterator)";
  let hasVerifier = 1;
}

def Tile_MappedClearMaskOp : Tile_MappedMoveOp<"mapped_clear_mask"> {
  let summary = "mapped iterator that accesses nothing when a condition holds";
  let description = [{
    If `condition` is true nothing is accessed from here on, until
    `tile.mapped_enable_mask`.

    Example: an epilogue whose beta is zero does not read its source.

    ```mlir
    !iter = !tile.mapped_iterator<!tile.view<f32, global, (?, ?) : (?, 1)>,
      #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 128, elements = 4>, steps = 1>
    func.func @source(%it: !iter, %no_source: i1) -> !iter {
      %0 = tile.mapped_clear_mask %it, %no_source : !iter
      return %0 : !iter
    }
    ```
  }];
  let arguments = (ins Tile_MappedIteratorType:$iterator, I1:$condition);
  let assemblyFormat = "$iterator `,` $condition attr-dict `:` type($iterator)";
  let hasVerifier = 1;
}

def Tile_MappedEnableMaskOp : Tile_MappedMoveOp<"mapped_enable_mask"> {
  let summary = "mapped iterator that accesses what exists";
  let description = [{
    Undoes `tile.mapped_clear_mask`. Elements that do not exist stay masked.

    Example:

    ```mlir
    !iter = !tile.mapped_iterator<!tile.view<f32, global, (?, ?) : (?, 1)>,
      #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 128, elements = 4>, steps = 1>
    func.func @again(%it: !iter) -> !iter {
      %0 = tile.mapped_enable_mask %it : !iter
      return %0 : !iter
    }
    ```
  }];
  let arguments = (ins Tile_MappedIteratorType:$iterator);
  let assemblyFormat = "$iterator attr-dict `:` type($iterator)";
}

def Tile_MappedGetMaskOp : Tile_Op<"mapped_get_mask", [Pure]> {
  let summary = "predicate words of a mapped iterator";
  let description = [{
    The packed predicates of the current step: bit `i mod 32` of word `i / 32`
    guards the i-th memory access of its fragment, in order. Where nothing is
    accessed they are zero.

    Example:

    ```mlir
    !iter = !tile.mapped_iterator<!tile.view<f32, global, (?, ?) : (?, 1)>,
      #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 128, elements = 4>, steps = 1>
    func.func @mask(%it: !iter) -> vector<1xi32> {
      %0 = tile.mapped_get_mask %it : !iter -> vector<1xi32>
      return %0 : vector<1xi32>
    }
    ```
  }];
  let arguments = (ins Tile_MappedIteratorType:$iterator);
  let results = (outs AnyVectorOfAnyRank:$mask);
  let assemblyFormat = "$iterator attr-dict `:` type($iterator) `->` type($mask)";
  let hasVerifier = 1;
}

def Tile_MappedSetMaskOp : Tile_MappedMoveOp<"mapped_set_mask"> {
  let summary = "mapped iterator with the given predicate words";
  let description = [{
    Replaces the packed predicates of the current step; see
    `tile.mapped_get_mask` for the order of the bits. Other steps have their
    own: advancing, and `tile.mapped_enable_mask`, compute them again.

    Example: an iterator that accesses what another one does.

    ```mlir
    !iter = !tile.mapped_iterator<!tile.view<f32, global, (?, ?) : (?, 1)>,
      #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 128, elements = 4>, steps = 1>
    func.func @mask(%it: !iter, %other: !iter) -> !iter {
      %0 = tile.mapped_get_mask %other : !iter -> vector<1xi32>
      %1 = tile.mapped_set_mask %it, %0 : !iter, vector<1xi32>
      return %1 : !iter
    }
    ```
  }];
  let arguments = (ins Tile_MappedIteratorType:$iterator, AnyVectorOfAnyRank:$mask);
  let assemblyFormat = "$iterator `,` $mask attr-dict `:` type($iterator) `,` type($mask)";
  let hasVerifier = 1;
}

#endif // TILE_IR_TILEMAPPEDOPS_TD
