// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On an old chip the shape and the type of a matrix instruction decide.
// RUN: tile-opt %s --tile-check-chip="chip=sm_75" --verify-diagnostics

gpu.module @kernels {
  llvm.func @mma(%a: vector<2xf16>, %c: vector<2xf16>) {
    // expected-error @+1 {{expected sm_80 or newer for 'nvvm.mma.sync', but got sm_75}}
    %0 = nvvm.mma.sync A[%a, %a, %a, %a] B[%a, %a] C[%c, %c]
        {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>}
        : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
    %1 = nvvm.mma.sync A[%a, %a] B[%a, %a] C[%c, %c, %c, %c]
        {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 8, n = 8, k = 4>}
        : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    llvm.return
  }
}
