// A plain matmul.
// CHECK-LABEL: func.func @matmul(
// CHECK-COUNT-1: tile.gemm
// CHECK-NOT: tile.gemm
// SAME: @matmul: {{[0-9]+}} launched, as upstream
func.func @matmul(%A: tensor<7x5xf32>, %B: tensor<5x9xf32>) -> tensor<7x9xf32> {
  %zero = arith.constant 0.0 : f32
  %fe = tensor.empty() : tensor<7x9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%fe : tensor<7x9xf32>) -> tensor<7x9xf32>
  %0 = linalg.matmul ins(%A, %B : tensor<7x5xf32>, tensor<5x9xf32>) outs(%f : tensor<7x9xf32>) -> tensor<7x9xf32>
  return %0 : tensor<7x9xf32>
}
