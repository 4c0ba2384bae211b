// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of a problem: one for each way in which its operands may be
// laid out, the last one for all of them, and what each needs of a launch.
// RUN: tile-opt %s --tile-select-schedule="schedule=#tile.simt<tile=[64,128,8],warps=[2,2],thread=[8,8]>" --tile-build-kernels | FileCheck %s --check-prefixes=CHECK,HOST

!row = memref<?x?xf32, strided<[?, 1], offset: ?>>
!col = memref<?x?xf32, strided<[1, ?], offset: ?>>
!any = memref<?x?xf32, strided<[?, ?], offset: ?>>

// HOST: module attributes {gpu.container_module}

// HOST-LABEL: func.func @row_major
// HOST-NEXT: tile.launch [@[[M0:gemm_0]]::@{{.*}}_rrr_v4{{[a-z0-9_]*}}, @[[M0]]::@{{.*}}_rrr_v1{{[a-z0-9_]*}}] ins(
// HOST-NOT: tile.gemm
func.func @row_major(%a: !row, %b: !row, %d: !row) {
  tile.gemm ins(%a, %b : !row, !row) outs(%d : !row)
  return
}

// HOST-LABEL: func.func @column_by_row
// HOST: tile.launch [@{{.*}}_crr_v4{{.*}}, @{{.*}}_crr_v1{{.*}}] ins(
func.func @column_by_row(%a: !col, %b: !row, %d: !row) {
  tile.gemm ins(%a, %b : !col, !row) outs(%d : !row)
  return
}

// Operands that may be either way get a kernel each way, and one that takes
// both strides.
// HOST-LABEL: func.func @strides_at_run_time
// HOST: tile.launch [@{{.*}}_rrr_v4{{.*}}, @{{.*}}_rcr_v4{{.*}}, @{{.*}}_crr_v4{{.*}}, @{{.*}}_ccr_v4{{.*}}, @{{.*}}_xxr_v1{{.*}}] ins(
func.func @strides_at_run_time(%a: !any, %b: !any, %d: !row) {
  tile.gemm ins(%a, %b : !any, !any) outs(%d : !row)
  return
}

// HOST-LABEL: func.func @column_major_result
// HOST: tile.launch [@{{.*}}_rcc_v4{{.*}}, @{{.*}}_rcc_v1{{.*}}] ins(
func.func @column_major_result(%a: !row, %b: !col, %d: !col) {
  tile.gemm ins(%a, %b : !row, !col) outs(%d : !col)
  return
}

// HOST-LABEL: func.func @batched
// HOST: tile.launch {{.*}} ins(%{{.*}}, %{{.*}}, %{{.*}} : {{.*}}) outs(%{{.*}}) alpha(%{{.*}} : f32) beta(
func.func @batched(%a: memref<?x?xf32>, %b: memref<?x?x?xf32>, %c: memref<?x?x?xf32>, %d: memref<?x?x?xf32>, %s: f32) {
  tile.gemm ins(%a, %b, %c : memref<?x?xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>) outs(%d : memref<?x?x?xf32>) alpha(%s : f32) beta(%s : f32)
  return
}

// The vector kernel: 128 threads, extents and strides that are multiples of 4,
// bases aligned to 16 bytes.
// CHECK-LABEL: gpu.module @gemm_0
// CHECK: gpu.func @{{.*}}_rrr_v4{{.*}}(%{{.*}}: !llvm.ptr<1>, %{{.*}}: i64, %{{.*}}: !llvm.ptr<1>, %{{.*}}: i64, %{{.*}}: !llvm.ptr<1>, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: f32, %{{.*}}: f32) kernel
// CHECK-SAME: known_block_size = array<i32: 128, 1, 1>
// CHECK-SAME: tile.launch_facts = #tile.launch_facts<schedule = "#tile.simt<{{[^"]*}}>"
// CHECK-SAME: grid = {tile = [64, 128]}
// CHECK-SAME: parameters = [A.data, A.stride[0], B.data, B.stride[0], D.data, D.stride[0], M, N, K, alpha, beta]
// CHECK-SAME: requires = [{operand = A, unit_stride = 1, alignment = 16, stride_multiple = 4, extent_multiple = 4}, {operand = B, unit_stride = 1, alignment = 16, stride_multiple = 4, extent_multiple = 4}, {operand = D, unit_stride = 1, alignment = 16, stride_multiple = 4, extent_multiple = 4}]>
// The walk over K starts with the residue tile; stores are predicated by both extents.
// CHECK: tile.make_iterator {{.*}}#tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 128, elements = 4>, advance = 1, predicated, residue>
// CHECK: tile.make_iterator {{.*}}#tile.strip_mined<tile = [8, 128], contiguous = 1, threads = 128, elements = 4>, advance = 0, predicated, residue>
// CHECK: tile.copy {{.*}} residue>,
// CHECK: tile.iterator_advance {{.*}} residue>
// CHECK: gpu.barrier
// CHECK: scf.for
// CHECK: tile.iterator_load {{.*}} advance = 1, predicated, steady>
// CHECK: tile.iterator_clear_mask
// CHECK-COUNT-8: tile.mma
// CHECK: tile.iterator_store
// The scalar kernel asks for the strides of the types, and nothing more.
// CHECK: gpu.func @{{.*}}_rrr_v1
// CHECK-SAME: requires = [{operand = A, unit_stride = 1, alignment = 4},

// CHECK-LABEL: gpu.module @gemm_2
// The scalar kernel takes any strides of A and B.
// CHECK: gpu.func @{{.*}}_xxr_v1
// CHECK-SAME: parameters = [A.data, A.stride[0], A.stride[1], B.data, B.stride[0], B.stride[1], D.data, D.stride[0], M, N, K, alpha, beta]
// CHECK-SAME: requires = [{operand = D, {{[^}]*}}}]>

// A column-major result: the kernel computes the transposed problem.
// CHECK-LABEL: gpu.module @gemm_3
// CHECK: gpu.func @{{.*}}_rcc_v4
// CHECK-SAME: grid = {tile = [128, 64]}
// CHECK-SAME: parameters = [B.data, B.stride[1], A.data, A.stride[0], D.data, D.stride[1], N, M, K, alpha, beta]
// CHECK-SAME: {operand = B, unit_stride = 0, {{[^}]*}}stride_multiple = 4, {{[^}]*}}}
// CHECK-SAME: {operand = A, unit_stride = 1, {{[^}]*}}stride_multiple = 4, {{[^}]*}}}
// CHECK-SAME: {operand = D, unit_stride = 0, {{[^}]*}}stride_multiple = 4, {{[^}]*}}}

// CHECK-LABEL: gpu.module @gemm_4
// CHECK: gpu.func
// CHECK-SAME: parameters = [A.data, A.stride[0], A.batch_stride, B.data, B.stride[0], B.batch_stride, C.data, C.stride[0], C.batch_stride, D.data, D.stride[0], D.batch_stride, M, N, K, alpha, beta]
// C is loaded only where beta is not 0.
// CHECK: %[[ZERO:.*]] = arith.cmpf oeq, %arg16, %{{.*}} : f32
// CHECK: tile.iterator_clear_mask %{{.*}}, %[[ZERO]]
