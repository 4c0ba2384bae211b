// Integer matrices.
func.func @gemm(%A: memref<?x?xi32>, %B: memref<?x?xi32>, %D: memref<?x?xi32>) {
  tile.gemm ins(%A, %B : memref<?x?xi32>, memref<?x?xi32>) outs(%D : memref<?x?xi32>)
  return
}
