// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes of the dialect: thread maps and mma atoms.
#ifndef TILE_IR_TILEATTRS_TD
#define TILE_IR_TILEATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "tile/IR/TileDialect.td"
include "tile/IR/TileInterfaces.td"

class Tile_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Tile_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

// Parameters are read by custom<…> directives, which leave the error to the
// parser that finds it; a parameter's own parser would be followed by another.

/// A parameter that holds a layout, written `(shape) : (stride)`.
def Tile_LayoutParameter : AttrOrTypeParameter<"::tile::Layout", "a layout">;

/// A parameter that holds a layout, possibly behind a swizzle and an offset.
def Tile_ComposedLayoutParameter : AttrOrTypeParameter<"::tile::ComposedLayout", "a layout">;

/// A parameter that holds a swizzle, written `<2, 3, 3>`.
def Tile_SwizzleParameter : AttrOrTypeParameter<"::tile::Swizzle", "a swizzle">;

/// A parameter that holds a by-mode tiler, written `<4, 8 : 1, _>`.
def Tile_TilerParameter : AttrOrTypeParameter<"::tile::Tiler", "a tiler">;

/// A parameter that holds a nested tuple of integers.
def Tile_IntTupleParameter : AttrOrTypeParameter<"::tile::IntTuple", "an integer tuple">;

/// A parameter that holds a list of integers, written `[a, b]`.
class Tile_IntListParameter<string desc> : ArrayRefParameter<"int64_t", desc>;

include "tile/IR/TileThreadMapAttrs.td"
include "tile/IR/TileIteratorAttrs.td"
include "tile/IR/TileRecipeAttrs.td"
include "tile/IR/TileFactsAttrs.td"
include "tile/IR/TileScheduleAttrs.td"

def Tile_IntTupleAttr : Tile_Attr<"IntTuple", "int_tuple"> {
  let summary = "nested tuple of integers";
  let description = [{
    A nested tuple whose leaves are integers, `?` for a value known only at
    run time (`?{div = 8}` when it is a multiple of 8), or `_`, the wildcard.

    Example:

    ```mlir
    #shape = #tile.int_tuple<(4, (2, ?))>
    ```
  }];
  let parameters = (ins Tile_IntTupleParameter:$value);
  let assemblyFormat = "`<` custom<IntTuple>($value) `>`";
  // Operations see the tuple itself.
  let returnType = "::tile::IntTuple";
  let convertFromStorage = "$_self.getValue()";
}

def Tile_LayoutAttr : Tile_Attr<"Layout", "layout"> {
  let summary = "function from coordinates to offsets";
  let description = [{
    A layout `(shape) : (stride)` maps a coordinate inside `shape` to the sum
    of coordinate times stride. Coordinates are counted colexicographically:
    the first mode runs fastest. `S<b, m, s> o offset o` in front passes the
    offset plus that sum through a swizzle.

    Example:

    ```mlir
    #colMajor = #tile.layout<(4, 8) : (1, 4)>
    #swizzled = #tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>
    ```
  }];
  let parameters = (ins Tile_ComposedLayoutParameter:$value);
  let assemblyFormat = "`<` custom<ComposedLayout>($value) `>`";
}

def Tile_SwizzleAttr : Tile_Attr<"Swizzle", "swizzle"> {
  let summary = "xor of some bits of an offset into others";
  let description = [{
    `<b, m, s>`: the b bits of an offset from bit m + s on are xored into the b
    bits from bit m on (for a negative s, those from bit m on into those from
    bit m - s on), with |s| >= b. The unit is that of the offset.

    Example:

    ```mlir
    #swizzle = #tile.swizzle<2, 0, 3>
    ```
  }];
  let parameters = (ins Tile_SwizzleParameter:$value);
  let assemblyFormat = "`` custom<SwizzleBits>($value)";
}

def Tile_TilerAttr : Tile_Attr<"Tiler", "tiler"> {
  let summary = "one tiler for each mode of a layout";
  let description = [{
    A mode of the tiler is an integer n, which stands for n : 1, a layout, `_`
    for a mode that is left alone, or a tiler for the modes of a mode.

    Example:

    ```mlir
    #tiler = #tile.tiler<4, 8 : 2, _, <2, 2>>
    ```
  }];
  let parameters = (ins Tile_TilerParameter:$value);
  let assemblyFormat = "`` custom<TilerModes>($value)";
}

