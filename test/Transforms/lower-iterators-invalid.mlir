// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the pass cannot lower, said once.
// RUN: tile-opt %s --tile-lower-iterators -verify-diagnostics -split-input-file

// A kernel has no views as arguments.
gpu.module @kernels {
  gpu.func @view_argument(%v: !tile.view<f32, global, (8, 8) : (8, 1)>, %t: index) kernel {
    // expected-note @below {{see existing live user here}}
    // expected-error @below {{failed to legalize unresolved materialization}}
    // expected-warning @below {{expected a thread map of whole warps of 32 threads, but got 16: 16 lanes of the last warp have nothing to do}}
    %it = tile.make_iterator %v(0, 0), %t : !tile.iterator<!tile.view<f32, global, (8, 8) : (8, 1)>, #tile.strip_mined<tile = [8, 8], contiguous = 1, threads = 16, elements = 4>>
    %f = tile.iterator_load %it : !tile.iterator<!tile.view<f32, global, (8, 8) : (8, 1)>, #tile.strip_mined<tile = [8, 8], contiguous = 1, threads = 16, elements = 4>> -> vector<4xf32>
    gpu.return
  }
}
