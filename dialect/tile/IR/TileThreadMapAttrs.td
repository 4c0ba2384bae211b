// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The thread maps of CUTLASS 2.x as attributes; TileAttrs.td includes this.
#ifndef TILE_IR_TILETHREADMAPATTRS_TD
#define TILE_IR_TILETHREADMAPATTRS_TD

def Tile_CoverageRule : I32EnumAttr<"CoverageRule", "what a thread map may do beside covering its tile once", [
    I32EnumAttrCase<"Exact", 0, "exact">,
    I32EnumAttrCase<"Padded", 1, "padded">,
    I32EnumAttrCase<"Any", 2, "any">]> {
  let cppNamespace = "::tile";
  let genSpecializedAttr = 0;
  let description = [{
    `exact`, the default: every element of the tile exactly once, nothing else.
    `padded`: the same, but threads may also reach beyond the tile; those
    accesses need a mask. `any`: the map is taken as it is, although it misses
    or repeats elements: the one way to accept such a map on purpose.
  }];
}
def Tile_CoverageParameter : EnumParameter<Tile_CoverageRule> {
  let defaultValue = "::tile::CoverageRule::Exact";
}

/// A map that a formula derives from few parameters. Its thread-value layout,
/// tile and the rest follow from `tile::deriveMap`.
class Tile_DerivedMapAttr<string name, string attrMnemonic>
    : Tile_Attr<name, attrMnemonic, [Tile_ThreadMapAttrInterface]> {
  let genVerifyDecl = 1;
  code derivedMethods = [{
    ::llvm::SmallVector<int64_t, 2> getTileShape() const;
    int64_t getElementsPerAccess() const;
    int64_t getContiguousDim() const;
    ::tile::Layout getTVLayout() const;
  }];
  let extraClassDeclaration = derivedMethods;
}

def Tile_ThreadContiguousMapAttr : Tile_DerivedMapAttr<"ThreadContiguousMap", "thread_contiguous"> {
  let summary = "map whose threads own chunks along the contiguous dimension";
  let description = [{
    Each thread owns a chunk of C / (threads * V) neighbouring accesses of every
    row, as a matrix-vector product wants it (CUTLASS
    PitchLinearTilePolicyStripminedThreadContiguous). C is the extent of the
    contiguous dimension and V the elements of an access; threads * V divides C.

    Example: thread 1 accesses columns 8 to 15 of each of 4 rows.

    ```mlir
    #map = #tile.thread_contiguous<tile = [4, 256], contiguous = 1, threads = 32, elements = 4>
    ```
  }];
  let parameters = (ins
    Tile_IntListParameter<"tile extents (rows, columns)">:$tile,
    "int64_t":$contiguous,
    "int64_t":$threads,
    "int64_t":$elements,
    Tile_CoverageParameter:$coverage);
  let assemblyFormat = [{
    `<` struct(custom<IntList>($tile), custom<Integer>($contiguous),
               custom<Integer>($threads),
               custom<Integer>($elements), custom<CoverageRule>($coverage)) `>`
  }];
}

def Tile_ThreadStridedMapAttr : Tile_DerivedMapAttr<"ThreadStridedMap", "thread_strided"> {
  let summary = "map whose threads own chunks of rows";
  let description = [{
    Each thread owns S / threads neighbouring rows and all accesses of them
    (CUTLASS PitchLinearTilePolicyStripminedThreadStrided); S is the extent
    across the contiguous dimension, and `threads` divides it.

    Example: thread 1 accesses rows 4 to 7, 4 accesses in each.

    ```mlir
    #map = #tile.thread_strided<tile = [128, 16], contiguous = 1, threads = 32, elements = 4>
    ```
  }];
  let parameters = (ins
    Tile_IntListParameter<"tile extents (rows, columns)">:$tile,
    "int64_t":$contiguous,
    "int64_t":$threads,
    "int64_t":$elements,
    Tile_CoverageParameter:$coverage);
  let assemblyFormat = [{
    `<` struct(custom<IntList>($tile), custom<Integer>($contiguous),
               custom<Integer>($threads),
               custom<Integer>($elements), custom<CoverageRule>($coverage)) `>`
  }];
}

