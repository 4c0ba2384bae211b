// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marked loops that cannot be unrolled.
// RUN: tile-opt %s --tile-unroll-strip-mined -verify-diagnostics -split-input-file

func.func private @use(index)

func.func @bound_at_run_time(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{expected a strip-mined loop with constant bounds}}
  scf.for %i = %c0 to %n step %c1 {
    func.call @use(%i) : (index) -> ()
  } {tile.strip_mined}
  return
}

// -----

func.func private @use(index)

func.func @too_many_iterations() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = arith.constant 1000000000000 : index
  // expected-error @below {{expected at most 4096 iterations of a strip-mined loop, but got 1000000000000}}
  scf.for %i = %c0 to %c step %c1 {
    func.call @use(%i) : (index) -> ()
  } {tile.strip_mined}
  return
}
