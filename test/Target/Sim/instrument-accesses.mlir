// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where checks go, and what they say: size, alignment, kind and site.
// RUN: tile-opt %s --pass-pipeline="builtin.module(gpu.module(tile-instrument-accesses))" | FileCheck %s

// CHECK: gpu.module @kernels attributes {tile.sim_sites = [
// CHECK-SAME: "load A"
// CHECK-SAME: "gemm.mlir:10:3 (store D)"
// CHECK-SAME: "gemm.mlir:12:5"
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16} : !llvm.array<64 x i8>
    llvm.mlir.global internal constant @table(dense<1> : tensor<4xi32>) {addr_space = 4 : i32} : !llvm.array<4 x i32>

    // CHECK-LABEL: gpu.func @plain
    // CHECK-SAME: (%[[CTX:.*]]: !llvm.ptr, %[[A:.*]]: !llvm.ptr<1>)
    gpu.func @plain(%a: !llvm.ptr<1>) kernel {
      // CHECK-DAG: %[[P:.*]] = llvm.addrspacecast %[[A]] : !llvm.ptr<1> to !llvm.ptr
      // CHECK-DAG: %[[SIZE:.*]] = llvm.mlir.constant(16 : i64)
      // CHECK-DAG: %[[ALIGN:.*]] = llvm.mlir.constant(16 : i32)
      // CHECK-DAG: %[[KIND:.*]] = llvm.mlir.constant(2 : i32)
      // CHECK-DAG: %[[SITE:.*]] = llvm.mlir.constant(0 : i32)
      // CHECK: llvm.call @tile_sim_check(%[[CTX]], %[[P]], %[[SIZE]], %[[ALIGN]], %[[KIND]], %[[SITE]])
      // CHECK: llvm.load %[[A]]
      %v = llvm.load %a {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32> loc("load A")
      // CHECK: llvm.mlir.constant(3 : i32)
      // CHECK: llvm.call @tile_sim_check
      // CHECK: llvm.store
      llvm.store %v, %a {alignment = 4 : i64} : vector<4xf32>, !llvm.ptr<1> loc("store D"("gemm.mlir":10:3))
      // CHECK: llvm.mlir.constant(5 : i32)
      // CHECK: llvm.call @tile_sim_check
      // CHECK: llvm.store
      %s = llvm.mlir.addressof @tile : !llvm.ptr<3>
      llvm.store %v, %s : vector<4xf32>, !llvm.ptr<3> loc("gemm.mlir":12:5)
      gpu.return
    }

    // One predicate: one branch around check and access.
    // CHECK-LABEL: gpu.func @masked_uniform
    // CHECK: scf.if %{{.*}} -> (vector<4xf32>) {
    // CHECK:   llvm.call @tile_sim_check
    // CHECK:   llvm.load
    // CHECK: } else {
    // CHECK:   scf.yield %{{.*}} : vector<4xf32>
    // CHECK: }
    // CHECK: scf.if
    // CHECK:   llvm.call @tile_sim_check
    // CHECK:   llvm.store
    // CHECK-NOT: llvm.intr.masked
    gpu.func @masked_uniform(%a: !llvm.ptr<1>, %p: i1, %z: vector<4xf32>) kernel {
      %m = vector.broadcast %p : i1 to vector<4xi1>
      %v = llvm.intr.masked.load %a, %m, %z {alignment = 16 : i32} : (!llvm.ptr<1>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
      llvm.intr.masked.store %v, %a, %m {alignment = 16 : i32} : vector<4xf32>, vector<4xi1> into !llvm.ptr<1>
      gpu.return
    }

    // CHECK-LABEL: gpu.func @masked_by_lane
    // CHECK-COUNT-2: scf.if
    // CHECK: llvm.intr.masked.load
    gpu.func @masked_by_lane(%a: !llvm.ptr<1>, %m: vector<2xi1>, %z: vector<2xf32>) kernel {
      %v = llvm.intr.masked.load %a, %m, %z {alignment = 8 : i32} : (!llvm.ptr<1>, vector<2xi1>, vector<2xf32>) -> vector<2xf32>
      gpu.return
    }

    // Only whether an access that is moved lies inside of its variable.
    // CHECK-LABEL: gpu.func @stack_and_constants
    // CHECK: %[[SLOT:.*]] = llvm.alloca
    // CHECK: %[[AT:.*]] = llvm.getelementptr %[[SLOT]]
    // CHECK-NOT: llvm.call
    // CHECK: llvm.call @tile_sim_local(%{{.*}}, %[[AT]], %{{.*}}, %[[SLOT]],
    // CHECK-NOT: llvm.call
    // CHECK: gpu.return
    gpu.func @stack_and_constants() kernel {
      %one = llvm.mlir.constant(1 : i32) : i32
      %s = llvm.alloca %one x f32 : (i32) -> !llvm.ptr
      %g = llvm.getelementptr %s[0] : (!llvm.ptr) -> !llvm.ptr, f32
      %v = llvm.load %g : !llvm.ptr -> f32
      %t = llvm.mlir.addressof @table : !llvm.ptr<4>
      %w = llvm.load %t : !llvm.ptr<4> -> i32
      gpu.return
    }

    // Device functions get the context from their caller.
    // CHECK-LABEL: llvm.func @helper
    // CHECK-SAME: (%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr<1>)
    llvm.func @helper(%a: !llvm.ptr<1>) {
      llvm.return
    }
    // CHECK-LABEL: gpu.func @calls
    // CHECK-SAME: (%[[CTX:[a-z0-9]+]]: !llvm.ptr,
    // CHECK: llvm.call @helper(%[[CTX]], %{{.*}})
    gpu.func @calls(%a: !llvm.ptr<1>) kernel {
      llvm.call @helper(%a) : (!llvm.ptr<1>) -> ()
      gpu.return
    }
  }
}
