// D is A, which is not allowed.
!matrix = memref<?x?xf32, strided<[?, 1], offset: ?>>
func.func @gemm(%A: !matrix, %B: !matrix, %alpha: f32) {
  tile.gemm ins(%A, %B : !matrix, !matrix) outs(%A : !matrix) alpha(%alpha : f32)
  return
}
