// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterator types and operations: every form prints as it is read.
// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

!global = !tile.view<f32, global, (?, ?{div = 4}) : (?{div = 4}, 1), align = 16>
!map = !tile.iterator<!global, #tile.strip_mined<tile = [128, 8], contiguous = 1, threads = 256, elements = 4>, predicated, advance = 1, residue>
!steady = !tile.iterator<!global, #tile.strip_mined<tile = [128, 8], contiguous = 1, threads = 256, elements = 4>, advance = 1, predicated>
!shared = !tile.iterator<!tile.view<f32, shared, (64, 8) : (1, 64)>, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>>

// Clauses come in any order; the phase is steady if it is not given.
// CHECK-LABEL: @types
// CHECK-SAME: #tile.strip_mined<tile = [128, 8], contiguous = 1, threads = 256, elements = 4>, advance = 1, predicated, residue>
// CHECK-SAME: #tile.strip_mined<tile = [128, 8], contiguous = 1, threads = 256, elements = 4>, advance = 1, predicated, steady>
// CHECK-SAME: #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>, steady>
func.func private @types(!map, !steady, !shared)

// CHECK-LABEL: @make_iterator
func.func @make_iterator(%v: !global, %row: index, %t: index) {
  // CHECK: tile.make_iterator %{{.*}}(%{{.*}}, 0), %{{.*}} : !tile.iterator<!tile.view<f32, global, (?, ?{div = 4}) : (?{div = 4}, 1), align = 16>, #tile.strip_mined<{{.*}}>, advance = 1, predicated, residue>
  %0 = tile.make_iterator %v(%row, 0), %t : !map
  // CHECK: tile.make_iterator %{{.*}}(0, %{{.*}} {div = 4}), %{{.*}} :
  %1 = tile.make_iterator %v(0, %row {div = 4}), %t : !map
  // CHECK: tile.make_iterator %{{.*}}(0, 0), %{{.*}} vectors :
  %2 = tile.make_iterator %v(0, 0), %t vectors : !map
  return
}

// CHECK-LABEL: @load_store
func.func @load_store(%it: !shared) {
  // CHECK: %[[F:.*]] = tile.iterator_load %{{.*}} : {{.*}}> -> vector<16xf32>
  %0 = tile.iterator_load %it : !shared -> vector<16xf32>
  // CHECK: tile.iterator_load %{{.*}} accesses [1, 2] : {{.*}}> -> vector<8xf32>
  %1 = tile.iterator_load %it accesses [1, 2] : !shared -> vector<8xf32>
  // CHECK: tile.iterator_store %[[F]], %{{.*}} : vector<16xf32>,
  tile.iterator_store %0, %it : vector<16xf32>, !shared
  // CHECK: tile.iterator_store %{{.*}}, %{{.*}} accesses [2, 2] : vector<8xf32>,
  tile.iterator_store %1, %it accesses [2, 2] : vector<8xf32>, !shared
  return
}

// The first advance leaves the residue phase.
// CHECK-LABEL: @advance_to_steady
func.func @advance_to_steady(%it: !map) -> !steady {
  // CHECK: tile.iterator_advance %{{.*}} : {{.*}}residue>
  %0 = tile.iterator_advance %it : !map
  // CHECK: tile.iterator_advance %{{.*}} : {{.*}}steady>
  %1 = tile.iterator_advance %0 : !steady
  return %1 : !steady
}

// CHECK-LABEL: @offset_and_masks
func.func @offset_and_masks(%it: !steady, %shared: !shared, %n: index, %done: i1) -> vector<1xi32> {
  // CHECK: tile.iterator_add_pointer_offset %{{.*}}, %{{.*}} :
  %0 = tile.iterator_add_pointer_offset %shared, %n : !shared
  // CHECK: tile.iterator_clear_mask %{{.*}}, %{{.*}} :
  %1 = tile.iterator_clear_mask %it, %done : !steady
  // CHECK: %[[M:.*]] = tile.iterator_get_mask %{{.*}} : {{.*}}> -> vector<1xi32>
  %2 = tile.iterator_get_mask %1 : !steady -> vector<1xi32>
  // CHECK: tile.iterator_set_mask %{{.*}}, %[[M]] : {{.*}}>, vector<1xi32>
  %3 = tile.iterator_set_mask %1, %2 : !steady, vector<1xi32>
  return %2 : vector<1xi32>
}

!random = !tile.iterator<!global, #tile.strip_mined<tile = [128, 8], contiguous = 1, threads = 256, elements = 4>, advance = 1, predicated, residue, random>
!random_steady = !tile.iterator<!global, #tile.strip_mined<tile = [128, 8], contiguous = 1, threads = 256, elements = 4>, random, advance = 1, predicated>

