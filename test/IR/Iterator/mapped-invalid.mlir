// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mapped iterators: each rule, once.
// RUN: tile-opt %s -verify-diagnostics -split-input-file

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected a view without a swizzle, but got S<2, 0, 3>}}
func.func private @swizzle(!tile.iterator<!tile.view<f32, shared, S<2, 0, 3> o 0 o (64, 8) : (8, 1), align = 128>, #map, masked>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected a view of 1 to 8 modes, but got (1, 1, 1, 1, 1, 1, 1, 1, 2) : (0, 0, 0, 0, 0, 0, 0, 0, 1)}}
func.func private @modes(!tile.iterator<!tile.view<f32, global, (1, 1, 1, 1, 1, 1, 1, 1, 2) : (0, 0, 0, 0, 0, 0, 0, 0, 1)>, #map, masked>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected a view of 1 to 8 modes, but got 64 : 1}}
func.func private @leaf(!tile.iterator<!tile.view<f32, global, 64 : 1>, #map, masked>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected a view with one stride for each mode, but mode [1] has 2}}
func.func private @nested(!tile.iterator<!tile.view<f32, global, (64, (2, 4)) : (8, (1, 2))>, #map, masked>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected coords for a view of other than two modes, but got none for 3}}
func.func private @no_coords(!tile.iterator<!tile.view<f32, global, (4, 4, 4) : (16, 4, 1)>, #map, masked>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected coords with two modes, rows and columns, but got 3}}
func.func private @coords_rank(!tile.iterator<!tile.view<f32, global, (4, 4) : (4, 1)>, #map, coords (4, 4, 4) : (1@e0, 1@e1, 1@e0), masked>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected strides of coords such as 1@e0, which name a mode of the view, but got 4}}
func.func private @coords_stride(!tile.iterator<!tile.view<f32, global, (4, 4) : (4, 1)>, #map, coords (4, 4) : (4, 1@e1), masked>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected strides of coords along the 2 modes of the view, but got @e2}}
func.func private @coords_mode(!tile.iterator<!tile.view<f32, global, (4, 4) : (4, 1)>, #map, coords (4, 4) : (1@e0, 1@e2), masked>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected coords with divide, but got none}}
func.func private @divide_identity(!tile.iterator<!tile.view<f32, global, (4, 4) : (4, 1)>, #map, divide (1, 2), masked>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected one divisor for each of the 2 modes of the view, but got (1, 2, 1)}}
func.func private @divide_rank(!tile.iterator<!tile.view<f32, global, (4, 4) : (4, 1)>, #map, coords (4, 4) : (1@e0, 1@e1), divide (1, 2, 1), masked>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected positive divisors, but got 0}}
func.func private @divide_zero(!tile.iterator<!tile.view<f32, global, (4, 4) : (4, 1)>, #map, coords (4, 4) : (1@e0, 1@e1), divide (1, 0), masked>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected steps that divide the 4 accesses of the thread map, but got 3}}
func.func private @steps(!tile.iterator<!tile.view<f32, global, (4, 4) : (4, 1)>, #map, steps = 3, masked>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected advance to be 0 (rows) or 1 (columns), but got 2}}
func.func private @advance(!tile.iterator<!tile.view<f32, global, (4, 4) : (4, 1)>, #map, advance = 2, masked>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected lower or upper, but got middle}}
func.func private @fill(!tile.iterator<!tile.view<f32, global, (4, 4) : (4, 1)>, #map, triangle = #tile.triangle<middle>, masked>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected coords, divide, steps, advance, predicated, random, residue, steady, masked, permute, gather, triangle or xor, but got whole}}
func.func private @word(!tile.iterator<!tile.view<f32, global, (4, 4) : (4, 1)>, #map, whole>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected one advance, but got another}}
func.func private @twice(!tile.iterator<!tile.view<f32, global, (4, 4) : (4, 1)>, #map, advance = 0, advance = 0, masked>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!view = !tile.view<f32, global, (?, ?) : (?, 1)>
func.func @coordinate(%v: !view, %t: index) {
  // expected-error @below {{expected a coordinate (row, column), but got #tile.int_tuple<(0, 0, 0)>}}
  %0 = tile.make_iterator %v(0, 0, 0), %t : !tile.iterator<!view, #map, masked>
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!view = !tile.view<f32, global, (?, ?) : (?, 1)>
func.func @coords_missing(%v: !view, %t: index) {
  // expected-error @below {{expected coords if and only if its type has them, but got none}}
  %0 = tile.make_iterator %v(0, 0), %t : !tile.iterator<!view, #map, coords (8, 8) : (1@e0, 1@e1), masked>
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!view = !tile.view<f32, global, (?, ?) : (?, 1)>
func.func @coords_extra(%v: !view, %t: index) {
  // expected-error @below {{expected coords if and only if its type has them, but got some}}
  %0 = tile.make_iterator %v(0, 0), %t coords (8, 8) : (1@e0, 1@e1) : !tile.iterator<!view, #map, masked>
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!view = !tile.view<f32, global, (?, ?) : (?, 1)>
func.func @coords_other(%v: !view, %n: index, %t: index) {
  // expected-error @below {{expected the coords of its type, (8, 8) : (1@0, 1@1), but got (?, 8) : (1@0, 1@1)}}
  %0 = tile.make_iterator %v(0, 0), %t coords (%n, 8) : (1@e0, 1@e1) : !tile.iterator<!view, #map, coords (8, 8) : (1@e0, 1@e1), masked>
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!view = !tile.view<f32, global, (?, ?) : (?, 1)>
func.func @origin_identity(%v: !view, %t: index) {
  // expected-error @below {{expected coords with an origin, but got none}}
  %0 = tile.make_iterator %v(0, 0), %t origin (0, 1) : !tile.iterator<!view, #map, masked>
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!view = !tile.view<f32, global, (?, ?) : (?, 1)>
func.func @origin_rank(%v: !view, %t: index) {
  // expected-error @below {{expected an origin of 2 integers, but got (0, 1, 2)}}
  %0 = tile.make_iterator %v(0, 0), %t coords (8, 8) : (1@e0, 1@e1) origin (0, 1, 2) : !tile.iterator<!view, #map, coords (8, 8) : (1@e0, 1@e1), masked>
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!view = !tile.view<f32, global, (?, ?) : (?, 1)>
func.func @divisors(%v: !view, %t: index) {
  // expected-error @below {{expected the divisors of its type, (2, 1), but got (3, 1)}}
  %0 = tile.make_iterator %v(0, 0), %t coords (8, 8) : (1@e0, 1@e1) divide (3, 1) : !tile.iterator<!view, #map, coords (8, 8) : (1@e0, 1@e1), divide (2, 1), masked>
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!view = !tile.view<f32, global, (?, ?) : (?, 1)>
func.func @indices_missing(%v: !view, %t: index) {
  // expected-error @below {{expected indices in front of an iterator that gathers, but got none}}
  %0 = tile.make_iterator %v(0, 0), %t : !tile.iterator<!view, #map, gather = #tile.gather<dim = 0, indices = !tile.view<i32, global, (?) : (1)>>, masked>
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!view = !tile.view<f32, global, (?, ?{div = 4}) : (?{div = 4}, 1), align = 16>
func.func @column_width(%v: !view, %c: index, %t: index) {
  // expected-error @below {{expected a column that is a multiple of 4, the elements of one access, but got one known to be a multiple of 2}}
  %0 = tile.make_iterator %v(0, %c {div = 2}), %t : !tile.iterator<!view, #map, masked>
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!view = !tile.view<f32, global, (?, ?{div = 4}) : (?{div = 4}, 1), align = 16>
func.func @origin_width(%v: !view, %t: index) {
  // expected-error @below {{expected an origin along mode [1] that is a multiple of 4, the elements of one access, but got one known to be a multiple of 3}}
  %0 = tile.make_iterator %v(0, 0), %t coords (8, 8) : (1@e0, 1@e1) origin (0, 3) : !tile.iterator<!view, #map, coords (8, 8) : (1@e0, 1@e1), masked>
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!view = !tile.view<f32, global, (?, ?) : (?, 1)>
func.func @whole_tiles(%v: !view, %c: index, %n: index, %t: index) {
  // expected-error @below {{expected a column that is a multiple of 8, since leaves of coords hold whole tiles, but got one known to be a multiple of 4}}
  %0 = tile.make_iterator %v(0, %c {div = 4}), %t coords (64, (8, %n)) : (1@e0, (1@e1, 16@e1)) : !tile.iterator<!view, #map, coords (64, (8, ?)) : (1@e0, (1@e1, 16@e1)), masked>
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!iter = !tile.iterator<!tile.view<f32, global, (?, ?) : (?, 1)>, #map, steps = 2, advance = 0, masked>
func.func @fragment(%it: !iter) {
  // expected-error @below {{expected a fragment of type 'vector<8xf32>' (2 accesses of 4 elements), but got 'vector<16xf32>'}}
  %0 = tile.iterator_load %it : !iter -> vector<16xf32>
  return
}

// -----

#shared = #tile.tv_map<tile = [4, 4], layout = ((4, 2), (4)) : ((1@e0, 0), (1@e1))>
!iter = !tile.iterator<!tile.view<f32, global, (?, ?) : (?, 1)>, #shared, masked>
func.func @owners(%f: vector<4xf32>, %it: !iter) {
  // expected-error @below {{expected a writeable tile iterator, but this one has elements that no thread or more than one thread owns}}
  // expected-note @below {{one whose thread map gives every element exactly one thread would do, such as #tile.strip_mined<…>}}
  tile.iterator_store %f, %it : vector<4xf32>, !iter
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!iter = !tile.iterator<!tile.view<f32, global, (?, ?) : (?, 1)>, #map, masked>
func.func @no_advance(%it: !iter) {
  // expected-error @below {{expected a forward tile iterator, but this one has no advance dimension}}
  // expected-note @below {{the same with advance = 0 or advance = 1 would do}}
  %0 = tile.iterator_advance %it : !iter
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!iter = !tile.iterator<!tile.view<f32, global, (?, ?) : (?, 1)>, #map, advance = 0, masked>
func.func @backwards(%it: !iter) {
  %c = arith.constant -2 : index
  // expected-error @below {{expected steps that are not negative, but got -2}}
  %0 = tile.iterator_advance %it by %c : !iter
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!iter = !tile.iterator<!tile.view<f32, global, (?, ?{div = 4}) : (?{div = 4}, 1), align = 16>, #map, masked>
func.func @pointer_offset(%it: !iter) {
  %c = arith.constant 6 : index
  // expected-error @below {{expected an offset that is a multiple of 4, the elements of one access, but got 6}}
  %0 = tile.iterator_add_pointer_offset %it, %c : !iter
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected an extent along mode [1] that is a multiple of the 64 elements that xor permutes, but got 40}}
func.func private @xor_extent(!tile.iterator<!tile.view<f32, shared, (4, 40) : (40, 1)>, #map, xor = [1, 2, 1, 5], masked>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected xor = [bits, into, mode, from], but got 3 numbers}}
func.func private @xor_numbers(!tile.iterator<!tile.view<f32, shared, (4, 64) : (64, 1)>, #map, xor = [1, 2, 1], masked>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected bits of xor between 0 and 30, and at least one, but got 0 bits of 5 into 2}}
func.func private @xor_bits(!tile.iterator<!tile.view<f32, shared, (4, 64) : (64, 1)>, #map, xor = [0, 2, 1, 5], masked>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected xor from one of the 2 modes, but got mode 2}}
func.func private @xor_mode(!tile.iterator<!tile.view<f32, shared, (4, 64) : (64, 1)>, #map, xor = [1, 2, 2, 5], masked>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected xor of bits of the last mode that it does not change, but got mode [1] into itself}}
func.func private @xor_overlap(!tile.iterator<!tile.view<f32, shared, (4, 64) : (64, 1)>, #map, xor = [2, 2, 1, 3], masked>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected a predicated iterator with triangle, but got one without predicates}}
func.func private @whole_triangle(!tile.iterator<!tile.view<f32, shared, (4, 40) : (40, 1)>, #map, triangle = #tile.triangle<upper>>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected a predicated iterator with gather, which reads an index where the predicate is on, but got one without predicates}}
func.func private @whole_indexed(!tile.iterator<!tile.view<f32, shared, (4, 40) : (40, 1)>, #map, gather = #tile.gather<dim = 0, indices = !tile.view<i32, global, (?) : (1)>>>)

// -----

#map = #tile.strip_mined<tile = [10, 8], contiguous = 1, threads = 32, elements = 1, coverage = padded>
// expected-error @below {{expected a predicated iterator for a thread map that reaches beyond its tile, in}}
func.func private @whole_padded(!tile.iterator<!tile.view<f32, shared, (10, 8) : (8, 1)>, #map>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!iter = !tile.iterator<!tile.view<f32, shared, (64, 8) : (8, 1)>, #map>
func.func @clear_whole(%it: !iter, %c: i1) {
  // expected-error @below {{expected a masked tile iterator, but this one has no predicates}}
  // expected-note @below {{the same with predicated would do}}
  %0 = tile.iterator_clear_mask %it, %c : !iter
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!iter = !tile.iterator<!tile.view<f32, shared, (64, 8) : (8, 1)>, #map>
func.func @mask_of_whole(%it: !iter) -> vector<1xi32> {
  // expected-error @below {{expected a masked tile iterator, but this one has no predicates}}
  // expected-note @below {{the same with predicated would do}}
  %0 = tile.iterator_get_mask %it : !iter -> vector<1xi32>
  return %0 : vector<1xi32>
}

// -----

// 64 * 32 elements, 32 threads: 64 single accesses, two words.
#map = #tile.strip_mined<tile = [64, 32], contiguous = 1, threads = 32, elements = 1>
!iter = !tile.iterator<!tile.view<f32, global, (?, ?) : (?, 1)>, #map, masked>
func.func @words_of_mask(%it: !iter, %m: vector<1xi32>) -> !iter {
  // expected-error @below {{expected a mask of type 'vector<2xi32>' for 64 predicates, but got 'vector<1xi32>'}}
  %0 = tile.iterator_set_mask %it, %m : !iter, vector<1xi32>
  return %0 : !iter
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!iter = !tile.iterator<!tile.view<f32, global, (?, ?) : (?, 1)>, #map, masked>
func.func @type_of_mask(%it: !iter) -> vector<1xi64> {
  // expected-error @below {{expected a mask of type 'vector<1xi32>' for 16 predicates, but got 'vector<1xi64>'}}
  %0 = tile.iterator_get_mask %it : !iter -> vector<1xi64>
  return %0 : vector<1xi64>
}

// -----

#copy = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
#bytes = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 1>
!source = !tile.iterator<!tile.view<f32, global, (?, ?) : (?{div = 4}, 1), align = 16>, #copy, steps = 2, advance = 1, masked>
!destination = !tile.iterator<!tile.view<f32, shared, (64, 8) : (8, 1), align = 16>, #copy, steady>
func.func @copy_in_steps(%s: !source, %d: !destination) {
  // expected-error @below {{expected a source whose tile is one step, but got 2 steps}}
  tile.copy_async %s, %d : !source, !destination
  return
}

// -----

#copy = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
#bytes = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 1>
!source = !tile.iterator<!tile.view<f32, global, (?, ?) : (?{div = 4}, 1), align = 16>, #bytes, advance = 1, masked>
!destination = !tile.iterator<!tile.view<f32, shared, (64, 8) : (8, 1), align = 16>, #copy, steady>
func.func @copy_with_two_maps(%s: !source, %d: !destination) {
  // expected-error @below {{expected one thread map on both sides, but got #tile.strip_mined<}}
  tile.copy_async %s, %d : !source, !destination
  return
}

// -----

#copy = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
#bytes = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 1>
!source = !tile.iterator<!tile.view<f64, global, (?, ?) : (?{div = 4}, 1), align = 16>, #copy, advance = 1, masked>
!destination = !tile.iterator<!tile.view<f32, shared, (64, 8) : (8, 1), align = 16>, #copy, steady>
func.func @copy_of_two_types(%s: !source, %d: !destination) {
  // expected-error @below {{expected one element type on both sides, but got 'f64' and 'f32'}}
  tile.copy_async %s, %d : !source, !destination
  return
}

// -----

#copy = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
#bytes = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 1>
!source = !tile.iterator<!tile.view<f32, shared, (?, ?) : (?{div = 4}, 1), align = 16>, #copy, advance = 1, masked>
!destination = !tile.iterator<!tile.view<f32, shared, (64, 8) : (8, 1), align = 16>, #copy, steady>
func.func @copy_from_shared_memory(%s: !source, %d: !destination) {
  // expected-error @below {{expected a source in global memory, but got one in shared memory}}
  tile.copy_async %s, %d : !source, !destination
  return
}

// -----

#copy = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
#bytes = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 1>
!source = !tile.iterator<!tile.view<f32, global, (?, ?) : (?{div = 4}, 1), align = 16>, #copy, advance = 1, masked>
!destination = !tile.iterator<!tile.view<f32, global, (64, 8) : (8, 1), align = 16>, #copy, steady>
func.func @copy_to_global_memory(%s: !source, %d: !destination) {
  // expected-error @below {{expected a destination in shared memory, but got one in global memory}}
  tile.copy_async %s, %d : !source, !destination
  return
}

// -----

#copy = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
#bytes = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 1>
!source = !tile.iterator<!tile.view<f32, global, (?, ?) : (?{div = 4}, 1), align = 16>, #copy, advance = 1, masked>
!destination = !tile.iterator<!tile.view<f32, shared, (64, 8) : (8, 1), align = 16>, #copy, predicated, steady>
func.func @copy_to_predicates(%s: !source, %d: !destination) {
  // expected-error @below {{expected a destination without predicates, but got a predicated one, whose elements a copy cannot leave out}}
  tile.copy_async %s, %d : !source, !destination
  return
}

// -----

#copy = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
#bytes = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 1>
!source = !tile.iterator<!tile.view<i8, global, (?, ?) : (?{div = 4}, 1), align = 16>, #bytes, advance = 1, masked>
!destination = !tile.iterator<!tile.view<i8, shared, (64, 8) : (8, 1), align = 16>, #bytes, steady>
func.func @copy_of_bytes(%s: !source, %d: !destination) {
  // expected-error @below {{expected accesses of 4, 8 or 16 bytes on both sides, but the source proves 1}}
  // expected-note @below {{tile.copy goes through registers, and takes any width}}
  tile.copy_async %s, %d : !source, !destination
  return
}

// -----

#copy = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
#bytes = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 1>
!source = !tile.iterator<!tile.view<i8, global, (?, ?{div = 4}) : (?{div = 4}, 1), align = 16>, #copy, advance = 1, masked>
!destination = !tile.iterator<!tile.view<i8, shared, (64, 8) : (1, 64), align = 16>, #copy, steady>
func.func @copy_to_columns(%s: !source, %d: !destination) {
  // expected-error @below {{expected accesses of 4, 8 or 16 bytes on both sides, but the destination proves 1}}
  // expected-note @below {{tile.copy goes through registers, and takes any width}}
  tile.copy_async %s, %d : !source, !destination
  return
}

// -----

#copy = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
#bytes = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 1>
!source = !tile.iterator<!tile.view<f32, global, (?, ?) : (?{div = 4}, 1), align = 16>, #tile.tv_map<tile = [64, 8], layout = ((32), (4, 4)) : ((0), (1@e1, 1@e0)), coverage = any>, advance = 1, masked>
!destination = !tile.iterator<!tile.view<f32, shared, (64, 8) : (8, 1), align = 16>, #tile.tv_map<tile = [64, 8], layout = ((32), (4, 4)) : ((0), (1@e1, 1@e0)), coverage = any>, steady>
func.func @copy_to_all_threads(%s: !source, %d: !destination) {
  // expected-error @below {{expected a writeable tile iterator}}
  // expected-note @below {{one whose thread map gives every element exactly one thread would do}}
  tile.copy_async %s, %d : !source, !destination
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected predicated or masked, but got both}}
func.func private @predicated_and_masked(!tile.iterator<!tile.view<f32, global, (4, 4) : (4, 1)>, #map, predicated, masked>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected a masked iterator, or one that tests nothing, with coords, but got a predicated one}}
func.func private @predicated_coords(!tile.iterator<!tile.view<f32, global, (4, 4) : (4, 1)>, #map, coords (4, 4) : (1@e0, 1@e1), advance = 0, predicated, residue>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected a masked iterator, or one that tests nothing, with steps, but got a predicated one}}
func.func private @predicated_steps(!tile.iterator<!tile.view<f32, global, (4, 4) : (4, 1)>, #map, steps = 2, predicated, steady>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected coords or permute, but got a permutation in an iterator that is mapped}}
func.func private @permuted_and_masked(!tile.iterator<!tile.view<f32, global, (4, 4) : (4, 1)>, #map, permute = [(4, 4) : (1, 4)], masked>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected a predicated iterator with random, but got a masked one, which moves forward only}}
func.func private @random_and_masked(!tile.iterator<!tile.view<f32, global, (4, 4) : (4, 1)>, #map, random, masked>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected a diagonal that is stored or zero in a masked iterator, but got unit}}
func.func private @unit_and_masked(!tile.iterator<!tile.view<f32, global, (4, 4) : (4, 1)>, #map, triangle = #tile.triangle<lower, diagonal = unit>, masked>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!iter = !tile.iterator<!tile.view<f32, global, (?, ?) : (?, 1)>, #map, advance = 0, masked>
func.func @masked_back(%it: !iter) {
  // expected-error @below {{expected a bidirectional tile iterator, but this one goes forward only}}
  // expected-note @below {{another one that is made at the tile would do}}
  %0 = tile.iterator_retreat %it : !iter
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!iter = !tile.iterator<!tile.view<f32, global, (?, ?) : (?, 1)>, #map, advance = 0, masked>
func.func @masked_elsewhere(%it: !iter) {
  // expected-error @below {{expected a random-access tile iterator, but this one goes forward only}}
  // expected-note @below {{another one that is made at the tile would do}}
  %0 = tile.iterator_add_tile_offset %it(1, 0) : !iter
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!iter = !tile.iterator<!tile.view<f32, global, (?, ?) : (?, 1)>, #map, advance = 0, predicated, residue>
func.func @steps_from_the_residue(%it: !iter, %n: index) {
  // expected-error @below {{expected one step from the residue tile, whose extent is another, but got a number of them}}
  %0 = tile.iterator_advance %it by %n : !iter
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!iter = !tile.iterator<!tile.view<f32, global, (?, ?{div = 2}) : (?{div = 4}, 1), align = 16>, #map, masked>
func.func @vectors_of_a_masked_one(%v: !tile.view<f32, global, (?, ?{div = 2}) : (?{div = 4}, 1), align = 16>, %t: index) {
  // expected-error @below {{expected a view that proves accesses of 4 elements, 16 bytes, but operand #0 proves 2, 8 bytes: its extent along mode [1] is known to be a multiple of 2 elements, 8 bytes}}
  %0 = tile.make_iterator %v(0, 0), %t vectors : !iter
  return
}