def Tile_StripMinedMapAttr : Tile_Attr<"StripMinedMap", "strip_mined", [
    DeclareAttrInterfaceMethods<Tile_ThreadMapAttrInterface>]> {
  let summary = "strip-mined thread map";
  let description = [{
    The pitch-linear strip-mined map of CUTLASS 2.x. Let C be the extent of the
    contiguous dimension, S the other one and V the elements of one access.
    Threads are laid along C in steps of V; when there are more threads than
    C / V, the rest goes along S:

    - threads >= C / V: thread t starts at contiguous (t mod C/V) * V, strided
      t / (C/V), and repeats S / (threads / (C/V)) times along S;
    - threads < C / V: it repeats C / V / threads times along C, and S times.

    `threads` must divide, or be a multiple of, C / V, and every element of the
    tile is accessed exactly once: rows * columns = threads * iterations *
    elements. With `coverage = padded` the accesses may run past the tile where
    threads / (C/V) does not divide S; those need a mask. `iterations`, where it
    is stated, is checked.

    Example: 8 iterations for each thread, rows 8 apart.

    ```mlir
    #map = #tile.strip_mined<tile = [64, 64], contiguous = 1, threads = 128, elements = 4>
    ```
  }];
  let parameters = (ins
    Tile_IntListParameter<"tile extents (rows, columns)">:$tile,
    "int64_t":$contiguous, "int64_t":$threads, "int64_t":$elements,
    DefaultValuedParameter<"int64_t", "0">:$iterations, Tile_CoverageParameter:$coverage);
  let builders = [
    AttrBuilder<(ins "::llvm::ArrayRef<int64_t>":$tile, "int64_t":$contiguous,
                     "int64_t":$threads, "int64_t":$elements), [{
      return $_get($_ctxt, tile, contiguous, threads, elements, 0, ::tile::CoverageRule::Exact);
    }]>
  ];
  let assemblyFormat = [{
    `<` struct(custom<IntList>($tile), custom<Integer>($contiguous),
               custom<Integer>($threads), custom<Integer>($elements),
               custom<Integer>($iterations), custom<CoverageRule>($coverage)) `>`
  }];
  let genVerifyDecl = 1;
}

def Tile_TVMapAttr : Tile_Attr<"TVMap", "tv_map", [
    DeclareAttrInterfaceMethods<Tile_ThreadMapAttrInterface>]> {
  let summary = "thread map given by a thread-value layout";
  let description = [{
    Any layout from (thread, value) to the coordinate of a tile, as a thread
    map. Strides are written in the basis `1@e0` (one row) and `1@e1` (one
    column). The values are (elements of one access, iterations…); the first
    value mode must have stride 1 along one dimension. Threads may share
    elements, but then every element has the same number of threads.

    Example: 32 threads, 8 by 4, with two elements each.

    ```mlir
    #map = #tile.tv_map<tile = [8, 8], layout = ((4, 8), (2)) : ((2@e1, 1@e0), (1@e1))>
    ```
  }];
  let parameters = (ins
    Tile_IntListParameter<"tile extents (rows, columns)">:$tile,
    Tile_LayoutParameter:$layout, Tile_CoverageParameter:$coverage);
  let builders = [
    AttrBuilder<(ins "::llvm::ArrayRef<int64_t>":$tile, "::tile::Layout":$layout), [{
      return $_get($_ctxt, tile, layout, ::tile::CoverageRule::Exact);
    }]>
  ];
  let assemblyFormat = "`<` struct(custom<IntList>($tile), custom<Layout>($layout), custom<CoverageRule>($coverage)) `>`";
  let genVerifyDecl = 1;
}

