// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The body of a gpu.launch is no kernel of a gpu.module: nothing would lower it, and
// nothing may be left half-lowered in silence.
// RUN: tile-opt %s --tile-to-ptx="chip=sm_80" -verify-diagnostics -split-input-file -o /dev/null
// RUN: tile-opt %s --tile-to-ptx="chip=sm_80 stop-after=layouts" -verify-diagnostics -split-input-file -o /dev/null

!v = !tile.view<f32, global, (32) : (1)>

func.func @host(%v: !v) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    // expected-error @below {{'tile.view_load' op expected to be in a gpu.func of a gpu.module, which gpu.launch_func launches, but got the body of a gpu.launch}}
    %x = tile.view_load %v(%tx) : !v -> f32
    tile.view_store %x, %v(%tx) : f32, !v
    gpu.terminator
  }
  return
}

// -----

// Other bodies are none of our business.
func.func @upstream() {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    gpu.terminator
  }
  return
}
