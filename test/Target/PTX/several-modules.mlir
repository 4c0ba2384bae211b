// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several gpu.modules make one PTX module; private symbols do not clash.
// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s

// CHECK: .entry first(
// CHECK: .shared .align 16 .b8 buffer[64];
// CHECK: .entry second(
// CHECK: .shared .align 16 .b8 buffer_0[128];
module attributes {gpu.container_module} {
  gpu.module @a {
    llvm.mlir.global internal @buffer() {addr_space = 3 : i32, alignment = 16} : !llvm.array<64 x i8>
    gpu.func @first(%v: f32) kernel {
      %s = llvm.mlir.addressof @buffer : !llvm.ptr<3>
      llvm.store volatile %v, %s : f32, !llvm.ptr<3>
      gpu.return
    }
  }
  gpu.module @b {
    llvm.mlir.global internal @buffer() {addr_space = 3 : i32, alignment = 16} : !llvm.array<128 x i8>
    gpu.func @second(%v: f32) kernel {
      %s = llvm.mlir.addressof @buffer : !llvm.ptr<3>
      llvm.store volatile %v, %s : f32, !llvm.ptr<3>
      gpu.return
    }
  }
}
