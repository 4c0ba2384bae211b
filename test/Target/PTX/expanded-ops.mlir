// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that upstream only lowers by way of others: rounded divisions, affine
// ops, reductions of a warp.
// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: .entry divisions(
  // CHECK: div.u32
  // CHECK: div.s32
  // CHECK: div.s32
  gpu.func @divisions(%p: !llvm.ptr<1>, %x: i32, %y: i32) kernel {
    %0 = arith.ceildivui %x, %y : i32
    %1 = arith.ceildivsi %0, %x : i32
    %2 = arith.floordivsi %1, %y : i32
    llvm.store %2, %p : i32, !llvm.ptr<1>
    gpu.return
  }
  // CHECK-LABEL: .entry loops(
  // CHECK: add.s
  gpu.func @loops(%p: !llvm.ptr<1>, %n: index) kernel {
    affine.for %i = 0 to %n step 4 {
      %k = affine.apply affine_map<(d0) -> (d0 floordiv 3 + 5)>(%i)
      %w = arith.index_cast %k : index to i64
      llvm.store %w, %p : i64, !llvm.ptr<1>
    }
    gpu.return
  }
  // CHECK-LABEL: .entry reductions(
  // CHECK: redux.sync.add.s32
  // CHECK-COUNT-5: shfl.sync.bfly.b32
  gpu.func @reductions(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) kernel {
    %x = llvm.load %p : !llvm.ptr<1> -> i32
    %s = gpu.subgroup_reduce add %x uniform : (i32) -> i32
    llvm.store %s, %p : i32, !llvm.ptr<1>
    %y = llvm.load %q : !llvm.ptr<1> -> f32
    %t = gpu.subgroup_reduce add %y : (f32) -> f32
    llvm.store %t, %q : f32, !llvm.ptr<1>
    gpu.return
  }
}
