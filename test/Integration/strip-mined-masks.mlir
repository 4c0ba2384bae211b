// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Predicates are computed once, packed into words in strip-mined loops, before
// the main loop; its loads read them bit by bit.
//
// RUN: tile-opt %s --tile-to-ptx="stop-after=iterators" | FileCheck %s

!mat = memref<?x?xf32, strided<[?, 1], offset: ?>>

// CHECK-LABEL: gpu.func @simt_128x128x8_rrr_v1
// CHECK:         scf.for
// CHECK:           arith.cmpi ult
// CHECK:           arith.shli
// CHECK:           arith.ori
// CHECK:         } {tile.strip_mined}
// CHECK:         gpu.barrier
// CHECK:         scf.for
// CHECK-NOT:       arith.cmpi ult
// CHECK:           arith.shrui
// CHECK:           arith.trunci
// CHECK:           llvm.intr.masked.load
// CHECK:           } {tile.strip_mined}
// CHECK:           gpu.barrier
func.func @gemm(%A: !mat, %B: !mat, %D: !mat) {
  tile.gemm ins(%A, %B : !mat, !mat) outs(%D : !mat)
  return
}
