// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders of thread blocks: every form prints as it is read.
// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: @orders
func.func @orders(%m: index, %n: index, %x: index, %y: index, %z: index) {
  // CHECK: tile.block_grid <kind = grouped, width = 8> (%{{.*}}, %{{.*}}, 1)
  %0:3 = tile.block_grid #tile.block_order<kind = grouped, width = 8> (%m, %n, 1)
  // CHECK: tile.block_grid <kind = horizontal> (4, %{{.*}} {div = 2}, 3)
  %1:3 = tile.block_grid #tile.block_order<kind = horizontal> (4, %n {div = 2}, 3)
  // CHECK: tile.block_tile <kind = grouped_exact, width = 4> (%{{.*}}, 8, 1) at %{{.*}}, %{{.*}}, %{{.*}}
  %2:3 = tile.block_tile #tile.block_order<width = 4, kind = grouped_exact> (%m, 8, 1) at %x, %y, %z
  // CHECK: tile.block_tile <kind = plain> (1, 2, 3) at
  %3:3 = tile.block_tile #tile.block_order<kind = plain, width = 1> (1, 2, 3) at %x, %y, %z
  return
}
