// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations that compute on register fragments.
#ifndef TILE_IR_TILECOMPUTEOPS_TD
#define TILE_IR_TILECOMPUTEOPS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"
include "tile/IR/TileTypes.td"

def Tile_MmaOp : Tile_Op<"mma", [Pure, AllTypesMatch<["acc", "result"]>]> {
  let summary = "matrix multiply-accumulate of fragments";
  let description = [{
    acc + a * b for one step of the atom, on the fragments that each thread
    holds. The values of a fragment follow the thread-value layouts of the
    atom; the accumulator's run along N first. Which element types the operands
    may have, the atom says: each its own, or one for all.

    Example:

    ```mlir
    func.func @step(%a: vector<8xf32>, %b: vector<8xf32>, %acc: vector<64xf32>) {
      %0 = tile.mma %a, %b, %acc
        atom(#tile.simt_mma<warps = [2, 4], lanes = [8, 4], thread = [8, 8], vector = 4>)
        : vector<8xf32>, vector<8xf32>, vector<64xf32>
      return
    }
    ```
  }];
  let arguments = (ins
    AnyVectorOfAnyRank:$a, AnyVectorOfAnyRank:$b, AnyVectorOfAnyRank:$acc,
    Tile_MmaAtomAttrInterface:$atom);
  let results = (outs AnyVectorOfAnyRank:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $acc `atom` `(` $atom `)` attr-dict `:` type($a) `,` type($b) `,` type($acc)
  }];
  let hasVerifier = 1;
}

#endif // TILE_IR_TILECOMPUTEOPS_TD
