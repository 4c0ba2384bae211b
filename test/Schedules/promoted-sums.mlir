// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Promoted sums: each block of K starts from zero on the tensor cores, its sums
// are added in registers; tiles leave room for both, and consumers work at once.
// RUN: tile-opt %s --tile-to-ptx="chip=sm_90a stop-after=kernels" | FileCheck %s
// RUN: tile-opt %s --tile-select-schedule=chip=sm_90a | FileCheck %s --check-prefix=CHOSEN
// RUN: not tile-opt %s --tile-to-ptx="chip=sm_90a schedule=#tile.warp_specialized<tile=[128,256,0],stages=3>" 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: not tile-opt %s --tile-to-ptx="chip=sm_90a schedule=#tile.warp_specialized<tile=[128,128,256],stages=2>" 2>&1 | FileCheck %s --check-prefix=DEEP

// CHOSEN: schedule #tile.warp_specialized<tile = [128, {{[0-9]+}}, 0], stages = {{[0-9]+}}> reason
// CHECK: scf.for {{.*}} iter_args({{.*}} -> (vector<{{.*}}xf32>
// CHECK: %[[ACC:.*]] = tile.warpgroup_mma %{{[^,]*}}, %{{[^,]*}} :
// CHECK: tile.warpgroup_wait
// CHECK: arith.addf {{.*}} : vector<
// CHECK: scf.yield
// WIDE: error: 'tile.gemm' op cannot use the schedule {{.*}}: expected at most 200 registers of a thread for accumulators and promoted sums, but got twice 128
// DEEP: error: 'tile.gemm' op cannot use the schedule {{.*}}: expected K of the tile to be at most 128 for promoted sums, but got 256
!a = memref<8192x8192xf8E4M3FN>
!b = memref<8192x8192xf8E4M3FN, strided<[1, 8192]>>
!d = memref<8192x8192xbf16>
func.func @gemm(%A: !a, %B: !b, %D: !d) {
  tile.gemm ins(%A, %B : !a, !b) outs(%D : !d) promoted_sums
  return
}
