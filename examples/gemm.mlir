// D = alpha * A * B + beta * C on row-major float32 matrices of any size.
//
//   tile-run gemm.mlir --random 512,384,256 --check
//   tile-run gemm.mlir --arg data/a.npy --arg data/b.npy --arg data/c.npy --out d.npy
//
// A matrix is a memref, MLIR's type for memory with a shape. Each `?` is a number
// that is known only when the kernel is launched: here the two extents, the
// distance between rows (the pitch, so that a matrix may be a part of a larger
// one) and the offset. The 1 says that a row's elements lie side by side:
// row-major. `strided<[1, ?], offset: ?>` would be column-major.
!matrix = memref<?x?xf32, strided<[?, 1], offset: ?>>

// The function is an entry: tile-run, and the runtime's C API, launch it by its
// name. Its arguments become theirs, in this order.
func.func @gemm(%A: !matrix, %B: !matrix, %C: !matrix, %D: !matrix,
                %alpha: f32, %beta: f32) {
  // What to compute. How is up to the schedule, which is chosen from the types
  // and the target unless one is given here or with --schedule.
  tile.gemm ins(%A, %B, %C : !matrix, !matrix, !matrix) outs(%D : !matrix)
    alpha(%alpha : f32) beta(%beta : f32)
  return
}
