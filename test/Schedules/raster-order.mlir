// The order of tiles: `n` counts groups of columns and walks the rows of each, `m` the
// other way round. Results are the same, what the caches hold is not.
// RUN: %tile-opt %s --tile-to-ptx="chip=sm_90a stop-after=kernels" | FileCheck %s --check-prefixes=CHECK,N
// RUN: sed 's/raster_order = n/raster_order = m/' %s | %tile-opt --tile-to-ptx="chip=sm_90a stop-after=kernels" | FileCheck %s --check-prefixes=CHECK,M

// CHECK: gpu.func @multistage_128x64x32
// CHECK: arith.divui %{{.*}}, %c128 : index
// CHECK: %[[ROWS:.*]] = arith.index_castui {{.*}} : index to i32
// CHECK: arith.divui %{{.*}}, %c64 : index
// CHECK: %[[COLUMNS:.*]] = arith.index_castui {{.*}} : index to i32
// CHECK: %[[BLOCK:.*]] = arith.index_castui %block_id_x
// CHECK: %[[FOUR:.*]] = arith.constant 4 : i32
// N: %[[GROUP:.*]] = arith.minui %[[COLUMNS]], %[[FOUR]]
// N: arith.muli %[[ROWS]], %[[GROUP]]
// M: %[[GROUP:.*]] = arith.minui %[[ROWS]], %[[FOUR]]
// M: arith.muli %[[COLUMNS]], %[[GROUP]]
!a = memref<?x?xbf16, strided<[?, 1], offset: ?>>
!d = memref<?x?xf32, strided<[?, 1], offset: ?>>
func.func @gemm(%A: !a, %B: !a, %D: !d) {
  tile.gemm ins(%A, %B : !a, !a) outs(%D : !d)
    schedule #tile.multistage<tile = [128, 64, 32], warps = [2, 2], stages = 3, swizzle_size = 4, raster_order = n>
  return
}
