// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accumulators and operations of a warpgroup: each rule, once.
// RUN: tile-opt %s -verify-diagnostics -split-input-file

// expected-error @below {{expected the number of atoms along (M, N), but got 1 numbers}}
func.func private @count_rank(!tile.accumulator<#tile.wgmma<n = 128, a = bf16, b = bf16, acc = f32>, count = [1]>)

// -----

// expected-error @below {{expected between 1 and 4 atoms, but got 0}}
func.func private @count_zero(!tile.accumulator<#tile.wgmma<n = 128, a = bf16, b = bf16, acc = f32>, count = [0, 1]>)

// -----

// expected-error @below {{expected between 1 and 4 atoms, but got 5}}
func.func private @count_too_large(!tile.accumulator<#tile.wgmma<n = 8, a = bf16, b = bf16, acc = f32>, count = [1, 5]>)

// -----

// expected-error @below {{expected between 1 and 4 atoms, but got 9223372036854775807}}
func.func private @count_huge(!tile.accumulator<#tile.wgmma<n = 8, a = bf16, b = bf16, acc = f32>, count = [9223372036854775807, 1]>)

// -----

// expected-error @below {{expected at most 256 registers of a thread, but 3 × 1 atoms need 384}}
func.func private @too_many_registers(!tile.accumulator<#tile.wgmma<n = 256, a = bf16, b = bf16, acc = f32>, count = [3, 1]>)

// -----

!a = !tile.view<bf16, shared, S<3, 3, 3> o 0 o (64, 64) : (64, 1), align = 1024>
!b = !tile.view<bf16, shared, S<3, 3, 3> o 0 o (128, 64) : (64, 1), align = 1024>
func.func @multiply_of_other_accumulators(%a: !a, %b: !b, %acc: !tile.accumulator<#tile.wgmma<n = 64, a = bf16, b = bf16, acc = f32>, count = [1, 1]>) {
  // expected-error @below {{expected accumulators of the result's type, '!tile.accumulator<<n = 128, a = bf16, b = bf16, acc = f32>, count = [1, 1]>', but got '!tile.accumulator<<n = 64, a = bf16, b = bf16, acc = f32>, count = [1, 1]>'}}
  %0 = tile.warpgroup_mma %a, %b acc(%acc : !tile.accumulator<#tile.wgmma<n = 64, a = bf16, b = bf16, acc = f32>, count = [1, 1]>) : !a, !b -> !tile.accumulator<#tile.wgmma<n = 128, a = bf16, b = bf16, acc = f32>, count = [1, 1]>
  return
}

// -----

!a = !tile.view<bf16, global, (64, 64) : (64, 1)>
!b = !tile.view<bf16, shared, S<3, 3, 3> o 0 o (128, 64) : (64, 1), align = 1024>
func.func @multiply_of_global_memory(%a: !a, %b: !b) {
  // expected-error @below {{expected A to be a static view of shared memory with dimensions (M, K), but got}}
  %0 = tile.warpgroup_mma %a, %b : !a, !b -> !tile.accumulator<#tile.wgmma<n = 128, a = bf16, b = bf16, acc = f32>, count = [1, 1]>
  return
}

// -----

!a = !tile.view<bf16, shared, (?, 64) : (64, 1)>
!b = !tile.view<bf16, shared, S<3, 3, 3> o 0 o (128, 64) : (64, 1), align = 1024>
func.func @multiply_of_a_dynamic_view(%a: !a, %b: !b) {
  // expected-error @below {{expected A to be a static view of shared memory with dimensions (M, K), but got}}
  %0 = tile.warpgroup_mma %a, %b : !a, !b -> !tile.accumulator<#tile.wgmma<n = 128, a = bf16, b = bf16, acc = f32>, count = [1, 1]>
  return
}

// -----

!a = !tile.view<bf16, shared, S<3, 3, 3> o 0 o (64, 64) : (64, 1), align = 1024>
!b = !tile.view<bf16, shared, (128, 64) : (?, 1)>
func.func @multiply_of_a_dynamic_stride(%a: !a, %b: !b) {
  // expected-error @below {{expected B to be a static view of shared memory with dimensions (N, K), but got}}
  %0 = tile.warpgroup_mma %a, %b : !a, !b -> !tile.accumulator<#tile.wgmma<n = 128, a = bf16, b = bf16, acc = f32>, count = [1, 1]>
  return
}

// -----

!a = !tile.view<bf16, shared, S<3, 3, 3> o 0 o (64, 64) : (64, 1), align = 1024>
!b = !tile.view<bf16, shared, (128, 64, 2) : (64, 1, 8192)>
func.func @multiply_of_a_ring(%a: !a, %b: !b) {
  // expected-error @below {{expected B to be a static view of shared memory with dimensions (N, K), but got}}
  %0 = tile.warpgroup_mma %a, %b : !a, !b -> !tile.accumulator<#tile.wgmma<n = 128, a = bf16, b = bf16, acc = f32>, count = [1, 1]>
  return
}

// -----

!a = !tile.view<bf16, shared, 64 : 1>
!b = !tile.view<bf16, shared, S<3, 3, 3> o 0 o (128, 64) : (64, 1), align = 1024>
func.func @multiply_of_a_line(%a: !a, %b: !b) {
  // expected-error @below {{expected A to be a static view of shared memory with dimensions (M, K), but got}}
  %0 = tile.warpgroup_mma %a, %b : !a, !b -> !tile.accumulator<#tile.wgmma<n = 128, a = bf16, b = bf16, acc = f32>, count = [1, 1]>
  return
}

// -----

!a = !tile.view<f16, shared, (64, 64) : (64, 1)>
!b = !tile.view<bf16, shared, S<3, 3, 3> o 0 o (128, 64) : (64, 1), align = 1024>
func.func @multiply_of_another_type(%a: !a, %b: !b) {
  // expected-error @below {{expected A to have the atom's element type 'bf16', but got 'f16'}}
  %0 = tile.warpgroup_mma %a, %b : !a, !b -> !tile.accumulator<#tile.wgmma<n = 128, a = bf16, b = bf16, acc = f32>, count = [1, 1]>
  return
}

// -----

!a = !tile.view<bf16, shared, S<3, 3, 3> o 0 o (64, 64) : (64, 1), align = 1024>
!b = !tile.view<f16, shared, (128, 64) : (64, 1)>
func.func @multiply_of_another_type_of_b(%a: !a, %b: !b) {
  // expected-error @below {{expected B to have the atom's element type 'bf16', but got 'f16'}}
  %0 = tile.warpgroup_mma %a, %b : !a, !b -> !tile.accumulator<#tile.wgmma<n = 128, a = bf16, b = bf16, acc = f32>, count = [1, 1]>
  return
}

// -----

!a = !tile.view<bf16, shared, S<3, 3, 3> o 0 o (128, 64) : (64, 1), align = 1024>
!b = !tile.view<bf16, shared, S<3, 3, 3> o 0 o (128, 64) : (64, 1), align = 1024>
func.func @multiply_of_other_rows(%a: !a, %b: !b) {
  // expected-error @below {{expected A to have 64 elements along M, as the accumulators, but got 128}}
  %0 = tile.warpgroup_mma %a, %b : !a, !b -> !tile.accumulator<#tile.wgmma<n = 128, a = bf16, b = bf16, acc = f32>, count = [1, 1]>
  return
}

// -----

!a = !tile.view<bf16, shared, S<3, 3, 3> o 0 o (64, 64) : (64, 1), align = 1024>
!b = !tile.view<bf16, shared, S<3, 3, 3> o 0 o (64, 64) : (64, 1), align = 1024>
func.func @multiply_of_other_columns(%a: !a, %b: !b) {
  // expected-error @below {{expected B to have 128 elements along N, as the accumulators, but got 64}}
  %0 = tile.warpgroup_mma %a, %b : !a, !b -> !tile.accumulator<#tile.wgmma<n = 128, a = bf16, b = bf16, acc = f32>, count = [1, 1]>
  return
}

// -----

!a = !tile.view<bf16, shared, ((8, 8), 64) : ((64, 512), 1)>
!b = !tile.view<bf16, shared, S<3, 3, 3> o 0 o (128, 64) : (64, 1), align = 1024>
func.func @multiply_of_nested_rows(%a: !a, %b: !b) {
  // expected-error @below {{expected A to have 128 elements along M, as the accumulators, but got 64}}
  %0 = tile.warpgroup_mma %a, %b : !a, !b -> !tile.accumulator<#tile.wgmma<n = 128, a = bf16, b = bf16, acc = f32>, count = [2, 1]>
  return
}

// -----

!a = !tile.view<bf16, shared, S<3, 3, 3> o 0 o (64, 64) : (64, 1), align = 1024>
!b = !tile.view<bf16, shared, (128, 32) : (32, 1)>
func.func @multiply_of_different_k(%a: !a, %b: !b) {
  // expected-error @below {{expected A and B to have the same multiple of 16 elements along K, but got 64 and 32}}
  %0 = tile.warpgroup_mma %a, %b : !a, !b -> !tile.accumulator<#tile.wgmma<n = 128, a = bf16, b = bf16, acc = f32>, count = [1, 1]>
  return
}

// -----

!a = !tile.view<bf16, shared, (64, 24) : (24, 1)>
!b = !tile.view<bf16, shared, (128, 24) : (24, 1)>
func.func @multiply_of_half_a_k(%a: !a, %b: !b) {
  // expected-error @below {{expected A and B to have the same multiple of 16 elements along K, but got 24 and 24}}
  %0 = tile.warpgroup_mma %a, %b : !a, !b -> !tile.accumulator<#tile.wgmma<n = 128, a = bf16, b = bf16, acc = f32>, count = [1, 1]>
  return
}

// -----

!a = !tile.view<f8E5M2, shared, (64, 16) : (16, 1)>
!b = !tile.view<f8E4M3FN, shared, (128, 16) : (16, 1)>
func.func @multiply_of_half_a_k_of_8_bits(%a: !a, %b: !b) {
  // expected-error @below {{expected A and B to have the same multiple of 32 elements along K, but got 16 and 16}}
  %0 = tile.warpgroup_mma %a, %b : !a, !b -> !tile.accumulator<#tile.wgmma<n = 128, a = f8E5M2, b = f8E4M3FN, acc = f32>, count = [1, 1]>
  return
}

// -----

!b = !tile.view<bf16, shared, S<3, 3, 3> o 0 o (128, 64) : (64, 1), align = 1024>
func.func @fragment_where_the_atom_reads_memory(%a: vector<32xbf16>, %b: !b) {
  // expected-error @below {{expected A to be a view of shared memory, where the atom #tile.wgmma<n = 128, a = bf16, b = bf16, acc = f32> reads it, but got 'vector<32xbf16>'}}
  %0 = tile.warpgroup_mma %a, %b : vector<32xbf16>, !b -> !tile.accumulator<#tile.wgmma<n = 128, a = bf16, b = bf16, acc = f32>, count = [1, 1]>
  return
}

// -----

!a = !tile.view<bf16, shared, S<3, 3, 3> o 0 o (64, 64) : (64, 1), align = 1024>
func.func @view_where_the_atom_reads_registers(%a: !a) {
  // expected-error @below {{expected A to be a fragment in registers, where the atom #tile.wgmma<n = 64, a = bf16, b = bf16, acc = f32, a_in = register> reads it, but got '!tile.view<}}
  %0 = tile.warpgroup_mma %a, %a : !a, !a -> !tile.accumulator<#tile.wgmma<n = 64, a = bf16, b = bf16, acc = f32, a_in = register>, count = [1, 1]>
  return
}

// -----

!b = !tile.view<bf16, shared, S<3, 3, 3> o 0 o (64, 64) : (64, 1), align = 1024>
func.func @short_fragment(%a: vector<32xbf16>, %b: !b) {
  // expected-error @below {{expected A to be a fragment of type 'vector<64xbf16>', for 2 × 4 instructions along (M, K), but got 'vector<32xbf16>'}}
  %0 = tile.warpgroup_mma %a, %b : vector<32xbf16>, !b -> !tile.accumulator<#tile.wgmma<n = 64, a = bf16, b = bf16, acc = f32, a_in = register>, count = [2, 1]>
  return
}

// -----

!b = !tile.view<f32, shared, S<3, 2, 3> o 0 o (64, 32) : (32, 1), align = 1024>
func.func @fragment_of_another_type_of_a(%a: vector<16xtf32>, %b: !b) {
  // expected-error @below {{expected A to be a fragment of type 'vector<16xf32>', for 1 × 4 instructions along (M, K), but got 'vector<16xtf32>'}}
  %0 = tile.warpgroup_mma %a, %b : vector<16xtf32>, !b -> !tile.accumulator<#tile.wgmma<n = 64, a = tf32, b = tf32, acc = f32, a_in = register>, count = [1, 1]>
  return
}

// -----

!b = !tile.view<i8, shared, (64, 48) : (48, 1), align = 1024>
func.func @fragment_of_half_a_k(%a: vector<24xi8>, %b: !b) {
  // expected-error @below {{expected B to have a multiple of 32 elements along K up to 4096, but got 48}}
  %0 = tile.warpgroup_mma %a, %b : vector<24xi8>, !b -> !tile.accumulator<#tile.wgmma<n = 64, a = i8, b = i8, acc = i32, a_in = register>, count = [1, 1]>
  return
}

// -----

!b = !tile.view<bf16, shared, (64, 1099511627776) : (1, 0), align = 1024>
func.func @fragment_of_a_huge_k(%a: vector<32xbf16>, %b: !b) {
  // expected-error @below {{expected B to have a multiple of 16 elements along K up to 4096, but got 1099511627776}}
  %0 = tile.warpgroup_mma %a, %b : vector<32xbf16>, !b -> !tile.accumulator<#tile.wgmma<n = 64, a = bf16, b = bf16, acc = f32, a_in = register>, count = [1, 1]>
  return
}

// -----

!v = !tile.view<bf16, shared, (64, 64) : (64, 1), align = 1024>
func.func @multiply_of_bf16_as_tf32(%a: !v) {
  // expected-error @below {{expected A to have the atom's element type 'tf32', stored as 'f32', but got 'bf16'}}
  %0 = tile.warpgroup_mma %a, %a : !v, !v -> !tile.accumulator<#tile.wgmma<n = 64, a = tf32, b = tf32, acc = f32>, count = [1, 1]>
  return
}

// -----

!a = !tile.view<i8, shared, (64, 64) : (64, 1), align = 1024>
!b = !tile.view<f8E5M2, shared, (64, 64) : (64, 1), align = 1024>
func.func @multiply_of_floats_as_integers(%a: !a, %b: !b) {
  // expected-error @below {{expected B to have the atom's element type 'ui8', stored as 'i8', but got 'f8E5M2'}}
  %0 = tile.warpgroup_mma %a, %b : !a, !b -> !tile.accumulator<#tile.wgmma<n = 64, a = i8, b = ui8, acc = i32>, count = [1, 1]>
  return
}

// -----

func.func @multiply_of_a_number(%a: f32, %b: !tile.view<f32, shared, (64, 64) : (64, 1)>) {
  // expected-error @below {{operand #0 must be a view of shared memory or a fragment in registers, but got 'f32'}}
  %0 = "tile.warpgroup_mma"(%a, %b) : (f32, !tile.view<f32, shared, (64, 64) : (64, 1)>) -> !tile.accumulator<#tile.wgmma<n = 64, a = tf32, b = tf32, acc = f32>, count = [1, 1]>
  return
}

// -----

func.func @wait_for_eight(%acc: !tile.accumulator<#tile.wgmma<n = 128, a = bf16, b = bf16, acc = f32>, count = [1, 1]>) {
  // expected-error @below {{expected between 0 and 7 pending, but got 8}}
  %0 = tile.warpgroup_wait %acc pending(8) : !tile.accumulator<#tile.wgmma<n = 128, a = bf16, b = bf16, acc = f32>, count = [1, 1]>
  return
}

// -----

func.func @wait_for_less_than_none(%acc: !tile.accumulator<#tile.wgmma<n = 128, a = bf16, b = bf16, acc = f32>, count = [1, 1]>) {
  // expected-error @below {{expected between 0 and 7 pending, but got -1}}
  %0 = tile.warpgroup_wait %acc pending(-1) : !tile.accumulator<#tile.wgmma<n = 128, a = bf16, b = bf16, acc = f32>, count = [1, 1]>
  return
}

// -----

func.func @wait_gives_another_type(%acc: !tile.accumulator<#tile.wgmma<n = 128, a = bf16, b = bf16, acc = f32>, count = [1, 1]>) {
  // expected-error @below {{failed to verify that all of {acc, result} have same type}}
  %0 = "tile.warpgroup_wait"(%acc) <{pending = 0 : i64}> : (!tile.accumulator<#tile.wgmma<n = 128, a = bf16, b = bf16, acc = f32>, count = [1, 1]>) -> !tile.accumulator<#tile.wgmma<n = 64, a = bf16, b = bf16, acc = f32>, count = [1, 1]>
  return
}

// -----

func.func @fragment_of_another_size(%acc: !tile.accumulator<#tile.wgmma<n = 128, a = bf16, b = bf16, acc = f32>, count = [1, 1]>) {
  // expected-error @below {{expected a fragment of type 'vector<64xf32>', but got 'vector<32xf32>'}}
  %0 = tile.accumulator_fragment %acc : !tile.accumulator<#tile.wgmma<n = 128, a = bf16, b = bf16, acc = f32>, count = [1, 1]> -> vector<32xf32>
  return
}

// -----

func.func @fragment_of_another_type(%acc: !tile.accumulator<#tile.wgmma<n = 128, a = bf16, b = bf16, acc = f32>, count = [1, 1]>) {
  // expected-error @below {{expected a fragment of type 'vector<64xf32>', but got 'vector<64xbf16>'}}
  %0 = tile.accumulator_fragment %acc : !tile.accumulator<#tile.wgmma<n = 128, a = bf16, b = bf16, acc = f32>, count = [1, 1]> -> vector<64xbf16>
  return
}

// -----

func.func @fragment_scalable(%acc: !tile.accumulator<#tile.wgmma<n = 128, a = bf16, b = bf16, acc = f32>, count = [1, 1]>) {
  // expected-error @below {{expected a fragment of type 'vector<64xf32>', but got 'vector<[64]xf32>'}}
  %0 = tile.accumulator_fragment %acc : !tile.accumulator<#tile.wgmma<n = 128, a = bf16, b = bf16, acc = f32>, count = [1, 1]> -> vector<[64]xf32>
  return
}

// -----

func.func @not_an_accumulator(%acc: vector<64xf32>) {
  // expected-error @below {{operand #0 must be accumulators of a warpgroup, possibly still being written, but got 'vector<64xf32>'}}
  %0 = "tile.accumulator_fragment"(%acc) : (vector<64xf32>) -> vector<64xf32>
  return
}

// -----

func.func @store_to_global_memory(%x: vector<32xbf16>, %v: !tile.view<bf16, global, (64, 64) : (64, 1), align = 16>, %t: index) {
  // expected-error @below {{expected a static view of shared memory with two dimensions of 16-bit elements, but got}}
  tile.store_matrix %x, %v, %t : vector<32xbf16>, !tile.view<bf16, global, (64, 64) : (64, 1), align = 16>
  return
}

// -----

func.func @store_to_a_dynamic_view(%x: vector<32xbf16>, %v: !tile.view<bf16, shared, (?, 64) : (64, 1), align = 16>, %t: index) {
  // expected-error @below {{expected a static view of shared memory with two dimensions of 16-bit elements, but got}}
  tile.store_matrix %x, %v, %t : vector<32xbf16>, !tile.view<bf16, shared, (?, 64) : (64, 1), align = 16>
  return
}

// -----

func.func @store_to_a_dynamic_stride(%x: vector<32xbf16>, %v: !tile.view<bf16, shared, (64, 64) : (?, 1), align = 16>, %t: index) {
  // expected-error @below {{expected a static view of shared memory with two dimensions of 16-bit elements, but got}}
  tile.store_matrix %x, %v, %t : vector<32xbf16>, !tile.view<bf16, shared, (64, 64) : (?, 1), align = 16>
  return
}

// -----

func.func @store_to_a_line(%x: vector<32xbf16>, %v: !tile.view<bf16, shared, 64 : 1, align = 16>, %t: index) {
  // expected-error @below {{expected a static view of shared memory with two dimensions of 16-bit elements, but got}}
  tile.store_matrix %x, %v, %t : vector<32xbf16>, !tile.view<bf16, shared, 64 : 1, align = 16>
  return
}

// -----

func.func @store_to_three_dimensions(%x: vector<32xbf16>, %v: !tile.view<bf16, shared, (64, 64, 2) : (64, 1, 4096), align = 16>, %t: index) {
  // expected-error @below {{expected a static view of shared memory with two dimensions of 16-bit elements, but got}}
  tile.store_matrix %x, %v, %t : vector<32xbf16>, !tile.view<bf16, shared, (64, 64, 2) : (64, 1, 4096), align = 16>
  return
}

// -----

func.func @store_of_32_bits(%x: vector<32xf32>, %v: !tile.view<f32, shared, (64, 64) : (64, 1), align = 16>, %t: index) {
  // expected-error @below {{expected a static view of shared memory with two dimensions of 16-bit elements, but got}}
  tile.store_matrix %x, %v, %t : vector<32xf32>, !tile.view<f32, shared, (64, 64) : (64, 1), align = 16>
  return
}

// -----

func.func @store_of_8_bits(%x: vector<32xf8E5M2>, %v: !tile.view<f8E5M2, shared, (64, 64) : (64, 1), align = 16>, %t: index) {
  // expected-error @below {{expected a static view of shared memory with two dimensions of 16-bit elements, but got}}
  tile.store_matrix %x, %v, %t : vector<32xf8E5M2>, !tile.view<f8E5M2, shared, (64, 64) : (64, 1), align = 16>
  return
}

// -----

func.func @store_of_other_rows(%x: vector<32xbf16>, %v: !tile.view<bf16, shared, (128, 64) : (64, 1), align = 16>, %t: index) {
  // expected-error @below {{expected 64 rows and a multiple of 8 columns up to 256, as one wgmma has, but got 128 by 64}}
  tile.store_matrix %x, %v, %t : vector<32xbf16>, !tile.view<bf16, shared, (128, 64) : (64, 1), align = 16>
  return
}

// -----

func.func @store_of_half_a_matrix(%x: vector<6xbf16>, %v: !tile.view<bf16, shared, (64, 12) : (16, 1), align = 16>, %t: index) {
  // expected-error @below {{expected 64 rows and a multiple of 8 columns up to 256, as one wgmma has, but got 64 by 12}}
  tile.store_matrix %x, %v, %t : vector<6xbf16>, !tile.view<bf16, shared, (64, 12) : (16, 1), align = 16>
  return
}

// -----

func.func @store_of_too_many_columns(%x: vector<132xbf16>, %v: !tile.view<bf16, shared, (64, 264) : (264, 1), align = 16>, %t: index) {
  // expected-error @below {{expected 64 rows and a multiple of 8 columns up to 256, as one wgmma has, but got 64 by 264}}
  tile.store_matrix %x, %v, %t : vector<132xbf16>, !tile.view<bf16, shared, (64, 264) : (264, 1), align = 16>
  return
}

// -----

func.func @store_of_another_fragment(%x: vector<16xbf16>, %v: !tile.view<bf16, shared, (64, 64) : (64, 1), align = 16>, %t: index) {
  // expected-error @below {{expected a fragment of 32 elements of type 'bf16', but got 'vector<16xbf16>'}}
  tile.store_matrix %x, %v, %t : vector<16xbf16>, !tile.view<bf16, shared, (64, 64) : (64, 1), align = 16>
  return
}

// -----

func.func @store_of_another_type(%x: vector<32xf16>, %v: !tile.view<bf16, shared, (64, 64) : (64, 1), align = 16>, %t: index) {
  // expected-error @below {{expected a fragment of 32 elements of type 'bf16', but got 'vector<32xf16>'}}
  tile.store_matrix %x, %v, %t : vector<32xf16>, !tile.view<bf16, shared, (64, 64) : (64, 1), align = 16>
  return
}

// -----

func.func @store_of_two_dimensions(%x: vector<4x8xbf16>, %v: !tile.view<bf16, shared, (64, 64) : (64, 1), align = 16>, %t: index) {
  // expected-error @below {{expected a fragment of 32 elements of type 'bf16', but got 'vector<4x8xbf16>'}}
  tile.store_matrix %x, %v, %t : vector<4x8xbf16>, !tile.view<bf16, shared, (64, 64) : (64, 1), align = 16>
  return
}

// -----

func.func @store_scalable(%x: vector<[32]xbf16>, %v: !tile.view<bf16, shared, (64, 64) : (64, 1), align = 16>, %t: index) {
  // expected-error @below {{expected a fragment of 32 elements of type 'bf16', but got 'vector<[32]xbf16>'}}
  tile.store_matrix %x, %v, %t : vector<[32]xbf16>, !tile.view<bf16, shared, (64, 64) : (64, 1), align = 16>
  return
}

// -----

func.func @store_unaligned(%x: vector<32xbf16>, %v: !tile.view<bf16, shared, (64, 64) : (64, 1), align = 8>, %t: index) {
  // expected-error @below {{expected 8 contiguous elements, aligned to 16 bytes, along rows or columns, but got}}
  tile.store_matrix %x, %v, %t : vector<32xbf16>, !tile.view<bf16, shared, (64, 64) : (64, 1), align = 8>
  return
}

// -----

func.func @store_with_an_odd_pitch(%x: vector<32xbf16>, %v: !tile.view<bf16, shared, (64, 64) : (68, 1), align = 16>, %t: index) {
  // expected-error @below {{expected 8 contiguous elements, aligned to 16 bytes, along rows or columns, but got}}
  tile.store_matrix %x, %v, %t : vector<32xbf16>, !tile.view<bf16, shared, (64, 64) : (68, 1), align = 16>
  return
}

// -----

func.func @store_without_unit_stride(%x: vector<32xbf16>, %v: !tile.view<bf16, shared, (64, 64) : (128, 2), align = 16>, %t: index) {
  // expected-error @below {{expected 8 contiguous elements, aligned to 16 bytes, along rows or columns, but got}}
  tile.store_matrix %x, %v, %t : vector<32xbf16>, !tile.view<bf16, shared, (64, 64) : (128, 2), align = 16>
  return
}

// -----

func.func @store_of_short_units(%x: vector<32xbf16>, %v: !tile.view<bf16, shared, (64, (4, 16)) : (64, (1, 8)), align = 16>, %t: index) {
  // expected-error @below {{expected 8 contiguous elements, aligned to 16 bytes, along rows or columns, but got}}
  tile.store_matrix %x, %v, %t : vector<32xbf16>, !tile.view<bf16, shared, (64, (4, 16)) : (64, (1, 8)), align = 16>
  return
}

// -----

func.func @store_of_no_dimension(%x: vector<4xbf16>, %v: !tile.view<bf16, shared, ((), 8) : ((), 1), align = 16>, %t: index) {
  // expected-error @below {{expected 64 rows and a multiple of 8 columns up to 256, as one wgmma has, but got 1 by 8}}
  tile.store_matrix %x, %v, %t : vector<4xbf16>, !tile.view<bf16, shared, ((), 8) : ((), 1), align = 16>
  return
}

// -----

func.func @store_broken_up_by_a_swizzle(%x: vector<32xbf16>, %v: !tile.view<bf16, shared, S<2, 2, 3> o 0 o (64, 64) : (64, 1), align = 1024>, %t: index) {
  // expected-error @below {{expected a swizzle that keeps units of 8 elements, but got S<2, 2, 3>}}
  tile.store_matrix %x, %v, %t : vector<32xbf16>, !tile.view<bf16, shared, S<2, 2, 3> o 0 o (64, 64) : (64, 1), align = 1024>
  return
}
