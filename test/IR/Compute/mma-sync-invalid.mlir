// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mma.sync atoms that no chip has; the error names the nearest ones.
// RUN: tile-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{expected m16n8k8 or m16n8k16 for bf16 x bf16 -> f32, but got m16n8k32}}
#shape = #tile.mma_sync<shape = [16, 8, 32], a = bf16, b = bf16, acc = f32>

// -----

// expected-error@+1 {{expected tf32 x tf32 -> f32 or f64 x f64 -> f64 for m16n8k4, but got tf32 x tf32 -> f64}}
#other = #tile.mma_sync<shape = [16, 8, 4], a = tf32, b = tf32, acc = f64>

// -----

// expected-error@+1 {{expected the types and the shape of an mma.sync, such as m16n8k16 of f16 x f16 -> f32, but got m7n8k9 of bf16 x f16 -> f32}}
#neither = #tile.mma_sync<shape = [7, 8, 9], a = bf16, b = f16, acc = f32>

// -----

// expected-error@+1 {{expected 3 integers for 'shape', but got 2}}
#rank = #tile.mma_sync<shape = [16, 8], a = bf16, b = bf16, acc = f32>

// -----

func.func @stored(%a: vector<4xi32>, %b: vector<2xf32>, %acc: vector<4xf32>) {
  // expected-error@+1 {{expected a elements of 'f32' for 'tf32' of the atom, but got 'vector<4xi32>'}}
  %0 = tile.mma %a, %b, %acc atom(#tile.mma_sync<shape = [16, 8, 8], a = tf32, b = tf32, acc = f32>)
    : vector<4xi32>, vector<2xf32>, vector<4xf32>
  return
}

// -----

func.func @size(%a: vector<4xf16>, %b: vector<4xf16>, %acc: vector<4xf32>) {
  // expected-error@+1 {{expected a to hold 8 values of each thread, but got 'vector<4xf16>'}}
  %0 = tile.mma %a, %b, %acc atom(#tile.mma_sync<shape = [16, 8, 16], a = f16, b = f16, acc = f32>)
    : vector<4xf16>, vector<4xf16>, vector<4xf32>
  return
}
