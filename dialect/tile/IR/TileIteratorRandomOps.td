// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations on tile iterators that go elsewhere than to the next tile.
#ifndef TILE_IR_TILEITERATORRANDOMOPS_TD
#define TILE_IR_TILEITERATORRANDOMOPS_TD

include "tile/IR/TileIteratorOps.td"

def Tile_IteratorRetreatOp : Tile_Op<"iterator_retreat", [
    Pure, AllTypesMatch<["iterator", "result"]>]> {
  let summary = "iterator at the tile before";
  let description = [{
    Moves one whole tile back along the advance dimension; requires a
    bidirectional iterator. Predicates stay as they are, but those of a triangle.

    Example:

    ```mlir
    !view = !tile.view<f32, shared, (64, 16) : (1, 64)>
    !iter = !tile.iterator<!view,
      #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>, advance = 1, steady>
    func.func @first_stage(%it: !iter) {
      %0 = tile.iterator_retreat %it : !iter
      return
    }
    ```
  }];
  let arguments = (ins Tile_AnyIterator:$iterator);
  let results = (outs Tile_AnyIterator:$result);
  let assemblyFormat = "$iterator attr-dict `:` type($iterator)";
  let hasVerifier = 1;
}

def Tile_IteratorAddTileOffsetOp : Tile_Op<"iterator_add_tile_offset", [
    Pure, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "iterator some tiles further";
  let description = [{
    Moves by (tiles down, tiles to the right); requires a random-access
    iterator. The predicates are those of the tile that it comes to, computed
    anew, also where `tile.iterator_clear_mask` had cleared them.

    In the residue phase tiles along the advance dimension count from the
    residue tile: an offset of 1 moves by the residue, 3 by the residue and two
    whole tiles, and the result is in the steady phase. That offset is then a
    constant, not below 0; with 0 the iterator stays in the residue phase, in
    the residue tile of another row (column) of tiles.

    Example: two tiles on, and as many rows of tiles down as %n says.

    ```mlir
    !view = !tile.view<f32, global, (?, ?) : (?, 1)>
    !iter = !tile.iterator<!view,
      #tile.strip_mined<tile = [128, 8], contiguous = 1, threads = 256, elements = 4>,
      advance = 1, predicated, residue, random>
    func.func @jump(%it: !iter, %n: index) {
      %0 = tile.iterator_add_tile_offset %it(%n, 2) : !iter
      return
    }
    ```
  }];
  let arguments = (ins Tile_AnyIterator:$iterator,
    Variadic<Index>:$offset_operands, Tile_IntTupleAttr:$offset);
  let results = (outs Tile_AnyIterator:$result);
  let assemblyFormat = [{
    $iterator `` custom<MixedTuple>($offset_operands, $offset) attr-dict
    `:` type($iterator)
  }];
  let hasVerifier = 1;
}

def Tile_IteratorEqualOp : Tile_Op<"iterator_equal", [
    Pure, AllTypesMatch<["lhs", "rhs"]>]> {
  let summary = "whether two iterators are at one place";
  let description = [{
    True if both are at the same element; masks are not compared. Requires
    forward iterators.

    Example:

    ```mlir
    !view = !tile.view<f32, shared, (64, 16) : (1, 64)>
    !iter = !tile.iterator<!view,
      #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>, advance = 1, steady>
    func.func @at_end(%it: !iter, %end: !iter) -> i1 {
      %0 = tile.iterator_equal %it, %end : !iter
      return %0 : i1
    }
    ```
  }];
  let arguments = (ins Tile_AnyIterator:$lhs, Tile_AnyIterator:$rhs);
  let results = (outs I1:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs)";
  let hasVerifier = 1;
}

def Tile_IteratorEnableMaskOp : Tile_Op<"iterator_enable_mask", [
    Pure, AllTypesMatch<["iterator", "result"]>]> {
  let summary = "iterator that accesses again";
  let description = [{
    Sets every predicate of the current phase, also those of elements beyond
    the view: the caller knows that they may be accessed. A masked iterator, which
    tests at every tile, accesses what exists again: elements that do not stay
    masked.

    Example:

    ```mlir
    !view = !tile.view<f32, global, (?, ?) : (?, 1)>
    !iter = !tile.iterator<!view,
      #tile.strip_mined<tile = [128, 8], contiguous = 1, threads = 256, elements = 4>,
      advance = 1, predicated, steady>
    func.func @inner(%it: !iter) {
      %0 = tile.iterator_enable_mask %it : !iter
      return
    }
    ```
  }];
  let arguments = (ins Tile_AnyIterator:$iterator);
  let results = (outs Tile_AnyIterator:$result);
  let assemblyFormat = "$iterator attr-dict `:` type($iterator)";
  let hasVerifier = 1;
}

