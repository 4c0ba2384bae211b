// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared memory becomes globals of the module, of the span of the layout.
// RUN: tile-opt %s --tile-lower-iterators | FileCheck %s

// CHECK-DAG: llvm.mlir.global internal @tile_shared_0() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<2160 x i8>
// CHECK-DAG: llvm.mlir.global internal @tile_shared_1() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<8 x i8>
gpu.module @kernels {
  gpu.func @allocations() kernel {
    // (7 * 68 + 63 + 1) * 4 bytes
    %0 = tile.alloc_shared : !tile.view<f32, shared, (64, 8) : (1, 68)>
    %1 = tile.alloc_shared : !tile.view<i8, shared, 8 : 1, align = 128>
    gpu.return
  }
}
