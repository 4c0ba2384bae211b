// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of 16-bit operands on the fused multiply-add units: elements stay as
// they are in shared memory and are extended before each step; the result is
// rounded once.
// RUN: tile-opt %s --tile-build-kernels | FileCheck %s

#simt = #tile.simt<tile = [64, 64, 32], warps = [2, 2], thread = [8, 4], min_blocks = 3>
!row = memref<?x?xbf16, strided<[?, 1], offset: ?>>
!col = memref<?x?xbf16, strided<[1, ?], offset: ?>>
!sum = memref<?x?xf32, strided<[?, 1], offset: ?>>

// CHECK-LABEL: func.func @same_type
// CHECK: tile.launch [@gemm_0::@simt_64x64x32_bf16_rcr_v8, @gemm_0::@simt_64x64x32_bf16_rcr_v1] ins(
func.func @same_type(%a: !row, %b: !col, %c: !row, %d: !row, %s: f32) {
  tile.gemm ins(%a, %b, %c : !row, !col, !row) outs(%d : !row) alpha(%s : f32) beta(%s : f32) schedule #simt
  return
}

// CHECK-LABEL: func.func @f32_result
// CHECK: tile.launch [@gemm_1::@simt_64x64x32_bf16_f32_rrr_v8, @gemm_1::@simt_64x64x32_bf16_f32_rrr_v1] ins(
func.func @f32_result(%a: !row, %b: !row, %d: !sum) {
  tile.gemm ins(%a, %b : !row, !row) outs(%d : !sum) schedule #simt
  return
}

// A list: names stay apart.
// CHECK-LABEL: func.func @list
// CHECK: tile.launch [@gemm_2::@simt_64x64x32_bf16_rrr_v8, @gemm_2::@simt_64x64x32_bf16_rrr_v1, @gemm_2::@simt_64x64x32_bf16_rrr_v8_1, @gemm_2::@simt_64x64x32_bf16_rrr_v1_1] ins(
func.func @list(%a: !row, %d: !row) {
  tile.gemm ins(%a, %a : !row, !row) outs(%d : !row)
    schedule [#simt, #tile.simt<tile = [64, 64, 32], warps = [2, 2], thread = [8, 4], min_blocks = 2>]
  return
}

// CHECK-LABEL: gpu.module @gemm_0
// CHECK: gpu.func @simt_64x64x32_bf16_rcr_v8
// CHECK-SAME: parameters = [A.data, A.stride[0], B.data, B.stride[1], C.data, C.stride[0], D.data, D.stride[0], M, N, K, alpha, beta]
// CHECK-SAME: {operand = A, unit_stride = 1, alignment = 16, stride_multiple = 8, extent_multiple = 8}
// CHECK-SAME: {operand = D, unit_stride = 1, alignment = 16, stride_multiple = 8, extent_multiple = 8}
// CHECK-SAME: cost = {fixed_ns = {{[^ ]*}}, tile_ns = {{[^ ]*}}, k_ns = [[K:[0-9.]*]], bytes_ns = {{[^ ]*}}}
// CHECK: tile.alloc_shared : <bf16
// CHECK: tile.alloc_shared : <bf16
// CHECK: scf.for
// CHECK: arith.extf %{{.*}} : vector<8xbf16> to vector<8xf32>
// CHECK: arith.extf %{{.*}} : vector<4xbf16> to vector<4xf32>
// CHECK: tile.mma {{.*}} : vector<8xf32>, vector<4xf32>, vector<32xf32>
// CHECK: scf.yield {{.*}} : vector<32xf32>, {{.*}}, vector<8xbf16>, vector<4xbf16>
// CHECK: arith.extf
// CHECK: llvm.intr.fma({{.*}} : (vector<4xf32>
// CHECK: arith.truncf {{.*}} : vector<4xf32> to vector<4xbf16>

// One element at a time takes longer.
// CHECK: gpu.func @simt_64x64x32_bf16_rcr_v1
// CHECK-NOT: k_ns = [[K]],

// Accesses to D move 4 elements, those to A and B 8.
// CHECK-LABEL: gpu.module @gemm_1
// CHECK: gpu.func @simt_64x64x32_bf16_f32_rrr_v8
// CHECK-SAME: {operand = B, unit_stride = 1, alignment = 16, stride_multiple = 8, extent_multiple = 8}
// CHECK-SAME: {operand = D, unit_stride = 1, alignment = 16, stride_multiple = 4, extent_multiple = 4}
// CHECK-NOT: arith.truncf
// CHECK: gpu.func @simt_64x64x32_bf16_f32_rrr_v1
