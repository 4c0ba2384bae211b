// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// View operations: every form prints as it is read.
// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: @types
// CHECK-SAME: !tile.view<f32, global, (?, ?{div = 4}) : (?{div = 4}, 1), align = 16>
// CHECK-SAME: !tile.view<i8, shared, () : ()>
// An alignment of 1 says nothing and is not printed.
// CHECK-SAME: !tile.view<f64, shared, ((2, 2), 8) : ((1, -16), 2)>
// CHECK-SAME: !tile.view<i128, global, 8 : 1>
func.func private @types(
  !tile.view<f32, global, (?, ?{div = 4}) : (?{div = 4}, 1), align = 16>,
  !tile.view<i8, shared, () : ()>,
  !tile.view<f64, shared, ((2, 2), 8) : ((1, -16), 2), align = 1>,
  !tile.view<i128, global, 8 : 1>)

// CHECK-LABEL: @make_view
// CHECK-SAME: (%[[P:.*]]: !llvm.ptr<1>, %[[M:.*]]: index, %[[LD:.*]]: index)
func.func @make_view(%p: !llvm.ptr<1>, %m: index, %ld: index) {
  // CHECK: tile.make_view %[[P]], (%[[M]], 8) : (%[[LD]] {div = 4}, 1) : <1> -> <f32, global, (?, 8) : (?{div = 4}, 1), align = 16>
  %0 = tile.make_view %p, (%m, 8) : (%ld {div = 4}, 1) : !llvm.ptr<1> -> !tile.view<f32, global, (?, 8) : (?{div = 4}, 1), align = 16>
  // CHECK: tile.make_view %[[P]], () : () : <1> -> <f32, global, () : ()>
  %1 = tile.make_view %p, () : () : !llvm.ptr<1> -> !tile.view<f32, global, () : ()>
  return
}

// CHECK-LABEL: @alloc_shared
func.func @alloc_shared() {
  // CHECK: tile.alloc_shared : <f32, shared, (128, 8, 2) : (1, 132, 1056), align = 128>
  %0 = tile.alloc_shared : !tile.view<f32, shared, (128, 8, 2) : (1, 132, 1056), align = 128>
  return
}

// Each fixed mode is gone, and the alignment that is left is known.
// CHECK-LABEL: @slice
func.func @slice(%v: !tile.view<f32, shared, (128, 8, 2) : (1, 132, 1056), align = 16>, %s: index) -> (
    !tile.view<f32, shared, (128, 8) : (1, 132), align = 16>,
    !tile.view<f32, shared, (8) : (132), align = 4>,
    !tile.view<f32, shared, () : (), align = 16>) {
  // CHECK: tile.slice %{{.*}}(_, _, %{{.*}}) : <f32, shared, (128, 8, 2) : (1, 132, 1056), align = 16>
  %0 = tile.slice %v(_, _, %s) : !tile.view<f32, shared, (128, 8, 2) : (1, 132, 1056), align = 16>
  // CHECK: tile.slice %{{.*}}(3, _, 1)
  %1 = tile.slice %v(3, _, 1) : !tile.view<f32, shared, (128, 8, 2) : (1, 132, 1056), align = 16>
  // CHECK: tile.slice %{{.*}}(%{{.*}} {div = 4}, 0, 1)
  %2 = tile.slice %v(%s {div = 4}, 0, 1) : !tile.view<f32, shared, (128, 8, 2) : (1, 132, 1056), align = 16>
  return %0, %1, %2 : !tile.view<f32, shared, (128, 8) : (1, 132), align = 16>,
    !tile.view<f32, shared, (8) : (132), align = 4>, !tile.view<f32, shared, () : (), align = 16>
}

// A nested mode is kept as a whole.
// CHECK-LABEL: @slice_keeps_nested_mode
func.func @slice_keeps_nested_mode(%v: !tile.view<f32, global, ((?, 2), 4) : ((1, ?), 8)>) -> !tile.view<f32, global, ((?, 2)) : ((1, ?))> {
  %0 = tile.slice %v(_, 3) : !tile.view<f32, global, ((?, 2), 4) : ((1, ?), 8)>
  return %0 : !tile.view<f32, global, ((?, 2)) : ((1, ?))>
}

