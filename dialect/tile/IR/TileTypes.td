// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of the dialect: layouts, views and tile iterators.
#ifndef TILE_IR_TILETYPES_TD
#define TILE_IR_TILETYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "tile/IR/TileAttrs.td"

class Tile_Type<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<Tile_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

def Tile_MemorySpace : I32EnumAttr<"MemorySpace", "memory that a view points to", [
    I32EnumAttrCase<"Register", 0, "register">,
    I32EnumAttrCase<"Global", 1, "global">,
    I32EnumAttrCase<"Shared", 3, "shared">,
    I32EnumAttrCase<"Cluster", 7, "cluster">]> {
  let cppNamespace = "::tile";
  let genSpecializedAttr = 0;
}

def Tile_IteratorPhase : I32EnumAttr<"IteratorPhase", "part of the walk that an iterator is in", [
    I32EnumAttrCase<"Residue", 0, "residue">,
    I32EnumAttrCase<"Steady", 1, "steady">,
    I32EnumAttrCase<"Masked", 2, "masked">]> {
  let cppNamespace = "::tile";
  let genSpecializedAttr = 0;
}

def Tile_LayoutType : Tile_Type<"Layout", "layout"> {
  let summary = "layout, possibly with extents and strides known at run time";
  let description = [{
    The type of a layout value. `?` leaves are held by the value, the rest is
    in the type; `?{div = 8}` is a leaf known to be a multiple of 8. A layout
    whose offsets pass through a swizzle is written `S<b, m, s> o offset o`
    in front (see `tile.make_swizzle`).

    Example: `!tile.layout<(?, 8) : (1, ?{div = 8})>`,
    `!tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>`
  }];
  let parameters = (ins Tile_ComposedLayoutParameter:$composed);
  let assemblyFormat = "`<` custom<ComposedLayout>($composed) `>`";
  let extraClassDeclaration = [{
    /// The layout inside, without swizzle and offset.
    ::tile::Layout getLayout() const;
  }];
}

def Tile_ViewType : Tile_Type<"View", "view"> {
  let summary = "pointer with a layout";
  let description = [{
    Elements in global memory, shared memory or the registers of a thread,
    arranged by a layout with one top-level mode for each dimension; `cluster` is
    the shared memory of another thread block of the cluster. A view owns nothing.
    `align` is what is known of the base address, in bytes (that of an element if
    absent).

    How wide memory is accessed follows from the type alone: extent, pitch and
    base alignment are three separate facts.

    A view of shared memory may pass its offsets through a swizzle, written in
    front of the layout, in elements. Its base is then aligned to the period of
    the swizzle.

    Example: `!tile.view<f32, global, (?, ?{div = 4}) : (?{div = 4}, 1), align = 16>`,
    `!tile.view<bf16, shared, S<3, 3, 3> o 0 o (128, 64) : (64, 1), align = 1024>`,
    `!tile.view<f32, register, (4, 2) : (1, 4)>`
  }];
  let parameters = (ins
    "::mlir::Type":$elementType,
    EnumParameter<Tile_MemorySpace>:$space,
    Tile_LayoutParameter:$layout,
    DefaultValuedParameter<"int64_t", "1">:$align,
    Tile_SwizzleParameter:$swizzle);
  let builders = [
    TypeBuilder<(ins "::mlir::Type":$elementType,
                     "::tile::MemorySpace":$space, "::tile::Layout":$layout,
                     CArg<"int64_t", "1">:$align), [{
      return $_get($_ctxt, elementType, space, layout, align, ::tile::Swizzle());
    }]>
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The layout behind its swizzle.
    ::tile::ComposedLayout getComposed() const;
    /// Bytes after which the swizzle repeats; 1 without one.
    int64_t getSwizzlePeriodBytes() const;
    /// The same view with another layout, whose base lies `offset` elements
    /// further on.
    ViewType getPart(const ::tile::ComposedLayout &layout, const ::tile::Int &offset) const;
    /// Bytes from the base to the end of the last element, of a static layout.
    ::tile::Int getSpanBytes() const;
    /// Bytes of one element.
    int64_t getElementBytes() const;
    /// Known alignment of the base address in bytes, at least an element's.
    int64_t getBaseAlignment() const;
    /// A pointer to the view's memory.
    ::mlir::LLVM::LLVMPointerType getPointerType() const;
  }];
}

