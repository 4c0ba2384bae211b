// A weight that is stored the other way round.
// CHECK-LABEL: func.func @transposed_weight(
// CHECK-COUNT-1: tile.gemm
// CHECK-NOT: tile.gemm
// SAME: @transposed_weight: {{[0-9]+}} launched, as upstream
func.func @transposed_weight(%A: tensor<7x5xf32>, %W: tensor<9x5xf32>) -> tensor<7x9xf32> {
  %zero = arith.constant 0.0 : f32
  %be = tensor.empty() : tensor<5x9xf32>
  %B = linalg.transpose ins(%W : tensor<9x5xf32>) outs(%be : tensor<5x9xf32>) permutation = [1, 0]
  %fe = tensor.empty() : tensor<7x9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%fe : tensor<7x9xf32>) -> tensor<7x9xf32>
  %0 = linalg.matmul ins(%A, %B : tensor<7x5xf32>, tensor<5x9xf32>) outs(%f : tensor<7x9xf32>) -> tensor<7x9xf32>
  return %0 : tensor<7x9xf32>
}
