// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marked loops are unrolled in full, from the inside; others stay.
// RUN: tile-opt %s --tile-unroll-strip-mined --canonicalize | FileCheck %s

func.func private @use(index)

// CHECK-LABEL: @marked
// CHECK-NOT: scf.for
// CHECK-COUNT-3: call @use
// CHECK-NOT: call @use
func.func @marked() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    func.call @use(%i) : (index) -> ()
  } {tile.strip_mined}
  return
}

// CHECK-LABEL: @not_marked
// CHECK: scf.for
func.func @not_marked() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    func.call @use(%i) : (index) -> ()
  }
  return
}

// CHECK-LABEL: @nested
// CHECK-NOT: scf.for
// CHECK-COUNT-6: call @use
// CHECK-NOT: call @use
func.func @nested() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    scf.for %j = %c0 to %c2 step %c1 {
      func.call @use(%j) : (index) -> ()
    } {tile.strip_mined}
  } {tile.strip_mined}
  return
}

// CHECK-LABEL: @carries_values
// CHECK-NOT: scf.for
// CHECK: return %{{.*}} : index
func.func @carries_values(%x: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %x) -> index {
    %n = arith.muli %s, %x : index
    scf.yield %n : index
  } {tile.strip_mined}
  return %r : index
}

// CHECK-LABEL: @no_iterations
// CHECK-NOT: call @use
// CHECK: return
func.func @no_iterations() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c0 step %c1 {
    func.call @use(%i) : (index) -> ()
  } {tile.strip_mined}
  return
}
