// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views: each rule of the type and of the operations, once.
// RUN: tile-opt %s -verify-diagnostics -split-input-file

// expected-error @below {{expected a signless integer or floating-point element type, but got 'index'}}
func.func private @element_index(!tile.view<index, global, 8 : 1>)

// -----

// expected-error @below {{expected a signless integer or floating-point element type, but got 'si32'}}
func.func private @element_signed(!tile.view<si32, global, 8 : 1>)

// -----

// expected-error @below {{expected a signless integer or floating-point element type, but got 'complex<f32>'}}
func.func private @element_complex(!tile.view<complex<f32>, global, 8 : 1>)

// -----

// expected-error @below {{expected a signless integer or floating-point element type, but got 'vector<4xf32>'}}
func.func private @element_vector(!tile.view<vector<4xf32>, global, 8 : 1>)

// -----

// expected-error @below {{expected an element type of 1, 2, 4, 8 or 16 bytes, but got 'i1'}}
func.func private @element_bit(!tile.view<i1, global, 8 : 1>)

// -----

// expected-error @below {{expected an element type of 1, 2, 4, 8 or 16 bytes, but got 'i24'}}
func.func private @element_three_bytes(!tile.view<i24, global, 8 : 1>)

// -----

// expected-error @below {{expected an element type of 1, 2, 4, 8 or 16 bytes, but got 'f80'}}
func.func private @element_ten_bytes(!tile.view<f80, global, 8 : 1>)

// -----

// expected-error @below {{expected the memory space global or shared, but got local}}
func.func private @space(!tile.view<f32, local, 8 : 1>)

// -----

// expected-error @below {{expected integer strides, but got a coordinate-valued layout}}
func.func private @coordinate_valued(!tile.view<f32, global, 8 : 1@e0>)

// -----

// expected-error @below {{expected a power of two as alignment, but got 12}}
func.func private @alignment(!tile.view<f32, global, 8 : 1, align = 12>)

// -----

// expected-error @below {{expected a power of two as alignment, but got 0}}
func.func private @alignment_zero(!tile.view<f32, global, 8 : 1, align = 0>)

// -----

// expected-error @below {{expected 'align'}}
func.func private @unknown_clause(!tile.view<f32, global, 8 : 1, alignment = 16>)

// -----

// expected-error @below {{expected a positive extent, but got 0}}
func.func private @extent_zero(!tile.view<f32, global, 0 : 1>)

// -----

func.func @view_of_another_layout(%p: !llvm.ptr<1>, %m: index) {
  // expected-error @below {{expected a view with the layout #tile.layout<(?, 8) : (8, 1)>, but got #tile.layout<(?, 8) : (?, 1)>}}
  %0 = tile.make_view %p, (%m, 8) : (8, 1) : !llvm.ptr<1> -> !tile.view<f32, global, (?, 8) : (?, 1)>
  return
}

// -----

func.func @view_non_congruent(%p: !llvm.ptr<1>, %m: index) {
  // expected-error @below {{expected shape and stride of the same nesting, but got (?, 8) and 1}}
  %0 = tile.make_view %p, (%m, 8) : 1 : !llvm.ptr<1> -> !tile.view<f32, global, (?, 8) : (?, 1)>
  return
}

// -----

func.func @view_in_another_space(%p: !llvm.ptr<3>) {
  // expected-error @below {{expected a pointer to address space 1 for a view in global memory, but got 3}}
  %0 = tile.make_view %p, 8 : 1 : !llvm.ptr<3> -> !tile.view<f32, global, 8 : 1>
  return
}

// -----

