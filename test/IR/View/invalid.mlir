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

// expected-error @below {{expected the memory space global, shared, cluster or register, but got local}}
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
  // expected-error @below {{expected a coordinate that fits (4, 2), but got (_, 1, 0)}}
  %0 = tile.slice %v(_, 1, 0) : !tile.view<f32, shared, (4, 2) : (2, 1)>
  return
}

// -----

func.func @slice_overflows(%v: !tile.view<f32, shared, (4, 2) : (9223372036854775807, 1)>) {
  // expected-error @below {{expected a product of 9223372036854775807 and 3 that fits in 64 bits, but it overflows}}
  %0 = tile.slice %v(3, _) : !tile.view<f32, shared, (4, 2) : (9223372036854775807, 1)>
  return
}

// -----

func.func @slice_nested_coordinate(%v: !tile.view<f32, shared, (4, 2) : (2, 1)>) {
  // expected-error @below {{expected a coordinate that fits 2, but got (1, 0)}}
  %0 = tile.slice %v(_, (1, 0)) : !tile.view<f32, shared, (4, 2) : (2, 1)>
  return
}

// -----

func.func @slice_outside_a_nested_mode(%v: !tile.view<f32, shared, ((2, 2), 2) : ((4, 1), 2)>) {
  // expected-error @below {{expected a coordinate inside the shape ((2, 2), 2), but got (4, _)}}
  %0 = tile.slice %v(4, _) : !tile.view<f32, shared, ((2, 2), 2) : ((4, 1), 2)>
  return
}

// -----

