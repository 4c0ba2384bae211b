// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compute operations: every form prints as it is read.
// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: @mma
func.func @mma(%a: vector<8xf32>, %b: vector<4xf32>, %acc: vector<32xf32>) -> vector<32xf32> {
  // CHECK: tile.mma %{{.*}}, %{{.*}}, %{{.*}} atom(#tile.simt_mma<warps = [2, 4], lanes = [8, 4], thread = [8, 4], vector = 4>) : vector<8xf32>, vector<4xf32>, vector<32xf32>
  %0 = tile.mma %a, %b, %acc atom(#tile.simt_mma<warps = [2, 4], lanes = [8, 4], thread = [8, 4], vector = 4>)
    : vector<8xf32>, vector<4xf32>, vector<32xf32>
  return %0 : vector<32xf32>
}

// CHECK-LABEL: @mma_f16
func.func @mma_f16(%a: vector<1xf16>, %b: vector<3xf16>, %acc: vector<3xf16>) -> vector<3xf16> {
  // CHECK: tile.mma {{.*}} : vector<1xf16>, vector<3xf16>, vector<3xf16>
  %0 = tile.mma %a, %b, %acc atom(#tile.simt_mma<warps = [1, 1], lanes = [8, 4], thread = [1, 3], vector = 1>)
    : vector<1xf16>, vector<3xf16>, vector<3xf16>
  return %0 : vector<3xf16>
}
