// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gather, permutation and triangle: each rule, once.
// RUN: tile-opt %s -verify-diagnostics -split-input-file

// expected-error @below {{expected dim to be 0 (rows) or 1 (columns), but got 2}}
#gather = #tile.gather<dim = 2, indices = !tile.view<i32, global, (?) : (1)>>

// -----

// expected-error @below {{expected a view of indices, but got 'i32'}}
#gather = #tile.gather<dim = 0, indices = i32>

// -----

// expected-error @below {{expected indices of one dimension and one stride, but got '!tile.view<i32, global, (4, 8) : (1, 4)>'}}
#gather = #tile.gather<dim = 0, indices = !tile.view<i32, global, (4, 8) : (1, 4)>>

// -----

// expected-error @below {{expected indices of one dimension and one stride, but got '!tile.view<i32, global, ((4, 8)) : ((1, 8))>'}}
#gather = #tile.gather<dim = 0, indices = !tile.view<i32, global, ((4, 8)) : ((1, 8))>>

// -----

// expected-error @below {{expected indices in global or shared memory, but got '!tile.view<i32, register, (4) : (1)>'}}
#gather = #tile.gather<dim = 0, indices = !tile.view<i32, register, (4) : (1)>>

// -----

// expected-error @below {{expected indices of type i32 or i64, but got 'f32'}}
#gather = #tile.gather<dim = 0, indices = !tile.view<f32, global, (?) : (1)>>

// -----

// expected-error @below {{expected a block between 1 and 1073741824, but got 0}}
#gather = #tile.gather<dim = 0, indices = !tile.view<i32, global, (?) : (1)>, block = 0>

// -----

// expected-error @below {{expected a base between 0 and 1073741824, but got -1}}
#gather = #tile.gather<dim = 0, indices = !tile.view<i32, global, (?) : (1)>, base = -1>

// -----

// expected-error @below {{expected block, base or length, but got blocks}}
#gather = #tile.gather<dim = 0, indices = !tile.view<i32, global, (?) : (1)>, blocks = 4>

// -----

// expected-error @below {{expected a length of at least 1, but got 0}}
#gather = #tile.gather<dim = 0, indices = !tile.view<i32, global, (?) : (1)>, length = 0>

// -----

// expected-error @below {{expected an integer of at least 1 as length, but got (4, 8)}}
#gather = #tile.gather<dim = 0, indices = !tile.view<i32, global, (?) : (1)>, length = (4, 8)>

// -----

// expected-error @below {{expected a length of at most 32, for 8 indices of blocks of 4, but got 33}}
#gather = #tile.gather<dim = 0, indices = !tile.view<i32, global, (8) : (1)>, block = 4, length = 33>

// -----

// expected-error @below {{expected a walk within 64 bits, but got 4611686018427387904 indices of blocks of 4}}
#gather = #tile.gather<dim = 0, indices = !tile.view<i32, global, (4611686018427387904) : (1)>, block = 4>

// -----

// expected-error @below {{expected lower or upper, but got full}}
#triangle = #tile.triangle<full>

// -----

