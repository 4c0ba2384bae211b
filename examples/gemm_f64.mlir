// D = A * B on row-major float64 matrices: no C, and alpha is 1.
//
//   tile-run gemm_f64.mlir --random 200,100,300 --check
!matrix = memref<?x?xf64, strided<[?, 1], offset: ?>>

func.func @gemm(%A: !matrix, %B: !matrix, %D: !matrix) {
  tile.gemm ins(%A, %B : !matrix, !matrix) outs(%D : !matrix)
  return
}
