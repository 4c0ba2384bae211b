// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mistakes in the options and in the file: one located sentence each.
// RUN: not tile-opt %s --tile-to-ptx="chip=sm_1" 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not tile-opt %s --tile-to-ptx="chip=" 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not tile-opt %s --tile-to-ptx="stop-after=never" 2>&1 | FileCheck %s --check-prefix=STAGE
// RUN: not tile-translate %s --mlir-to-ptx --chip=gfx90a 2>&1 | FileCheck %s --check-prefix=OTHER

// CHIP: stages-invalid.mlir:{{[0-9]+:[0-9]+}}: error: expected a chip that LLVM 22 knows, such as sm_80 or sm_90a, but got 'sm_1'
// EMPTY: stages-invalid.mlir:{{[0-9]+:[0-9]+}}: error: expected a chip that LLVM 22 knows, such as sm_80 or sm_90a, but got ''
// STAGE: expected one of the stages schedule, kernels, pipelines, iterators, unroll, atoms, layouts, ptx, but got 'never'
// OTHER: error: expected a chip that LLVM 22 knows, such as sm_80 or sm_90a, but got 'gfx90a'

func.func @gemm(%a: memref<?x?xf32>, %d: memref<?x?xf32>) {
  tile.gemm ins(%a, %a : memref<?x?xf32>, memref<?x?xf32>) outs(%d : memref<?x?xf32>)
  return
}
