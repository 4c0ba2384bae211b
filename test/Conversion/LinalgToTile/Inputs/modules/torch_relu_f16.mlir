// torch-mlir: ReLU in f16 by a comparison.
// CHECK-LABEL: func.func @torch_relu_f16(
// CHECK-COUNT-1: tile.gemm
// CHECK-NOT: tile.gemm
// SAME: @torch_relu_f16: {{[0-9]+}} launched, as upstream
func.func @torch_relu_f16(%x: tensor<7x5xf16>, %w: tensor<5x9xf16>) -> tensor<7x9xf16> {
  %zero = arith.constant 0.0 : f16
  %fe = tensor.empty() : tensor<7x9xf16>
  %f = linalg.fill ins(%zero : f16) outs(%fe : tensor<7x9xf16>) -> tensor<7x9xf16>
  %h = linalg.matmul ins(%x, %w : tensor<7x5xf16>, tensor<5x9xf16>) outs(%f : tensor<7x9xf16>) -> tensor<7x9xf16>
  %g = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%h : tensor<7x9xf16>) outs(%fe : tensor<7x9xf16>) {
  ^bb0(%i_in: f16, %i_o: f16):
    %i_c = arith.cmpf ugt, %i_in, %zero : f16
    %i_s = arith.select %i_c, %i_in, %zero : f16
    linalg.yield %i_s : f16
  } -> tensor<7x9xf16>
  return %g : tensor<7x9xf16>
}
