// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp-specialised kernels of each kind of schedule, element type and layout:
// ptxas takes them without a spill, without a stack frame, and without the
// remark (C75xx) that it waits for each wgmma before it starts the next.
// Known to spill one or two registers, and so not among them: 176 columns for
// two rows of atoms in a thread (pingpong, column-major D) with C, and tiles of
// 256 by 160 (bf16) and 256 by 176 (f32 results) with C.
// REQUIRES: ptxas
// RUN: tile-translate --mlir-to-ptx --chip=sm_90a %s -o %t.ptx
// RUN: ptxas -arch=sm_90a -v %t.ptx -o %t.cubin 2>&1 | FileCheck %s --implicit-check-not="{{[1-9][0-9]*}} bytes s" --implicit-check-not="cumulative stack" --implicit-check-not=warning --implicit-check-not=C75 --implicit-check-not="Potential Performance Loss"

// Kernels, and the copies that prepare their operands.
// CHECK-COUNT-60: 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
// CHECK-NOT: bytes stack frame

func.func @cooperative(%a: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %b: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %d: memref<?x?xbf16, strided<[?, 1], offset: ?>>) {
  tile.gemm ins(%a, %b : memref<?x?xbf16, strided<[?, 1], offset: ?>>, memref<?x?xbf16, strided<[?, 1], offset: ?>>) outs(%d : memref<?x?xbf16, strided<[?, 1], offset: ?>>)
    schedule #tile.warp_specialized<tile = [128, 256, 0], stages = 4>
  return
}

func.func @cooperative_with_c(%a: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %b: memref<?x?xbf16, strided<[1, ?], offset: ?>>, %c: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %d: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %s: f32) {
  tile.gemm ins(%a, %b, %c : memref<?x?xbf16, strided<[?, 1], offset: ?>>, memref<?x?xbf16, strided<[1, ?], offset: ?>>, memref<?x?xbf16, strided<[?, 1], offset: ?>>) outs(%d : memref<?x?xbf16, strided<[?, 1], offset: ?>>) alpha(%s : f32) beta(%s : f32)
    schedule #tile.warp_specialized<tile = [128, 256, 0], stages = 4>
  return
}

func.func @f32_result(%a: memref<?x?xbf16, strided<[1, ?], offset: ?>>, %b: memref<?x?xbf16, strided<[1, ?], offset: ?>>, %c: memref<?x?xf32, strided<[?, 1], offset: ?>>, %d: memref<?x?xf32, strided<[?, 1], offset: ?>>, %s: f32) {
  tile.gemm ins(%a, %b, %c : memref<?x?xbf16, strided<[1, ?], offset: ?>>, memref<?x?xbf16, strided<[1, ?], offset: ?>>, memref<?x?xf32, strided<[?, 1], offset: ?>>) outs(%d : memref<?x?xf32, strided<[?, 1], offset: ?>>) alpha(%s : f32) beta(%s : f32)
    schedule #tile.warp_specialized<tile = [128, 192, 0], stages = 4>
  return
}

func.func @tall(%a: memref<?x?xf16, strided<[1, ?], offset: ?>>, %b: memref<?x?xf16, strided<[?, 1], offset: ?>>, %d: memref<?x?xf16, strided<[1, ?], offset: ?>>) {
  tile.gemm ins(%a, %b : memref<?x?xf16, strided<[1, ?], offset: ?>>, memref<?x?xf16, strided<[?, 1], offset: ?>>) outs(%d : memref<?x?xf16, strided<[1, ?], offset: ?>>)
    schedule #tile.warp_specialized<tile = [256, 128, 0], stages = 4>
  return
}

func.func @widest(%a: memref<?x?xf16, strided<[?, 1], offset: ?>>, %b: memref<?x?xf16, strided<[1, ?], offset: ?>>, %c: memref<?x?xf16, strided<[?, 1], offset: ?>>, %d: memref<?x?xf16, strided<[?, 1], offset: ?>>, %s: f32) {
  tile.gemm ins(%a, %b, %c : memref<?x?xf16, strided<[?, 1], offset: ?>>, memref<?x?xf16, strided<[1, ?], offset: ?>>, memref<?x?xf16, strided<[?, 1], offset: ?>>) outs(%d : memref<?x?xf16, strided<[?, 1], offset: ?>>) alpha(%s : f32) beta(%s : f32)
    schedule #tile.warp_specialized<tile = [256, 176, 0], stages = 3, swizzle_size = 16>
  return
}

