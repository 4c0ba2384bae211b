// A matmul that adds to its result.
// CHECK-LABEL: func.func @matmul_added(
// CHECK-COUNT-1: tile.gemm
// CHECK-NOT: tile.gemm
// SAME: @matmul_added: {{[0-9]+}} launched, as upstream
func.func @matmul_added(%A: tensor<7x5xf32>, %B: tensor<5x9xf32>, %C: tensor<7x9xf32>) -> tensor<7x9xf32> {
  %0 = linalg.matmul ins(%A, %B : tensor<7x5xf32>, tensor<5x9xf32>) outs(%C : tensor<7x9xf32>) -> tensor<7x9xf32>
  return %0 : tensor<7x9xf32>
}
