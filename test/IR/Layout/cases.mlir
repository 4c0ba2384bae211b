// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layouts that other implementations got wrong: the right result, which is the
// type that is inferred, or the right reason.
// RUN: tile-opt %s --canonicalize -split-input-file -verify-diagnostics | FileCheck %s

// The left side is coalesced first (cutlass#1353).
func.func @composition_coalesces_left(%a: !tile.layout<(2, 3) : (1, 2)>, %b: !tile.layout<(2, 3) : (3, 1)>) -> !tile.layout<(2, 3) : (3, 1)> {
  %0 = tile.composition %a, %b : !tile.layout<(2, 3) : (1, 2)>, !tile.layout<(2, 3) : (3, 1)>
  return %0 : !tile.layout<(2, 3) : (3, 1)>
}

// -----

// Refused needlessly (cutlass#2113).
// CHECK-LABEL: @composition_splits_a_mode
func.func @composition_splits_a_mode(%a: !tile.layout<(10, 2) : (16, 4)>, %b: !tile.layout<(3, 4) : (1, 5)>) -> (!tile.layout<(3, (2, 2)) : (16, (80, 4))>, index, index) {
  %0 = tile.composition %a, %b : !tile.layout<(10, 2) : (16, 4)>, !tile.layout<(3, 4) : (1, 5)>
  // CHECK-DAG: %[[A:.*]] = arith.constant 4 : index
  // CHECK-DAG: %[[B:.*]] = arith.constant 116 : index
  // CHECK: return %{{.*}}, %[[A]], %[[B]]
  %1 = tile.crd2idx 6, %0 : !tile.layout<(3, (2, 2)) : (16, (80, 4))>
  %2 = tile.crd2idx 11, %0 : !tile.layout<(3, (2, 2)) : (16, (80, 4))>
  return %0, %1, %2 : !tile.layout<(3, (2, 2)) : (16, (80, 4))>, index, index
}

// -----

// Accepted wrongly: the true value at (2, 1) is 8 (cutlass#2955).
func.func @composition_carries(%a: !tile.layout<(6, 2) : (1, 7)>, %b: !tile.layout<(3, 2) : (2, 3)>) {
  // expected-error @below {{expected 8, but got 7}}
  %0 = tile.composition %a, %b : !tile.layout<(6, 2) : (1, 7)>, !tile.layout<(3, 2) : (2, 3)>
  return
}

// -----

// Static refused, dynamic accepted (cutlass#2432).
func.func @composition_static_as_dynamic(%a: !tile.layout<(32, 128) : (128, 1)>, %b: !tile.layout<(30, 128) : (1, 32)>, %c: !tile.layout<(32, ?) : (?, 1)>, %d: !tile.layout<(30, ?) : (1, 32)>) -> (!tile.layout<(30, 128) : (128, 1)>, !tile.layout<(30, ?) : (?, 1)>) {
  %0 = tile.composition %a, %b : !tile.layout<(32, 128) : (128, 1)>, !tile.layout<(30, 128) : (1, 32)>
  %1 = tile.composition %c, %d : !tile.layout<(32, ?) : (?, 1)>, !tile.layout<(30, ?) : (1, 32)>
  return %0, %1 : !tile.layout<(30, 128) : (128, 1)>, !tile.layout<(30, ?) : (?, 1)>
}

// -----

// A stride that divides, mode by mode (cutlass#2515, #3182).
func.func @composition_strides(%a: !tile.layout<(3, 6, 2, 8) : (1, 10, 100, 1000)>, %b: !tile.layout<96 : 3>, %c: !tile.layout<48 : 6>, %d: !tile.layout<32 : 9>, %e: !tile.layout<4 : 72>)
    -> (!tile.layout<(6, 2, 8) : (10, 100, 1000)>, !tile.layout<(3, 2, 8) : (20, 100, 1000)>, !tile.layout<(2, 2, 8) : (30, 100, 1000)>, !tile.layout<4 : 2000>) {
  %0 = tile.composition %a, %b : !tile.layout<(3, 6, 2, 8) : (1, 10, 100, 1000)>, !tile.layout<96 : 3>
  %1 = tile.composition %a, %c : !tile.layout<(3, 6, 2, 8) : (1, 10, 100, 1000)>, !tile.layout<48 : 6>
  %2 = tile.composition %a, %d : !tile.layout<(3, 6, 2, 8) : (1, 10, 100, 1000)>, !tile.layout<32 : 9>
  %3 = tile.composition %a, %e : !tile.layout<(3, 6, 2, 8) : (1, 10, 100, 1000)>, !tile.layout<4 : 72>
  return %0, %1, %2, %3 : !tile.layout<(6, 2, 8) : (10, 100, 1000)>, !tile.layout<(3, 2, 8) : (20, 100, 1000)>, !tile.layout<(2, 2, 8) : (30, 100, 1000)>, !tile.layout<4 : 2000>
}

