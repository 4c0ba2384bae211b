// The problem is in a private function, which is no entry.
!a = memref<?x?xf32, strided<[?, 1]>>
func.func private @inner(%A: !a, %B: !a, %D: !a) {
  tile.gemm ins(%A, %B : !a, !a) outs(%D : !a)
  return
}
func.func @gemm(%A: !a, %B: !a, %D: !a) {
  call @inner(%A, %B, %D) : (!a, !a, !a) -> ()
  return
}
