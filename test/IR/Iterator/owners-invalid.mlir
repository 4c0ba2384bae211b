// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An element that two threads have may be loaded, not stored: both would write it.
// RUN: tile-opt %s -verify-diagnostics -split-input-file -o /dev/null

#twice = #tile.tv_map<tile = [8, 8], layout = (2, (8, 8)) : (0, (1@e1, 1@e0))>
!iter = !tile.iterator<!tile.view<f32, global, (8, 8) : (8, 1)>, #twice, steady>

func.func @load(%it: !iter) -> vector<64xf32> {
  %f = tile.iterator_load %it : !iter -> vector<64xf32>
  return %f : vector<64xf32>
}

func.func @store(%it: !iter, %f: vector<64xf32>) {
  // expected-error @below {{expected a writeable tile iterator}}
  // expected-note @below {{exactly one thread}}
  tile.iterator_store %f, %it : vector<64xf32>, !iter
  return
}

// -----

// Evenly twice is not once where the coverage is the user's business, either.
#twice = #tile.tv_map<tile = [8, 8], layout = (2, (8, 8)) : (0, (1@e1, 1@e0)), coverage = any>
!iter = !tile.iterator<!tile.view<f32, global, (8, 8) : (8, 1)>, #twice, steady>

func.func @store_any(%it: !iter, %f: vector<64xf32>) {
  // expected-error @below {{expected a writeable tile iterator}}
  // expected-note @below {{exactly one thread}}
  tile.iterator_store %f, %it : vector<64xf32>, !iter
  return
}

// -----

// Once is enough.
#once = #tile.tv_map<tile = [8, 8], layout = (1, (8, 8)) : (0, (1@e1, 1@e0)), coverage = any>
!iter = !tile.iterator<!tile.view<f32, global, (8, 8) : (8, 1)>, #once, steady>

func.func @store_once(%it: !iter, %f: vector<64xf32>) {
  tile.iterator_store %f, %it : vector<64xf32>, !iter
  return
}
