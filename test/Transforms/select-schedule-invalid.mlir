// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Schedules that are not legal for a problem, and why.
// RUN: tile-opt %s --tile-select-schedule -verify-diagnostics -split-input-file
// RUN: not tile-opt %s --tile-select-schedule="schedule=#tile.simt<tile=[1024,1024,1],warps=[4,4],thread=[64,32]>" 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not tile-opt %s --tile-select-schedule="schedule=#tile.simt<tile=[64,64]>" 2>&1 | FileCheck %s --check-prefix=SYNTAX
// RUN: not tile-opt %s --tile-select-schedule=schedule=fast 2>&1 | FileCheck %s --check-prefix=NOATTR

// OPTION: select-schedule-invalid.mlir:[[#]]:3: error: 'tile.gemm' op cannot use the schedule #tile.simt<tile = [1024, 1024, 1], warps = [4, 4], thread = [64, 32]>: expected accumulators in at most 255 registers of a thread, but the 64 × 32 elements of 4 bytes need 2048
// SYNTAX: error: option 'schedule': {{expected ','|expected 3 integers for 'tile', but got 2}}
// NOATTR: error: option 'schedule': expected a schedule such as #tile.simt<…> or #tile.warp_specialized<…>, or a list of these, but got 'fast'

func.func @shared_memory(%a: memref<64x64xf32>) {
  // expected-error @below {{expected at most 49152 bytes of shared memory, but 2 stages of the tile 128 × 128 × 32 of 4-byte elements need 66544}}
  tile.gemm ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>) outs(%a : memref<64x64xf32>)
    schedule #tile.simt<tile = [128, 128, 32], warps = [2, 4], thread = [8, 8]>
  return
}

// -----

func.func @shared_memory_of_doubles(%a: memref<64x64xf64>) {
  // expected-error @below {{expected at most 49152 bytes of shared memory, but 2 stages of the tile 128 × 128 × 16 of 8-byte elements need}}
  tile.gemm ins(%a, %a : memref<64x64xf64>, memref<64x64xf64>) outs(%a : memref<64x64xf64>)
    schedule #tile.simt<tile = [128, 128, 16], warps = [2, 4], thread = [8, 8]>
  return
}

// -----

func.func @stages_in_shared_memory(%a: memref<64x64xf32>) {
  // expected-error @below {{expected at most 49152 bytes of shared memory, but 6 stages of the tile 128 × 128 × 8 of 4-byte elements need 49904}}
  tile.gemm ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>) outs(%a : memref<64x64xf32>)
    schedule #tile.simt<tile = [128, 128, 8], warps = [2, 4], thread = [8, 8], stages = 6>
  return
}

// -----

func.func @registers(%a: memref<64x64xf64>) {
  // expected-error @below {{expected accumulators in at most 255 registers of a thread, but the 16 × 8 elements of 8 bytes need 256}}
  tile.gemm ins(%a, %a : memref<64x64xf64>, memref<64x64xf64>) outs(%a : memref<64x64xf64>)
    schedule #tile.simt<tile = [128, 128, 8], warps = [2, 2], thread = [16, 8]>
  return
}

// -----

func.func @lanes(%a: memref<64x64xf32>) {
  // expected-error @below {{the tile of A cannot be strip-mined: expected the accesses to cover the tile exactly}}
  tile.gemm ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>) outs(%a : memref<64x64xf32>)
    schedule #tile.simt<tile = [48, 48, 9], warps = [3, 3], thread = [8, 1]>
  return
}

// -----

func.func @threads_and_k(%a: memref<64x64xf32>) {
  // expected-error @below {{the tile of A cannot be strip-mined: expected threads to divide, or be a multiple of, the 5 accesses along the contiguous dimension, but got 256}}
  tile.gemm ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>) outs(%a : memref<64x64xf32>)
    schedule #tile.simt<tile = [160, 160, 5], warps = [2, 4], thread = [10, 10]>
  return
}

// -----

func.func @tile_of_b(%a: memref<64x64xf32>) {
  // expected-error @below {{the tile of B cannot be strip-mined: expected the accesses to cover the tile exactly}}
  tile.gemm ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>) outs(%a : memref<64x64xf32>)
    schedule #tile.simt<tile = [32, 1, 1], warps = [1, 1], thread = [1, 1]>
  return
}

// -----

!strided = memref<64x64xbf16, strided<[256, 2]>>
func.func @strided_result(%a: memref<64x64xbf16>, %d: !strided) {
  // expected-error @below {{expected D with unit stride along rows or columns, but got memref<64x64xbf16, strided<[256, 2]>>}}
  tile.gemm ins(%a, %a : memref<64x64xbf16>, memref<64x64xbf16>) outs(%d : !strided)
    schedule #tile.warp_specialized<tile = [128, 128, 0], stages = 4>
  return
}

// -----

func.func @eight_bits(%a: memref<64x64xf8E4M3FN>, %b: memref<64x64xf8E5M2>, %d: memref<64x64xbf16>) {
  // expected-error @below {{expected operands of f64, f32, f16 or bf16, but got f8E4M3FN}}
  tile.gemm ins(%a, %b : memref<64x64xf8E4M3FN>, memref<64x64xf8E5M2>) outs(%d : memref<64x64xbf16>)
    schedule #tile.simt<tile = [64, 64, 8], warps = [2, 2], thread = [8, 4]>
  return
}

// -----

func.func @stages_of_16_bits(%a: memref<64x64xbf16>, %d: memref<64x64xf32>) {
  // expected-error @below {{expected operands of f64 or f32 for stages that asynchronous copies fill, but got bf16}}
  tile.gemm ins(%a, %a : memref<64x64xbf16>, memref<64x64xbf16>) outs(%d : memref<64x64xf32>)
    schedule #tile.simt<tile = [64, 64, 8], warps = [2, 2], thread = [8, 4], stages = 3>
  return
}

// -----

// Elements of 2 bytes in shared memory, sums of 4 in registers.
func.func @shared_memory_of_halves(%a: memref<64x64xf16>) {
  // expected-error @below {{expected at most 49152 bytes of shared memory, but 2 stages of the tile 128 × 128 × 64 of 2-byte elements need}}
  tile.gemm ins(%a, %a : memref<64x64xf16>, memref<64x64xf16>) outs(%a : memref<64x64xf16>)
    schedule #tile.simt<tile = [128, 128, 64], warps = [2, 4], thread = [8, 8]>
  return
}

// -----

func.func @registers_of_halves(%a: memref<64x64xf16>) {
  // expected-error @below {{expected accumulators in at most 255 registers of a thread, but the 16 × 16 elements of 4 bytes need 256}}
  tile.gemm ins(%a, %a : memref<64x64xf16>, memref<64x64xf16>) outs(%a : memref<64x64xf16>)
    schedule #tile.simt<tile = [128, 256, 8], warps = [2, 2], thread = [16, 16]>
  return
}
