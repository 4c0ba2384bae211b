// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pipelines and tensor copies: each rule of the types and operations, once.
// RUN: tile-opt %s -verify-diagnostics -split-input-file

// expected-error @below {{expected between 1 and 64 stages, but got 0}}
func.func private @no_stages(!tile.pipeline<stages = 0>)

// -----

// expected-error @below {{expected between 1 and 64 stages, but got 65}}
func.func private @too_many_stages(!tile.pipeline<stages = 65>)

// -----

// expected-error @below {{expected between 1 and 64 stages, but got -1}}
func.func private @state_of_negative_stages(!tile.pipeline_state<stages = -1>)

// -----

// expected-error @below {{expected between 1 and 64 stages, but got 9223372036854775807}}
func.func private @state_of_too_many_stages(!tile.pipeline_state<stages = 9223372036854775807>)

// -----

// expected-error @below {{integer value too large}}
func.func private @stages_beyond_64_bits(!tile.pipeline<stages = 99999999999999999999>)

// -----

// expected-error @below {{expected integer value}}
func.func private @stages_dynamic(!tile.pipeline<stages = ?>)

// -----

// expected-error @below {{expected 'stages'}}
func.func private @stages_unnamed(!tile.pipeline<4>)

// -----

func.func @barriers_in_global_memory(%b: !tile.view<i64, global, (4, 2) : (1, 4)>) {
  // expected-error @below {{expected two barriers of i64 in shared memory for each of 4 stages, (4, 2) : (1, 4), but got '!tile.view<i64, global, (4, 2) : (1, 4)>'}}
  %p = tile.make_pipeline %b producers(1) consumers(1) : !tile.view<i64, global, (4, 2) : (1, 4)> -> !tile.pipeline<stages = 4>
  return
}

// -----

func.func @barriers_of_32_bits(%b: !tile.view<i32, shared, (4, 2) : (1, 4)>) {
  // expected-error @below {{expected two barriers of i64 in shared memory for each of 4 stages, (4, 2) : (1, 4), but got}}
  %p = tile.make_pipeline %b producers(1) consumers(1) : !tile.view<i32, shared, (4, 2) : (1, 4)> -> !tile.pipeline<stages = 4>
  return
}

// -----

func.func @barriers_of_another_number(%b: !tile.view<i64, shared, (3, 2) : (1, 3)>) {
  // expected-error @below {{expected two barriers of i64 in shared memory for each of 4 stages, (4, 2) : (1, 4), but got}}
  %p = tile.make_pipeline %b producers(1) consumers(1) : !tile.view<i64, shared, (3, 2) : (1, 3)> -> !tile.pipeline<stages = 4>
  return
}

// -----

func.func @barriers_interleaved(%b: !tile.view<i64, shared, (4, 2) : (2, 1)>) {
  // expected-error @below {{expected two barriers of i64 in shared memory for each of 4 stages, (4, 2) : (1, 4), but got}}
  %p = tile.make_pipeline %b producers(1) consumers(1) : !tile.view<i64, shared, (4, 2) : (2, 1)> -> !tile.pipeline<stages = 4>
  return
}

// -----

func.func @barriers_dynamic(%b: !tile.view<i64, shared, (?, 2) : (1, 4)>) {
  // expected-error @below {{expected two barriers of i64 in shared memory for each of 4 stages, (4, 2) : (1, 4), but got}}
  %p = tile.make_pipeline %b producers(1) consumers(1) : !tile.view<i64, shared, (?, 2) : (1, 4)> -> !tile.pipeline<stages = 4>
  return
}

// -----

// A swizzle would move the barriers.
func.func @barriers_swizzled(%b: !tile.view<i64, shared, S<1, 0, 1> o 0 o (4, 2) : (1, 4), align = 32>) {
  // expected-error @below {{expected two barriers of i64 in shared memory for each of 4 stages, (4, 2) : (1, 4), but got}}
  %p = tile.make_pipeline %b producers(1) consumers(1) : !tile.view<i64, shared, S<1, 0, 1> o 0 o (4, 2) : (1, 4), align = 32> -> !tile.pipeline<stages = 4>
  return
}