func.func @slice_basis(%v: !tile.view<f32, shared, (4, 2) : (2, 1)>) {
  // expected-error @below {{expected integers or `_` in a coordinate, but got (1@0, _)}}
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

// -----

// expected-error @below {{expected a swizzle in shared memory only, but got S<3, 3, 3> in global memory}}
func.func private @swizzle_in_global_memory(!tile.view<bf16, global, S<3, 3, 3> o 0 o (8, 64) : (64, 1), align = 1024>)

// -----

// expected-error @below {{expected a base aligned to the 1024 bytes after which S<3, 3, 3> repeats, but got 512}}
func.func private @swizzle_of_an_unaligned_base(!tile.view<bf16, shared, S<3, 3, 3> o 0 o (8, 64) : (64, 1), align = 512>)

// -----

// expected-error @below {{expected a base aligned to the 256 bytes after which S<1, 2, 3> repeats, but got 1}}
func.func private @swizzle_without_alignment(!tile.view<f32, shared, S<1, 2, 3> o 0 o (8, 32) : (32, 1)>)

// -----

// expected-error @below {{expected a swizzle that repeats within the 232448 bytes of shared memory, but got S<1, 60, 1> of 'f32'}}
func.func private @swizzle_of_a_huge_period(!tile.view<f32, shared, S<1, 60, 1> o 0 o (8, 32) : (32, 1), align = 1024>)

// -----

// expected-error @below {{expected swizzled bits within 0 to 61, but got S<1, 61, 1>}}
func.func private @swizzle_of_more_than_62_bits(!tile.view<i8, shared, S<1, 61, 1> o 0 o (8, 32) : (32, 1), align = 1024>)

// -----

// expected-error @below {{expected offset 0 in the layout of a view, but got 64}}
func.func private @swizzle_with_an_offset(!tile.view<bf16, shared, S<3, 3, 3> o 64 o (8, 64) : (64, 1), align = 1024>)

// -----

// expected-error @below {{expected offset 0 in the layout of a view, but got ?}}
func.func private @swizzle_with_a_dynamic_offset(!tile.view<bf16, shared, S<3, 3, 3> o ? o (8, 64) : (64, 1), align = 1024>)

// -----

func.func @slice_in_the_middle_of_a_swizzle(%v: !tile.view<bf16, shared, S<3, 3, 3> o 0 o (128, 64, 4) : (64, 1, 8192), align = 1024>, %i: index) {
  // expected-error @below {{expected a part that starts at a multiple of the 512 elements after which S<3, 3, 3> repeats, or in which it is linear, but got one that starts at a multiple of 64}}
  %0 = tile.slice %v(%i, _, 0) : !tile.view<bf16, shared, S<3, 3, 3> o 0 o (128, 64, 4) : (64, 1, 8192), align = 1024>
  return
}

// -----

func.func @slice_along_a_swizzled_row(%v: !tile.view<bf16, shared, S<3, 3, 3> o 0 o (128, 64, 4) : (64, 1, 8192), align = 1024>, %j: index) {
  // expected-error @below {{expected a part that starts at a multiple of the 512 elements after which S<3, 3, 3> repeats, or in which it is linear, but got one that starts at a multiple of 8}}
  %0 = tile.slice %v(_, %j {div = 8}, 0) : !tile.view<bf16, shared, S<3, 3, 3> o 0 o (128, 64, 4) : (64, 1, 8192), align = 1024>
  return
}

// -----

func.func @slice_by_half_a_period(%v: !tile.view<bf16, shared, S<3, 3, 3> o 0 o (128, 64, 4) : (64, 1, 8192), align = 1024>, %i: index) {
  // expected-error @below {{expected a part that starts at a multiple of the 512 elements after which S<3, 3, 3> repeats, or in which it is linear, but got one that starts at a multiple of 256}}
  %0 = tile.slice %v(%i {div = 4}, _, 0) : !tile.view<bf16, shared, S<3, 3, 3> o 0 o (128, 64, 4) : (64, 1, 8192), align = 1024>
  return
}

// -----

func.func @reshape_to_another_type(%v: !tile.view<bf16, shared, (128, 64) : (64, 1), align = 1024>) {
  // expected-error @below {{expected a view of the same elements, memory and swizzle, but got}}
  %0 = tile.view_reshape %v : !tile.view<bf16, shared, (128, 64) : (64, 1), align = 1024> -> !tile.view<f16, shared, (128, 64) : (64, 1), align = 1024>
  return
}

// -----

func.func @reshape_to_another_memory(%v: !tile.view<bf16, shared, (128, 64) : (64, 1), align = 1024>) {
  // expected-error @below {{expected a view of the same elements, memory and swizzle, but got}}
  %0 = tile.view_reshape %v : !tile.view<bf16, shared, (128, 64) : (64, 1), align = 1024> -> !tile.view<bf16, global, (128, 64) : (64, 1), align = 1024>
  return
}

// -----

func.func @reshape_to_another_swizzle(%v: !tile.view<bf16, shared, (128, 64) : (64, 1), align = 1024>) {
  // expected-error @below {{expected a view of the same elements, memory and swizzle, but got}}
  %0 = tile.view_reshape %v : !tile.view<bf16, shared, (128, 64) : (64, 1), align = 1024> -> !tile.view<bf16, shared, S<3, 3, 3> o 0 o (128, 64) : (64, 1), align = 1024>
  return
}

// -----

func.func @reshape_to_more_alignment(%v: !tile.view<bf16, shared, (128, 64) : (64, 1), align = 16>) {
  // expected-error @below {{expected an alignment of at most 16, that of the view, but got 1024}}
  %0 = tile.view_reshape %v : !tile.view<bf16, shared, (128, 64) : (64, 1), align = 16> -> !tile.view<bf16, shared, (128, 64) : (64, 1), align = 1024>
  return
}

// -----

func.func @reshape_of_a_dynamic_layout(%v: !tile.view<bf16, shared, (?, 64) : (64, 1)>) {
  // expected-error @below {{expected static layouts, but got}}
  %0 = tile.view_reshape %v : !tile.view<bf16, shared, (?, 64) : (64, 1)> -> !tile.view<bf16, shared, (128, 64) : (64, 1)>
  return
}

// -----

func.func @reshape_to_a_dynamic_layout(%v: !tile.view<bf16, shared, (128, 64) : (64, 1)>) {
  // expected-error @below {{expected static layouts, but got}}
  %0 = tile.view_reshape %v : !tile.view<bf16, shared, (128, 64) : (64, 1)> -> !tile.view<bf16, shared, (?, 64) : (64, 1)>
  return
}

// -----

func.func @reshape_past_the_end(%v: !tile.view<bf16, shared, (128, 64) : (64, 1), align = 1024>) {
  // expected-error @below {{expected a layout within the view's bytes 0 to 16384, but got one of 0 to 16386}}
  %0 = tile.view_reshape %v : !tile.view<bf16, shared, (128, 64) : (64, 1), align = 1024> -> !tile.view<bf16, shared, (128, 65) : (64, 1), align = 1024>
  return
}

// -----

func.func @reshape_past_the_beginning(%v: !tile.view<bf16, shared, (128, 64) : (64, 1), align = 1024>) {
  // expected-error @below {{expected a layout within the view's bytes 0 to 16384, but got one of -16256 to 128}}
  %0 = tile.view_reshape %v : !tile.view<bf16, shared, (128, 64) : (64, 1), align = 1024> -> !tile.view<bf16, shared, (128, 64) : (-64, 1), align = 1024>
  return
}

// -----

func.func @reshape_beyond_64_bits(%v: !tile.view<bf16, shared, (128, 64) : (64, 1), align = 1024>) {
  // expected-error @below {{expected layouts whose bytes 64 bits can count, but got}}
  %0 = tile.view_reshape %v : !tile.view<bf16, shared, (128, 64) : (64, 1), align = 1024> -> !tile.view<bf16, shared, (8, 8) : (9223372036854775807, 1), align = 1024>
  return
}

// -----

func.func @pointer_of_a_number(%v: i64) {
  // expected-error @below {{operand #0 must be pointer with a layout, but got 'i64'}}
  %0 = "tile.view_pointer"(%v) : (i64) -> !llvm.ptr<3>
  return
}

// -----

func.func @local_tile_of_nested_modes(%v: !tile.view<f32, global, ((2, 2), 4) : ((1, 8), 2)>, %i: index) {
  // expected-error @below {{expected a view with one stride for each dimension, but got ((2, 2), 4) : ((1, 8), 2)}}
  %0 = tile.local_tile %v[2, 2](%i, %i) : !tile.view<f32, global, ((2, 2), 4) : ((1, 8), 2)>
  return
}
