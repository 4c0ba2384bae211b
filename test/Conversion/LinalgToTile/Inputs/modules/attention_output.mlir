// The output projection, with the residual.
// CHECK-LABEL: func.func @attention_output(
// CHECK-COUNT-1: tile.gemm
// CHECK-NOT: tile.gemm
// SAME: @attention_output: {{[0-9]+}} launched, as upstream
func.func @attention_output(%x: tensor<7x5xf32>, %w: tensor<5x9xf32>, %residual: tensor<7x9xf32>) -> tensor<7x9xf32> {
  %zero = arith.constant 0.0 : f32
  %fe = tensor.empty() : tensor<7x9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%fe : tensor<7x9xf32>) -> tensor<7x9xf32>
  %h = linalg.matmul ins(%x, %w : tensor<7x5xf32>, tensor<5x9xf32>) outs(%f : tensor<7x9xf32>) -> tensor<7x9xf32>
  %y = linalg.add ins(%h, %residual : tensor<7x9xf32>, tensor<7x9xf32>) outs(%fe : tensor<7x9xf32>) -> tensor<7x9xf32>
  return %y : tensor<7x9xf32>
}
