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

// Two halves to a register; sums stay as they are.
// CHECK-LABEL: @warp_f16
// CHECK: vector.bitcast %{{.*}} : vector<8xf16> to vector<4xi32>
// CHECK: vector.bitcast %{{.*}} : vector<4xf16> to vector<2xi32>
// CHECK: llvm.inline_asm "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$10, $11, $12, $13};", "=f,=f,=f,=f,r,r,r,r,r,r,f,f,f,f"
// CHECK: return %{{.*}} : vector<4xf32>
func.func @warp_f16(%a: vector<8xf16>, %b: vector<4xf16>, %acc: vector<4xf32>) -> vector<4xf32> {
  %0 = tile.mma %a, %b, %acc atom(#tile.mma_sync<shape = [16, 8, 16], a = f16, b = f16, acc = f32>)
    : vector<8xf16>, vector<4xf16>, vector<4xf32>
  return %0 : vector<4xf32>
}

// 8-bit floats, of which the nvvm dialect has none; sums of halves in pairs.
// CHECK-LABEL: @warp_float8
// CHECK: llvm.inline_asm "mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e5m2.f16 {$0, $1}, {$2, $3, $4, $5}, {$6, $7}, {$8, $9};", "=r,=r,r,r,r,r,r,r,r,r"
// CHECK: vector.bitcast %{{.*}} : vector<2xi32> to vector<4xf16>
func.func @warp_float8(%a: vector<16xf8E4M3FN>, %b: vector<8xf8E5M2>, %acc: vector<4xf16>) -> vector<4xf16> {
  %0 = tile.mma %a, %b, %acc atom(#tile.mma_sync<shape = [16, 8, 32], a = f8E4M3FN, b = f8E5M2, acc = f16>)
    : vector<16xf8E4M3FN>, vector<8xf8E5M2>, vector<4xf16>
  return %0 : vector<4xf16>
}

// A register of 64 bits for each double.
// CHECK-LABEL: @warp_f64
// CHECK: llvm.inline_asm "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$10, $11, $12, $13};", "=d,=d,=d,=d,d,d,d,d,d,d,d,d,d,d"
func.func @warp_f64(%a: vector<4xf64>, %b: vector<2xf64>, %acc: vector<4xf64>) -> vector<4xf64> {
  %0 = tile.mma %a, %b, %acc atom(#tile.mma_sync<shape = [16, 8, 8], a = f64, b = f64, acc = f64>)
    : vector<4xf64>, vector<2xf64>, vector<4xf64>
  return %0 : vector<4xf64>
}
