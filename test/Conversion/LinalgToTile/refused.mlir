// What is no problem of Tile stays, with a remark that says why.
// RUN: %tile-opt %s --convert-linalg-to-tile -verify-diagnostics -o /dev/null

#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#D = affine_map<(m, n, k) -> (m, n)>

func.func @quantized(%A: memref<4x4xi8>, %D: memref<4x4xi32>, %z: i32) {
  // expected-remark @below {{stays as it is, and is no problem of Tile: expected zero points that are the constant 0, but got others}}
  linalg.quantized_matmul ins(%A, %A, %z, %z : memref<4x4xi8>, memref<4x4xi8>, i32, i32) outs(%D : memref<4x4xi32>)
  return
}

func.func @sum_of_rows(%A: memref<4x4xf32>, %D: memref<4xf32>) {
  // expected-remark @below {{expected 2 inputs and 1 result, but got 1 and 1}}
  linalg.reduce { arith.addf } ins(%A : memref<4x4xf32>) outs(%D : memref<4xf32>) dimensions = [1]
  return
}

func.func @max_plus(%A: memref<4x4xf32>, %D: memref<4x4xf32>) {
  // expected-remark @below {{expected a sum, but got arith.maximumf}}
  linalg.generic {indexing_maps = [#A, #B, #D], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%A, %A : memref<4x4xf32>, memref<4x4xf32>) outs(%D : memref<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32):
    %p = arith.addf %a, %b : f32
    %s = arith.maximumf %p, %d : f32
    linalg.yield %s : f32
  }
  return
}

func.func @differences(%A: memref<4x4xf32>, %D: memref<4x4xf32>) {
  // expected-remark @below {{expected a product of the two inputs that is added to the result, but got arith.subf}}
  linalg.generic {indexing_maps = [#A, #B, #D], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%A, %A : memref<4x4xf32>, memref<4x4xf32>) outs(%D : memref<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32):
    %p = arith.subf %a, %b : f32
    %s = arith.addf %d, %p : f32
    linalg.yield %s : f32
  }
  return
}

func.func @scaled_input(%A: memref<4x4xf32>, %D: memref<4x4xf32>) {
  // expected-remark @below {{expected factors that are inputs, at most widened by arith.extf or arith.extsi, but got arith.negf}}
  linalg.generic {indexing_maps = [#A, #B, #D], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%A, %A : memref<4x4xf32>, memref<4x4xf32>) outs(%D : memref<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32):
    %n = arith.negf %a : f32
    %p = arith.mulf %n, %b : f32
    %s = arith.addf %d, %p : f32
    linalg.yield %s : f32
  }
  return
}

func.func @squares(%A: memref<4x4xf32>, %D: memref<4x4xf32>) {
  // expected-remark @below {{expected a product of both inputs, but got one input multiplied with itself}}
  linalg.generic {indexing_maps = [#A, #B, #D], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%A, %A : memref<4x4xf32>, memref<4x4xf32>) outs(%D : memref<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32):
    %p = arith.mulf %a, %a : f32
    %s = arith.addf %d, %p : f32
    linalg.yield %s : f32
  }
  return
}

func.func @replaced(%A: memref<4x4xf32>, %D: memref<4x4xf32>) {
  // expected-remark @below {{expected the result as one of the terms of the sum, but got neither}}
  linalg.generic {indexing_maps = [#A, #B, #D], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%A, %A : memref<4x4xf32>, memref<4x4xf32>) outs(%D : memref<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %p, %p : f32
    linalg.yield %s : f32
  }
  return
}

func.func @unsigned(%A: memref<4x4xi8>, %D: memref<4x4xi32>) {
  // expected-remark @below {{at most widened by arith.extf or arith.extsi, but got arith.extui}}
  linalg.matmul {cast = #linalg.type_fn<cast_unsigned>}
    ins(%A, %A : memref<4x4xi8>, memref<4x4xi8>) outs(%D : memref<4x4xi32>)
  return
}

// Sums of i8 start from nothing; the words are those of the verifier of tile.gemm.
func.func @added_integers(%A: memref<4x4xi8>, %D: memref<4x4xi32>) {
  // expected-remark @below {{expected neither C nor scalars for A and B of i8, but got C}}
  linalg.matmul ins(%A, %A : memref<4x4xi8>, memref<4x4xi8>) outs(%D : memref<4x4xi32>)
  return
}

// What was made for the attempt is gone.
func.func @unknown_types(%A: memref<4x4xf16>, %D: memref<4x4xf64>) {
  // expected-remark @below {{expected D to have the element type of A, 'f16', or f32, but got 'f64'}}
  linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, #B, #D]
    ins(%A, %A : memref<4x4xf16>, memref<4x4xf16>) outs(%D : memref<4x4xf64>)
  return
}

func.func @convolution(%A: memref<1x8x8x4xf32>, %F: memref<3x3x4x4xf32>, %D: memref<1x6x6x4xf32>) {
  // expected-remark @below {{expected a loop for each index of A, but got an index that is a constant or is computed}}
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%A, %F : memref<1x8x8x4xf32>, memref<3x3x4x4xf32>) outs(%D : memref<1x6x6x4xf32>)
  return
}

func.func @sum_of_one(%A: memref<4x5x4xf32>, %B: memref<4x4xf32>, %D: memref<4x4xf32>) {
  // expected-remark @below {{expected each loop that is summed in both inputs, but loop 3 is in one alone}}
  linalg.generic {
      indexing_maps = [affine_map<(m, n, k, j) -> (m, j, k)>, affine_map<(m, n, k, j) -> (k, n)>, affine_map<(m, n, k, j) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%A, %B : memref<4x5x4xf32>, memref<4x4xf32>) outs(%D : memref<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %d, %p : f32
    linalg.yield %s : f32
  }
  return
}

// Batches with two indices whose strides do not follow one another.
!apart = memref<2x3x4x4xf32, strided<[?, ?, 4, 1], offset: ?>>
func.func @copied(%A: !apart, %D: memref<2x3x4x4xf32>) {
  // expected-remark @below {{expected strides of A by which its indices for the batch are one, but it would have to be copied}}
  linalg.contract indexing_maps = [affine_map<(b, h, m, n, k) -> (b, h, m, k)>,
                                   affine_map<(b, h, m, n, k) -> (b, h, k, n)>,
                                   affine_map<(b, h, m, n, k) -> (b, h, m, n)>]
    ins(%A, %A : !apart, !apart) outs(%D : memref<2x3x4x4xf32>)
  return
}

func.func @tensor(%A: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-remark @below {{expected operands that are memrefs: bufferize first}}
  %0 = linalg.matmul ins(%A, %A : tensor<4x4xf32>, tensor<4x4xf32>) outs(%A : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
