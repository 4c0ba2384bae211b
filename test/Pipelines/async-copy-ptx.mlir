// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cp.async in PTX: 16 bytes past the L1 cache, zeros through the size of the
// source, groups; what ptxas takes, and what a chip before sm_80 has not.
// RUN: tile-translate --mlir-to-ptx --chip=sm_80 %s -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %if ptxas %{ ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
// RUN: not tile-translate --mlir-to-ptx --chip=sm_75 %s 2>&1 | FileCheck %s --check-prefix=OLD

// CHECK: .entry stage
// CHECK: selp.b32 [[SIZE:%r[0-9]+]], 16, 0, %p
// CHECK: selp.b32 [[OWN:%r[0-9]+]], [[SIZE]], 0, %p
// CHECK: cp.async.cg.shared.global [%rd{{[0-9]+}}], [%rd{{[0-9]+}}], 16, [[OWN]];
// CHECK: cp.async.commit_group;
// CHECK: cp.async.wait_group 0;
// CHECK: bar.sync
// CHECK: ld.shared
// OLD: error: expected sm_80 or newer for 'nvvm.cp.async.shared.global', but got sm_75
#map = #tile.strip_mined<tile = [8, 128], contiguous = 1, threads = 128, elements = 4>
!global = !tile.view<f32, global, (?, ?{div = 4}) : (?{div = 4}, 1), align = 16>
!shared = !tile.view<f32, shared, (8, 128) : (128, 1), align = 16>
!source = !tile.iterator<!global, #map, advance = 0, predicated, residue>
!target = !tile.iterator<!shared, #map, steady>
!result = !tile.iterator<!global, #map, predicated, steady>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @stage(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %m: index, %n: index, %ld: index) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>} {
      %t = gpu.thread_id x
      %a = tile.make_view %p, (%m, %n {div = 4}) : (%ld {div = 4}, 1) : !llvm.ptr<1> -> !global
      %d = tile.make_view %q, (%m, %n {div = 4}) : (%ld {div = 4}, 1) : !llvm.ptr<1> -> !global
      %s = tile.alloc_shared : !shared
      %source = tile.make_iterator %a(0, 0), %t : !source
      %target = tile.make_iterator %s(0, 0), %t : !target
      %result = tile.make_iterator %d(0, 0), %t : !result
      tile.copy_async %source, %target : !source, !target
      tile.async_commit_group
      tile.async_wait_group 0
      gpu.barrier
      tile.copy %target, %result : !target, !result
      gpu.return
    }
  }
}
