// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers, partitions, recasts and nested coordinates of views: types are
// inferred, every form prints as it is read.
// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: @registers
func.func @registers(%p: !llvm.ptr) {
  // CHECK: tile.alloc_registers : <f32, register, (4, 2) : (1, 4)>
  %0 = tile.alloc_registers : !tile.view<f32, register, (4, 2) : (1, 4)>
  // CHECK: tile.make_view %{{.*}}, (4, 2) : (1, 4) : !llvm.ptr -> <f32, register, (4, 2) : (1, 4)>
  %1 = tile.make_view %p, (4, 2) : (1, 4) : !llvm.ptr -> !tile.view<f32, register, (4, 2) : (1, 4)>
  // CHECK: tile.slice %{{.*}}(_, 1) : <f32, register, (4, 2) : (1, 4)>
  %2 = tile.slice %0(_, 1) : !tile.view<f32, register, (4, 2) : (1, 4)>
  // CHECK: tile.view_pointer
  %3 = tile.view_pointer %2 : !tile.view<f32, register, (4) : (1)>
  return
}

// Compact, in the order of the strides; mode 0 first.
// CHECK-LABEL: @fragments
func.func @fragments(%v: !tile.view<bf16, shared, ((2, 2), 4, 3) : ((1, 64), 8, 2)>)
    -> (!tile.view<bf16, register, ((2, 2), 4, 3) : ((1, 2), 12, 4), align = 16>,
        !tile.view<f32, register, ((2, 2), 4, 3) : ((1, 2), 12, 4), align = 16>) {
  // CHECK: tile.alloc_fragment_like %{{.*}} : <bf16, shared,
  %0 = tile.alloc_fragment_like %v : !tile.view<bf16, shared, ((2, 2), 4, 3) : ((1, 64), 8, 2)>
  // CHECK: tile.alloc_fragment_like %{{.*}} as f32 : <bf16, shared,
  %1 = tile.alloc_fragment_like %v as f32 : !tile.view<bf16, shared, ((2, 2), 4, 3) : ((1, 64), 8, 2)>
  return %0, %1 : !tile.view<bf16, register, ((2, 2), 4, 3) : ((1, 2), 12, 4), align = 16>,
      !tile.view<f32, register, ((2, 2), 4, 3) : ((1, 2), 12, 4), align = 16>
}

// A slice through the inside of a mode.
// CHECK-LABEL: @nested_slice
func.func @nested_slice(%v: !tile.view<f32, shared, ((2, 4), 8) : ((1, 16), 2)>, %i: index)
    -> !tile.view<f32, shared, (2, 8) : (1, 2)> {
  // CHECK: tile.slice %{{.*}}((_, %{{.*}}), _)
  %0 = tile.slice %v((_, %i), _) : !tile.view<f32, shared, ((2, 4), 8) : ((1, 16), 2)>
  return %0 : !tile.view<f32, shared, (2, 8) : (1, 2)>
}

// Row 3 of a swizzled tile: the xor is part of the strides.
// CHECK-LABEL: @linear_slice_of_a_swizzle
func.func @linear_slice_of_a_swizzle(%v: !tile.view<bf16, shared, S<3, 3, 3> o 0 o (8, 64) : (64, 1), align = 1024>)
    -> !tile.view<bf16, shared, ((8, 4, 2)) : ((1, -8, 32)), align = 16> {
  %0 = tile.slice %v(3, _) : !tile.view<bf16, shared, S<3, 3, 3> o 0 o (8, 64) : (64, 1), align = 1024>
  return %0 : !tile.view<bf16, shared, ((8, 4, 2)) : ((1, -8, 32)), align = 16>
}

// Blocks of eight rows start where the swizzle repeats.
// CHECK-LABEL: @tile_of_a_swizzle
func.func @tile_of_a_swizzle(%v: !tile.view<bf16, shared, S<3, 3, 3> o 0 o (128, 64) : (64, 1), align = 1024>, %i: index)
    -> !tile.view<bf16, shared, S<3, 3, 3> o 0 o (8, 64) : (64, 1), align = 1024> {
  %0 = tile.local_tile %v[8, 64](%i, 0) : !tile.view<bf16, shared, S<3, 3, 3> o 0 o (128, 64) : (64, 1), align = 1024>
  return %0 : !tile.view<bf16, shared, S<3, 3, 3> o 0 o (8, 64) : (64, 1), align = 1024>
}