def Tile_WarpRakedMapAttr : Tile_DerivedMapAttr<"WarpRakedMap", "warp_raked"> {
  let summary = "map whose warps own blocks of rows";
  let description = [{
    The lanes of a warp form a grid `warp`, its first number along the
    contiguous dimension; the warp accesses elements * warp[0] by warp[1]
    elements at a time. Warps are spread over the rows first, each with a block
    of neighbouring rows, then along the contiguous dimension (CUTLASS
    PitchLinearWarpRakedThreadMap, the map of its tensor-core kernels).

    Example: a warp's access is 4 rows of 32 elements, and warp 1 owns rows 16
    to 31.

    ```mlir
    #map = #tile.warp_raked<tile = [64, 64], contiguous = 1, threads = 128, warp = [8, 4], elements = 4>
    ```
  }];
  let parameters = (ins
    Tile_IntListParameter<"tile extents (rows, columns)">:$tile,
    "int64_t":$contiguous,
    "int64_t":$threads,
    Tile_IntListParameter<"lanes of a warp along the contiguous and the other dimension">:$warp,
    "int64_t":$elements,
    Tile_CoverageParameter:$coverage);
  let assemblyFormat = [{
    `<` struct(custom<IntList>($tile), custom<Integer>($contiguous),
               custom<Integer>($threads), custom<IntList>($warp),
               custom<Integer>($elements), custom<CoverageRule>($coverage)) `>`
  }];
}

def Tile_StridedWarpRakedMapAttr : Tile_DerivedMapAttr<"StridedWarpRakedMap", "strided_warp_raked"> {
  let summary = "map whose warps own blocks along the contiguous dimension";
  let description = [{
    As `#tile.warp_raked`, but warps are spread along the contiguous dimension
    first (CUTLASS PitchLinearStridedWarpRakedThreadMap).

    Example: two warps side by side, each with 512 of 1024 columns.

    ```mlir
    #map = #tile.strided_warp_raked<tile = [4, 1024], contiguous = 1, threads = 128, warp = [32, 1], elements = 16>
    ```
  }];
  let parameters = (ins
    Tile_IntListParameter<"tile extents (rows, columns)">:$tile,
    "int64_t":$contiguous,
    "int64_t":$threads,
    Tile_IntListParameter<"lanes of a warp along the contiguous and the other dimension">:$warp,
    "int64_t":$elements,
    Tile_CoverageParameter:$coverage);
  let assemblyFormat = [{
    `<` struct(custom<IntList>($tile), custom<Integer>($contiguous),
               custom<Integer>($threads), custom<IntList>($warp),
               custom<Integer>($elements), custom<CoverageRule>($coverage)) `>`
  }];
}

def Tile_WarpStripedMapAttr : Tile_DerivedMapAttr<"WarpStripedMap", "warp_striped"> {
  let summary = "map whose warps take turns along the rows";
  let description = [{
    As `#tile.warp_raked`, but the rows of a warp are not neighbours: warp w
    accesses every so-many-th group of warp[1] rows (CUTLASS
    PitchLinearWarpStripedThreadMap). With more warps than groups of rows the
    formula of the reference covers the tile wrongly, which is refused.

    Example: warp 1 accesses rows 4 to 7, 20 to 23, and so on.

    ```mlir
    #map = #tile.warp_striped<tile = [64, 64], contiguous = 1, threads = 128, warp = [8, 4], elements = 4>
    ```
  }];
  let parameters = (ins
    Tile_IntListParameter<"tile extents (rows, columns)">:$tile,
    "int64_t":$contiguous,
    "int64_t":$threads,
    Tile_IntListParameter<"lanes of a warp along the contiguous and the other dimension">:$warp,
    "int64_t":$elements,
    Tile_CoverageParameter:$coverage);
  let assemblyFormat = [{
    `<` struct(custom<IntList>($tile), custom<Integer>($contiguous),
               custom<Integer>($threads), custom<IntList>($warp),
               custom<Integer>($elements), custom<CoverageRule>($coverage)) `>`
  }];
}

def Tile_ThreadTileMapAttr : Tile_DerivedMapAttr<"ThreadTileMap", "thread_tile"> {
  let summary = "strip-mined map whose accesses are 4 by 4 elements";
  let description = [{
    Each access is a square of 4 by 4 elements: four vectors, one below the
    other; a fragment holds them before the next access (CUTLASS
    PitchLinear2DThreadTileStripminedThreadMap, for dp4a). Squares are laid out
    as the accesses of `#tile.strip_mined` are.

    Where the threads are fewer than the squares along the contiguous dimension
    the reference moves by one row instead of four; a map of more than one such
    move touches elements twice and is refused.

    Example: thread 17 accesses rows 4 to 7 and 36 to 39 of columns 4 to 7.

    ```mlir
    #map = #tile.thread_tile<tile = [64, 64], contiguous = 1, threads = 128>
    ```
  }];
  let parameters = (ins
    Tile_IntListParameter<"tile extents (rows, columns)">:$tile,
    "int64_t":$contiguous,
    "int64_t":$threads,
    Tile_CoverageParameter:$coverage);
  let assemblyFormat = [{
    `<` struct(custom<IntList>($tile), custom<Integer>($contiguous),
               custom<Integer>($threads), custom<CoverageRule>($coverage)) `>`
  }];
}

