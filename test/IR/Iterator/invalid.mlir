// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterator types and operations: each rule, once.
// RUN: tile-opt %s -verify-diagnostics -split-input-file

#map = #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>
// expected-error @below {{expected a view of two dimensions, but got 1}}
func.func private @rank_1(!tile.iterator<!tile.view<f32, global, (64) : (1)>, #map>)


// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>
// expected-error @below {{expected advance to be 0 (rows) or 1 (columns), but got 2}}
func.func private @advance(!tile.iterator<!tile.view<f32, global, (64, 8) : (1, 64)>, #map, advance = 2>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>
// expected-error @below {{expected advance to be 0 (rows) or 1 (columns), but got -1}}
func.func private @advance_negative(!tile.iterator<!tile.view<f32, global, (64, 8) : (1, 64)>, #map, advance = -1>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>
// expected-error @below {{expected a predicated iterator that advances in the residue phase}}
func.func private @residue_without_predicates(!tile.iterator<!tile.view<f32, global, (64, 8) : (1, 64)>, #map, advance = 1, residue>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>
// expected-error @below {{expected a predicated iterator that advances in the residue phase}}
func.func private @residue_without_advance(!tile.iterator<!tile.view<f32, global, (64, 8) : (1, 64)>, #map, predicated, residue>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>
// expected-error @below {{expected coords, divide, steps, advance, predicated, random, residue, steady, masked, permute, gather, triangle or xor, but got whole}}
func.func private @unknown_clause(!tile.iterator<!tile.view<f32, global, (64, 8) : (1, 64)>, #map, whole>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>
// expected-error @below {{expected one phase, but got another: steady}}
func.func private @two_phases(!tile.iterator<!tile.view<f32, global, (64, 8) : (1, 64)>, #map, advance = 1, predicated, residue, steady>)

// -----

#map = #tile.strip_mined<tile = [10, 16], contiguous = 1, threads = 32, elements = 4, coverage = padded>
// expected-error @below {{expected a predicated iterator for a thread map that reaches beyond its tile, in 1 of 2 accesses, the first of them 1}}
func.func private @padding_without_predicates(!tile.iterator<!tile.view<f32, global, (64, 16) : (16, 1)>, #map, advance = 0>)

// -----

// expected-error @below {{expected a thread map such as #tile.strip_mined<…>, but got 5 : i64}}
func.func private @no_map(!tile.iterator<!tile.view<f32, global, (64, 8) : (1, 64)>, 5>)

// -----

// expected-error @below {{expected tile.view, but found 'f32'}}
func.func private @no_view(!tile.iterator<f32, 5>)

// -----

!view = !tile.view<f32, global, (64, 8) : (1, 64), align = 16>
!iter = !tile.iterator<!view, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>>
func.func @coordinate_rank(%v: !view, %t: index) {
  // expected-error @below {{expected a coordinate (row, column), but got #tile.int_tuple<(0, 0, 0)>}}
  %0 = tile.make_iterator %v(0, 0, 0), %t : !iter
  return
}

// -----

!view = !tile.view<f32, global, (64, 8) : (1, 64), align = 16>
!iter = !tile.iterator<!view, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>>
func.func @coordinate_wildcard(%v: !view, %t: index) {
  // expected-error @below {{expected a coordinate (row, column), but got #tile.int_tuple<(_, 0)>}}
  %0 = tile.make_iterator %v(_, 0), %t : !iter
  return
}

// -----

!view = !tile.view<f32, global, (64, 8) : (1, 64), align = 16>
!iter = !tile.iterator<!view, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>>
func.func @coordinate_basis(%v: !view, %t: index) {
  // expected-error @below {{expected a coordinate (row, column), but got #tile.int_tuple<(4@e0, 0)>}}
  %0 = tile.make_iterator %v(4@e0, 0), %t : !iter
  return
}

// -----

!view = !tile.view<f32, global, (64, 8) : (1, 64), align = 16>
!iter = !tile.iterator<!view, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>>
func.func @coordinate_between_accesses(%v: !view, %t: index) {
  // expected-error @below {{expected a row that is a multiple of 4, the elements of one access, but got one known to be a multiple of 2}}
  %0 = tile.make_iterator %v(2, 0), %t : !iter
  return
}

// -----

!view = !tile.view<f32, global, (8, 64) : (64, 1), align = 16>
!iter = !tile.iterator<!view, #tile.strip_mined<tile = [8, 64], contiguous = 1, threads = 32, elements = 4>>
func.func @coordinate_unknown(%v: !view, %c: index, %t: index) {
  // expected-error @below {{expected a column that is a multiple of 4, the elements of one access, but got one known to be a multiple of 1}}
  %0 = tile.make_iterator %v(0, %c), %t : !iter
  return
}

// -----

!view = !tile.view<f32, global, (64, 8) : (1, 64), align = 16>
!iter = !tile.iterator<!view, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>>
func.func @coordinate_count(%v: !view, %t: index) {
  // expected-error @below {{expected one operand for each run-time leaf, but got 0}}
  %0 = "tile.make_iterator"(%v, %t) <{coord = #tile.int_tuple<(?, 0)>, operandSegmentSizes = array<i32: 1, 0, 1, 0, 0, 0, 0, 0, 0>}> : (!view, index) -> !iter
  return
}

// -----

!view = !tile.view<f32, global, (64, 8) : (1, 64), align = 16>
func.func @no_iterator_type(%v: !view, %t: index) {
  // expected-error @below {{expected a tile iterator type, but got 'index'}}
  %0 = tile.make_iterator %v(0, 0), %t : index
  return
}

// -----

!iter = !tile.iterator<!tile.view<f32, shared, (64, 8) : (1, 64), align = 16>, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>>
func.func @fragment_size(%it: !iter) {
  // expected-error @below {{expected a fragment of type 'vector<16xf32>' (4 accesses of 4 elements), but got 'vector<8xf32>'}}
  %0 = tile.iterator_load %it : !iter -> vector<8xf32>
  return
}

// -----

!iter = !tile.iterator<!tile.view<f32, shared, (64, 8) : (1, 64), align = 16>, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>>
func.func @fragment_element(%it: !iter, %f: vector<16xf64>) {
  // expected-error @below {{expected a fragment of type 'vector<16xf32>' (4 accesses of 4 elements), but got 'vector<16xf64>'}}
  tile.iterator_store %f, %it : vector<16xf64>, !iter
  return
}

// -----

!iter = !tile.iterator<!tile.view<f32, shared, (64, 8) : (1, 64), align = 16>, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>>
func.func @fragment_scalable(%it: !iter) {
  // expected-error @below {{expected a fragment of type 'vector<16xf32>' (4 accesses of 4 elements), but got 'vector<[16]xf32>'}}
  %0 = tile.iterator_load %it : !iter -> vector<[16]xf32>
  return
}

// -----

!iter = !tile.iterator<!tile.view<f32, shared, (64, 8) : (1, 64), align = 16>, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>>
func.func @accesses_count(%it: !iter) {
  // expected-error @below {{expected accesses = [first, count], but got 1 numbers}}
  %0 = tile.iterator_load %it accesses [1] : !iter -> vector<4xf32>
  return
}

// -----

!iter = !tile.iterator<!tile.view<f32, shared, (64, 8) : (1, 64), align = 16>, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>>
func.func @accesses_outside(%it: !iter) {
  // expected-error @below {{expected accesses within the 4 of the thread map, but got [3, 2]}}
  %0 = tile.iterator_load %it accesses [3, 2] : !iter -> vector<8xf32>
  return
}

// -----

!iter = !tile.iterator<!tile.view<f32, shared, (64, 8) : (1, 64), align = 16>, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>>
func.func @accesses_overflow(%it: !iter) {
  // expected-error @below {{expected accesses within the 4 of the thread map, but got [9223372036854775807, 1]}}
  %0 = tile.iterator_load %it accesses [9223372036854775807, 1] : !iter -> vector<4xf32>
  return
}

// -----

!iter = !tile.iterator<!tile.view<f32, shared, (64, 8) : (1, 64), align = 16>, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>>
func.func @accesses_none(%it: !iter, %f: vector<4xf32>) {
  // expected-error @below {{expected accesses within the 4 of the thread map, but got [1, 0]}}
  tile.iterator_store %f, %it accesses [1, 0] : vector<4xf32>, !iter
  return
}

// -----

!iter = !tile.iterator<!tile.view<f32, shared, (4, 1) : (1, 4)>, #tile.tv_map<tile = [4, 1], layout = ((2, 4), 1) : ((0, 1@e0), 0)>>
func.func @store_through_a_shared_map(%it: !iter, %f: vector<1xf32>) {
  // expected-error @below {{expected a writeable tile iterator, but this one has elements that no thread or more than one thread owns}}
  // expected-note @below {{one whose thread map gives every element exactly one thread would do, such as #tile.strip_mined<…>}}
  tile.iterator_store %f, %it : vector<1xf32>, !iter
  return
}

// -----

!iter = !tile.iterator<!tile.view<f32, shared, (64, 8) : (1, 64)>, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>>
func.func @advance_without_direction(%it: !iter) {
  // expected-error @below {{expected a forward tile iterator, but this one has no advance dimension}}
  // expected-note @below {{the same with advance = 0 or advance = 1 would do}}
  %0 = tile.iterator_advance %it : !iter
  return
}

// -----

!iter = !tile.iterator<!tile.view<f32, shared, (64, 8) : (1, 64)>, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>>
func.func @clear_without_mask(%it: !iter, %c: i1) {
  // expected-error @below {{expected a masked tile iterator, but this one has no predicates}}
  // expected-note @below {{the same with predicated would do}}
  %0 = tile.iterator_clear_mask %it, %c : !iter
  return
}

// -----

!iter = !tile.iterator<!tile.view<f32, shared, (64, 8) : (1, 64), align = 16>, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>>
func.func @offset_between_accesses(%it: !iter) {
  %c6 = arith.constant 6 : index
  // expected-error @below {{expected an offset that is a multiple of 4, the elements of one access, but got 6}}
  %0 = tile.iterator_add_pointer_offset %it, %c6 : !iter
  return
}

// -----

!iter = !tile.iterator<!tile.view<f32, global, (64, 8) : (1, 64)>, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 8, elements = 4>, predicated>
func.func @mask_type(%it: !iter) {
  // expected-error @below {{expected a mask of type 'vector<2xi32>' for 64 predicates, but got 'vector<1xi32>'}}
  %0 = tile.iterator_get_mask %it : !iter -> vector<1xi32>
  return
}

// -----

!iter = !tile.iterator<!tile.view<f32, global, (64, 8) : (1, 64)>, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 8, elements = 4>, predicated>
func.func @mask_of_another_type(%it: !iter, %m: vector<2xi64>) {
  // expected-error @below {{expected a mask of type 'vector<2xi32>' for 64 predicates, but got 'vector<2xi64>'}}
  %0 = tile.iterator_set_mask %it, %m : !iter, vector<2xi64>
  return
}

// -----

// expected-error @below {{expected a predicated iterator with random, but got one without predicates, which moves at random anyway}}
func.func private @random_without_predicates(!tile.iterator<!tile.view<f32, global, (?, ?) : (1, ?)>, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>, advance = 1, random>)

// -----

!iter = !tile.iterator<!tile.view<f32, global, (?, ?) : (1, ?)>, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>, advance = 1, predicated, residue>
func.func @retreat_from_the_residue(%it: !iter) {
  // expected-error @below {{expected a bidirectional tile iterator, but this one is in the residue phase, before whose tile there is none}}
  // expected-note @below {{the same in the steady phase would do}}
  %0 = tile.iterator_retreat %it : !iter
  return
}

// -----

!iter = !tile.iterator<!tile.view<f32, global, (?, ?) : (1, ?)>, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>>
func.func @retreat_without_direction(%it: !iter) {
  // expected-error @below {{expected a bidirectional tile iterator, but this one has no advance dimension}}
  // expected-note @below {{the same with advance = 0 or advance = 1 would do}}
  %0 = tile.iterator_retreat %it : !iter
  return
}

// -----

!iter = !tile.iterator<!tile.view<f32, global, (?, ?) : (1, ?)>, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>, advance = 1, predicated>
func.func @jump_without_coordinates(%it: !iter) {
  // expected-error @below {{expected a random-access tile iterator, but this one keeps no coordinates from which the predicates of another tile follow}}
  // expected-note @below {{the same with random would do}}
  %0 = tile.iterator_add_tile_offset %it(1, 1) : !iter
  return
}

// -----

!iter = !tile.iterator<!tile.view<f32, global, (?, ?) : (1, ?)>, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>, advance = 1, predicated>
func.func @load_elsewhere_without_coordinates(%it: !iter) {
  // expected-error @below {{expected a readable random-access tile iterator, but this one keeps no coordinates from which the predicates of another tile follow}}
  // expected-note @below {{the same with random would do}}
  %0 = tile.iterator_load_with_tile_offset %it(1, 1) : !iter -> vector<16xf32>
  return
}

// -----

!iter = !tile.iterator<!tile.view<f32, global, (?, ?) : (1, ?)>, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>, advance = 1, predicated>
func.func @store_elsewhere_without_coordinates(%it: !iter, %o: index, %f: vector<16xf32>) {
  // expected-error @below {{expected a writeable random-access contiguous tile iterator, but this one keeps no coordinates from which the predicates of another tile follow}}
  // expected-note @below {{the same with random would do}}
  tile.iterator_store_with_tile_offset %f, %it(1, 1), %o : vector<16xf32>, !iter
  return
}

// -----

!iter = !tile.iterator<!tile.view<f32, shared, (4, 1) : (1, 4)>, #tile.tv_map<tile = [4, 1], layout = ((2, 4), 1) : ((0, 1@e0), 0)>>
func.func @store_at_an_offset_through_a_shared_map(%it: !iter, %f: vector<1xf32>, %o: index) {
  // expected-error @below {{expected a writeable contiguous tile iterator, but this one has elements that no thread or more than one thread owns}}
  // expected-note @below {{one whose thread map gives every element exactly one thread would do, such as #tile.strip_mined<…>}}
  tile.iterator_store_with_pointer_offset %f, %it, %o : vector<1xf32>, !iter
  return
}

// -----

!iter = !tile.iterator<!tile.view<bf16, global, (8, 1024) : (1024, 1)>, #tile.warp_striped<tile = [8, 1024], contiguous = 1, threads = 512, warp = [32, 1], elements = 8, coverage = any>, predicated>
func.func @store_through_a_map_that_covers_wrongly(%it: !iter, %f: vector<64xbf16>) {
  // expected-error @below {{expected a writeable tile iterator, but this one has elements that no thread or more than one thread owns}}
  // expected-note @below {{one whose thread map gives every element exactly one thread would do, such as #tile.strip_mined<…>}}
  tile.iterator_store %f, %it : vector<64xbf16>, !iter
  return
}

// -----

!iter = !tile.iterator<!tile.view<f32, global, (?, ?) : (1, ?)>, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>>
func.func @enable_without_mask(%it: !iter) {
  // expected-error @below {{expected a masked tile iterator, but this one has no predicates}}
  // expected-note @below {{the same with predicated would do}}
  %0 = tile.iterator_enable_mask %it : !iter
  return
}

// -----

!iter = !tile.iterator<!tile.view<f32, global, (?, ?) : (1, ?)>, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>>
func.func @get_without_mask(%it: !iter) {
  // expected-error @below {{expected a masked tile iterator, but this one has no predicates}}
  // expected-note @below {{the same with predicated would do}}
  %0 = tile.iterator_get_mask %it : !iter -> vector<1xi32>
  return
}

// -----

!iter = !tile.iterator<!tile.view<f32, global, (?, ?) : (1, ?)>, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>>
func.func @compare_without_direction(%it: !iter) {
  // expected-error @below {{expected a forward tile iterator, but this one has no advance dimension}}
  // expected-note @below {{the same with advance = 0 or advance = 1 would do}}
  %0 = tile.iterator_equal %it, %it : !iter
  return
}

// -----

!iter = !tile.iterator<!tile.view<f32, global, (?, ?) : (1, ?)>, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>, advance = 1, predicated, residue, random>
func.func @jump_by_a_run_time_number(%it: !iter, %n: index) {
  // expected-error @below {{expected a constant of 0 or more tiles along the columns, the advance dimension, in the residue phase, but got ?}}
  %0 = tile.iterator_add_tile_offset %it(0, %n) : !iter
  return
}

// -----

!iter = !tile.iterator<!tile.view<f32, global, (?, ?) : (1, ?)>, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>, advance = 1, predicated, residue, random>
func.func @jump_back_from_the_residue(%it: !iter) {
  // expected-error @below {{expected a constant of 0 or more tiles along the columns, the advance dimension, in the residue phase, but got -1}}
  %0 = tile.iterator_add_tile_offset %it(0, -1) : !iter
  return
}

// -----

!iter = !tile.iterator<!tile.view<f32, global, (?, ?) : (1, ?)>, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>>
func.func @offset_of_one_dimension(%it: !iter) {
  // expected-error @below {{expected an offset (tiles down, tiles to the right), but got #tile.int_tuple<(1)>}}
  %0 = tile.iterator_add_tile_offset %it(1) : !iter
  return
}

// -----

!iter = !tile.iterator<!tile.view<f32, global, (?, ?) : (1, ?)>, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>>
func.func @fragment_of_another_size(%it: !iter, %o: index) {
  // expected-error @below {{expected a fragment of type 'vector<16xf32>' (4 accesses of 4 elements), but got 'vector<8xf32>'}}
  %0 = tile.iterator_load_with_pointer_offset %it, %o : !iter -> vector<8xf32>
  return
}

// -----

!iter = !tile.iterator<!tile.view<f32, shared, (64, 8) : (1, 64), align = 16>, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>>
func.func @pointer_offset_between_accesses(%it: !iter) {
  %c6 = arith.constant 6 : index
  // expected-error @below {{expected an offset that is a multiple of 4, the elements of one access, but got 6}}
  %0 = tile.iterator_load_with_pointer_offset %it, %c6 : !iter -> vector<16xf32>
  return
}

// -----

!view = !tile.view<f16, global, (64, 32) : (33, 1), align = 16>
func.func @pitch_does_not_prove_vectors(%v: !view, %t: index) {
  // expected-error @below {{expected a view that proves accesses of 8 elements, 16 bytes, but operand #0 proves 1, 2 bytes: its pitch is 33 elements, 66 bytes}}
  %0 = tile.make_iterator %v(0, 0), %t vectors : !tile.iterator<!view, #tile.strip_mined<tile = [64, 32], contiguous = 1, threads = 128, elements = 8>, advance = 0, predicated>
  return
}

// -----

!view = !tile.view<f16, global, (64, 32) : (?{div = 4}, 1), align = 16>
func.func @pitch_of_run_time_does_not_prove_vectors(%v: !view, %t: index) {
  // expected-error @below {{expected a view that proves accesses of 8 elements, 16 bytes, but operand #0 proves 4, 8 bytes: its pitch is known to be a multiple of 4 elements, 8 bytes}}
  %0 = tile.make_iterator %v(0, 0), %t vectors : !tile.iterator<!view, #tile.strip_mined<tile = [64, 32], contiguous = 1, threads = 128, elements = 8>, advance = 0>
  return
}

// -----

!view = !tile.view<f16, global, (64, 32) : (32, 1), align = 8>
func.func @base_does_not_prove_vectors(%v: !view, %t: index) {
  // expected-error @below {{expected a view that proves accesses of 8 elements, 16 bytes, but operand #0 proves 4, 8 bytes: its base address is known to be a multiple of 8 bytes}}
  %0 = tile.make_iterator %v(0, 0), %t vectors : !tile.iterator<!view, #tile.strip_mined<tile = [64, 32], contiguous = 1, threads = 128, elements = 8>, advance = 0>
  return
}

// -----

!view = !tile.view<f16, global, (64, 33) : (40, 1), align = 16>
func.func @extent_does_not_prove_vectors(%v: !view, %t: index) {
  // expected-error @below {{expected a view that proves accesses of 8 elements, 16 bytes, but operand #0 proves 1, 2 bytes: its extent along the columns is 33 elements, 66 bytes}}
  %0 = tile.make_iterator %v(0, 0), %t vectors : !tile.iterator<!view, #tile.strip_mined<tile = [64, 32], contiguous = 1, threads = 128, elements = 8>, advance = 0, predicated>
  return
}

// -----

!view = !tile.view<f16, global, (64, 32) : (1, 64), align = 16>
func.func @stride_does_not_prove_vectors(%v: !view, %t: index) {
  // expected-error @below {{expected a view that proves accesses of 8 elements, 16 bytes, but operand #0 proves 1, 2 bytes: its stride along the columns is 64, not 1}}
  %0 = tile.make_iterator %v(0, 0), %t vectors : !tile.iterator<!view, #tile.strip_mined<tile = [64, 32], contiguous = 1, threads = 128, elements = 8>, advance = 0>
  return
}
