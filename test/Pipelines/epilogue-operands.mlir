// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How kernels load an epilogue's operands: of a tile of 64 by 64, a thread has
// 32 elements in two rows and in 8 pairs of columns.
// RUN: tile-translate --mlir-to-ptx --chip=sm_90a %s -o %t.ptx
// RUN: FileCheck %s --check-prefix=PAIRS < %t.ptx
// RUN: FileCheck %s --check-prefix=RESIDUAL < %t.ptx
// RUN: FileCheck %s --check-prefix=SINGLE < %t.ptx

// The elements are stored in two ways. For each, pairs of a bias are loaded
// once, not once a row, and pairs of a residual of 16 bits as one word.
// PAIRS-LABEL: .entry ws_64x64x64_bf16bf16_rcr_v1_e2(
// PAIRS-COUNT-16: ld.global.v2.f32
// PAIRS-NOT: ld.global.v2
// PAIRS-LABEL: .entry ws_64x64x64_bf16bf16_rcr_v1(
// RESIDUAL-LABEL: .entry ws_64x64x64_bf16bf16_rcr_v1_e2(
// RESIDUAL-COUNT-32: ld.global.b32
// RESIDUAL-NOT: ld.global.b
// RESIDUAL-LABEL: .entry ws_64x64x64_bf16bf16_rcr_v1(

// One by one where the extents are odd, or the operands not aligned.
// SINGLE-LABEL: .entry ws_64x64x64_bf16bf16_rcr_v1(
// SINGLE-NOT: ld.global.v2
// SINGLE-COUNT-32: ld.global.b16
// SINGLE: st.global

// A residual that lies as D does comes in tensor copies, as C would; what is
// loaded where it lies is for tiles for which these are not legal.
// RUN: tile-opt --tile-to-ptx="chip=sm_90a stop-after=kernels" %s | FileCheck %s --check-prefix=STAGED
// STAGED-LABEL: gpu.func @ws_64x64x64_bf16bf16_rcr_v1_e2_staged(
// STAGED-SAME: E2.tensor_map, E2.tensor_map_legal
// STAGED: tile.tma_load %arg0
// STAGED: tile.tma_load %arg1
// STAGED: tile.tma_load %arg4
// STAGED: tile.tma_store {{.*}} to %arg2

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

func.func @staged(%A: !a, %B: !b, %bias: memref<?xf32>, %scale: memref<?xf32>, %residual: !a, %D: !a) {
  tile.gemm ins(%A, %B : !a, !b) outs(%D : !a)
    epilogue(%bias[n], %scale[m], %residual[m, n] : memref<?xf32>, memref<?xf32>, !a) {
    ^bb0(%sum: f32, %b: f32, %s: f32, %r: bf16):
      %x = arith.addf %sum, %b : f32
      %y = arith.mulf %x, %s : f32
      %wide = arith.extf %r : bf16 to f32
      %z = arith.addf %y, %wide : f32
      %element = arith.truncf %z : f32 to bf16
      tile.yield %element : bf16
    } schedule #tile.warp_specialized<tile = [64, 64, 0], stages = 2, consumers = 1, use_tma_store = true>
  return
}