def Tile_TransposedSimtMapAttr : Tile_DerivedMapAttr<"TransposedSimtMap", "transposed_simt"> {
  let summary = "the same elements with the other dimension contiguous";
  let description = [{
    Threads access the elements of `base`, a `#tile.strip_mined` with one
    element an access and at most one iteration along its contiguous dimension;
    only the dimension that is called contiguous changes: what one map loads
    from a row-major tile the other stores to a column-major one (CUTLASS
    TransposePitchLinearThreadMapSimt).

    Example:

    ```mlir
    #map = #tile.transposed_simt<base = #tile.strip_mined<tile = [128, 8], contiguous = 1, threads = 256, elements = 1>>
    ```
  }];
  let parameters = (ins
    "::tile::ThreadMapAttrInterface":$base,
    Tile_CoverageParameter:$coverage);
  let assemblyFormat = [{
    `<` struct(custom<ThreadMap>($base), custom<CoverageRule>($coverage)) `>`
  }];
  let extraClassDeclaration = derivedMethods # [{
    int64_t getThreads() const;
  }];
}

def Tile_TransposedThreadTileMapAttr : Tile_DerivedMapAttr<"TransposedThreadTileMap", "transposed_thread_tile"> {
  let summary = "4 by 4 elements with the other dimension contiguous";
  let description = [{
    Threads access the squares of `base`, a `#tile.thread_tile`; their vectors
    run along the other dimension, so that a fragment is transposed square by
    square (CUTLASS TransposePitchLinearThreadMap2DThreadTile).

    Example:

    ```mlir
    #map = #tile.transposed_thread_tile<base = #tile.thread_tile<tile = [64, 64], contiguous = 1, threads = 128>>
    ```
  }];
  let parameters = (ins
    "::tile::ThreadMapAttrInterface":$base,
    Tile_CoverageParameter:$coverage);
  let assemblyFormat = [{
    `<` struct(custom<ThreadMap>($base), custom<CoverageRule>($coverage)) `>`
  }];
  let extraClassDeclaration = derivedMethods # [{
    int64_t getThreads() const;
  }];
}

def Tile_TransposedMapAttr : Tile_DerivedMapAttr<"TransposedMap", "transposed"> {
  let summary = "map of an interleaved tile across its contiguous dimension";
  let description = [{
    The map with which interleaved operands go from global to shared memory
    (CUTLASS TransposePitchLinearThreadMap). `base` is a `#tile.warp_raked`
    with one iteration across its contiguous dimension. The lanes of a warp are
    arranged anew as `warp`, the warps of `base` change places, and its
    iterations along the contiguous dimension become iterations across it. The
    tile follows: it has as many elements as that of `base`, and the other
    dimension is contiguous.

    Example: 2 by 4096 elements (128 interleaved rows of 32 columns, twice)
    become 64 by 128.

    ```mlir
    #map = #tile.transposed<warp = [2, 16], base =
      #tile.warp_raked<tile = [2, 4096], contiguous = 1, threads = 128, warp = [32, 1], elements = 16>>
    ```
  }];
  let parameters = (ins
    "::tile::ThreadMapAttrInterface":$base,
    Tile_IntListParameter<"lanes of a warp along the contiguous and the other dimension">:$warp,
    Tile_CoverageParameter:$coverage);
  let assemblyFormat = [{
    `<` struct(custom<ThreadMap>($base), custom<IntList>($warp), custom<CoverageRule>($coverage)) `>`
  }];
  let extraClassDeclaration = derivedMethods # [{
    int64_t getThreads() const;
  }];
}

def Tile_OutputTileMapAttr : Tile_DerivedMapAttr<"OutputTileMap", "output_tile"> {
  let summary = "map of an epilogue's output tile";
  let description = [{
    The map of CUTLASS's OutputTileOptimalThreadMap. Its five axes are
    [column, row, group, cluster, tile]: one step stores `shape`, groups of rows
    of clusters, and `count` steps along each axis store the whole tile, whose
    rows they visit in that nesting: row + shape[1] * count[1] * (group + …).
    `bits` are those of an element; a warp's access is made 256 bytes wide where
    the tile allows it.

    The tile of the map is what all steps store together, and its values run
    over the accesses of one step (column, row, group, cluster), then over the
    steps. With `count = [1, 1, 1, 1, 1]` it is the compacted form of the map,
    in which rows, groups and clusters are adjacent: the order of the shared
    memory through which an epilogue goes.

    Example: 128 by 128 half-precision elements in 8 steps.

    ```mlir
    #map = #tile.output_tile<shape = [128, 8, 2, 1, 1], count = [1, 8, 1, 1, 8], threads = 128, elements = 8, bits = 16>
    ```
  }];
  let parameters = (ins
    Tile_IntListParameter<"extents of one step, (column, row, group, cluster, tile)">:$shape,
    Tile_IntListParameter<"steps along (column, row, group, cluster, tile)">:$count,
    "int64_t":$threads,
    "int64_t":$elements,
    "int64_t":$bits,
    Tile_CoverageParameter:$coverage);
  let assemblyFormat = [{
    `<` struct(custom<IntList>($shape), custom<IntList>($count), custom<Integer>($threads),
               custom<Integer>($elements), custom<Integer>($bits), custom<CoverageRule>($coverage)) `>`
  }];
}

