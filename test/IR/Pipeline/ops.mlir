// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pipelines and tensor copies: every form prints as it is read.
// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: @types
// CHECK-SAME: !tile.pipeline<stages = 1>
// CHECK-SAME: !tile.pipeline<stages = 64>
// CHECK-SAME: !tile.pipeline_state<stages = 7>
func.func private @types(!tile.pipeline<stages = 1>, !tile.pipeline<stages = 64>, !tile.pipeline_state<stages = 7>)

// CHECK-LABEL: @make_pipeline
func.func @make_pipeline() -> !tile.pipeline<stages = 4> {
  // CHECK: %[[B:.*]] = tile.alloc_shared
  %b = tile.alloc_shared : !tile.view<i64, shared, (4, 2) : (1, 4), align = 8>
  // CHECK: tile.make_pipeline %[[B]] producers(1) consumers(256) : <i64, shared, (4, 2) : (1, 4), align = 8> -> <stages = 4>
  %p = tile.make_pipeline %b producers(1) consumers(256) : !tile.view<i64, shared, (4, 2) : (1, 4), align = 8> -> !tile.pipeline<stages = 4>
  return %p : !tile.pipeline<stages = 4>
}

// CHECK-LABEL: @states
// CHECK-SAME: (%[[N:.*]]: i32)
func.func @states(%n: i32) -> index {
  // CHECK: %[[S:.*]] = tile.pipeline_start %[[N]] : <stages = 3>
  %s = tile.pipeline_start %n : !tile.pipeline_state<stages = 3>
  // CHECK: %[[T:.*]] = tile.pipeline_advance %[[S]] : <stages = 3>
  %t = tile.pipeline_advance %s : !tile.pipeline_state<stages = 3>
  // CHECK: %[[U:.*]] = tile.pipeline_advance %[[T]] by %[[N]] : <stages = 3>
  %u = tile.pipeline_advance %t by %n : !tile.pipeline_state<stages = 3>
  // CHECK: tile.pipeline_stage %[[U]] : <stages = 3>
  %i = tile.pipeline_stage %u : !tile.pipeline_state<stages = 3>
  return %i : index
}

// The state's type follows from that of the pipeline.
// CHECK-LABEL: @barriers
// CHECK-SAME: (%[[P:.*]]: !tile.pipeline<stages = 2>, %[[S:.*]]: !tile.pipeline_state<stages = 2>, %[[RANK:.*]]: i32)
func.func @barriers(%p: !tile.pipeline<stages = 2>, %s: !tile.pipeline_state<stages = 2>, %rank: i32) {
  // CHECK: tile.pipeline_acquire %[[P]][%[[S]]] bytes(0) : <stages = 2>
  tile.pipeline_acquire %p[%s] bytes(0) : !tile.pipeline<stages = 2>
  // CHECK: tile.pipeline_acquire %[[P]][%[[S]]] bytes(1048575) : <stages = 2>
  tile.pipeline_acquire %p[%s] bytes(1048575) : !tile.pipeline<stages = 2>
  // CHECK: tile.pipeline_acquire %[[P]][%[[S]]] : <stages = 2>
  tile.pipeline_acquire %p[%s] : !tile.pipeline<stages = 2>
  // CHECK: tile.pipeline_commit %[[P]][%[[S]]] : <stages = 2>
  tile.pipeline_commit %p[%s] : !tile.pipeline<stages = 2>
  // CHECK: tile.pipeline_commit %[[P]][%[[S]]] of %[[RANK]] : <stages = 2>
  tile.pipeline_commit %p[%s] of %rank : !tile.pipeline<stages = 2>
  // CHECK: tile.pipeline_wait %[[P]][%[[S]]] : <stages = 2>
  tile.pipeline_wait %p[%s] : !tile.pipeline<stages = 2>
  // CHECK: tile.pipeline_release %[[P]][%[[S]]] : <stages = 2>
  tile.pipeline_release %p[%s] : !tile.pipeline<stages = 2>
  // CHECK: tile.pipeline_release %[[P]][%[[S]]] of %[[RANK]] : <stages = 2>
  tile.pipeline_release %p[%s] of %rank : !tile.pipeline<stages = 2>
  return
}

!tile_a = !tile.view<bf16, shared, S<3, 3, 3> o 0 o (128, 64) : (64, 1), align = 1024>

// CHECK-LABEL: @tensor_copies
// CHECK-SAME: (%[[MAP:.*]]: !llvm.ptr, %[[V:.*]]: !tile.view<bf16, shared, S<3, 3, 3> o 0 o (128, 64) : (64, 1), align = 1024>, %[[X:.*]]: i32, %[[MASK:.*]]: i16, %[[P:.*]]: !tile.pipeline<stages = 2>, %[[S:.*]]: !tile.pipeline_state<stages = 2>)
func.func @tensor_copies(%map: !llvm.ptr, %v: !tile_a, %x: i32, %mask: i16, %p: !tile.pipeline<stages = 2>, %s: !tile.pipeline_state<stages = 2>) {
  // CHECK: tile.tma_load %[[MAP]][%[[X]], %[[X]]] to %[[V]], %[[P]][%[[S]]] contiguous(1) : <bf16, shared, S<3, 3, 3> o 0 o (128, 64) : (64, 1), align = 1024>, <stages = 2>
  tile.tma_load %map[%x, %x] to %v, %p[%s] contiguous(1) : !tile_a, !tile.pipeline<stages = 2>
  // CHECK: tile.tma_load %[[MAP]][%[[X]], %[[X]], %[[X]], %[[X]], %[[X]]] to %[[V]], %[[P]][%[[S]]] contiguous(0) multicast(%[[MASK]]) : <
  tile.tma_load %map[%x, %x, %x, %x, %x] to %v, %p[%s] contiguous(0) multicast(%mask) : !tile_a, !tile.pipeline<stages = 2>
  // CHECK: tile.tma_prefetch %[[MAP]][%[[X]], %[[X]]] for %[[V]] contiguous(1) : <bf16, shared, S<3, 3, 3> o 0 o (128, 64) : (64, 1), align = 1024>
  tile.tma_prefetch %map[%x, %x] for %v contiguous(1) : !tile_a
  // CHECK: tile.tma_store %[[V]] to %[[MAP]][%[[X]], %[[X]], %[[X]]] contiguous(1) : <bf16
  tile.tma_store %v to %map[%x, %x, %x] contiguous(1) : !tile_a
  return
}

// CHECK-LABEL: @cluster_view
// CHECK-SAME: (%[[V:.*]]: !tile.view<f32, shared, (4, 128) : (1, 4), align = 16>, %[[BLOCK:.*]]: i32)
func.func @cluster_view(%v: !tile.view<f32, shared, (4, 128) : (1, 4), align = 16>, %block: i32) -> !tile.view<f32, cluster, (4, 128) : (1, 4), align = 16> {
  // CHECK: tile.cluster_view %[[V]] of %[[BLOCK]] : <f32, shared, (4, 128) : (1, 4), align = 16>
  %0 = tile.cluster_view %v of %block : !tile.view<f32, shared, (4, 128) : (1, 4), align = 16>
  return %0 : !tile.view<f32, cluster, (4, 128) : (1, 4), align = 16>
}
