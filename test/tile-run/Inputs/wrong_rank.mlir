// A is a vector.
func.func @gemm(%A: memref<?xf32>, %B: memref<?x?xf32>, %D: memref<?x?xf32>) {
  tile.gemm ins(%A, %B : memref<?xf32>, memref<?x?xf32>) outs(%D : memref<?x?xf32>)
  return
}