// -----

func.func @no_producers(%b: !tile.view<i64, shared, (4, 2) : (1, 4)>) {
  // expected-error @below {{expected between 1 and 1048575 producers, but got 0}}
  %p = tile.make_pipeline %b producers(0) consumers(1) : !tile.view<i64, shared, (4, 2) : (1, 4)> -> !tile.pipeline<stages = 4>
  return
}

// -----

func.func @negative_consumers(%b: !tile.view<i64, shared, (4, 2) : (1, 4)>) {
  // expected-error @below {{expected between 1 and 1048575 consumers, but got -2}}
  %p = tile.make_pipeline %b producers(1) consumers(-2) : !tile.view<i64, shared, (4, 2) : (1, 4)> -> !tile.pipeline<stages = 4>
  return
}

// -----

func.func @too_many_consumers(%b: !tile.view<i64, shared, (4, 2) : (1, 4)>) {
  // expected-error @below {{expected between 1 and 1048575 consumers, but got 1048576}}
  %p = tile.make_pipeline %b producers(1) consumers(1048576) : !tile.view<i64, shared, (4, 2) : (1, 4)> -> !tile.pipeline<stages = 4>
  return
}

// -----

func.func @negative_bytes(%p: !tile.pipeline<stages = 4>, %s: !tile.pipeline_state<stages = 4>) {
  // expected-error @below {{expected between 0 and 1048575 bytes, but got -1}}
  tile.pipeline_acquire %p[%s] bytes(-1) : !tile.pipeline<stages = 4>
  return
}

// -----

func.func @too_many_bytes(%p: !tile.pipeline<stages = 4>, %s: !tile.pipeline_state<stages = 4>) {
  // expected-error @below {{expected between 0 and 1048575 bytes, but got 1048576}}
  tile.pipeline_acquire %p[%s] bytes(1048576) : !tile.pipeline<stages = 4>
  return
}

// -----

// expected-note @below {{prior use here}}
func.func @state_of_another_pipeline(%p: !tile.pipeline<stages = 4>, %s: !tile.pipeline_state<stages = 3>) {
  // expected-error @below {{expects different type than prior uses: '!tile.pipeline_state<stages = 4>' vs '!tile.pipeline_state<stages = 3>'}}
  tile.pipeline_wait %p[%s] : !tile.pipeline<stages = 4>
  return
}

// -----

func.func @state_of_another_pipeline_generic(%p: !tile.pipeline<stages = 4>, %s: !tile.pipeline_state<stages = 3>) {
  // expected-error @below {{failed to verify that the state is one of the pipeline}}
  "tile.pipeline_release"(%p, %s) : (!tile.pipeline<stages = 4>, !tile.pipeline_state<stages = 3>) -> ()
  return
}

// -----

func.func @not_a_pipeline(%p: i32, %s: !tile.pipeline_state<stages = 3>) {
  // expected-error @below {{operand #0 must be ring of stages guarded by barriers in shared memory, but got 'i32'}}
  "tile.pipeline_release"(%p, %s) : (i32, !tile.pipeline_state<stages = 3>) -> ()
  return
}

// -----

func.func @not_a_pipeline_of_a_load(%map: !llvm.ptr, %v: !tile.view<bf16, shared, (8, 64) : (64, 1)>, %x: i32, %s: !tile.pipeline_state<stages = 3>) {
  // expected-error @below {{operand #4 must be ring of stages guarded by barriers in shared memory, but got 'i32'}}
  "tile.tma_load"(%map, %x, %x, %v, %x, %s) <{contiguous = 1 : i64, operandSegmentSizes = array<i32: 1, 2, 1, 1, 1, 0, 0>}> : (!llvm.ptr, i32, i32, !tile.view<bf16, shared, (8, 64) : (64, 1)>, i32, !tile.pipeline_state<stages = 3>) -> ()
  return
}

