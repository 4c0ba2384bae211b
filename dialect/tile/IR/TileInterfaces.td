// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Interfaces of the dialect: thread maps, mma atoms, coordinate maps.
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
        atoms that multiply the same types on a chip, such as `m16n8k8`, for who
        asked for this one where there is none; empty if nothing is known
      }], "::std::string", "getAlternatives", (ins "const ::tile::Chip &":$chip),
      /*methodBody=*/"", /*defaultImplementation=*/"return {};">,
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

def Tile_CoordinateMapInterface : AttrInterface<"CoordinateMapAttrInterface"> {
  let cppNamespace = "::tile";
  let description = [{
    A short name for the map from the rows and columns of a matrix to the
    coordinates of a tensor. It may stand behind `coords` in `!tile.iterator`,
    which then has the map itself, and `tile.make_tensor_iterator` evaluates it
    for sizes known at run time.
  }];
  let methods = [
    InterfaceMethod<"number of `?` in the attribute", "unsigned", "getNumSizes">,
    InterfaceMethod<[{
        the map, or why there is none; each `?` is a symbol, numbered in the
        order in which they are written, if `symbolic`
      }], "::tile::Result<::tile::CoordinateMap>", "getCoordinateMap",
      (ins "bool":$symbolic)>
  ];
}

#endif // TILE_IR_TILEINTERFACES_TD