// A swizzle of no bits is none.
// CHECK-LABEL: @swizzled
// CHECK-SAME: !tile.view<bf16, shared, S<3, 3, 3> o 0 o (128, 64) : (64, 1), align = 1024>
// CHECK-SAME: !tile.view<f32, shared, S<2, 2, -3> o 0 o (8, (32, 2)) : (32, (1, 256)), align = 512>
// CHECK-SAME: !tile.view<bf16, shared, (128, 64) : (64, 1)>
func.func private @swizzled(
  !tile.view<bf16, shared, S<3, 3, 3> o 0 o (128, 64) : (64, 1), align = 1024>,
  !tile.view<f32, shared, S<2, 2, -3> o 0 o (8, (32, 2)) : (32, (1, 256)), align = 512>,
  !tile.view<bf16, shared, S<0, 3, 3> o 0 o (128, 64) : (64, 1)>)

!ring = !tile.view<bf16, shared, S<3, 3, 3> o 0 o (128, 64, 4) : (64, 1, 8192), align = 1024>
!stage = !tile.view<bf16, shared, S<3, 3, 3> o 0 o (128, 64) : (64, 1), align = 1024>
!rows = !tile.view<bf16, shared, S<3, 3, 3> o 0 o (64) : (1), align = 1024>

// Whole periods of a swizzle may be skipped: stages, and 8 rows of 128 bytes.
// CHECK-LABEL: @slice_swizzled
func.func @slice_swizzled(%v: !ring, %s: index) -> (!stage, !rows) {
  // CHECK: tile.slice %{{.*}}(_, _, %{{.*}}) : <bf16, shared, S<3, 3, 3> o 0 o (128, 64, 4) : (64, 1, 8192), align = 1024>
  %0 = tile.slice %v(_, _, %s) : !ring
  // CHECK: tile.slice %{{.*}}(%{{.*}} {div = 8}, _, 3)
  %1 = tile.slice %v(%s {div = 8}, _, 3) : !ring
  return %0, %1 : !stage, !rows
}

// CHECK-LABEL: @transpose_swizzled
func.func @transpose_swizzled(%v: !stage) -> !tile.view<bf16, shared, S<3, 3, 3> o 0 o (64, 128) : (1, 64), align = 1024> {
  %0 = tile.view_transpose %v : !stage
  return %0 : !tile.view<bf16, shared, S<3, 3, 3> o 0 o (64, 128) : (1, 64), align = 1024>
}

// A part of the view will do, as will less alignment.
// CHECK-LABEL: @reshape
func.func @reshape(%v: !stage, %w: !tile.view<f32, global, (8, 8) : (-8, 1), align = 16>) {
  // CHECK: tile.view_reshape %{{.*}} : <bf16, shared, S<3, 3, 3> o 0 o (128, 64) : (64, 1), align = 1024> -> <bf16, shared, S<3, 3, 3> o 0 o ((8, 2), 64) : ((64, 512), 1), align = 1024>
  %0 = tile.view_reshape %v : !stage -> !tile.view<bf16, shared, S<3, 3, 3> o 0 o ((8, 2), 64) : ((64, 512), 1), align = 1024>
  // CHECK: tile.view_reshape %{{.*}} : <f32, global, (8, 8) : (-8, 1), align = 16> -> <f32, global, 57 : -1, align = 4>
  %1 = tile.view_reshape %w : !tile.view<f32, global, (8, 8) : (-8, 1), align = 16> -> !tile.view<f32, global, 57 : -1, align = 4>
  return
}

// CHECK-LABEL: @pointer
func.func @pointer(%v: !stage, %w: !tile.view<f32, global, ? : 1>) -> (!llvm.ptr<3>, !llvm.ptr<1>) {
  // CHECK: tile.view_pointer %{{.*}} : <bf16, shared, S<3, 3, 3> o 0 o (128, 64) : (64, 1), align = 1024>
  %0 = tile.view_pointer %v : !stage
  // CHECK: tile.view_pointer %{{.*}} : <f32, global, ? : 1>
  %1 = tile.view_pointer %w : !tile.view<f32, global, ? : 1>
  return %0, %1 : !llvm.ptr<3>, !llvm.ptr<1>
}
