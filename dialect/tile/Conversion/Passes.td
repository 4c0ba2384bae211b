// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes from other dialects to problems.
#ifndef TILE_CONVERSION_PASSES_TD
#define TILE_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def TileFoldIntoContractions : Pass<"tile-fold-into-contractions"> {
  let summary = "let contractions on tensors read what is transposed, broadcast or widened";
  let description = [{
    A contraction of `linalg` that reads a transposed, broadcast or widened tensor
    reads the original instead, through other indexing maps; so that bufferization
    does not write a copy to memory.

    Example: the transpose below is gone, and the contraction reads B by
    `(m, n, k) -> (n, k)`.

    ```mlir
    func.func @f(%A: tensor<4x8xf32>, %B: tensor<6x8xf32>, %D: tensor<4x6xf32>) -> tensor<4x6xf32> {
      %empty = tensor.empty() : tensor<8x6xf32>
      %BT = linalg.transpose ins(%B : tensor<6x8xf32>) outs(%empty : tensor<8x6xf32>) permutation = [1, 0]
      %0 = linalg.matmul ins(%A, %BT : tensor<4x8xf32>, tensor<8x6xf32>)
        outs(%D : tensor<4x6xf32>) -> tensor<4x6xf32>
      return %0 : tensor<4x6xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def ConvertLinalgToTile : Pass<"convert-linalg-to-tile"> {
  let summary = "convert contractions of linalg on memrefs to problems";
  let description = [{
    Every operation of `linalg` on memrefs that adds the products of two inputs to its
    result becomes a `tile.gemm`, whatever its name and its indexing maps: matmul,
    batch_matmul, contract, generic. The operands are views of the memrefs, never
    copies: where rows and columns are the other way round than `tile.gemm` has them,
    they are exchanged by `memref.transpose`; indices of a kind, such as two for rows,
    become one by `memref.collapse_shape` where strides allow; an index that one input
    lacks becomes a batch that shares it.

    The result is added to, D = A B + D, unless it was filled with 0 before: the fill
    goes then, and D is only written.

    What is left stays as it is, with a remark that says why.

    Example:

    ```mlir
    func.func @f(%A: memref<4x8xf32>, %B: memref<6x8xf32>, %D: memref<4x6xf32>) {
      %zero = arith.constant 0.0 : f32
      linalg.fill ins(%zero : f32) outs(%D : memref<4x6xf32>)
      linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                                     affine_map<(m, n, k) -> (n, k)>,
                                     affine_map<(m, n, k) -> (m, n)>]
        ins(%A, %B : memref<4x8xf32>, memref<6x8xf32>) outs(%D : memref<4x6xf32>)
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect", "::tile::TileDialect"];
}

def TileOutlineProblems : Pass<"tile-outline-problems", "::mlir::ModuleOp"> {
  let summary = "move problems out of functions that do other things as well";
  let description = [{
    An entry of an artifact is a function of nothing but problems on its arguments. A
    function that has one among other operations, or on values of its own, calls a new
    function instead, `@f_gemm` in `@f`, which is an entry. Its arguments are the
    problem's operands: an operand that is a transposed view of an argument is an
    argument with strides (1, pitch).

    Example: `@f` allocates, and calls the entry `@f_gemm`.

    ```mlir
    !mat = memref<8x8xf32>
    func.func @f(%A: !mat, %D: !mat) {
      %0 = memref.alloc() : !mat
      tile.gemm ins(%A, %A : !mat, !mat) outs(%0 : !mat)
      memref.copy %0, %D : !mat to !mat
      memref.dealloc %0 : !mat
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect"];
}

#endif // TILE_CONVERSION_PASSES_TD
