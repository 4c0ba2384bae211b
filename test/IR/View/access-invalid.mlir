// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles, transposes and single accesses of views: each rule, once.
// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @transpose_rank(%v: !tile.view<f32, global, (2, 3, 4) : (12, 4, 1)>) {
  // expected-error @below {{expected a view of two dimensions, but got 3}}
  %0 = tile.view_transpose %v : !tile.view<f32, global, (2, 3, 4) : (12, 4, 1)>
  return
}

// -----

func.func @tile_rank(%v: !tile.view<f32, global, (64, 64) : (64, 1)>) {
  // expected-error @below {{expected one tile extent for each of 2 dimensions, but got 1}}
  %0 = tile.local_tile %v[16](0, 0) : !tile.view<f32, global, (64, 64) : (64, 1)>
  return
}

// -----

func.func @tile_extent(%v: !tile.view<f32, global, (64, 64) : (64, 1)>) {
  // expected-error @below {{expected tile extents between 1 and 1048576, but got 0}}
  %0 = tile.local_tile %v[16, 0](0, 0) : !tile.view<f32, global, (64, 64) : (64, 1)>
  return
}

// -----

func.func @tile_nested(%v: !tile.view<f32, global, ((8, 8), 64) : ((1, 512), 8)>) {
  // expected-error @below {{expected a view with one stride for each dimension}}
  %0 = tile.local_tile %v[16, 8](0, 0) : !tile.view<f32, global, ((8, 8), 64) : ((1, 512), 8)>
  return
}

// -----

func.func @tile_coordinate(%v: !tile.view<f32, global, (64, 64) : (64, 1)>) {
  // expected-error @below {{expected a coordinate of 2 integers, but got (0, _)}}
  %0 = tile.local_tile %v[16, 8](0, _) : !tile.view<f32, global, (64, 64) : (64, 1)>
  return
}

// -----

func.func @load_type(%v: !tile.view<f32, global, (64, 64) : (64, 1)>) {
  // expected-error @below {{expected an element or a vector of elements of type 'f32', but got 'f64'}}
  %0 = tile.view_load %v(0, 0) : !tile.view<f32, global, (64, 64) : (64, 1)> -> f64
  return
}

// -----

func.func @vector_across(%v: !tile.view<f32, global, (64, 64) : (64, 2), align = 16>) {
  // expected-error @below {{expected a dimension of stride 1 for a vector, but got the layout #tile.layout<(64, 64) : (64, 2)>}}
  %0 = tile.view_load %v(0, 0) : !tile.view<f32, global, (64, 64) : (64, 2), align = 16> -> vector<4xf32>
  return
}

// -----

func.func @vector_size(%v: !tile.view<f32, global, (64, 64) : (64, 1), align = 16>) {
  // expected-error @below {{expected a vector of 2, 4, 8 or 16 bytes, but got 12}}
  %0 = tile.view_load %v(0, 0) : !tile.view<f32, global, (64, 64) : (64, 1), align = 16> -> vector<3xf32>
  return
}

// -----

func.func @vector_base(%x: vector<4xf32>, %v: !tile.view<f32, global, (64, 64) : (64, 1)>) {
  // expected-error @below {{expected a place that is aligned to 16 bytes, but got one known to be aligned to 4}}
  tile.view_store %x, %v(0, 0) : vector<4xf32>, !tile.view<f32, global, (64, 64) : (64, 1)>
  return
}

// -----

func.func @vector_pitch(%v: !tile.view<f32, global, (64, 64) : (66, 1), align = 16>, %i: index) {
  // expected-error @below {{expected a place that is aligned to 16 bytes, but got one known to be aligned to 8}}
  %0 = tile.view_load %v(%i, 0) : !tile.view<f32, global, (64, 64) : (66, 1), align = 16> -> vector<4xf32>
  return
}

// -----

func.func @vector_coordinate(%v: !tile.view<f32, global, (64, 64) : (64, 1), align = 16>, %j: index) {
  // expected-error @below {{expected a place that is aligned to 16 bytes, but got one known to be aligned to 8}}
  %0 = tile.view_load %v(0, %j {div = 2}) : !tile.view<f32, global, (64, 64) : (64, 1), align = 16> -> vector<4xf32>
  return
}
