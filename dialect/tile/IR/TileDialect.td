// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tile dialect and the base classes of its operations.
#ifndef TILE_IR_TILEDIALECT_TD
#define TILE_IR_TILEDIALECT_TD

include "mlir/IR/OpBase.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::tile";
  let summary = "layouts, thread maps, tile iterators and GPU matrix kernels";
  let description = [{
    Tile models GPU matrix kernels on two floors. Problem operations such as
    `tile.gemm` say what is computed, on memrefs. Kernel operations say how:
    layouts, views, thread maps, tile iterators, copies and matrix multiply
    atoms, as SPMD code inside a `gpu.func`.

    Everything that says who touches what, where, is a layout: a function
    from coordinates to offsets, written `(shape) : (stride)`.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect"
  ];
}

class Tile_Op<string mnemonic, list<Trait> traits = []>
    : Op<Tile_Dialect, mnemonic, traits>;

#endif // TILE_IR_TILEDIALECT_TD
