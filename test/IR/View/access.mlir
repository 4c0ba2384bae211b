// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles, transposes and single accesses of views: types are inferred, every
// form prints as it is read.
// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

!matrix = !tile.view<f32, global, (?, ?{div = 4}) : (?{div = 4}, 1), align = 16>

// CHECK-LABEL: @transpose
func.func @transpose(%v: !matrix) -> !tile.view<f32, global, (?{div = 4}, ?) : (1, ?{div = 4}), align = 16> {
  // CHECK: tile.view_transpose %{{.*}} : <f32, global, (?, ?{div = 4}) : (?{div = 4}, 1), align = 16>
  %0 = tile.view_transpose %v : !matrix
  return %0 : !tile.view<f32, global, (?{div = 4}, ?) : (1, ?{div = 4}), align = 16>
}

// A tile starts at a multiple of 4 elements of 4 bytes: 16 bytes stay known.
// CHECK-LABEL: @tile_keeps_alignment
func.func @tile_keeps_alignment(%v: !matrix, %i: index, %j: index) -> !tile.view<f32, global, (128, 8) : (?{div = 4}, 1), align = 16> {
  // CHECK: tile.local_tile %{{.*}}[128, 8](%{{.*}}, %{{.*}}) :
  %0 = tile.local_tile %v[128, 8](%i, %j) : !matrix
  return %0 : !tile.view<f32, global, (128, 8) : (?{div = 4}, 1), align = 16>
}

// Columns in steps of 6 elements: 8 bytes are left.
// CHECK-LABEL: @tile_loses_alignment
func.func @tile_loses_alignment(%v: !matrix, %i: index, %j: index) -> !tile.view<f32, global, (128, 6) : (?{div = 4}, 1), align = 8> {
  %0 = tile.local_tile %v[128, 6](%i, %j) : !matrix
  return %0 : !tile.view<f32, global, (128, 6) : (?{div = 4}, 1), align = 8>
}

// CHECK-LABEL: @access
func.func @access(%v: !matrix, %i: index, %j: index) {
  // CHECK: tile.view_load %{{.*}}(%{{.*}}, %{{.*}}) : {{.*}} -> f32
  %0 = tile.view_load %v(%i, %j) : !matrix -> f32
  // CHECK: tile.view_load %{{.*}}(%{{.*}}, %{{.*}} {div = 4}) : {{.*}} -> vector<4xf32>
  %1 = tile.view_load %v(%i, %j {div = 4}) : !matrix -> vector<4xf32>
  // CHECK: tile.view_store %{{.*}}, %{{.*}}(%{{.*}}, 3) : f32,
  tile.view_store %0, %v(%i, 3) : f32, !matrix
  // CHECK: tile.view_store %{{.*}}, %{{.*}}(%{{.*}}, 8) : vector<4xf32>,
  tile.view_store %1, %v(%i, 8) : vector<4xf32>, !matrix
  return
}
