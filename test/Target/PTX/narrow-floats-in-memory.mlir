// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An address counted in floats that LLVM does not have counts their bytes.
// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s
// RUN: tile-translate --mlir-to-sim-object %s -o %t.o

// CHECK-LABEL: .entry k(
// CHECK: add.s64 [[P:%.*]], [[X:%.*]], [[I:%.*]];
// CHECK-NEXT: ld.global.b8 {{.*}}, {{\[}}[[P]]];
gpu.module @kernels {
  gpu.func @k(%x: !llvm.ptr<1>, %i: i64) kernel {
    %p = llvm.getelementptr %x[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f8E5M2
    %v = llvm.load %p : !llvm.ptr<1> -> i8
    llvm.store %v, %x : i8, !llvm.ptr<1>
    gpu.return
  }
}
