// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layouts that no descriptor of wgmma and no stmatrix expresses: one error each.
// RUN: tile-opt %s --tile-lower-warpgroups -verify-diagnostics -split-input-file

!a = !tile.view<bf16, shared, (64, 16) : (0, 0), align = 1024>
!b = !tile.view<bf16, shared, (8, 16) : (16, 1), align = 1024>
!acc = !tile.accumulator<#tile.wgmma<n = 8, a = bf16, b = bf16, acc = f32>, count = [1, 1]>
func.func @broadcast(%a: !a, %b: !b) -> !acc {
  // expected-error @below {{expected a layout of A that a descriptor expresses: expected elements of 2 bytes contiguous along mn or k, but got steps of 0 and 0 bytes}}
  %0 = tile.warpgroup_mma %a, %b : !a, !b -> !acc
  return %0 : !acc
}

// -----

!a = !tile.view<bf16, shared, (64, 16) : (16, 1), align = 2>
!b = !tile.view<bf16, shared, (8, 16) : (16, 1), align = 1024>
!acc = !tile.accumulator<#tile.wgmma<n = 8, a = bf16, b = bf16, acc = f32>, count = [1, 1]>
func.func @unaligned(%a: !a, %b: !b) -> !acc {
  // expected-error @below {{expected a layout of A that a descriptor expresses: expected a base aligned to 16 bytes, but got 2}}
  %0 = tile.warpgroup_mma %a, %b : !a, !b -> !acc
  return %0 : !acc
}

// -----

!a = !tile.view<bf16, shared, S<3, 4, 3> o 0 o (64, 64) : (64, 1), align = 2048>
!b = !tile.view<bf16, shared, S<3, 3, 3> o 0 o (8, 64) : (64, 1), align = 1024>
!acc = !tile.accumulator<#tile.wgmma<n = 8, a = bf16, b = bf16, acc = f32>, count = [1, 1]>
func.func @another_swizzle(%a: !a, %b: !b) -> !acc {
  // expected-error @below {{expected a layout of A that a descriptor expresses: expected a swizzle S<b, 3, 3> with b from 1 to 3 for 16-bit elements, but got S<3, 4, 3>}}
  %0 = tile.warpgroup_mma %a, %b : !a, !b -> !acc
  return %0 : !acc
}

// -----

!a = !tile.view<bf16, shared, S<1, 3, 3> o 0 o (64, 16) : (16, 1), align = 1024>
!b = !tile.view<bf16, shared, S<3, 3, 3> o 0 o (8, 16) : (16, 1), align = 1024>
!acc = !tile.accumulator<#tile.wgmma<n = 8, a = bf16, b = bf16, acc = f32>, count = [1, 1]>
func.func @narrow_rows_in_a_wide_swizzle(%a: !a, %b: !b) -> !acc {
  // expected-error @below {{expected a layout of B that a descriptor expresses: expected element (1, 0) at byte 144, where wgmma reads it, but got byte 32}}
  %0 = tile.warpgroup_mma %a, %b : !a, !b -> !acc
  return %0 : !acc
}

// -----

!a = !tile.view<bf16, shared, S<3, 3, 3> o 0 o ((64, 2), 64) : ((64, 4100), 1), align = 1024>
!b = !tile.view<bf16, shared, S<3, 3, 3> o 0 o (8, 64) : (64, 1), align = 1024>
!acc = !tile.accumulator<#tile.wgmma<n = 8, a = bf16, b = bf16, acc = f32>, count = [2, 1]>
func.func @sub_tiles_apart(%a: !a, %b: !b) -> !acc {
  // expected-error @below {{expected sub-tiles of A that lie alike: expected the sub-tile at (64, 0) to start at a multiple of 16 from 0 to 262128 bytes, but got 8200}}
  %0 = tile.warpgroup_mma %a, %b : !a, !b -> !acc
  return %0 : !acc
}

// -----

