// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accumulators are structs of registers, a multiply is one wgmma for each atom
// and step along K, a matrix is stored with stmatrix.
// RUN: tile-opt %s --tile-lower-warpgroups --canonicalize | FileCheck %s

!acc = !tile.accumulator<#tile.wgmma<n = 8, a = bf16, b = bf16, acc = f32>, count = [2, 1]>
!acc_64 = !tile.accumulator<#tile.wgmma<n = 64, a = bf16, b = bf16, acc = f32>, count = [1, 1]>
!acc_f8 = !tile.accumulator<#tile.wgmma<n = 8, a = f8E4M3FN, b = f8E5M2, acc = f32>, count = [1, 1]>

// CHECK-LABEL: @zero
// CHECK: %[[ZERO:.*]] = llvm.mlir.zero : !llvm.struct<(f32, f32, f32, f32)>
// CHECK: return %[[ZERO]], %[[ZERO]]
func.func @zero() -> !acc {
  %0 = tile.zero_accumulator : !acc
  return %0 : !acc
}

// Two atoms along M times two steps of 16 elements along K. The descriptor has
// the address in units of 16 bytes; a step is 32 bytes, 64 rows are 8192, and
// the swizzle of 128 bytes (1 at bit 62) has groups of 8 rows 1024 bytes apart
// (64 at bit 32).
// CHECK-LABEL: @multiply
// CHECK-SAME: (%[[A:.*]]: !tile.view<{{.*}}>, %[[B:.*]]: !tile.view<{{.*}}>, %[[ACC0:.*]]: !llvm.struct<(f32, f32, f32, f32)>, %[[ACC1:.*]]: !llvm.struct<(f32, f32, f32, f32)>)
// CHECK-DAG: %[[BITS:.*]] = arith.constant 4611686293305360384 : i64
// CHECK-DAG: %[[ROWS_STEP:.*]] = arith.constant 514 : i64
// CHECK-DAG: %[[ROWS:.*]] = arith.constant 512 : i64
// CHECK-DAG: %[[STEP:.*]] = arith.constant 2 : i64
// CHECK: %[[PTR_A:.*]] = tile.view_pointer %[[A]]
// CHECK: %[[INT_A:.*]] = llvm.ptrtoint %[[PTR_A]]
// CHECK: %[[LOW_A:.*]] = arith.andi %[[INT_A]], %c262143
// CHECK: %[[UNITS_A:.*]] = arith.shrui %[[LOW_A]], %c4
// CHECK: %[[DA:.*]] = arith.ori %[[UNITS_A]], %[[BITS]]
// CHECK: tile.view_pointer %[[B]]
// CHECK: %[[DB:.*]] = arith.ori %{{.*}}, %[[BITS]]
// CHECK-NEXT: nvvm.wgmma.fence.aligned
// CHECK-NEXT: %[[R0:.*]] = nvvm.wgmma.mma_async %[[DA]], %[[DB]], %[[ACC0]], <m = 64, n = 8, k = 16>, D[<f32>, <one>], A[<bf16>, <one>, <row>], B[<bf16>, <one>, <col>]
// CHECK-NEXT: %[[DA1:.*]] = arith.addi %[[DA]], %[[STEP]]
// CHECK-NEXT: %[[DB1:.*]] = arith.addi %[[DB]], %[[STEP]]
// CHECK-NEXT: %[[R1:.*]] = nvvm.wgmma.mma_async %[[DA1]], %[[DB1]], %[[R0]],
// CHECK-NEXT: %[[DA2:.*]] = arith.addi %[[DA]], %[[ROWS]]
// CHECK-NEXT: %[[R2:.*]] = nvvm.wgmma.mma_async %[[DA2]], %[[DB]], %[[ACC1]],
// CHECK-NEXT: %[[DA3:.*]] = arith.addi %[[DA]], %[[ROWS_STEP]]
// CHECK: %[[R3:.*]] = nvvm.wgmma.mma_async %[[DA3]], %{{.*}}, %[[R2]],
// CHECK-NEXT: nvvm.wgmma.commit.group.sync.aligned
// CHECK-NEXT: return %[[R1]], %[[R3]]
func.func @multiply(
    %a: !tile.view<bf16, shared, S<3, 3, 3> o 0 o (128, 32) : (64, 1), align = 1024>,
    %b: !tile.view<bf16, shared, S<3, 3, 3> o 0 o (8, 32) : (64, 1), align = 1024>, %acc: !acc) -> !acc {
  %0 = tile.warpgroup_mma %a, %b acc(%acc : !acc) : !tile.view<bf16, shared, S<3, 3, 3> o 0 o (128, 32) : (64, 1), align = 1024>,
    !tile.view<bf16, shared, S<3, 3, 3> o 0 o (8, 32) : (64, 1), align = 1024> -> !acc
  return %0 : !acc
}

