// D[i] = A[i] * B for a batch of matrices: the leading dimension counts them. B
// has none and is shared by all.
//
//   tile-run gemm_batched.mlir --random 60,50,40,7 --check
!batch = memref<?x?x?xf32, strided<[?, ?, 1], offset: ?>>
!matrix = memref<?x?xf32, strided<[?, 1], offset: ?>>

func.func @gemm(%A: !batch, %B: !matrix, %D: !batch) {
  tile.gemm ins(%A, %B : !batch, !matrix) outs(%D : !batch)
  return
}
