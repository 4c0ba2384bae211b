// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tilers of run time, products and complements of swizzled layouts, ranks, tuples:
// each rule, once.
// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @tiler_operand_count(%a: !tile.layout<(4, 8) : (8, 1)>) {
  // expected-error @below {{expected one operand for each run-time leaf, but got 0}}
  %0 = "tile.composition"(%a) <{operandSegmentSizes = array<i32: 1, 0, 0>, by = #tile.tiler<?, 8>}> : (!tile.layout<(4, 8) : (8, 1)>) -> !tile.layout<(?, 8) : (8, 1)>
  return
}

// -----

func.func @tiler_unknown_extent(%a: !tile.layout<(32, 8) : (8, 1)>, %n: index) {
  // expected-error @below {{expected a tile that divides extent 32 of mode [0], but got ?}}
  %0 = tile.zipped_divide %a by <%n, 8> : !tile.layout<(32, 8) : (8, 1)>
  return
}

// -----

func.func @complement_offset(%l: !tile.layout<S<2, 0, 3> o 32 o (8, 8) : (8, 1)>) {
  // expected-error @below {{expected offset 0, but got 32}}
  %0 = tile.complement %l in 128 : !tile.layout<S<2, 0, 3> o 32 o (8, 8) : (8, 1)>
  return
}

// -----

func.func @blocked_product_of_swizzled(%l: !tile.layout<S<2, 1, 3> o 0 o (4, 4) : (1, 16)>, %b: !tile.layout<(4, 1) : (1, 0)>) {
  // expected-error @below {{expected repetitions that are swizzled as the block is, as at multiples of the swizzle's period 64, but in the one at 4 element 8 is at 28 from the first instead of 36}}
  %0 = tile.blocked_product %l, %b : !tile.layout<S<2, 1, 3> o 0 o (4, 4) : (1, 16)>, !tile.layout<(4, 1) : (1, 0)>
  return
}

// -----

func.func @raked_product_by_swizzled(%l: !tile.layout<(2, 2) : (1, 2)>, %b: !tile.layout<S<2, 0, 3> o 0 o (2, 8) : (8, 1)>) {
  // expected-error @below {{expected a layout without swizzle and offset, but got S<2, 0, 3> o 0 o (2, 8) : (8, 1)}}
  %0 = tile.raked_product %l, %b : !tile.layout<(2, 2) : (1, 2)>, !tile.layout<S<2, 0, 3> o 0 o (2, 8) : (8, 1)>
  return
}

// -----

func.func @append_rank_zero(%l: !tile.layout<(4, 8) : (8, 1)>) {
  // expected-error @below {{expected a rank between 1 and 64, but got 0}}
  %0 = tile.append_rank %l to 0 : !tile.layout<(4, 8) : (8, 1)>
  return
}

// -----

func.func @prepend_rank_huge(%l: !tile.layout<(4, 8) : (8, 1)>) {
  // expected-error @below {{expected a rank between 1 and 64, but got 65}}
  %0 = tile.prepend_rank %l to 65 : !tile.layout<(4, 8) : (8, 1)>
  return
}

// -----

func.func @zip_of_unequal_modes(%l: !tile.layout<((2, 2), (2, 2, 2)) : ((1, 2), (4, 8, 16))>) {
  // expected-error @below {{expected modes of the same rank to zip, but got ((2, 2), (2, 2, 2))}}
  %0 = tile.zip %l : !tile.layout<((2, 2), (2, 2, 2)) : ((1, 2), (4, 8, 16))>
  return
}

// -----

func.func @distribute_to_nobody() {
  // expected-error @below {{expected a constant shape and a positive constant count, but got (15, 14) and 0}}
  %0 = tile.domain_distribute (15, 14) over 0
  return
}

// -----

func.func @max_alignment_of_coordinates(%l: !tile.layout<8 : 1@e0>) {
  // expected-error @below {{expected integer strides, but got 1@0}}
  %0 = tile.max_alignment %l : !tile.layout<8 : 1@e0>
  return
}

// -----

func.func @fragment_of_unknown_order(%l: !tile.layout<(4, 8, 2) : (8, ?, 1)>) {
  // expected-error @below {{expected constant integer strides to order by, but got (?, 1)}}
  %0 = tile.make_fragment_like %l : !tile.layout<(4, 8, 2) : (8, ?, 1)>
  return
}

// -----

func.func @sum_wildcard() {
  // expected-error @below {{expected a tuple of integers, but got (4, _)}}
  %0 = tile.sum (4, _)
  return
}

// -----

func.func @sum_overflows(%i: index) {
  // expected-error @below {{expected a sum of 9223372036854775807 and 1 that fits in 64 bits, but it overflows}}
  %0 = tile.sum (9223372036854775807, (1, 1))
  return
}

// -----

func.func @product_each_basis() {
  // expected-error @below {{expected a tuple of integers, but got 2@0}}
  %0 = tile.product_each 2@e0
  return
}

// -----

func.func @elem_scale_rank() {
  // expected-error @below {{expected tuples of matching nesting, but got (2, 3) and 4}}
  %0:2 = tile.elem_scale (2, 3), 4
  return
}
