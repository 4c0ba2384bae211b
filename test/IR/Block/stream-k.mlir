// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stream-K plans: every form prints as it is read.
// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

#plan = #tile.stream_k<tiles = [10, 10], iterations = 32, stream = 52, regions = 1, blocks = 48, big = 32>

// CHECK-LABEL: @plans
func.func @plans(%x: index) {
  // CHECK: tile.stream_k_block <tiles = [10, 10], iterations = 32, stream = 52, regions = 1, blocks = 48, big = 32> at %{{.*}}
  %0 = tile.stream_k_block #plan at %x
  // CHECK: tile.stream_k_iterations <{{.*}}> of %{{.*}}
  %1:2 = tile.stream_k_iterations #plan of %x
  // CHECK: tile.stream_k_tile <tiles = [4, 8], iterations = 3, grouped = 1, interleaved = 16> of %{{.*}}
  %2:2 = tile.stream_k_tile #tile.stream_k<iterations = 3, tiles = [4, 8], interleaved = 16, grouped = 1> of %x
  // CHECK: tile.stream_k_owner <{{.*}}> of %{{.*}}
  %3 = tile.stream_k_owner #plan of %x
  return
}
