// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Math functions come from libdevice, where a CUDA toolkit is installed.
// REQUIRES: libdevice
// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s

// CHECK-NOT: .extern
// CHECK: .entry kernel(
// CHECK: ex2.approx
// CHECK-NOT: __nv_
module {
  gpu.module @kernels {
    gpu.func @kernel(%p: !llvm.ptr<1>) kernel {
      %x = llvm.load %p : !llvm.ptr<1> -> f32
      %y = math.exp %x : f32
      llvm.store %y, %p : f32, !llvm.ptr<1>
      gpu.return
    }
  }
}
