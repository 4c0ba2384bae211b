// Matrix products on memrefs, whatever they are called and however their indices are
// ordered.
// RUN: %tile-opt %s --convert-linalg-to-tile | FileCheck %s
// RUN: %check-linalg %s | FileCheck %s --check-prefix=SAME

// Without a fill, the result is added to.
// CHECK-LABEL: @accumulates
// CHECK: tile.gemm ins(%arg0, %arg1, %arg2 : {{.*}}) outs(%arg2 :
// SAME: @accumulates: 1 launched, as upstream
func.func @accumulates(%A: memref<7x5xf32>, %B: memref<5x9xf32>, %D: memref<7x9xf32>) {
  linalg.matmul ins(%A, %B : memref<7x5xf32>, memref<5x9xf32>) outs(%D : memref<7x9xf32>)
  return
}

// With one, it is only written, and the fill goes.
// CHECK-LABEL: @overwrites
// CHECK-NOT: linalg.fill
// CHECK: tile.gemm ins(%arg0, %arg1 : {{.*}}) outs(%arg2 :
// SAME: @overwrites: 1 launched, as upstream
func.func @overwrites(%A: memref<7x5xf32>, %B: memref<5x9xf32>, %D: memref<7x9xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%D : memref<7x9xf32>)
  linalg.matmul ins(%A, %B : memref<7x5xf32>, memref<5x9xf32>) outs(%D : memref<7x9xf32>)
  return
}

// A fill with another number is one that the sum begins with: the epilogue adds it.
// CHECK-LABEL: @begins_with_one
// CHECK-NOT: linalg.fill
// CHECK: tile.gemm ins(%arg0, %arg1 : {{.*}}) outs(%arg2 : {{.*}}) epilogue {
// CHECK: arith.addf
// SAME: @begins_with_one: 1 launched, as upstream
func.func @begins_with_one(%A: memref<7x5xf32>, %B: memref<5x9xf32>, %D: memref<7x9xf32>) {
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%D : memref<7x9xf32>)
  linalg.matmul ins(%A, %B : memref<7x5xf32>, memref<5x9xf32>) outs(%D : memref<7x9xf32>)
  return
}

// So is one behind which something else may write to the result: two arguments may be
// one memory.
// CHECK-LABEL: @written_between
// CHECK: linalg.fill
// CHECK: memref.store
// CHECK: tile.gemm ins(%arg0, %arg1, %arg2 :
// SAME: @written_between: 1 launched, as upstream
func.func @written_between(%A: memref<7x5xf32>, %B: memref<5x9xf32>, %D: memref<7x9xf32>, %E: memref<7x9xf32>) {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %c1 = arith.constant 1 : index
  linalg.fill ins(%zero : f32) outs(%D : memref<7x9xf32>)
  memref.store %two, %E[%c1, %c1] : memref<7x9xf32>
  linalg.matmul ins(%A, %B : memref<7x5xf32>, memref<5x9xf32>) outs(%D : memref<7x9xf32>)
  return
}

// An allocation is apart from all else.
// CHECK-LABEL: @fills_of_allocations
// CHECK-NOT: linalg.fill
// CHECK: tile.gemm ins(%arg0, %arg1 : {{.*}}) outs(%[[T:.*]] :
// CHECK: tile.gemm ins(%[[T]], %arg2 : {{.*}}) outs(%[[U:.*]] :
// SAME: @fills_of_allocations: 2 launched, as upstream
func.func @fills_of_allocations(%A: memref<7x5xf32>, %B: memref<5x9xf32>, %C: memref<9x4xf32>, %D: memref<7x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %T = memref.alloc() : memref<7x9xf32>
  %U = memref.alloc() : memref<7x4xf32>
  linalg.fill ins(%zero : f32) outs(%T : memref<7x9xf32>)
  linalg.fill ins(%zero : f32) outs(%U : memref<7x4xf32>)
  linalg.matmul ins(%A, %B : memref<7x5xf32>, memref<5x9xf32>) outs(%T : memref<7x9xf32>)
  linalg.matmul ins(%T, %C : memref<7x9xf32>, memref<9x4xf32>) outs(%U : memref<7x4xf32>)
  memref.copy %U, %D : memref<7x4xf32> to memref<7x4xf32>
  memref.dealloc %T : memref<7x9xf32>
  memref.dealloc %U : memref<7x4xf32>
  return
}

// Nor may an operation with a body be passed over that reads the result.
// CHECK-LABEL: @read_between
// CHECK: linalg.fill
// CHECK: scf.for
// CHECK: tile.gemm ins(%arg0, %arg1, %arg2 :
// SAME: @read_between: 1 launched, as upstream
func.func @read_between(%A: memref<7x5xf32>, %B: memref<5x9xf32>, %D: memref<7x9xf32>, %E: memref<7xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  linalg.fill ins(%zero : f32) outs(%D : memref<7x9xf32>)
  scf.for %i = %c0 to %c7 step %c1 {
    %d = memref.load %D[%i, %c1] : memref<7x9xf32>
    memref.store %d, %E[%i] : memref<7xf32>
  }
  linalg.matmul ins(%A, %B : memref<7x5xf32>, memref<5x9xf32>) outs(%D : memref<7x9xf32>)
  return
}

