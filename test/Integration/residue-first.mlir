// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The residue tile along K is loaded first, by the iterators in their residue
// phase; the main loop loads whole tiles only.
//
// RUN: tile-opt %s --tile-to-ptx="stop-after=kernels" | FileCheck %s

!mat = memref<?x?xf32, strided<[?, 1], offset: ?>>

// CHECK-LABEL: gpu.func @simt_128x128x8_rrr_v4
// CHECK:         %[[A:.*]] = tile.make_iterator {{.*}} advance = 1, predicated, residue>
// CHECK:         %[[B:.*]] = tile.make_iterator {{.*}} advance = 0, predicated, residue>
// CHECK:         tile.copy %[[A]], {{.*}} residue>,
// CHECK:         tile.copy %[[B]], {{.*}} residue>,
// CHECK:         %[[NEXT_A:.*]] = tile.iterator_advance %[[A]] : {{.*}} residue>
// CHECK:         tile.iterator_clear_mask %[[NEXT_A]], {{.*}} steady>
// CHECK:         %[[NEXT_B:.*]] = tile.iterator_advance %[[B]] : {{.*}} residue>
// CHECK:         tile.iterator_clear_mask %[[NEXT_B]], {{.*}} steady>
// CHECK:         scf.for
// CHECK-NOT:     residue
// CHECK:         scf.yield
// CHECK-LABEL: gpu.func @simt_128x128x8_rrr_v1
func.func @gemm(%A: !mat, %B: !mat, %D: !mat) {
  tile.gemm ins(%A, %B : !mat, !mat) outs(%D : !mat)
  return
}