// Without accumulators, the first step adds to nothing. B is contiguous along N.
// CHECK-LABEL: @first
// CHECK: %[[NONE:.*]] = llvm.mlir.undef
// CHECK: nvvm.wgmma.fence.aligned
// CHECK: nvvm.wgmma.mma_async %{{.*}}, %{{.*}}, %[[NONE]], <m = 64, n = 64, k = 16>, D[<f32>, <zero>], A[<bf16>, <one>, <row>], B[<bf16>, <one>, <row>]
// CHECK: nvvm.wgmma.mma_async %{{.*}}, <m = 64, n = 64, k = 16>, D[<f32>, <one>], A[<bf16>, <one>, <row>], B[<bf16>, <one>, <row>]
// CHECK-NOT: nvvm.wgmma.mma_async
// CHECK: nvvm.wgmma.commit.group.sync.aligned
func.func @first(
    %a: !tile.view<bf16, shared, S<3, 3, 3> o 0 o (64, 32) : (64, 1), align = 1024>,
    %b: !tile.view<bf16, shared, S<3, 3, 3> o 0 o (64, 32) : (1, 64), align = 1024>) -> !acc_64 {
  %0 = tile.warpgroup_mma %a, %b : !tile.view<bf16, shared, S<3, 3, 3> o 0 o (64, 32) : (64, 1), align = 1024>,
    !tile.view<bf16, shared, S<3, 3, 3> o 0 o (64, 32) : (1, 64), align = 1024> -> !acc_64
  return %0 : !acc_64
}

// CHECK-LABEL: @eight_bits
// CHECK: nvvm.wgmma.mma_async {{.*}}, <m = 64, n = 8, k = 32>, D[<f32>, <one>], A[<e4m3>, <one>, <row>], B[<e5m2>, <one>, <col>]
func.func @eight_bits(
    %a: !tile.view<f8E4M3FN, shared, S<3, 4, 3> o 0 o (64, 32) : (128, 1), align = 1024>,
    %b: !tile.view<f8E5M2, shared, S<3, 4, 3> o 0 o (8, 32) : (128, 1), align = 1024>, %acc: !acc_f8) -> !acc_f8 {
  %0 = tile.warpgroup_mma %a, %b acc(%acc : !acc_f8) : !tile.view<f8E4M3FN, shared, S<3, 4, 3> o 0 o (64, 32) : (128, 1), align = 1024>,
    !tile.view<f8E5M2, shared, S<3, 4, 3> o 0 o (8, 32) : (128, 1), align = 1024> -> !acc_f8
  return %0 : !acc_f8
}

