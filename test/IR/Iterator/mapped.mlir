// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mapped iterators: every form prints as it is read.
// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

#output = #tile.output_tile<shape = [64, 8, 2, 1, 1], count = [1, 4, 1, 1, 4], threads = 128, elements = 4, bits = 32>
!matrix = !tile.view<f32, global, (?, ?) : (?, 1)>
!plain = !tile.iterator<!matrix, #output, advance = 0, steps = 4, masked>
!triangle = !tile.iterator<!matrix, #output, triangle = #tile.triangle<lower>, masked>
!scatter = !tile.iterator<!matrix, #output, gather = #tile.gather<dim = 0, indices = !tile.view<i32, global, (?) : (1)>>, steps = 4, advance = 0, masked>
!tensor = !tile.view<f16, global, (?, ?, ?, ?{div = 8}) : (?{div = 8}, ?{div = 8}, ?{div = 8}, 1), align = 16>
!gradient = !tile.iterator<!tensor,
  #tile.warp_raked<tile = [64, 32], contiguous = 1, threads = 64, warp = [4, 8], elements = 8>,
  coords ((?, ?, ?), (32, 3, 3, ?)) : ((1@e2, 1@e1, 1@e0), (1@e3, ?@e2, -1@e1, 32@e3)),
  divide (1, ?, 2, 1), advance = 1, masked>

!shared = !tile.iterator<!tile.view<f32, shared, (64, 64) : (72, 1)>, #output, xor = [1, 2, 1, 5]>

// Clauses come in any order; those that say the default are not printed.
// CHECK-LABEL: @types
// CHECK-SAME: #tile.output_tile<{{[^>]*}}>, steps = 4, advance = 0, masked>
// CHECK-SAME: #tile.output_tile<{{[^>]*}}>, masked, triangle = #tile.triangle<lower>>
// CHECK-SAME: #tile.output_tile<{{[^>]*}}>, steps = 4, advance = 0, masked, gather = #tile.gather<dim = 0, indices = !tile.view<i32, global, (?) : (1)>>>
// CHECK-SAME: coords ((?, ?, ?), (32, 3, 3, ?)) : ((1@e2, 1@e1, 1@e0), (1@e3, ?@e2, -1@e1, 32@e3)), divide (1, ?, 2, 1), advance = 1, masked>
// CHECK-SAME: #tile.output_tile<{{[^>]*}}>, steady, xor = [1, 2, 1, 5]>
func.func private @types(!plain, !triangle, !scatter, !gradient, !shared)

// CHECK-LABEL: @make
func.func @make(%v: !matrix, %x: !tensor, %idx: !tile.view<i32, global, (?) : (1)>, %row: index, %n: index, %t: index) {
  // CHECK: tile.make_iterator %{{.*}}(%{{.*}}, 0), %{{.*}} : !tile.iterator<
  %0 = tile.make_iterator %v(%row, 0), %t : !plain
  // CHECK: tile.make_iterator %{{.*}}(0, 0), %{{.*}} indices %{{.*}} : !tile.iterator<
  %1 = tile.make_iterator %v(0, 0), %t indices %idx : !scatter
  // CHECK: tile.make_iterator %{{.*}}(%{{.*}}, 0), %{{.*}} coords ((%[[N:.*]], %[[N]], %[[N]]), (32, 3, 3, %[[N]])) : ((1@e2, 1@e1, 1@e0), (1@e3, %[[N]]@e2, -1@e1, 32@e3)) origin (0, 1, %[[N]], 0) divide (1, %[[N]], 2, 1) : !tile.iterator<
  %2 = tile.make_iterator %x(%row, 0), %t
    coords ((%n, %n, %n), (32, 3, 3, %n)) : ((1@e2, 1@e1, 1@e0), (1@e3, %n@e2, -1@e1, 32@e3))
    origin (0, 1, %n, 0) divide (1, %n, 2, 1) : !gradient
  return
}

// CHECK-LABEL: @use
func.func @use(%it: !plain, %n: index, %done: i1) {
  // CHECK: %[[F:.*]] = tile.iterator_load %{{.*}} : {{.*}}, masked> -> vector<8xf32>
  %0 = tile.iterator_load %it : !plain -> vector<8xf32>
  // CHECK: %[[A:.*]] = tile.iterator_advance %{{.*}} : <!tile
  %1 = tile.iterator_advance %it : !plain
  // CHECK: %[[B:.*]] = tile.iterator_advance %[[A]] by %{{.*}} : <!tile
  %2 = tile.iterator_advance %1 by %n : !plain
  // CHECK: %[[C:.*]] = tile.iterator_add_pointer_offset %[[B]], %{{.*}} : <!tile
  %3 = tile.iterator_add_pointer_offset %2, %n : !plain
  // CHECK: %[[D:.*]] = tile.iterator_clear_mask %[[C]], %{{.*}} : <!tile
  %4 = tile.iterator_clear_mask %3, %done : !plain
  // CHECK: %[[E:.*]] = tile.iterator_enable_mask %[[D]] : <!tile
  %5 = tile.iterator_enable_mask %4 : !plain
  // CHECK: %[[M:.*]] = tile.iterator_get_mask %[[E]] : {{.*}}> -> vector<1xi32>
  %6 = tile.iterator_get_mask %5 : !plain -> vector<1xi32>
  // CHECK: %[[G:.*]] = tile.iterator_set_mask %[[A]], %[[M]] : {{.*}}>, vector<1xi32>
  %7 = tile.iterator_set_mask %1, %6 : !plain, vector<1xi32>
  // CHECK: tile.iterator_store %[[F]], %[[G]] : vector<8xf32>, <!tile
  tile.iterator_store %0, %7 : vector<8xf32>, !plain
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
!global = !tile.iterator<!tile.view<f32, global, (?, ?) : (?{div = 4}, 1), align = 16>, #copy, advance = 1, masked>
!staged = !tile.iterator<!tile.view<f32, shared, (64, 8) : (8, 1), align = 16>, #copy, steady>

// CHECK-LABEL: @copy_async
func.func @copy_async(%source: !global, %destination: !staged) {
  // CHECK: tile.copy_async %{{.*}}, %{{.*}} : <!tile.view<f32, global, {{.*}}, advance = 1, masked>, <!tile.view<f32, shared, {{.*}}, steady>
  tile.copy_async %source, %destination : !global, !staged
  return
}
