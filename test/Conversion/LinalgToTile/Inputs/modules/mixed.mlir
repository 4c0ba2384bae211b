// Factors of bf16, a result of f32.
// CHECK-LABEL: func.func @mixed(
// CHECK-COUNT-1: tile.gemm
// CHECK-NOT: tile.gemm
// SAME: @mixed: {{[0-9]+}} launched, as upstream
func.func @mixed(%A: tensor<7x5xbf16>, %B: tensor<5x9xbf16>) -> tensor<7x9xf32> {
  %zero = arith.constant 0.0 : f32
  %fe = tensor.empty() : tensor<7x9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%fe : tensor<7x9xf32>) -> tensor<7x9xf32>
  %0 = linalg.matmul ins(%A, %B : tensor<7x5xbf16>, tensor<5x9xbf16>) outs(%f : tensor<7x9xf32>) -> tensor<7x9xf32>
  return %0 : tensor<7x9xf32>
}
