// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A warp-specialised kernel is launched beside the one in front of it: the
// thread that copies A and B waits for that one, and so do the consumers, which
// read C and write D. The next one may be set up once the last tile is copied.
// RUN: tile-opt %s --tile-to-ptx="chip=sm_90a stop-after=kernels" | FileCheck %s

// CHECK-LABEL: gpu.func @ws_
// CHECK-NOT: tile.tma_load
// CHECK: nvvm.griddepcontrol wait
// CHECK: tile.tma_load
// CHECK: nvvm.griddepcontrol launch_dependents
// CHECK-NOT: tile.tma_load
// CHECK-NOT: tile.warpgroup_mma
// CHECK-NOT: tile.iterator_
// CHECK: nvvm.griddepcontrol wait
// CHECK: tile.warpgroup_mma
// CHECK-NOT: nvvm.griddepcontrol
// CHECK-LABEL: gpu.func @pack
func.func @gemm(%A: memref<4096x1024xbf16, strided<[1024, 1]>>, %B: memref<1024x4096xbf16, strided<[1, 1024]>>, %D: memref<4096x4096xbf16, strided<[4096, 1]>>) {
  tile.gemm ins(%A, %B : memref<4096x1024xbf16, strided<[1024, 1]>>, memref<1024x4096xbf16, strided<[1, 1024]>>) outs(%D : memref<4096x4096xbf16, strided<[4096, 1]>>)
    schedule #tile.warp_specialized<tile = [128, 128, 64], stages = 4>
  return
}
