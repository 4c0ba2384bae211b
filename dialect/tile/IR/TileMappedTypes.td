// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The type of iterators over a matrix that is mapped to a tensor.
#ifndef TILE_IR_TILEMAPPEDTYPES_TD
#define TILE_IR_TILEMAPPEDTYPES_TD

include "tile/IR/TileTypes.td"

def Tile_FillMode : I32EnumAttr<"FillMode", "part of a matrix that is accessed", [
    I32EnumAttrCase<"Full", 0, "full">,
    I32EnumAttrCase<"Lower", 1, "lower">,
    I32EnumAttrCase<"Upper", 2, "upper">]> {
  let cppNamespace = "::tile";
  let genSpecializedAttr = 0;
  let description = [{
    `full`: all of it. `lower`: elements whose row is not less than their column.
    `upper`: elements whose row is not greater than their column.
  }];
}

def Tile_MappedIteratorType : Tile_Type<"MappedIterator", "mapped_iterator", [
    DeclareTypeInterfaceMethods<Tile_TileIteratorConcept>,
    DeclareTypeInterfaceMethods<Tile_ContiguousMemoryConcept>,
    DeclareTypeInterfaceMethods<Tile_ReadableConcept>,
    DeclareTypeInterfaceMethods<Tile_ReadableContiguousConcept>,
    DeclareTypeInterfaceMethods<Tile_WriteableConcept>,
    DeclareTypeInterfaceMethods<Tile_WriteableContiguousConcept>,
    DeclareTypeInterfaceMethods<Tile_ForwardConcept>,
    DeclareTypeInterfaceMethods<Tile_MaskedConcept>,
    DeclareTypeInterfaceMethods<Tile_WriteableReadableForwardContiguousConcept>]> {
  let summary = "position of one thread in a walk over a matrix that is mapped to a tensor";
  let description = [{
    A matrix need not lie in memory as one: the rows of an epilogue may be
    pixels of a tensor or looked up in a list of indices, and the columns of a
    convolution's operand are channels of pixels under a filter. This iterator
    walks over tiles of a matrix, and `coords` says which element of the view
    each element of the matrix is.

    `coords` is a layout with two modes, rows and columns, whose values are
    coordinates of the view: `1@e2` moves by one along mode 2 of the view. A
    number of a row is split over the leaves of its mode, the first one fastest,
    as in every layout. Element (row, column) of the matrix is the element

      c[j] = origin[j] + the sum of digit * stride over the leaves of basis e_j

    of the view, where `origin` is given to `tile.make_mapped_iterator`. With
    `divide` the coordinate is c[j] / divide[j]. Without `coords`, which needs
    a view of two modes, the element of the view is (row, column).

    An element is accessed only if it exists: if its row and its column are
    within `coords`, every c[j] is a multiple of divide[j], and the quotient is
    within the view. That is tested for each memory access, and memory accesses
    are no wider than what the types prove to be there as a whole.

    With `fill`, only a triangle of the matrix is accessed. With `indexed` the
    row is looked up in a list first, whose length bounds the rows; a row
    looked up that the matrix does not have (such as -1) is not accessed.

    With `xor = [bits, into, mode, from]` the coordinate along the view's last
    mode is swizzled before the address is computed: `bits` bits of the
    coordinate along `mode`, from bit `from` on, are xored into its bits from
    `into` on; more than one such list of four may follow. A swizzle of
    coordinates works where one of offsets does not: in memory whose rows are
    padded or no power of two apart. With `whole` nothing
    is tested: every element that is walked over is known to exist, as in a tile
    of shared memory.

    The accesses of the thread map are transferred in `steps` equal parts, one
    for each load or store; advancing goes to the next part, and after the last
    one to the next tile along `advance`.

    Example: steps of 16 rows of an epilogue, into a tensor of images (n, p, q,
    k) whose pixels are the rows.

    ```
    !tile.mapped_iterator<!tile.view<f16, global, (?, ?, ?, ?{div = 8}) : (?{div = 8}, ?{div = 8}, ?{div = 8}, 1), align = 16>,
      #tile.output_tile<shape = [128, 8, 2, 1, 1], count = [1, 8, 1, 1, 8], threads = 128, elements = 8, bits = 16>,
      coords ((?, ?, ?), ?{div = 8}) : ((1@e2, 1@e1, 1@e0), 1@e3), steps = 8, advance = 0>
    ```
  }];
  let parameters = (ins
    "::tile::ViewType":$view,
    "::tile::ThreadMapAttrInterface":$map,
    Tile_LayoutParameter:$coords,
    Tile_IntTupleParameter:$divide,
    "int64_t":$steps,
    "int64_t":$advance,
    "::tile::FillMode":$fill,
    "bool":$indexed,
    Tile_IntListParameter<"swizzle of the last mode: bits, into, mode, from">:$xor_bits,
    "bool":$whole);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// No advance dimension.
    static constexpr int64_t kNoAdvance = -1;
    /// Views have at most this many modes.
    static constexpr int64_t kMaxModes = 8;
    /// Rows and columns are those of the view.
    bool isIdentity() const { return getCoords().isLeaf(); }
    /// Some coordinate is divided.
    bool isDivided() const { return getDivide().isTuple(); }
    /// The layout from (row, column) to the coordinate in the view, also where
    /// it is the identity.
    ::tile::Layout getCoordinateLayout() const;
    /// Accesses of the thread map in one step, and elements of the fragment.
    int64_t getStepAccesses() const;
    int64_t getFragmentSize() const;
    /// The register fragment of one step: a vector in access order.
    ::mlir::VectorType getFragmentType() const;
    /// Elements of one memory access.
    int64_t getAccessWidth() const;
    /// Predicates of one step, one for each memory access, packed in words of
    /// 32.
    int64_t getNumPredicates() const { return getFragmentSize() / getAccessWidth(); }
    int64_t getNumMaskWords() const { return (getNumPredicates() + 31) / 32; }
    /// The number of leading leaves of a mode of `coords` that hold whole
    /// tiles, so that the other digits are the same in all of a tile; 0: none.
    unsigned getTileLeaves(int64_t dim) const;
  }];
}

#endif // TILE_IR_TILEMAPPEDTYPES_TD