// CHECK-LABEL: @tf32
// CHECK: nvvm.wgmma.mma_async {{.*}}, <m = 64, n = 8, k = 8>, D[<f32>, <one>], A[<tf32>, <one>, <row>], B[<tf32>, <one>, <col>]
// CHECK: nvvm.wgmma.mma_async {{.*}}, <m = 64, n = 8, k = 8>, D[<f32>, <one>], A[<tf32>, <one>, <row>], B[<tf32>, <one>, <col>]
!acc_tf32 = !tile.accumulator<#tile.wgmma<n = 8, a = tf32, b = tf32, acc = f32>, count = [1, 1]>
func.func @tf32(
    %a: !tile.view<f32, shared, S<3, 2, 3> o 0 o (64, 16) : (32, 1), align = 1024>,
    %b: !tile.view<f32, shared, S<3, 2, 3> o 0 o (8, 16) : (32, 1), align = 1024>, %acc: !acc_tf32) -> !acc_tf32 {
  %0 = tile.warpgroup_mma %a, %b acc(%acc : !acc_tf32) : !tile.view<f32, shared, S<3, 2, 3> o 0 o (64, 16) : (32, 1), align = 1024>,
    !tile.view<f32, shared, S<3, 2, 3> o 0 o (8, 16) : (32, 1), align = 1024> -> !acc_tf32
  return %0 : !acc_tf32
}

// CHECK-LABEL: @integers
// CHECK-SAME: !llvm.struct<(i32, i32, i32, i32)>
// CHECK: nvvm.wgmma.mma_async {{.*}}, <m = 64, n = 8, k = 32>, D[<s32>, <one>], A[<u8>, <one>, <row>], B[<s8>, <one>, <col>]
!acc_i32 = !tile.accumulator<#tile.wgmma<n = 8, a = ui8, b = i8, acc = i32>, count = [1, 1]>
func.func @integers(
    %a: !tile.view<i8, shared, S<3, 4, 3> o 0 o (64, 32) : (128, 1), align = 1024>,
    %b: !tile.view<i8, shared, S<3, 4, 3> o 0 o (8, 32) : (128, 1), align = 1024>, %acc: !acc_i32) -> !acc_i32 {
  %0 = tile.warpgroup_mma %a, %b acc(%acc : !acc_i32) : !tile.view<i8, shared, S<3, 4, 3> o 0 o (64, 32) : (128, 1), align = 1024>,
    !tile.view<i8, shared, S<3, 4, 3> o 0 o (8, 32) : (128, 1), align = 1024> -> !acc_i32
  return %0 : !acc_i32
}

// A in registers: four words for each instruction, which nvvm has no operation
// for. The second one, which adds to the first, takes the next four.
// CHECK-LABEL: @register_a
// CHECK-SAME: (%[[X:.*]]: vector<16xbf16>, %[[B:.*]]: !tile.view<{{.*}}>)
// CHECK: tile.view_pointer %[[B]]
// CHECK: %[[DB:.*]] = arith.ori
// CHECK: %[[W:.*]] = vector.bitcast %[[X]] : vector<16xbf16> to vector<8xi32>
// CHECK: %[[W0:.*]] = vector.extract %[[W]][0]
// CHECK: %[[W7:.*]] = vector.extract %[[W]][7]
// CHECK: nvvm.wgmma.fence.aligned
// CHECK: %[[R0:.*]] = llvm.inline_asm has_side_effects asm_dialect = att "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0, $1, $2, $3}, {$4, $5, $6, $7}, $8, 0, 1, 1, 1;", "=f,=f,=f,=f,r,r,r,r,l,0,1,2,3" %[[W0]], %{{.*}}, %{{.*}}, %{{.*}}, %[[DB]],
// CHECK-DAG: %[[DB1:.*]] = arith.addi %[[DB]]
// CHECK-DAG: llvm.extractvalue %[[R0]][0]
// CHECK: %[[R1:.*]] = llvm.inline_asm has_side_effects asm_dialect = att "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0, $1, $2, $3}, {$4, $5, $6, $7}, $8, 1, 1, 1, 1;", "=f,=f,=f,=f,r,r,r,r,l,0,1,2,3" %{{.*}}, %{{.*}}, %{{.*}}, %[[W7]], %[[DB1]],
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// CHECK: return %[[R1]]
!acc_register = !tile.accumulator<#tile.wgmma<n = 8, a = bf16, b = bf16, acc = f32, a_in = register>, count = [1, 1]>
func.func @register_a(%a: vector<16xbf16>, %b: !tile.view<bf16, shared, (8, 32) : (1, 8), align = 1024>) -> !acc_register {
  %0 = tile.warpgroup_mma %a, %b : vector<16xbf16>, !tile.view<bf16, shared, (8, 32) : (1, 8), align = 1024> -> !acc_register
  return %0 : !acc_register
}

