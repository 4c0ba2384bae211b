// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer divisions that the host's processor would answer with a signal are
// reported where they would happen; constant divisors need nothing.
// RUN: tile-opt %s --pass-pipeline="builtin.module(gpu.module(tile-instrument-accesses))" | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @unsigned
  // CHECK-SAME: (%[[CTX:.*]]: !llvm.ptr, %{{.*}}: index, %[[Y:.*]]: index)
  // CHECK: %[[ZERO:.*]] = arith.constant 0 : index
  // CHECK: %[[BAD:.*]] = arith.cmpi eq, %[[Y]], %[[ZERO]] : index
  // CHECK: scf.if %[[BAD]] {
  // CHECK:   llvm.call @tile_sim_division(%[[CTX]], %{{.*}})
  // CHECK: }
  // CHECK: arith.divui
  gpu.func @unsigned(%x: index, %y: index) kernel {
    %0 = arith.divui %x, %y : index
    gpu.return
  }

  // The smallest number over -1 overflows.
  // CHECK-LABEL: gpu.func @signed
  // CHECK: arith.constant 0 : i32
  // CHECK: arith.constant -1 : i32
  // CHECK: arith.constant -2147483648 : i32
  // CHECK: llvm.call @tile_sim_division
  // CHECK: arith.remsi
  gpu.func @signed(%x: i32, %y: i32) kernel {
    %0 = arith.remsi %x, %y : i32
    gpu.return
  }

  // CHECK-LABEL: gpu.func @constant
  // CHECK-NOT: tile_sim_division
  // CHECK: arith.divui
  gpu.func @constant(%x: index) kernel {
    %c8 = arith.constant 8 : index
    %0 = arith.divui %x, %c8 : index
    gpu.return
  }
}
