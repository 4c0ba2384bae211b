// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations on tile iterators. Each requires the concept that it needs.
#ifndef TILE_IR_TILEITERATOROPS_TD
#define TILE_IR_TILEITERATOROPS_TD

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tile/IR/TileTypes.td"

// Which concept an operation needs is checked by its verifier, which says what
// the iterator lacks and which one would do.
def Tile_AnyIterator : Type<CPred<"::llvm::isa<::tile::IteratorType>($_self)">,
    "tile iterator", "::tile::IteratorType">;

def Tile_MakeIteratorOp : Tile_Op<"make_iterator", [Pure, AttrSizedOperandSegments]> {
  let summary = "iterator of one thread at a tile";
  let description = [{
    Places thread `thread` at the tile whose first element is `coord`, in
    elements of the view. Along the contiguous dimension the coordinate must be
    known to be a multiple of the elements of one access; an SSA value says so
    as `%c {div = 4}`. For a predicated iterator the predicates of all its
    accesses are computed here, once, and packed in words.

    Accesses are as wide as the type of the view proves safe. With `vectors`
    they are as wide as the thread map says (up to 16 bytes); where the view
    does not prove that, its verifier says which fact is missing.

    An iterator that gathers has the list of indices as operand, and its length
    where that is known at run time and not that of the list.

    With `coords`, the coordinate is one of the matrix. The op gives the layout of
    the iterator's type its run-time leaves; `origin` is the coordinate in the view
    of the matrix's first element (zero if absent), `divide` the divisors. Values
    are read as signed: strides and origins may be negative. The origin, too, is
    known to be a multiple of the elements of one access. Along a dimension whose
    leading leaves hold whole tiles, the coordinate is known to be a multiple of
    the tile.

    Example:

    ```mlir
    !indices = !tile.view<i32, global, (?) : (1)>
    func.func @gather(%v: !tile.view<f32, global, (?, ?) : (?, 1)>, %i: !indices, %t: index) {
      %0 = tile.make_iterator %v(0, 0), %t indices %i : !tile.iterator<!tile.view<f32, global, (?, ?) : (?, 1)>,
        #tile.strip_mined<tile = [128, 8], contiguous = 1, threads = 256, elements = 4>,
        advance = 1, predicated, residue, gather = #tile.gather<dim = 0, indices = !indices>>
      return
    }
    func.func @walk(%v: !tile.view<f32, global, (?, ?) : (?, 1)>, %row: index, %t: index) {
      %0 = tile.make_iterator %v(%row, 0), %t : !tile.iterator<!tile.view<f32, global, (?, ?) : (?, 1)>,
        #tile.strip_mined<tile = [128, 8], contiguous = 1, threads = 256, elements = 4>,
        advance = 1, predicated, residue>
      return
    }
    ```

    The pixels under a filter: row m of the matrix is an output pixel (n, p, q),
    column k a block of 32 channels at a place (r, s) of the filter, and the element
    is x[n, p + r - 1, q + s - 1, c].

    ```mlir
    !x = !tile.view<f16, global, (?, ?, ?, ?{div = 8}) : (?{div = 8}, ?{div = 8}, ?{div = 8}, 1), align = 16>
    !pixels = !tile.iterator<!x,
      #tile.warp_raked<tile = [64, 32], contiguous = 1, threads = 64, warp = [4, 8], elements = 8>,
      coords ((?, ?, ?), (32, 3, 3, ?)) : ((1@e2, 1@e1, 1@e0), (1@e3, 1@e2, 1@e1, 32@e3)), advance = 1, masked>
    func.func @activation(%x: !x, %n: index, %p: index, %q: index, %blocks: index, %row: index, %t: index) {
      %0 = tile.make_iterator %x(%row, 0), %t
        coords ((%q, %p, %n), (32, 3, 3, %blocks)) : ((1@e2, 1@e1, 1@e0), (1@e3, 1@e2, 1@e1, 32@e3))
        origin (0, -1, -1, 0) : !pixels
      return
    }
    ```
  }];
  let arguments = (ins
    Tile_ViewType:$view, Variadic<Index>:$coord_operands, Index:$thread,
    Variadic<Index>:$shape_operands, Variadic<Index>:$stride_operands,
    Variadic<Index>:$origin_operands, Variadic<Index>:$divide_operands,
    Optional<Tile_ViewType>:$indices, Optional<Index>:$length,
    Tile_IntTupleAttr:$coord,
    OptionalAttr<Tile_IntTupleAttr>:$shape, OptionalAttr<Tile_IntTupleAttr>:$stride,
    OptionalAttr<Tile_IntTupleAttr>:$origin, OptionalAttr<Tile_IntTupleAttr>:$divide,
    UnitAttr:$vectors);
  let results = (outs Tile_AnyIterator:$result);
  let assemblyFormat = [{
    $view `` custom<MixedTuple>($coord_operands, $coord) `,` $thread
    custom<CoordinateMap>($shape_operands, $shape, $stride_operands, $stride,
                          $origin_operands, $origin, $divide_operands, $divide)
    (`indices` $indices^)? (`length` $length^)? (`vectors` $vectors^)? attr-dict
    `:` custom<IteratorResult>(type($result), type($view), ref($indices), type($indices))
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$view,
                   "::mlir::ValueRange":$coordOperands, "::tile::IntTupleAttr":$coord,
                   "::mlir::Value":$thread), [{
      build($_builder, $_state, result, view, coordOperands, thread,
            ::mlir::ValueRange(), ::mlir::ValueRange(), ::mlir::ValueRange(),
            ::mlir::ValueRange(), ::mlir::Value(), ::mlir::Value(), coord,
            ::tile::IntTupleAttr(), ::tile::IntTupleAttr(), ::tile::IntTupleAttr(),
            ::tile::IntTupleAttr(), ::mlir::UnitAttr());
    }]>
  ];
  let hasVerifier = 1;
}

