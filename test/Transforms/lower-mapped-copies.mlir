// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asynchronous copies from mapped iterators: one cp.async for each element or
// vector, of no bytes where the predicate is off.
// RUN: tile-opt %s --tile-lower-iterators --tile-unroll-strip-mined --canonicalize --cse -split-input-file | FileCheck %s

#copy = #tile.strip_mined<tile = [32, 8], contiguous = 1, threads = 32, elements = 4>
!global = !tile.iterator<!tile.view<f32, global, (?, ?{div = 4}) : (?{div = 4}, 1), align = 16>, #copy, advance = 1, masked>

// Rows lie in shared memory as in global memory: 16 bytes at a time.
// CHECK-LABEL: @vectors
// CHECK-COUNT-2: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg, %{{.*}} : !llvm.ptr<3>, !llvm.ptr<1>, i32
// CHECK-NOT: nvvm.cp.async.shared
// CHECK: return
!rows = !tile.iterator<!tile.view<f32, shared, (32, 8) : (8, 1), align = 16>, #copy, steady>
func.func @vectors(%s: !global, %d: !rows) {
  tile.copy_async %s, %d : !global, !rows
  return
}

// -----

// Across them: an element at a time.
#copy = #tile.strip_mined<tile = [32, 8], contiguous = 1, threads = 32, elements = 4>
!global = !tile.iterator<!tile.view<f32, global, (?, ?{div = 4}) : (?{div = 4}, 1), align = 16>, #copy, advance = 1, masked>
!columns = !tile.iterator<!tile.view<f32, shared, (32, 8) : (1, 36), align = 16>, #copy, steady>
// CHECK-LABEL: @elements
// CHECK-COUNT-8: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 4, cache = ca, %{{.*}} : !llvm.ptr<3>, !llvm.ptr<1>, i32
// CHECK-NOT: nvvm.cp.async.shared
// CHECK: return
func.func @elements(%s: !global, %d: !columns) {
  tile.copy_async %s, %d : !global, !columns
  return
}

// -----

// A tile of which all exists is copied without sizes.
#copy = #tile.strip_mined<tile = [32, 8], contiguous = 1, threads = 32, elements = 4>
!global = !tile.iterator<!tile.view<f32, global, (32, 8) : (8, 1), align = 16>, #copy>
!rows = !tile.iterator<!tile.view<f32, shared, (32, 8) : (8, 1), align = 16>, #copy, steady>
// CHECK-LABEL: @whole
// CHECK-COUNT-2: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>{{$}}
// CHECK: return
func.func @whole(%s: !global, %d: !rows) {
  tile.copy_async %s, %d : !global, !rows
  return
}
