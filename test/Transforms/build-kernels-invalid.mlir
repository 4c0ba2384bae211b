// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Problems for which no kernel can be built.
// RUN: tile-opt %s --tile-build-kernels -verify-diagnostics -split-input-file

func.func @no_schedule(%a: memref<64x64xf32>) {
  // expected-error @below {{expected a schedule; run tile-select-schedule first}}
  tile.gemm ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>) outs(%a : memref<64x64xf32>)
  return
}

// -----

func.func @illegal_schedule(%a: memref<64x64xf32>) {
  // expected-error @below {{expected a schedule such as #tile.simt<…> or #tile.warp_specialized<…>, or a list of these, but got unit}}
  tile.gemm ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>) outs(%a : memref<64x64xf32>) schedule unit
  return
}

// -----

// f32 is multiplied as tf32 only where that is asked for.
func.func @silent_tf32(%a: memref<64x64xf32>) {
  // expected-error @below {{expected operands of 16 or 8 bits, or tf32 = true and f32, but got f32}}
  tile.gemm ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>) outs(%a : memref<64x64xf32>)
    schedule #tile.warp_specialized<tile = [128, 64, 0], stages = 2>
  return
}

// -----

func.func @tf32_of_16_bits(%a: memref<64x64xf16>) {
  // expected-error @below {{expected operands of f32 for tf32 = true, but got f16}}
  tile.gemm ins(%a, %a : memref<64x64xf16>, memref<64x64xf16>) outs(%a : memref<64x64xf16>)
    schedule #tile.warp_specialized<tile = [128, 64, 0], stages = 2, tf32 = true>
  return
}

// -----

func.func @tf32_of_f64(%a: memref<64x64xf64>) {
  // expected-error @below {{expected operands of f32 for tf32 = true, but got f64}}
  tile.gemm ins(%a, %a : memref<64x64xf64>, memref<64x64xf64>) outs(%a : memref<64x64xf64>)
    schedule #tile.warp_specialized<tile = [128, 64, 0], stages = 2, tf32 = true>
  return
}

// -----

// What a stage and a chunk of D take together is too much.
func.func @staged_without_room(%a: memref<512x512xbf16>, %d: memref<512x512xf32>) {
  // expected-error @below {{expected at most 232448 bytes of shared memory, but got}}
  tile.gemm ins(%a, %a : memref<512x512xbf16>, memref<512x512xbf16>) outs(%d : memref<512x512xf32>)
    schedule #tile.warp_specialized<tile = [128, 216, 0], stages = 5, use_tma_store = true>
  return
}

// -----

#simt = #tile.simt<tile = [64, 64, 8], warps = [2, 2], thread = [8, 4]>
gpu.module @device {
  gpu.func @inside_a_kernel(%a: memref<64x64xf32>) kernel {
    // expected-error @below {{expected a problem in host code of the module, but got one inside gpu.module}}
    tile.gemm ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>) outs(%a : memref<64x64xf32>) schedule #simt
    gpu.return
  }
}

// -----

#simt = #tile.simt<tile = [64, 64, 8], warps = [2, 2], thread = [8, 4]>
module {
  module {
    func.func @in_a_nested_module(%a: memref<64x64xf32>) {
      // expected-error @below {{expected a problem in host code of the module, but got one inside builtin.module}}
      tile.gemm ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>) outs(%a : memref<64x64xf32>) schedule #simt
      return
    }
  }
}
