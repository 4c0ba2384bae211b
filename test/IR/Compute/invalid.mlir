// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compute operations: each rule, once.
// RUN: tile-opt %s -verify-diagnostics -split-input-file

#mma = #tile.simt_mma<warps = [2, 4], lanes = [8, 4], thread = [8, 4], vector = 4>
func.func @a_size(%a: vector<4xf32>, %b: vector<4xf32>, %acc: vector<32xf32>) {
  // expected-error @below {{expected a to hold 8 values of each thread, but got 'vector<4xf32>'}}
  %0 = tile.mma %a, %b, %acc atom(#mma) : vector<4xf32>, vector<4xf32>, vector<32xf32>
  return
}

// -----

#mma = #tile.simt_mma<warps = [2, 4], lanes = [8, 4], thread = [8, 4], vector = 4>
func.func @b_size(%a: vector<8xf32>, %b: vector<8xf32>, %acc: vector<32xf32>) {
  // expected-error @below {{expected b to hold 4 values of each thread, but got 'vector<8xf32>'}}
  %0 = tile.mma %a, %b, %acc atom(#mma) : vector<8xf32>, vector<8xf32>, vector<32xf32>
  return
}

// -----

#mma = #tile.simt_mma<warps = [2, 4], lanes = [8, 4], thread = [8, 4], vector = 4>
func.func @accumulator_rank(%a: vector<8xf32>, %b: vector<4xf32>, %acc: vector<8x4xf32>) {
  // expected-error @below {{expected acc to hold 32 values of each thread, but got 'vector<8x4xf32>'}}
  %0 = tile.mma %a, %b, %acc atom(#mma) : vector<8xf32>, vector<4xf32>, vector<8x4xf32>
  return
}

// -----

#mma = #tile.simt_mma<warps = [2, 4], lanes = [8, 4], thread = [8, 4], vector = 4>
func.func @scalable(%a: vector<[8]xf32>, %b: vector<4xf32>, %acc: vector<32xf32>) {
  // expected-error @below {{expected a to hold 8 values of each thread, but got 'vector<[8]xf32>'}}
  %0 = tile.mma %a, %b, %acc atom(#mma) : vector<[8]xf32>, vector<4xf32>, vector<32xf32>
  return
}

// -----

#mma = #tile.simt_mma<warps = [2, 4], lanes = [8, 4], thread = [8, 4], vector = 4>
func.func @mixed_elements(%a: vector<8xf16>, %b: vector<4xf32>, %acc: vector<32xf32>) {
  // expected-error @below {{expected a elements of the accumulator's type 'f32', but got 'vector<8xf16>'}}
  %0 = tile.mma %a, %b, %acc atom(#mma) : vector<8xf16>, vector<4xf32>, vector<32xf32>
  return
}

// -----

#mma = #tile.simt_mma<warps = [2, 4], lanes = [8, 4], thread = [8, 4], vector = 4>
func.func @integers(%a: vector<8xi32>, %b: vector<4xi32>, %acc: vector<32xi32>) {
  // expected-error @below {{expected fragments of f16, bf16, f32 or f64, but got 'vector<32xi32>'}}
  %0 = tile.mma %a, %b, %acc atom(#mma) : vector<8xi32>, vector<4xi32>, vector<32xi32>
  return
}

// -----

func.func @no_atom(%a: vector<8xf32>, %b: vector<4xf32>, %acc: vector<32xf32>) {
  // expected-error @below {{invalid kind of attribute specified}}
  %0 = tile.mma %a, %b, %acc atom(5) : vector<8xf32>, vector<4xf32>, vector<32xf32>
  return
}
