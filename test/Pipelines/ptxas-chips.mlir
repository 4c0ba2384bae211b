// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The chips in between: kernels of both element types that ptxas takes, without
// a spill.
// REQUIRES: ptxas
// RUN: tile-translate --mlir-to-ptx --chip=sm_86 %s -o %t.sm_86.ptx
// RUN: ptxas -arch=sm_86 -v %t.sm_86.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=CHECK --implicit-check-not="{{[1-9][0-9]*}} bytes spill" --implicit-check-not=warning --implicit-check-not="Potential Performance Loss"
// RUN: tile-translate --mlir-to-ptx --chip=sm_89 %s -o %t.sm_89.ptx
// RUN: ptxas -arch=sm_89 -v %t.sm_89.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=CHECK --implicit-check-not="{{[1-9][0-9]*}} bytes spill" --implicit-check-not=warning --implicit-check-not="Potential Performance Loss"
// RUN: tile-translate --mlir-to-ptx --chip=sm_90 %s -o %t.sm_90.ptx
// RUN: ptxas -arch=sm_90 -v %t.sm_90.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=CHECK --implicit-check-not="{{[1-9][0-9]*}} bytes spill" --implicit-check-not=warning --implicit-check-not="Potential Performance Loss"
// RUN: tile-translate --mlir-to-ptx --chip=sm_100 %s -o %t.sm_100.ptx
// RUN: ptxas -arch=sm_100 -v %t.sm_100.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=CHECK --implicit-check-not="{{[1-9][0-9]*}} bytes spill" --implicit-check-not=warning --implicit-check-not="Potential Performance Loss"

// CHECK-COUNT-9: 0 bytes spill stores, 0 bytes spill loads

!any = memref<?x?xf32, strided<[?, ?], offset: ?>>
func.func @f32_any_strides(%a: !any, %b: !any, %c: !any, %d: !any, %s: f32) {
  tile.gemm ins(%a, %b, %c : !any, !any, !any) outs(%d : !any) alpha(%s : f32) beta(%s : f32)
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
