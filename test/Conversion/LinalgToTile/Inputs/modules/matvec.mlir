// A matrix times a vector, and a bias.
// CHECK-LABEL: func.func @matvec(
// CHECK-COUNT-1: tile.gemm
// CHECK-NOT: tile.gemm
// SAME: @matvec: {{[0-9]+}} launched, as upstream
func.func @matvec(%A: tensor<7x5xf32>, %x: tensor<5xf32>, %b: tensor<7xf32>) -> tensor<7xf32> {
  %zero = arith.constant 0.0 : f32
  %fe = tensor.empty() : tensor<7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%fe : tensor<7xf32>) -> tensor<7xf32>
  %h = linalg.matvec ins(%A, %x : tensor<7x5xf32>, tensor<5xf32>) outs(%f : tensor<7xf32>) -> tensor<7xf32>
  %y = linalg.add ins(%h, %b : tensor<7xf32>, tensor<7xf32>) outs(%fe : tensor<7xf32>) -> tensor<7xf32>
  return %y : tensor<7xf32>
}
