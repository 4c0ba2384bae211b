// Problems among other operations, or on values that are no arguments, become entries.
// RUN: %tile-opt %s --tile-outline-problems | FileCheck %s

!mat = memref<8x8xf32>

// A function of problems alone is an entry, with all its steps.
// CHECK-LABEL: func.func @steps
// CHECK-COUNT-2: tile.gemm
// CHECK-NOT: call
func.func @steps(%A: !mat, %B: !mat, %D: !mat) {
  tile.gemm ins(%A, %A : !mat, !mat) outs(%B : !mat)
  tile.gemm ins(%A, %B : !mat, !mat) outs(%D : !mat)
  return
}

// New functions come in the order of their problems, with names that are free; scalars
// that are constants go along.
// CHECK-LABEL: func.func @among_others
// CHECK: call @among_others_gemm_0(%arg0, %[[T:.*]]) : (memref<8x8xf32>, memref<8x8xf32>) -> ()
// CHECK: call @among_others_gemm_1(%[[T]], %arg0, %arg1, %arg2) : (memref<8x8xf32>, memref<8x8xf32>, memref<8x8xf32>, f32) -> ()
// CHECK: func.func @among_others_gemm_0(%arg0: memref<8x8xf32>, %arg1: memref<8x8xf32>) {
// CHECK-NEXT: tile.gemm ins(%arg0, %arg0 : {{.*}}) outs(%arg1 :
// CHECK-NEXT: return
// CHECK: func.func @among_others_gemm_1
// CHECK-NEXT: %[[HALF:.*]] = arith.constant 5.0{{.*}} : f32
// CHECK-NEXT: tile.gemm ins(%arg0, %arg1, %arg2 : {{.*}}) outs(%arg2 : {{.*}}) alpha(%arg3 : f32) beta(%[[HALF]] : f32)
// CHECK: func.func private @among_others_gemm()
func.func @among_others(%A: !mat, %D: !mat, %alpha: f32) {
  %half = arith.constant 0.5 : f32
  %0 = memref.alloc() : !mat
  tile.gemm ins(%A, %A : !mat, !mat) outs(%0 : !mat)
  tile.gemm ins(%0, %A, %D : !mat, !mat, !mat) outs(%D : !mat) alpha(%alpha : f32) beta(%half : f32)
  memref.dealloc %0 : !mat
  return
}
func.func private @among_others_gemm()

// Where an operand begins in memory is the caller's business.
// CHECK-LABEL: func.func @offset
// CHECK: %[[PART:.*]] = memref.subview
// CHECK: %[[CAST:.*]] = memref.cast %[[PART]] : memref<4x8xf32, strided<[8, 1], offset: 32>> to memref<4x8xf32, strided<[8, 1], offset: ?>>
// CHECK: call @offset_gemm(%[[CAST]], %arg0, %arg1)
func.func @offset(%A: !mat, %D: memref<4x8xf32>) {
  %0 = memref.subview %A[4, 0] [4, 8] [1, 1] : !mat to memref<4x8xf32, strided<[8, 1], offset: 32>>
  tile.gemm ins(%0, %A : memref<4x8xf32, strided<[8, 1], offset: 32>>, !mat) outs(%D : memref<4x8xf32>)
  return
}
