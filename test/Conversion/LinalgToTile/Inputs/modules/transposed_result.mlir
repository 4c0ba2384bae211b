// A result that is written the other way round.
// CHECK-LABEL: func.func @transposed_result(
// CHECK-COUNT-1: tile.gemm
// CHECK-NOT: tile.gemm
// SAME: @transposed_result: {{[0-9]+}} launched, as upstream
func.func @transposed_result(%A: tensor<7x5xf32>, %B: tensor<5x9xf32>) -> tensor<9x7xf32> {
  %zero = arith.constant 0.0 : f32
  %fe = tensor.empty() : tensor<7x9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%fe : tensor<7x9xf32>) -> tensor<7x9xf32>
  %0 = linalg.matmul ins(%A, %B : tensor<7x5xf32>, tensor<5x9xf32>) outs(%f : tensor<7x9xf32>) -> tensor<7x9xf32>
  %de = tensor.empty() : tensor<9x7xf32>
  %1 = linalg.transpose ins(%0 : tensor<7x9xf32>) outs(%de : tensor<9x7xf32>) permutation = [1, 0]
  return %1 : tensor<9x7xf32>
}
