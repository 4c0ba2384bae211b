// bf16.
!a = memref<?x?xbf16, strided<[?, 1]>>
func.func @gemm(%A: !a, %B: !a, %D: !a) {
  tile.gemm ins(%A, %B : !a, !a) outs(%D : !a)
  return
}