def Tile_IteratorLoadOp : Tile_Op<"iterator_load", [MemoryEffects<[MemRead]>]> {
  let summary = "this thread's elements of the current tile";
  let description = [{
    Loads a fragment: the elements in access order (elements of one access
    first, then the iterations). Elements whose predicate is off are zero and
    not read (one on the unit diagonal of a triangle). `accesses = [first, count]` loads a part of the accesses.

    Example:

    ```mlir
    !view = !tile.view<f32, shared, (64, 8) : (1, 64)>
    !iter = !tile.iterator<!view,
      #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>, steady>
    func.func @load(%it: !iter) -> vector<16xf32> {
      %0 = tile.iterator_load %it : !iter -> vector<16xf32>
      return %0 : vector<16xf32>
    }
    ```
  }];
  let arguments = (ins Tile_AnyIterator:$iterator,
    OptionalAttr<DenseI64ArrayAttr>:$accesses);
  let results = (outs AnyVectorOfAnyRank:$fragment);
  let assemblyFormat = [{
    $iterator (`accesses` $accesses^)? attr-dict `:` type($iterator) `->` type($fragment)
  }];
  let hasVerifier = 1;
}

def Tile_IteratorStoreOp : Tile_Op<"iterator_store", [MemoryEffects<[MemWrite]>]> {
  let summary = "fragment to the current tile";
  let description = [{
    Stores a fragment; elements whose predicate is off are not written.
    `accesses = [first, count]` stores a part of the accesses.

    Example:

    ```mlir
    !view = !tile.view<f32, shared, (64, 8) : (1, 64)>
    !iter = !tile.iterator<!view,
      #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>, steady>
    func.func @store(%f: vector<16xf32>, %it: !iter) {
      tile.iterator_store %f, %it : vector<16xf32>, !iter
      return
    }
    ```
  }];
  let arguments = (ins AnyVectorOfAnyRank:$fragment,
    Tile_AnyIterator:$iterator,
    OptionalAttr<DenseI64ArrayAttr>:$accesses);
  let assemblyFormat = [{
    $fragment `,` $iterator (`accesses` $accesses^)? attr-dict `:` type($fragment) `,` type($iterator)
  }];
  let hasVerifier = 1;
}

def Tile_CopyOp : Tile_Op<"copy", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "tile of one iterator to the tile of another";
  let description = [{
    Each thread loads its elements of the source tile and stores them to the
    destination tile; elements masked off in the source become zero. Both
    iterators have the same thread map, so that a thread finds its elements in
    the same order on both sides.

    Example: a tile of global memory to shared memory, across its contiguous
    dimension.

    ```mlir
    !global = !tile.iterator<!tile.view<f32, global, (?, ?) : (?, 1)>,
      #tile.strip_mined<tile = [128, 8], contiguous = 1, threads = 256, elements = 4>,
      advance = 1, predicated, residue>
    !shared = !tile.iterator<!tile.view<f32, shared, (128, 8) : (1, 132)>,
      #tile.strip_mined<tile = [128, 8], contiguous = 1, threads = 256, elements = 4>, steady>
    func.func @stage(%src: !global, %dst: !shared) {
      tile.copy %src, %dst : !global, !shared
      return
    }
    ```
  }];
  let arguments = (ins Tile_AnyIterator:$source, Tile_AnyIterator:$destination);
  let assemblyFormat = [{
    $source `,` $destination attr-dict `:` type($source) `,` type($destination)
  }];
  let hasVerifier = 1;
}

def Tile_IteratorAdvanceOp : Tile_Op<"iterator_advance", [
    Pure, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "iterator at the next step or tile";
  let description = [{
    Moves one step on, or a number of steps that is not negative; behind the last
    step of a tile comes the next tile along the advance dimension. From the
    residue tile it moves by the residue, and the result is in the steady phase.
    Predicates then stay as they are, but those that are computed at every tile: of
    a triangle and of a masked iterator.

    Example:

    ```mlir
    !view = !tile.view<f32, global, (?, ?) : (?, 1)>
    !iter = !tile.iterator<!view,
      #tile.strip_mined<tile = [128, 8], contiguous = 1, threads = 256, elements = 4>,
      advance = 1, predicated, residue>
    func.func @next(%it: !iter) {
      %0 = tile.iterator_advance %it : !iter
      return
    }
    ```
  }];
  let arguments = (ins Tile_AnyIterator:$iterator, Optional<Index>:$steps);
  let results = (outs Tile_AnyIterator:$result);
  let assemblyFormat = "$iterator (`by` $steps^)? attr-dict `:` type($iterator)";
  let builders = [
    OpBuilder<(ins "::mlir::Value":$iterator), [{
      build($_builder, $_state, iterator, ::mlir::Value());
    }]>
  ];
  let hasVerifier = 1;
}

