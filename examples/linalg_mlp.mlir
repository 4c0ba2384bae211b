// Two linear layers with a ReLU between them, as a framework writes them: tensors, and
// weights that are stored the other way round than they are multiplied.
//
//   tile-opt linalg_mlp.mlir --linalg-to-tile
//   tile-run linalg_mlp.mlir --entry mlp_gemm --random 64,96,32 --check
//
// Each matmul becomes a kernel and reads its weight in place, through strides (1, pitch):
// the transposes are gone. The ReLU is the epilogue of the first one.
#same = affine_map<(i, j) -> (i, j)>
func.func @mlp(%x: tensor<64x32xf32>, %w1: tensor<96x32xf32>, %w2: tensor<16x96xf32>) -> tensor<64x16xf32> {
  %zero = arith.constant 0.0 : f32
  %t1 = tensor.empty() : tensor<32x96xf32>
  %w1t = linalg.transpose ins(%w1 : tensor<96x32xf32>) outs(%t1 : tensor<32x96xf32>) permutation = [1, 0]
  %e1 = tensor.empty() : tensor<64x96xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<64x96xf32>) -> tensor<64x96xf32>
  %h = linalg.matmul ins(%x, %w1t : tensor<64x32xf32>, tensor<32x96xf32>) outs(%f1 : tensor<64x96xf32>) -> tensor<64x96xf32>
  %r = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
    ins(%h : tensor<64x96xf32>) outs(%e1 : tensor<64x96xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %zero : f32
    linalg.yield %0 : f32
  } -> tensor<64x96xf32>
  %t2 = tensor.empty() : tensor<96x16xf32>
  %w2t = linalg.transpose ins(%w2 : tensor<16x96xf32>) outs(%t2 : tensor<96x16xf32>) permutation = [1, 0]
  %e2 = tensor.empty() : tensor<64x16xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<64x16xf32>) -> tensor<64x16xf32>
  %y = linalg.matmul ins(%r, %w2t : tensor<64x96xf32>, tensor<96x16xf32>) outs(%f2 : tensor<64x16xf32>) -> tensor<64x16xf32>
  return %y : tensor<64x16xf32>
}
