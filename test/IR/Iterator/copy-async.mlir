// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asynchronous copies print as they are read, and say why they cannot be.
// RUN: tile-opt %s -verify-diagnostics -split-input-file | FileCheck %s

!source = !tile.iterator<!tile.view<f32, global, (?, ?) : (?, 1)>, #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 128, elements = 1>, advance = 1, predicated, residue>
!target = !tile.iterator<!tile.view<f32, shared, (64, 8) : (1, 68)>, #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 128, elements = 1>, steady>
// CHECK-LABEL: @copy
// CHECK: tile.copy_async %{{.*}}, %{{.*}} : {{.*}} residue>, {{.*}} steady>
// CHECK-NEXT: tile.copy_async %{{.*}}, %{{.*}} accesses [1, 3] : {{.*}} residue>, {{.*}} steady>
// CHECK-NEXT: tile.async_commit_group
// CHECK-NEXT: tile.async_wait_group 3
func.func @copy(%a: !source, %b: !target) {
  tile.copy_async %a, %b : !source, !target
  tile.copy_async %a, %b accesses [1, 3] : !source, !target
  tile.async_commit_group
  tile.async_wait_group 3
  return
}

// -----

!source = !tile.iterator<!tile.view<f32, global, (64, 8) : (1, 64)>, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 128, elements = 4>, steady>
!target = !tile.iterator<!tile.view<f32, shared, (64, 8) : (1, 68)>, #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 128, elements = 4>, steady>
func.func @two_maps(%a: !source, %b: !target) {
  // expected-error @below {{expected one thread map on both sides, but got #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 128, elements = 4> and #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 128, elements = 4>}}
  tile.copy_async %a, %b : !source, !target
  return
}

// -----

!source = !tile.iterator<!tile.view<f32, shared, (64, 8) : (1, 64)>, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 128, elements = 4>, steady>
func.func @from_shared(%a: !source, %b: !source) {
  // expected-error @below {{expected a source in global memory, but got one in shared memory}}
  tile.copy_async %a, %b : !source, !source
  return
}

// -----

!target = !tile.iterator<!tile.view<f32, global, (64, 8) : (1, 64)>, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 128, elements = 4>, steady>
func.func @to_global(%a: !target, %b: !target) {
  // expected-error @below {{expected a destination in shared memory, but got one in global memory}}
  tile.copy_async %a, %b : !target, !target
  return
}

// -----

!source = !tile.iterator<!tile.view<f32, global, (64, 8) : (1, 64)>, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 128, elements = 4>, steady>
!target = !tile.iterator<!tile.view<f32, shared, (64, 8) : (1, 64)>, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 128, elements = 4>, predicated, steady>
func.func @masked_destination(%a: !source, %b: !target) {
  // expected-error @below {{expected a destination without predicates, but got a predicated one, whose elements a copy cannot leave out}}
  tile.copy_async %a, %b : !source, !target
  return
}

// -----

// Halves of 4 bytes would do, but nothing is known of the pitch.
!source = !tile.iterator<!tile.view<f16, global, (?, ?) : (?, 1)>, #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 64, elements = 8>, advance = 1, predicated, residue>
!target = !tile.iterator<!tile.view<f16, shared, (64, 8) : (8, 1), align = 16>, #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 64, elements = 8>, steady>
func.func @odd_pitch(%a: !source, %b: !target) {
  // expected-error @below {{expected accesses of 4, 8 or 16 bytes on both sides, but the source proves 2: its base address is known to be a multiple of 2 bytes}}
  // expected-note @below {{tile.copy goes through registers, and takes any width}}
  tile.copy_async %a, %b : !source, !target
  return
}

// -----

// Elements of 2 bytes cannot be put across.
!source = !tile.iterator<!tile.view<f16, global, (?, ?{div = 8}) : (?{div = 8}, 1), align = 16>, #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 64, elements = 8>, advance = 1, predicated, residue>
!target = !tile.iterator<!tile.view<f16, shared, (64, 8) : (1, 64), align = 16>, #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 64, elements = 8>, steady>
func.func @transposed_halves(%a: !source, %b: !target) {
  // expected-error @below {{expected accesses of 4, 8 or 16 bytes on both sides, but the destination proves 2: its stride along the columns is 64, not 1}}
  // expected-note @below {{tile.copy goes through registers, and takes any width}}
  tile.copy_async %a, %b : !source, !target
  return
}

// -----

!source = !tile.iterator<!tile.view<f16, global, (64, 8) : (8, 1), align = 16>, #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 128, elements = 1>, steady>
!target = !tile.iterator<!tile.view<f16, shared, (64, 8) : (8, 1), align = 16>, #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 128, elements = 1>, steady>
func.func @one_half_each(%a: !source, %b: !target) {
  // expected-error @below {{expected accesses of 4, 8 or 16 bytes on both sides, but the source proves 2, as its thread map has 1 elements an access}}
  // expected-note @below {{tile.copy goes through registers, and takes any width}}
  tile.copy_async %a, %b : !source, !target
  return
}

// -----

!target = !tile.iterator<!tile.view<f32, shared, (64, 8) : (1, 64)>, #tile.tv_map<tile = [8, 1], layout = ((4, 8), (2)) : ((2@e0, 0), (1@e0))>, steady>
!source = !tile.iterator<!tile.view<f32, global, (64, 8) : (1, 64)>, #tile.tv_map<tile = [8, 1], layout = ((4, 8), (2)) : ((2@e0, 0), (1@e0))>, steady>
func.func @shared_elements(%a: !source, %b: !target) {
  // expected-error @below {{expected a writeable tile iterator, but this one has elements that no thread or more than one thread owns}}
  // expected-note @below {{one whose thread map gives every element exactly one thread would do, such as #tile.strip_mined<…>}}
  tile.copy_async %a, %b : !source, !target
  return
}

// -----

func.func @too_many_pending() {
  // expected-error @below {{expected between 0 and 63 pending groups, but got 64}}
  tile.async_wait_group 64
  return
}

// -----

func.func @negative_pending() {
  // expected-error @below {{expected between 0 and 63 pending groups, but got -1}}
  tile.async_wait_group -1
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 128, elements = 1>
!source = !tile.iterator<!tile.view<f32, global, (64, 64) : (1, 64)>, #map, advance = 1, predicated, steady, triangle = #tile.triangle<lower, diagonal = unit>>
!target = !tile.iterator<!tile.view<f32, shared, (64, 8) : (1, 68)>, #map, steady>
func.func @ones_on_the_diagonal(%a: !source, %b: !target) {
  // expected-error @below {{expected a source that is copied as it is, but got one whose diagonal loads as one}}
  tile.copy_async %a, %b : !source, !target
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 128, elements = 1>
!source = !tile.iterator<!tile.view<f32, global, (64, 8) : (8, 1)>, #map, steady>
!target = !tile.iterator<!tile.view<f32, shared, (64, 8) : (1, 68)>, #map, steady>
func.func @part_past_the_end(%a: !source, %b: !target) {
  // expected-error @below {{expected accesses within the 4 of the thread map, but got [2, 3]}}
  tile.copy_async %a, %b accesses [2, 3] : !source, !target
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 128, elements = 1>
!source = !tile.iterator<!tile.view<f32, global, (64, 8) : (8, 1)>, #map, steady>
!target = !tile.iterator<!tile.view<f32, shared, (64, 8) : (1, 68)>, #map, steady>
func.func @part_of_three_numbers(%a: !source, %b: !target) {
  // expected-error @below {{expected accesses = [first, count], but got 3 numbers}}
  tile.copy_async %a, %b accesses [0, 1, 2] : !source, !target
  return
}
