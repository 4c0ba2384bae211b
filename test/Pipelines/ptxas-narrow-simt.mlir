// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of 16-bit operands on the fused multiply-add units: kernels that
// ptxas takes, without a spill, for chips without wgmma as they are selected and
// for sm_90a beside the tensor cores' kernels.
// REQUIRES: ptxas
// RUN: tile-translate --mlir-to-ptx --chip=sm_80 %s -o %t.sm_80.ptx
// RUN: ptxas -arch=sm_80 -v %t.sm_80.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=CHECK --implicit-check-not="{{[1-9][0-9]*}} bytes spill" --implicit-check-not=warning --implicit-check-not="Potential Performance Loss"
// RUN: tile-translate --mlir-to-ptx --chip=sm_90a %s -o %t.sm_90a.ptx
// RUN: ptxas -arch=sm_90a -v %t.sm_90a.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=CHECK --implicit-check-not="{{[1-9][0-9]*}} bytes spill" --implicit-check-not=warning --implicit-check-not="Potential Performance Loss"

// CHECK-COUNT-23: 0 bytes spill stores, 0 bytes spill loads

func.func @f16_f16_rrr(%a: memref<?x?xf16, strided<[?, 1], offset: ?>>, %b: memref<?x?xf16, strided<[?, 1], offset: ?>>, %c: memref<?x?xf16, strided<[?, 1], offset: ?>>, %d: memref<?x?xf16, strided<[?, 1], offset: ?>>, %s: f32) {
  tile.gemm ins(%a, %b, %c : memref<?x?xf16, strided<[?, 1], offset: ?>>, memref<?x?xf16, strided<[?, 1], offset: ?>>, memref<?x?xf16, strided<[?, 1], offset: ?>>) outs(%d : memref<?x?xf16, strided<[?, 1], offset: ?>>) alpha(%s : f32) beta(%s : f32)
    schedule #tile.simt<tile = [128, 128, 8], warps = [2, 2], thread = [16, 8], min_blocks = 2>
  return
}

func.func @f16_f16_ccc(%a: memref<?x?xf16, strided<[1, ?], offset: ?>>, %b: memref<?x?xf16, strided<[1, ?], offset: ?>>, %c: memref<?x?xf16, strided<[1, ?], offset: ?>>, %d: memref<?x?xf16, strided<[1, ?], offset: ?>>, %s: f32) {
  tile.gemm ins(%a, %b, %c : memref<?x?xf16, strided<[1, ?], offset: ?>>, memref<?x?xf16, strided<[1, ?], offset: ?>>, memref<?x?xf16, strided<[1, ?], offset: ?>>) outs(%d : memref<?x?xf16, strided<[1, ?], offset: ?>>) alpha(%s : f32) beta(%s : f32)
    schedule #tile.simt<tile = [64, 64, 32], warps = [2, 2], thread = [8, 4], min_blocks = 3>
  return
}

func.func @bf16_bf16_rcr(%a: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %b: memref<?x?xbf16, strided<[1, ?], offset: ?>>, %c: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %d: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %s: f32) {
  tile.gemm ins(%a, %b, %c : memref<?x?xbf16, strided<[?, 1], offset: ?>>, memref<?x?xbf16, strided<[1, ?], offset: ?>>, memref<?x?xbf16, strided<[?, 1], offset: ?>>) outs(%d : memref<?x?xbf16, strided<[?, 1], offset: ?>>) alpha(%s : f32) beta(%s : f32)
    schedule #tile.simt<tile = [64, 64, 32], warps = [2, 2], thread = [8, 4], min_blocks = 3>
  return
}

func.func @bf16_bf16_crr(%a: memref<?x?xbf16, strided<[1, ?], offset: ?>>, %b: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %c: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %d: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %s: f32) {
  tile.gemm ins(%a, %b, %c : memref<?x?xbf16, strided<[1, ?], offset: ?>>, memref<?x?xbf16, strided<[?, 1], offset: ?>>, memref<?x?xbf16, strided<[?, 1], offset: ?>>) outs(%d : memref<?x?xbf16, strided<[?, 1], offset: ?>>) alpha(%s : f32) beta(%s : f32)
    schedule #tile.simt<tile = [128, 128, 8], warps = [2, 2], thread = [16, 8], min_blocks = 2>
  return
}

