// Two layers with biases, GELU by erf between them.
// CHECK-LABEL: func.func @mlp_gelu(
// CHECK-COUNT-2: tile.gemm
// CHECK-NOT: tile.gemm
// SAME: @mlp_gelu: {{[0-9]+}} launched, as upstream
// near: @mlp_gelu
func.func @mlp_gelu(%x: tensor<7x5xf32>, %w1: tensor<5x9xf32>, %b1: tensor<9xf32>, %w2: tensor<9x4xf32>, %b2: tensor<4xf32>) -> tensor<7x4xf32> {
  %zero = arith.constant 0.0 : f32
  %fe = tensor.empty() : tensor<7x9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%fe : tensor<7x9xf32>) -> tensor<7x9xf32>
  %h = linalg.matmul ins(%x, %w1 : tensor<7x5xf32>, tensor<5x9xf32>) outs(%f : tensor<7x9xf32>) -> tensor<7x9xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%h, %b1 : tensor<7x9xf32>, tensor<9xf32>) outs(%fe : tensor<7x9xf32>) {
  ^bb0(%i_x: f32, %i_b: f32, %i_o: f32):
    %i_half = arith.constant 0.5 : f32
    %i_one = arith.constant 1.0 : f32
    %i_root = arith.constant 0.707106769 : f32
    %i_s = arith.addf %i_x, %i_b : f32
    %i_r = arith.mulf %i_s, %i_root : f32
    %i_q = math.erf %i_r : f32
    %i_p = arith.addf %i_q, %i_one : f32
    %i_h = arith.mulf %i_s, %i_half : f32
    %i_y = arith.mulf %i_h, %i_p : f32
    linalg.yield %i_y : f32
  } -> tensor<7x9xf32>
  %ke = tensor.empty() : tensor<7x4xf32>
  %k = linalg.fill ins(%zero : f32) outs(%ke : tensor<7x4xf32>) -> tensor<7x4xf32>
  %y = linalg.matmul ins(%g, %w2 : tensor<7x9xf32>, tensor<9x4xf32>) outs(%k : tensor<7x4xf32>) -> tensor<7x4xf32>
  %z = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%y, %b2 : tensor<7x4xf32>, tensor<4xf32>) outs(%ke : tensor<7x4xf32>) {
  ^bb0(%i_x1: f32, %i_b: f32, %i_o: f32):
    %i_s = arith.addf %i_x1, %i_b : f32
    linalg.yield %i_s : f32
  } -> tensor<7x4xf32>
  return %z : tensor<7x4xf32>
}