// CHECK-LABEL: @register_a_of_integers
// CHECK: llvm.inline_asm {{.*}} "wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.u8 {$0, $1, $2, $3}, {$4, $5, $6, $7}, $8, 1;", "=r,=r,=r,=r,r,r,r,r,l,0,1,2,3"
!acc_register_i32 = !tile.accumulator<#tile.wgmma<n = 8, a = i8, b = ui8, acc = i32, a_in = register>, count = [1, 1]>
func.func @register_a_of_integers(%a: vector<16xi8>, %b: !tile.view<i8, shared, S<3, 4, 3> o 0 o (8, 32) : (128, 1), align = 1024>, %acc: !acc_register_i32) -> !acc_register_i32 {
  %0 = tile.warpgroup_mma %a, %b acc(%acc : !acc_register_i32) : vector<16xi8>, !tile.view<i8, shared, S<3, 4, 3> o 0 o (8, 32) : (128, 1), align = 1024> -> !acc_register_i32
  return %0 : !acc_register_i32
}

// CHECK-LABEL: @read
// CHECK-SAME: (%[[ACC0:.*]]: !llvm.struct<(f32, f32, f32, f32)>, %[[ACC1:.*]]: !llvm.struct<(f32, f32, f32, f32)>)
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK: %[[X:.*]] = llvm.extractvalue %[[ACC0]][0]
// CHECK: %[[Y:.*]] = llvm.extractvalue %[[ACC1]][3]
// CHECK: vector.from_elements %[[X]], {{.*}}, %[[Y]] : vector<8xf32>
func.func @read(%acc: !acc) -> vector<8xf32> {
  %0 = tile.warpgroup_wait %acc pending(0) : !acc
  %1 = tile.accumulator_fragment %0 : !acc -> vector<8xf32>
  return %1 : vector<8xf32>
}

// A lane addresses one of 16 rows and one of two units of 8 columns, a warp its
// 16 rows; the swizzle moves the unit (bit 6 to bit 3).
// CHECK-LABEL: @store_rows
// CHECK-SAME: (%{{.*}}: vector<8xbf16>, %[[V:.*]]: !tile.view<{{.*}}>, %[[T:.*]]: index)
// CHECK: %[[BASE:.*]] = tile.view_pointer %[[V]]
// CHECK: %[[ROW:.*]] = arith.andi %[[T]], %c15
// CHECK: arith.muli %[[ROW]], %c16
// CHECK: arith.shrui %[[T]], %c5
// CHECK: %[[UNIT:.*]] = arith.addi {{.*}} : index
// CHECK: vector.bitcast %{{.*}} : vector<2xbf16> to vector<1xi32>
// CHECK: %[[BIT:.*]] = arith.andi %{{.*}}, %c64
// CHECK: %[[MOVED:.*]] = arith.shrui %[[BIT]], %c3
// CHECK: arith.xori %{{.*}}, %[[MOVED]]
// CHECK: nvvm.stmatrix %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {{{.*}}layout = #nvvm.mma_layout<row>
func.func @store_rows(%x: vector<8xbf16>, %v: !tile.view<bf16, shared, S<1, 3, 3> o 0 o (64, 16) : (16, 1), align = 1024>, %t: index) {
  tile.store_matrix %x, %v, %t : vector<8xbf16>, !tile.view<bf16, shared, S<1, 3, 3> o 0 o (64, 16) : (16, 1), align = 1024>
  return
}

// Transposed, two matrices: there are 8 columns only.
// CHECK-LABEL: @store_columns
// CHECK: nvvm.stmatrix %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}} {{{.*}}layout = #nvvm.mma_layout<col>
func.func @store_columns(%x: vector<4xf16>, %v: !tile.view<f16, shared, (64, 8) : (1, 64), align = 16>, %t: index) {
  tile.store_matrix %x, %v, %t : vector<4xf16>, !tile.view<f16, shared, (64, 8) : (1, 64), align = 16>
  return
}
