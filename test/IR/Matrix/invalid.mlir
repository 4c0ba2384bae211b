// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads of matrices: each rule, once.
// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @space(%v: !tile.view<f16, global, (64, 64) : (64, 1), align = 16>, %i: index, %l: index) {
  // expected-error @below {{'tile.load_matrix' op expected a view of shared memory with two dimensions, but got '!tile.view<f16, global, (64, 64) : (64, 1), align = 16>'}}
  %0 = tile.load_matrix %v(0, 0), %l tile [16, 16] : !tile.view<f16, global, (64, 64) : (64, 1), align = 16> -> vector<8xf16>
  return
}

// -----

func.func @rank(%v: !tile.view<f16, shared, (64) : (1), align = 16>, %i: index, %l: index) {
  // expected-error @below {{'tile.load_matrix' op expected a view of shared memory with two dimensions, but got '!tile.view<f16, shared, (64) : (1), align = 16>'}}
  %0 = tile.load_matrix %v(0, 0), %l tile [16, 16] : !tile.view<f16, shared, (64) : (1), align = 16> -> vector<8xf16>
  return
}

// -----

func.func @element(%v: !tile.view<f64, shared, (64, 64) : (64, 1), align = 16>, %i: index, %l: index) {
  // expected-error @below {{'tile.load_matrix' op expected elements of 1, 2 or 4 bytes, but got 'f64'}}
  %0 = tile.load_matrix %v(0, 0), %l tile [16, 16] : !tile.view<f64, shared, (64, 64) : (64, 1), align = 16> -> vector<8xf64>
  return
}

// -----

func.func @contiguous(%v: !tile.view<f16, shared, (64, 64) : (128, 2), align = 16>, %i: index, %l: index) {
  // expected-error @below {{'tile.load_matrix' op expected 16 contiguous bytes along rows or columns, but got (64, 64) : (128, 2)}}
  %0 = tile.load_matrix %v(0, 0), %l tile [16, 16] : !tile.view<f16, shared, (64, 64) : (128, 2), align = 16> -> vector<8xf16>
  return
}

// -----

func.func @transposed(%v: !tile.view<f32, shared, (64, 64) : (1, 64), align = 16>, %i: index, %l: index) {
  // expected-error @below {{'tile.load_matrix' op expected elements of 2 bytes where rows are contiguous, as ldmatrix transposes no others, but got 'f32'}}
  %0 = tile.load_matrix %v(0, 0), %l tile [16, 16] : !tile.view<f32, shared, (64, 64) : (1, 64), align = 16> -> vector<8xf32>
  return
}

// -----

func.func @tile_rows(%v: !tile.view<f16, shared, (64, 64) : (64, 1), align = 16>, %i: index, %l: index) {
  // expected-error @below {{'tile.load_matrix' op expected a tile [rows, columns] of matrices of 8 by 8 elements, but got [12, 16]}}
  %0 = tile.load_matrix %v(0, 0), %l tile [12, 16] : !tile.view<f16, shared, (64, 64) : (64, 1), align = 16> -> vector<8xf16>
  return
}

// -----

func.func @tile_columns(%v: !tile.view<i8, shared, (64, 64) : (64, 1), align = 16>, %i: index, %l: index) {
  // expected-error @below {{'tile.load_matrix' op expected a tile [rows, columns] of matrices of 8 by 16 elements, but got [8, 8]}}
  %0 = tile.load_matrix %v(0, 0), %l tile [8, 8] : !tile.view<i8, shared, (64, 64) : (64, 1), align = 16> -> vector<8xi8>
  return
}

// -----

func.func @tile_negative(%v: !tile.view<f16, shared, (64, 64) : (64, 1), align = 16>, %i: index, %l: index) {
  // expected-error @below {{'tile.load_matrix' op expected a tile [rows, columns] of matrices of 8 by 8 elements, but got [-8, 16]}}
  %0 = tile.load_matrix %v(0, 0), %l tile [-8, 16] : !tile.view<f16, shared, (64, 64) : (64, 1), align = 16> -> vector<8xf16>
  return
}

// -----

func.func @tile_count(%v: !tile.view<f16, shared, (64, 64) : (64, 1), align = 16>, %i: index, %l: index) {
  // expected-error @below {{'tile.load_matrix' op expected a tile [rows, columns] of matrices of 8 by 8 elements, but got [16]}}
  %0 = tile.load_matrix %v(0, 0), %l tile [16] : !tile.view<f16, shared, (64, 64) : (64, 1), align = 16> -> vector<8xf16>
  return
}

