// A has 32 columns, B has 48 rows.
func.func @gemm(%A: memref<64x32xf32>, %B: memref<48x16xf32>, %D: memref<64x16xf32>) {
  tile.gemm ins(%A, %B : memref<64x32xf32>, memref<48x16xf32>) outs(%D : memref<64x16xf32>)
  return
}
