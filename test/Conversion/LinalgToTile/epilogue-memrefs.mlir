// On memrefs, an epilogue is made only where no memory tells the difference.
// RUN: %tile-opt %s --convert-linalg-to-tile 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks --implicit-check-not=remark:
// RUN: %check-linalg %s | FileCheck %s --check-prefix=SAME

!m = memref<6x6xf32>

// In place, with a bias in an allocation.
// REMARK: remark: {{.*}}is no problem of Tile: expected a sum over an index, but got an element-wise operation
// CHECK-LABEL: @in_place
// CHECK: linalg.exp
// CHECK: tile.gemm {{.*}} outs(%arg2 : {{.*}}) epilogue (%{{.*}}[n] : memref<6xf32>)
// CHECK-NEXT: ^bb0
// CHECK-NOT: linalg.
// CHECK: return
// SAME: @in_place: 1 launched, as upstream
func.func @in_place(%A: !m, %B: !m, %D: !m) {
  %zero = arith.constant 0.0 : f32
  %bias = memref.alloc() : memref<6xf32>
  linalg.fill ins(%zero : f32) outs(%bias : memref<6xf32>)
  linalg.exp ins(%bias : memref<6xf32>) outs(%bias : memref<6xf32>)
  linalg.fill ins(%zero : f32) outs(%D : !m)
  linalg.matmul ins(%A, %B : !m, !m) outs(%D : !m)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%bias : memref<6xf32>) outs(%D : !m) {
  ^bb0(%b: f32, %o: f32):
    %w = arith.addf %o, %b : f32
    linalg.yield %w : f32
  }
  memref.dealloc %bias : memref<6xf32>
  return
}

// The result may be A: an epilogue would write rows of A that other blocks read.
// REMARK: remark: {{.*}}expected a result that shares no memory with A and B, but got one that may
// CHECK-LABEL: @may_be_a
// CHECK: linalg.abs
// SAME: @may_be_a: 1 launched, as upstream
func.func @may_be_a(%A: !m, %B: !m, %D: !m) {
  %T = memref.alloc() : !m
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%T : !m)
  linalg.matmul ins(%A, %B : !m, !m) outs(%T : !m)
  linalg.abs ins(%T : !m) outs(%D : !m)
  memref.dealloc %T : !m
  return
}

// The bias may be part of the result.
// REMARK: remark: {{.*}}expected operands of the epilogue that share no memory with the result, but got one that may
// CHECK-LABEL: @may_be_bias
// CHECK: linalg.add
// SAME: @may_be_bias: 1 launched, as upstream
func.func @may_be_bias(%A: !m, %B: !m, %D: !m, %R: !m) {
  linalg.matmul ins(%A, %B : !m, !m) outs(%D : !m)
  linalg.add ins(%D, %R : !m, !m) outs(%D : !m)
  return
}

// A is written before the element-wise operation, behind which the GEMM would stand.
// REMARK: remark: {{.*}}expected what the GEMM reads to stay as it is until here, but got linalg.fill between, which may write it
// CHECK-LABEL: @a_written
// CHECK: tile.gemm
// CHECK: linalg.fill
// CHECK: linalg.abs
// SAME: @a_written: 1 launched, as upstream
func.func @a_written(%A: !m, %B: !m, %D: !m) {
  %one = arith.constant 1.0 : f32
  linalg.matmul ins(%A, %B : !m, !m) outs(%D : !m)
  linalg.fill ins(%one : f32) outs(%A : !m)
  linalg.abs ins(%D : !m) outs(%D : !m)
  return
}

// A bias that is written between two operations of a chain is read before.
// REMARK: remark: {{.*}}got memref.store between, which may write it
// CHECK-LABEL: @bias_written
// CHECK: tile.gemm {{.*}} epilogue
// CHECK: memref.store
// CHECK: linalg.abs
// SAME: @bias_written: 1 launched, as upstream
func.func @bias_written(%A: !m, %B: !m, %D: !m) {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %bias = memref.alloc() : !m
  linalg.fill ins(%one : f32) outs(%bias : !m)
  linalg.matmul ins(%A, %B : !m, !m) outs(%D : !m)
  linalg.add ins(%D, %bias : !m, !m) outs(%D : !m)
  memref.store %one, %bias[%c0, %c0] : !m
  linalg.abs ins(%D : !m) outs(%D : !m)
  memref.dealloc %bias : !m
  return
}

// Someone else reads what the contraction wrote: between, and after.
// REMARK: remark: {{.*}}expected a result of the GEMM that nothing else reads, but got memref.load between, which may touch it
// CHECK-LABEL: @read_between
// CHECK: linalg.abs
// SAME: @read_between: 1 launched, as upstream
func.func @read_between(%A: !m, %B: !m, %D: !m, %E: memref<f32>) {
  %c0 = arith.constant 0 : index
  linalg.matmul ins(%A, %B : !m, !m) outs(%D : !m)
  %x = memref.load %D[%c0, %c0] : !m
  linalg.abs ins(%D : !m) outs(%D : !m)
  memref.store %x, %E[] : memref<f32>
  return
}
// REMARK: remark: {{.*}}expected a result of the GEMM that nothing else reads, but got memref.load, which uses it as well
// CHECK-LABEL: @read_after
// CHECK: linalg.abs
// SAME: @read_after: 1 launched, as upstream
func.func @read_after(%A: !m, %B: !m, %E: memref<f32>) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %T = memref.alloc() : !m
  %U = memref.alloc() : !m
  linalg.fill ins(%zero : f32) outs(%T : !m)
  linalg.matmul ins(%A, %B : !m, !m) outs(%T : !m)
  linalg.abs ins(%T : !m) outs(%U : !m)
  %v = memref.subview %T[1, 1] [2, 2] [1, 1] : !m to memref<2x2xf32, strided<[6, 1], offset: 7>>
  %x = memref.load %v[%c1, %c1] : memref<2x2xf32, strided<[6, 1], offset: 7>>
  memref.store %x, %E[] : memref<f32>
  return
}

// The result and its transpose.
// REMARK: remark: {{.*}}expected the GEMM's result to be read by one order of its indices, but got two
// CHECK-LABEL: @both_ways
// SAME: @both_ways: 1 launched, as upstream
func.func @both_ways(%A: !m, %B: !m, %D: !m) {
  %T = memref.alloc() : !m
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%T : !m)
  linalg.matmul ins(%A, %B : !m, !m) outs(%T : !m)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%T, %T : !m, !m) outs(%D : !m) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %w = arith.addf %x, %y : f32
    linalg.yield %w : f32
  }
  return
}

// A copy before the sum is C, read in place.
// CHECK-LABEL: @copied_before
// CHECK: tile.gemm ins(%arg0, %arg1, %arg2 : {{.*}}) outs(%[[T:.*]] : {{.*}}) epilogue {
// CHECK-NOT: linalg.
// CHECK: memref.copy %[[T]], %arg3
// SAME: @copied_before: 1 launched, as upstream
func.func @copied_before(%A: !m, %B: !m, %C: !m, %D: !m) {
  %T = memref.alloc() : !m
  memref.copy %C, %T : !m to !m
  linalg.matmul ins(%A, %B : !m, !m) outs(%T : !m)
  linalg.abs ins(%T : !m) outs(%T : !m)
  memref.copy %T, %D : !m to !m
  memref.dealloc %T : !m
  return
}
