// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mapped iterators: every form prints as it is read.
// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

#output = #tile.output_tile<shape = [64, 8, 2, 1, 1], count = [1, 4, 1, 1, 4], threads = 128, elements = 4, bits = 32>
!matrix = !tile.view<f32, global, (?, ?) : (?, 1)>
!plain = !tile.mapped_iterator<!matrix, #output, advance = 0, steps = 4>
!triangle = !tile.mapped_iterator<!matrix, #output, fill = lower>
!scatter = !tile.mapped_iterator<!matrix, #output, indexed, steps = 4, advance = 0>
!tensor = !tile.view<f16, global, (?, ?, ?, ?{div = 8}) : (?{div = 8}, ?{div = 8}, ?{div = 8}, 1), align = 16>
!gradient = !tile.mapped_iterator<!tensor,
  #tile.warp_raked<tile = [64, 32], contiguous = 1, threads = 64, warp = [4, 8], elements = 8>,
  coords ((?, ?, ?), (32, 3, 3, ?)) : ((1@e2, 1@e1, 1@e0), (1@e3, ?@e2, -1@e1, 32@e3)),
  divide (1, ?, 2, 1), advance = 1>

!shared = !tile.mapped_iterator<!tile.view<f32, shared, (64, 64) : (72, 1)>, #output, whole, xor = [1, 2, 1, 5]>

// Clauses come in any order; those that say the default are not printed.
// CHECK-LABEL: @types
// CHECK-SAME: #tile.output_tile<{{[^>]*}}>, steps = 4, advance = 0>
// CHECK-SAME: #tile.output_tile<{{[^>]*}}>, fill = lower>
// CHECK-SAME: #tile.output_tile<{{[^>]*}}>, steps = 4, advance = 0, indexed>
// CHECK-SAME: coords ((?, ?, ?), (32, 3, 3, ?)) : ((1@e2, 1@e1, 1@e0), (1@e3, ?@e2, -1@e1, 32@e3)), divide (1, ?, 2, 1), advance = 1>
// CHECK-SAME: #tile.output_tile<{{[^>]*}}>, xor = [1, 2, 1, 5], whole>
func.func private @types(!plain, !triangle, !scatter, !gradient, !shared)

// CHECK-LABEL: @make
func.func @make(%v: !matrix, %x: !tensor, %idx: !tile.view<i32, global, (?) : (1)>, %row: index, %n: index, %t: index) {
  // CHECK: tile.make_mapped_iterator %{{.*}}(%{{.*}}, 0), %{{.*}} : !tile.mapped_iterator<
  %0 = tile.make_mapped_iterator %v(%row, 0), %t : !plain
  // CHECK: tile.make_mapped_iterator %{{.*}}(0, 0), %{{.*}} indices %{{.*}} : !tile.view<i32, global, (?) : (1)> : !tile.mapped_iterator<
  %1 = tile.make_mapped_iterator %v(0, 0), %t indices %idx : !tile.view<i32, global, (?) : (1)> : !scatter
  // CHECK: tile.make_mapped_iterator %{{.*}}(%{{.*}}, 0), %{{.*}} coords ((%[[N:.*]], %[[N]], %[[N]]), (32, 3, 3, %[[N]])) : ((1@e2, 1@e1, 1@e0), (1@e3, %[[N]]@e2, -1@e1, 32@e3)) origin (0, 1, %[[N]], 0) divide (1, %[[N]], 2, 1) : !tile.mapped_iterator<
  %2 = tile.make_mapped_iterator %x(%row, 0), %t
    coords ((%n, %n, %n), (32, 3, 3, %n)) : ((1@e2, 1@e1, 1@e0), (1@e3, %n@e2, -1@e1, 32@e3))
    origin (0, 1, %n, 0) divide (1, %n, 2, 1) : !gradient
  return
}

// CHECK-LABEL: @use
func.func @use(%it: !plain, %n: index, %done: i1) {
  // CHECK: %[[F:.*]] = tile.mapped_load %{{.*}} : {{.*}}> -> vector<8xf32>
  %0 = tile.mapped_load %it : !plain -> vector<8xf32>
  // CHECK: %[[A:.*]] = tile.mapped_advance %{{.*}} : <!tile
  %1 = tile.mapped_advance %it : !plain
  // CHECK: %[[B:.*]] = tile.mapped_advance %[[A]] by %{{.*}} : <!tile
  %2 = tile.mapped_advance %1 by %n : !plain
  // CHECK: %[[C:.*]] = tile.mapped_add_pointer_offset %[[B]], %{{.*}} : <!tile
  %3 = tile.mapped_add_pointer_offset %2, %n : !plain
  // CHECK: %[[D:.*]] = tile.mapped_clear_mask %[[C]], %{{.*}} : <!tile
  %4 = tile.mapped_clear_mask %3, %done : !plain
  // CHECK: %[[E:.*]] = tile.mapped_enable_mask %[[D]] : <!tile
  %5 = tile.mapped_enable_mask %4 : !plain
  // CHECK: %[[M:.*]] = tile.mapped_get_mask %[[E]] : {{.*}}> -> vector<1xi32>
  %6 = tile.mapped_get_mask %5 : !plain -> vector<1xi32>
  // CHECK: %[[G:.*]] = tile.mapped_set_mask %[[A]], %[[M]] : {{.*}}>, vector<1xi32>
  %7 = tile.mapped_set_mask %1, %6 : !plain, vector<1xi32>
  // CHECK: tile.mapped_store %[[F]], %[[G]] : vector<8xf32>, <!tile
  tile.mapped_store %0, %7 : vector<8xf32>, !plain
  return
}

// A layout's strides may be scaled basis vectors of run time, too.
// CHECK-LABEL: @basis
func.func @basis(%n: index, %s: index) -> !tile.layout<(?, 4) : (?{div = 2}@e1, 3@e0)> {
  // CHECK: tile.make_layout (%{{.*}}, 4) : (%{{.*}} {div = 2}@e1, 3@e0)
  %0 = tile.make_layout (%n, 4) : (%s {div = 2}@e1, 3@e0)
  return %0 : !tile.layout<(?, 4) : (?{div = 2}@e1, 3@e0)>
}

#copy = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!global = !tile.mapped_iterator<!tile.view<f32, global, (?, ?) : (?{div = 4}, 1), align = 16>, #copy, advance = 1>
!staged = !tile.iterator<!tile.view<f32, shared, (64, 8) : (8, 1), align = 16>, #copy, steady>

// CHECK-LABEL: @copy_async
func.func @copy_async(%source: !global, %destination: !staged) {
  // CHECK: tile.mapped_copy_async %{{.*}}, %{{.*}} : <!tile.view<f32, global, {{.*}}, advance = 1>, <!tile.view<f32, shared, {{.*}}, steady>
  tile.mapped_copy_async %source, %destination : !global, !staged
  return
}
