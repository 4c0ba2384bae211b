// D = relu(A * B + bias)
!matrix = memref<?x?xf32, strided<[?, 1], offset: ?>>
func.func @layer(%A: !matrix, %B: !matrix, %bias: memref<?xf32>, %D: !matrix) {
  tile.gemm ins(%A, %B : !matrix, !matrix) outs(%D : !matrix)
    epilogue(%bias[n] : memref<?xf32>) {
    ^bb0(%sum: f32, %b: f32):
      %zero = arith.constant 0.0 : f32
      %shifted = arith.addf %sum, %b : f32
      %result = arith.maximumf %shifted, %zero : f32
      tile.yield %result : f32
    }
  return
}
