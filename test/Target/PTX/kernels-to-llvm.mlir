// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One conversion takes the upstream dialects of a kernel to llvm and nvvm.
// RUN: tile-opt %s --pass-pipeline="builtin.module(gpu.module(tile-kernels-to-llvm))" | FileCheck %s
// RUN: tile-opt %s --pass-pipeline="builtin.module(gpu.module(tile-kernels-to-llvm{target=simulator}))" | FileCheck %s --check-prefix=SIM
// RUN: not tile-opt %s --pass-pipeline="builtin.module(gpu.module(tile-kernels-to-llvm{target=cpu}))" 2>&1 | FileCheck %s --check-prefix=TARGET

// TARGET: expected target ptx or simulator, but got 'cpu'

// CHECK-LABEL: llvm.func @loop
// CHECK-SAME: nvvm.kernel
// CHECK-SAME: nvvm.maxntid = array<i32: 64, 1, 1>
// CHECK: nvvm.read.ptx.sreg.tid.x
// CHECK: llvm.br
// CHECK: llvm.cond_br
// CHECK: nvvm.barrier0
// CHECK: llvm.call @__nv_expf
// SIM-LABEL: llvm.func @loop
// SIM: llvm.intr.exp
// SIM-NOT: __nv_
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @loop(%p: !llvm.ptr<1>, %n: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %f = arith.constant 1.0 : f32
      %t = gpu.thread_id x
      %sum = scf.for %i = %t to %n step %c1 iter_args(%s = %f) -> f32 {
        %k = arith.index_cast %i : index to i64
        %a = llvm.getelementptr %p[%k] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
        %x = llvm.load %a : !llvm.ptr<1> -> f32
        %y = arith.addf %s, %x : f32
        gpu.barrier
        scf.yield %y : f32
      }
      %e = math.exp %sum : f32
      llvm.store %e, %p : f32, !llvm.ptr<1>
      gpu.return
    }
  }
}
