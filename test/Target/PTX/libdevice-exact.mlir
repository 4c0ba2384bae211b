// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Square roots inside of libdevice's functions round to nearest, too.
// REQUIRES: libdevice
// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s --implicit-check-not=sqrt.approx

// CHECK: .entry kernel(
// CHECK: sqrt.rn.f32
gpu.module @kernels {
  llvm.func @__nv_sqrtf(f32) -> f32
  gpu.func @kernel(%p: !llvm.ptr<1>) kernel {
    %x = llvm.load %p : !llvm.ptr<1> -> f32
    %y = llvm.call @__nv_sqrtf(%x) : (f32) -> f32
    llvm.store %y, %p : f32, !llvm.ptr<1>
    gpu.return
  }
}