// -----

// A divide keeps the size (cutlass#2545).
func.func @divide_keeps_the_size(%a: !tile.layout<(12, 32) : (1, 12)>, %b: !tile.layout<(4, 8) : (1, 4)>) -> (!tile.layout<((4, 8), 12) : ((1, 4), 32)>, !tile.layout<((4, 8), (3, 4)) : ((1, 12), (4, 96))>) {
  %0 = tile.logical_divide %a, %b : !tile.layout<(12, 32) : (1, 12)>, !tile.layout<(4, 8) : (1, 4)>
  %1 = tile.zipped_divide %a by <4, 8> : !tile.layout<(12, 32) : (1, 12)>
  return %0, %1 : !tile.layout<((4, 8), 12) : ((1, 4), 32)>, !tile.layout<((4, 8), (3, 4)) : ((1, 12), (4, 96))>
}

// -----

// The inverse of a blocked product (cutlass#1625).
func.func @inverse_of_blocked_product(%a: !tile.layout<(2, 3) : (1, 2)>, %b: !tile.layout<(4, 2) : (1, 4)>) -> (!tile.layout<((2, 4), (3, 2)) : ((1, 6), (2, 24))>, !tile.layout<(2, 3, 4, 2) : (1, 8, 2, 24)>) {
  %0 = tile.blocked_product %a, %b : !tile.layout<(2, 3) : (1, 2)>, !tile.layout<(4, 2) : (1, 4)>
  %1 = tile.right_inverse %0 : !tile.layout<((2, 4), (3, 2)) : ((1, 6), (2, 24))>
  return %0, %1 : !tile.layout<((2, 4), (3, 2)) : ((1, 6), (2, 24))>, !tile.layout<(2, 3, 4, 2) : (1, 8, 2, 24)>
}

// -----

// The same with run-time extents: the inverse goes as far as is known, and is
// that of the constants once they are.
// CHECK-LABEL: @inverse_of_dynamic_blocked_product
// CHECK: tile.make_layout (2, 3, 4) : (1, 8, 2)
func.func @inverse_of_dynamic_blocked_product(%a: !tile.layout<(2, 3) : (1, 2)>) -> !tile.layout<(2, 3, ?) : (1, ?{div = 2}, 2)> {
  %m = arith.constant 4 : index
  %n = arith.constant 2 : index
  %b = tile.make_layout_left (%m, %n)
  %0 = tile.blocked_product %a, %b : !tile.layout<(2, 3) : (1, 2)>, !tile.layout<(?, ?) : (1, ?)>
  %1 = tile.right_inverse %0 : !tile.layout<((2, ?), (3, ?)) : ((1, 6), (2, ?{div = 6}))>
  return %1 : !tile.layout<(2, 3, ?) : (1, ?{div = 2}, 2)>
}

// -----

// Together with the layout it reaches each of 24 offsets once (cutlass#1466).
func.func @complement(%a: !tile.layout<(2, 2) : (1, 6)>) -> !tile.layout<(3, 2) : (2, 12)> {
  %0 = tile.complement %a in 24 : !tile.layout<(2, 2) : (1, 6)>
  return %0 : !tile.layout<(3, 2) : (2, 12)>
}

// -----

// `_` is the whole mode (cutlass#3350).
func.func @wildcard_is_the_whole_mode(%a: !tile.layout<(64, 50) : (100, 1)>) -> (!tile.layout<((32, 50), (2, 1)) : ((100, 1), (3200, 0))>, !tile.layout<((32, 50), (2, 1)) : ((100, 1), (3200, 0))>) {
  %0 = tile.zipped_divide %a by <32, _> : !tile.layout<(64, 50) : (100, 1)>
  %1 = tile.zipped_divide %a by <32, 50> : !tile.layout<(64, 50) : (100, 1)>
  return %0, %1 : !tile.layout<((32, 50), (2, 1)) : ((100, 1), (3200, 0))>, !tile.layout<((32, 50), (2, 1)) : ((100, 1), (3200, 0))>
}