// expected-error @below {{expected a diagonal that is stored, unit or zero, but got one}}
#triangle = #tile.triangle<lower, diagonal = one>

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>
// expected-error @below {{expected at least one layout in a permutation, but got none}}
func.func private @empty(!tile.iterator<!tile.view<f32, global, (512) : (1)>, #map, permute = []>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>
// expected-error @below {{expected a static layout with integer strides and offset 0 in a permutation, but got #tile.layout<(?, 8) : (1, 64)>}}
func.func private @dynamic(!tile.iterator<!tile.view<f32, global, (512) : (1)>, #map, permute = [(?, 8) : (1, 64)]>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>
// expected-error @below {{expected a static layout with integer strides and offset 0 in a permutation, but got #tile.layout<S<1, 0, 3> o 4 o (64, 8) : (1, 64)>}}
func.func private @offset(!tile.iterator<!tile.view<f32, global, (512) : (1)>, #map, permute = [S<1, 0, 3> o 4 o (64, 8) : (1, 64)]>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>
// expected-error @below {{expected strides of 0 or more in a permutation, but got #tile.layout<(64, 8) : (-1, 64)>}}
func.func private @negative(!tile.iterator<!tile.view<f32, global, (512) : (1)>, #map, permute = [(64, 8) : (-1, 64)]>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>
// expected-error @below {{expected a permutation of two dimensions, but got 1}}
func.func private @rank(!tile.iterator<!tile.view<f32, global, (512) : (1)>, #map, permute = [(512) : (1)]>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>
// expected-error @below {{expected a permutation within 64 bits, but got #tile.layout<(64, 8) : (9223372036854775807, 1)>}}
func.func private @overflow(!tile.iterator<!tile.view<f32, global, (512) : (1)>, #map, permute = [(64, 8) : (9223372036854775807, 1)]>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>
// expected-error @below {{expected layout 1 of the permutation to take the 512 values of the one before, but it has 256 elements}}
func.func private @chain(!tile.iterator<!tile.view<f32, global, (512) : (1)>, #map, permute = [(64, 8) : (1, 64), (256) : (1)]>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>
// expected-error @below {{expected a view with the 519 elements of the permutation, but got 512}}
func.func private @view_too_small(!tile.iterator<!tile.view<f32, global, (512) : (1)>, #map, permute = [(64, 8) : (1, 65)]>)

// -----

!indices = !tile.view<i32, global, (?) : (1)>
#map = #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>
// expected-error @below {{expected a predicated iterator with gather, which reads an index where the predicate is on, but got one without predicates}}
func.func private @gather_without_predicates(!tile.iterator<!tile.view<f32, global, (64, 8) : (1, 64)>, #map, gather = #tile.gather<dim = 1, indices = !indices>>)

// -----

!indices = !tile.view<i32, global, (?) : (1)>
#map = #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>
// expected-error @below {{expected gather or triangle, but got both: a gathered element is on no side of the diagonal}}
func.func private @gather_triangle(!tile.iterator<!tile.view<f32, global, (64, 8) : (1, 64)>, #map, predicated, gather = #tile.gather<dim = 1, indices = !indices>, triangle = #tile.triangle<lower>>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>
// expected-error @below {{expected a predicated iterator with triangle, but got one without predicates}}
func.func private @triangle_without_predicates(!tile.iterator<!tile.view<f32, global, (64, 8) : (1, 64)>, #map, triangle = #tile.triangle<lower>>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>
// expected-error @below {{expected the steady phase with triangle, whose predicates are computed anew at every tile, but got residue}}
func.func private @triangle_residue(!tile.iterator<!tile.view<f32, global, (64, 8) : (1, 64)>, #map, advance = 1, predicated, residue, triangle = #tile.triangle<lower>>)

// -----

!view = !tile.view<f32, global, (64, 8) : (1, 64)>
!iter = !tile.iterator<!view, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>, predicated, gather = #tile.gather<dim = 1, indices = !tile.view<i32, global, (?) : (1)>>>
func.func @no_indices(%v: !view, %t: index) {
  // expected-error @below {{expected indices in front of an iterator that gathers, but got none}}
  %0 = tile.make_iterator %v(0, 0), %t : !iter
  return
}

// -----

!view = !tile.view<f32, global, (64, 8) : (1, 64)>
!iter = !tile.iterator<!view, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>, predicated, gather = #tile.gather<dim = 1, indices = !tile.view<i32, global, (?) : (1)>>>
func.func @no_indices_generic(%v: !view, %t: index) {
  // expected-error @below {{expected indices of type '!tile.view<i32, global, (?) : (1)>' for an iterator that gathers, but got none}}
  %0 = "tile.make_iterator"(%v, %t) <{coord = #tile.int_tuple<(0, 0)>, operandSegmentSizes = array<i32: 1, 0, 1, 0, 0, 0, 0, 0, 0>}> : (!view, index) -> !iter
  return
}

// -----

!view = !tile.view<f32, global, (64, 8) : (1, 64)>
!iter = !tile.iterator<!view, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>, predicated, gather = #tile.gather<dim = 1, indices = !tile.view<i32, global, (?) : (1)>>>
func.func @other_indices(%v: !view, %i: !tile.view<i64, global, (?) : (1)>, %t: index) {
  // expected-error @below {{expected indices of type '!tile.view<i32, global, (?) : (1)>' for an iterator that gathers, but got '!tile.view<i64, global, (?) : (1)>'}}
  %0 = "tile.make_iterator"(%v, %t, %i) <{coord = #tile.int_tuple<(0, 0)>, operandSegmentSizes = array<i32: 1, 0, 1, 0, 0, 0, 0, 1, 0>}> : (!view, index, !tile.view<i64, global, (?) : (1)>) -> !iter
  return
}

// -----

!view = !tile.view<f32, global, (64, 8) : (1, 64)>
!indices = !tile.view<i32, global, (?) : (1)>
!iter = !tile.iterator<!view, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>, predicated, gather = #tile.gather<dim = 1, indices = !indices, block = 4, length = ?{div = 2}>>
func.func @no_length(%v: !view, %i: !indices, %t: index) {
  // expected-error @below {{expected a length for an iterator that gathers `?{div = 2}` elements, but got none}}
  %0 = tile.make_iterator %v(0, 0), %t indices %i : !iter
  return
}

// -----

!view = !tile.view<f32, global, (64, 8) : (1, 64)>
!indices = !tile.view<i32, global, (?) : (1)>
!iter = !tile.iterator<!view, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>, predicated, gather = #tile.gather<dim = 1, indices = !indices, block = 4, length = 6>>
func.func @needless_length(%v: !view, %i: !indices, %t: index) {
  // expected-error @below {{expected no length for an iterator whose gather has none that is known at run time only, but got one}}
  %0 = tile.make_iterator %v(0, 0), %t indices %i length %t : !iter
  return
}

// -----

!view = !tile.view<f32, global, (64, 8) : (1, 64)>
!iter = !tile.iterator<!view, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>, predicated>
func.func @needless_indices(%v: !view, %i: !tile.view<i32, global, (?) : (1)>, %t: index) {
  // expected-error @below {{expected a tile iterator that gathers, for the indices, but got}}
  %0 = tile.make_iterator %v(0, 0), %t indices %i : !iter
  return
}

// -----

!view = !tile.view<f32, global, (64, 8) : (1, 64)>
!iter = !tile.iterator<!view, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>, predicated>
func.func @needless_indices_generic(%v: !view, %i: !tile.view<i32, global, (?) : (1)>, %t: index) {
  // expected-error @below {{expected no indices for an iterator that does not gather, but got '!tile.view<i32, global, (?) : (1)>'}}
  %0 = "tile.make_iterator"(%v, %t, %i) <{coord = #tile.int_tuple<(0, 0)>, operandSegmentSizes = array<i32: 1, 0, 1, 0, 0, 0, 0, 1, 0>}> : (!view, index, !tile.view<i32, global, (?) : (1)>) -> !iter
  return
}

// -----

!iter = !tile.iterator<!tile.view<f32, global, (64, 8) : (1, 64)>, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>, predicated, gather = #tile.gather<dim = 1, indices = !tile.view<i32, global, (?) : (1)>>>
func.func @gathered_pointer(%it: !iter, %n: index) {
  // expected-error @below {{expected a contiguous-memory tile iterator, but this one looks up its coordinates in a list of indices, so that no pointer offset leads from one element to the other}}
  // expected-note @below {{the same without gather would do}}
  %0 = tile.iterator_add_pointer_offset %it, %n : !iter
  return
}

// -----

!iter = !tile.iterator<!tile.view<f32, shared, (512) : (1)>, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>, permute = [(64, 8) : (1, 32)]>
func.func @overlapping(%it: !iter, %f: vector<16xf32>) {
  // expected-error @below {{expected a writeable tile iterator, but this one has a permutation that may take two elements to one}}
  // expected-note @below {{one whose modes step over what the smaller ones span would do}}
  tile.iterator_store %f, %it : vector<16xf32>, !iter
  return
}

// -----

// How wide accesses are: the fact that bounds them is named.

!view = !tile.view<bf16, shared, S<3, 2, 4> o 0 o (64, 64) : (1, 64), align = 1024>
func.func @swizzle_keeps_four(%v: !view, %t: index) {
  // expected-error @below {{expected a view that proves accesses of 8 elements, 16 bytes, but operand #0 proves 4, 8 bytes: its layout passes offsets through S<3, 2, 4>, which keeps together 4 elements, 8 bytes}}
  %0 = tile.make_iterator %v(0, 0), %t vectors : !tile.iterator<!view, #tile.strip_mined<tile = [64, 64], contiguous = 0, threads = 128, elements = 8>>
  return
}

// -----

!view = !tile.view<bf16, shared, ((4, 16), 64) : ((1, 256), 4), align = 16>
func.func @short_runs(%v: !view, %t: index) {
  // expected-error @below {{expected a view that proves accesses of 8 elements, 16 bytes, but operand #0 proves 4, 8 bytes: its layout keeps runs together whose length is known to be a multiple of 4 elements, 8 bytes}}
  %0 = tile.make_iterator %v(0, 0), %t vectors : !tile.iterator<!view, #tile.strip_mined<tile = [64, 64], contiguous = 0, threads = 128, elements = 8>>
  return
}

// -----

!view = !tile.view<bf16, shared, ((8, 8), 64) : ((1, 513), 8), align = 16>
func.func @odd_stride(%v: !view, %t: index) {
  // expected-error @below {{but operand #0 proves 1, 2 bytes: its layout has a stride known to be a multiple of 513 elements, 1026 bytes}}
  %0 = tile.make_iterator %v(0, 0), %t vectors : !tile.iterator<!view, #tile.strip_mined<tile = [64, 64], contiguous = 0, threads = 128, elements = 8>>
  return
}

// -----

!view = !tile.view<bf16, shared, (8192) : (1), align = 16>
func.func @permuted_stride(%v: !view, %t: index) {
  // expected-error @below {{but operand #0 proves 1, 2 bytes: layout 0 of its permutation has stride 64, not 1, from one element to the next}}
  %0 = tile.make_iterator %v(0, 0), %t vectors : !tile.iterator<!view, #tile.strip_mined<tile = [64, 64], contiguous = 0, threads = 128, elements = 8>, permute = [(64, 64) : (64, 1)]>
  return
}

// -----

!view = !tile.view<f32, global, (?, ?{div = 4}) : (?{div = 4}, 1), align = 16>
!indices = !tile.view<i32, global, (?) : (1)>
func.func @gathered_columns(%v: !view, %i: !indices, %t: index) {
  // expected-error @below {{but operand #0 proves 2, 8 bytes: its indices keep together 2 elements, 8 bytes}}
  %0 = tile.make_iterator %v(0, 0), %t indices %i vectors : !tile.iterator<!view, #tile.strip_mined<tile = [32, 32], contiguous = 1, threads = 128, elements = 4>, predicated, gather = #tile.gather<dim = 1, indices = !indices, block = 2, length = 64>>
  return
}

// -----

!view = !tile.view<f32, global, (?, ?{div = 4}) : (?{div = 4}, 1), align = 16>
!indices = !tile.view<i32, global, (?) : (1)>
func.func @odd_length(%v: !view, %i: !indices, %k: index, %t: index) {
  // expected-error @below {{but operand #0 proves 1, 4 bytes: its extent along the columns is known to be a multiple of 1 elements, 4 bytes}}
  %0 = tile.make_iterator %v(0, 0), %t indices %i length %k vectors : !tile.iterator<!view, #tile.strip_mined<tile = [32, 32], contiguous = 1, threads = 128, elements = 4>, predicated, gather = #tile.gather<dim = 1, indices = !indices, block = 4, length = ?>>
  return
}

// -----

!view = !tile.view<f32, global, (?, ?{div = 4}) : (?{div = 4}, 1), align = 16>
func.func @triangle_cuts(%v: !view, %t: index) {
  // expected-error @below {{but operand #0 proves 1, 4 bytes: its triangle ends between any two elements}}
  %0 = tile.make_iterator %v(0, 0), %t vectors : !tile.iterator<!view, #tile.strip_mined<tile = [32, 32], contiguous = 1, threads = 128, elements = 4>, predicated, triangle = #tile.triangle<lower>>
  return
}
