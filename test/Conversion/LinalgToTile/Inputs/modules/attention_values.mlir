// Scores of one sequence times values, by heads.
// CHECK-LABEL: func.func @attention_values(
// CHECK-COUNT-1: tile.gemm
// CHECK-NOT: tile.gemm
// SAME: @attention_values: {{[0-9]+}} launched, as upstream
func.func @attention_values(%P: tensor<3x7x7xf32>, %V: tensor<7x3x4xf32>) -> tensor<7x3x4xf32> {
  %zero = arith.constant 0.0 : f32
  %fe = tensor.empty() : tensor<7x3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%fe : tensor<7x3x4xf32>) -> tensor<7x3x4xf32>
  %0 = linalg.contract indexing_maps = [affine_map<(h, m, n, k) -> (h, m, k)>,
                                        affine_map<(h, m, n, k) -> (k, h, n)>,
                                        affine_map<(h, m, n, k) -> (m, h, n)>]
    ins(%P, %V : tensor<3x7x7xf32>, tensor<7x3x4xf32>) outs(%f : tensor<7x3x4xf32>) -> tensor<7x3x4xf32>
  return %0 : tensor<7x3x4xf32>
}
