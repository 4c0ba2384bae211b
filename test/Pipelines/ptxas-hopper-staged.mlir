// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp-specialised kernels whose C and results of 32 bits pass through shared
// memory, and those that multiply tf32 and integers: ptxas takes them without a
// spill, without a stack frame, and without the remark (C75xx) that it waits for
// each wgmma before it starts the next.
// REQUIRES: ptxas
// RUN: tile-translate --mlir-to-ptx --chip=sm_90a %s -o %t.ptx
// RUN: ptxas -arch=sm_90a -v %t.ptx -o %t.cubin 2>&1 | FileCheck %s --implicit-check-not="{{[1-9][0-9]*}} bytes spill" --implicit-check-not="{{[1-9][0-9]*}} bytes stack" --implicit-check-not="cumulative stack" --implicit-check-not=warning --implicit-check-not=C75 --implicit-check-not="Potential Performance Loss"

// Kernels, and the copies that prepare their operands.
// CHECK-COUNT-58: 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
// CHECK-NOT: bytes stack frame

func.func @staged_cooperative(%a: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %b: memref<?x?xbf16, strided<[1, ?], offset: ?>>, %c: memref<?x?xf32, strided<[?, 1], offset: ?>>, %d: memref<?x?xf32, strided<[?, 1], offset: ?>>, %s: f32) {
  tile.gemm ins(%a, %b, %c : memref<?x?xbf16, strided<[?, 1], offset: ?>>, memref<?x?xbf16, strided<[1, ?], offset: ?>>, memref<?x?xf32, strided<[?, 1], offset: ?>>) outs(%d : memref<?x?xf32, strided<[?, 1], offset: ?>>) alpha(%s : f32) beta(%s : f32)
    schedule #tile.warp_specialized<tile = [128, 256, 0], stages = 3, use_tma_store = true>
  return
}

func.func @staged_without_c(%a: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %b: memref<?x?xbf16, strided<[1, ?], offset: ?>>, %d: memref<?x?xf32, strided<[?, 1], offset: ?>>) {
  tile.gemm ins(%a, %b : memref<?x?xbf16, strided<[?, 1], offset: ?>>, memref<?x?xbf16, strided<[1, ?], offset: ?>>) outs(%d : memref<?x?xf32, strided<[?, 1], offset: ?>>)
    schedule #tile.warp_specialized<tile = [128, 256, 0], stages = 4, use_tma_store = true>
  return
}

func.func @staged_pingpong(%a: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %b: memref<?x?xbf16, strided<[1, ?], offset: ?>>, %c: memref<?x?xf32, strided<[?, 1], offset: ?>>, %d: memref<?x?xf32, strided<[?, 1], offset: ?>>, %s: f32) {
  tile.gemm ins(%a, %b, %c : memref<?x?xbf16, strided<[?, 1], offset: ?>>, memref<?x?xbf16, strided<[1, ?], offset: ?>>, memref<?x?xf32, strided<[?, 1], offset: ?>>) outs(%d : memref<?x?xf32, strided<[?, 1], offset: ?>>) alpha(%s : f32) beta(%s : f32)
    schedule #tile.warp_specialized<tile = [64, 256, 0], stages = 4, mode = pingpong, use_tma_store = true>
  return
}

func.func @staged_pingpong_columns(%a: memref<?x?xf16, strided<[1, ?], offset: ?>>, %b: memref<?x?xf16, strided<[1, ?], offset: ?>>, %c: memref<?x?xf32, strided<[1, ?], offset: ?>>, %d: memref<?x?xf32, strided<[1, ?], offset: ?>>, %s: f32) {
  tile.gemm ins(%a, %b, %c : memref<?x?xf16, strided<[1, ?], offset: ?>>, memref<?x?xf16, strided<[1, ?], offset: ?>>, memref<?x?xf32, strided<[1, ?], offset: ?>>) outs(%d : memref<?x?xf32, strided<[1, ?], offset: ?>>) alpha(%s : f32) beta(%s : f32)
    schedule #tile.warp_specialized<tile = [128, 128, 0], stages = 4, mode = pingpong, use_tma_store = true>
  return
}