// -----

// Could not be created (FlyDSL#713).
func.func @modes(%a: !tile.layout<(128, 64) : (1, 128)>) -> (!tile.layout<128 : 1>, !tile.layout<(64, 128) : (128, 1)>, !tile.layout<8192 : 1>) {
  %0 = tile.get %a[0] : !tile.layout<(128, 64) : (1, 128)>
  %1 = tile.select %a[1, 0] : !tile.layout<(128, 64) : (1, 128)>
  %2 = tile.coalesce %a : !tile.layout<(128, 64) : (1, 128)>
  return %0, %1, %2 : !tile.layout<128 : 1>, !tile.layout<(64, 128) : (128, 1)>, !tile.layout<8192 : 1>
}

// -----

// A coalesce keeps the size (FlyDSL#784).
func.func @coalesce_of_ones(%a: !tile.layout<(1, 8) : (5, 1)>, %b: !tile.layout<1 : 7>) -> (!tile.layout<8 : 1>, !tile.layout<1 : 0>) {
  %0 = tile.coalesce %a : !tile.layout<(1, 8) : (5, 1)>
  %1 = tile.coalesce %b : !tile.layout<1 : 7>
  return %0, %1 : !tile.layout<8 : 1>, !tile.layout<1 : 0>
}

// -----

// Accepted, garbage later (FlyDSL#583).
func.func @make_layout_not_congruent() {
  // expected-error @below {{expected shape and stride of the same nesting at mode [1], but got (2, 2) and 1}}
  %0 = tile.make_layout (4, (2, 2)) : (1, 1)
  return
}

// -----

// Accepted, garbage later (FlyDSL#648).
func.func @divide_over_the_edge(%a: !tile.layout<8 : 1>, %b: !tile.layout<3 : 1>) {
  // expected-error @below {{expected a tile that divides extent 8, but got 3}}
  %0 = tile.logical_divide %a, %b : !tile.layout<8 : 1>, !tile.layout<3 : 1>
  return
}

// -----

// One printed form; the unit is the element (cutlass#1559, #1396).
// CHECK-LABEL: @swizzled_atom
// CHECK-SAME: !tile.layout<S<3, 3, 3> o 0 o (8, 64) : (64, 1)>
func.func @swizzled_atom(%l: !tile.layout<S<3, 3, 3> o 0 o (8, 64) : (64, 1)>) -> !tile.layout<S<3, 4, 3> o 0 o (8, 128) : (128, 1)> {
  %0 = tile.recast_layout %l from 16 to 8 : !tile.layout<S<3, 3, 3> o 0 o (8, 64) : (64, 1)>
  return %0 : !tile.layout<S<3, 4, 3> o 0 o (8, 128) : (128, 1)>
}

// -----

// One sentence instead of a template error (cutlass#3460).
func.func @recast_swizzle_to_6_bits(%l: !tile.layout<S<3, 4, 3> o 0 o (8, 128) : (128, 1)>) {
  // expected-error @below {{a power of two}}
  %0 = tile.recast_layout %l from 8 to 6 : !tile.layout<S<3, 4, 3> o 0 o (8, 128) : (128, 1)>
  return
}

// -----

