// torch.addmm: the bias is where the sum begins.
// CHECK-LABEL: func.func @addmm(
// CHECK-COUNT-1: tile.gemm
// CHECK-NOT: tile.gemm
// SAME: @addmm: {{[0-9]+}} launched, as upstream
func.func @addmm(%A: tensor<7x5xf32>, %B: tensor<5x9xf32>, %bias: tensor<9xf32>) -> tensor<7x9xf32> {
  %e = tensor.empty() : tensor<7x9xf32>
  %b = linalg.broadcast ins(%bias : tensor<9xf32>) outs(%e : tensor<7x9xf32>) dimensions = [0]
  %0 = linalg.matmul ins(%A, %B : tensor<7x5xf32>, tensor<5x9xf32>) outs(%b : tensor<7x9xf32>) -> tensor<7x9xf32>
  return %0 : tensor<7x9xf32>
}
