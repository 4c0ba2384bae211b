// A batch with transposed right operands.
// CHECK-LABEL: func.func @batched_transposed(
// CHECK-COUNT-1: tile.gemm
// CHECK-NOT: tile.gemm
// SAME: @batched_transposed: {{[0-9]+}} launched, as upstream
func.func @batched_transposed(%A: tensor<3x7x5xf32>, %W: tensor<3x9x5xf32>) -> tensor<3x7x9xf32> {
  %zero = arith.constant 0.0 : f32
  %be = tensor.empty() : tensor<3x5x9xf32>
  %B = linalg.transpose ins(%W : tensor<3x9x5xf32>) outs(%be : tensor<3x5x9xf32>) permutation = [0, 2, 1]
  %fe = tensor.empty() : tensor<3x7x9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%fe : tensor<3x7x9xf32>) -> tensor<3x7x9xf32>
  %0 = linalg.batch_matmul ins(%A, %B : tensor<3x7x5xf32>, tensor<3x5x9xf32>) outs(%f : tensor<3x7x9xf32>) -> tensor<3x7x9xf32>
  return %0 : tensor<3x7x9xf32>
}
