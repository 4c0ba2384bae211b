// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every kind of operand, of both element types: kernels that ptxas takes for
// the oldest and the newest chips, without a spill.
// REQUIRES: ptxas
// RUN: tile-translate --mlir-to-ptx --chip=sm_80 %s -o %t.sm_80.ptx
// RUN: ptxas -arch=sm_80 -v %t.sm_80.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=CHECK --implicit-check-not="{{[1-9][0-9]*}} bytes spill" --implicit-check-not=warning --implicit-check-not="Potential Performance Loss"
// RUN: tile-translate --mlir-to-ptx --chip=sm_90a %s -o %t.sm_90a.ptx
// RUN: ptxas -arch=sm_90a -v %t.sm_90a.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=CHECK --implicit-check-not="{{[1-9][0-9]*}} bytes spill" --implicit-check-not=warning --implicit-check-not="Potential Performance Loss"
// RUN: tile-translate --mlir-to-ptx --chip=sm_120 %s -o %t.sm_120.ptx
// RUN: ptxas -arch=sm_120 -v %t.sm_120.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=CHECK --implicit-check-not="{{[1-9][0-9]*}} bytes spill" --implicit-check-not=warning --implicit-check-not="Potential Performance Loss"

// CHECK-COUNT-48: 0 bytes spill stores, 0 bytes spill loads

func.func @f32_rrr(%a: memref<?x?xf32, strided<[?, 1], offset: ?>>, %b: memref<?x?xf32, strided<[?, 1], offset: ?>>, %d: memref<?x?xf32, strided<[?, 1], offset: ?>>) {
  tile.gemm ins(%a, %b : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x?xf32, strided<[?, 1], offset: ?>>) outs(%d : memref<?x?xf32, strided<[?, 1], offset: ?>>)
  return
}

func.func @f32_rrc(%a: memref<?x?xf32, strided<[?, 1], offset: ?>>, %b: memref<?x?xf32, strided<[?, 1], offset: ?>>, %d: memref<?x?xf32, strided<[1, ?], offset: ?>>) {
  tile.gemm ins(%a, %b : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x?xf32, strided<[?, 1], offset: ?>>) outs(%d : memref<?x?xf32, strided<[1, ?], offset: ?>>)
  return
}

func.func @f32_rcr(%a: memref<?x?xf32, strided<[?, 1], offset: ?>>, %b: memref<?x?xf32, strided<[1, ?], offset: ?>>, %d: memref<?x?xf32, strided<[?, 1], offset: ?>>) {
  tile.gemm ins(%a, %b : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x?xf32, strided<[1, ?], offset: ?>>) outs(%d : memref<?x?xf32, strided<[?, 1], offset: ?>>)
  return
}

func.func @f32_rcc(%a: memref<?x?xf32, strided<[?, 1], offset: ?>>, %b: memref<?x?xf32, strided<[1, ?], offset: ?>>, %d: memref<?x?xf32, strided<[1, ?], offset: ?>>) {
  tile.gemm ins(%a, %b : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x?xf32, strided<[1, ?], offset: ?>>) outs(%d : memref<?x?xf32, strided<[1, ?], offset: ?>>)
  return
}

func.func @f32_crr(%a: memref<?x?xf32, strided<[1, ?], offset: ?>>, %b: memref<?x?xf32, strided<[?, 1], offset: ?>>, %d: memref<?x?xf32, strided<[?, 1], offset: ?>>) {
  tile.gemm ins(%a, %b : memref<?x?xf32, strided<[1, ?], offset: ?>>, memref<?x?xf32, strided<[?, 1], offset: ?>>) outs(%d : memref<?x?xf32, strided<[?, 1], offset: ?>>)
  return
}

func.func @f32_crc(%a: memref<?x?xf32, strided<[1, ?], offset: ?>>, %b: memref<?x?xf32, strided<[?, 1], offset: ?>>, %d: memref<?x?xf32, strided<[1, ?], offset: ?>>) {
  tile.gemm ins(%a, %b : memref<?x?xf32, strided<[1, ?], offset: ?>>, memref<?x?xf32, strided<[?, 1], offset: ?>>) outs(%d : memref<?x?xf32, strided<[1, ?], offset: ?>>)
  return
}

