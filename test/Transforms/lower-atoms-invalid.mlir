// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atoms that a chip does not have: the error names those that it has.
// RUN: tile-opt %s --split-input-file --verify-diagnostics --tile-lower-atoms=chip=a100

func.func @later_shape(%a: vector<4xf64>, %b: vector<2xf64>, %acc: vector<4xf64>) -> vector<4xf64> {
  // expected-error@+2 {{expected sm_90 or newer for #tile.mma_sync<shape = [16, 8, 8], a = f64, b = f64, acc = f64>, but got sm_80}}
  // expected-note@+1 {{sm_80 multiplies these types by m8n8k4}}
  %0 = tile.mma %a, %b, %acc atom(#tile.mma_sync<shape = [16, 8, 8], a = f64, b = f64, acc = f64>)
    : vector<4xf64>, vector<2xf64>, vector<4xf64>
  return %0 : vector<4xf64>
}

// -----

func.func @later_types(%a: vector<16xf8E4M3FN>, %b: vector<8xf8E4M3FN>, %acc: vector<4xf32>) -> vector<4xf32> {
  // expected-error@+1 {{expected sm_89 or newer for #tile.mma_sync<shape = [16, 8, 32], a = f8E4M3FN, b = f8E4M3FN, acc = f32>, but got sm_80}}
  %0 = tile.mma %a, %b, %acc atom(#tile.mma_sync<shape = [16, 8, 32], a = f8E4M3FN, b = f8E4M3FN, acc = f32>)
    : vector<16xf8E4M3FN>, vector<8xf8E4M3FN>, vector<4xf32>
  return %0 : vector<4xf32>
}
