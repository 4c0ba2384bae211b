// A gated layer: one product is SiLU of a GEMM, the other one a GEMM.
// CHECK-LABEL: func.func @gated(
// CHECK-COUNT-2: tile.gemm
// CHECK-NOT: tile.gemm
// SAME: @gated: {{[0-9]+}} launched, as upstream
// near: @gated
func.func @gated(%x: tensor<7x5xf32>, %w1: tensor<5x9xf32>, %w3: tensor<5x9xf32>) -> tensor<7x9xf32> {
  %zero = arith.constant 0.0 : f32
  %ones = arith.constant dense<1.0> : tensor<7x9xf32>
  %fe = tensor.empty() : tensor<7x9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%fe : tensor<7x9xf32>) -> tensor<7x9xf32>
  %g = linalg.matmul ins(%x, %w1 : tensor<7x5xf32>, tensor<5x9xf32>) outs(%f : tensor<7x9xf32>) -> tensor<7x9xf32>
  %u = linalg.matmul ins(%x, %w3 : tensor<7x5xf32>, tensor<5x9xf32>) outs(%f : tensor<7x9xf32>) -> tensor<7x9xf32>
  %n = linalg.negf ins(%g : tensor<7x9xf32>) outs(%fe : tensor<7x9xf32>) -> tensor<7x9xf32>
  %e = linalg.exp ins(%n : tensor<7x9xf32>) outs(%fe : tensor<7x9xf32>) -> tensor<7x9xf32>
  %d = linalg.add ins(%e, %ones : tensor<7x9xf32>, tensor<7x9xf32>) outs(%fe : tensor<7x9xf32>) -> tensor<7x9xf32>
  %s = linalg.div ins(%g, %d : tensor<7x9xf32>, tensor<7x9xf32>) outs(%fe : tensor<7x9xf32>) -> tensor<7x9xf32>
  %y = linalg.mul ins(%s, %u : tensor<7x9xf32>, tensor<7x9xf32>) outs(%fe : tensor<7x9xf32>) -> tensor<7x9xf32>
  return %y : tensor<7x9xf32>
}
