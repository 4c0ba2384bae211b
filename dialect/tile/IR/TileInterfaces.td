// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Interfaces of the dialect: thread maps, mma atoms, schedules, and the
// concepts that tile iterators model.
#ifndef TILE_IR_TILEINTERFACES_TD
#define TILE_IR_TILEINTERFACES_TD

include "mlir/IR/OpBase.td"

def Tile_ThreadMapAttrInterface : AttrInterface<"ThreadMapAttrInterface"> {
  let cppNamespace = "::tile";
  let description = [{
    A thread map says which elements of a two-dimensional tile each thread
    accesses, and in which order. Every map derives a thread-value layout, so
    that one algorithm proves coverage and lowers accesses.
  }];
  let methods = [
    InterfaceMethod<"extents of the tile, (rows, columns), in elements",
      "::llvm::SmallVector<int64_t, 2>", "getTileShape">,
    InterfaceMethod<"number of threads that share the tile",
      "int64_t", "getThreads">,
    InterfaceMethod<[{
        elements of one access; they follow one another along the contiguous
        dimension
      }], "int64_t", "getElementsPerAccess">,
    InterfaceMethod<"dimension along which one access runs: 0 rows, 1 columns",
      "int64_t", "getContiguousDim">,
    InterfaceMethod<"what the map may do beside covering its tile exactly",
      "::tile::CoverageRule", "getCoverage">,
    InterfaceMethod<[{
        the layout ((threads), (elements of one access, iterations)) -> tile
        coordinate, with strides in the basis 1@e0 (row), 1@e1 (column)
      }], "::tile::Layout", "getTVLayout">
  ];
}

def Tile_MmaAtomAttrInterface : AttrInterface<"MmaAtomAttrInterface"> {
  let cppNamespace = "::tile";
  let description = [{
    A matrix multiply shared by a group of threads: an extent (M, N, K), the
    types that it multiplies and, for each operand, the layout from (thread,
    value) to tile coordinate; and the code of one step. `tile.mma` takes any
    attribute with this interface, also one of another dialect.
  }];
  let methods = [
    InterfaceMethod<"extents (M, N, K) of one step",
      "::llvm::SmallVector<int64_t, 3>", "getShapeMNK">,
    InterfaceMethod<"threads that take part", "int64_t", "getThreads">,
    InterfaceMethod<"(thread, value) -> (m, k) of the A operand",
      "::tile::Layout", "getALayout">,
    InterfaceMethod<"(thread, value) -> (k, n) of the B operand",
      "::tile::Layout", "getBLayout">,
    InterfaceMethod<"(thread, value) -> (m, n) of the accumulator",
      "::tile::Layout", "getCLayout">,
    InterfaceMethod<"the first chip that has it, such as `sm_90a`; empty: all",
      "::llvm::StringRef", "getMinimumChip">,
    InterfaceMethod<[{
        why it takes no fragments of these element types (the numbers of
        elements follow from the layouts), or nothing; each operand may have a
        type of its own
      }], "::std::optional<::std::string>", "checkElementTypes",
      (ins "::mlir::VectorType":$a, "::mlir::VectorType":$b,
           "::mlir::VectorType":$acc)>,
    InterfaceMethod<[{
        builds acc + a * b of a thread's fragments, in operations below
        floor 2; null for an atom that is not one of `tile.mma`
      }], "::mlir::Value", "emit",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::Value":$a, "::mlir::Value":$b, "::mlir::Value":$acc)>
  ];
}

def Tile_CoordinateRecipe : AttrInterface<"CoordinateRecipeAttrInterface"> {
  let cppNamespace = "::tile";
  let description = [{
    A recipe is a short name for the map from the rows and columns of a matrix
    to the coordinates of a tensor. It may stand behind `coords` in
    `!tile.mapped_iterator`, which then has the map itself, and
    `tile.make_tensor_iterator` evaluates it for sizes known at run time.
  }];
  let methods = [
    InterfaceMethod<"number of `?` in the recipe", "unsigned", "getNumSizes">,
    InterfaceMethod<[{
        the map, or why there is none; each `?` is a symbol, numbered in the
        order in which they are written, if `symbolic`
      }], "::tile::Result<::tile::CoordinateMap>", "getCoordinateMap",
      (ins "bool":$symbolic)>
  ];
}

class Tile_IteratorConcept<string concept, string desc>
    : TypeInterface<concept # "Concept"> {
  let cppNamespace = "::tile";
  let description = desc;
  let extraClassOf = "return ::tile::models($_type, ::tile::IteratorConcept::" # concept # ");";
}

// The concepts of CUTLASS's tile iterators. One iterator type exists; which
// concepts a given instance models follows from its view, thread map and
// clauses, see `tile::explainMissing`.
def Tile_TileIteratorConcept : Tile_IteratorConcept<"TileIterator",
    "Walks over the tiles of a view; has an element type and a tile shape.">;
def Tile_ContiguousMemoryConcept : Tile_IteratorConcept<"ContiguousMemory",
    "Addresses move by a pointer offset, in elements.">;
def Tile_ReadableConcept : Tile_IteratorConcept<"Readable",
    "A tile can be loaded into a fragment.">;
def Tile_ReadableContiguousConcept : Tile_IteratorConcept<"ReadableContiguous",
    "Readable, at a pointer offset too.">;
def Tile_WriteableConcept : Tile_IteratorConcept<"Writeable",
    "A fragment can be stored to a tile: every element has exactly one owner.">;
def Tile_WriteableContiguousConcept : Tile_IteratorConcept<"WriteableContiguous",
    "Writeable, at a pointer offset too.">;
def Tile_ForwardConcept : Tile_IteratorConcept<"Forward",
    "Advances by one tile along its advance dimension, and compares with others.">;
def Tile_BidirectionalConcept : Tile_IteratorConcept<"Bidirectional",
    "Forward, and retreats by one tile: not in the residue phase, before which there is none.">;
def Tile_RandomAccessConcept : Tile_IteratorConcept<"RandomAccess",
    "Moves by any number of tiles along both dimensions; the predicates of the tile that it comes to are its own.">;
def Tile_ReadableRandomAccessConcept : Tile_IteratorConcept<"ReadableRandomAccess",
    "Readable at a tile offset.">;
def Tile_ReadableRandomAccessContiguousConcept : Tile_IteratorConcept<"ReadableRandomAccessContiguous",
    "Readable at a tile offset and a pointer offset.">;
def Tile_WriteableRandomAccessConcept : Tile_IteratorConcept<"WriteableRandomAccess",
    "Writeable at a tile offset.">;
def Tile_WriteableRandomAccessContiguousConcept : Tile_IteratorConcept<"WriteableRandomAccessContiguous",
    "Writeable at a tile offset and a pointer offset.">;
def Tile_MaskedConcept : Tile_IteratorConcept<"Masked",
    "Accesses are guarded by packed predicate words that can be read, set, cleared and enabled.">;
def Tile_WriteableReadableForwardContiguousConcept : Tile_IteratorConcept<"WriteableReadableForwardContiguous",
    "Readable, writeable and forward, at a pointer offset too.">;
def Tile_WriteableReadableRandomAccessContiguousConcept : Tile_IteratorConcept<"WriteableReadableRandomAccessContiguous",
    "Readable and writeable at a tile offset and a pointer offset.">;

#endif // TILE_IR_TILEINTERFACES_TD
