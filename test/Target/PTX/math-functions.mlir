// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The square root rounds to nearest unless its flags allow another, and needs
// no toolkit.
// RUN: env CUDA_HOME=/nowhere tile-translate --mlir-to-ptx %s | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: .entry exact(
  // CHECK: sqrt.rn.f32
  // CHECK-NOT: sqrt.approx
  // CHECK: sqrt.rn.f64
  // CHECK-NOT: sqrt.approx
  gpu.func @exact(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) kernel {
    %x = llvm.load %p : !llvm.ptr<1> -> f32
    %y = math.sqrt %x : f32
    llvm.store %y, %p : f32, !llvm.ptr<1>
    %u = llvm.load %q : !llvm.ptr<1> -> f64
    %v = math.sqrt %u : f64
    llvm.store %v, %q : f64, !llvm.ptr<1>
    gpu.return
  }
  // CHECK-LABEL: .entry vectors(
  // CHECK-COUNT-2: sqrt.rn.f32
  // CHECK-NOT: sqrt.approx
  gpu.func @vectors(%p: !llvm.ptr<1>) kernel {
    %x = llvm.load %p : !llvm.ptr<1> -> vector<2xf32>
    %y = math.sqrt %x : vector<2xf32>
    llvm.store %y, %p : vector<2xf32>, !llvm.ptr<1>
    gpu.return
  }
  // CHECK-LABEL: .entry halves(
  // CHECK: sqrt.rn.f32
  // CHECK-NOT: sqrt.approx
  gpu.func @halves(%p: !llvm.ptr<1>) kernel {
    %x = llvm.load %p : !llvm.ptr<1> -> f16
    %y = math.sqrt %x : f16
    llvm.store %y, %p : f16, !llvm.ptr<1>
    gpu.return
  }
  // CHECK-LABEL: .entry approximate(
  // CHECK: sqrt.approx
  gpu.func @approximate(%p: !llvm.ptr<1>) kernel {
    %x = llvm.load %p : !llvm.ptr<1> -> f32
    %y = math.sqrt %x fastmath<afn> : f32
    llvm.store %y, %p : f32, !llvm.ptr<1>
    gpu.return
  }
}
