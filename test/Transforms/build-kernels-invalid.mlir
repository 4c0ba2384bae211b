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
  // expected-error @below {{cannot use the schedule unit: expected a schedule such as #tile.simt<…> or #tile.warp_specialized<…>, but got unit}}
  tile.gemm ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>) outs(%a : memref<64x64xf32>) schedule unit
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
