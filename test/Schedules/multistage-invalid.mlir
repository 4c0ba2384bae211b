// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What #tile.multistage refuses: fields that no problem could use, and problems
// and chips that are not for it.
// RUN: tile-opt %s --split-input-file --verify-diagnostics --tile-select-schedule=chip=sm_86

// expected-error@+1 {{expected M of the tile to be a multiple of 32, 16 for each of 2 warps, but got 48}}
#rows = #tile.multistage<tile = [48, 64, 32], warps = [2, 1], stages = 3>

// -----

// expected-error@+1 {{expected at most 192 sums of a thread, but 256 × 256 elements over 256 threads need 256}}
#sums = #tile.multistage<tile = [256, 256, 32], warps = [2, 4], stages = 3>

// -----

// expected-error@+1 {{expected between 2 and 8 stages, but got 1}}
#stages = #tile.multistage<tile = [64, 64, 32], warps = [2, 2], stages = 1>

// -----

// expected-error@+1 {{expected at most 16 warps, but got 32}}
#warps = #tile.multistage<tile = [128, 128, 32], warps = [8, 4], stages = 3>

// -----

func.func @shared(%a: memref<?x?xbf16>, %d: memref<?x?xbf16>) {
  // expected-error@+1 {{expected at most 101376 bytes of shared memory on sm_86, but 4 stages of 128 × 256 × 64 elements of 2 bytes need 196608}}
  tile.gemm ins(%a, %a : memref<?x?xbf16>, memref<?x?xbf16>) outs(%d : memref<?x?xbf16>)
    schedule #tile.multistage<tile = [128, 256, 64], warps = [2, 4], stages = 4>
  return
}

// -----

func.func @factors(%a: memref<?x?xf32>, %d: memref<?x?xf32>) {
  // expected-error@+1 {{expected operands of f64, 16 or 8 bits, or tf32 = true and f32, but got f32}}
  tile.gemm ins(%a, %a : memref<?x?xf32>, memref<?x?xf32>) outs(%d : memref<?x?xf32>)
    schedule #tile.multistage<tile = [64, 64, 32], warps = [2, 2], stages = 3>
  return
}

// -----

func.func @instruction(%a: memref<?x?xf64>, %d: memref<?x?xf64>) {
  // expected-error@+1 {{expected an instruction_k of 4 for f64 x f64 -> f64 on sm_86, or 0, but got 8}}
  tile.gemm ins(%a, %a : memref<?x?xf64>, memref<?x?xf64>) outs(%d : memref<?x?xf64>)
    schedule #tile.multistage<tile = [64, 64, 16], warps = [2, 2], stages = 3, instruction_k = 8>
  return
}

// -----

func.func @float8(%a: memref<?x?xf8E5M2>, %d: memref<?x?xbf16>) {
  // expected-error@+1 {{expected types that mma.sync multiplies on sm_86, but got f8E5M2 x f8E5M2 -> f32}}
  tile.gemm ins(%a, %a : memref<?x?xf8E5M2>, memref<?x?xf8E5M2>) outs(%d : memref<?x?xbf16>)
    schedule #tile.multistage<tile = [64, 64, 64], warps = [2, 2], stages = 3>
  return
}

// -----

func.func @depth(%a: memref<?x?xbf16>, %d: memref<?x?xbf16>) {
  // expected-error@+1 {{expected K of the tile to be a multiple of 16 for 16 elements along K of an instruction, but got 24}}
  tile.gemm ins(%a, %a : memref<?x?xbf16>, memref<?x?xbf16>) outs(%d : memref<?x?xbf16>)
    schedule #tile.multistage<tile = [64, 64, 24], warps = [2, 2], stages = 3>
  return
}