// CHECK-LABEL: @access
func.func @access(%v: !tile.view<bf16, shared, S<3, 3, 3> o 0 o (8, (8, 8)) : (64, (1, 8)), align = 1024>, %i: index, %j: index) {
  // CHECK: tile.view_load %{{.*}}(%{{.*}}, (%{{.*}}, 1)) : {{.*}} -> bf16
  %0 = tile.view_load %v(%i, (%j, 1)) : !tile.view<bf16, shared, S<3, 3, 3> o 0 o (8, (8, 8)) : (64, (1, 8)), align = 1024> -> bf16
  // CHECK: tile.view_load %{{.*}}(%{{.*}}, 8) : {{.*}} -> vector<8xbf16>
  %1 = tile.view_load %v(%i, 8) : !tile.view<bf16, shared, S<3, 3, 3> o 0 o (8, (8, 8)) : (64, (1, 8)), align = 1024> -> vector<8xbf16>
  // CHECK: tile.view_store %{{.*}}, %{{.*}}(%{{.*}}, 3)
  tile.view_store %0, %v(%i, 3) : bf16, !tile.view<bf16, shared, S<3, 3, 3> o 0 o (8, (8, 8)) : (64, (1, 8)), align = 1024>
  return
}

// CHECK-LABEL: @local_partition
func.func @local_partition(%v: !tile.view<f32, shared, (16, 32) : (32, 1), align = 16>, %w: !tile.view<f32, global, (?{div = 4}, 32) : (?, 1)>, %t: index)
    -> (!tile.view<f32, shared, (4, 4) : (128, 8), align = 4>,
        !tile.view<f32, shared, (4, 4) : (128, 8), align = 16>,
        !tile.view<f32, global, (?, 32) : (?{div = 4}, 1)>) {
  // CHECK: tile.local_partition %{{.*}} by <(4, 8) : (8, 1)> at %{{.*}} : <f32, shared,
  %0 = tile.local_partition %v by <(4, 8) : (8, 1)> at %t : !tile.view<f32, shared, (16, 32) : (32, 1), align = 16>
  // Thread 12 is at (1, 4).
  // CHECK: tile.local_partition %{{.*}} by <(4, 8) : (8, 1)> at 12 : <f32, shared,
  %1 = tile.local_partition %v by <(4, 8) : (8, 1)> at 12 : !tile.view<f32, shared, (16, 32) : (32, 1), align = 16>
  // Only the rows are shared out.
  %2 = tile.local_partition %w by <(4, 1) : (1, 0)> at %t : !tile.view<f32, global, (?{div = 4}, 32) : (?, 1)>
  return %0, %1, %2 : !tile.view<f32, shared, (4, 4) : (128, 8), align = 4>,
      !tile.view<f32, shared, (4, 4) : (128, 8), align = 16>,
      !tile.view<f32, global, (?, 32) : (?{div = 4}, 1)>
}

