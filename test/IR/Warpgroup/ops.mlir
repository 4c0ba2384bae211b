// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations of a warpgroup: every form prints as it is read.
// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: @types
// CHECK-SAME: !tile.accumulator<<n = 8, a = f16, b = f16, acc = f32>, count = [1, 1]>
// CHECK-SAME: !tile.accumulator<<n = 256, a = f8E4M3FN, b = f8E5M2, acc = f32>, count = [2, 1]>
// CHECK-SAME: !tile.accumulator<<n = 64, a = bf16, b = bf16, acc = f32>, count = [4, 2]>
// CHECK-SAME: !tile.accumulator<<n = 24, a = i8, b = ui8, acc = i32>, count = [1, 1]>
// CHECK-SAME: !tile.accumulator<<n = 40, a = tf32, b = tf32, acc = f32, a_in = register>, count = [1, 1]>
func.func private @types(
  !tile.accumulator<<n = 8, a = f16, b = f16, acc = f32>, count = [1, 1]>,
  !tile.accumulator<#tile.wgmma<n = 256, a = f8E4M3FN, b = f8E5M2, acc = f32>, count = [2, 1]>,
  !tile.accumulator<#tile.wgmma<n = 64, a = bf16, b = bf16, acc = f32>, count = [4, 2]>,
  !tile.accumulator<#tile.wgmma<n = 24, a = i8, b = ui8, acc = i32, a_in = shared>, count = [1, 1]>,
  !tile.accumulator<#tile.wgmma<n = 40, a = tf32, b = tf32, acc = f32, a_in = register>, count = [1, 1]>)

!a = !tile.view<bf16, shared, S<3, 3, 3> o 0 o (128, 64) : (64, 1), align = 1024>
!b = !tile.view<bf16, shared, S<3, 3, 3> o 0 o (64, 64) : (64, 1), align = 1024>
!acc = !tile.accumulator<#tile.wgmma<n = 64, a = bf16, b = bf16, acc = f32>, count = [2, 1]>

// CHECK-LABEL: @multiply
// CHECK-SAME: (%[[A:.*]]: !tile.view<bf16, shared, S<3, 3, 3> o 0 o (128, 64) : (64, 1), align = 1024>, %[[B:.*]]: !tile.view<{{.*}}>)
func.func @multiply(%a: !a, %b: !b) -> vector<64xf32> {
  // CHECK: %[[ZERO:.*]] = tile.zero_accumulator : <<n = 64, a = bf16, b = bf16, acc = f32>, count = [2, 1]>
  %zero = tile.zero_accumulator : !acc
  // CHECK: %[[FIRST:.*]] = tile.warpgroup_mma %[[A]], %[[B]] acc(%[[ZERO]] : !tile.accumulator<<n = 64, {{.*}}>, count = [2, 1]>) : !tile.view<bf16, shared, {{.*}}>, <bf16, shared, {{.*}}> -> <<n = 64, {{.*}}>, count = [2, 1]>
  %first = tile.warpgroup_mma %a, %b acc(%zero : !acc) : !a, !b -> !acc
  // CHECK: tile.warpgroup_mma %[[A]], %[[B]] : !tile.view<bf16, shared, {{.*}}>, <bf16, shared, {{.*}}> -> <<n = 64
  %alone = tile.warpgroup_mma %a, %b : !a, !b -> !acc
  // CHECK: %[[RUNNING:.*]] = tile.warpgroup_wait %[[FIRST]] pending(7) : <<n = 64
  %running = tile.warpgroup_wait %first pending(7) : !acc
  // CHECK: %[[DONE:.*]] = tile.warpgroup_wait %[[RUNNING]] pending(0) : <<n = 64
  %done = tile.warpgroup_wait %running pending(0) : !acc
  // CHECK: tile.accumulator_fragment %[[DONE]] : <<n = 64, {{.*}}>, count = [2, 1]> -> vector<64xf32>
  %fragment = tile.accumulator_fragment %done : !acc -> vector<64xf32>
  return %fragment : vector<64xf32>
}

// Memory and registers hold f32 of tf32, and i8 of integers with and without
// sign.
!f32 = !tile.view<f32, shared, S<3, 2, 3> o 0 o (64, 32) : (32, 1), align = 1024>
!i8 = !tile.view<i8, shared, S<3, 4, 3> o 0 o (64, 128) : (128, 1), align = 1024>
!acc_tf32 = !tile.accumulator<#tile.wgmma<n = 64, a = tf32, b = tf32, acc = f32>, count = [1, 1]>
!acc_i32 = !tile.accumulator<#tile.wgmma<n = 64, a = ui8, b = i8, acc = i32>, count = [1, 1]>
!acc_bf16 = !tile.accumulator<#tile.wgmma<n = 64, a = bf16, b = bf16, acc = f32, a_in = register>, count = [2, 1]>
!acc_u8 = !tile.accumulator<#tile.wgmma<n = 64, a = ui8, b = ui8, acc = i32, a_in = register>, count = [1, 1]>

// CHECK-LABEL: @other_types
func.func @other_types(%a: !f32, %i: !i8, %b: !b, %x: vector<64xbf16>, %y: vector<64xi8>) -> vector<32xi32> {
  // CHECK: tile.warpgroup_mma %{{.*}} : !tile.view<f32, {{.*}}>, <f32, {{.*}}> -> <<n = 64, a = tf32, b = tf32, acc = f32>, count = [1, 1]>
  %0 = tile.warpgroup_mma %a, %a : !f32, !f32 -> !acc_tf32
  // CHECK: tile.warpgroup_mma %{{.*}} : !tile.view<i8, {{.*}}>, <i8, {{.*}}> -> <<n = 64, a = ui8, b = i8, acc = i32>, count = [1, 1]>
  %1 = tile.warpgroup_mma %i, %i : !i8, !i8 -> !acc_i32
  // Two atoms along M, four steps along K, of each eight elements.
  // CHECK: tile.warpgroup_mma %{{.*}} : vector<64xbf16>, <bf16, {{.*}}> -> <<n = 64, a = bf16, b = bf16, acc = f32, a_in = register>, count = [2, 1]>
  %2 = tile.warpgroup_mma %x, %b : vector<64xbf16>, !b -> !acc_bf16
  // CHECK: tile.warpgroup_mma %{{.*}} : vector<64xi8>, <i8, {{.*}}>
  %3 = tile.warpgroup_mma %y, %i : vector<64xi8>, !i8 -> !acc_u8
  %4 = tile.accumulator_fragment %1 : !acc_i32 -> vector<32xi32>
  return %4 : vector<32xi32>
}

// Rows or columns of 8 may be contiguous, behind a swizzle or not.
// CHECK-LABEL: @store_matrix
func.func @store_matrix(%x: vector<32xbf16>, %y: vector<4xf16>, %t: index,
    %rows: !tile.view<bf16, shared, S<3, 3, 3> o 0 o (64, 64) : (64, 1), align = 1024>,
    %columns: !tile.view<bf16, shared, (64, 64) : (1, 64), align = 16>,
    %narrow: !tile.view<f16, shared, (64, 8) : (8, 1), align = 16>) {
  // CHECK: tile.store_matrix %{{.*}}, %{{.*}}, %{{.*}} : vector<32xbf16>, <bf16, shared, S<3, 3, 3> o 0 o (64, 64) : (64, 1), align = 1024>
  tile.store_matrix %x, %rows, %t : vector<32xbf16>, !tile.view<bf16, shared, S<3, 3, 3> o 0 o (64, 64) : (64, 1), align = 1024>
  // CHECK: tile.store_matrix %{{.*}} : vector<32xbf16>, <bf16, shared, (64, 64) : (1, 64), align = 16>
  tile.store_matrix %x, %columns, %t : vector<32xbf16>, !tile.view<bf16, shared, (64, 64) : (1, 64), align = 16>
  // CHECK: tile.store_matrix %{{.*}} : vector<4xf16>, <f16, shared, (64, 8) : (8, 1), align = 16>
  tile.store_matrix %y, %narrow, %t : vector<4xf16>, !tile.view<f16, shared, (64, 8) : (8, 1), align = 16>
  return
}
