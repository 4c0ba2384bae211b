// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mapped iterators: each rule, once.
// RUN: tile-opt %s -verify-diagnostics -split-input-file

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected a view without a swizzle, but got S<2, 0, 3>}}
func.func private @swizzle(!tile.mapped_iterator<!tile.view<f32, shared, S<2, 0, 3> o 0 o (64, 8) : (8, 1), align = 128>, #map>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected a view of 1 to 8 modes, but got (1, 1, 1, 1, 1, 1, 1, 1, 2) : (0, 0, 0, 0, 0, 0, 0, 0, 1)}}
func.func private @modes(!tile.mapped_iterator<!tile.view<f32, global, (1, 1, 1, 1, 1, 1, 1, 1, 2) : (0, 0, 0, 0, 0, 0, 0, 0, 1)>, #map>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected a view of 1 to 8 modes, but got 64 : 1}}
func.func private @leaf(!tile.mapped_iterator<!tile.view<f32, global, 64 : 1>, #map>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected a view with one stride for each mode, but mode [1] has 2}}
func.func private @nested(!tile.mapped_iterator<!tile.view<f32, global, (64, (2, 4)) : (8, (1, 2))>, #map>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected coords for a view of other than two modes, but got none for 3}}
func.func private @no_coords(!tile.mapped_iterator<!tile.view<f32, global, (4, 4, 4) : (16, 4, 1)>, #map>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected coords with two modes, rows and columns, but got 3}}
func.func private @coords_rank(!tile.mapped_iterator<!tile.view<f32, global, (4, 4) : (4, 1)>, #map, coords (4, 4, 4) : (1@e0, 1@e1, 1@e0)>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected strides of coords such as 1@e0, which name a mode of the view, but got 4}}
func.func private @coords_stride(!tile.mapped_iterator<!tile.view<f32, global, (4, 4) : (4, 1)>, #map, coords (4, 4) : (4, 1@e1)>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected strides of coords along the 2 modes of the view, but got @e2}}
func.func private @coords_mode(!tile.mapped_iterator<!tile.view<f32, global, (4, 4) : (4, 1)>, #map, coords (4, 4) : (1@e0, 1@e2)>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected coords with divide, but got none}}
func.func private @divide_identity(!tile.mapped_iterator<!tile.view<f32, global, (4, 4) : (4, 1)>, #map, divide (1, 2)>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected one divisor for each of the 2 modes of the view, but got (1, 2, 1)}}
func.func private @divide_rank(!tile.mapped_iterator<!tile.view<f32, global, (4, 4) : (4, 1)>, #map, coords (4, 4) : (1@e0, 1@e1), divide (1, 2, 1)>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected positive divisors, but got 0}}
func.func private @divide_zero(!tile.mapped_iterator<!tile.view<f32, global, (4, 4) : (4, 1)>, #map, coords (4, 4) : (1@e0, 1@e1), divide (1, 0)>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected steps that divide the 4 accesses of the thread map, but got 3}}
func.func private @steps(!tile.mapped_iterator<!tile.view<f32, global, (4, 4) : (4, 1)>, #map, steps = 3>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected advance to be 0 (rows) or 1 (columns), but got 2}}
func.func private @advance(!tile.mapped_iterator<!tile.view<f32, global, (4, 4) : (4, 1)>, #map, advance = 2>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected full, lower or upper, but got middle}}
func.func private @fill(!tile.mapped_iterator<!tile.view<f32, global, (4, 4) : (4, 1)>, #map, fill = middle>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected coords, divide, steps, advance, fill, indexed, xor or whole, but got predicated}}
func.func private @word(!tile.mapped_iterator<!tile.view<f32, global, (4, 4) : (4, 1)>, #map, predicated>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected one advance, but got another}}
func.func private @twice(!tile.mapped_iterator<!tile.view<f32, global, (4, 4) : (4, 1)>, #map, advance = 0, advance = 0>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!view = !tile.view<f32, global, (?, ?) : (?, 1)>
func.func @coordinate(%v: !view, %t: index) {
  // expected-error @below {{expected a coordinate (row, column) of 2 integers, but got (0, 0, 0)}}
  %0 = tile.make_mapped_iterator %v(0, 0, 0), %t : !tile.mapped_iterator<!view, #map>
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!view = !tile.view<f32, global, (?, ?) : (?, 1)>
func.func @coords_missing(%v: !view, %t: index) {
  // expected-error @below {{expected coords if and only if its type has them, but got none}}
  %0 = tile.make_mapped_iterator %v(0, 0), %t : !tile.mapped_iterator<!view, #map, coords (8, 8) : (1@e0, 1@e1)>
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!view = !tile.view<f32, global, (?, ?) : (?, 1)>
func.func @coords_extra(%v: !view, %t: index) {
  // expected-error @below {{expected coords if and only if its type has them, but got some}}
  %0 = tile.make_mapped_iterator %v(0, 0), %t coords (8, 8) : (1@e0, 1@e1) : !tile.mapped_iterator<!view, #map>
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!view = !tile.view<f32, global, (?, ?) : (?, 1)>
func.func @coords_other(%v: !view, %n: index, %t: index) {
  // expected-error @below {{expected the coords of its type, (8, 8) : (1@0, 1@1), but got (?, 8) : (1@0, 1@1)}}
  %0 = tile.make_mapped_iterator %v(0, 0), %t coords (%n, 8) : (1@e0, 1@e1) : !tile.mapped_iterator<!view, #map, coords (8, 8) : (1@e0, 1@e1)>
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!view = !tile.view<f32, global, (?, ?) : (?, 1)>
func.func @origin_identity(%v: !view, %t: index) {
  // expected-error @below {{expected coords with an origin, but got none}}
  %0 = tile.make_mapped_iterator %v(0, 0), %t origin (0, 1) : !tile.mapped_iterator<!view, #map>
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!view = !tile.view<f32, global, (?, ?) : (?, 1)>
func.func @origin_rank(%v: !view, %t: index) {
  // expected-error @below {{expected an origin of 2 integers, but got (0, 1, 2)}}
  %0 = tile.make_mapped_iterator %v(0, 0), %t coords (8, 8) : (1@e0, 1@e1) origin (0, 1, 2) : !tile.mapped_iterator<!view, #map, coords (8, 8) : (1@e0, 1@e1)>
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!view = !tile.view<f32, global, (?, ?) : (?, 1)>
func.func @divisors(%v: !view, %t: index) {
  // expected-error @below {{expected the divisors of its type, (2, 1), but got (3, 1)}}
  %0 = tile.make_mapped_iterator %v(0, 0), %t coords (8, 8) : (1@e0, 1@e1) divide (3, 1) : !tile.mapped_iterator<!view, #map, coords (8, 8) : (1@e0, 1@e1), divide (2, 1)>
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!view = !tile.view<f32, global, (?, ?) : (?, 1)>
func.func @indices_missing(%v: !view, %t: index) {
  // expected-error @below {{expected indices if and only if its type is indexed, but got none}}
  %0 = tile.make_mapped_iterator %v(0, 0), %t : !tile.mapped_iterator<!view, #map, indexed>
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!view = !tile.view<f32, global, (?, ?) : (?, 1)>
func.func @indices_type(%v: !view, %i: !tile.view<i64, global, (?) : (1)>, %t: index) {
  // expected-error @below {{expected indices that are a view of i32 in global memory with one mode of stride 1, but got '!tile.view<i64, global, (?) : (1)>'}}
  %0 = tile.make_mapped_iterator %v(0, 0), %t indices %i : !tile.view<i64, global, (?) : (1)> : !tile.mapped_iterator<!view, #map, indexed>
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!view = !tile.view<f32, global, (?, ?{div = 4}) : (?{div = 4}, 1), align = 16>
func.func @column_width(%v: !view, %c: index, %t: index) {
  // expected-error @below {{expected a column that is a multiple of 4, the elements of one access, but got one known to be a multiple of 2}}
  %0 = tile.make_mapped_iterator %v(0, %c {div = 2}), %t : !tile.mapped_iterator<!view, #map>
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!view = !tile.view<f32, global, (?, ?{div = 4}) : (?{div = 4}, 1), align = 16>
func.func @origin_width(%v: !view, %t: index) {
  // expected-error @below {{expected an origin along mode [1] that is a multiple of 4, the elements of one access, but got one known to be a multiple of 3}}
  %0 = tile.make_mapped_iterator %v(0, 0), %t coords (8, 8) : (1@e0, 1@e1) origin (0, 3) : !tile.mapped_iterator<!view, #map, coords (8, 8) : (1@e0, 1@e1)>
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!view = !tile.view<f32, global, (?, ?) : (?, 1)>
func.func @whole_tiles(%v: !view, %c: index, %n: index, %t: index) {
  // expected-error @below {{expected a column that is a multiple of 8, since leaves of coords hold whole tiles, but got one known to be a multiple of 4}}
  %0 = tile.make_mapped_iterator %v(0, %c {div = 4}), %t coords (64, (8, %n)) : (1@e0, (1@e1, 16@e1)) : !tile.mapped_iterator<!view, #map, coords (64, (8, ?)) : (1@e0, (1@e1, 16@e1))>
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!iter = !tile.mapped_iterator<!tile.view<f32, global, (?, ?) : (?, 1)>, #map, steps = 2, advance = 0>
func.func @fragment(%it: !iter) {
  // expected-error @below {{expected a fragment of type 'vector<8xf32>' (2 accesses of 4 elements), but got 'vector<16xf32>'}}
  %0 = tile.mapped_load %it : !iter -> vector<16xf32>
  return
}

// -----

#shared = #tile.tv_map<tile = [4, 4], layout = ((4, 2), (4)) : ((1@e0, 0), (1@e1))>
!iter = !tile.mapped_iterator<!tile.view<f32, global, (?, ?) : (?, 1)>, #shared>
func.func @owners(%f: vector<4xf32>, %it: !iter) {
  // expected-error @below {{expected a writeable tile iterator, but this one has elements that no thread or more than one thread owns}}
  // expected-note @below {{one whose thread map gives every element exactly one thread would do, such as #tile.strip_mined<…>}}
  tile.mapped_store %f, %it : vector<4xf32>, !iter
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!iter = !tile.mapped_iterator<!tile.view<f32, global, (?, ?) : (?, 1)>, #map>
func.func @no_advance(%it: !iter) {
  // expected-error @below {{expected a forward tile iterator, but this one has no advance dimension}}
  // expected-note @below {{the same with advance = 0 or advance = 1 would do}}
  %0 = tile.mapped_advance %it : !iter
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!iter = !tile.mapped_iterator<!tile.view<f32, global, (?, ?) : (?, 1)>, #map, advance = 0>
func.func @backwards(%it: !iter) {
  %c = arith.constant -2 : index
  // expected-error @below {{expected steps that are not negative, but got -2}}
  %0 = tile.mapped_advance %it by %c : !iter
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!iter = !tile.mapped_iterator<!tile.view<f32, global, (?, ?{div = 4}) : (?{div = 4}, 1), align = 16>, #map>
func.func @pointer_offset(%it: !iter) {
  %c = arith.constant 6 : index
  // expected-error @below {{expected an offset that is a multiple of 4, the elements of one access, but got 6}}
  %0 = tile.mapped_add_pointer_offset %it, %c : !iter
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected an extent along mode [1] that is a multiple of the 64 elements that xor permutes, but got 40}}
func.func private @xor_extent(!tile.mapped_iterator<!tile.view<f32, shared, (4, 40) : (40, 1)>, #map, xor = [1, 2, 1, 5]>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected xor = [bits, into, mode, from], but got 3 numbers}}
func.func private @xor_numbers(!tile.mapped_iterator<!tile.view<f32, shared, (4, 64) : (64, 1)>, #map, xor = [1, 2, 1]>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected bits of xor between 0 and 30, and at least one, but got 0 bits of 5 into 2}}
func.func private @xor_bits(!tile.mapped_iterator<!tile.view<f32, shared, (4, 64) : (64, 1)>, #map, xor = [0, 2, 1, 5]>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected xor from one of the 2 modes, but got mode 2}}
func.func private @xor_mode(!tile.mapped_iterator<!tile.view<f32, shared, (4, 64) : (64, 1)>, #map, xor = [1, 2, 2, 5]>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected xor of bits of the last mode that it does not change, but got mode [1] into itself}}
func.func private @xor_overlap(!tile.mapped_iterator<!tile.view<f32, shared, (4, 64) : (64, 1)>, #map, xor = [2, 2, 1, 3]>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected tests of what exists for a triangle, but got whole}}
func.func private @whole_triangle(!tile.mapped_iterator<!tile.view<f32, shared, (4, 40) : (40, 1)>, #map, fill = upper, whole>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected tests of what exists for rows that are looked up, but got whole}}
func.func private @whole_indexed(!tile.mapped_iterator<!tile.view<f32, shared, (4, 40) : (40, 1)>, #map, indexed, whole>)

// -----

#map = #tile.strip_mined<tile = [10, 8], contiguous = 1, threads = 32, elements = 1, coverage = padded>
// expected-error @below {{expected tests of what exists for a thread map that reaches beyond its tile, but got whole}}
func.func private @whole_padded(!tile.mapped_iterator<!tile.view<f32, shared, (10, 8) : (8, 1)>, #map, whole>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!iter = !tile.mapped_iterator<!tile.view<f32, shared, (64, 8) : (8, 1)>, #map, whole>
func.func @clear_whole(%it: !iter, %c: i1) {
  // expected-error @below {{expected a masked tile iterator, but this one tests nothing}}
  // expected-note @below {{the same without whole would do}}
  %0 = tile.mapped_clear_mask %it, %c : !iter
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!iter = !tile.mapped_iterator<!tile.view<f32, shared, (64, 8) : (8, 1)>, #map, whole>
func.func @mask_of_whole(%it: !iter) -> vector<1xi32> {
  // expected-error @below {{expected a masked tile iterator, but this one tests nothing}}
  // expected-note @below {{the same without whole would do}}
  %0 = tile.mapped_get_mask %it : !iter -> vector<1xi32>
  return %0 : vector<1xi32>
}

// -----

// 64 * 32 elements, 32 threads: 64 single accesses, two words.
#map = #tile.strip_mined<tile = [64, 32], contiguous = 1, threads = 32, elements = 1>
!iter = !tile.mapped_iterator<!tile.view<f32, global, (?, ?) : (?, 1)>, #map>
func.func @words_of_mask(%it: !iter, %m: vector<1xi32>) -> !iter {
  // expected-error @below {{expected a mask of type 'vector<2xi32>' for 64 predicates, but got 'vector<1xi32>'}}
  %0 = tile.mapped_set_mask %it, %m : !iter, vector<1xi32>
  return %0 : !iter
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!iter = !tile.mapped_iterator<!tile.view<f32, global, (?, ?) : (?, 1)>, #map>
func.func @type_of_mask(%it: !iter) -> vector<1xi64> {
  // expected-error @below {{expected a mask of type 'vector<1xi32>' for 16 predicates, but got 'vector<1xi64>'}}
  %0 = tile.mapped_get_mask %it : !iter -> vector<1xi64>
  return %0 : vector<1xi64>
}

// -----

#copy = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
#bytes = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 1>
!source = !tile.mapped_iterator<!tile.view<f32, global, (?, ?) : (?{div = 4}, 1), align = 16>, #copy, steps = 2, advance = 1>
!destination = !tile.iterator<!tile.view<f32, shared, (64, 8) : (8, 1), align = 16>, #copy, steady>
func.func @copy_in_steps(%s: !source, %d: !destination) {
  // expected-error @below {{expected a source whose tile is one step, but got 2 steps}}
  tile.mapped_copy_async %s, %d : !source, !destination
  return
}

// -----

#copy = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
#bytes = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 1>
!source = !tile.mapped_iterator<!tile.view<f32, global, (?, ?) : (?{div = 4}, 1), align = 16>, #copy, fill = lower>
!destination = !tile.iterator<!tile.view<f32, shared, (64, 8) : (8, 1), align = 16>, #copy, steady>
func.func @copy_of_a_triangle(%s: !source, %d: !destination) {
  // expected-error @below {{expected a source that is copied as it is, but got one that fills a triangle}}
  tile.mapped_copy_async %s, %d : !source, !destination
  return
}

// -----

#copy = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
#bytes = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 1>
!source = !tile.mapped_iterator<!tile.view<f32, global, (?, ?) : (?{div = 4}, 1), align = 16>, #bytes, advance = 1>
!destination = !tile.iterator<!tile.view<f32, shared, (64, 8) : (8, 1), align = 16>, #copy, steady>
func.func @copy_with_two_maps(%s: !source, %d: !destination) {
  // expected-error @below {{expected one thread map on both sides, but got #tile.strip_mined<}}
  tile.mapped_copy_async %s, %d : !source, !destination
  return
}

// -----

#copy = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
#bytes = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 1>
!source = !tile.mapped_iterator<!tile.view<f64, global, (?, ?) : (?{div = 4}, 1), align = 16>, #copy, advance = 1>
!destination = !tile.iterator<!tile.view<f32, shared, (64, 8) : (8, 1), align = 16>, #copy, steady>
func.func @copy_of_two_types(%s: !source, %d: !destination) {
  // expected-error @below {{expected one element type on both sides, but got 'f64' and 'f32'}}
  tile.mapped_copy_async %s, %d : !source, !destination
  return
}

// -----

#copy = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
#bytes = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 1>
!source = !tile.mapped_iterator<!tile.view<f32, shared, (?, ?) : (?{div = 4}, 1), align = 16>, #copy, advance = 1>
!destination = !tile.iterator<!tile.view<f32, shared, (64, 8) : (8, 1), align = 16>, #copy, steady>
func.func @copy_from_shared_memory(%s: !source, %d: !destination) {
  // expected-error @below {{expected a source in global memory, but got one in shared memory}}
  tile.mapped_copy_async %s, %d : !source, !destination
  return
}

// -----

#copy = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
#bytes = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 1>
!source = !tile.mapped_iterator<!tile.view<f32, global, (?, ?) : (?{div = 4}, 1), align = 16>, #copy, advance = 1>
!destination = !tile.iterator<!tile.view<f32, global, (64, 8) : (8, 1), align = 16>, #copy, steady>
func.func @copy_to_global_memory(%s: !source, %d: !destination) {
  // expected-error @below {{expected a destination in shared memory, but got one in global memory}}
  tile.mapped_copy_async %s, %d : !source, !destination
  return
}

// -----

#copy = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
#bytes = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 1>
!source = !tile.mapped_iterator<!tile.view<f32, global, (?, ?) : (?{div = 4}, 1), align = 16>, #copy, advance = 1>
!destination = !tile.iterator<!tile.view<f32, shared, (64, 8) : (8, 1), align = 16>, #copy, predicated, steady>
func.func @copy_to_predicates(%s: !source, %d: !destination) {
  // expected-error @below {{expected a destination without predicates, but got a predicated one, whose elements a copy cannot leave out}}
  tile.mapped_copy_async %s, %d : !source, !destination
  return
}

// -----

#copy = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
#bytes = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 1>
!source = !tile.mapped_iterator<!tile.view<i8, global, (?, ?) : (?{div = 4}, 1), align = 16>, #bytes, advance = 1>
!destination = !tile.iterator<!tile.view<i8, shared, (64, 8) : (8, 1), align = 16>, #bytes, steady>
func.func @copy_of_bytes(%s: !source, %d: !destination) {
  // expected-error @below {{expected accesses of 4, 8 or 16 bytes on both sides, but the source proves 1}}
  // expected-note @below {{a load and a store go through registers, and take any width}}
  tile.mapped_copy_async %s, %d : !source, !destination
  return
}

// -----

#copy = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
#bytes = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 1>
!source = !tile.mapped_iterator<!tile.view<i8, global, (?, ?{div = 4}) : (?{div = 4}, 1), align = 16>, #copy, advance = 1>
!destination = !tile.iterator<!tile.view<i8, shared, (64, 8) : (1, 64), align = 16>, #copy, steady>
func.func @copy_to_columns(%s: !source, %d: !destination) {
  // expected-error @below {{expected accesses of 4, 8 or 16 bytes on both sides, but the destination proves 1}}
  // expected-note @below {{a load and a store go through registers, and take any width}}
  tile.mapped_copy_async %s, %d : !source, !destination
  return
}

// -----

#copy = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
#bytes = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 1>
!source = !tile.mapped_iterator<!tile.view<f32, global, (?, ?) : (?{div = 4}, 1), align = 16>, #tile.tv_map<tile = [64, 8], layout = ((32), (4, 4)) : ((0), (1@e1, 1@e0)), coverage = any>, advance = 1>
!destination = !tile.iterator<!tile.view<f32, shared, (64, 8) : (8, 1), align = 16>, #tile.tv_map<tile = [64, 8], layout = ((32), (4, 4)) : ((0), (1@e1, 1@e0)), coverage = any>, steady>
func.func @copy_to_all_threads(%s: !source, %d: !destination) {
  // expected-error @below {{expected a writeable tile iterator}}
  // expected-note @below {{one whose thread map gives every element exactly one thread would do}}
  tile.mapped_copy_async %s, %d : !source, !destination
  return
}