def Tile_IteratorAddPointerOffsetOp : Tile_Op<"iterator_add_pointer_offset", [
    Pure, AllTypesMatch<["iterator", "result"]>]> {
  let summary = "iterator at a pointer offset";
  let description = [{
    Moves the pointer by an offset in elements of the view, a multiple of the
    elements of one access; every access moves by that much, also one whose
    address passes through a swizzle. Predicates stay as they are.

    Example:

    ```mlir
    !view = !tile.view<f32, shared, (64, 8) : (1, 64)>
    !iter = !tile.iterator<!view,
      #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>, steady>
    func.func @second_stage(%it: !iter) {
      %c512 = arith.constant 512 : index
      %0 = tile.iterator_add_pointer_offset %it, %c512 : !iter
      return
    }
    ```
  }];
  let arguments = (ins Tile_AnyIterator:$iterator, Index:$offset);
  let results = (outs Tile_AnyIterator:$result);
  let assemblyFormat = "$iterator `,` $offset attr-dict `:` type($iterator)";
  let hasVerifier = 1;
}

def Tile_IteratorClearMaskOp : Tile_Op<"iterator_clear_mask", [
    Pure, AllTypesMatch<["iterator", "result"]>]> {
  let summary = "iterator whose accesses are all masked when a condition holds";
  let description = [{
    Clears every predicate if `condition` is true; those of a masked iterator stay
    so from tile to tile, until `tile.iterator_enable_mask`. The main loop uses it for
    loads past the last tile: an iterator does not notice the end by itself.

    Example:

    ```mlir
    !view = !tile.view<f32, global, (?, ?) : (?, 1)>
    !iter = !tile.iterator<!view,
      #tile.strip_mined<tile = [128, 8], contiguous = 1, threads = 256, elements = 4>,
      advance = 1, predicated, steady>
    func.func @last(%it: !iter, %done: i1) {
      %0 = tile.iterator_clear_mask %it, %done : !iter
      return
    }
    ```
  }];
  let arguments = (ins Tile_AnyIterator:$iterator, I1:$condition);
  let results = (outs Tile_AnyIterator:$result);
  let assemblyFormat = "$iterator `,` $condition attr-dict `:` type($iterator)";
  let hasVerifier = 1;
}

def Tile_IteratorGetMaskOp : Tile_Op<"iterator_get_mask", [Pure]> {
  let summary = "predicate words of an iterator";
  let description = [{
    The packed predicates of the current phase (of a masked iterator, of the
    current step): bit `i mod 32` of word `i / 32`
    guards the i-th memory access of a fragment, in order.

    Example:

    ```mlir
    !view = !tile.view<f32, global, (?, ?) : (?, 1)>
    !iter = !tile.iterator<!view,
      #tile.strip_mined<tile = [128, 8], contiguous = 1, threads = 256, elements = 4>,
      advance = 1, predicated, steady>
    func.func @mask(%it: !iter) -> vector<1xi32> {
      %0 = tile.iterator_get_mask %it : !iter -> vector<1xi32>
      return %0 : vector<1xi32>
    }
    ```
  }];
  let arguments = (ins Tile_AnyIterator:$iterator);
  let results = (outs AnyVectorOfAnyRank:$mask);
  let assemblyFormat = "$iterator attr-dict `:` type($iterator) `->` type($mask)";
  let hasVerifier = 1;
}

def Tile_IteratorSetMaskOp : Tile_Op<"iterator_set_mask", [
    Pure, AllTypesMatch<["iterator", "result"]>]> {
  let summary = "iterator with the given predicate words";
  let description = [{
    Replaces the packed predicates of the current phase; see
    `tile.iterator_get_mask` for the order of the bits. Those of a masked iterator
    are of the current step: the next one has its own.

    Example:

    ```mlir
    !view = !tile.view<f32, global, (?, ?) : (?, 1)>
    !iter = !tile.iterator<!view,
      #tile.strip_mined<tile = [128, 8], contiguous = 1, threads = 256, elements = 4>,
      advance = 1, predicated, steady>
    func.func @mask(%it: !iter, %m: vector<1xi32>) {
      %0 = tile.iterator_set_mask %it, %m : !iter, vector<1xi32>
      return
    }
    ```
  }];
  let arguments = (ins Tile_AnyIterator:$iterator, AnyVectorOfAnyRank:$mask);
  let results = (outs Tile_AnyIterator:$result);
  let assemblyFormat = "$iterator `,` $mask attr-dict `:` type($iterator) `,` type($mask)";
  let hasVerifier = 1;
}

#endif // TILE_IR_TILEITERATOROPS_TD
