// Scores of heads, Q Kᵀ / 2, from projections in the order (batch, row, head, column):
// batch and head are no one index.
// CHECK-LABEL: func.func @attention_scores(
// CHECK-NOT: tile.gemm
// REMARK: remark: {{.*}}for the batch are one, but it would have to be copied
// REMARK: remark: {{.*}}expected a sum over an index
// SAME: @attention_scores: {{[0-9]+}} launched, as upstream
func.func @attention_scores(%Q: tensor<2x7x3x4xf32>, %K: tensor<2x7x3x4xf32>) -> tensor<2x3x7x7xf32> {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant dense<0.5> : tensor<2x3x7x7xf32>
  %fe = tensor.empty() : tensor<2x3x7x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%fe : tensor<2x3x7x7xf32>) -> tensor<2x3x7x7xf32>
  %0 = linalg.contract indexing_maps = [affine_map<(b, h, m, n, k) -> (b, m, h, k)>,
                                        affine_map<(b, h, m, n, k) -> (b, n, h, k)>,
                                        affine_map<(b, h, m, n, k) -> (b, h, m, n)>]
    ins(%Q, %K : tensor<2x7x3x4xf32>, tensor<2x7x3x4xf32>) outs(%f : tensor<2x3x7x7xf32>) -> tensor<2x3x7x7xf32>
  %1 = linalg.mul ins(%0, %half : tensor<2x3x7x7xf32>, tensor<2x3x7x7xf32>) outs(%fe : tensor<2x3x7x7xf32>) -> tensor<2x3x7x7xf32>
  return %1 : tensor<2x3x7x7xf32>
}
