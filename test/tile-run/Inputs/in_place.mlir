// D is C: the product is added in place.
!matrix = memref<?x?xf32, strided<[?, 1], offset: ?>>
func.func @gemm(%A: !matrix, %B: !matrix, %C: !matrix, %beta: f32) {
  tile.gemm ins(%A, %B, %C : !matrix, !matrix, !matrix) outs(%C : !matrix) beta(%beta : f32)
  return
}