def Tile_SimtMmaAttr : Tile_Attr<"SimtMma", "simt_mma", [
    DeclareAttrInterfaceMethods<Tile_MmaAtomAttrInterface>]> {
  let summary = "matrix multiply on the fused multiply-add units";
  let description = [{
    Each thread multiplies a column of `thread[0]` elements of A by a row of
    `thread[1]` elements of B and adds the outer product to its accumulator.
    `warps` and `lanes` arrange the threads over (M, N): lanes run along N
    first, and a thread's elements come in groups of `vector` that lie one lane
    grid apart, so that a warp reads shared memory without conflicts.

    The shape of one step is (warps[0] * lanes[0] * thread[0],
    warps[1] * lanes[1] * thread[1], 1).

    Example: 256 threads, 128 by 128.

    ```mlir
    #mma = #tile.simt_mma<warps = [2, 4], lanes = [8, 4], thread = [8, 8], vector = 4>
    ```
  }];
  let parameters = (ins
    Tile_IntListParameter<"warps along (M, N)">:$warps,
    Tile_IntListParameter<"lanes of a warp along (M, N)">:$lanes,
    Tile_IntListParameter<"elements of a thread along (M, N)">:$thread,
    "int64_t":$vector);
  let assemblyFormat = [{
    `<` struct(custom<IntList>($warps), custom<IntList>($lanes),
               custom<IntList>($thread), custom<Integer>($vector)) `>`
  }];
  let genVerifyDecl = 1;
}

def Tile_OperandSpace : I32EnumAttr<"OperandSpace", "where a matrix instruction reads an operand", [
    I32EnumAttrCase<"Shared", 0, "shared">,
    I32EnumAttrCase<"Register", 1, "register">]> {
  let cppNamespace = "::tile";
  let genSpecializedAttr = 0;
}
def Tile_OperandSpaceParameter : EnumParameter<Tile_OperandSpace> {
  let defaultValue = "::tile::OperandSpace::Shared";
}

