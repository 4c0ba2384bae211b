// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wgmma of integers has not every multiple of 8 columns: one that is asked for
// is an error with those nearest, and selection never takes one.
// RUN: tile-opt %s --tile-to-ptx="chip=sm_90a stop-after=kernels" --split-input-file --verify-diagnostics -o /dev/null
// RUN: tile-translate --mlir-to-ptx --chip=sm_90a %S/Inputs/integers.mlir | FileCheck %s
// CHECK-COUNT-3: wgmma.mma_async.sync.aligned.m64n{{[0-9]+}}k32.s32.s8.s8

!a = memref<?x?xi8, strided<[?, 1], offset: ?>>
!b = memref<?x?xi8, strided<[1, ?], offset: ?>>
!d = memref<?x?xi32, strided<[?, 1], offset: ?>>
func.func @columns(%A: !a, %B: !b, %D: !d) {
  // expected-error @below {{expected N of the tile to be one that wgmma of i8 has, the nearest are 32 and 48, but got 40}}
  tile.gemm ins(%A, %B : !a, !b) outs(%D : !d)
    schedule #tile.warp_specialized<tile = [64, 40, 0], stages = 4, consumers = 1>
  return
}

// -----

!a = memref<?x?xi8, strided<[?, 1], offset: ?>>
!b = memref<?x?xi8, strided<[1, ?], offset: ?>>
!d = memref<?x?xi32, strided<[?, 1], offset: ?>>
func.func @parts(%A: !a, %B: !b, %D: !d) {
  // expected-error @below {{expected N of the tile to be one that wgmma of i8 has, like each of 2 parts, the nearest are 64 and 96, but got 80}}
  tile.gemm ins(%A, %B : !a, !b) outs(%D : !d)
    schedule #tile.warp_specialized<tile = [64, 80, 0], stages = 4, consumers = 1, split_k = 2>
  return
}

// -----

!a = memref<?x?xi8, strided<[?, 1], offset: ?>>
!b = memref<?x?xi8, strided<[1, ?], offset: ?>>
!d = memref<?x?xi32, strided<[?, 1], offset: ?>>
func.func @last(%A: !a, %B: !b, %D: !d) {
  // expected-error @below {{the nearest are 240 and 256, but got 248}}
  tile.gemm ins(%A, %B : !a, !b) outs(%D : !d)
    schedule #tile.warp_specialized<tile = [128, 248, 0], stages = 2>
  return
}
