// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cp.async and its groups become calls of the simulator.
// RUN: tile-opt %s --pass-pipeline="builtin.module(gpu.module(tile-instrument-accesses,tile-kernels-to-llvm{target=simulator},tile-nvvm-to-simulator))" | FileCheck %s

// CHECK-NOT: nvvm.
gpu.module @kernels {
  // CHECK-LABEL: llvm.func @tile_sim_kernel_copies
  // All bytes, then as many as there are.
  // CHECK: %[[C16:.*]] = llvm.mlir.constant(16 : i32)
  // CHECK: %[[ALL:.*]] = llvm.mlir.constant(16 : i32)
  // CHECK: llvm.call @tile_sim_async_copy(%{{.*}}, %{{.*}}, %{{.*}}, %[[C16]], %[[ALL]], %{{.*}})
  // CHECK: llvm.call @tile_sim_async_copy(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[N:.*]], %{{.*}})
  // CHECK: llvm.call @tile_sim_async_commit(
  // CHECK: %[[PENDING:.*]] = llvm.mlir.constant(2 : i32)
  // CHECK: llvm.call @tile_sim_async_wait(%{{.*}}, %[[PENDING]])
  gpu.func @copies(%dst: !llvm.ptr<3>, %src: !llvm.ptr<1>, %n: i32) kernel {
    nvvm.cp.async.shared.global %dst, %src, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
    nvvm.cp.async.shared.global %dst, %src, 8, cache = ca, %n : !llvm.ptr<3>, !llvm.ptr<1>, i32
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 2
    gpu.return
  }
}