// -----

func.func @three(%v: !tile.view<f16, shared, (64, 64) : (64, 1), align = 16>, %i: index, %l: index) {
  // expected-error @below {{'tile.load_matrix' op expected 1, 2 or a multiple of 4 matrices, at most 64, but got 3 by 1}}
  %0 = tile.load_matrix %v(0, 0), %l tile [24, 8] : !tile.view<f16, shared, (64, 64) : (64, 1), align = 16> -> vector<6xf16>
  return
}

// -----

func.func @many(%v: !tile.view<f16, shared, (1024, 64) : (64, 1), align = 16>, %i: index, %l: index) {
  // expected-error @below {{'tile.load_matrix' op expected 1, 2 or a multiple of 4 matrices, at most 64, but got 128 by 8}}
  %0 = tile.load_matrix %v(0, 0), %l tile [1024, 64] : !tile.view<f16, shared, (1024, 64) : (64, 1), align = 16> -> vector<6xf16>
  return
}

// -----

func.func @huge(%v: !tile.view<f16, shared, (64, 64) : (64, 1), align = 16>, %i: index, %l: index) {
  // expected-error @below {{'tile.load_matrix' op expected 1, 2 or a multiple of 4 matrices, at most 64, but got 576460752303423488 by 576460752303423488}}
  %0 = tile.load_matrix %v(0, 0), %l tile [4611686018427387904, 4611686018427387904] : !tile.view<f16, shared, (64, 64) : (64, 1), align = 16> -> vector<6xf16>
  return
}

// -----

func.func @along(%v: !tile.view<f16, shared, (64, 64) : (64, 1), align = 16>, %i: index, %l: index) {
  // expected-error @below {{'tile.load_matrix' op expected along to be 0 (rows) or 1 (columns), but got 2}}
  %0 = tile.load_matrix %v(0, 0), %l tile [16, 16] along 2 : !tile.view<f16, shared, (64, 64) : (64, 1), align = 16> -> vector<8xf16>
  return
}

// -----

func.func @fragment(%v: !tile.view<f16, shared, (64, 64) : (64, 1), align = 16>, %i: index, %l: index) {
  // expected-error @below {{'tile.load_matrix' op expected a fragment of type 'vector<8xf16>', but got 'vector<4xf16>'}}
  %0 = tile.load_matrix %v(0, 0), %l tile [16, 16] : !tile.view<f16, shared, (64, 64) : (64, 1), align = 16> -> vector<4xf16>
  return
}

// -----

func.func @fragment_element(%v: !tile.view<f16, shared, (64, 64) : (64, 1), align = 16>, %i: index, %l: index) {
  // expected-error @below {{'tile.load_matrix' op expected a fragment of type 'vector<8xf16>', but got 'vector<8xbf16>'}}
  %0 = tile.load_matrix %v(0, 0), %l tile [16, 16] : !tile.view<f16, shared, (64, 64) : (64, 1), align = 16> -> vector<8xbf16>
  return
}

// -----

func.func @coordinate(%v: !tile.view<f16, shared, (64, 64) : (64, 1), align = 16>, %i: index, %l: index) {
  // expected-error @below {{'tile.load_matrix' op expected a coordinate (row, column), but got (0, 0, 0)}}
  %0 = tile.load_matrix %v(0, 0, 0), %l tile [16, 16] : !tile.view<f16, shared, (64, 64) : (64, 1), align = 16> -> vector<8xf16>
  return
}

// -----

func.func @wildcard(%v: !tile.view<f16, shared, (64, 64) : (64, 1), align = 16>, %i: index, %l: index) {
  // expected-error @below {{'tile.load_matrix' op expected a coordinate (row, column), but got (0, _)}}
  %0 = tile.load_matrix %v(0, _), %l tile [16, 16] : !tile.view<f16, shared, (64, 64) : (64, 1), align = 16> -> vector<8xf16>
  return
}

// -----

