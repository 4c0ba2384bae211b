// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GEMMs of integers for which the cost model likes tiles that wgmma has not.
func.func @integers_0(%A: memref<6144x6144xi8>, %B: memref<6144x6144xi8, strided<[1, 6144]>>, %D: memref<6144x6144xi32>) {
  tile.gemm ins(%A, %B : memref<6144x6144xi8>, memref<6144x6144xi8, strided<[1, 6144]>>) outs(%D : memref<6144x6144xi32>)
  return
}
func.func @integers_1(%A: memref<8192x1024xi8>, %B: memref<1024x8192xi8, strided<[1, 1024]>>, %D: memref<8192x8192xi32>) {
  tile.gemm ins(%A, %B : memref<8192x1024xi8>, memref<1024x8192xi8, strided<[1, 1024]>>) outs(%D : memref<8192x8192xi32>)
  return
}
func.func @integers_2(%A: memref<64x4096xi8>, %B: memref<4096x128256xi8, strided<[1, 4096]>>, %D: memref<64x128256xi32>) {
  tile.gemm ins(%A, %B : memref<64x4096xi8>, memref<4096x128256xi8, strided<[1, 4096]>>) outs(%D : memref<64x128256xi32>)
  return
}
