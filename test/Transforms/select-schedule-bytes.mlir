// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of 8-bit operands are for the tensor cores alone: other chips have
// no schedule for them, and cannot have one by name.
// RUN: tile-opt %s --tile-select-schedule=chip=sm_90a -split-input-file | FileCheck %s
// RUN: tile-opt %s --tile-select-schedule=chip=sm_80 -split-input-file -verify-diagnostics

// CHECK-LABEL: @chosen
// CHECK: schedule [#tile.warp_specialized<
// CHECK-NOT: #tile.simt
func.func @chosen(%a: memref<?x?xf8E5M2>, %d: memref<?x?xf32>) {
  // expected-error @below {{op has no schedule: expected a chip whose tensor cores multiply f8E5M2 by f8E5M2, sm_89, sm_90, sm_90a, sm_100, sm_100a, sm_103a, sm_110a, sm_120, sm_120a, sm_121a, but got sm_80}}
  tile.gemm ins(%a, %a : memref<?x?xf8E5M2>, memref<?x?xf8E5M2>) outs(%d : memref<?x?xf32>)
  return
}

// -----

// CHECK-LABEL: @asked_for
func.func @asked_for(%a: memref<64x64xbf16>, %d: memref<64x64xbf16>) {
  // expected-error @below {{op cannot use the schedule #tile.warp_specialized<tile = [64, 64, 0], stages = 3, consumers = 1>: expected a chip with wgmma, sm_90a, but got sm_80}}
  tile.gemm ins(%a, %a : memref<64x64xbf16>, memref<64x64xbf16>) outs(%d : memref<64x64xbf16>)
    schedule #tile.warp_specialized<tile = [64, 64, 0], stages = 3, consumers = 1>
  return
}