// CHECK-LABEL: @thread_partition
func.func @thread_partition(%v: !tile.view<f32, global, (16, 16) : (?{div = 4}, 1), align = 16>, %t: index)
    -> (!tile.view<f32, global, (4, 1, 2) : (1, 1, ?{div = 32}), align = 16>,
        !tile.view<f32, global, (2, 4) : (1, 4), align = 8>,
        !tile.view<f32, global, 8 : ?{div = 8}, align = 4>) {
  // CHECK: tile.thread_partition %{{.*}} by #tile.strip_mined<{{.*}}> at %{{.*}} : <f32, global,
  %0 = tile.thread_partition %v by #tile.strip_mined<tile = [16, 16], contiguous = 1, threads = 32, elements = 4> at %t
    : !tile.view<f32, global, (16, 16) : (?{div = 4}, 1), align = 16>
  // CHECK: tile.thread_partition %{{.*}} by #tile.layout<((2, 16), (2, 4)) : ((2@e1, 1@e0), (1@e1, 4@e1))> at (1, %{{.*}}) :
  %1 = tile.thread_partition %v by #tile.layout<((2, 16), (2, 4)) : ((2@e1, 1@e0), (1@e1, 4@e1))> at (1, %t)
    : !tile.view<f32, global, (16, 16) : (?{div = 4}, 1), align = 16>
  // A map of element numbers, which go down the columns: every other row.
  %2 = tile.thread_partition %v by #tile.layout<((2, 16), 8) : ((1, 16), 2)> at %t
    : !tile.view<f32, global, (16, 16) : (?{div = 4}, 1), align = 16>
  return %0, %1, %2 : !tile.view<f32, global, (4, 1, 2) : (1, 1, ?{div = 32}), align = 16>,
      !tile.view<f32, global, (2, 4) : (1, 4), align = 8>,
      !tile.view<f32, global, 8 : ?{div = 8}, align = 4>
}

// Elements that follow one another downwards: the last byte of the first one is
// the first one, so that the base moves there. Words stay words.
// CHECK-LABEL: @recast_downwards
func.func @recast_downwards(%v: !tile.view<i32, global, 8 : -1, align = 16>,
                            %w: !tile.view<f64, global, (?, 8) : (?, -1), align = 16>,
                            %one: !tile.view<i32, global, (1, 8) : (1, -1)>,
                            %far: !tile.view<i8, global, (64, 8) : (1, -64), align = 16>)
    -> (!tile.view<i8, global, 32 : -1>,
        !tile.view<i32, global, (?, 16) : (?{div = 2}, -1), align = 4>,
        !tile.view<i8, global, (1, 32) : (0, -1)>,
        !tile.view<i32, global, (16, 8) : (1, -16), align = 16>) {
  %0 = tile.view_recast %v to i8 : !tile.view<i32, global, 8 : -1, align = 16>
  %1 = tile.view_recast %w to i32 : !tile.view<f64, global, (?, 8) : (?, -1), align = 16>
  %2 = tile.view_recast %one to i8 : !tile.view<i32, global, (1, 8) : (1, -1)>
  %3 = tile.view_recast %far to i32 : !tile.view<i8, global, (64, 8) : (1, -64), align = 16>
  return %0, %1, %2, %3 : !tile.view<i8, global, 32 : -1>,
      !tile.view<i32, global, (?, 16) : (?{div = 2}, -1), align = 4>,
      !tile.view<i8, global, (1, 32) : (0, -1)>,
      !tile.view<i32, global, (16, 8) : (1, -16), align = 16>
}

// The base keeps its alignment; the swizzle counts in the new elements.
// CHECK-LABEL: @recast
func.func @recast(%v: !tile.view<f32, global, (?, 8) : (?, 1)>, %s: !tile.view<bf16, shared, S<3, 3, 3> o 0 o (8, 64) : (64, 1), align = 1024>)
    -> (!tile.view<i8, global, (?, 32) : (?{div = 4}, 1), align = 4>,
        !tile.view<f32, shared, S<3, 2, 3> o 0 o (8, 32) : (32, 1), align = 1024>) {
  // CHECK: tile.view_recast %{{.*}} to i8 : <f32, global,
  %0 = tile.view_recast %v to i8 : !tile.view<f32, global, (?, 8) : (?, 1)>
  // CHECK: tile.view_recast %{{.*}} to f32 : <bf16, shared,
  %1 = tile.view_recast %s to f32 : !tile.view<bf16, shared, S<3, 3, 3> o 0 o (8, 64) : (64, 1), align = 1024>
  return %0, %1 : !tile.view<i8, global, (?, 32) : (?{div = 4}, 1), align = 4>,
      !tile.view<f32, shared, S<3, 2, 3> o 0 o (8, 32) : (32, 1), align = 1024>
}
