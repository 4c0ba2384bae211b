// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A math function that nothing defines is an error, never an .extern in PTX.
// RUN: not tile-translate --mlir-to-ptx %s 2>&1 | FileCheck %s

// CHECK: error: expected {{a function of libdevice, but got|libdevice.10.bc of a CUDA toolkit .* for the math function}} '__nv_no_such_function'
// CHECK-NOT: .extern
module {
  gpu.module @kernels {
    llvm.func @__nv_no_such_function(f32) -> f32
    gpu.func @kernel(%p: !llvm.ptr<1>) kernel {
      %x = llvm.load %p : !llvm.ptr<1> -> f32
      %y = llvm.call @__nv_no_such_function(%x) : (f32) -> f32
      llvm.store %y, %p : f32, !llvm.ptr<1>
      gpu.return
    }
  }
}