!a = !tile.view<f8E5M2, shared, S<3, 4, 3> o 0 o (64, 64) : (1, 64), align = 1024>
!b = !tile.view<f8E5M2, shared, S<3, 4, 3> o 0 o (8, 64) : (64, 1), align = 1024>
!acc = !tile.accumulator<#tile.wgmma<n = 8, a = f8E5M2, b = f8E5M2, acc = f32>, count = [1, 1]>
func.func @eight_bits_along_m(%a: !a, %b: !b) -> !acc {
  // expected-error @below {{expected a layout of A that a descriptor expresses: expected 16-bit elements in an operand that is contiguous along mn, but got 8-bit ones}}
  %0 = tile.warpgroup_mma %a, %b : !a, !b -> !acc
  return %0 : !acc
}

// -----

!a = !tile.view<bf16, shared, (64, 1099511627776) : (64, 1), align = 1024>
!b = !tile.view<bf16, shared, (8, 1099511627776) : (64, 1), align = 1024>
!acc = !tile.accumulator<#tile.wgmma<n = 8, a = bf16, b = bf16, acc = f32>, count = [1, 1]>
func.func @huge_extent(%a: !a, %b: !b) -> !acc {
  // expected-error @below {{expected a layout of A that a descriptor expresses: expected at most 262144 coordinates a mode, but got 1099511627776}}
  %0 = tile.warpgroup_mma %a, %b : !a, !b -> !acc
  return %0 : !acc
}

// -----

!a = !tile.view<bf16, shared, (64, 16) : (9223372036854775807, 1), align = 1024>
!b = !tile.view<bf16, shared, (8, 16) : (16, 1), align = 1024>
!acc = !tile.accumulator<#tile.wgmma<n = 8, a = bf16, b = bf16, acc = f32>, count = [1, 1]>
func.func @huge_stride(%a: !a, %b: !b) -> !acc {
  // expected-error @below {{expected a layout of A that a descriptor expresses: expected offsets within 1099511627776 bytes, but got extent 64 at stride 9223372036854775807}}
  %0 = tile.warpgroup_mma %a, %b : !a, !b -> !acc
  return %0 : !acc
}

// -----

!a = !tile.view<f32, shared, S<3, 2, 3> o 0 o (64, 32) : (1, 64), align = 1024>
!b = !tile.view<f32, shared, S<3, 2, 3> o 0 o (8, 32) : (32, 1), align = 1024>
!acc = !tile.accumulator<#tile.wgmma<n = 8, a = tf32, b = tf32, acc = f32>, count = [1, 1]>
func.func @tf32_along_m(%a: !a, %b: !b) -> !acc {
  // expected-error @below {{expected a layout of A that a descriptor expresses: expected 16-bit elements in an operand that is contiguous along mn, but got 32-bit ones}}
  %0 = tile.warpgroup_mma %a, %b : !a, !b -> !acc
  return %0 : !acc
}

// -----

!b = !tile.view<i8, shared, S<3, 4, 3> o 0 o (32, 128) : (1, 32), align = 1024>
!acc = !tile.accumulator<#tile.wgmma<n = 32, a = i8, b = ui8, acc = i32, a_in = register>, count = [1, 1]>
func.func @integers_along_n(%a: vector<64xi8>, %b: !b) -> !acc {
  // expected-error @below {{expected a layout of B that a descriptor expresses: expected 16-bit elements in an operand that is contiguous along mn, but got 8-bit ones}}
  %0 = tile.warpgroup_mma %a, %b : vector<64xi8>, !b -> !acc
  return %0 : !acc
}

// -----

!b = !tile.view<f32, shared, S<3, 3, 3> o 0 o (8, 32) : (32, 1), align = 2048>
!acc = !tile.accumulator<#tile.wgmma<n = 8, a = tf32, b = tf32, acc = f32, a_in = register>, count = [1, 1]>
func.func @swizzle_of_another_width(%a: vector<16xf32>, %b: !b) -> !acc {
  // expected-error @below {{expected a layout of B that a descriptor expresses: expected a swizzle S<b, 2, 3> with b from 1 to 3 for 32-bit elements, but got S<3, 3, 3>}}
  %0 = tile.warpgroup_mma %a, %b : vector<16xf32>, !b -> !acc
  return %0 : !acc
}
