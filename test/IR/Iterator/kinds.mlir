// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterators that gather, permute or see a triangle: every form prints as it is
// read.
// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

#map = #tile.strip_mined<tile = [64, 64], contiguous = 1, threads = 128, elements = 8>
!global = !tile.view<f16, global, (?, ?{div = 8}) : (?{div = 8}, 1), align = 16>
!list = !tile.view<i32, global, (?) : (1)>

// CHECK-LABEL: @attributes
// CHECK-SAME: #tile.gather<dim = 0, indices = !tile.view<i32, global, (?) : (1)>>
// CHECK-SAME: #tile.gather<dim = 1, indices = !tile.view<i64, shared, (16) : (2)>, block = 8, base = 1>
// CHECK-SAME: #tile.triangle<lower>
// CHECK-SAME: #tile.triangle<upper, diagonal = zero>
func.func private @attributes() attributes {
  a = #tile.gather<dim = 0, indices = !list, base = 0, block = 1>,
  b = #tile.gather<dim = 1, indices = !tile.view<i64, shared, (16) : (2)>, base = 1, block = 8>,
  c = #tile.triangle<lower, diagonal = stored>,
  d = #tile.triangle<upper, diagonal = zero>}

// CHECK-LABEL: @gather
func.func @gather(%v: !global, %i: !list, %t: index) {
  // CHECK: tile.make_iterator %{{.*}}(0, 0), %{{.*}} indices %{{.*}} vectors : !tile.iterator<{{.*}}, advance = 1, predicated, residue, gather = #tile.gather<dim = 0, indices = !tile.view<i32, global, (?) : (1)>>>
  %0 = tile.make_iterator %v(0, 0), %t indices %i vectors : !tile.iterator<!global, #map, gather = #tile.gather<dim = 0, indices = !list>, advance = 1, predicated, residue>
  return
}

// CHECK-LABEL: @length
func.func @length(%v: !global, %i: !list, %k: index, %t: index) {
  // CHECK: tile.make_iterator %{{.*}} indices %{{.*}} length %{{.*}} : !tile.iterator<{{.*}}, gather = #tile.gather<dim = 0, indices = !tile.view<i32, global, (?) : (1)>, block = 16, length = ?{div = 8}>>
  %0 = tile.make_iterator %v(0, 0), %t indices %i length %k : !tile.iterator<!global, #map, predicated, gather = #tile.gather<dim = 0, indices = !list, length = ?{div = 8}, block = 16>>
  return
}

// Shared memory as the tensor cores of Turing want it, three stages side by side.
!stages = !tile.view<f16, shared, (12288) : (1), align = 16>
!crosswise = !tile.iterator<!stages, #map, advance = 1, permute = [S<3, 3, 3> o 0 o (64, (64, 3)) : (64, (1, 4096)), (64, 64, 3) : (1, 192, 64)]>

// CHECK-LABEL: @permute
func.func @permute(%v: !stages, %t: index) {
  // CHECK: tile.make_iterator %{{.*}} vectors : !tile.iterator<{{.*}}, advance = 1, steady, permute = [S<3, 3, 3> o 0 o (64, (64, 3)) : (64, (1, 4096)), (64, 64, 3) : (1, 192, 64)]>
  %0 = tile.make_iterator %v(0, 0), %t vectors : !crosswise
  // CHECK: tile.iterator_add_tile_offset %{{.*}}(0, 2) :
  %1 = tile.iterator_add_tile_offset %0(0, 2) : !crosswise
  return
}

// Nested modes, run-time ones too, and a swizzle, of the view itself.
!nested = !tile.view<f16, global, ((4, ?), (?{div = 8}, 2)) : ((?{div = 8}, ?{div = 8}), (1, ?{div = 8})), align = 16>
!swizzled = !tile.view<f16, shared, S<3, 3, 3> o 0 o (64, 64) : (64, 1), align = 1024>

// CHECK-LABEL: @views
func.func @views(%n: !nested, %s: !swizzled, %t: index) {
  // CHECK: tile.make_iterator %{{.*}} vectors :
  %0 = tile.make_iterator %n(0, 0), %t vectors : !tile.iterator<!nested, #map, advance = 0, predicated, residue>
  // CHECK: tile.make_iterator %{{.*}} vectors :
  %1 = tile.make_iterator %s(0, 0), %t vectors : !tile.iterator<!swizzled, #map>
  return
}

// The predicates of a triangle are computed at every tile, so that it moves at
// random without another word.
!triangle = !tile.iterator<!global, #map, advance = 0, predicated, steady, triangle = #tile.triangle<upper, diagonal = unit>>

// CHECK-LABEL: @triangle
func.func @triangle(%v: !global, %t: index, %n: index) {
  // CHECK: tile.make_iterator %{{.*}}, %{{.*}} : !tile.iterator<{{.*}}, advance = 0, predicated, steady, triangle = #tile.triangle<upper, diagonal = unit>>
  %0 = tile.make_iterator %v(0, 0), %t : !triangle
  // CHECK: tile.iterator_add_tile_offset %{{.*}}(%{{.*}}, 1) :
  %1 = tile.iterator_add_tile_offset %0(%n, 1) : !triangle
  return
}
