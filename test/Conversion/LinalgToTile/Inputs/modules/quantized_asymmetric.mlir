// Zero points that are not 0 are no part of a GEMM.
// CHECK-LABEL: func.func @quantized_asymmetric(
// CHECK-NOT: tile.gemm
// REMARK: remark: {{.*}}expected zero points that are the constant 0
// SAME: @quantized_asymmetric: {{[0-9]+}} launched, as upstream
func.func @quantized_asymmetric(%A: tensor<7x5xi8>, %B: tensor<5x9xi8>) -> tensor<7x9xi32> {
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %fe = tensor.empty() : tensor<7x9xi32>
  %f = linalg.fill ins(%zero : i32) outs(%fe : tensor<7x9xi32>) -> tensor<7x9xi32>
  %0 = linalg.quantized_matmul ins(%A, %B, %three, %zero : tensor<7x5xi8>, tensor<5x9xi8>, i32, i32) outs(%f : tensor<7x9xi32>) -> tensor<7x9xi32>
  return %0 : tensor<7x9xi32>
}
