// The three projections of an attention layer, with biases.
// CHECK-LABEL: func.func @attention_projections(
// CHECK-COUNT-3: tile.gemm
// CHECK-NOT: tile.gemm
// SAME: @attention_projections: {{[0-9]+}} launched, as upstream
func.func @attention_projections(%x: tensor<2x7x6xf32>, %wq: tensor<6x8xf32>, %wk: tensor<6x8xf32>, %wv: tensor<6x8xf32>, %bq: tensor<8xf32>, %bk: tensor<8xf32>, %bv: tensor<8xf32>) -> (tensor<2x7x8xf32>, tensor<2x7x8xf32>, tensor<2x7x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %fe = tensor.empty() : tensor<2x7x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%fe : tensor<2x7x8xf32>) -> tensor<2x7x8xf32>
  %q0 = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%x, %wq : tensor<2x7x6xf32>, tensor<6x8xf32>) outs(%f : tensor<2x7x8xf32>) -> tensor<2x7x8xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (n)>, affine_map<(b, m, n) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%q0, %bq : tensor<2x7x8xf32>, tensor<8xf32>) outs(%fe : tensor<2x7x8xf32>) {
  ^bb0(%i_v: f32, %i_w: f32, %i_o: f32):
    %i_s = arith.addf %i_v, %i_w : f32
    linalg.yield %i_s : f32
  } -> tensor<2x7x8xf32>
  %k0 = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%x, %wk : tensor<2x7x6xf32>, tensor<6x8xf32>) outs(%f : tensor<2x7x8xf32>) -> tensor<2x7x8xf32>
  %k = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (n)>, affine_map<(b, m, n) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%k0, %bk : tensor<2x7x8xf32>, tensor<8xf32>) outs(%fe : tensor<2x7x8xf32>) {
  ^bb0(%i_v: f32, %i_w: f32, %i_o: f32):
    %i_s = arith.addf %i_v, %i_w : f32
    linalg.yield %i_s : f32
  } -> tensor<2x7x8xf32>
  %v0 = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%x, %wv : tensor<2x7x6xf32>, tensor<6x8xf32>) outs(%f : tensor<2x7x8xf32>) -> tensor<2x7x8xf32>
  %v = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (n)>, affine_map<(b, m, n) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%v0, %bv : tensor<2x7x8xf32>, tensor<8xf32>) outs(%fe : tensor<2x7x8xf32>) {
  ^bb0(%i_v: f32, %i_w: f32, %i_o: f32):
    %i_s = arith.addf %i_v, %i_w : f32
    linalg.yield %i_s : f32
  } -> tensor<2x7x8xf32>
  return %q, %k, %v : tensor<2x7x8xf32>, tensor<2x7x8xf32>, tensor<2x7x8xf32>
}