def Tile_WgmmaAttr : Tile_Attr<"Wgmma", "wgmma", [
    DeclareAttrInterfaceMethods<Tile_MmaAtomAttrInterface>]> {
  let summary = "asynchronous matrix multiply of a warpgroup";
  let description = [{
    wgmma of sm_90a: 128 threads multiply 64 by k elements of A by k by n
    elements of B, where k elements are 32 bytes. It is a row of the table of
    `tile/Atoms/MmaAtoms.h`:

    | A, B | sums | k | n |
    |---|---|---|---|
    | f16 or bf16, alike | f32 | 16 | 8, 16, … 256 |
    | tf32 | f32 | 8 | 8, 16, … 256 |
    | each f8E4M3FN or f8E5M2 | f32 | 32 | 8, 16, … 256 |
    | each i8 (signed) or ui8 | i32 | 32 | 8, 16, 24, 32, 48, … 256 |

    Memory and registers hold tf32 as f32, of which the hardware ignores the
    low 13 bits; both kinds of 8-bit integers are i8 there. Sums of integers
    wrap around.

    B is in shared memory, A there or, with `a_in = register`, in registers. What
    a thread holds of an operand in shared memory is a descriptor, the same for
    all threads: its thread-value layout maps every value to the whole operand.
    Of an A in registers, a thread has words of 32 bits: neighbours along K, the
    same eight rows below, and both again 16 bytes further along K.

    Example:

    ```mlir
    #mma = #tile.wgmma<n = 176, a = bf16, b = bf16, acc = f32>
    #integers = #tile.wgmma<n = 48, a = i8, b = ui8, acc = i32>
    #registers = #tile.wgmma<n = 64, a = tf32, b = tf32, acc = f32, a_in = register>
    ```
  }];
  let parameters = (ins
    "int64_t":$n, "::mlir::Type":$a, "::mlir::Type":$b, "::mlir::Type":$acc,
    Tile_OperandSpaceParameter:$a_in);
  let builders = [
    AttrBuilder<(ins "int64_t":$n, "::mlir::Type":$a, "::mlir::Type":$b,
                     "::mlir::Type":$acc), [{
      return $_get($_ctxt, n, a, b, acc, ::tile::OperandSpace::Shared);
    }]>
  ];
  let assemblyFormat = [{
    `<` struct(custom<Integer>($n), $a, $b, $acc, $a_in) `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Rows of the atom.
    static constexpr int64_t kM = 64;
    /// Threads of a warpgroup.
    static constexpr int64_t kThreads = 128;
    /// Why there is no such instruction; nothing if there is one.
    static ::std::optional<::std::string> check(
        int64_t n, ::mlir::Type a, ::mlir::Type b, ::mlir::Type acc,
        ::tile::OperandSpace aIn = ::tile::OperandSpace::Shared);
    /// Elements along K of one instruction.
    int64_t getK() const;
    /// Registers of the accumulator in each thread.
    int64_t getRegisters() const { return getN() / 2; }
    /// Whether A is in registers.
    bool hasRegisterA() const { return getAIn() == OperandSpace::Register; }
    /// What memory and registers hold of an operand: f32 of tf32, i8 of ui8.
    static ::mlir::Type getStoredType(::mlir::Type type);
    /// The fragment of A in registers: `atoms` along M, of each `steps` along
    /// K, of each its elements in their order.
    ::mlir::VectorType getFragmentTypeA(int64_t atoms, int64_t steps) const;
    /// The map of that fragment: thread of the warpgroup, value -> (m, k).
    ::tile::TVMapAttr getFragmentMapA(int64_t atoms, int64_t steps) const;
  }];
}

def Tile_MmaSyncAttr : Tile_Attr<"MmaSync", "mma_sync", [
    DeclareAttrInterfaceMethods<Tile_MmaAtomAttrInterface, ["getAlternatives"]>]> {
  let summary = "matrix multiply of a warp";
  let description = [{
    mma.sync: 32 threads multiply m by k elements of A by k by n elements of B,
    all in registers. It is a row of the table of `tile/Atoms/MmaAtoms.h`:

    | A, B | sums | (m, n, k) | first chip |
    |---|---|---|---|
    | f16 | f16 or f32 | (16, 8, 8), (16, 8, 16) | sm_75, sm_80 |
    | bf16 | f32 | (16, 8, 8), (16, 8, 16) | sm_80 |
    | tf32 | f32 | (16, 8, 4), (16, 8, 8) | sm_80 |
    | f64 | f64 | (8, 8, 4) | sm_80 |
    | f64 | f64 | (16, 8, 4), (16, 8, 8), (16, 8, 16) | sm_90 |
    | each i8 (signed) or ui8 | i32 | (8, 8, 16), (16, 8, 16), (16, 8, 32) | sm_80, i8 in (8, 8, 16) sm_75 |
    | each i4 (signed) or ui4 | i32 | (8, 8, 32), (16, 8, 32), (16, 8, 64) | sm_80 |
    | each f8E4M3FN or f8E5M2 | f16 or f32 | (16, 8, 32) | sm_89 |

    Memory and registers hold tf32 as f32, of which the hardware ignores the
    low 13 bits; both kinds of integers are i8 or i4 there. Sums of integers wrap
    around.

    Example:

    ```mlir
    #mma = #tile.mma_sync<shape = [16, 8, 16], a = bf16, b = bf16, acc = f32>
    func.func @step(%a: vector<8xbf16>, %b: vector<4xbf16>, %acc: vector<4xf32>) {
      %0 = tile.mma %a, %b, %acc atom(#mma) : vector<8xbf16>, vector<4xbf16>, vector<4xf32>
      return
    }
    ```
  }];
  let parameters = (ins
    Tile_IntListParameter<"extents (m, n, k)">:$shape,
    "::mlir::Type":$a, "::mlir::Type":$b, "::mlir::Type":$acc);
  let assemblyFormat = "`<` struct(custom<IntList>($shape), $a, $b, $acc) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Threads of a warp.
    static constexpr int64_t kThreads = 32;
    /// The atom of these types that a chip has with this k, or, of k 0, with the
    /// most multiplications; or why there is none.
    static ::tile::Result<MmaSyncAttr> find(
        const ::tile::Chip &chip, int64_t k, ::mlir::Type a, ::mlir::Type b,
        ::mlir::Type acc);
    /// Elements that a thread has of A, B and the sums.
    int64_t getValuesA() const { return getShape()[0] * getShape()[2] / kThreads; }
    int64_t getValuesB() const { return getShape()[1] * getShape()[2] / kThreads; }
    int64_t getValuesC() const { return getShape()[0] * getShape()[1] / kThreads; }
  }];
}

#endif // TILE_IR_TILEATTRS_TD
