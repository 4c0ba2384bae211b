// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers, partitions and recasts of views: each rule, once.
// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @registers_elsewhere() {
  // expected-error @below {{expected a view in register memory, but got shared}}
  %0 = tile.alloc_registers : !tile.view<f32, shared, 8 : 1>
  return
}

// -----

func.func @registers_dynamic() {
  // expected-error @below {{expected a static layout, but got #tile.layout<? : 1>}}
  %0 = tile.alloc_registers : !tile.view<f32, register, ? : 1>
  return
}

// -----

func.func @registers_negative_stride() {
  // expected-error @below {{expected strides of 0 or more, but got #tile.layout<(2, 2) : (-2, 1)>}}
  %0 = tile.alloc_registers : !tile.view<f32, register, (2, 2) : (-2, 1)>
  return
}

// -----

func.func @more_than_all_registers() {
  // expected-error @below {{expected at most 1020 bytes of registers of a thread, but got 1024}}
  %0 = tile.alloc_registers : !tile.view<f32, register, 256 : 1>
  return
}

// -----

func.func @registers_beyond_64_bits() {
  // expected-error @below {{expected at most 1020 bytes of registers of a thread, but got more than 64 bits can count}}
  %0 = tile.alloc_registers : !tile.view<f32, register, 8 : 9223372036854775807>
  return
}

// -----

func.func @registers_alignment() {
  // expected-error @below {{expected an alignment of at most 16 bytes in registers, but got 32}}
  %0 = tile.alloc_registers : !tile.view<f32, register, 8 : 1, align = 32>
  return
}

// -----

// expected-error @below {{expected a swizzle in shared memory only, but got S<1, 0, 1> in register memory}}
func.func private @swizzled_registers(!tile.view<f32, register, S<1, 0, 1> o 0 o 8 : 1, align = 16>)

// -----

