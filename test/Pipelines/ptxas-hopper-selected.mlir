// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels that selection chooses for products with C, whose epilogues need
// the most registers: ptxas takes them without a spill, without a stack frame,
// and without the remark (C75xx) that it waits for each wgmma before it starts
// the next.
// REQUIRES: ptxas
// RUN: tile-translate --mlir-to-ptx --chip=sm_90a %s -o %t.ptx
// RUN: ptxas -arch=sm_90a -v %t.ptx -o %t.cubin 2>&1 | FileCheck %s --implicit-check-not="{{[1-9][0-9]*}} bytes spill" --implicit-check-not="{{[1-9][0-9]*}} bytes stack" --implicit-check-not="cumulative stack" --implicit-check-not=warning --implicit-check-not=C75 --implicit-check-not="Potential Performance Loss"
// CHECK-COUNT-52: 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
// CHECK-NOT: bytes stack frame

func.func @run_time_bf16(%a: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %b: memref<?x?xbf16, strided<[1, ?], offset: ?>>, %c: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %d: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %s: f32) {
  tile.gemm ins(%a, %b, %c : memref<?x?xbf16, strided<[?, 1], offset: ?>>, memref<?x?xbf16, strided<[1, ?], offset: ?>>, memref<?x?xbf16, strided<[?, 1], offset: ?>>) outs(%d : memref<?x?xbf16, strided<[?, 1], offset: ?>>) alpha(%s : f32) beta(%s : f32)
  return
}

func.func @square_4096_bf16(%a: memref<4096x4096xbf16>, %b: memref<4096x4096xbf16, strided<[1, 4096]>>, %c: memref<4096x4096xbf16>, %d: memref<4096x4096xbf16>, %s: f32) {
  tile.gemm ins(%a, %b, %c : memref<4096x4096xbf16>, memref<4096x4096xbf16, strided<[1, 4096]>>, memref<4096x4096xbf16>) outs(%d : memref<4096x4096xbf16>) alpha(%s : f32) beta(%s : f32)
  return
}

func.func @square_8192_bf16(%a: memref<8192x512xbf16>, %b: memref<512x8192xbf16, strided<[1, 512]>>, %c: memref<8192x8192xbf16>, %d: memref<8192x8192xbf16>, %s: f32) {
  tile.gemm ins(%a, %b, %c : memref<8192x512xbf16>, memref<512x8192xbf16, strided<[1, 512]>>, memref<8192x8192xbf16>) outs(%d : memref<8192x8192xbf16>) alpha(%s : f32) beta(%s : f32)
  return
}

func.func @square_2048_bf16(%a: memref<2048x2048xbf16>, %b: memref<2048x2048xbf16, strided<[1, 2048]>>, %c: memref<2048x2048xbf16>, %d: memref<2048x2048xbf16>, %s: f32) {
  tile.gemm ins(%a, %b, %c : memref<2048x2048xbf16>, memref<2048x2048xbf16, strided<[1, 2048]>>, memref<2048x2048xbf16>) outs(%d : memref<2048x2048xbf16>) alpha(%s : f32) beta(%s : f32)
  return
}

func.func @run_time_f32(%a: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %b: memref<?x?xbf16, strided<[1, ?], offset: ?>>, %c: memref<?x?xf32, strided<[?, 1], offset: ?>>, %d: memref<?x?xf32, strided<[?, 1], offset: ?>>, %s: f32) {
  tile.gemm ins(%a, %b, %c : memref<?x?xbf16, strided<[?, 1], offset: ?>>, memref<?x?xbf16, strided<[1, ?], offset: ?>>, memref<?x?xf32, strided<[?, 1], offset: ?>>) outs(%d : memref<?x?xf32, strided<[?, 1], offset: ?>>) alpha(%s : f32) beta(%s : f32)
  return
}

func.func @square_4096_f32(%a: memref<4096x4096xbf16>, %b: memref<4096x4096xbf16, strided<[1, 4096]>>, %c: memref<4096x4096xf32>, %d: memref<4096x4096xf32>, %s: f32) {
  tile.gemm ins(%a, %b, %c : memref<4096x4096xbf16>, memref<4096x4096xbf16, strided<[1, 4096]>>, memref<4096x4096xf32>) outs(%d : memref<4096x4096xf32>) alpha(%s : f32) beta(%s : f32)
  return
}

func.func @square_8192_f32(%a: memref<8192x512xbf16>, %b: memref<512x8192xbf16, strided<[1, 512]>>, %c: memref<8192x8192xf32>, %d: memref<8192x8192xf32>, %s: f32) {
  tile.gemm ins(%a, %b, %c : memref<8192x512xbf16>, memref<512x8192xbf16, strided<[1, 512]>>, memref<8192x8192xf32>) outs(%d : memref<8192x8192xf32>) alpha(%s : f32) beta(%s : f32)
  return
}

func.func @square_2048_f32(%a: memref<2048x2048xbf16>, %b: memref<2048x2048xbf16, strided<[1, 2048]>>, %c: memref<2048x2048xf32>, %d: memref<2048x2048xf32>, %s: f32) {
  tile.gemm ins(%a, %b, %c : memref<2048x2048xbf16>, memref<2048x2048xbf16, strided<[1, 2048]>>, memref<2048x2048xf32>) outs(%d : memref<2048x2048xf32>) alpha(%s : f32) beta(%s : f32)
  return
}
