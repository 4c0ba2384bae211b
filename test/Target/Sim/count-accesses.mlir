// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses are counted where every lane comes by: before the branch of a mask,
// and before the check.
// RUN: tile-opt %s --pass-pipeline="builtin.module(gpu.module(tile-instrument-accesses{count=true}))" | FileCheck %s
// RUN: tile-opt %s --pass-pipeline="builtin.module(gpu.module(tile-instrument-accesses))" | FileCheck %s --check-prefix=CHECKS

// CHECKS-NOT: tile_sim_count
gpu.module @kernels {
  // CHECK: llvm.func @tile_sim_count(!llvm.ptr, !llvm.ptr, i64, i32, i32, i32)
  // CHECK-LABEL: gpu.func @accesses
  gpu.func @accesses(%g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %p: i1, %n: i32) kernel {
    // A plain load: always on, of global memory.
    // CHECK: %[[ON:.*]] = llvm.mlir.constant(1 : i32)
    // CHECK: %[[KIND:.*]] = llvm.mlir.constant(2 : i32)
    // CHECK: llvm.call @tile_sim_count(%{{.*}}, %{{.*}}, %{{.*}}, %[[ON]], %[[KIND]], %{{.*}})
    // CHECK: llvm.call @tile_sim_check
    // CHECK: llvm.load
    %x = llvm.load %g : !llvm.ptr<1> -> f32
    // A masked one: as its predicate is.
    // CHECK: %[[FLAG:.*]] = llvm.zext %{{.*}} : i1 to i32
    // CHECK: llvm.call @tile_sim_count(%{{.*}}, %{{.*}}, %{{.*}}, %[[FLAG]],
    // CHECK: scf.if
    // CHECK: llvm.call @tile_sim_check
    %m = vector.broadcast %p : i1 to vector<4xi1>
    %z = arith.constant dense<0.0> : vector<4xf32>
    %v = llvm.intr.masked.load %g, %m, %z {alignment = 16 : i32} : (!llvm.ptr<1>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
    // Both sides of an asynchronous copy; nothing is read where no bytes are.
    // CHECK: %[[SOME:.*]] = llvm.icmp "ne" %{{.*}}, %{{.*}} : i32
    // CHECK: %[[READS:.*]] = llvm.zext %[[SOME]]
    // CHECK: llvm.call @tile_sim_count(%{{.*}}, %{{.*}}, %{{.*}}, %[[READS]],
    // CHECK: %[[STORES:.*]] = llvm.mlir.constant(5 : i32)
    // CHECK: llvm.call @tile_sim_count(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[STORES]],
    // CHECK: nvvm.cp.async.shared.global
    nvvm.cp.async.shared.global %s, %g, 16, cache = cg, %n : !llvm.ptr<3>, !llvm.ptr<1>, i32
    // CHECK: llvm.call @tile_sim_count
    // CHECK: llvm.call @tile_sim_check
    // CHECK: llvm.store
    llvm.store %v, %s {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<3>
    gpu.return
  }
}