func.func @one_consumer(%a: memref<?x?xf16, strided<[?, 1], offset: ?>>, %b: memref<?x?xf16, strided<[?, 1], offset: ?>>, %c: memref<?x?xf32, strided<[1, ?], offset: ?>>, %d: memref<?x?xf32, strided<[1, ?], offset: ?>>, %s: f32) {
  tile.gemm ins(%a, %b, %c : memref<?x?xf16, strided<[?, 1], offset: ?>>, memref<?x?xf16, strided<[?, 1], offset: ?>>, memref<?x?xf32, strided<[1, ?], offset: ?>>) outs(%d : memref<?x?xf32, strided<[1, ?], offset: ?>>) alpha(%s : f32) beta(%s : f32)
    schedule #tile.warp_specialized<tile = [64, 256, 0], stages = 4, consumers = 1>
  return
}

func.func @pingpong(%a: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %b: memref<?x?xbf16, strided<[1, ?], offset: ?>>, %d: memref<?x?xbf16, strided<[?, 1], offset: ?>>) {
  tile.gemm ins(%a, %b : memref<?x?xbf16, strided<[?, 1], offset: ?>>, memref<?x?xbf16, strided<[1, ?], offset: ?>>) outs(%d : memref<?x?xbf16, strided<[?, 1], offset: ?>>)
    schedule #tile.warp_specialized<tile = [64, 256, 0], stages = 4, mode = pingpong>
  return
}

func.func @pingpong_two_atoms(%a: memref<?x?xf16, strided<[1, ?], offset: ?>>, %b: memref<?x?xf16, strided<[1, ?], offset: ?>>, %c: memref<?x?xf16, strided<[1, ?], offset: ?>>, %d: memref<?x?xf16, strided<[1, ?], offset: ?>>, %s: f32) {
  tile.gemm ins(%a, %b, %c : memref<?x?xf16, strided<[1, ?], offset: ?>>, memref<?x?xf16, strided<[1, ?], offset: ?>>, memref<?x?xf16, strided<[1, ?], offset: ?>>) outs(%d : memref<?x?xf16, strided<[1, ?], offset: ?>>) alpha(%s : f32) beta(%s : f32)
    schedule #tile.warp_specialized<tile = [128, 128, 0], stages = 4, mode = pingpong, raster_order = n>
  return
}

func.func @cluster_m(%a: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %b: memref<?x?xbf16, strided<[1, ?], offset: ?>>, %d: memref<?x?xbf16, strided<[?, 1], offset: ?>>) {
  tile.gemm ins(%a, %b : memref<?x?xbf16, strided<[?, 1], offset: ?>>, memref<?x?xbf16, strided<[1, ?], offset: ?>>) outs(%d : memref<?x?xbf16, strided<[?, 1], offset: ?>>)
    schedule #tile.warp_specialized<tile = [128, 256, 0], stages = 4, cluster = [2, 1]>
  return
}

func.func @cluster_n(%a: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %b: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %c: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %d: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %s: f32) {
  tile.gemm ins(%a, %b, %c : memref<?x?xbf16, strided<[?, 1], offset: ?>>, memref<?x?xbf16, strided<[?, 1], offset: ?>>, memref<?x?xbf16, strided<[?, 1], offset: ?>>) outs(%d : memref<?x?xbf16, strided<[?, 1], offset: ?>>) alpha(%s : f32) beta(%s : f32)
    schedule #tile.warp_specialized<tile = [128, 192, 0], stages = 4, cluster = [1, 2], programmatic_launch = none>
  return
}

func.func @cluster_of_four(%a: memref<?x?xf16, strided<[1, ?], offset: ?>>, %b: memref<?x?xf16, strided<[1, ?], offset: ?>>, %d: memref<?x?xf16, strided<[?, 1], offset: ?>>) {
  tile.gemm ins(%a, %b : memref<?x?xf16, strided<[1, ?], offset: ?>>, memref<?x?xf16, strided<[1, ?], offset: ?>>) outs(%d : memref<?x?xf16, strided<[?, 1], offset: ?>>)
    schedule #tile.warp_specialized<tile = [128, 128, 64], stages = 4, mode = pingpong, cluster = [2, 2]>
  return
}

func.func @swapped(%a: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %b: memref<?x?xbf16, strided<[1, ?], offset: ?>>, %c: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %d: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %s: f32) {
  tile.gemm ins(%a, %b, %c : memref<?x?xbf16, strided<[?, 1], offset: ?>>, memref<?x?xbf16, strided<[1, ?], offset: ?>>, memref<?x?xbf16, strided<[?, 1], offset: ?>>) outs(%d : memref<?x?xbf16, strided<[?, 1], offset: ?>>) alpha(%s : f32) beta(%s : f32)
    schedule #tile.warp_specialized<tile = [64, 8, 0], stages = 8, consumers = 1, swap_ab = true>
  return
}