// expected-error @below {{expected a view in global or shared memory, but got register: registers have no addresses to walk over}}
func.func private @iterator_over_registers(!tile.iterator<!tile.view<f32, register, (4, 8) : (8, 1)>, #tile.strip_mined<tile = [4, 8], contiguous = 1, threads = 8, elements = 4>, steady>)

// -----

func.func @pointer_to_registers(%p: !llvm.ptr<1>) {
  // expected-error @below {{expected a pointer to address space 0 for a view in register memory, but got 1}}
  %0 = tile.make_view %p, 8 : 1 : !llvm.ptr<1> -> !tile.view<f32, register, 8 : 1>
  return
}

// -----

func.func @fragment_of_a_dynamic_view(%v: !tile.view<f32, global, (?, 4) : (4, 1)>) {
  // expected-error @below {{expected a view of static layout, but got '!tile.view<f32, global, (?, 4) : (4, 1)>'}}
  %0 = tile.alloc_fragment_like %v : !tile.view<f32, global, (?, 4) : (4, 1)>
  return
}

// -----

func.func @fragment_too_large(%v: !tile.view<i8, shared, (32, 8) : (8, 1)>) {
  // expected-error @below {{expected at most 1020 bytes of registers of a thread, but got 1024}}
  %0 = tile.alloc_fragment_like %v as f32 : !tile.view<i8, shared, (32, 8) : (8, 1)>
  return
}

// -----

func.func @fragment_of_bits(%v: !tile.view<i8, shared, (4, 8) : (8, 1)>) {
  // expected-error @below {{expected an element type of 1, 2, 4, 8 or 16 bytes, but got 'i1'}}
  %0 = tile.alloc_fragment_like %v as i1 : !tile.view<i8, shared, (4, 8) : (8, 1)>
  return
}

// -----

func.func @fragment_of_an_index(%i: index) {
  // expected-error @below {{operand #0 must be pointer with a layout, but got 'index'}}
  %0 = "tile.alloc_fragment_like"(%i) : (index) -> !tile.view<f32, register, 4 : 1>
  return
}

// -----

func.func @pointer_of_an_index(%i: index) {
  // expected-error @below {{operand #0 must be pointer with a layout, but got 'index'}}
  %0 = "tile.view_pointer"(%i) : (index) -> !llvm.ptr<1>
  return
}

// -----

func.func @slice_of_an_index(%i: index) {
  // expected-error @below {{operand #0 must be pointer with a layout, but got 'index'}}
  %0 = "tile.slice"(%i) <{coord = #tile.int_tuple<(_)>}> : (index) -> !tile.view<f32, shared, (4) : (1)>
  return
}

// -----

func.func @slice_of_another_type(%v: !tile.view<f32, shared, (4, 2) : (2, 1)>) {
  // expected-error @below {{expected a result of type '!tile.view<f32, shared, (4) : (2)>', but got '!tile.view<f32, shared, (4) : (1)>'}}
  %0 = "tile.slice"(%v) <{coord = #tile.int_tuple<(_, 1)>}> : (!tile.view<f32, shared, (4, 2) : (2, 1)>) -> !tile.view<f32, shared, (4) : (1)>
  return
}

// -----

func.func @slice_outside(%v: !tile.view<f32, shared, (4, 2) : (2, 1)>) {
  // expected-error @below {{expected a coordinate inside the shape (4, 2), but got (_, 2)}}
  %0 = tile.slice %v(_, 2) : !tile.view<f32, shared, (4, 2) : (2, 1)>
  return
}

// -----

func.func @load_outside(%v: !tile.view<f32, shared, (4, (2, 3)) : (1, (12, 4))>) {
  // expected-error @below {{expected a coordinate inside the shape (4, (2, 3)), but got (3, 6)}}
  %0 = tile.view_load %v(3, 6) : !tile.view<f32, shared, (4, (2, 3)) : (1, (12, 4))> -> f32
  return
}

// -----

func.func @load_before(%v: !tile.view<f32, shared, (4, 2) : (2, 1)>) {
  // expected-error @below {{expected a coordinate inside the shape (4, 2), but got (-1, 0)}}
  %0 = tile.view_load %v(-1, 0) : !tile.view<f32, shared, (4, 2) : (2, 1)> -> f32
  return
}

// -----

func.func @load_wildcard(%v: !tile.view<f32, shared, (4, 2) : (2, 1)>) {
  // expected-error @below {{expected a coordinate of integers, but got (_, 0)}}
  %0 = tile.view_load %v(_, 0) : !tile.view<f32, shared, (4, 2) : (2, 1)> -> f32
  return
}

// -----

// Two elements are together, the next ones are 8 further on.
func.func @vector_across_modes(%v: !tile.view<f32, shared, (4, (2, 3)) : (2, (1, 8)), align = 16>) {
  // expected-error @below {{expected a dimension of stride 1 for a vector, but got the layout #tile.layout<(4, (2, 3)) : (2, (1, 8))>}}
  %0 = tile.view_load %v(0, 0) : !tile.view<f32, shared, (4, (2, 3)) : (2, (1, 8)), align = 16> -> vector<4xf32>
  return
}

// -----

func.func @vector_across_a_swizzle(%v: !tile.view<f32, shared, S<2, 1, 3> o 0 o (8, 16) : (16, 1), align = 256>) {
  // expected-error @below {{expected a vector of elements that S<2, 1, 3> keeps together, at most 2, but got 4}}
  %0 = tile.view_load %v(0, 0) : !tile.view<f32, shared, S<2, 1, 3> o 0 o (8, 16) : (16, 1), align = 256> -> vector<4xf32>
  return
}

// -----

func.func @partition_by_swizzled_threads(%v: !tile.view<f32, shared, (16, 32) : (32, 1)>, %t: index) {
  // expected-error @below {{expected a constant layout of threads without a swizzle, but got S<1, 0, 2> o 0 o (4, 8) : (8, 1)}}
  %0 = tile.local_partition %v by <S<1, 0, 2> o 0 o (4, 8) : (8, 1)> at %t : !tile.view<f32, shared, (16, 32) : (32, 1)>
  return
}

// -----

func.func @partition_by_run_time_threads(%v: !tile.view<f32, shared, (16, 32) : (32, 1)>, %t: index) {
  // expected-error @below {{expected a constant layout of threads without a swizzle, but got (?, 8) : (8, 1)}}
  %0 = tile.local_partition %v by <(?, 8) : (8, 1)> at %t : !tile.view<f32, shared, (16, 32) : (32, 1)>
  return
}

// -----

func.func @partition_by_negative_strides(%v: !tile.view<f32, shared, (16, 32) : (32, 1)>, %t: index) {
  // expected-error @below {{expected a layout of threads with strides of 0 or more, but got (4, 8) : (-8, 1)}}
  %0 = tile.local_partition %v by <(4, 8) : (-8, 1)> at %t : !tile.view<f32, shared, (16, 32) : (32, 1)>
  return
}

// -----

func.func @partition_rank(%v: !tile.view<f32, shared, (16, 32) : (32, 1)>, %t: index) {
  // expected-error @below {{expected a layout of threads with the 2 modes of the view, but got 32 : 1}}
  %0 = tile.local_partition %v by <32 : 1> at %t : !tile.view<f32, shared, (16, 32) : (32, 1)>
  return
}

// -----

func.func @partition_overhang(%v: !tile.view<f32, shared, (16, 30) : (32, 1)>, %t: index) {
  // expected-error @below {{expected a tile that divides extent 30 of mode [1], but got 8}}
  %0 = tile.local_partition %v by <(4, 8) : (8, 1)> at %t : !tile.view<f32, shared, (16, 30) : (32, 1)>
  return
}

// -----

func.func @partition_at_a_coordinate(%v: !tile.view<f32, shared, (16, 32) : (32, 1)>) {
  // expected-error @below {{expected the number of a thread, but got (1, 2)}}
  %0 = tile.local_partition %v by <(4, 8) : (8, 1)> at (1, 2) : !tile.view<f32, shared, (16, 32) : (32, 1)>
  return
}

// -----

func.func @partition_negative_thread(%v: !tile.view<f32, shared, (16, 32) : (32, 1)>) {
  // expected-error @below {{expected a thread of 0 or more, but got -1}}
  %0 = tile.local_partition %v by <(4, 8) : (8, 1)> at -1 : !tile.view<f32, shared, (16, 32) : (32, 1)>
  return
}

// -----

func.func @partition_operand_count(%v: !tile.view<f32, shared, (16, 32) : (32, 1)>) {
  // expected-error @below {{expected one operand for each run-time leaf, but got 0}}
  %0 = "tile.local_partition"(%v) <{threads = #tile.layout<(4, 8) : (8, 1)>, thread = #tile.int_tuple<?>}> : (!tile.view<f32, shared, (16, 32) : (32, 1)>) -> !tile.view<f32, shared, (4, 4) : (128, 8)>
  return
}

// -----

func.func @partition_in_the_middle_of_a_swizzle(%v: !tile.view<bf16, shared, S<3, 3, 3> o 0 o (64, 64) : (64, 1), align = 1024>, %t: index) {
  // expected-error @below {{expected a part that starts at a multiple of the 512 elements after which S<3, 3, 3> repeats, or in which it is linear, but got one that starts at a multiple of 1}}
  %0 = tile.local_partition %v by <(4, 8) : (8, 1)> at %t : !tile.view<bf16, shared, S<3, 3, 3> o 0 o (64, 64) : (64, 1), align = 1024>
  return
}

// -----

func.func @tile_in_the_middle_of_a_swizzle(%v: !tile.view<bf16, shared, S<3, 3, 3> o 0 o (128, 64) : (64, 1), align = 1024>, %i: index) {
  // expected-error @below {{expected a tile that starts at a multiple of the 512 elements after which S<3, 3, 3> repeats, but got a multiple of 256}}
  %0 = tile.local_tile %v[4, 64](%i, 0) : !tile.view<bf16, shared, S<3, 3, 3> o 0 o (128, 64) : (64, 1), align = 1024>
  return
}

// -----

func.func @map_of_one_mode(%v: !tile.view<f32, global, (4, 8) : (8, 1)>, %t: index) {
  // expected-error @below {{expected a layout of two modes, threads and values, but got 8 : 4}}
  %0 = tile.thread_partition %v by #tile.layout<8 : 4> at %t : !tile.view<f32, global, (4, 8) : (8, 1)>
  return
}

// -----

func.func @map_of_a_swizzle(%v: !tile.view<f32, global, (4, 8) : (8, 1)>, %t: index) {
  // expected-error @below {{expected a constant layout of (thread, value) without a swizzle, but got S<1, 0, 2> o 0 o (8, 4) : (4, 1)}}
  %0 = tile.thread_partition %v by #tile.layout<S<1, 0, 2> o 0 o (8, 4) : (4, 1)> at %t : !tile.view<f32, global, (4, 8) : (8, 1)>
  return
}

// -----

func.func @map_beyond_a_dimension(%v: !tile.view<f32, global, (4, 8) : (8, 1)>, %t: index) {
  // expected-error @below {{expected a map that stays below extent [1] of the view, 8, but got 0 to 9}}
  %0 = tile.thread_partition %v by #tile.layout<((5, 4), 2) : ((2@e1, 1@e0), 1@e1)> at %t : !tile.view<f32, global, (4, 8) : (8, 1)>
  return
}

// -----

func.func @map_before_a_dimension(%v: !tile.view<f32, global, (4, 8) : (8, 1)>, %t: index) {
  // expected-error @below {{expected a map that stays below extent [0] of the view, 4, but got -3 to 0}}
  %0 = tile.thread_partition %v by #tile.layout<((4, 4), 2) : ((2@e1, -1@e0), 1@e1)> at %t : !tile.view<f32, global, (4, 8) : (8, 1)>
  return
}

// -----

func.func @map_beyond_the_elements(%v: !tile.view<f32, global, (4, 8) : (8, 1)>, %t: index) {
  // expected-error @below {{expected a map that stays below the size of the view, 32, but got 0 to 35}}
  %0 = tile.thread_partition %v by #tile.layout<(9, 4) : (4, 1)> at %t : !tile.view<f32, global, (4, 8) : (8, 1)>
  return
}

// -----

func.func @map_of_a_dynamic_view(%v: !tile.view<f32, global, (?, 8) : (8, 1)>, %t: index) {
  // expected-error @below {{expected extent [0] of the view to be constant, but got ?}}
  %0 = tile.thread_partition %v by #tile.layout<((4, 4), 2) : ((2@e1, 1@e0), 1@e1)> at %t : !tile.view<f32, global, (?, 8) : (8, 1)>
  return
}

// -----

func.func @map_of_another_tile(%v: !tile.view<f32, global, (4, 8) : (8, 1)>, %t: index) {
  // expected-error @below {{expected a view of the map's 8 by 8 elements, but got (4, 8)}}
  %0 = tile.thread_partition %v by #tile.strip_mined<tile = [8, 8], contiguous = 1, threads = 16, elements = 4> at %t : !tile.view<f32, global, (4, 8) : (8, 1)>
  return
}

// -----

func.func @map_at_a_wildcard(%v: !tile.view<f32, global, (4, 8) : (8, 1)>) {
  // expected-error @below {{expected the number of a thread, but got _}}
  %0 = tile.thread_partition %v by #tile.layout<((4, 4), 2) : ((2@e1, 1@e0), 1@e1)> at _ : !tile.view<f32, global, (4, 8) : (8, 1)>
  return
}

// -----

func.func @map_beyond_the_threads(%v: !tile.view<f32, global, (4, 8) : (8, 1)>) {
  // expected-error @below {{expected a coordinate inside the shape ((4, 4), 2), but got (16, _)}}
  %0 = tile.thread_partition %v by #tile.layout<((4, 4), 2) : ((2@e1, 1@e0), 1@e1)> at 16 : !tile.view<f32, global, (4, 8) : (8, 1)>
  return
}

// -----

func.func @map_that_is_none(%v: !tile.view<f32, global, (4, 8) : (8, 1)>) {
  // expected-error @below {{expected a thread map or a layout of (thread, value)}}
  %0 = tile.thread_partition %v by 4 : i32 at 0 : !tile.view<f32, global, (4, 8) : (8, 1)>
  return
}

// -----

func.func @recast_to_bits(%v: !tile.view<i8, global, (64, 8) : (1, 64)>) {
  // expected-error @below {{expected elements of whole bytes, but got 'i1'}}
  %0 = tile.view_recast %v to i1 : !tile.view<i8, global, (64, 8) : (1, 64)>
  return
}

// -----

func.func @recast_to_a_vector(%v: !tile.view<i8, global, (64, 8) : (1, 64)>) {
  // expected-error @below {{expected elements of whole bytes, but got 'vector<4xi8>'}}
  %0 = tile.view_recast %v to vector<4xi8> : !tile.view<i8, global, (64, 8) : (1, 64)>
  return
}

// -----

func.func @recast_to_three_bytes(%v: !tile.view<i8, global, (63, 8) : (1, 63), align = 4>) {
  // expected-error @below {{expected a base aligned to the 3 bytes of an element, but got 4}}
  %0 = tile.view_recast %v to i24 : !tile.view<i8, global, (63, 8) : (1, 63), align = 4>
  return
}

// -----

func.func @recast_of_an_unaligned_base(%v: !tile.view<i8, global, (64, 8) : (1, 64), align = 2>) {
  // expected-error @below {{expected a base aligned to the 4 bytes of an element, but got 2}}
  %0 = tile.view_recast %v to i32 : !tile.view<i8, global, (64, 8) : (1, 64), align = 2>
  return
}

// -----

func.func @recast_of_an_odd_pitch(%v: !tile.view<i8, global, (64, 8) : (1, 66), align = 16>) {
  // expected-error @below {{expected every stride to be a multiple of 4 or to divide it, but got 66}}
  %0 = tile.view_recast %v to i32 : !tile.view<i8, global, (64, 8) : (1, 66), align = 16>
  return
}

// -----

func.func @recast_that_tears_a_swizzle(%v: !tile.view<i16, shared, S<3, 0, 3> o 0 o (8, 8) : (8, 1), align = 128>) {
  // expected-error @below {{expected a swizzle that keeps 2 elements together, but got S<3, 0, 3>}}
  %0 = tile.view_recast %v to i32 : !tile.view<i16, shared, S<3, 0, 3> o 0 o (8, 8) : (8, 1), align = 128>
  return
}

// -----

func.func @recast_to_nothing(%v: !tile.view<i8, global, (64, 8) : (1, 64), align = 16>) {
  // expected-error @below {{expected elements of whole bytes, but got 'i0'}}
  %0 = tile.view_recast %v to i0 : !tile.view<i8, global, (64, 8) : (1, 64), align = 16>
  return
}

// -----

// Four bytes that follow one another downwards end at the base.
func.func @recast_of_bytes_downwards(%v: !tile.view<i8, global, 8 : -1, align = 16>) {
  // expected-error @below {{expected elements that follow one another upwards to become larger ones, but got stride -1}}
  %0 = tile.view_recast %v to i32 : !tile.view<i8, global, 8 : -1, align = 16>
  return
}

// -----

func.func @recast_of_every_other_byte_downwards(%v: !tile.view<i8, global, (?, 8) : (64, -2), align = 16>) {
  // expected-error @below {{expected elements that follow one another upwards to become larger ones, but got stride -2}}
  %0 = tile.view_recast %v to i32 : !tile.view<i8, global, (?, 8) : (64, -2), align = 16>
  return
}

// -----

func.func @recast_of_two_unit_modes(%v: !tile.view<i32, global, (8, 4) : (1, -1)>) {
  // expected-error @below {{expected one mode of stride 1 or -1 to split, but got the layout (8, 4) : (1, -1)}}
  %0 = tile.view_recast %v to i8 : !tile.view<i32, global, (8, 4) : (1, -1)>
  return
}

// -----

func.func @recast_downwards_to_no_part(%v: !tile.view<i16, global, 8 : -1, align = 16>) {
  // expected-error @below {{expected elements that follow one another upwards to become larger ones, but got stride -1}}
  %0 = tile.view_recast %v to i128 : !tile.view<i16, global, 8 : -1, align = 16>
  return
}
