// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared memory needs a symbol table that the pass may edit.
// RUN: tile-opt %s --pass-pipeline="builtin.module(func.func(tile-lower-iterators))" -verify-diagnostics

func.func @alone() {
  // expected-error @below {{expected tile-lower-iterators to run on the module around it, but got func.func}}
  %0 = tile.alloc_shared : !tile.view<f32, shared, 8 : 1>
  return
}