// A move along the advance dimension leaves the residue phase, one across it
// does not.
// CHECK-LABEL: @random_access
func.func @random_access(%it: !random, %n: index) -> !random_steady {
  // CHECK: tile.iterator_add_tile_offset %{{.*}}(%{{.*}}, 0) : {{.*}}residue, random>
  %0 = tile.iterator_add_tile_offset %it(%n, 0) : !random
  // CHECK: tile.iterator_add_tile_offset %{{.*}}(0, 2) : {{.*}}residue, random>
  %1 = tile.iterator_add_tile_offset %0(0, 2) : !random
  // CHECK: tile.iterator_add_tile_offset %{{.*}}(-1, %{{.*}}) : {{.*}}steady, random>
  %2 = tile.iterator_add_tile_offset %1(-1, %n) : !random_steady
  return %2 : !random_steady
}

// CHECK-LABEL: @elsewhere
func.func @elsewhere(%it: !shared, %n: index) {
  // CHECK: %[[F:.*]] = tile.iterator_load_with_pointer_offset %{{.*}}, %{{.*}} : {{.*}}> -> vector<16xf32>
  %0 = tile.iterator_load_with_pointer_offset %it, %n : !shared -> vector<16xf32>
  // CHECK: tile.iterator_store_with_pointer_offset %[[F]], %{{.*}}, %{{.*}} : vector<16xf32>,
  tile.iterator_store_with_pointer_offset %0, %it, %n : vector<16xf32>, !shared
  // CHECK: tile.iterator_load_with_tile_offset %{{.*}}(0, %{{.*}}) : {{.*}}> -> vector<16xf32>
  %1 = tile.iterator_load_with_tile_offset %it(0, %n) : !shared -> vector<16xf32>
  // CHECK: tile.iterator_load_with_tile_offset %{{.*}}(1, 2), %{{.*}} : {{.*}}> -> vector<16xf32>
  %2 = tile.iterator_load_with_tile_offset %it(1, 2), %n : !shared -> vector<16xf32>
  // CHECK: tile.iterator_store_with_tile_offset %{{.*}}, %{{.*}}(0, 1) : vector<16xf32>,
  tile.iterator_store_with_tile_offset %1, %it(0, 1) : vector<16xf32>, !shared
  // CHECK: tile.iterator_store_with_tile_offset %{{.*}}, %{{.*}}(%{{.*}}, 1), %{{.*}} : vector<16xf32>,
  tile.iterator_store_with_tile_offset %2, %it(%n, 1), %n : vector<16xf32>, !shared
  return
}

// CHECK-LABEL: @back_and_forth
func.func @back_and_forth(%it: !steady) -> i1 {
  // CHECK: tile.iterator_enable_mask %{{.*}} :
  %0 = tile.iterator_enable_mask %it : !steady
  // CHECK: tile.iterator_retreat %{{.*}} :
  %1 = tile.iterator_retreat %0 : !steady
  // CHECK: tile.iterator_equal %{{.*}}, %{{.*}} :
  %2 = tile.iterator_equal %0, %1 : !steady
  return %2 : i1
}

// That a coordinate is a multiple of an access may follow from how it is
// computed.
!wide = !tile.view<f32, global, (?, ?{div = 4}) : (?{div = 4}, 1), align = 16>
#four = #tile.strip_mined<tile = [8, 128], contiguous = 1, threads = 256, elements = 4>
!wideIter = !tile.iterator<!wide, #four, predicated>
!wideMapped = !tile.iterator<!wide, #four, masked>
// CHECK-LABEL: @computed_coordinates
func.func @computed_coordinates(%v: !wide, %x: index, %t: index) -> vector<4xf32> {
  %c64 = arith.constant 64 : index
  %c2 = arith.constant 2 : index
  %column = arith.muli %x, %c64 : index
  %shifted = arith.shli %x, %c2 : index
  // CHECK: tile.make_iterator %{{.*}}(0, %{{.*}}), %{{.*}} vectors
  %0 = tile.make_iterator %v(0, %column), %t vectors : !wideIter
  // CHECK: tile.make_iterator %{{.*}}(0, %{{.*}})
  %1 = tile.make_iterator %v(0, %shifted), %t : !wideMapped
  // CHECK: tile.view_load %{{.*}}(0, %{{.*}}) : {{.*}} -> vector<4xf32>
  %2 = tile.view_load %v(0, %shifted) : !wide -> vector<4xf32>
  return %2 : vector<4xf32>
}
