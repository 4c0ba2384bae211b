func.func private @same(%A: memref<?x?xf32>) -> memref<?x?xf32> {
  return %A : memref<?x?xf32>
}
func.func @f(%A: memref<4x4xf32>, %B: memref<4x4xf32>, %D: memref<4x4xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%D : memref<4x4xf32>)
  linalg.matmul ins(%A, %B : memref<4x4xf32>, memref<4x4xf32>) outs(%D : memref<4x4xf32>)
  return
}