func.func @f32_ccr(%a: memref<?x?xf32, strided<[1, ?], offset: ?>>, %b: memref<?x?xf32, strided<[1, ?], offset: ?>>, %d: memref<?x?xf32, strided<[?, 1], offset: ?>>) {
  tile.gemm ins(%a, %b : memref<?x?xf32, strided<[1, ?], offset: ?>>, memref<?x?xf32, strided<[1, ?], offset: ?>>) outs(%d : memref<?x?xf32, strided<[?, 1], offset: ?>>)
  return
}

func.func @f32_ccc(%a: memref<?x?xf32, strided<[1, ?], offset: ?>>, %b: memref<?x?xf32, strided<[1, ?], offset: ?>>, %d: memref<?x?xf32, strided<[1, ?], offset: ?>>) {
  tile.gemm ins(%a, %b : memref<?x?xf32, strided<[1, ?], offset: ?>>, memref<?x?xf32, strided<[1, ?], offset: ?>>) outs(%d : memref<?x?xf32, strided<[1, ?], offset: ?>>)
  return
}

// Strides known at run time only, a result to add, scalars.
func.func @f32_any_strides(%a: memref<?x?xf32, strided<[?, ?], offset: ?>>, %b: memref<?x?xf32, strided<[?, ?], offset: ?>>, %c: memref<?x?xf32, strided<[?, ?], offset: ?>>, %d: memref<?x?xf32, strided<[?, ?], offset: ?>>, %s: f32) {
  tile.gemm ins(%a, %b, %c : memref<?x?xf32, strided<[?, ?], offset: ?>>, memref<?x?xf32, strided<[?, ?], offset: ?>>, memref<?x?xf32, strided<[?, ?], offset: ?>>) outs(%d : memref<?x?xf32, strided<[?, ?], offset: ?>>) alpha(%s : f32) beta(%s : f32)
  return
}

func.func @f32_batched(%a: memref<?x?x?xf32>, %b: memref<?x?xf32>, %d: memref<?x?x?xf32>) {
  tile.gemm ins(%a, %b : memref<?x?x?xf32>, memref<?x?xf32>) outs(%d : memref<?x?x?xf32>)
  return
}

func.func @f64_rrr(%a: memref<?x?xf64, strided<[?, 1], offset: ?>>, %b: memref<?x?xf64, strided<[?, 1], offset: ?>>, %d: memref<?x?xf64, strided<[?, 1], offset: ?>>) {
  tile.gemm ins(%a, %b : memref<?x?xf64, strided<[?, 1], offset: ?>>, memref<?x?xf64, strided<[?, 1], offset: ?>>) outs(%d : memref<?x?xf64, strided<[?, 1], offset: ?>>)
  return
}

func.func @f64_rrc(%a: memref<?x?xf64, strided<[?, 1], offset: ?>>, %b: memref<?x?xf64, strided<[?, 1], offset: ?>>, %d: memref<?x?xf64, strided<[1, ?], offset: ?>>) {
  tile.gemm ins(%a, %b : memref<?x?xf64, strided<[?, 1], offset: ?>>, memref<?x?xf64, strided<[?, 1], offset: ?>>) outs(%d : memref<?x?xf64, strided<[1, ?], offset: ?>>)
  return
}

func.func @f64_rcr(%a: memref<?x?xf64, strided<[?, 1], offset: ?>>, %b: memref<?x?xf64, strided<[1, ?], offset: ?>>, %d: memref<?x?xf64, strided<[?, 1], offset: ?>>) {
  tile.gemm ins(%a, %b : memref<?x?xf64, strided<[?, 1], offset: ?>>, memref<?x?xf64, strided<[1, ?], offset: ?>>) outs(%d : memref<?x?xf64, strided<[?, 1], offset: ?>>)
  return
}

