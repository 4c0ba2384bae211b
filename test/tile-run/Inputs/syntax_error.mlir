// The closing parenthesis of ins is missing.
func.func @gemm(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %D: memref<?x?xf32>) {
  tile.gemm ins(%A, %B : memref<?x?xf32>, memref<?x?xf32> outs(%D : memref<?x?xf32>)
  return
}
