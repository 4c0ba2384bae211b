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