func.func @f8_cooperative(%a: memref<?x?xf8E4M3FN, strided<[?, 1], offset: ?>>, %b: memref<?x?xf8E4M3FN, strided<[1, ?], offset: ?>>, %c: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %d: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %s: f32) {
  tile.gemm ins(%a, %b, %c : memref<?x?xf8E4M3FN, strided<[?, 1], offset: ?>>, memref<?x?xf8E4M3FN, strided<[1, ?], offset: ?>>, memref<?x?xbf16, strided<[?, 1], offset: ?>>) outs(%d : memref<?x?xbf16, strided<[?, 1], offset: ?>>) alpha(%s : f32) beta(%s : f32)
    schedule #tile.warp_specialized<tile = [128, 256, 0], stages = 4>
  return
}

func.func @f8_pingpong(%a: memref<?x?xf8E4M3FN, strided<[?, 1], offset: ?>>, %b: memref<?x?xf8E4M3FN, strided<[1, ?], offset: ?>>, %d: memref<?x?xf16, strided<[?, 1], offset: ?>>) {
  tile.gemm ins(%a, %b : memref<?x?xf8E4M3FN, strided<[?, 1], offset: ?>>, memref<?x?xf8E4M3FN, strided<[1, ?], offset: ?>>) outs(%d : memref<?x?xf16, strided<[?, 1], offset: ?>>)
    schedule #tile.warp_specialized<tile = [64, 256, 0], stages = 4, mode = pingpong>
  return
}

func.func @f8_f32_result(%a: memref<?x?xf8E4M3FN, strided<[?, 1], offset: ?>>, %b: memref<?x?xf8E4M3FN, strided<[1, ?], offset: ?>>, %d: memref<?x?xf32, strided<[1, ?], offset: ?>>) {
  tile.gemm ins(%a, %b : memref<?x?xf8E4M3FN, strided<[?, 1], offset: ?>>, memref<?x?xf8E4M3FN, strided<[1, ?], offset: ?>>) outs(%d : memref<?x?xf32, strided<[1, ?], offset: ?>>)
    schedule #tile.warp_specialized<tile = [64, 8, 128], stages = 6, consumers = 1, swap_ab = true>
  return
}

func.func @deferred(%a: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %b: memref<?x?xbf16, strided<[1, ?], offset: ?>>, %c: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %d: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %s: f32) {
  tile.gemm ins(%a, %b, %c : memref<?x?xbf16, strided<[?, 1], offset: ?>>, memref<?x?xbf16, strided<[1, ?], offset: ?>>, memref<?x?xbf16, strided<[?, 1], offset: ?>>) outs(%d : memref<?x?xbf16, strided<[?, 1], offset: ?>>) alpha(%s : f32) beta(%s : f32)
    schedule #tile.warp_specialized<tile = [128, 256, 0], stages = 4, overlap_epilogue = true>
  return
}

// As many elements as no vector register has.
func.func @deferred_odd(%a: memref<?x?xf16, strided<[?, 1], offset: ?>>, %b: memref<?x?xf16, strided<[?, 1], offset: ?>>, %d: memref<?x?xf16, strided<[?, 1], offset: ?>>) {
  tile.gemm ins(%a, %b : memref<?x?xf16, strided<[?, 1], offset: ?>>, memref<?x?xf16, strided<[?, 1], offset: ?>>) outs(%d : memref<?x?xf16, strided<[?, 1], offset: ?>>)
    schedule #tile.warp_specialized<tile = [256, 112, 0], stages = 4, overlap_epilogue = true>
  return
}

func.func @deferred_f32(%a: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %b: memref<?x?xbf16, strided<[1, ?], offset: ?>>, %d: memref<?x?xf32, strided<[?, 1], offset: ?>>) {
  tile.gemm ins(%a, %b : memref<?x?xbf16, strided<[?, 1], offset: ?>>, memref<?x?xbf16, strided<[1, ?], offset: ?>>) outs(%d : memref<?x?xf32, strided<[?, 1], offset: ?>>)
    schedule #tile.warp_specialized<tile = [128, 192, 0], stages = 4, overlap_epilogue = true>
  return
}

func.func @split(%a: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %b: memref<?x?xbf16, strided<[1, ?], offset: ?>>, %c: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %d: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %s: f32) {
  tile.gemm ins(%a, %b, %c : memref<?x?xbf16, strided<[?, 1], offset: ?>>, memref<?x?xbf16, strided<[1, ?], offset: ?>>, memref<?x?xbf16, strided<[?, 1], offset: ?>>) outs(%d : memref<?x?xbf16, strided<[?, 1], offset: ?>>) alpha(%s : f32) beta(%s : f32)
    schedule #tile.warp_specialized<tile = [128, 128, 0], stages = 4, split_k = 2>
  return
}
