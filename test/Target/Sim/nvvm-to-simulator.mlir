// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Special registers, barriers, shared memory and the entry of a kernel.
// RUN: tile-opt %s --pass-pipeline="builtin.module(gpu.module(tile-instrument-accesses,tile-kernels-to-llvm{target=simulator},tile-nvvm-to-simulator))" | FileCheck %s

// CHECK-NOT: nvvm.
// CHECK-NOT: addr_space = 3
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.mlir.global internal @first() {addr_space = 3 : i32, alignment = 16} : !llvm.array<20 x i8>
    llvm.mlir.global internal @second() {addr_space = 3 : i32, alignment = 16} : !llvm.array<64 x i8>
    llvm.mlir.global internal @elsewhere() {addr_space = 3 : i32, alignment = 16} : !llvm.array<256 x i8>

    // CHECK-LABEL: llvm.func @tile_sim_kernel_both
    // CHECK-SAME: (%[[CTX:.*]]: !llvm.ptr, %[[ARGS:.*]]: !llvm.ptr) attributes {tile.sim_shared_bytes = 96 : i64}
    // CHECK: %[[SLOT:.*]] = llvm.getelementptr %[[ARGS]][1]
    // CHECK: %[[WHERE:.*]] = llvm.load %[[SLOT]]
    // CHECK: %[[N:.*]] = llvm.load %[[WHERE]] : !llvm.ptr -> i32
    // CHECK: llvm.br ^[[BODY:.*]](%[[CTX]], %{{.*}}, %[[N]] :
    // CHECK: ^[[BODY]](%[[C:[a-z0-9]+]]: !llvm.ptr
    // CHECK-DAG: llvm.getelementptr %[[C]][16]
    // CHECK-DAG: llvm.getelementptr %[[C]][48]
    // CHECK: llvm.call @tile_sim_barrier(%[[C]], %{{.*}}, %{{.*}}, %{{.*}})
    // CHECK: llvm.getelementptr %{{.*}}[32] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    gpu.func @both(%a: !llvm.ptr<1>, %n: i32) kernel {
      %b = nvvm.read.ptx.sreg.ctaid.y : i32
      %s = llvm.mlir.addressof @first : !llvm.ptr<3>
      llvm.store %b, %s : i32, !llvm.ptr<3>
      gpu.barrier
      %t = llvm.mlir.addressof @second : !llvm.ptr<3>
      llvm.store %n, %t : i32, !llvm.ptr<3>
      gpu.return
    }

    // A kernel pays for its own shared memory only.
    // CHECK-LABEL: llvm.func @tile_sim_kernel_other
    // CHECK-SAME: tile.sim_shared_bytes = 256 : i64
    // CHECK: llvm.urem
    gpu.func @other() kernel {
      %l = nvvm.read.ptx.sreg.laneid : i32
      %s = llvm.mlir.addressof @elsewhere : !llvm.ptr<3>
      llvm.store %l, %s : i32, !llvm.ptr<3>
      gpu.return
    }

    // CHECK-LABEL: llvm.func @tile_sim_kernel_stop
    // CHECK: llvm.call @tile_sim_trap
    gpu.func @stop() kernel {
      "llvm.intr.trap"() : () -> ()
      gpu.return
    }
  }
}
