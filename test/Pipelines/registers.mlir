// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views of registers leave no local memory where their coordinates are constants,
// also after loops are unrolled; a coordinate of run time does.
// RUN: tile-translate --mlir-to-ptx --chip=sm_80 %s -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // CHECK-LABEL: .entry constant(
    // CHECK-NOT: .local
    // CHECK: ld.global.v4
    // CHECK: st.global
    // CHECK-NOT: .local
    // CHECK-LABEL: .entry run_time(
    gpu.func @constant(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %zero = arith.constant 0.0 : f32
      %t = gpu.thread_id x
      %g = tile.make_view %p, (16, 32) : (32, 1) : !llvm.ptr<1> -> !tile.view<f32, global, (16, 32) : (32, 1), align = 16>
      %mine = tile.thread_partition %g by #tile.strip_mined<tile = [16, 32], contiguous = 1, threads = 32, elements = 4> at %t
        : !tile.view<f32, global, (16, 32) : (32, 1), align = 16>
      %r = tile.alloc_fragment_like %mine : !tile.view<f32, global, (4, 1, 4) : (1, 1, 128), align = 16>
      scf.for %i = %c0 to %c4 step %c1 {
        %x = tile.view_load %mine(0, 0, %i) : !tile.view<f32, global, (4, 1, 4) : (1, 1, 128), align = 16> -> vector<4xf32>
        tile.view_store %x, %r(0, 0, %i) : vector<4xf32>, !tile.view<f32, register, (4, 1, 4) : (1, 0, 4), align = 16>
      }
      %s = tile.slice %r(2, 0, _) : !tile.view<f32, register, (4, 1, 4) : (1, 0, 4), align = 16>
      %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> f32 {
        %x = tile.view_load %s(%i) : !tile.view<f32, register, (4) : (4), align = 8> -> f32
        %y = arith.addf %acc, %x : f32
        scf.yield %y : f32
      }
      %w = tile.view_recast %r to i32 : !tile.view<f32, register, (4, 1, 4) : (1, 0, 4), align = 16>
      %bits = tile.view_load %w(1, 0, 3) : !tile.view<i32, register, (4, 1, 4) : (1, 0, 4), align = 16> -> i32
      %f = arith.sitofp %bits : i32 to f32
      %both = arith.addf %sum, %f : f32
      %d = tile.make_view %q, (32) : (1) : !llvm.ptr<1> -> !tile.view<f32, global, (32) : (1)>
      tile.view_store %both, %d(%t) : f32, !tile.view<f32, global, (32) : (1)>
      gpu.return
    }

    // CHECK: .local
    gpu.func @run_time(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %t = gpu.thread_id x
      %g = tile.make_view %p, (16, 32) : (32, 1) : !llvm.ptr<1> -> !tile.view<f32, global, (16, 32) : (32, 1), align = 16>
      %mine = tile.local_partition %g by <(4, 8) : (8, 1)> at %t : !tile.view<f32, global, (16, 32) : (32, 1), align = 16>
      %r = tile.alloc_fragment_like %mine : !tile.view<f32, global, (4, 4) : (128, 8), align = 4>
      %x = tile.view_load %mine(2, 1) : !tile.view<f32, global, (4, 4) : (128, 8), align = 4> -> f32
      tile.view_store %x, %r(2, 1) : f32, !tile.view<f32, register, (4, 4) : (1, 4), align = 16>
      %y = tile.view_load %r(%i, 1) : !tile.view<f32, register, (4, 4) : (1, 4), align = 16> -> f32
      %d = tile.make_view %q, (32) : (1) : !llvm.ptr<1> -> !tile.view<f32, global, (32) : (1)>
      tile.view_store %y, %d(%t) : f32, !tile.view<f32, global, (32) : (1)>
      gpu.return
    }
  }
}
