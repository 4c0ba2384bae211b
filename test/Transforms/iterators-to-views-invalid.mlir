// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What has no form on views is named.
// RUN: tile-opt %s --tile-iterators-to-views -verify-diagnostics -split-input-file

!view = !tile.view<f32, global, (?, ?) : (?, 1)>
!iter = !tile.iterator<!view, #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 128, elements = 4>, advance = 1, predicated, steady>
func.func @from_elsewhere(%v: !view, %t: index) {
  // expected-error @below {{expected a view whose run-time extents and strides are known here, but operand #0 is not made here}}
  // expected-note @below {{tile.make_view, and slices, tiles and transposes of its result, would do}}
  %0 = tile.make_iterator %v(0, 0), %t : !iter
  return
}

// -----

!view = !tile.view<f32, global, (64, 64) : (64, 1)>
!iter = !tile.iterator<!view, #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 128, elements = 4>, advance = 1, predicated, steady>
func.func @masks(%i: !iter, %m: vector<1xi32>) -> i1 {
  // expected-error @below {{'tile.iterator_get_mask' op expected an operation on iterators that has a form on views, but this one has none}}
  %0 = tile.iterator_get_mask %i : !iter -> vector<1xi32>
  // expected-error @below {{'tile.iterator_set_mask' op expected an operation on iterators that has a form on views}}
  %1 = tile.iterator_set_mask %i, %m : !iter, vector<1xi32>
  // expected-error @below {{'tile.iterator_enable_mask' op expected an operation on iterators that has a form on views}}
  %2 = tile.iterator_enable_mask %i : !iter
  // expected-error @below {{'tile.iterator_equal' op expected an operation on iterators that has a form on views}}
  %3 = tile.iterator_equal %i, %i : !iter
  return %3 : i1
}

// -----

#map = #tile.strip_mined<tile = [8, 128], contiguous = 1, threads = 256, elements = 4>
!from = !tile.iterator<!tile.view<f32, global, (8, 128) : (128, 1), align = 16>, #map, steady>
!to = !tile.iterator<!tile.view<f32, shared, (8, 128) : (128, 1), align = 16>, #map, steady>
func.func @asynchronous(%from: !from, %to: !to) {
  // expected-error @below {{'tile.copy_async' op expected an operation on iterators that has a form on views}}
  tile.copy_async %from, %to : !from, !to
  return
}

// -----

!view = !tile.view<f32, global, (64, 64) : (64, 1)>
!iter = !tile.iterator<!view, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>, predicated, triangle = #tile.triangle<lower>>
func.func @triangle(%p: !llvm.ptr<1>, %t: index) {
  %v = tile.make_view %p, (64, 64) : (64, 1) : !llvm.ptr<1> -> !view
  // expected-error @below {{expected an iterator without permute, gather or triangle, which have no form on views, but got}}
  %it = tile.make_iterator %v(0, 0), %t : !iter
  return
}
