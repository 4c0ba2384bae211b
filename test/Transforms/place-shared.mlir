// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What does not fit in 48 KiB of static shared memory becomes part of the
// launch's dynamic one, each allocation where its alignment lets it start.
// RUN: tile-opt %s --tile-lower-iterators -split-input-file -verify-diagnostics | FileCheck %s

// 40 bytes of barriers come behind the tiles, which want 1024.
// CHECK-LABEL: gpu.module @large
// CHECK: llvm.mlir.global external @tile_dynamic_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
// CHECK-NOT: tile_shared_
// CHECK: gpu.func @kernel
// CHECK-SAME: tile.dynamic_shared_bytes = 65576 : i64, tile.launch_facts = #tile.launch_facts<>}
// CHECK-DAG: llvm.getelementptr %{{.*}}[65536] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
// CHECK-DAG: llvm.getelementptr %{{.*}}[32768] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
gpu.module @large {
  gpu.func @kernel(%x: f32) kernel attributes {tile.dynamic_shared_bytes = 7 : i64, tile.launch_facts = #tile.launch_facts<>} {
    %b = tile.alloc_shared : !tile.view<i64, shared, (5) : (1), align = 8>
    %0 = tile.alloc_shared : !tile.view<f32, shared, (128, 64) : (64, 1), align = 1024>
    %1 = tile.alloc_shared : !tile.view<f32, shared, (128, 64) : (64, 1), align = 1024>
    %c = arith.constant 1 : i64
    tile.view_store %c, %b(0) : i64, !tile.view<i64, shared, (5) : (1), align = 8>
    tile.view_store %x, %0(0, 0) : f32, !tile.view<f32, shared, (128, 64) : (64, 1), align = 1024>
    tile.view_store %x, %1(0, 0) : f32, !tile.view<f32, shared, (128, 64) : (64, 1), align = 1024>
    gpu.return
  }
}

// -----

// 48 KiB are static, whatever an offset or a sum says that somebody left behind.
// CHECK-LABEL: gpu.module @small
// CHECK-NOT: tile_dynamic_shared
// CHECK: llvm.mlir.global internal @tile_shared_0
// CHECK-NOT: dynamic_shared_bytes
gpu.module @small {
  gpu.func @kernel(%x: f32) kernel attributes {tile.dynamic_shared_bytes = 65536 : i64} {
    %0 = tile.alloc_shared {tile.shared_offset = 1 : i64} : !tile.view<f32, shared, (12288) : (1)>
    tile.view_store %x, %0(0) : f32, !tile.view<f32, shared, (12288) : (1)>
    gpu.return
  }
}

// -----

gpu.module @too_large {
  // expected-error @below {{expected at most 232448 bytes of shared memory, but got 262144 (an allocation 131072, an allocation 131072)}}
  gpu.func @kernel() kernel {
    %0 = tile.alloc_shared : !tile.view<f32, shared, 32768 : 1>
    %1 = tile.alloc_shared : !tile.view<f32, shared, 32768 : 1>
    gpu.return
  }
}

// -----

gpu.module @taken {
  llvm.func @tile_dynamic_shared()
  // expected-error @below {{expected @tile_dynamic_shared to be a global, but got another symbol}}
  gpu.func @kernel(%x: f32) kernel {
    %0 = tile.alloc_shared : !tile.view<f32, shared, (16384) : (1)>
    tile.view_store %x, %0(0) : f32, !tile.view<f32, shared, (16384) : (1)>
    gpu.return
  }
}
