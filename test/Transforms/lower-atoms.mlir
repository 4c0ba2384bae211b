// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Multiply atoms on the fused multiply-add units, and parts of fragments.
// RUN: tile-opt %s --tile-lower-atoms | FileCheck %s

// One fused multiply-add for each row of the accumulator.
// CHECK-LABEL: @mma_2_by_4
// CHECK-SAME: (%[[A:.*]]: vector<2xf32>, %[[B:.*]]: vector<4xf32>, %[[ACC:.*]]: vector<8xf32>)
// CHECK: %[[A0:.*]] = vector.extract %[[A]][0]
// CHECK: %[[S0:.*]] = vector.broadcast %[[A0]] : f32 to vector<4xf32>
// CHECK: %[[R0:.*]] = vector.shuffle %[[ACC]], %[[ACC]] [0, 1, 2, 3]
// CHECK: %[[F0:.*]] = llvm.intr.fma(%[[S0]], %[[B]], %[[R0]])
// CHECK: %[[A1:.*]] = vector.extract %[[A]][1]
// CHECK: %[[S1:.*]] = vector.broadcast %[[A1]] : f32 to vector<4xf32>
// CHECK: %[[R1:.*]] = vector.shuffle %[[ACC]], %[[ACC]] [4, 5, 6, 7]
// CHECK: %[[F1:.*]] = llvm.intr.fma(%[[S1]], %[[B]], %[[R1]])
// CHECK: %[[R:.*]] = vector.shuffle %[[F0]], %[[F1]] [0, 1, 2, 3, 4, 5, 6, 7]
// CHECK: return %[[R]]
func.func @mma_2_by_4(%a: vector<2xf32>, %b: vector<4xf32>, %acc: vector<8xf32>) -> vector<8xf32> {
  %0 = tile.mma %a, %b, %acc atom(#tile.simt_mma<warps = [1, 1], lanes = [8, 4], thread = [2, 4], vector = 2>)
    : vector<2xf32>, vector<4xf32>, vector<8xf32>
  return %0 : vector<8xf32>
}

// An odd row waits for the others.
// CHECK-LABEL: @mma_odd_rows
// CHECK-COUNT-3: llvm.intr.fma
// CHECK: %[[J:.*]] = vector.shuffle %{{.*}}, %{{.*}} [0, 1] : vector<1xf64>, vector<1xf64>
// CHECK: vector.shuffle %[[J]], %{{.*}} [0, 1, 2] : vector<2xf64>, vector<1xf64>
func.func @mma_odd_rows(%a: vector<3xf64>, %b: vector<1xf64>, %acc: vector<3xf64>) -> vector<3xf64> {
  %0 = tile.mma %a, %b, %acc atom(#tile.simt_mma<warps = [1, 1], lanes = [8, 4], thread = [3, 1], vector = 1>)
    : vector<3xf64>, vector<1xf64>, vector<3xf64>
  return %0 : vector<3xf64>
}

// CHECK-LABEL: @part_of_a_fragment
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [2, 3, 4]
// CHECK-NOT: extract_strided_slice
func.func @part_of_a_fragment(%f: vector<8xf32>) -> vector<3xf32> {
  %0 = vector.extract_strided_slice %f {offsets = [2], sizes = [3], strides = [1]} : vector<8xf32> to vector<3xf32>
  return %0 : vector<3xf32>
}

// Other vectors are not touched.
// CHECK-LABEL: @part_of_a_matrix
// CHECK: vector.extract_strided_slice
func.func @part_of_a_matrix(%f: vector<8x4xf32>) -> vector<3x4xf32> {
  %0 = vector.extract_strided_slice %f {offsets = [2], sizes = [3], strides = [1]} : vector<8x4xf32> to vector<3x4xf32>
  return %0 : vector<3x4xf32>
}
