// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles that are no powers of two, and very flat ones, are legal schedules: the
// widest access that the threads divide is taken.
// RUN: tile-opt %s --tile-to-ptx="stop-after=kernels" | FileCheck %s
// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s --check-prefix=PTX

// CHECK-LABEL: func.func @three_by_three_warps
// CHECK: tile.launch [@gemm_0::@simt_96x96x24_rrr_v4{{[a-z0-9_]*}}, @gemm_0::@simt_96x96x24_rrr_v1{{[a-z0-9_]*}}]
func.func @three_by_three_warps(%a: memref<?x?xf32>, %d: memref<?x?xf32>) {
  tile.gemm ins(%a, %a : memref<?x?xf32>, memref<?x?xf32>) outs(%d : memref<?x?xf32>)
    schedule #tile.simt<tile = [96, 96, 24], warps = [3, 3], thread = [8, 4]>
  return
}

// CHECK-LABEL: func.func @flat
// CHECK: tile.launch [@gemm_1::@simt_4x8x256_rrr_v4
func.func @flat(%a: memref<?x?xf32>, %d: memref<?x?xf32>) {
  tile.gemm ins(%a, %a : memref<?x?xf32>, memref<?x?xf32>) outs(%d : memref<?x?xf32>)
    schedule #tile.simt<tile = [4, 8, 256], warps = [1, 1], thread = [1, 1]>
  return
}

// One element at a time is all that 32 threads can take of a tile of 32 by 1.
// CHECK-LABEL: func.func @one_step
// CHECK: tile.launch [@gemm_2::@simt_32x32x1_{{[a-z0-9_]*}}]
func.func @one_step(%a: memref<?x?xf32, strided<[1, ?]>>, %b: memref<?x?xf32>, %d: memref<?x?xf32>) {
  tile.gemm ins(%a, %b : memref<?x?xf32, strided<[1, ?]>>, memref<?x?xf32>) outs(%d : memref<?x?xf32>)
    schedule #tile.simt<tile = [32, 32, 1], warps = [1, 1], thread = [8, 4]>
  return
}

// CHECK: gpu.module @gemm_0
// CHECK: gpu.func @{{.*}}_v4{{.*}}known_block_size = array<i32: 288, 1, 1>
// CHECK: #tile.strip_mined<tile = [96, 24], contiguous = 1, threads = 288, elements = 4>

// PTX: .entry simt_96x96x24_rrr_v4
// PTX: .maxntid 288
// PTX: .entry simt_4x8x256_rrr_v4
// PTX: .maxntid 32
// PTX: .entry simt_32x32x1_
