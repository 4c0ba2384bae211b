// torch-mlir: linear with a transposed weight as generics, and GELU by tanh.
// CHECK-LABEL: func.func @torch_gelu_tanh(
// CHECK-COUNT-1: tile.gemm
// CHECK-NOT: tile.gemm
// SAME: @torch_gelu_tanh: {{[0-9]+}} launched, as upstream
// near: @torch_gelu_tanh
func.func @torch_gelu_tanh(%x: tensor<7x5xf32>, %w: tensor<9x5xf32>, %b: tensor<9xf32>) -> tensor<7x9xf32> {
  %zero = arith.constant 0.0 : f32
  %te = tensor.empty() : tensor<5x9xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%w : tensor<9x5xf32>) outs(%te : tensor<5x9xf32>) {
  ^bb0(%i_in: f32, %i_o: f32):
    linalg.yield %i_in : f32
  } -> tensor<5x9xf32>
  %fe = tensor.empty() : tensor<7x9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%fe : tensor<7x9xf32>) -> tensor<7x9xf32>
  %h = linalg.matmul ins(%x, %t : tensor<7x5xf32>, tensor<5x9xf32>) outs(%f : tensor<7x9xf32>) -> tensor<7x9xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%h, %b : tensor<7x9xf32>, tensor<9xf32>) outs(%fe : tensor<7x9xf32>) {
  ^bb0(%i_x1: f32, %i_x2: f32, %i_o: f32):
    %i_a = arith.addf %i_x1, %i_x2 : f32
    linalg.yield %i_a : f32
  } -> tensor<7x9xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%s : tensor<7x9xf32>) outs(%fe : tensor<7x9xf32>) {
  ^bb0(%i_x1: f32, %i_o: f32):
    %i_c0 = arith.constant 0.0447149985 : f32
    %i_c1 = arith.constant 0.797884583 : f32
    %i_half = arith.constant 0.5 : f32
    %i_one = arith.constant 1.0 : f32
    %i_s = arith.mulf %i_x1, %i_x1 : f32
    %i_c = arith.mulf %i_s, %i_x1 : f32
    %i_d = arith.mulf %i_c, %i_c0 : f32
    %i_e1 = arith.addf %i_x1, %i_d : f32
    %i_g = arith.mulf %i_e1, %i_c1 : f32
    %i_h1 = math.tanh %i_g : f32
    %i_i1 = arith.addf %i_h1, %i_one : f32
    %i_j1 = arith.mulf %i_x1, %i_half : f32
    %i_y1 = arith.mulf %i_i1, %i_j1 : f32
    linalg.yield %i_y1 : f32
  } -> tensor<7x9xf32>
  return %g : tensor<7x9xf32>
}
