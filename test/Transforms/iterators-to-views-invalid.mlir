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
!list = !tile.view<i32, global, (?) : (1)>
!iter = !tile.iterator<!view, #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 128, elements = 4>, advance = 1, predicated, steady,
  gather = #tile.gather<dim = 0, indices = !list>>
func.func @indices_from_elsewhere(%v: !view, %l: !list, %t: index) {
  // expected-error @below {{expected indices whose run-time extent and stride are known here, but they are not made here}}
  // expected-note @below {{tile.make_view, and slices, tiles and transposes of its result, would do}}
  %0 = tile.make_iterator %v(0, 0), %t indices %l : !iter
  return
}

// -----

#map = #tile.strip_mined<tile = [8, 128], contiguous = 1, threads = 256, elements = 4>
!from = !tile.iterator<!tile.view<f32, global, (8, 128) : (128, 1), align = 16>, #map, steady>
!to = !tile.iterator<!tile.view<f32, shared, (8, 128) : (128, 1), align = 16>, #map, steady>
func.func @asynchronous(%from: !from, %to: !to) {
  // expected-error @below {{'tile.copy_async' op expected an operation on iterators that has a form on views, but this one has none}}
  tile.copy_async %from, %to : !from, !to
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!view = !tile.view<f32, global, (?, ?) : (?, 1)>
func.func @mapped_from_elsewhere(%v: !view, %t: index) {
  // expected-error @below {{expected a view whose run-time extents and strides are known here, but operand #0 is not made here}}
  // expected-note @below {{tile.make_view, and slices, tiles and transposes of its result, would do}}
  %0 = tile.make_iterator %v(0, 0), %t : !tile.iterator<!view, #map, masked>
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
!view = !tile.view<f32, global, (64, 64) : (64, 1)>
!list = !tile.view<i32, global, (?) : (1)>
func.func @mapped_indices_from_elsewhere(%v: !view, %l: !list, %t: index) {
  // expected-error @below {{expected indices whose run-time extent and stride are known here, but they are not made here}}
  // expected-note @below {{tile.make_view, and slices, tiles and transposes of its result, would do}}
  %0 = tile.make_iterator %v(0, 0), %t indices %l : !tile.iterator<!view, #map, gather = #tile.gather<dim = 0, indices = !tile.view<i32, global, (?) : (1)>>, masked>
  return
}

// -----

!view = !tile.view<f32, global, (?, ?) : (?, 1)>
!iter = !tile.iterator<!view, #tile.strip_mined<tile = [8, 8], contiguous = 1, threads = 32, elements = 2>, masked>
func.func @mapped_mask(%p: !llvm.ptr<1>, %m: index, %n: index, %t: index) -> vector<1xi32> {
  %v = tile.make_view %p, (%m, %n) : (%n, 1) : !llvm.ptr<1> -> !view
  %0 = tile.make_iterator %v(0, 0), %t : !iter
  // expected-error @below {{'tile.iterator_get_mask' op expected an operation on iterators that has a form on views, but this one has none}}
  %1 = tile.iterator_get_mask %0 : !iter -> vector<1xi32>
  return %1 : vector<1xi32>
}
