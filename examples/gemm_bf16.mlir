// D = A * B on row-major bfloat16 matrices, with sums in float32: on an H100 or H200
// the tensor cores compute it, elsewhere the fused multiply-add units.
//
//   tile-run gemm_bf16.mlir --random 512,384,256 --check
!factor = memref<?x?xbf16, strided<[?, 1], offset: ?>>
!result = memref<?x?xf32, strided<[?, 1], offset: ?>>

func.func @gemm(%A: !factor, %B: !factor, %D: !result) {
  tile.gemm ins(%A, %B : !factor, !factor) outs(%D : !result)
  return
}
