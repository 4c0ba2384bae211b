// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stream-K: which part of a product's work each thread block takes.
#ifndef TILE_IR_TILESTREAMKOPS_TD
#define TILE_IR_TILESTREAMKOPS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"
include "tile/IR/TileTypes.td"

def Tile_StreamKAttr : Tile_Attr<"StreamK", "stream_k"> {
  let summary = "plan by which thread blocks share tiles and their iterations";
  let description = [{
    Of `tiles[0]` by `tiles[1]` output tiles with `iterations` steps along K
    each, the first `stream` are computed by stream-K blocks: their iterations,
    one after the other, are dealt out to `regions` regions of `blocks` blocks,
    of which the first `big` of a region have one iteration more. The other
    tiles are computed whole. `tile::planStreamK` makes such plans.

    Tiles are counted along the longer dimension's rows; with `grouped = 1` in
    groups of 8 rows by 4 columns. With `interleaved = n` the blocks of the first
    two waves of n change places.

    Example: 52 of 100 tiles are shared by 48 blocks, 34 or 35 iterations each.

    ```mlir
    #plan = #tile.stream_k<tiles = [10, 10], iterations = 32, stream = 52, regions = 1, blocks = 48, big = 32>
    ```
  }];
  let parameters = (ins
    Tile_IntListParameter<"rows and columns of tiles">:$tiles,
    "int64_t":$iterations,
    DefaultValuedParameter<"int64_t", "0">:$stream,
    DefaultValuedParameter<"int64_t", "0">:$regions,
    DefaultValuedParameter<"int64_t", "0">:$blocks,
    DefaultValuedParameter<"int64_t", "0">:$big,
    DefaultValuedParameter<"int64_t", "0">:$grouped,
    DefaultValuedParameter<"int64_t", "0">:$interleaved);
  let assemblyFormat = [{
    `<` struct(custom<IntList>($tiles), custom<Integer>($iterations),
               custom<Integer>($stream), custom<Integer>($regions),
               custom<Integer>($blocks), custom<Integer>($big),
               custom<Integer>($grouped), custom<Integer>($interleaved)) `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Iterations of all stream-K blocks of a region, and of one without one
    /// more; zero if there are none.
    int64_t getIterationsPerRegion() const;
    int64_t getIterationsPerBlock() const;
  }];
}

def Tile_StreamKBlockOp : Tile_Op<"stream_k_block", [Pure]> {
  let summary = "number of a thread block in a stream-K plan";
  let description = [{
    The logical number of block `x` of the grid: stream-K blocks come first, and
    those of different regions take turns, so that the blocks of one tile do not
    wait for one another for long.

    Example:

    ```mlir
    func.func @block(%x: index) -> index {
      %0 = tile.stream_k_block #tile.stream_k<tiles = [2, 2], iterations = 128, stream = 4, regions = 4, blocks = 8> at %x
      return %0 : index
    }
    ```
  }];
  let arguments = (ins Tile_StreamKAttr:$plan, Index:$x);
  let results = (outs Index:$block);
  let assemblyFormat = "$plan `at` $x attr-dict";
}

def Tile_StreamKIterationsOp : Tile_Op<"stream_k_iterations", [Pure]> {
  let summary = "iterations of a stream-K block";
  let description = [{
    The half-open range of iterations that stream-K block `block` has, counted
    over all stream-K tiles. Iteration i belongs to tile i / iterations.

    Example: block 1 has the iterations 35 to 69.

    ```mlir
    func.func @range() -> (index, index) {
      %c1 = arith.constant 1 : index
      %begin, %end = tile.stream_k_iterations #tile.stream_k<tiles = [10, 10], iterations = 32, stream = 52, regions = 1, blocks = 48, big = 32> of %c1
      return %begin, %end : index, index
    }
    ```
  }];
  let arguments = (ins Tile_StreamKAttr:$plan, Index:$block);
  let results = (outs Index:$begin, Index:$end);
  let assemblyFormat = "$plan `of` $block attr-dict";
  let hasVerifier = 1;
}

def Tile_StreamKTileOp : Tile_Op<"stream_k_tile", [Pure]> {
  let summary = "place of a tile in a stream-K plan";
  let description = [{
    The row and column of tile number `tile`: along the rows, or along the
    columns if there are more columns than rows, or group by group.

    Example:

    ```mlir
    func.func @tile(%t: index) -> (index, index) {
      %i, %j = tile.stream_k_tile #tile.stream_k<tiles = [10, 10], iterations = 32> of %t
      return %i, %j : index, index
    }
    ```
  }];
  let arguments = (ins Tile_StreamKAttr:$plan, Index:$tile);
  let results = (outs Index:$row, Index:$column);
  let assemblyFormat = "$plan `of` $tile attr-dict";
}

def Tile_StreamKOwnerOp : Tile_Op<"stream_k_owner", [Pure]> {
  let summary = "block that has the first iteration of a stream-K tile";
  let description = [{
    The logical number of the stream-K block that has the first iteration of
    tile number `tile`, one of the stream-K tiles.

    Example:

    ```mlir
    func.func @owner(%t: index) -> index {
      %0 = tile.stream_k_owner #tile.stream_k<tiles = [10, 10], iterations = 32, stream = 52, regions = 1, blocks = 48, big = 32> of %t
      return %0 : index
    }
    ```
  }];
  let arguments = (ins Tile_StreamKAttr:$plan, Index:$tile);
  let results = (outs Index:$block);
  let assemblyFormat = "$plan `of` $tile attr-dict";
  let hasVerifier = 1;
}

#endif // TILE_IR_TILESTREAMKOPS_TD