// CHECK-LABEL: @transposed_a
// CHECK: memref.transpose %arg0 (d0, d1) -> (d1, d0) : memref<5x7xf32> to memref<7x5xf32, strided<[1, 7]>>
// SAME: @transposed_a: 1 launched, as upstream
func.func @transposed_a(%A: memref<5x7xf32>, %B: memref<5x9xf32>, %D: memref<7x9xf32>) {
  linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>,
                                 affine_map<(m, n, k) -> (k, n)>,
                                 affine_map<(m, n, k) -> (m, n)>]
    ins(%A, %B : memref<5x7xf32>, memref<5x9xf32>) outs(%D : memref<7x9xf32>)
  return
}

// Dynamic extents and pitches.
// CHECK-LABEL: @transposed_b
// CHECK: memref.transpose %arg1 (d0, d1) -> (d1, d0)
// CHECK-SAME: to memref<?x?xf32, strided<[1, ?], offset: ?>>
// shapes: @transposed_b 7x5 9x5 7x9
// SAME: @transposed_b: 1 launched, as upstream
func.func @transposed_b(%A: memref<?x?xf32, strided<[?, 1], offset: ?>>, %B: memref<?x?xf32, strided<[?, 1], offset: ?>>, %D: memref<?x?xf32>) {
  linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                                   affine_map<(m, n, k) -> (n, k)>,
                                   affine_map<(m, n, k) -> (m, n)>]
    ins(%A, %B : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x?xf32, strided<[?, 1], offset: ?>>) outs(%D : memref<?x?xf32>)
  return
}

// A generic with its loops and its body in another order, and a transposed result.
// CHECK-LABEL: @generic
// CHECK: memref.transpose %arg2 (d0, d1) -> (d1, d0)
// CHECK: tile.gemm
// SAME: @generic: 1 launched, as upstream
func.func @generic(%A: memref<5x7xf64>, %B: memref<5x9xf64>, %D: memref<9x7xf64>) {
  linalg.generic {
      indexing_maps = [affine_map<(k, n, m) -> (k, m)>, affine_map<(k, n, m) -> (k, n)>,
                       affine_map<(k, n, m) -> (n, m)>],
      iterator_types = ["reduction", "parallel", "parallel"]}
      ins(%A, %B : memref<5x7xf64>, memref<5x9xf64>) outs(%D : memref<9x7xf64>) {
  ^bb0(%a: f64, %b: f64, %d: f64):
    %p = arith.mulf %b, %a : f64
    %s = arith.addf %p, %d : f64
    linalg.yield %s : f64
  }
  return
}

// Vectors are matrices of one row or column.
// CHECK-LABEL: @matvec
// CHECK: memref.expand_shape %arg1 {{\[\[}}0, 1]] output_shape [5, 1]
// CHECK: memref.expand_shape %arg2 {{\[\[}}0, 1]] output_shape [7, 1]
// SAME: @matvec: 1 launched, as upstream
func.func @matvec(%A: memref<7x5xf32>, %x: memref<5xf32>, %y: memref<7xf32>) {
  linalg.matvec ins(%A, %x : memref<7x5xf32>, memref<5xf32>) outs(%y : memref<7xf32>)
  return
}

// shapes: @vecmat 5 5x9 9
// SAME: @vecmat: 1 launched, as upstream
func.func @vecmat(%x: memref<?xf32>, %A: memref<?x?xf32>, %y: memref<?xf32>) {
  linalg.vecmat ins(%x, %A : memref<?xf32>, memref<?x?xf32>) outs(%y : memref<?xf32>)
  return
}

// SAME: @dot: 1 launched, as upstream
func.func @dot(%x: memref<5xf32>, %y: memref<5xf32>, %d: memref<f32>) {
  linalg.dot ins(%x, %y : memref<5xf32>, memref<5xf32>) outs(%d : memref<f32>)
  return
}

// Operands of 16 bits whose sums are f32, and of 8 bits.
// CHECK-LABEL: @widened
// CHECK: tile.gemm {{.*}} memref<7x5xf16>, memref<5x9xf16>, memref<7x9xf32>
// SAME: @widened: 1 launched, as upstream
func.func @widened(%A: memref<7x5xf16>, %B: memref<5x9xf16>, %D: memref<7x9xf32>) {
  linalg.matmul ins(%A, %B : memref<7x5xf16>, memref<5x9xf16>) outs(%D : memref<7x9xf32>)
  return
}

// SAME: @brain: 1 launched, as upstream
func.func @brain(%A: memref<7x5xbf16>, %B: memref<5x9xbf16>, %D: memref<7x9xf32>) {
  linalg.matmul ins(%A, %B : memref<7x5xbf16>, memref<5x9xbf16>) outs(%D : memref<7x9xf32>)
  return
}

// SAME: @narrow: 1 launched, as upstream
func.func @narrow(%A: memref<7x5xf16>, %B: memref<5x9xf16>, %D: memref<7x9xf16>) {
  linalg.matmul ins(%A, %B : memref<7x5xf16>, memref<5x9xf16>) outs(%D : memref<7x9xf16>)
  return
}
