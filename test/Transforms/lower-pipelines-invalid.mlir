// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensor copies of tiles that do not consist of boxes: one error each.
// RUN: tile-opt %s --tile-lower-pipelines -verify-diagnostics -split-input-file

!v = !tile.view<bf16, shared, (8, 64) : (64, 1)>
func.func @unaligned(%map: !llvm.ptr, %v: !v, %x: i32) {
  // expected-error @below {{cannot copy the tile in boxes: expected a base aligned to 128 bytes, but got 2}}
  tile.tma_store %v to %map[%x, %x] contiguous(1) : !v
  return
}

// -----

!v = !tile.view<bf16, shared, (8, 64) : (64, 1), align = 1024>
func.func @rows_instead_of_columns(%map: !llvm.ptr, %v: !v, %x: i32, %p: !tile.pipeline<stages = 2>, %s: !tile.pipeline_state<stages = 2>) {
  // expected-error @below {{expected rows that are contiguous in shared memory as in global memory, but got a step of 128 bytes}}
  tile.tma_load %map[%x, %x] to %v, %p[%s] contiguous(0) : !v, !tile.pipeline<stages = 2>
  return
}

// -----

!v = !tile.view<bf16, shared, (7, 9) : (9, 1), align = 1024>
func.func @prefetch_of_rows_of_18_bytes(%map: !llvm.ptr, %v: !v, %x: i32) {
  // expected-error @below {{cannot copy the tile in boxes: expected box rows of a multiple of 16 bytes, but got 18}}
  tile.tma_prefetch %map[%x, %x] for %v contiguous(1) : !v
  return
}

// -----

!v = !tile.view<bf16, shared, (7, 9) : (9, 1), align = 1024>
func.func @rows_of_18_bytes(%map: !llvm.ptr, %v: !v, %x: i32) {
  // expected-error @below {{expected box rows of a multiple of 16 bytes, but got 18}}
  tile.tma_store %v to %map[%x, %x] contiguous(1) : !v
  return
}

// -----

// T06: a padded tile of a swizzle's width.
!v = !tile.view<bf16, shared, S<3, 3, 3> o 0 o (8, 128) : (128, 1), align = 1024>
func.func @rows_wider_than_the_swizzle(%map: !llvm.ptr, %v: !v, %x: i32) {
  // expected-error @below {{expected box rows of 128 bytes (the swizzle span), but got a pitch of 256 bytes between rows}}
  tile.tma_store %v to %map[%x, %x] contiguous(1) : !v
  return
}

// -----

!v = !tile.view<bf16, shared, S<3, 3, -3> o 0 o (8, 64) : (64, 1), align = 1024>
func.func @another_swizzle(%map: !llvm.ptr, %v: !v, %x: i32) {
  // expected-error @below {{expected a swizzle S<b, 3, 3> with b from 1 to 3 for 16-bit elements, but got S<3, 3, -3>}}
  tile.tma_store %v to %map[%x, %x] contiguous(1) : !v
  return
}

// -----

!v = !tile.view<bf16, shared, (1099511627776, 64) : (64, 1), align = 1024>
func.func @huge_extent(%map: !llvm.ptr, %v: !v, %x: i32) {
  // expected-error @below {{expected at most 262144 coordinates a mode, but got 1099511627776}}
  tile.tma_store %v to %map[%x, %x] contiguous(1) : !v
  return
}

// -----

!v = !tile.view<bf16, shared, (8, 8) : (9223372036854775807, 1), align = 1024>
func.func @huge_stride(%map: !llvm.ptr, %v: !v, %x: i32) {
  // expected-error @below {{expected offsets within 1099511627776 bytes, but got extent 8 at stride 9223372036854775807}}
  tile.tma_store %v to %map[%x, %x] contiguous(1) : !v
  return
}

// -----

!v = !tile.view<i128, shared, (8, 8) : (8, 1), align = 1024>
func.func @elements_of_16_bytes(%map: !llvm.ptr, %v: !v, %x: i32) {
  // expected-error @below {{expected elements of 8, 16, 32 or 64 bits, but got 128}}
  tile.tma_store %v to %map[%x, %x] contiguous(1) : !v
  return
}
