// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How kernels load an epilogue's operands: of a tile of 64 by 64, a thread has
// 32 elements in two rows and in 8 pairs of columns.
// RUN: tile-translate --mlir-to-ptx --chip=sm_90a %s -o %t.ptx
// RUN: FileCheck %s --check-prefix=PAIRS < %t.ptx
// RUN: FileCheck %s --check-prefix=SINGLE < %t.ptx

// Pairs of a bias once, not once a row; a scale of the rows once a row; pairs
// of a residual of 16 bits as one word.
// PAIRS-LABEL: .entry ws_64x64x64_bf16bf16_rcr_v1_e2(
// PAIRS-COUNT-4: ld.global.f32
// PAIRS-COUNT-8: ld.global.v2.f32
// PAIRS-NOT: ld.global.{{v2|f32|b16}}
// PAIRS-COUNT-16: ld.global.b32
// PAIRS: st.global
// PAIRS-LABEL: .entry ws_64x64x64_bf16bf16_rcr_v1(

// One by one where the extents are odd, or the operands not aligned.
// SINGLE-LABEL: .entry ws_64x64x64_bf16bf16_rcr_v1(
// SINGLE-NOT: ld.global.v2
// SINGLE-COUNT-32: ld.global.b16
// SINGLE: st.global

!a = memref<?x?xbf16, strided<[?, 1], offset: ?>>
!b = memref<?x?xbf16, strided<[1, ?], offset: ?>>
func.func @layer(%A: !a, %B: !b, %bias: memref<?xf32>, %scale: memref<?xf32>, %residual: !a, %D: !a) {
  tile.gemm ins(%A, %B : !a, !b) outs(%D : !a)
    epilogue(%bias[n], %scale[m], %residual[m, n] : memref<?xf32>, memref<?xf32>, !a) {
    ^bb0(%sum: f32, %b: f32, %s: f32, %r: bf16):
      %x = arith.addf %sum, %b : f32
      %y = arith.mulf %x, %s : f32
      %wide = arith.extf %r : bf16 to f32
      %z = arith.addf %y, %wide : f32
      %element = arith.truncf %z : f32 to bf16
      tile.yield %element : bf16
    } schedule #tile.warp_specialized<tile = [64, 64, 0], stages = 2, consumers = 1>
  return
}
