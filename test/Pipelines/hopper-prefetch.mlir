// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With programmatic_launch = prefetch, the producer fetches what its block alone will load before
// it waits for the grids in front; with 1, nothing.
// RUN: tile-opt %s --tile-to-ptx="chip=sm_90a stop-after=kernels" | FileCheck %s

// CHECK-LABEL: gpu.module @gemm_0
// CHECK: nvvm.elect.sync
// CHECK: arith.cmpi eq, %{{.*}}, %c1_i32
// CHECK-COUNT-3: tile.tma_prefetch %{{.*}} contiguous(1)
// CHECK: arith.cmpi eq, %{{.*}}, %c1_i32
// CHECK-COUNT-3: tile.tma_prefetch %{{.*}} contiguous(1)
// CHECK-NOT: tile.tma_prefetch
// CHECK: nvvm.griddepcontrol wait
// CHECK: tile.tma_load
// CHECK-LABEL: gpu.module @gemm_1
// CHECK-NOT: tile.tma_prefetch
// CHECK: nvvm.griddepcontrol wait

!a = memref<?x?xbf16, strided<[?, 1], offset: ?>>
!b = memref<?x?xbf16, strided<[1, ?], offset: ?>>
func.func @fetches(%a: !a, %b: !b, %d: !a) {
  tile.gemm ins(%a, %b : !a, !b) outs(%d : !a)
    schedule #tile.warp_specialized<tile = [64, 64, 0], stages = 3, consumers = 1, programmatic_launch = prefetch>
  return
}
func.func @waits(%a: !a, %b: !b, %d: !a) {
  tile.gemm ins(%a, %b : !a, !b) outs(%d : !a)
    schedule #tile.warp_specialized<tile = [64, 64, 0], stages = 3, consumers = 1>
  return
}