def Tile_IteratorType : Tile_Type<"Iterator", "iterator"> {
  let summary = "position of one thread in a walk over the tiles of a view";
  let description = [{
    A view, a thread map, and the dimension along which the walk advances (none
    if absent). What is tested before an access, beside that the map may reach
    beyond its tile, is one of

    - nothing: all that is walked over is known to be there, as in a tile of shared
      memory;
    - `predicated`: accesses outside the view are masked by packed predicate words
      that are computed once. If the walk advances, it visits the residue tile
      first: the part of the extent that is left over by whole tiles (a whole tile
      if none is). In the `residue` phase both dimensions are tested; after the
      first advance, in the `steady` phase, only the dimension that does not
      advance needs a mask, which then never changes;
    - `masked`: both dimensions are tested at every tile and step, and there is no
      residue tile. What a move cannot change of that is still computed once.

    With `random`, a predicated iterator keeps its coordinates and the extents,
    so that it can move by any number of tiles along both dimensions and have the
    predicates of the tile that it comes to. An iterator without predicates moves
    so anyway.

    The accesses of the thread map are transferred in `steps` equal parts (one if
    absent), one for each load or store; advancing goes to the next part, and
    after the last one to the next tile along `advance`.

    The view may have nested modes, and a swizzle in shared memory: the address of
    an element is whatever the layout says. These clauses change what is walked:

    - `coords (rows, columns) : (…)`: the matrix that is walked is not the view but
      is mapped to it. The value of this layout is a coordinate of the view: `1@e2`
      moves by one along mode 2. A number of a row is split over the leaves of its
      mode, the first one fastest, as in every layout. Element (row, column) of the
      matrix is the element

          c[j] = origin[j] + the sum of digit * stride over the leaves of basis e_j

      of the view, where `origin` is given to `tile.make_iterator`. A coordinate
      map such as `#tile.conv<…>` may stand for the layout. An element exists if
      its row and its column are within `coords` and every c[j] within the view.
    - `divide (…)`: behind `coords`, one divisor for each mode of the view. The
      coordinate is c[j] / divide[j], and exists if that leaves no rest.
    - `permute = [L0, L1, …]`: layouts applied one after the other to the
      coordinate (row, column), each to the value of the one before, and the
      view's layout last. L0 has the extents that are walked;
    - `gather = #tile.gather<…>`: a coordinate is looked up in a list of indices,
      before `coords` or the permutation;
    - `triangle = #tile.triangle<…>`: only one half of the matrix is accessed.
      Predicates are computed anew at every tile, and test both dimensions.
    - `xor = [bits, into, mode, from]`: the coordinate along the view's last mode is
      swizzled before the address is computed: `bits` bits of the coordinate along
      `mode`, from bit `from` on, are xored into its bits from `into` on; more than
      one such list of four may follow. It works where a swizzle of offsets does
      not: in memory whose rows are padded or no power of two apart.

    A view that is mapped (with `coords`, `masked`, `steps` or `xor`) has one stride
    for each of its 1 to 8 modes. Memory accesses are no wider than what the types
    prove to be there as a whole.

    Example: tiles of 128 by 8 of a row-major matrix, along the columns.

    ```
    !tile.iterator<!tile.view<f32, global, (?, ?) : (?, 1)>,
      #tile.strip_mined<tile = [128, 8], contiguous = 1, threads = 256, elements = 4>,
      advance = 1, predicated, residue>
    ```

    Steps of 16 rows of an epilogue, into a tensor of images (n, p, q, k) whose
    pixels are the rows.

    ```
    !tile.iterator<!tile.view<f16, global, (?, ?, ?, ?{div = 8}) : (?{div = 8}, ?{div = 8}, ?{div = 8}, 1), align = 16>,
      #tile.output_tile<shape = [128, 8, 2, 1, 1], count = [1, 8, 1, 1, 8], threads = 128, elements = 8, bits = 16>,
      coords ((?, ?, ?), ?{div = 8}) : ((1@e2, 1@e1, 1@e0), 1@e3), steps = 8, advance = 0, masked>
    ```
  }];
  let parameters = (ins
    "::tile::ViewType":$view,
    "::tile::ThreadMapAttrInterface":$map,
    Tile_LayoutParameter:$coords,
    Tile_IntTupleParameter:$divide,
    "int64_t":$steps,
    "int64_t":$advance,
    "bool":$predicated,
    "::tile::IteratorPhase":$phase,
    "bool":$random,
    ArrayRefParameter<"::tile::LayoutAttr", "layouts of a permutation">:$permute,
    "::tile::GatherAttr":$gather,
    "::tile::TriangleAttr":$triangle,
    Tile_IntListParameter<"swizzle of the last mode: bits, into, mode, from">:$xor_bits);
  let builders = [
    TypeBuilder<(ins "::tile::ViewType":$view, "::tile::ThreadMapAttrInterface":$map,
                     "int64_t":$advance, "bool":$predicated,
                     "::tile::IteratorPhase":$phase), [{
      return $_get($_ctxt, view, map, ::tile::Layout(), ::tile::IntTuple(1), 1,
                   advance, predicated, phase, false,
                   ::llvm::ArrayRef<::tile::LayoutAttr>(), ::tile::GatherAttr(),
                   ::tile::TriangleAttr(), ::llvm::SmallVector<int64_t>());
    }]>
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// No advance dimension.
    static constexpr int64_t kNoAdvance = -1;
    /// A view that is mapped has at most this many modes.
    static constexpr int64_t kMaxModes = 8;
    /// Accesses of the thread map in one step.
    int64_t getStepAccesses() const;
    /// Elements that one thread holds of one step.
    int64_t getFragmentSize() const;
    /// The register fragment of one step: a vector in access order.
    ::mlir::VectorType getFragmentType() const;
    /// Elements that one memory access transfers: the largest power of two that
    /// the view's extents, strides and alignment and the map prove safe.
    int64_t getAccessWidth() const;
    /// The facts that bound the width, the narrowest first.
    ::llvm::SmallVector<::tile::WidthBound> getWidthBounds() const;
    /// Predicates of a masked iterator, one for each memory access, packed in
    /// words of 32.
    int64_t getNumPredicates() const;
    int64_t getNumMaskWords() const { return (getNumPredicates() + 31) / 32; }
    /// The same walk behind its residue tile.
    IteratorType getSteady() const;
    /// Both dimensions are tested at every tile.
    bool isMasked() const { return getPhase() == ::tile::IteratorPhase::Masked; }
    /// It walks over a matrix that is mapped to the view, also where that is the
    /// identity, or in steps.
    bool isMapped() const;
    /// Rows and columns are those of the view.
    bool isIdentity() const { return getCoords().isLeaf(); }
    /// Some coordinate is divided.
    bool isDivided() const { return getDivide().isTuple(); }
    /// The layout from (row, column) to the coordinate in a view that is mapped,
    /// also where it is the identity.
    ::tile::Layout getCoordinateLayout() const;
    /// A coordinate along `dim` is looked up.
    bool isGathered(int64_t dim) const;
    /// The number of leading leaves of a mode of `coords` that hold whole tiles, so
    /// that the other digits are the same in all of a tile; 0: none.
    unsigned getTileLeaves(int64_t dim) const;
    /// The layout, of rank 2, whose coordinates are walked: that of the view or
    /// the first of the permutation.
    ::tile::ComposedLayout getDomain() const;
    /// No pointer increment leads from one access to the next: addresses are
    /// computed from coordinates.
    bool isFolded() const;
    /// The predicates of another tile can be computed.
    bool computesMasks() const { return getPredicated() && (getRandom() || getTriangle()); }
    /// The iterator knows its (row, column).
    bool keepsCoordinates() const { return isFolded() || computesMasks(); }
    /// Elements on the diagonal load as one.
    bool hasUnitDiagonal() const;
  }];
}

