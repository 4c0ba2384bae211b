// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layout operations: every form prints as it is read; results are inferred.
// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: @make_layout_static
func.func @make_layout_static() -> !tile.layout<(4, (2, 8)) : (16, (8, 1))> {
  // CHECK: tile.make_layout (4, (2, 8)) : (16, (8, 1))
  %0 = tile.make_layout (4,(2,8)):(16,(8,1))
  return %0 : !tile.layout<(4, (2, 8)) : (16, (8, 1))>
}

// CHECK-LABEL: @make_layout_dynamic
// CHECK-SAME: (%[[M:.*]]: index, %[[LD:.*]]: index)
func.func @make_layout_dynamic(%m: index, %ld: index) -> !tile.layout<(?, (2, ?{div = 4})) : (?{div = 8}, (1, ?))> {
  // CHECK: tile.make_layout (%[[M]], (2, %[[M]] {div = 4})) : (%[[LD]] {div = 8}, (1, %[[LD]]))
  %0 = tile.make_layout (%m, (2, %m {div = 4})) : (%ld {div = 8}, (1, %ld))
  return %0 : !tile.layout<(?, (2, ?{div = 4})) : (?{div = 8}, (1, ?))>
}

// CHECK-LABEL: @make_layout_leaf
func.func @make_layout_leaf(%m: index) -> (!tile.layout<? : 1>, !tile.layout<() : ()>) {
  // CHECK: tile.make_layout %{{.*}} : 1
  %0 = tile.make_layout %m : 1
  // CHECK: tile.make_layout () : ()
  %1 = tile.make_layout () : ()
  return %0, %1 : !tile.layout<? : 1>, !tile.layout<() : ()>
}

// CHECK-LABEL: @make_layout_coordinates
func.func @make_layout_coordinates() -> !tile.layout<(4, 8) : (1@e0, 2@e1@e0)> {
  // CHECK: tile.make_layout (4, 8) : (1@e0, 2@e1@e0)
  %0 = tile.make_layout (4, 8) : (1@e0, 2@e1@e0)
  return %0 : !tile.layout<(4, 8) : (1@e0, 2@e1@e0)>
}

// CHECK-LABEL: @queries
func.func @queries(%l: !tile.layout<(?, 8) : (8, 1)>, %i: index) {
  // CHECK: tile.size %{{.*}} : !tile.layout<(?, 8) : (8, 1)>
  %0 = tile.size %l : !tile.layout<(?, 8) : (8, 1)>
  // CHECK: tile.cosize %{{.*}} : !tile.layout<(?, 8) : (8, 1)>
  %1 = tile.cosize %l : !tile.layout<(?, 8) : (8, 1)>
  // CHECK: tile.crd2idx (%{{.*}}, 3), %{{.*}} : !tile.layout<(?, 8) : (8, 1)>
  %2 = tile.crd2idx (%i, 3), %l : !tile.layout<(?, 8) : (8, 1)>
  // An index runs through the whole layout.
  // CHECK: tile.crd2idx %{{.*}} {div = 8}, %{{.*}} : !tile.layout<(?, 8) : (8, 1)>
  %3 = tile.crd2idx %i {div = 8}, %l : !tile.layout<(?, 8) : (8, 1)>
  return
}

// Composition coalesces its left side first (2, 3 is one run of 6).
// CHECK-LABEL: @composition_coalesces_left
func.func @composition_coalesces_left(%a: !tile.layout<(2, 3) : (1, 2)>, %b: !tile.layout<(2, 3) : (3, 1)>) -> !tile.layout<(2, 3) : (3, 1)> {
  // CHECK: tile.composition %{{.*}}, %{{.*}} : !tile.layout<(2, 3) : (1, 2)>, !tile.layout<(2, 3) : (3, 1)>
  %0 = tile.composition %a, %b : !tile.layout<(2, 3) : (1, 2)>, !tile.layout<(2, 3) : (3, 1)>
  return %0 : !tile.layout<(2, 3) : (3, 1)>
}

// CHECK-LABEL: @composition_splits_a_mode
func.func @composition_splits_a_mode(%a: !tile.layout<(10, 2) : (16, 4)>, %b: !tile.layout<(3, 4) : (1, 5)>) -> !tile.layout<(3, (2, 2)) : (16, (80, 4))> {
  %0 = tile.composition %a, %b : !tile.layout<(10, 2) : (16, 4)>, !tile.layout<(3, 4) : (1, 5)>
  return %0 : !tile.layout<(3, (2, 2)) : (16, (80, 4))>
}

// Each pair of modes that continue each other becomes one.
// CHECK-LABEL: @coalesce
func.func @coalesce(%a: !tile.layout<(128, 64) : (1, 128)>, %b: !tile.layout<(1, 8) : (5, 1)>) -> (!tile.layout<8192 : 1>, !tile.layout<8 : 1>) {
  %0 = tile.coalesce %a : !tile.layout<(128, 64) : (1, 128)>
  %1 = tile.coalesce %b : !tile.layout<(1, 8) : (5, 1)>
  return %0, %1 : !tile.layout<8192 : 1>, !tile.layout<8 : 1>
}

// CHECK-LABEL: @logical_divide_by_layout
func.func @logical_divide_by_layout(%a: !tile.layout<(12, 32) : (1, 12)>, %b: !tile.layout<(4, 8) : (1, 4)>) -> !tile.layout<((4, 8), 12) : ((1, 4), 32)> {
  %0 = tile.logical_divide %a, %b : !tile.layout<(12, 32) : (1, 12)>, !tile.layout<(4, 8) : (1, 4)>
  return %0 : !tile.layout<((4, 8), 12) : ((1, 4), 32)>
}

// CHECK-LABEL: @zipped_divide
func.func @zipped_divide(%a: !tile.layout<24 : 1>, %b: !tile.layout<4 : 2>) -> !tile.layout<(4, (2, 3)) : (2, (1, 8))> {
  %0 = tile.zipped_divide %a, %b : !tile.layout<24 : 1>, !tile.layout<4 : 2>
  return %0 : !tile.layout<(4, (2, 3)) : (2, (1, 8))>
}

// CHECK-LABEL: @logical_product
func.func @logical_product(%a: !tile.layout<4 : 1>, %b: !tile.layout<3 : 2>) -> !tile.layout<(4, 3) : (1, 8)> {
  %0 = tile.logical_product %a, %b : !tile.layout<4 : 1>, !tile.layout<3 : 2>
  return %0 : !tile.layout<(4, 3) : (1, 8)>
}

// What is known of a run-time leaf is kept.
// CHECK-LABEL: @dynamic_keeps_divisors
func.func @dynamic_keeps_divisors(%a: !tile.layout<?{div = 64} : 1>, %b: !tile.layout<8 : 1>) -> !tile.layout<(8, ?{div = 8}) : (1, 8)> {
  %0 = tile.logical_divide %a, %b : !tile.layout<?{div = 64} : 1>, !tile.layout<8 : 1>
  return %0 : !tile.layout<(8, ?{div = 8}) : (1, 8)>
}
