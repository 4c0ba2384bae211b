// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations of a warp on matrices of 8 by 16 bytes in shared memory.
#ifndef TILE_IR_TILEMATRIXOPS_TD
#define TILE_IR_TILEMATRIXOPS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"
include "tile/IR/TileTypes.td"

def Tile_LoadMatrixOp : Tile_Op<"load_matrix", [MemoryEffects<[MemRead]>]> {
  let summary = "fragment of a warp from shared memory, with ldmatrix";
  let description = [{
    Loads `tile` = [rows, columns] elements of a view of shared memory, from the
    coordinate on, as the fragment of a warp that tensor cores take. All lanes of
    the warp execute it; `lane` is the number of the lane, or of the thread in a
    block. It becomes ldmatrix of four matrices at a time, or two, or one, where
    the tile has no more.

    The tile is cut into matrices of 8 rows of 16 bytes, w elements. Of each,
    lane l has the elements (l / 4, w / 4 * (l mod 4) + i) with i < w / 4. Matrices
    follow one another along `along` (0, the default: rows) before the other
    dimension. So a tile [16, 16] of halves is operand A of m16n8k16, and B,
    (n, k), takes `along 1`.

    The view has two dimensions and 16 contiguous bytes along one of them, aligned
    as a vector of `tile.view_load` is. If that one is the rows, the matrices are
    transposed on the way, which ldmatrix does for elements of 16 bits.

    Example: A for one instruction, and B for two, from operands in which K, or N,
    is contiguous.

    ```mlir
    !a = !tile.view<f16, shared, S<3, 3, 3> o 0 o (64, 64) : (64, 1), align = 1024>
    !b = !tile.view<f16, shared, S<3, 3, 3> o 0 o (64, 64) : (1, 64), align = 1024>
    func.func @fetch(%a: !a, %b: !b, %m: index, %n: index, %k: index, %lane: index) -> (vector<8xf16>, vector<8xf16>) {
      %0 = tile.load_matrix %a(%m {div = 16}, %k {div = 16}), %lane tile [16, 16] : !a -> vector<8xf16>
      %1 = tile.load_matrix %b(%n {div = 16}, %k {div = 16}), %lane tile [16, 16] along 1 : !b -> vector<8xf16>
      return %0, %1 : vector<8xf16>, vector<8xf16>
    }
    ```
  }];
  let arguments = (ins
    Tile_ViewType:$view, Variadic<Index>:$coord_operands, Tile_IntTupleAttr:$coord,
    Index:$lane, DenseI64ArrayAttr:$tile, DefaultValuedAttr<I64Attr, "0">:$along);
  let results = (outs AnyVectorOfNonZeroRank:$fragment);
  let assemblyFormat = [{
    $view `` custom<MixedTuple>($coord_operands, $coord) `,` $lane `tile` $tile
    (`along` $along^)? attr-dict `:` type($view) `->` type($fragment)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Elements of 16 bytes.
    int64_t getVector();
    /// The dimension of the view along which 16 bytes are contiguous, or -1.
    int64_t getContiguousDim();
    /// Matrices along (rows, columns).
    ::llvm::SmallVector<int64_t, 2> getMatrices();
  }];
}

#endif // TILE_IR_TILEMATRIXOPS_TD