func.func @f16_f32_rrr(%a: memref<?x?xf16, strided<[?, 1], offset: ?>>, %b: memref<?x?xf16, strided<[?, 1], offset: ?>>, %c: memref<?x?xf32, strided<[?, 1], offset: ?>>, %d: memref<?x?xf32, strided<[?, 1], offset: ?>>, %s: f32) {
  tile.gemm ins(%a, %b, %c : memref<?x?xf16, strided<[?, 1], offset: ?>>, memref<?x?xf16, strided<[?, 1], offset: ?>>, memref<?x?xf32, strided<[?, 1], offset: ?>>) outs(%d : memref<?x?xf32, strided<[?, 1], offset: ?>>) alpha(%s : f32) beta(%s : f32)
    schedule #tile.simt<tile = [128, 128, 8], warps = [2, 2], thread = [16, 8], min_blocks = 2>
  return
}

func.func @f16_f32_ccc(%a: memref<?x?xf16, strided<[1, ?], offset: ?>>, %b: memref<?x?xf16, strided<[1, ?], offset: ?>>, %c: memref<?x?xf32, strided<[1, ?], offset: ?>>, %d: memref<?x?xf32, strided<[1, ?], offset: ?>>, %s: f32) {
  tile.gemm ins(%a, %b, %c : memref<?x?xf16, strided<[1, ?], offset: ?>>, memref<?x?xf16, strided<[1, ?], offset: ?>>, memref<?x?xf32, strided<[1, ?], offset: ?>>) outs(%d : memref<?x?xf32, strided<[1, ?], offset: ?>>) alpha(%s : f32) beta(%s : f32)
    schedule #tile.simt<tile = [64, 64, 32], warps = [2, 2], thread = [8, 4], min_blocks = 3>
  return
}

func.func @bf16_f32_rcr(%a: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %b: memref<?x?xbf16, strided<[1, ?], offset: ?>>, %c: memref<?x?xf32, strided<[?, 1], offset: ?>>, %d: memref<?x?xf32, strided<[?, 1], offset: ?>>, %s: f32) {
  tile.gemm ins(%a, %b, %c : memref<?x?xbf16, strided<[?, 1], offset: ?>>, memref<?x?xbf16, strided<[1, ?], offset: ?>>, memref<?x?xf32, strided<[?, 1], offset: ?>>) outs(%d : memref<?x?xf32, strided<[?, 1], offset: ?>>) alpha(%s : f32) beta(%s : f32)
    schedule #tile.simt<tile = [64, 64, 32], warps = [2, 2], thread = [8, 4], min_blocks = 3>
  return
}

func.func @bf16_f32_crr(%a: memref<?x?xbf16, strided<[1, ?], offset: ?>>, %b: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %c: memref<?x?xf32, strided<[?, 1], offset: ?>>, %d: memref<?x?xf32, strided<[?, 1], offset: ?>>, %s: f32) {
  tile.gemm ins(%a, %b, %c : memref<?x?xbf16, strided<[1, ?], offset: ?>>, memref<?x?xbf16, strided<[?, 1], offset: ?>>, memref<?x?xf32, strided<[?, 1], offset: ?>>) outs(%d : memref<?x?xf32, strided<[?, 1], offset: ?>>) alpha(%s : f32) beta(%s : f32)
    schedule #tile.simt<tile = [128, 128, 8], warps = [2, 2], thread = [16, 8], min_blocks = 2>
  return
}

// Strides known at run time only.
func.func @bf16_any_strides(%a: memref<?x?xbf16, strided<[?, ?], offset: ?>>, %b: memref<?x?xbf16, strided<[?, ?], offset: ?>>, %d: memref<?x?xbf16, strided<[?, ?], offset: ?>>) {
  tile.gemm ins(%a, %b : memref<?x?xbf16, strided<[?, ?], offset: ?>>, memref<?x?xbf16, strided<[?, ?], offset: ?>>) outs(%d : memref<?x?xbf16, strided<[?, ?], offset: ?>>)
    schedule #tile.simt<tile = [128, 128, 8], warps = [2, 2], thread = [16, 8], min_blocks = 2>
  return
}

// As selected.
func.func @f16_small(%a: memref<100x61xf16>, %b: memref<61x37xf16>, %d: memref<100x37xf16>) {
  tile.gemm ins(%a, %b : memref<100x61xf16>, memref<61x37xf16>) outs(%d : memref<100x37xf16>)
  return
}
