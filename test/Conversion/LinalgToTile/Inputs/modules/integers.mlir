// Factors of i8, sums of i32.
// CHECK-LABEL: func.func @integers(
// CHECK-COUNT-1: tile.gemm
// CHECK-NOT: tile.gemm
// SAME: @integers: {{[0-9]+}} launched, as upstream
func.func @integers(%A: tensor<7x5xi8>, %B: tensor<5x9xi8>) -> tensor<7x9xi32> {
  %zero = arith.constant 0 : i32
  %fe = tensor.empty() : tensor<7x9xi32>
  %f = linalg.fill ins(%zero : i32) outs(%fe : tensor<7x9xi32>) -> tensor<7x9xi32>
  %0 = linalg.matmul ins(%A, %B : tensor<7x5xi8>, tensor<5x9xi8>) outs(%f : tensor<7x9xi32>) -> tensor<7x9xi32>
  return %0 : tensor<7x9xi32>
}