func.func @f64_rcc(%a: memref<?x?xf64, strided<[?, 1], offset: ?>>, %b: memref<?x?xf64, strided<[1, ?], offset: ?>>, %d: memref<?x?xf64, strided<[1, ?], offset: ?>>) {
  tile.gemm ins(%a, %b : memref<?x?xf64, strided<[?, 1], offset: ?>>, memref<?x?xf64, strided<[1, ?], offset: ?>>) outs(%d : memref<?x?xf64, strided<[1, ?], offset: ?>>)
  return
}

func.func @f64_crr(%a: memref<?x?xf64, strided<[1, ?], offset: ?>>, %b: memref<?x?xf64, strided<[?, 1], offset: ?>>, %d: memref<?x?xf64, strided<[?, 1], offset: ?>>) {
  tile.gemm ins(%a, %b : memref<?x?xf64, strided<[1, ?], offset: ?>>, memref<?x?xf64, strided<[?, 1], offset: ?>>) outs(%d : memref<?x?xf64, strided<[?, 1], offset: ?>>)
  return
}

func.func @f64_crc(%a: memref<?x?xf64, strided<[1, ?], offset: ?>>, %b: memref<?x?xf64, strided<[?, 1], offset: ?>>, %d: memref<?x?xf64, strided<[1, ?], offset: ?>>) {
  tile.gemm ins(%a, %b : memref<?x?xf64, strided<[1, ?], offset: ?>>, memref<?x?xf64, strided<[?, 1], offset: ?>>) outs(%d : memref<?x?xf64, strided<[1, ?], offset: ?>>)
  return
}

func.func @f64_ccr(%a: memref<?x?xf64, strided<[1, ?], offset: ?>>, %b: memref<?x?xf64, strided<[1, ?], offset: ?>>, %d: memref<?x?xf64, strided<[?, 1], offset: ?>>) {
  tile.gemm ins(%a, %b : memref<?x?xf64, strided<[1, ?], offset: ?>>, memref<?x?xf64, strided<[1, ?], offset: ?>>) outs(%d : memref<?x?xf64, strided<[?, 1], offset: ?>>)
  return
}

func.func @f64_ccc(%a: memref<?x?xf64, strided<[1, ?], offset: ?>>, %b: memref<?x?xf64, strided<[1, ?], offset: ?>>, %d: memref<?x?xf64, strided<[1, ?], offset: ?>>) {
  tile.gemm ins(%a, %b : memref<?x?xf64, strided<[1, ?], offset: ?>>, memref<?x?xf64, strided<[1, ?], offset: ?>>) outs(%d : memref<?x?xf64, strided<[1, ?], offset: ?>>)
  return
}

// Strides known at run time only, a result to add, scalars.
func.func @f64_any_strides(%a: memref<?x?xf64, strided<[?, ?], offset: ?>>, %b: memref<?x?xf64, strided<[?, ?], offset: ?>>, %c: memref<?x?xf64, strided<[?, ?], offset: ?>>, %d: memref<?x?xf64, strided<[?, ?], offset: ?>>, %s: f64) {
  tile.gemm ins(%a, %b, %c : memref<?x?xf64, strided<[?, ?], offset: ?>>, memref<?x?xf64, strided<[?, ?], offset: ?>>, memref<?x?xf64, strided<[?, ?], offset: ?>>) outs(%d : memref<?x?xf64, strided<[?, ?], offset: ?>>) alpha(%s : f64) beta(%s : f64)
  return
}

func.func @f64_batched(%a: memref<?x?x?xf64>, %b: memref<?x?xf64>, %d: memref<?x?x?xf64>) {
  tile.gemm ins(%a, %b : memref<?x?x?xf64>, memref<?x?xf64>) outs(%d : memref<?x?x?xf64>)
  return
}

// Small extents: the schedule of 64 by 64 tiles.
func.func @f32_small(%a: memref<100x60xf32>, %b: memref<60x37xf32>, %d: memref<100x37xf32>) {
  tile.gemm ins(%a, %b : memref<100x60xf32>, memref<60x37xf32>) outs(%d : memref<100x37xf32>)
  return
}
