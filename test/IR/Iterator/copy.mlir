// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tile.copy prints as it is read, and needs one map and one element type.
// RUN: tile-opt %s -verify-diagnostics -split-input-file | FileCheck %s

!source = !tile.iterator<!tile.view<f32, global, (?, ?) : (?, 1)>, #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 128, elements = 4>, advance = 1, predicated, residue>
!target = !tile.iterator<!tile.view<f32, shared, (64, 8) : (1, 68)>, #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 128, elements = 4>, steady>
// CHECK-LABEL: @copy
// CHECK: tile.copy %{{.*}}, %{{.*}} : {{.*}} residue>, {{.*}} steady>
func.func @copy(%a: !source, %b: !target) {
  tile.copy %a, %b : !source, !target
  return
}

// -----

!source = !tile.iterator<!tile.view<f32, shared, (64, 8) : (1, 64)>, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 128, elements = 4>, steady>
!target = !tile.iterator<!tile.view<f32, shared, (64, 8) : (1, 68)>, #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 128, elements = 4>, steady>
func.func @two_maps(%a: !source, %b: !target) {
  // expected-error @below {{expected one thread map on both sides, but got #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 128, elements = 4> and #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 128, elements = 4>}}
  tile.copy %a, %b : !source, !target
  return
}

// -----

!source = !tile.iterator<!tile.view<f64, shared, (64, 8) : (1, 64)>, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 128, elements = 4>, steady>
!target = !tile.iterator<!tile.view<f32, shared, (64, 8) : (1, 68)>, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 128, elements = 4>, steady>
func.func @two_types(%a: !source, %b: !target) {
  // expected-error @below {{expected one element type on both sides, but got 'f64' and 'f32'}}
  tile.copy %a, %b : !source, !target
  return
}

// -----

!source = !tile.iterator<!tile.view<f32, shared, (64, 8) : (1, 64)>, #tile.tv_map<tile = [8, 1], layout = ((4, 8), (2)) : ((2@e0, 0), (1@e0))>, steady>
func.func @shared_elements(%a: !source) {
  // expected-error @below {{expected a writeable tile iterator, but this one has elements that no thread or more than one thread owns}}
  // expected-note @below {{one whose thread map gives every element exactly one thread would do, such as #tile.strip_mined<…>}}
  tile.copy %a, %a : !source, !source
  return
}