// -----

func.func @advance_to_another_type(%s: !tile.pipeline_state<stages = 3>) {
  // expected-error @below {{failed to verify that all of {state, result} have same type}}
  %0 = "tile.pipeline_advance"(%s) : (!tile.pipeline_state<stages = 3>) -> !tile.pipeline_state<stages = 4>
  return
}

// -----

func.func @load_to_global_memory(%map: !llvm.ptr, %v: !tile.view<bf16, global, (8, 64) : (64, 1)>, %x: i32, %p: !tile.pipeline<stages = 2>, %s: !tile.pipeline_state<stages = 2>) {
  // expected-error @below {{expected a static view of shared memory with two dimensions, but got '!tile.view<bf16, global, (8, 64) : (64, 1)>'}}
  tile.tma_load %map[%x, %x] to %v, %p[%s] contiguous(1) : !tile.view<bf16, global, (8, 64) : (64, 1)>, !tile.pipeline<stages = 2>
  return
}

// -----

func.func @load_to_a_dynamic_view(%map: !llvm.ptr, %v: !tile.view<bf16, shared, (?, 64) : (64, 1)>, %x: i32, %p: !tile.pipeline<stages = 2>, %s: !tile.pipeline_state<stages = 2>) {
  // expected-error @below {{expected a static view of shared memory with two dimensions, but got '!tile.view<bf16, shared, (?, 64) : (64, 1)>'}}
  tile.tma_load %map[%x, %x] to %v, %p[%s] contiguous(1) : !tile.view<bf16, shared, (?, 64) : (64, 1)>, !tile.pipeline<stages = 2>
  return
}

// -----

func.func @load_to_a_dynamic_stride(%map: !llvm.ptr, %v: !tile.view<bf16, shared, (8, 64) : (?, 1)>, %x: i32, %p: !tile.pipeline<stages = 2>, %s: !tile.pipeline_state<stages = 2>) {
  // expected-error @below {{expected a static view of shared memory with two dimensions, but got}}
  tile.tma_load %map[%x, %x] to %v, %p[%s] contiguous(1) : !tile.view<bf16, shared, (8, 64) : (?, 1)>, !tile.pipeline<stages = 2>
  return
}

// -----

func.func @load_to_one_dimension(%map: !llvm.ptr, %v: !tile.view<bf16, shared, 64 : 1>, %x: i32, %p: !tile.pipeline<stages = 2>, %s: !tile.pipeline_state<stages = 2>) {
  // expected-error @below {{expected a static view of shared memory with two dimensions, but got}}
  tile.tma_load %map[%x, %x] to %v, %p[%s] contiguous(1) : !tile.view<bf16, shared, 64 : 1>, !tile.pipeline<stages = 2>
  return
}

// -----

func.func @load_of_one_coordinate(%map: !llvm.ptr, %v: !tile.view<bf16, shared, (8, 64) : (64, 1)>, %x: i32, %p: !tile.pipeline<stages = 2>, %s: !tile.pipeline_state<stages = 2>) {
  // expected-error @below {{expected between 2 and 5 coordinates, but got 1}}
  tile.tma_load %map[%x] to %v, %p[%s] contiguous(1) : !tile.view<bf16, shared, (8, 64) : (64, 1)>, !tile.pipeline<stages = 2>
  return
}

// -----

func.func @load_contiguous(%map: !llvm.ptr, %v: !tile.view<bf16, shared, (8, 64) : (64, 1)>, %x: i32, %p: !tile.pipeline<stages = 2>, %s: !tile.pipeline_state<stages = 2>) {
  // expected-error @below {{expected contiguous to be 0 (rows) or 1 (columns), but got 2}}
  tile.tma_load %map[%x, %x] to %v, %p[%s] contiguous(2) : !tile.view<bf16, shared, (8, 64) : (64, 1)>, !tile.pipeline<stages = 2>
  return
}

