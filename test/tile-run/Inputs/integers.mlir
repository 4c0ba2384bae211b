// Operands of i8, sums of i32.
!i = memref<?x?xi8, strided<[?, 1]>>
!j = memref<?x?xi8, strided<[1, ?]>>
!d = memref<?x?xi32, strided<[?, 1]>>
func.func @gemm(%A: !i, %B: !j, %D: !d) {
  tile.gemm ins(%A, %B : !i, !j) outs(%D : !d)
  return
}