def Tile_IteratorLoadWithPointerOffsetOp
    : Tile_Op<"iterator_load_with_pointer_offset", [MemoryEffects<[MemRead]>]> {
  let summary = "this thread's elements, a pointer offset further";
  let description = [{
    As `tile.iterator_load` of an iterator moved by
    `tile.iterator_add_pointer_offset`: predicates are those of the iterator. That
    is its canonical form.

    Example:

    ```mlir
    !view = !tile.view<f32, shared, (64, 8) : (1, 64)>
    !iter = !tile.iterator<!view,
      #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>, steady>
    func.func @second_stage(%it: !iter) {
      %c512 = arith.constant 512 : index
      %0 = tile.iterator_load_with_pointer_offset %it, %c512 : !iter -> vector<16xf32>
      return
    }
    ```
  }];
  let arguments = (ins Tile_AnyIterator:$iterator, Index:$pointer_offset);
  let results = (outs AnyVectorOfAnyRank:$fragment);
  let assemblyFormat = [{
    $iterator `,` $pointer_offset attr-dict `:` type($iterator) `->` type($fragment)
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_IteratorStoreWithPointerOffsetOp
    : Tile_Op<"iterator_store_with_pointer_offset", [MemoryEffects<[MemWrite]>]> {
  let summary = "fragment to a tile, a pointer offset further";
  let description = [{
    As `tile.iterator_store` to an iterator moved by
    `tile.iterator_add_pointer_offset`, its canonical form.

    Example:

    ```mlir
    !view = !tile.view<f32, shared, (64, 8) : (1, 64)>
    !iter = !tile.iterator<!view,
      #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>, steady>
    func.func @second_stage(%f: vector<16xf32>, %it: !iter) {
      %c512 = arith.constant 512 : index
      tile.iterator_store_with_pointer_offset %f, %it, %c512 : vector<16xf32>, !iter
      return
    }
    ```
  }];
  let arguments = (ins AnyVectorOfAnyRank:$fragment, Tile_AnyIterator:$iterator,
    Index:$pointer_offset);
  let assemblyFormat = [{
    $fragment `,` $iterator `,` $pointer_offset attr-dict `:` type($fragment) `,` type($iterator)
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_IteratorLoadWithTileOffsetOp
    : Tile_Op<"iterator_load_with_tile_offset",
              [AttrSizedOperandSegments, MemoryEffects<[MemRead]>]> {
  let summary = "this thread's elements of another tile";
  let description = [{
    As `tile.iterator_load` of an iterator moved by
    `tile.iterator_add_tile_offset`, with the predicates of that tile, and by a
    pointer offset if one is given. That is its canonical form.

    Example:

    ```mlir
    !view = !tile.view<f32, shared, (64, 32) : (1, 64)>
    !iter = !tile.iterator<!view,
      #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>, steady>
    func.func @peek(%it: !iter, %n: index) {
      %0 = tile.iterator_load_with_tile_offset %it(0, 1) : !iter -> vector<16xf32>
      %1 = tile.iterator_load_with_tile_offset %it(0, %n), %n : !iter -> vector<16xf32>
      return
    }
    ```
  }];
  let arguments = (ins Tile_AnyIterator:$iterator,
    Variadic<Index>:$offset_operands, Tile_IntTupleAttr:$offset,
    Optional<Index>:$pointer_offset);
  let results = (outs AnyVectorOfAnyRank:$fragment);
  let assemblyFormat = [{
    $iterator `` custom<MixedTuple>($offset_operands, $offset)
    (`,` $pointer_offset^)? attr-dict `:` type($iterator) `->` type($fragment)
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_IteratorStoreWithTileOffsetOp
    : Tile_Op<"iterator_store_with_tile_offset",
              [AttrSizedOperandSegments, MemoryEffects<[MemWrite]>]> {
  let summary = "fragment to another tile";
  let description = [{
    As `tile.iterator_store` to an iterator moved by
    `tile.iterator_add_tile_offset`, and by a pointer offset if one is given. That
    is its canonical form.

    Example:

    ```mlir
    !view = !tile.view<f32, shared, (64, 32) : (1, 64)>
    !iter = !tile.iterator<!view,
      #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>, steady>
    func.func @poke(%f: vector<16xf32>, %it: !iter) {
      tile.iterator_store_with_tile_offset %f, %it(0, 3) : vector<16xf32>, !iter
      return
    }
    ```
  }];
  let arguments = (ins AnyVectorOfAnyRank:$fragment, Tile_AnyIterator:$iterator,
    Variadic<Index>:$offset_operands, Tile_IntTupleAttr:$offset,
    Optional<Index>:$pointer_offset);
  let assemblyFormat = [{
    $fragment `,` $iterator `` custom<MixedTuple>($offset_operands, $offset)
    (`,` $pointer_offset^)? attr-dict `:` type($fragment) `,` type($iterator)
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

#endif // TILE_IR_TILEITERATORRANDOMOPS_TD