func.func @leaves(%v: !tile.view<f16, shared, (64, 64) : (64, 1), align = 16>, %l: index) {
  // expected-error @below {{'tile.load_matrix' op expected one operand for each run-time leaf, but got 0}}
  %0 = "tile.load_matrix"(%v, %l) <{coord = #tile.int_tuple<(?, 0)>, tile = array<i64: 16, 16>}> : (!tile.view<f16, shared, (64, 64) : (64, 1), align = 16>, index) -> vector<8xf16>
  return
}

// -----

func.func @outside(%v: !tile.view<f16, shared, (64, 64) : (64, 1), align = 16>, %i: index, %l: index) {
  // expected-error @below {{'tile.load_matrix' op expected a tile inside of the 64 rows of the view, but got 16 from 56}}
  %0 = tile.load_matrix %v(56, 0), %l tile [16, 16] : !tile.view<f16, shared, (64, 64) : (64, 1), align = 16> -> vector<8xf16>
  return
}

// -----

func.func @outside_column(%v: !tile.view<f16, shared, (64, 64) : (64, 1), align = 16>, %i: index, %l: index) {
  // expected-error @below {{'tile.load_matrix' op expected a tile inside of the 64 columns of the view, but got 16 from 9223372036854775800}}
  %0 = tile.load_matrix %v(0, 9223372036854775800), %l tile [16, 16] : !tile.view<f16, shared, (64, 64) : (64, 1), align = 16> -> vector<8xf16>
  return
}

// -----

func.func @negative(%v: !tile.view<f16, shared, (64, 64) : (64, 1), align = 16>, %i: index, %l: index) {
  // expected-error @below {{'tile.load_matrix' op expected a tile inside of the 64 rows of the view, but got 16 from -8}}
  %0 = tile.load_matrix %v(-8, 0), %l tile [16, 16] : !tile.view<f16, shared, (64, 64) : (64, 1), align = 16> -> vector<8xf16>
  return
}

// -----

func.func @align(%v: !tile.view<f16, shared, (64, 64) : (64, 1), align = 8>, %i: index, %l: index) {
  // expected-error @below {{'tile.load_matrix' op expected a place that is aligned to 16 bytes, but got one known to be aligned to 8}}
  %0 = tile.load_matrix %v(0, 0), %l tile [16, 16] : !tile.view<f16, shared, (64, 64) : (64, 1), align = 8> -> vector<8xf16>
  return
}

// -----

func.func @pitch(%v: !tile.view<f16, shared, (64, 64) : (68, 1), align = 16>, %i: index, %l: index) {
  // expected-error @below {{'tile.load_matrix' op expected a place that is aligned to 16 bytes, but got one known to be aligned to 8}}
  %0 = tile.load_matrix %v(0, 0), %l tile [16, 16] : !tile.view<f16, shared, (64, 64) : (68, 1), align = 16> -> vector<8xf16>
  return
}

// -----

func.func @column_alignment(%v: !tile.view<f16, shared, (64, 64) : (64, 1), align = 16>, %i: index, %l: index) {
  // expected-error @below {{'tile.load_matrix' op expected a place that is aligned to 16 bytes, but got one known to be aligned to 8}}
  %0 = tile.load_matrix %v(0, %i {div = 4}), %l tile [16, 16] : !tile.view<f16, shared, (64, 64) : (64, 1), align = 16> -> vector<8xf16>
  return
}

// -----

func.func @constant_alignment(%v: !tile.view<f16, shared, (64, 64) : (64, 1), align = 16>, %i: index, %l: index) {
  // expected-error @below {{'tile.load_matrix' op expected a place that is aligned to 16 bytes, but got one known to be aligned to 8}}
  %0 = tile.load_matrix %v(0, 4), %l tile [16, 16] : !tile.view<f16, shared, (64, 64) : (64, 1), align = 16> -> vector<8xf16>
  return
}

// -----

func.func @swizzle(%v: !tile.view<f16, shared, S<2, 2, 3> o 0 o (64, 64) : (64, 1), align = 1024>, %i: index, %l: index) {
  // expected-error @below {{'tile.load_matrix' op expected a vector of elements that S<2, 2, 3> keeps together, at most 4, but got 8}}
  %0 = tile.load_matrix %v(0, 0), %l tile [16, 16] : !tile.view<f16, shared, S<2, 2, 3> o 0 o (64, 64) : (64, 1), align = 1024> -> vector<8xf16>
  return
}

// -----

func.func @run(%v: !tile.view<f16, shared, (64, (4, 16)) : (64, (1, 8)), align = 16>, %i: index, %l: index) {
  // expected-error @below {{'tile.load_matrix' op expected a dimension of stride 1 for a vector, but got the layout #tile.layout<(64, (4, 16)) : (64, (1, 8))>}}
  %0 = tile.load_matrix %v(0, 0), %l tile [16, 16] : !tile.view<f16, shared, (64, (4, 16)) : (64, (1, 8)), align = 16> -> vector<8xf16>
  return
}
