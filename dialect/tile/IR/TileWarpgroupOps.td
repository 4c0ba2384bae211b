// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations of a warpgroup: asynchronous matrix multiply, and its results.
#ifndef TILE_IR_TILEWARPGROUPOPS_TD
#define TILE_IR_TILEWARPGROUPOPS_TD

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tile/IR/TileTypes.td"

def Tile_ZeroAccumulatorOp : Tile_Op<"zero_accumulator", [Pure]> {
  let summary = "accumulators of zeros";
  let description = [{
    Example:

    ```mlir
    func.func @zero() {
      %0 = tile.zero_accumulator
        : !tile.accumulator<#tile.wgmma<n = 128, a = bf16, b = bf16, acc = f32>, count = [1, 1]>
      return
    }
    ```
  }];
  let results = (outs Tile_AccumulatorType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Tile_ViewOrFragment : AnyTypeOf<
    [Tile_ViewType, VectorOfNonZeroRankOf<[AnyType]>],
    "a view of shared memory or a fragment in registers">;

def Tile_WarpgroupMmaOp : Tile_Op<"warpgroup_mma", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "start of a matrix multiply of a warpgroup";
  let description = [{
    Adds A times B to the accumulators, asynchronously, as one group of wgmma
    instructions; without accumulators, the result is A times B: A is a view of
    shared memory (M, K), B one of (N, K), where M by N are the extents of the
    accumulators together. The descriptors follow from the layouts of the views;
    a layout that no descriptor expresses is refused with the reason. All threads
    of the warpgroup execute it.

    If the atom has A in registers, A is the thread's fragment instead, a vector:
    atoms along M, of each the steps along K, of each its elements in the order of
    the atom's layout. The registers must stay as they are until the multiply has
    been waited for: the fragment of the next one is another.

    Example: 64 by 128 by 64 elements, four instructions.

    ```mlir
    !a = !tile.view<bf16, shared, S<3, 3, 3> o 0 o (64, 64) : (64, 1), align = 1024>
    !b = !tile.view<bf16, shared, S<3, 3, 3> o 0 o (128, 64) : (64, 1), align = 1024>
    !acc = !tile.accumulator<#tile.wgmma<n = 128, a = bf16, b = bf16, acc = f32>, count = [1, 1]>
    func.func @multiply(%a: !a, %b: !b, %acc: !acc) -> !acc {
      %0 = tile.warpgroup_mma %a, %b acc(%acc : !acc) : !a, !b -> !acc
      return %0 : !acc
    }
    func.func @first(%a: !a, %b: !b) -> !acc {
      %0 = tile.warpgroup_mma %a, %b : !a, !b -> !acc
      return %0 : !acc
    }
    !sums = !tile.accumulator<#tile.wgmma<n = 128, a = bf16, b = bf16, acc = f32, a_in = register>, count = [1, 1]>
    func.func @registers(%a: vector<32xbf16>, %b: !b) -> !sums {
      %0 = tile.warpgroup_mma %a, %b : vector<32xbf16>, !b -> !sums
      return %0 : !sums
    }
    ```
  }];
  let arguments = (ins
    Tile_ViewOrFragment:$a, Tile_ViewType:$b, Optional<Tile_AccumulatorType>:$acc);
  let results = (outs Tile_AccumulatorType:$result);
  let assemblyFormat = [{
    $a `,` $b (`acc` `(` $acc^ `:` type($acc) `)`)? attr-dict
    `:` type($a) `,` type($b) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_WarpgroupWaitOp : Tile_Op<"warpgroup_wait", [
    AllTypesMatch<["acc", "result"]>, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "wait for started matrix multiplies";
  let description = [{
    Waits until at most `pending` of the matrix multiplies that the warpgroup
    started last are still running. With 0, the accumulators can be read.

    Example:

    ```mlir
    !acc = !tile.accumulator<#tile.wgmma<n = 128, a = bf16, b = bf16, acc = f32>, count = [1, 1]>
    func.func @wait(%acc: !acc) -> !acc {
      %0 = tile.warpgroup_wait %acc pending(0) : !acc
      return %0 : !acc
    }
    ```
  }];
  let arguments = (ins Tile_AccumulatorType:$acc, I64Attr:$pending);
  let results = (outs Tile_AccumulatorType:$result);
  let assemblyFormat = "$acc `pending` `(` $pending `)` attr-dict `:` type($acc)";
  let hasVerifier = 1;
}

def Tile_AccumulatorFragmentOp : Tile_Op<"accumulator_fragment", [Pure]> {
  let summary = "accumulators of one thread as a vector";
  let description = [{
    The accumulators as a fragment: atoms along M, then along N, the registers
    of each in their order. They must be those of a wait with nothing pending.

    Example:

    ```mlir
    !acc = !tile.accumulator<#tile.wgmma<n = 128, a = bf16, b = bf16, acc = f32>, count = [1, 1]>
    func.func @read(%acc: !acc) -> vector<64xf32> {
      %0 = tile.accumulator_fragment %acc : !acc -> vector<64xf32>
      return %0 : vector<64xf32>
    }
    ```
  }];
  let arguments = (ins Tile_AccumulatorType:$acc);
  let results = (outs AnyVectorOfNonZeroRank:$result);
  let assemblyFormat = "$acc attr-dict `:` type($acc) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_StoreMatrixOp : Tile_Op<"store_matrix", [MemoryEffects<[MemWrite]>]> {
  let summary = "store of a warpgroup's fragment to shared memory";
  let description = [{
    Stores 64 by n elements of 16 bits, distributed over a warpgroup as wgmma
    accumulates them, to a view of shared memory, with stmatrix. Rows or columns
    of 8 elements of the view must be contiguous and aligned to 16 bytes; a view
    that is contiguous along its rows is stored transposed. `thread` is the
    number of the thread in the warpgroup.

    Example:

    ```mlir
    !chunk = !tile.view<bf16, shared, S<3, 3, 3> o 0 o (64, 64) : (64, 1), align = 1024>
    func.func @store(%x: vector<32xbf16>, %v: !chunk, %t: index) {
      tile.store_matrix %x, %v, %t : vector<32xbf16>, !chunk
      return
    }
    ```
  }];
  let arguments = (ins
    AnyVectorOfNonZeroRank:$fragment, Tile_ViewType:$view, Index:$thread);
  let assemblyFormat = [{
    $fragment `,` $view `,` $thread attr-dict `:` type($fragment) `,` type($view)
  }];
  let hasVerifier = 1;
}

#endif // TILE_IR_TILEWARPGROUPOPS_TD
