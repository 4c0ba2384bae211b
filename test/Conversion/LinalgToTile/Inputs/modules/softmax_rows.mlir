// The largest of each row is no element-wise operation.
// CHECK-LABEL: func.func @softmax_rows(
// CHECK-COUNT-1: tile.gemm
// CHECK-NOT: tile.gemm
// REMARK: remark: {{.*}}expected 2 inputs and 1 result, but got 1 and 1
// SAME: @softmax_rows: {{[0-9]+}} launched, as upstream
func.func @softmax_rows(%A: tensor<7x5xf32>, %B: tensor<5x9xf32>) -> tensor<7xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0e30 : f32
  %fe = tensor.empty() : tensor<7x9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%fe : tensor<7x9xf32>) -> tensor<7x9xf32>
  %h = linalg.matmul ins(%A, %B : tensor<7x5xf32>, tensor<5x9xf32>) outs(%f : tensor<7x9xf32>) -> tensor<7x9xf32>
  %re = tensor.empty() : tensor<7xf32>
  %r = linalg.fill ins(%low : f32) outs(%re : tensor<7xf32>) -> tensor<7xf32>
  %m = linalg.reduce { arith.maximumf } ins(%h : tensor<7x9xf32>) outs(%r : tensor<7xf32>) dimensions = [1]
  return %m : tensor<7xf32>
}
