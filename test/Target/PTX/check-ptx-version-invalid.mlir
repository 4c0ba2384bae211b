// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An op may exist on the chip, but not in the PTX version.
// RUN: tile-opt %s --tile-check-chip="chip=sm_90a ptx=80" --verify-diagnostics

gpu.module @kernels {
  llvm.func @acquire(%p: !llvm.ptr, %n: i32) {
    // expected-error @+1 {{expected PTX 8.3 or newer for 'nvvm.fence.proxy.acquire', but got 8.0}}
    nvvm.fence.proxy.acquire #nvvm.mem_scope<cta> %p, %n
    llvm.return
  }
}
