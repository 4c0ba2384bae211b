// One left operand for a batch.
// CHECK-LABEL: func.func @broadcast_left(
// CHECK-COUNT-1: tile.gemm
// CHECK-NOT: tile.gemm
// SAME: @broadcast_left: {{[0-9]+}} launched, as upstream
func.func @broadcast_left(%X: tensor<7x5xf32>, %B: tensor<3x5x9xf32>) -> tensor<3x7x9xf32> {
  %zero = arith.constant 0.0 : f32
  %ae = tensor.empty() : tensor<3x7x5xf32>
  %A = linalg.broadcast ins(%X : tensor<7x5xf32>) outs(%ae : tensor<3x7x5xf32>) dimensions = [0]
  %fe = tensor.empty() : tensor<3x7x9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%fe : tensor<3x7x9xf32>) -> tensor<3x7x9xf32>
  %0 = linalg.batch_matmul ins(%A, %B : tensor<3x7x5xf32>, tensor<3x5x9xf32>) outs(%f : tensor<3x7x9xf32>) -> tensor<3x7x9xf32>
  return %0 : tensor<3x7x9xf32>
}