// Tiles over the edge have coordinates, which are compared (cutlass#1230).
// CHECK-LABEL: @uneven_tiles_of_coordinates
// CHECK-DAG: arith.constant true
// CHECK-DAG: arith.constant false
func.func @uneven_tiles_of_coordinates() -> (i1, i1) {
  %0 = tile.make_identity_layout (3, 8)
  %1 = tile.zipped_divide %0 by <2, 3> : !tile.layout<(3, 8) : (1@e0, 1@e1)>
  %inside:2 = tile.coordinate ((0, 1), (1, 2)), %1 : !tile.layout<((2, 3), (2, 3)) : ((1@e0, 1@e1), (2@e0, 3@e1))>
  %2 = tile.elem_less (%inside#0, %inside#1), (3, 8)
  %outside:2 = tile.coordinate ((1, 1), (1, 2)), %1 : !tile.layout<((2, 3), (2, 3)) : ((1@e0, 1@e1), (2@e0, 3@e1))>
  %3 = tile.elem_less (%outside#0, %outside#1), (3, 8)
  return %2, %3 : i1, i1
}

// -----

// The span, not the last value (cutlass#1497).
// CHECK-LABEL: @cosize
// CHECK-DAG: %[[A:.*]] = arith.constant 7 : index
// CHECK-DAG: %[[B:.*]] = arith.constant 64 : index
// CHECK: return %[[A]], %[[B]]
func.func @cosize(%a: !tile.layout<4 : -2>, %b: !tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>) -> (index, index) {
  %0 = tile.cosize %a : !tile.layout<4 : -2>
  %1 = tile.cosize %b : !tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>
  return %0, %1 : index, index
}

// -----

// A recast moves the swizzle along, and a scan goes through it (tilelang#2609,
// #2714): row 1 of 16 rows of 64 f16 starts its second group of 8 at 64.
// CHECK-LABEL: @swizzled_row
// CHECK: arith.constant 64 : index
func.func @swizzled_row(%l: !tile.layout<S<3, 3, 3> o 0 o (16, 64) : (64, 1)>) -> (!tile.layout<S<3, 2, 3> o 0 o (16, 32) : (32, 1)>, index) {
  %0 = tile.recast_layout %l from 16 to 32 : !tile.layout<S<3, 3, 3> o 0 o (16, 64) : (64, 1)>
  %1 = tile.crd2idx (1, 8), %l : !tile.layout<S<3, 3, 3> o 0 o (16, 64) : (64, 1)>
  return %0, %1 : !tile.layout<S<3, 2, 3> o 0 o (16, 32) : (32, 1)>, index
}

// -----

// Any number of warps that divides the work shares it out, 8 as well as 4
// (triton#5265, #5609).
func.func @warps_that_divide(%v: !tile.view<f32, shared, (64, 128) : (128, 1)>, %w: index)
    -> (!tile.view<f32, shared, (32, 64) : (256, 2)>, !tile.view<f32, shared, (16, 64) : (512, 2)>) {
  %0 = tile.local_partition %v by <(2, 2) : (1, 2)> at %w : !tile.view<f32, shared, (64, 128) : (128, 1)>
  %1 = tile.local_partition %v by <(4, 2) : (1, 4)> at %w : !tile.view<f32, shared, (64, 128) : (128, 1)>
  return %0, %1 : !tile.view<f32, shared, (32, 64) : (256, 2)>, !tile.view<f32, shared, (16, 64) : (512, 2)>
}

// -----

func.func @warps_that_do_not_divide(%v: !tile.view<f32, shared, (64, 128) : (128, 1)>, %w: index) {
  // expected-error @below {{expected a tile that divides extent 64 of mode [0], but got 3}}
  %0 = tile.local_partition %v by <(3, 2) : (1, 3)> at %w : !tile.view<f32, shared, (64, 128) : (128, 1)>
  return
}

// -----

// A vector that is not contiguous in a transposed view: one sentence, not an
// abort (cutlass#2319).
func.func @vector_of_a_transposed_part(%v: !tile.view<f32, global, (64, 64) : (64, 1), align = 16>, %t: index) {
  %0 = tile.view_transpose %v : !tile.view<f32, global, (64, 64) : (64, 1), align = 16>
  %1 = tile.local_partition %0 by <(16, 16) : (16, 1)> at %t : !tile.view<f32, global, (64, 64) : (1, 64), align = 16>
  // expected-error @below {{expected a dimension of stride 1 for a vector, but got the layout #tile.layout<(4, 4) : (16, 1024)>}}
  %2 = tile.view_load %1(0, 0) : !tile.view<f32, global, (4, 4) : (16, 1024), align = 4> -> vector<4xf32>
  return
}

// -----

// 229 columns over 128 threads: a last wave that is not full, by coordinates
// (tilelang#2398, #2394).
// CHECK-LABEL: @partial_wave
// CHECK-DAG: %[[IN:.*]] = arith.constant true
// CHECK-DAG: %[[OUT:.*]] = arith.constant false
// CHECK: return %[[IN]], %[[OUT]]
func.func @partial_wave() -> (i1, i1) {
  %c = tile.make_identity_layout (229)
  %w = tile.zipped_divide %c by <128> : !tile.layout<(229) : (1@e0)>
  %a = tile.coordinate (100, 1), %w : !tile.layout<((128), (2)) : ((1@e0), (128@e0))>
  %b = tile.coordinate (101, 1), %w : !tile.layout<((128), (2)) : ((1@e0), (128@e0))>
  %0 = tile.elem_less %a, 229
  %1 = tile.elem_less %b, 229
  return %0, %1 : i1, i1
}