def Tile_OutputTileOnMapAttr : Tile_DerivedMapAttr<"OutputTileOnMap", "output_tile_on"> {
  let summary = "map of an epilogue's output tile, placed by another map";
  let description = [{
    The map of CUTLASS's OutputTileThreadMap: `base` says where each thread
    starts in one step, its strided coordinate counting the rows of all groups
    and clusters; `iterations` and `delta` along the five axes of
    `#tile.output_tile` say what it accesses from there.

    Example:

    ```mlir
    #map = #tile.output_tile_on<base = #tile.strip_mined<tile = [8, 128], contiguous = 1, threads = 128, elements = 8>,
      shape = [128, 4, 2, 1, 1], iterations = [1, 1, 1, 1, 1], delta = [1, 4, 1, 1, 1], count = [1, 8, 1, 1, 8]>
    ```
  }];
  let parameters = (ins
    "::tile::ThreadMapAttrInterface":$base,
    Tile_IntListParameter<"extents of one step, (column, row, group, cluster, tile)">:$shape,
    Tile_IntListParameter<"accesses of a thread along each axis">:$iterations,
    Tile_IntListParameter<"rows (columns) between accesses along each axis">:$delta,
    Tile_IntListParameter<"steps along (column, row, group, cluster, tile)">:$count,
    Tile_CoverageParameter:$coverage);
  let assemblyFormat = [{
    `<` struct(custom<ThreadMap>($base), custom<IntList>($shape), custom<IntList>($iterations),
               custom<IntList>($delta), custom<IntList>($count), custom<CoverageRule>($coverage)) `>`
  }];
  let extraClassDeclaration = derivedMethods # [{
    int64_t getThreads() const;
  }];
}

def Tile_InterleavedOutputMapAttr : Tile_DerivedMapAttr<"InterleavedOutputMap", "interleaved_output"> {
  let summary = "map of an interleaved output tile";
  let description = [{
    Warps are arranged as `warps`, each with `iterations` accesses, in which 32
    lanes access neighbouring vectors (CUTLASS InterleavedOutputTileThreadMap).
    Both lists are (contiguous, strided), and the contiguous dimension is the
    columns of the map's tile.

    Example:

    ```mlir
    #map = #tile.interleaved_output<warps = [2, 2], iterations = [8, 2], threads = 128, elements = 8>
    ```
  }];
  let parameters = (ins
    Tile_IntListParameter<"warps along (contiguous, strided)">:$warps,
    Tile_IntListParameter<"accesses of a thread along (contiguous, strided)">:$iterations,
    "int64_t":$threads,
    "int64_t":$elements,
    Tile_CoverageParameter:$coverage);
  let assemblyFormat = [{
    `<` struct(custom<IntList>($warps), custom<IntList>($iterations),
               custom<Integer>($threads), custom<Integer>($elements), custom<CoverageRule>($coverage)) `>`
  }];
}

def Tile_InterleavedConvOutputMapAttr : Tile_DerivedMapAttr<"InterleavedConvOutputMap", "interleaved_conv_output"> {
  let summary = "map of a convolution's interleaved output tile";
  let description = [{
    Warps are arranged as `warps`, each with `iterations` accesses, in which the
    lanes access 8 rows of 4 vectors (CUTLASS
    InterleavedConvOutputTileThreadMap). Both lists are (rows, columns).

    Example:

    ```mlir
    #map = #tile.interleaved_conv_output<warps = [2, 2], iterations = [8, 2], threads = 128, elements = 8>
    ```
  }];
  let parameters = (ins
    Tile_IntListParameter<"warps along (rows, columns)">:$warps,
    Tile_IntListParameter<"accesses of a thread along (rows, columns)">:$iterations,
    "int64_t":$threads,
    "int64_t":$elements,
    Tile_CoverageParameter:$coverage);
  let assemblyFormat = [{
    `<` struct(custom<IntList>($warps), custom<IntList>($iterations),
               custom<Integer>($threads), custom<Integer>($elements), custom<CoverageRule>($coverage)) `>`
  }];
}

#endif // TILE_IR_TILETHREADMAPATTRS_TD
