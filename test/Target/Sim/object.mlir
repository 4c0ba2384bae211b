// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The object has only the relocations that the simulator's loader knows.
// RUN: tile-translate --mlir-to-sim-object %s -o %t.o
// RUN: llvm-readobj -h -r --symbols %t.o | FileCheck %s

// CHECK: Format: elf64-x86-64
// CHECK: Type: Relocatable
// CHECK: Relocations [
// CHECK-NOT: R_X86_64_{{[^6P]}}
// CHECK: R_X86_64_64 tile_sim_check
// CHECK-NOT: R_X86_64_{{[^6P]}}
// CHECK: ]
// CHECK: Symbols [
// CHECK: Name: tile_sim_kernel_kernel
module {
  gpu.module @kernels {
    gpu.func @kernel(%p: !llvm.ptr<1>) kernel {
      %x = llvm.load %p : !llvm.ptr<1> -> f32
      %y = math.exp %x : f32
      %c = arith.constant 3.0 : f32
      %z = arith.mulf %y, %c : f32
      llvm.store %z, %p : f32, !llvm.ptr<1>
      gpu.return
    }
  }
}
