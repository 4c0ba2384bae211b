// StableHLO: bf16, sums of f32, converted back.
// CHECK-LABEL: func.func @stablehlo_convert(
// CHECK-COUNT-1: tile.gemm
// CHECK-NOT: tile.gemm
// SAME: @stablehlo_convert: {{[0-9]+}} launched, as upstream
func.func @stablehlo_convert(%x: tensor<7x5xbf16>, %w: tensor<5x9xbf16>, %scale: tensor<7xf32>) -> tensor<7x9xbf16> {
  %zero = arith.constant 0.0 : f32
  %fe = tensor.empty() : tensor<7x9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%fe : tensor<7x9xf32>) -> tensor<7x9xf32>
  %h = linalg.matmul ins(%x, %w : tensor<7x5xbf16>, tensor<5x9xbf16>) outs(%f : tensor<7x9xf32>) -> tensor<7x9xf32>
  %be = tensor.empty() : tensor<7x9xf32>
  %bb = linalg.broadcast ins(%scale : tensor<7xf32>) outs(%be : tensor<7x9xf32>) dimensions = [1]
  %s = linalg.mul ins(%h, %bb : tensor<7x9xf32>, tensor<7x9xf32>) outs(%fe : tensor<7x9xf32>) -> tensor<7x9xf32>
  %ce = tensor.empty() : tensor<7x9xbf16>
  %c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%s : tensor<7x9xf32>) outs(%ce : tensor<7x9xbf16>) {
  ^bb0(%i_in: f32, %i_o: bf16):
    %i_n = arith.truncf %i_in : f32 to bf16
    linalg.yield %i_n : bf16
  } -> tensor<7x9xbf16>
  return %c : tensor<7x9xbf16>
}