func.func @staged_tall(%a: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %b: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %c: memref<?x?xf32, strided<[?, 1], offset: ?>>, %d: memref<?x?xf32, strided<[?, 1], offset: ?>>, %s: f32) {
  tile.gemm ins(%a, %b, %c : memref<?x?xbf16, strided<[?, 1], offset: ?>>, memref<?x?xbf16, strided<[?, 1], offset: ?>>, memref<?x?xf32, strided<[?, 1], offset: ?>>) outs(%d : memref<?x?xf32, strided<[?, 1], offset: ?>>) alpha(%s : f32) beta(%s : f32)
    schedule #tile.warp_specialized<tile = [256, 128, 0], stages = 3, use_tma_store = true>
  return
}

func.func @staged_c_of_16_bits(%a: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %b: memref<?x?xbf16, strided<[1, ?], offset: ?>>, %c: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %d: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %s: f32) {
  tile.gemm ins(%a, %b, %c : memref<?x?xbf16, strided<[?, 1], offset: ?>>, memref<?x?xbf16, strided<[1, ?], offset: ?>>, memref<?x?xbf16, strided<[?, 1], offset: ?>>) outs(%d : memref<?x?xbf16, strided<[?, 1], offset: ?>>) alpha(%s : f32) beta(%s : f32)
    schedule #tile.warp_specialized<tile = [128, 256, 0], stages = 4, use_tma_store = true>
  return
}

func.func @staged_columns_of_16_bits(%a: memref<?x?xf16, strided<[?, 1], offset: ?>>, %b: memref<?x?xf16, strided<[1, ?], offset: ?>>, %c: memref<?x?xf16, strided<[1, ?], offset: ?>>, %d: memref<?x?xf16, strided<[1, ?], offset: ?>>, %s: f32) {
  tile.gemm ins(%a, %b, %c : memref<?x?xf16, strided<[?, 1], offset: ?>>, memref<?x?xf16, strided<[1, ?], offset: ?>>, memref<?x?xf16, strided<[1, ?], offset: ?>>) outs(%d : memref<?x?xf16, strided<[1, ?], offset: ?>>) alpha(%s : f32) beta(%s : f32)
    schedule #tile.warp_specialized<tile = [128, 192, 0], stages = 4, use_tma_store = true>
  return
}

func.func @staged_later(%a: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %b: memref<?x?xbf16, strided<[1, ?], offset: ?>>, %d: memref<?x?xf32, strided<[?, 1], offset: ?>>) {
  tile.gemm ins(%a, %b : memref<?x?xbf16, strided<[?, 1], offset: ?>>, memref<?x?xbf16, strided<[1, ?], offset: ?>>) outs(%d : memref<?x?xf32, strided<[?, 1], offset: ?>>)
    schedule #tile.warp_specialized<tile = [128, 192, 0], stages = 4, overlap_epilogue = true, use_tma_store = true>
  return
}

func.func @staged_split(%a: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %b: memref<?x?xbf16, strided<[1, ?], offset: ?>>, %c: memref<?x?xf32, strided<[?, 1], offset: ?>>, %d: memref<?x?xf32, strided<[?, 1], offset: ?>>, %s: f32) {
  tile.gemm ins(%a, %b, %c : memref<?x?xbf16, strided<[?, 1], offset: ?>>, memref<?x?xbf16, strided<[1, ?], offset: ?>>, memref<?x?xf32, strided<[?, 1], offset: ?>>) outs(%d : memref<?x?xf32, strided<[?, 1], offset: ?>>) alpha(%s : f32) beta(%s : f32)
    schedule #tile.warp_specialized<tile = [64, 128, 0], stages = 4, consumers = 1, split_k = 2, use_tma_store = true>
  return
}