func.func @view_operand_count(%p: !llvm.ptr<1>, %m: index) {
  // expected-error @below {{expected one operand for each run-time leaf, but got 1}}
  %0 = "tile.make_view"(%p, %m) <{operandSegmentSizes = array<i32: 1, 1, 0>, shape = #tile.int_tuple<8>, stride = #tile.int_tuple<1>}> : (!llvm.ptr<1>, index) -> !tile.view<f32, global, 8 : 1>
  return
}

// -----

func.func @shared_in_global_memory() {
  // expected-error @below {{expected a view in shared memory, but got global}}
  %0 = tile.alloc_shared : !tile.view<f32, global, 8 : 1>
  return
}

// -----

func.func @shared_dynamic() {
  // expected-error @below {{expected a static layout, but got #tile.layout<? : 1>}}
  %0 = tile.alloc_shared : !tile.view<f32, shared, ? : 1>
  return
}

// -----

func.func @shared_negative_stride() {
  // expected-error @below {{expected strides of 0 or more, but got #tile.layout<(8, 8) : (-8, 1)>}}
  %0 = tile.alloc_shared : !tile.view<f32, shared, (8, 8) : (-8, 1)>
  return
}

// -----

func.func @shared_too_large() {
  // expected-error @below {{expected at most 232448 bytes of shared memory, but got 232452}}
  %0 = tile.alloc_shared : !tile.view<f32, shared, 58113 : 1>
  return
}

// -----

func.func @shared_beyond_64_bits() {
  // expected-error @below {{expected at most 232448 bytes of shared memory, but got more than 64 bits can count}}
  %0 = tile.alloc_shared : !tile.view<f32, shared, 8 : 9223372036854775807>
  return
}

// -----

func.func @shared_alignment() {
  // expected-error @below {{expected an alignment of at most 1024 bytes in shared memory, but got 2048}}
  %0 = tile.alloc_shared : !tile.view<f32, shared, 8 : 1, align = 2048>
  return
}

// -----

func.func @slice_rank(%v: !tile.view<f32, shared, (4, 2) : (2, 1)>) {
  // expected-error @below {{expected a coordinate of 2 modes, but got (_, 1, 0)}}
  %0 = tile.slice %v(_, 1, 0) : !tile.view<f32, shared, (4, 2) : (2, 1)>
  return
}

// -----

func.func @slice_without_tuple(%v: !tile.view<f32, shared, 4 : 2>) {
  // expected-error @below {{expected a coordinate of 1 modes, but got 3}}
  %0 = tile.slice %v 3 : !tile.view<f32, shared, 4 : 2>
  return
}

// -----

func.func @slice_nested_coordinate(%v: !tile.view<f32, shared, (4, 2) : (2, 1)>) {
  // expected-error @below {{expected an integer or `_` for a mode with one stride at mode [1], but got (1, 0)}}
  %0 = tile.slice %v(_, (1, 0)) : !tile.view<f32, shared, (4, 2) : (2, 1)>
  return
}

// -----

func.func @slice_fixes_nested_mode(%v: !tile.view<f32, shared, ((2, 2), 2) : ((4, 1), 2)>) {
  // expected-error @below {{expected an integer or `_` for a mode with one stride at mode [0], but got 1}}
  %0 = tile.slice %v(1, _) : !tile.view<f32, shared, ((2, 2), 2) : ((4, 1), 2)>
  return
}

// -----

func.func @slice_basis(%v: !tile.view<f32, shared, (4, 2) : (2, 1)>) {
  // expected-error @below {{expected an integer or `_` for a mode with one stride at mode [0], but got 1@0}}
  %0 = tile.slice %v(1@e0, _) : !tile.view<f32, shared, (4, 2) : (2, 1)>
  return
}

// -----

func.func @slice_operand_count(%v: !tile.view<f32, shared, (4) : (1)>) {
  // expected-error @below {{expected one operand for each run-time leaf, but got 0}}
  %0 = "tile.slice"(%v) <{coord = #tile.int_tuple<(?)>}> : (!tile.view<f32, shared, (4) : (1)>) -> !tile.view<f32, shared, () : ()>
  return
}

// -----

func.func @slice_without_coordinate(%v: !tile.view<f32, shared, (4) : (1)>) {
  // expected-error @below {{requires attribute 'coord'}}
  %0 = "tile.slice"(%v) : (!tile.view<f32, shared, (4) : (1)>) -> !tile.view<f32, shared, () : ()>
  return
}
