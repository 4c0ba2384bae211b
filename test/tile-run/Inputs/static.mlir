// Extents and pitch are part of the types.
!a = memref<72x56xf32, strided<[64, 1]>>
!b = memref<56x88xf32>
!d = memref<72x88xf32>
func.func @gemm(%A: !a, %B: !b, %D: !d) {
  tile.gemm ins(%A, %B : !a, !b) outs(%D : !d)
  return
}