func.func @tf32_cooperative(%a: memref<?x?xf32, strided<[?, 1], offset: ?>>, %b: memref<?x?xf32, strided<[1, ?], offset: ?>>, %c: memref<?x?xf32, strided<[?, 1], offset: ?>>, %d: memref<?x?xf32, strided<[?, 1], offset: ?>>, %s: f32) {
  tile.gemm ins(%a, %b, %c : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x?xf32, strided<[1, ?], offset: ?>>, memref<?x?xf32, strided<[?, 1], offset: ?>>) outs(%d : memref<?x?xf32, strided<[?, 1], offset: ?>>) alpha(%s : f32) beta(%s : f32)
    schedule #tile.warp_specialized<tile = [128, 256, 0], stages = 4, tf32 = true>
  return
}

func.func @tf32_pingpong(%a: memref<?x?xf32, strided<[?, 1], offset: ?>>, %b: memref<?x?xf32, strided<[?, 1], offset: ?>>, %d: memref<?x?xf32, strided<[?, 1], offset: ?>>) {
  tile.gemm ins(%a, %b : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x?xf32, strided<[?, 1], offset: ?>>) outs(%d : memref<?x?xf32, strided<[?, 1], offset: ?>>)
    schedule #tile.warp_specialized<tile = [128, 192, 0], stages = 4, mode = pingpong, tf32 = true, use_tma_store = true>
  return
}

func.func @tf32_staged(%a: memref<?x?xf32, strided<[?, 1], offset: ?>>, %b: memref<?x?xf32, strided<[1, ?], offset: ?>>, %c: memref<?x?xf32, strided<[?, 1], offset: ?>>, %d: memref<?x?xf32, strided<[?, 1], offset: ?>>, %s: f32) {
  tile.gemm ins(%a, %b, %c : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x?xf32, strided<[1, ?], offset: ?>>, memref<?x?xf32, strided<[?, 1], offset: ?>>) outs(%d : memref<?x?xf32, strided<[?, 1], offset: ?>>) alpha(%s : f32) beta(%s : f32)
    schedule #tile.warp_specialized<tile = [128, 256, 0], stages = 3, tf32 = true, use_tma_store = true>
  return
}

func.func @integers(%a: memref<?x?xi8, strided<[?, 1], offset: ?>>, %b: memref<?x?xi8, strided<[1, ?], offset: ?>>, %d: memref<?x?xi32, strided<[?, 1], offset: ?>>) {
  tile.gemm ins(%a, %b : memref<?x?xi8, strided<[?, 1], offset: ?>>, memref<?x?xi8, strided<[1, ?], offset: ?>>) outs(%d : memref<?x?xi32, strided<[?, 1], offset: ?>>)
    schedule #tile.warp_specialized<tile = [128, 256, 0], stages = 4>
  return
}

func.func @integers_pingpong(%a: memref<?x?xi8, strided<[?, 1], offset: ?>>, %b: memref<?x?xi8, strided<[1, ?], offset: ?>>, %d: memref<?x?xi32, strided<[?, 1], offset: ?>>) {
  tile.gemm ins(%a, %b : memref<?x?xi8, strided<[?, 1], offset: ?>>, memref<?x?xi8, strided<[1, ?], offset: ?>>) outs(%d : memref<?x?xi32, strided<[?, 1], offset: ?>>)
    schedule #tile.warp_specialized<tile = [128, 192, 0], stages = 4, mode = pingpong, use_tma_store = true>
  return
}

func.func @integers_in_columns(%a: memref<?x?xi8, strided<[1, ?], offset: ?>>, %b: memref<?x?xi8, strided<[?, 1], offset: ?>>, %d: memref<?x?xi32, strided<[1, ?], offset: ?>>) {
  tile.gemm ins(%a, %b : memref<?x?xi8, strided<[1, ?], offset: ?>>, memref<?x?xi8, strided<[?, 1], offset: ?>>) outs(%d : memref<?x?xi32, strided<[1, ?], offset: ?>>)
    schedule #tile.warp_specialized<tile = [128, 128, 0], stages = 4, use_tma_store = true>
  return
}
