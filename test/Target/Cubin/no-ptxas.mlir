// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Without ptxas the error is one sentence; ptxas's own errors are passed on.
// RUN: not env TILE_PTXAS=/nonexistent/ptxas tile-translate --mlir-to-cubin %s 2>&1 | FileCheck %s
// RUN: not env TILE_PTXAS=false tile-translate --mlir-to-cubin %s 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not env TILE_PTXAS=/bin/false tile-translate --mlir-to-cubin --chip=sm_80 %s 2>&1 | FileCheck %s --check-prefix=FAIL

// CHECK: error: expected TILE_PTXAS to name an executable, but got '/nonexistent/ptxas'
// NAME: error: expected TILE_PTXAS to name an executable, but got 'false'
// FAIL: error: ptxas ('/bin/false') ended with code 1 for sm_80
module {
  gpu.module @kernels {
    gpu.func @empty() kernel {
      gpu.return
    }
  }
}