def Tile_PipelineType : Tile_Type<"Pipeline", "pipeline"> {
  let summary = "ring of stages guarded by barriers in shared memory";
  let description = [{
    A ring of stages that producers fill and consumers drain. Each stage has two
    mbarriers in shared memory: `full`, which completes when the producers have
    arrived and all bytes that they announced are there, and `empty`, which
    completes when all consumers have let the stage go.

    Example: `!tile.pipeline<stages = 4>`
  }];
  let parameters = (ins "int64_t":$stages);
  let assemblyFormat = "`<` `stages` `=` custom<Integer>($stages) `>`";
  let genVerifyDecl = 1;
}

def Tile_PipelineStateType : Tile_Type<"PipelineState", "pipeline_state"> {
  let summary = "position of one side in a pipeline";
  let description = [{
    How many stages a producer or a consumer has gone through, as the stage that
    is next and the parity of the round. A value, carried by loops; it runs on
    from one output tile to the next.

    Example: `!tile.pipeline_state<stages = 4>`
  }];
  let parameters = (ins "int64_t":$stages);
  let assemblyFormat = "`<` `stages` `=` custom<Integer>($stages) `>`";
  let genVerifyDecl = 1;
}

def Tile_AccumulatorType : Tile_Type<"Accumulator", "accumulator"> {
  let summary = "accumulators of a warpgroup, possibly still being written";
  let description = [{
    The registers that `count[0]` by `count[1]` atoms (along M and N) accumulate
    in. The tensor cores write them asynchronously: they can be passed to the
    next `tile.warpgroup_mma` and around loops, and are read, as a fragment,
    after `tile.warpgroup_wait`.

    Example: a warpgroup's 128 by 176 elements.
    `!tile.accumulator<#tile.wgmma<n = 176, a = bf16, b = bf16, acc = f32>, count = [2, 1]>`
  }];
  let parameters = (ins
    "::tile::WgmmaAttr":$atom, Tile_IntListParameter<"atoms along (M, N)">:$count);
  let assemblyFormat = "`<` $atom `,` `count` `=` custom<IntList>($count) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Extents (M, N) of all atoms together.
    ::llvm::SmallVector<int64_t, 2> getTileShape() const;
    /// What one thread holds: atoms along M, then N, registers in their order.
    ::mlir::VectorType getFragmentType() const;
    /// The map of the fragment: thread of the warpgroup, value -> (m, n).
    ::tile::TVMapAttr getMap() const;
  }];
}

#endif // TILE_IR_TILETYPES_TD
