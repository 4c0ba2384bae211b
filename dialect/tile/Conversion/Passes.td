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
    does not write a copy to memory. So does an element-wise operation behind a
    contraction, also where a tensor is filled with a constant or is one.

    Functions on tensors get the attribute `tile.distinct_arguments`.

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
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect"];
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

    The result is added to, D = A B + D. What sets it before is not written to memory:
    a fill with 0 goes, and D is only written; a copy of another matrix becomes C; a
    broadcast bias or any other element-wise operation becomes part of the epilogue.

    Element-wise operations on the result become the epilogue, as long as nothing else
    sees what is between and nothing that they read may change on the way: their
    indices are those of the result, other operands have some of them, and their bodies
    are operations that an epilogue knows. The last one writes D. What is narrower than
    the sums is rounded where the program says so. Arguments of a function share no
    memory if it has the attribute `tile.distinct_arguments`, which the pass takes away;
    otherwise one may be a view of another.

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
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect", "::tile::TileDialect"];
}

def TileConvToGemm : Pass<"tile-conv-to-gemm"> {
  let summary = "convert convolutions to GEMMs on their tensors";
  let description = [{
    A `tile.conv` becomes a `tile.gemm` whose operands are its tensors seen as
    matrices: by strides (`memref.reinterpret_cast`) where these do, and by
    `tile.im2col` otherwise. Groups are batches; so are images, where the strides
    of the result's pixels do not continue from image to image.

    Example: the output below is a matrix of 128 pixels by 32 channels.

    ```mlir
    func.func @layer(%x: memref<2x8x8x16xf32>, %w: memref<32x3x3x16xf32>,
                     %y: memref<2x8x8x32xf32>) {
      tile.conv fprop ins(%x, %w : memref<2x8x8x16xf32>, memref<32x3x3x16xf32>)
        outs(%y : memref<2x8x8x32xf32>) pad_low = [1, 1] pad_high = [1, 1]
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
