// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With alpha = 0 or K = 0, A and B are not looked at, wherever they lie: no copy
// of them starts, not even of no bytes.
// RUN: tile-run %s --device=sim --random=70,40,24 --pitch=A=1 --pitch=B=1 --alpha=0 --check
// RUN: tile-run %s --device=sim --random=70,40,0 --pitch=A=1 --pitch=B=1 --check
// RUN: tile-run %s --device=sim --random=70,40,24 --check
!a = memref<?x?xf32, strided<[1, ?], offset: ?>>
!b = memref<?x?xf32, strided<[?, 1], offset: ?>>
func.func @p(%A: !a, %B: !b, %D: !b, %alpha: f32) {
  tile.gemm ins(%A, %B : !a, !b) outs(%D : !b) alpha(%alpha : f32)
    schedule #tile.simt<tile = [64, 64, 8], warps = [2, 2], thread = [4, 8], stages = 3>
  return
}
