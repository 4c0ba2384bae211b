// Elements of A share addresses: (0, 2) and (1, 0) do.
!a = memref<3x4xf32, strided<[2, 1]>>
!b = memref<4x2xf32>
!d = memref<3x2xf32>
func.func @gemm(%A: !a, %B: !b, %D: !d) {
  tile.gemm ins(%A, %B : !a, !b) outs(%D : !d)
  return
}
