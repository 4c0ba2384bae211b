// E = (A * B) * C through the column-major intermediate D; and a second entry.
!row = memref<?x?xf32, strided<[?, 1], offset: ?>>
!column = memref<?x?xf32, strided<[1, ?], offset: ?>>
!double = memref<?x?xf64>
func.func @chain(%A: !row, %B: !row, %C: !row, %D: !column, %E: !row) {
  tile.gemm ins(%A, %B : !row, !row) outs(%D : !column)
  tile.gemm ins(%D, %C : !column, !row) outs(%E : !row)
  return
}
func.func @double(%A: !double, %B: !double, %D: !double) {
  tile.gemm ins(%A, %B : !double, !double) outs(%D : !double)
  return
}
