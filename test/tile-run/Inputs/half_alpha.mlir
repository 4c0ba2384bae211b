// f16, scaled by alpha.
!h = memref<?x?xf16, strided<[?, 1]>>
func.func @gemm(%A: !h, %B: !h, %D: !h, %alpha: f32) {
  tile.gemm ins(%A, %B : !h, !h) outs(%D : !h) alpha(%alpha : f32)
  return
}
