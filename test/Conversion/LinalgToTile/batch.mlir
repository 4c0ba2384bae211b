// Batches, shared operands, and more indices than a GEMM has.
// RUN: %tile-opt %s --convert-linalg-to-tile | FileCheck %s
// RUN: %check-linalg %s | FileCheck %s --check-prefix=SAME

// CHECK-LABEL: @batch
// CHECK: tile.gemm ins(%arg0, %arg1, %arg2 : memref<3x7x5xf32>, memref<3x5x9xf32>
// SAME: @batch: 1 launched, as upstream
func.func @batch(%A: memref<3x7x5xf32>, %B: memref<3x5x9xf32>, %D: memref<3x7x9xf32>) {
  linalg.batch_matmul ins(%A, %B : memref<3x7x5xf32>, memref<3x5x9xf32>) outs(%D : memref<3x7x9xf32>)
  return
}

// A weight that all of a batch share: one GEMM with more rows.
// CHECK-LABEL: @shared_weight
// CHECK: memref.collapse_shape %arg0 {{\[\[}}0, 1], [2]]
// CHECK: memref.collapse_shape %arg2 {{\[\[}}0, 1], [2]]
// CHECK: tile.gemm {{.*}} memref<21x5xf32>, memref<5x9xf32>
// SAME: @shared_weight: 1 launched, as upstream
func.func @shared_weight(%A: memref<3x7x5xf32>, %B: memref<5x9xf32>, %D: memref<3x7x9xf32>) {
  linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>,
                                   affine_map<(b, m, n, k) -> (k, n)>,
                                   affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%A, %B : memref<3x7x5xf32>, memref<5x9xf32>) outs(%D : memref<3x7x9xf32>)
  return
}

// Where the rows of a batch lie apart from the next, they stay a batch.
// CHECK-LABEL: @shared_weight_apart
// CHECK-NOT: collapse_shape
// CHECK: tile.gemm {{.*}} memref<3x7x5xf32, strided<[?, ?, 1], offset: ?>>, memref<5x9xf32>
// shapes: @shared_weight_apart 3x7x5 5x9 3x7x9
// SAME: @shared_weight_apart: 1 launched, as upstream
func.func @shared_weight_apart(%A: memref<3x7x5xf32, strided<[?, ?, 1], offset: ?>>, %B: memref<5x9xf32>, %D: memref<3x7x9xf32>) {
  linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>,
                                   affine_map<(b, m, n, k) -> (k, n)>,
                                   affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%A, %B : memref<3x7x5xf32, strided<[?, ?, 1], offset: ?>>, memref<5x9xf32>) outs(%D : memref<3x7x9xf32>)
  return
}

// The other input is shared: columns that cannot be one index become the batch.
// CHECK-LABEL: @shared_input
// CHECK: tile.gemm {{.*}} memref<7x5xf32>, memref<3x5x9xf32
// SAME: @shared_input: 1 launched, as upstream
func.func @shared_input(%A: memref<7x5xf32>, %B: memref<3x5x9xf32>, %D: memref<3x7x9xf32>) {
  linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (m, k)>,
                                   affine_map<(b, m, n, k) -> (b, k, n)>,
                                   affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%A, %B : memref<7x5xf32>, memref<3x5x9xf32>) outs(%D : memref<3x7x9xf32>)
  return
}

// The heads of attention: two indices for the batch, and transposed keys.
// CHECK-LABEL: @heads
// CHECK: memref.transpose %arg1 (d0, d1, d2, d3) -> (d0, d1, d3, d2)
// CHECK: tile.gemm {{.*}} memref<6x4x5xf16>, memref<6x5x7xf16, strided<[35, 1, 5]>>
// SAME: @heads: 1 launched, as upstream
func.func @heads(%Q: memref<2x3x4x5xf16>, %K: memref<2x3x7x5xf16>, %S: memref<2x3x4x7xf32>) {
  linalg.contract indexing_maps = [affine_map<(b, h, m, n, k) -> (b, h, m, k)>,
                                   affine_map<(b, h, m, n, k) -> (b, h, n, k)>,
                                   affine_map<(b, h, m, n, k) -> (b, h, m, n)>]
    ins(%Q, %K : memref<2x3x4x5xf16>, memref<2x3x7x5xf16>) outs(%S : memref<2x3x4x7xf32>)
  return
}

// Sums over two indices.
// CHECK-LABEL: @two_sums
// CHECK: tile.gemm {{.*}} memref<4x15xf32>, memref<15x6xf32>
// SAME: @two_sums: 1 launched, as upstream
func.func @two_sums(%A: memref<4x3x5xf32>, %B: memref<3x5x6xf32>, %D: memref<4x6xf32>) {
  linalg.contract indexing_maps = [affine_map<(m, n, j, k) -> (m, j, k)>,
                                   affine_map<(m, n, j, k) -> (j, k, n)>,
                                   affine_map<(m, n, j, k) -> (m, n)>]
    ins(%A, %B : memref<4x3x5xf32>, memref<3x5x6xf32>) outs(%D : memref<4x6xf32>)
  return
}

// The batch in the middle of every operand, heads behind the sequence.
// CHECK-LABEL: @batch_inside
// CHECK: memref.transpose %arg0 (d0, d1, d2) -> (d1, d0, d2)
// SAME: @batch_inside: 1 launched, as upstream
func.func @batch_inside(%A: memref<7x3x5xf32>, %B: memref<5x3x9xf32>, %D: memref<7x3x9xf32>) {
  linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (m, b, k)>,
                                   affine_map<(b, m, n, k) -> (k, b, n)>,
                                   affine_map<(b, m, n, k) -> (m, b, n)>]
    ins(%A, %B : memref<7x3x5xf32>, memref<5x3x9xf32>) outs(%D : memref<7x3x9xf32>)
  return
}

// Part of a matrix, in a loop.
// CHECK-LABEL: @in_a_loop
// CHECK: scf.for
// CHECK: tile.gemm
// SAME: @in_a_loop: 3 launched, as upstream
func.func @in_a_loop(%A: memref<12x5xf32>, %B: memref<5x9xf32>, %D: memref<12x9xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c12 = arith.constant 12 : index
  scf.for %i = %c0 to %c12 step %c4 {
    %a = memref.subview %A[%i, 0] [4, 5] [1, 1] : memref<12x5xf32> to memref<4x5xf32, strided<[5, 1], offset: ?>>
    %d = memref.subview %D[%i, 2] [4, 7] [1, 1] : memref<12x9xf32> to memref<4x7xf32, strided<[9, 1], offset: ?>>
    %b = memref.subview %B[0, 1] [5, 7] [1, 1] : memref<5x9xf32> to memref<5x7xf32, strided<[9, 1], offset: 1>>
    linalg.matmul ins(%a, %b : memref<4x5xf32, strided<[5, 1], offset: ?>>, memref<5x7xf32, strided<[9, 1], offset: 1>>)
      outs(%d : memref<4x7xf32, strided<[9, 1], offset: ?>>)
  }
  return
}
