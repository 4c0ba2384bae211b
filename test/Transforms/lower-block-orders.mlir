// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders of thread blocks become shifts.
// RUN: tile-opt %s --tile-lower-iterators --canonicalize --cse | FileCheck %s

// Of 5 columns no group of 8 is three quarters full; groups of 4 are two.
// CHECK-LABEL: @static
func.func @static() -> (index, index, index) {
  // CHECK-DAG: %[[X:.*]] = arith.constant 12 : index
  // CHECK-DAG: %[[Y:.*]] = arith.constant 2 : index
  // CHECK-DAG: %[[Z:.*]] = arith.constant 1 : index
  %x, %y, %z = tile.block_grid #tile.block_order<kind = grouped, width = 8> (3, 5, 1)
  // CHECK: return %[[X]], %[[Y]], %[[Z]]
  return %x, %y, %z : index, index, index
}

// CHECK-LABEL: @dynamic
// CHECK-SAME: (%[[N:.*]]: index, %[[X:.*]]: index, %[[Y:.*]]: index, %[[Z:.*]]: index)
func.func @dynamic(%n: index, %x: index, %y: index, %z: index) -> (index, index, index) {
  // CHECK: arith.cmpi uge, %[[N]], %{{.*}}
  // CHECK-NOT: arith.div
  // CHECK: %[[I:.*]] = arith.andi %[[X]], %{{.*}}
  // CHECK: %[[B:.*]] = arith.shli %[[Y]], %[[BITS:.*]]
  // CHECK: %[[J:.*]] = arith.addi %[[B]], %[[I]]
  // CHECK: %[[R:.*]] = arith.shrui %[[X]], %[[BITS]]
  // CHECK: return %[[R]], %[[J]], %[[Z]]
  %i, %j, %s = tile.block_tile #tile.block_order<kind = grouped, width = 2> (4, %n, 1) at %x, %y, %z
  return %i, %j, %s : index, index, index
}

// CHECK-LABEL: @horizontal
// CHECK-SAME: (%[[X:.*]]: index, %[[Y:.*]]: index, %[[Z:.*]]: index)
func.func @horizontal(%x: index, %y: index, %z: index) -> (index, index, index) {
  // CHECK: return %[[Y]], %[[X]], %[[Z]]
  %i, %j, %s = tile.block_tile #tile.block_order<kind = horizontal> (4, 4, 1) at %x, %y, %z
  return %i, %j, %s : index, index, index
}

// Block 40 of 48, of which 32 have 35 iterations and the others 34:
// 40 * 34 + 32 = 1392.
// CHECK-LABEL: @stream_k
func.func @stream_k() -> (index, index) {
  // CHECK-DAG: %[[BEGIN:.*]] = arith.constant 1392 : index
  // CHECK-DAG: %[[END:.*]] = arith.constant 1426 : index
  %c40 = arith.constant 40 : index
  %0:2 = tile.stream_k_iterations #tile.stream_k<tiles = [10, 10], iterations = 32, stream = 52, regions = 1, blocks = 48, big = 32> of %c40
  // CHECK: return %[[BEGIN]], %[[END]]
  return %0#0, %0#1 : index, index
}
