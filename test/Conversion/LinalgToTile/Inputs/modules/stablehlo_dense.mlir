// StableHLO: dot_general, broadcast_in_dim, add and maximum.
// CHECK-LABEL: func.func @stablehlo_dense(
// CHECK-COUNT-1: tile.gemm
// CHECK-NOT: tile.gemm
// SAME: @stablehlo_dense: {{[0-9]+}} launched, as upstream
func.func @stablehlo_dense(%x: tensor<7x5xf32>, %w: tensor<5x9xf32>, %b: tensor<9xf32>) -> tensor<7x9xf32> {
  %zero = arith.constant 0.0 : f32
  %fe = tensor.empty() : tensor<7x9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%fe : tensor<7x9xf32>) -> tensor<7x9xf32>
  %h = linalg.matmul ins(%x, %w : tensor<7x5xf32>, tensor<5x9xf32>) outs(%f : tensor<7x9xf32>) -> tensor<7x9xf32>
  %be = tensor.empty() : tensor<7x9xf32>
  %bb = linalg.broadcast ins(%b : tensor<9xf32>) outs(%be : tensor<7x9xf32>) dimensions = [0]
  %se = tensor.empty() : tensor<7x9xf32>
  %s = linalg.map { arith.addf } ins(%h, %bb : tensor<7x9xf32>, tensor<7x9xf32>) outs(%se : tensor<7x9xf32>)
  %c = arith.constant dense<0.0> : tensor<7x9xf32>
  %me = tensor.empty() : tensor<7x9xf32>
  %m = linalg.map { arith.maximumf } ins(%s, %c : tensor<7x9xf32>, tensor<7x9xf32>) outs(%me : tensor<7x9xf32>)
  return %m : tensor<7x9xf32>
}
