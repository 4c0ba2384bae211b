func.func @one(%A: memref<5x7xf32>, %B: memref<5x9xf32>, %D: memref<7x9xf32>) {
  linalg.contract indexing_maps = [affine_map<(m, n, k) -> (k, m)>,
                                   affine_map<(m, n, k) -> (k, n)>,
                                   affine_map<(m, n, k) -> (m, n)>]
    ins(%A, %B : memref<5x7xf32>, memref<5x9xf32>) outs(%D : memref<7x9xf32>)
  return
}