// -----

// expected-note @below {{prior use here}}
func.func @load_of_a_mask_of_32_bits(%map: !llvm.ptr, %v: !tile.view<bf16, shared, (8, 64) : (64, 1)>, %x: i32, %p: !tile.pipeline<stages = 2>, %s: !tile.pipeline_state<stages = 2>) {
  // expected-error @below {{expects different type than prior uses: 'i16' vs 'i32'}}
  tile.tma_load %map[%x, %x] to %v, %p[%s] contiguous(1) multicast(%x) : !tile.view<bf16, shared, (8, 64) : (64, 1)>, !tile.pipeline<stages = 2>
  return
}

// -----

func.func @prefetch_for_global_memory(%map: !llvm.ptr, %v: !tile.view<bf16, global, (8, 64) : (64, 1)>, %x: i32) {
  // expected-error @below {{expected a static view of shared memory with two dimensions, but got '!tile.view<bf16, global, (8, 64) : (64, 1)>'}}
  tile.tma_prefetch %map[%x, %x] for %v contiguous(1) : !tile.view<bf16, global, (8, 64) : (64, 1)>
  return
}

// -----

func.func @prefetch_of_one_coordinate(%map: !llvm.ptr, %v: !tile.view<bf16, shared, (8, 64) : (64, 1)>, %x: i32) {
  // expected-error @below {{expected between 2 and 5 coordinates, but got 1}}
  tile.tma_prefetch %map[%x] for %v contiguous(1) : !tile.view<bf16, shared, (8, 64) : (64, 1)>
  return
}

// -----

func.func @store_of_six_coordinates(%map: !llvm.ptr, %v: !tile.view<bf16, shared, (8, 64) : (64, 1)>, %x: i32) {
  // expected-error @below {{expected between 2 and 5 coordinates, but got 6}}
  tile.tma_store %v to %map[%x, %x, %x, %x, %x, %x] contiguous(1) : !tile.view<bf16, shared, (8, 64) : (64, 1)>
  return
}

// -----

func.func @store_of_global_memory(%map: !llvm.ptr, %v: !tile.view<bf16, global, (8, 64) : (64, 1)>, %x: i32) {
  // expected-error @below {{expected a static view of shared memory with two dimensions, but got}}
  tile.tma_store %v to %map[%x, %x] contiguous(1) : !tile.view<bf16, global, (8, 64) : (64, 1)>
  return
}

// -----

func.func @store_contiguous(%map: !llvm.ptr, %v: !tile.view<bf16, shared, (8, 64) : (64, 1)>, %x: i32) {
  // expected-error @below {{expected contiguous to be 0 (rows) or 1 (columns), but got -1}}
  tile.tma_store %v to %map[%x, %x] contiguous(-1) : !tile.view<bf16, shared, (8, 64) : (64, 1)>
  return
}

// -----

func.func @cluster_view_of_global_memory(%v: !tile.view<f32, global, (4, 128) : (1, 4)>, %block: i32) {
  // expected-error @below {{expected a view of shared memory without a swizzle, but got '!tile.view<f32, global, (4, 128) : (1, 4)>'}}
  %0 = tile.cluster_view %v of %block : !tile.view<f32, global, (4, 128) : (1, 4)>
  return
}

// -----

func.func @cluster_view_behind_a_swizzle(%v: !tile.view<bf16, shared, S<3, 3, 3> o 0 o (8, 64) : (64, 1), align = 1024>, %block: i32) {
  // expected-error @below {{expected a view of shared memory without a swizzle, but got}}
  %0 = tile.cluster_view %v of %block : !tile.view<bf16, shared, S<3, 3, 3> o 0 o (8, 64) : (64, 1), align = 1024>
  return
}
