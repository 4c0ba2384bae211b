// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layout operations: each rule, once.
// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @non_congruent(%i: index) {
  // expected-error @below {{expected shape and stride of the same nesting at mode [1], but got (2, 2) and 1}}
  %0 = tile.make_layout (%i, (2, 2)) : (1, 1)
  return
}

// -----

func.func @extent_zero(%i: index) {
  // expected-error @below {{expected a positive extent at mode [1], but got 0}}
  %0 = tile.make_layout (%i, 0) : (1, 1)
  return
}

// -----

func.func @run_time_leaf_without_value() {
  // expected-error @below {{expected an SSA value for each run-time leaf, but got `?`}}
  %0 = tile.make_layout (?, 8) : (1, 1)
  return
}

// -----

func.func @operand_divisor(%i: index) {
  // expected-error @below {{expected a positive divisor, but got 0}}
  %0 = tile.make_layout (%i {div = 0}, 8) : (1, 1)
  return
}

// -----

func.func @operand_count(%i: index) {
  // expected-error @below {{expected one operand for each run-time leaf, but got 1}}
  %0 = "tile.make_layout"(%i) <{operandSegmentSizes = array<i32: 1, 0>, shape = #tile.int_tuple<4>, stride = #tile.int_tuple<1>}> : (index) -> !tile.layout<4 : 1>
  return
}

// -----

func.func @missing_shape() {
  // expected-error @below {{requires attribute 'shape'}}
  %0 = "tile.make_layout"() : () -> !tile.layout<4 : 1>
  return
}

// -----

func.func @cosize_overflows(%l: !tile.layout<(4, 5) : (9223372036854775807, 1)>) {
  // expected-error @below {{expected a product of 3 and 9223372036854775807 that fits in 64 bits, but it overflows}}
  %0 = tile.cosize %l : !tile.layout<(4, 5) : (9223372036854775807, 1)>
  return
}

// -----

func.func @crd2idx_rank(%l: !tile.layout<(4, 8) : (8, 1)>) {
  // expected-error @below {{expected a coordinate that fits (4, 8), but got (1, 2, 3)}}
  %0 = tile.crd2idx (1, 2, 3), %l : !tile.layout<(4, 8) : (8, 1)>
  return
}

// -----

func.func @crd2idx_deeper_than_the_layout(%l: !tile.layout<(4, 8) : (8, 1)>) {
  // expected-error @below {{expected a coordinate that fits 8 at mode [1], but got (2, 3)}}
  %0 = tile.crd2idx (1, (2, 3)), %l : !tile.layout<(4, 8) : (8, 1)>
  return
}

// -----

func.func @crd2idx_wildcard(%l: !tile.layout<(4, 8) : (8, 1)>) {
  // expected-error @below {{expected an integer coordinate, but got `_`}}
  %0 = tile.crd2idx (1, _), %l : !tile.layout<(4, 8) : (8, 1)>
  return
}

// -----

func.func @crd2idx_basis(%l: !tile.layout<(4, 8) : (8, 1)>) {
  // expected-error @below {{expected an integer coordinate at mode [1], but got 1@0}}
  %0 = tile.crd2idx (1, 1@e0), %l : !tile.layout<(4, 8) : (8, 1)>
  return
}

// -----

func.func @crd2idx_coordinate_valued(%l: !tile.layout<(4, 8) : (1@e0, 1@e1)>) {
  // expected-error @below {{expected a layout with integer strides, but got a coordinate-valued one}}
  %0 = tile.crd2idx (1, 2), %l : !tile.layout<(4, 8) : (1@e0, 1@e1)>
  return
}

// -----

func.func @crd2idx_operand_count(%l: !tile.layout<(4, 8) : (8, 1)>) {
  // expected-error @below {{expected one operand for each run-time leaf, but got 0}}
  %0 = "tile.crd2idx"(%l) <{coord = #tile.int_tuple<(?, 1)>}> : (!tile.layout<(4, 8) : (8, 1)>) -> index
  return
}

// -----

func.func @crd2idx_overflows(%l: !tile.layout<4 : 3>) {
  // expected-error @below {{expected a product of 3 and 9223372036854775807 that fits in 64 bits, but it overflows}}
  %0 = tile.crd2idx 9223372036854775807, %l : !tile.layout<4 : 3>
  return
}

// -----

func.func @operand_missing(%i: index) {
  // expected-error @below {{expected one operand for each run-time leaf, but got 0}}
  %0 = "tile.make_layout"() <{operandSegmentSizes = array<i32: 0, 0>, shape = #tile.int_tuple<?>, stride = #tile.int_tuple<1>}> : () -> !tile.layout<? : 1>
  return
}

// -----

func.func @result_of_another_type() {
  // expected-error @below {{expected results of type ('!tile.layout<4 : 1>'), but got ('!tile.layout<5 : 1>')}}
  %0 = "tile.make_layout"() <{operandSegmentSizes = array<i32: 0, 0>, shape = #tile.int_tuple<4>, stride = #tile.int_tuple<1>}> : () -> !tile.layout<5 : 1>
  return
}

// -----

func.func @too_few_results(%i: index) {
  // expected-error @below {{expected results of type ('index', 'index'), but got ('index')}}
  %0 = "tile.idx2crd"(%i) <{operandSegmentSizes = array<i32: 1, 0>, index = #tile.int_tuple<?>, shape = #tile.int_tuple<(4, 8)>}> : (index) -> index
  return
}

// -----

func.func @algebra_of_another_type(%i: index) {
  // expected-error @below {{operand #0 must be layout}}
  %0 = "tile.coalesce"(%i) : (index) -> !tile.layout<4 : 1>
  return
}

// -----

func.func @query_of_another_type(%i: index) {
  // expected-error @below {{operand #0 must be layout}}
  %0 = "tile.size"(%i) : (index) -> index
  return
}

// -----

// The true value at (2, 1) is 8, which no layout of this shape gives.
func.func @composition_modes_carry(%a: !tile.layout<(6, 2) : (1, 7)>, %b: !tile.layout<(3, 2) : (2, 3)>) {
  // expected-error @below {{expected 8, but got 7}}
  %0 = tile.composition %a, %b : !tile.layout<(6, 2) : (1, 7)>, !tile.layout<(3, 2) : (2, 3)>
  return
}

// -----

func.func @composition_unknown_step(%a: !tile.layout<(?, 8) : (1, 3)>, %b: !tile.layout<4 : ?>) {
  // expected-error @below {{expected a step that is known to divide extent ? of the left-hand side or to be a multiple of it, but got ?}}
  %0 = tile.composition %a, %b : !tile.layout<(?, 8) : (1, 3)>, !tile.layout<4 : ?>
  return
}

// -----

func.func @divide_by_a_tile_that_does_not_divide(%a: !tile.layout<8 : 1>, %b: !tile.layout<3 : 1>) {
  // expected-error @below {{expected a tile that divides extent 8, but got 3}}
  %0 = tile.logical_divide %a, %b : !tile.layout<8 : 1>, !tile.layout<3 : 1>
  return
}

// -----

func.func @zipped_divide_overlapping_tile(%a: !tile.layout<8 : 1>, %b: !tile.layout<(2, 2) : (1, 1)>) {
  // expected-error @below {{expected a stride of at least 2, the span of the faster modes}}
  %0 = tile.zipped_divide %a, %b : !tile.layout<8 : 1>, !tile.layout<(2, 2) : (1, 1)>
  return
}

// -----

func.func @product_of_coordinates(%a: !tile.layout<(4, 8) : (1@e0, 1@e1)>, %b: !tile.layout<3 : 1>) {
  // expected-error @below {{expected integer strides, but got (1@0, 1@1)}}
  %0 = tile.logical_product %a, %b : !tile.layout<(4, 8) : (1@e0, 1@e1)>, !tile.layout<3 : 1>
  return
}

// -----

func.func @make_swizzle_of_swizzled(%l: !tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>) {
  // expected-error @below {{expected a layout without swizzle and offset, but got S<2, 0, 3> o 0 o (8, 8) : (8, 1)}}
  %0 = tile.make_swizzle S<2, 0, 3> o 0 o %l : !tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>
  return
}

// -----

func.func @make_swizzle_offset(%l: !tile.layout<(8, 8) : (8, 1)>) {
  // expected-error @below {{expected an integer offset, but got _}}
  %0 = tile.make_swizzle S<2, 0, 3> o _ o %l : !tile.layout<(8, 8) : (8, 1)>
  return
}

// -----

func.func @make_swizzle_of_coordinates(%l: !tile.layout<(8, 8) : (1@e0, 1@e1)>) {
  // expected-error @below {{expected integer strides under a swizzle, but got (1@0, 1@1)}}
  %0 = tile.make_swizzle S<2, 0, 3> o 0 o %l : !tile.layout<(8, 8) : (1@e0, 1@e1)>
  return
}

// -----

func.func @make_swizzle_bits(%l: !tile.layout<(8, 8) : (8, 1)>) {
  // expected-error @below {{expected a swizzle shift of at least the 3 swizzle bits, but got 2}}
  %0 = tile.make_swizzle S<3, 0, 2> o 0 o %l : !tile.layout<(8, 8) : (8, 1)>
  return
}

// -----

// expected-error @below {{expected integer strides under a swizzle, but got 1@0}}
func.func @swizzle_of_coordinates_type(%l: !tile.layout<S<2, 0, 3> o 0 o 8 : 1@e0>) {
  return
}

// -----

// expected-error @below {{expected an integer offset, but got _}}
func.func @swizzle_offset_type(%l: !tile.layout<S<2, 0, 3> o _ o 8 : 1>) {
  return
}

// -----

// expected-error @below {{expected a non-negative swizzle base, but got -1}}
func.func @swizzle_base_type(%l: !tile.layout<S<2, -1, 3> o 0 o 8 : 1>) {
  return
}

// -----

// expected-error @below {{expected swizzled bits within 0 to 61, but got S<2, 60, 3>}}
func.func @swizzle_range_type(%l: !tile.layout<S<2, 60, 3> o 0 o 8 : 1>) {
  return
}

// -----

func.func @make_layout_left_wildcard() {
  // expected-error @below {{expected an integer extent at mode [1], but got _}}
  %0 = tile.make_layout_left (4, _)
  return
}

// -----

func.func @make_layout_right_overflows() {
  // expected-error @below {{expected a product of 9223372036854775807 and 3 that fits in 64 bits, but it overflows}}
  %0 = tile.make_layout_right (9223372036854775807, 3, 3)
  return
}

// -----

func.func @make_identity_zero() {
  // expected-error @below {{expected a positive extent at mode [1], but got 0}}
  %0 = tile.make_identity_layout (4, 0)
  return
}

// -----

func.func @make_ordered_order_of_another_rank() {
  // expected-error @below {{expected an order that fits the shape (4, 8), but got (0, 1, 2)}}
  %0 = tile.make_ordered_layout (4, 8) order (0, 1, 2)
  return
}

// -----

func.func @make_ordered_run_time_order() {
  // expected-error @below {{expected a tuple of constants, but got (0, ?)}}
  %0 = tile.make_ordered_layout (4, 8) order (0, ?)
  return
}

// -----

func.func @cast_to_other_extent(%l: !tile.layout<(4, 8) : (8, 1)>) {
  // expected-error @below {{expected a result type that the source's leaves fit, or another nesting of the same constants, but got '!tile.layout<(4, 8) : (8, 1)>' and '!tile.layout<(5, 8) : (8, 1)>'}}
  %0 = tile.layout_cast %l : !tile.layout<(4, 8) : (8, 1)> to !tile.layout<(5, 8) : (8, 1)>
  return
}

// -----

func.func @cast_to_other_divisor(%l: !tile.layout<(4, 8) : (8, 1)>) {
  // expected-error @below {{expected a result type that the source's leaves fit, or another nesting of the same constants, but got '!tile.layout<(4, 8) : (8, 1)>' and '!tile.layout<(?{div = 3}, 8) : (8, 1)>'}}
  %0 = tile.layout_cast %l : !tile.layout<(4, 8) : (8, 1)> to !tile.layout<(?{div = 3}, 8) : (8, 1)>
  return
}

// -----

func.func @cast_that_asserts(%l: !tile.layout<(?, 8) : (8, 1)>) {
  // expected-error @below {{expected a result type that the source's leaves fit, or another nesting of the same constants, but got '!tile.layout<(?, 8) : (8, 1)>' and '!tile.layout<(4, 8) : (8, 1)>'}}
  %0 = tile.layout_cast %l : !tile.layout<(?, 8) : (8, 1)> to !tile.layout<(4, 8) : (8, 1)>
  return
}

// -----

func.func @cast_to_other_nesting(%l: !tile.layout<(4, 8) : (8, 1)>) {
  // expected-error @below {{expected a result type that the source's leaves fit, or another nesting of the same constants, but got '!tile.layout<(4, 8) : (8, 1)>' and '!tile.layout<(4, (8)) : (8, (2))>'}}
  %0 = tile.layout_cast %l : !tile.layout<(4, 8) : (8, 1)> to !tile.layout<(4, (8)) : (8, (2))>
  return
}

// -----

func.func @cast_to_other_swizzle(%l: !tile.layout<(8, 8) : (8, 1)>) {
  // expected-error @below {{expected a result type that the source's leaves fit, or another nesting of the same constants, but got '!tile.layout<(8, 8) : (8, 1)>' and '!tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>'}}
  %0 = tile.layout_cast %l : !tile.layout<(8, 8) : (8, 1)> to !tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>
  return
}

// -----

// expected-error @below {{expected a product of 4 and 9223372036854775807 that fits in 64 bits, but it overflows}}
func.func @size_overflows(%l: !tile.layout<(4, 9223372036854775807) : (0, 0)>) {
  %0 = tile.size %l : !tile.layout<(4, 9223372036854775807) : (0, 0)>
  return
}

// -----

func.func @coordinate_of_offsets(%l: !tile.layout<(4, 8) : (8, 1)>) {
  // expected-error @below {{expected a layout whose values are coordinates, but got one with integer strides}}
  %0:2 = tile.coordinate (1, 2), %l : !tile.layout<(4, 8) : (8, 1)>
  return
}

// -----

func.func @coordinate_wildcard(%l: !tile.layout<(4, 8) : (1@e0, 1@e1)>) {
  // expected-error @below {{expected an integer coordinate, but got `_`}}
  %0:2 = tile.coordinate (1, _), %l : !tile.layout<(4, 8) : (1@e0, 1@e1)>
  return
}

// -----

func.func @idx2crd_wildcard() {
  // expected-error @below {{expected an integer index, but got _}}
  %0:2 = tile.idx2crd _ in (4, 8)
  return
}

// -----

func.func @idx2crd_rank() {
  // expected-error @below {{expected an index that fits (4, 8), but got (1, 2, 3)}}
  %0:2 = tile.idx2crd (1, 2, 3) in (4, 8)
  return
}

// -----

func.func @elem_less_rank(%i: index) {
  // expected-error @below {{expected tuples of matching nesting, but got (?, 1, 2) and (4, 8)}}
  %0 = tile.elem_less (%i, 1, 2), (4, 8)
  return
}

// -----

func.func @elem_less_operand_count(%i: index) {
  // expected-error @below {{expected one operand for each run-time leaf, but got 1}}
  %0 = "tile.elem_less"(%i) <{operandSegmentSizes = array<i32: 1, 0>, lhs = #tile.int_tuple<1>, rhs = #tile.int_tuple<2>}> : (index) -> i1
  return
}

// -----

func.func @ceil_div_rank(%i: index) {
  // expected-error @below {{expected tuples of matching nesting, but got (?, 8) and (4, 8, 2)}}
  %0:2 = tile.ceil_div (%i, 8), (4, 8, 2)
  return
}

// -----

func.func @ceil_div_by_zero(%i: index) {
  // expected-error @below {{expected a non-zero divisor of 8, but got 0}}
  %0:2 = tile.ceil_div (%i, 8), (4, 0)
  return
}

// -----

func.func @shape_div_uneven() {
  // expected-error @below {{expected extents of which one divides the other, but got 6 and 4}}
  %0 = tile.shape_div 6, 4
  return
}

// -----

func.func @product_wildcard() {
  // expected-error @below {{expected a tuple of integers, but got (4, _)}}
  %0 = tile.product (4, _)
  return
}

// -----

func.func @inner_product_not_congruent(%i: index) {
  // expected-error @below {{expected tuples of matching nesting, but got (?, 1) and (2, (1, 1))}}
  %0 = tile.inner_product (%i, 1), (2, (1, 1))
  return
}

// -----

func.func @get_beyond_the_rank(%l: !tile.layout<(4, (8, 2)) : (16, (1, 8))>) {
  // expected-error @below {{expected a mode below the rank 2 of (8, 2), but got 2}}
  %0 = tile.get %l[1, 2] : !tile.layout<(4, (8, 2)) : (16, (1, 8))>
  return
}

// -----

func.func @select_beyond_the_rank(%l: !tile.layout<(4, 8) : (8, 1)>) {
  // expected-error @below {{expected a mode below the rank 2 of (4, 8), but got 2}}
  %0 = tile.select %l[0, 2] : !tile.layout<(4, 8) : (8, 1)>
  return
}

// -----

func.func @take_beyond_the_rank(%l: !tile.layout<(4, 8) : (8, 1)>) {
  // expected-error @below {{expected modes within the rank 2 of (4, 8), but got 1 to 3}}
  %0 = tile.take %l[1 to 3] : !tile.layout<(4, 8) : (8, 1)>
  return
}

// -----

func.func @group_backwards(%l: !tile.layout<(4, 8) : (8, 1)>) {
  // expected-error @below {{expected modes within the rank 2 of (4, 8), but got 2 to 1}}
  %0 = tile.group_modes %l[2 to 1] : !tile.layout<(4, 8) : (8, 1)>
  return
}

// -----

func.func @replace_beyond_the_rank(%l: !tile.layout<(4, 8) : (8, 1)>, %m: !tile.layout<2 : 1>) {
  // expected-error @below {{expected a mode below the rank 2 of (4, 8), but got 2}}
  %0 = tile.replace %l[2] with %m : !tile.layout<(4, 8) : (8, 1)>, !tile.layout<2 : 1>
  return
}

// -----

func.func @append_swizzled(%l: !tile.layout<(8, 8) : (8, 1)>, %m: !tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>) {
  // expected-error @below {{expected modes that S<2, 0, 3> of the new one leaves as they are, but at index 1 they are at 9 instead of 8}}
  %0 = tile.append %l, %m : !tile.layout<(8, 8) : (8, 1)>, !tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>
  return
}

// -----

func.func @prepend_swizzled(%l: !tile.layout<(8, 8) : (8, 1)>, %m: !tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>) {
  // expected-error @below {{expected modes that S<2, 0, 3> of the new one leaves as they are, but at index 64 they are at 9 instead of 8}}
  %0 = tile.prepend %l, %m : !tile.layout<(8, 8) : (8, 1)>, !tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>
  return
}

// -----

func.func @replace_with_swizzled(%l: !tile.layout<(8, 8) : (8, 1)>, %m: !tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>) {
  // expected-error @below {{expected modes that S<2, 0, 3> of the new one leaves as they are, but at index 65 they are at 8 instead of 10}}
  %0 = tile.replace %l[0] with %m : !tile.layout<(8, 8) : (8, 1)>, !tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>
  return
}

// -----

func.func @append_integers_to_coordinates_under_swizzle(%l: !tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>, %m: !tile.layout<8 : 1@e0>) {
  // expected-error @below {{expected integer strides under a swizzle, but got (8, 1, 1@0)}}
  %0 = tile.append %l, %m : !tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>, !tile.layout<8 : 1@e0>
  return
}

// -----

func.func @append_other_swizzle(%l: !tile.layout<S<1, 0, 3> o 0 o (8, 8) : (8, 1)>, %m: !tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>) {
  // expected-error @below {{expected a mode without a swizzle, or with the swizzle and offset of the layout, but got S<2, 0, 3> o 0 o (8, 8) : (8, 1) for S<1, 0, 3> o 0 o (8, 8) : (8, 1)}}
  %0 = tile.append %l, %m : !tile.layout<S<1, 0, 3> o 0 o (8, 8) : (8, 1)>, !tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>
  return
}

// -----

// Of run-time leaves the sum is not known.
func.func @append_swizzled_to_run_time_strides(%l: !tile.layout<(8, 8) : (?, 1)>, %m: !tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>) {
  // expected-error @below {{expected a mode without a swizzle, or with the swizzle and offset of the layout, but got S<2, 0, 3> o 0 o (8, 8) : (8, 1) for (8, 8) : (?, 1)}}
  %0 = tile.append %l, %m : !tile.layout<(8, 8) : (?, 1)>, !tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>
  return
}

// -----

func.func @complement_swizzled(%l: !tile.layout<S<2, 2, 2> o 0 o (8, 4) : (16, 2)>) {
  // expected-error @below {{expected a layout whose copies are disjoint, as at multiples of the swizzle's period 64, but those of S<2, 2, 2> o 0 o (8, 4) : (16, 2) start at stride 1}}
  %0 = tile.complement %l in 64 : !tile.layout<S<2, 2, 2> o 0 o (8, 4) : (16, 2)>
  return
}

// -----

func.func @divide_by_swizzled(%l: !tile.layout<(8, 8) : (8, 1)>, %m: !tile.layout<S<2, 0, 3> o 0 o (4, 4) : (8, 1)>) {
  // expected-error @below {{expected a layout without swizzle and offset, but got S<2, 0, 3> o 0 o (4, 4) : (8, 1)}}
  %0 = tile.logical_divide %l, %m : !tile.layout<(8, 8) : (8, 1)>, !tile.layout<S<2, 0, 3> o 0 o (4, 4) : (8, 1)>
  return
}

// -----

func.func @unflatten_count(%l: !tile.layout<(4, 3, 2) : (1, 8, 4)>) {
  // expected-error @below {{expected 2 modes for the profile (_, _), but got 3}}
  %0 = tile.unflatten %l as (_, _) : !tile.layout<(4, 3, 2) : (1, 8, 4)>
  return
}

// -----

func.func @transpose_rank(%l: !tile.layout<(4, 3, 2) : (1, 8, 4)>) {
  // expected-error @below {{expected a layout of rank 2 to transpose, but got rank 3}}
  %0 = tile.transpose %l : !tile.layout<(4, 3, 2) : (1, 8, 4)>
  return
}

// -----

func.func @reshape_size(%l: !tile.layout<(4, 8) : (8, 1)>) {
  // expected-error @below {{expected a shape of size 32, but got (4, 7) of size 28}}
  %0 = tile.reshape %l as (4, 7) : !tile.layout<(4, 8) : (8, 1)>
  return
}

// -----

func.func @with_shape_that_carries(%l: !tile.layout<(4, 8) : (8, 1)>) {
  // expected-error @below {{mode 1 of the right-hand side carries into itself at index 3: expected 10, but got 41}}
  %0 = tile.with_shape %l as (3, 8) : !tile.layout<(4, 8) : (8, 1)>
  return
}

// -----

func.func @slice_rank(%l: !tile.layout<(4, 8) : (8, 1)>) {
  // expected-error @below {{expected a coordinate that fits (4, 8), but got (1, _, 2)}}
  %0 = tile.slice_layout %l at (1, _, 2) : !tile.layout<(4, 8) : (8, 1)>
  return
}

// -----

func.func @dice_rank(%l: !tile.layout<(4, 8) : (8, 1)>) {
  // expected-error @below {{expected a coordinate that fits (4, 8), but got (1, _, 2)}}
  %0 = tile.dice %l at (1, _, 2) : !tile.layout<(4, 8) : (8, 1)>
  return
}

// -----

func.func @slice_and_offset_of_coordinates(%l: !tile.layout<(4, 8) : (1@e0, 1@e1)>) {
  // expected-error @below {{expected integer strides, but got (1@1)}}
  %0, %1 = tile.slice_and_offset %l at (1, _) : !tile.layout<(4, 8) : (1@e0, 1@e1)>
  return
}

// -----

func.func @slice_and_offset_rank_swizzled(%l: !tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>) {
  // expected-error @below {{expected a coordinate that fits (8, 8), but got (1, _, 1)}}
  %0, %1 = tile.slice_and_offset %l at (1, _, 1) : !tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>
  return
}

// -----

func.func @domain_offset_rank(%l: !tile.layout<(4, 8) : (8, 1)>) {
  // expected-error @below {{expected a coordinate that fits (4, 8), but got (1, 2, 3)}}
  %0, %1 = tile.domain_offset %l at (1, 2, 3) : !tile.layout<(4, 8) : (8, 1)>
  return
}

// -----

func.func @coalesce_profile(%l: !tile.layout<(4, 8) : (8, 1)>) {
  // expected-error @below {{expected a profile of at most the rank 2 of (4, 8) : (8, 1), but got (1, 1, 1)}}
  %0 = tile.coalesce %l by (1, 1, 1) : !tile.layout<(4, 8) : (8, 1)>
  return
}

// -----

func.func @composition_neither(%a: !tile.layout<(4, 8) : (8, 1)>) {
  // expected-error @below {{expected a layout or a by-mode tiler, but got neither}}
  %0 = tile.composition %a : !tile.layout<(4, 8) : (8, 1)>
  return
}

// -----

func.func @composition_both(%a: !tile.layout<(4, 8) : (8, 1)>, %b: !tile.layout<4 : 1>) {
  // expected-error @below {{expected a layout or a by-mode tiler, but got both}}
  %0 = tile.composition %a, %b by <4> : !tile.layout<(4, 8) : (8, 1)>, !tile.layout<4 : 1>
  return
}

// -----

func.func @composition_by_too_many(%a: !tile.layout<(4, 8) : (8, 1)>) {
  // expected-error @below {{expected a tiler of at most the rank 2 of (4, 8) : (8, 1), but got <2, 2, 2>}}
  %0 = tile.composition %a by <2, 2, 2> : !tile.layout<(4, 8) : (8, 1)>
  return
}

// -----

func.func @tiler_without_stride(%a: !tile.layout<(4, 8) : (8, 1)>) {
  // expected-error @below {{expected `:` and a stride behind (2, 2)}}
  %0 = tile.composition %a by <2, (2, 2)> : !tile.layout<(4, 8) : (8, 1)>
  return
}

// -----

func.func @tiler_at_run_time(%a: !tile.layout<(4, 8) : (8, 1)>) {
  // expected-error @below {{expected an SSA value for each run-time leaf, but got `?`}}
  %0 = tile.composition %a by <?, 2> : !tile.layout<(4, 8) : (8, 1)>
  return
}

// -----

func.func @tiler_not_congruent(%a: !tile.layout<(4, 8) : (8, 1)>) {
  // expected-error @below {{expected shape and stride of the same nesting, but got (2, 2) and 1}}
  %0 = tile.composition %a by <2, (2, 2) : 1> : !tile.layout<(4, 8) : (8, 1)>
  return
}

// -----

func.func @tiler_of_zero(%a: !tile.layout<(4, 8) : (8, 1)>) {
  // expected-error @below {{expected a positive extent, but got 0}}
  %0 = tile.composition %a by <2, 0> : !tile.layout<(4, 8) : (8, 1)>
  return
}

// -----

func.func @complement_of_overlap(%l: !tile.layout<(4, 4) : (1, 2)>) {
  // expected-error @below {{expected a stride of at least 4, the span of the faster modes of (4, 4) : (1, 2), but got 2}}
  %0 = tile.complement %l in 24 : !tile.layout<(4, 4) : (1, 2)>
  return
}

// -----

func.func @right_inverse_of_coordinates(%l: !tile.layout<(4, 8) : (1@e0, 1@e1)>) {
  // expected-error @below {{expected integer strides, but got (1@0, 1@1)}}
  %0 = tile.right_inverse %l : !tile.layout<(4, 8) : (1@e0, 1@e1)>
  return
}

// -----

func.func @left_inverse_of_overlap(%l: !tile.layout<(4, 4) : (1, 2)>) {
  // expected-error @below {{expected an injective layout, but got extent 4 at stride 1 below stride 2}}
  %0 = tile.left_inverse %l : !tile.layout<(4, 4) : (1, 2)>
  return
}

// -----

func.func @nullspace_offset(%l: !tile.layout<S<2, 0, 3> o 32 o (8, 8) : (8, 1)>) {
  // expected-error @below {{expected offset 0, but got 32}}
  %0 = tile.nullspace %l : !tile.layout<S<2, 0, 3> o 32 o (8, 8) : (8, 1)>
  return
}

// -----

func.func @upcast_uneven(%l: !tile.layout<(4, 8) : (1, 3)>) {
  // expected-error @below {{expected every stride to be a multiple of 2 or to divide it, but got 3}}
  %0 = tile.upcast %l by 2 : !tile.layout<(4, 8) : (1, 3)>
  return
}

// -----

func.func @downcast_without_run(%l: !tile.layout<(4, 8) : (2, 8)>) {
  // expected-error @below {{expected a mode of stride 1 or -1 to split, but got strides (2, 8)}}
  %0 = tile.downcast %l by 2 : !tile.layout<(4, 8) : (2, 8)>
  return
}

// -----

func.func @recast_zero_bits(%l: !tile.layout<(4, 8) : (1, 4)>) {
  // expected-error @below {{expected positive element sizes, but got 16 and 0 bits}}
  %0 = tile.recast_layout %l from 16 to 0 : !tile.layout<(4, 8) : (1, 4)>
  return
}

// -----

func.func @max_common_layout_offset(%l: !tile.layout<S<2, 0, 3> o 32 o (8, 8) : (8, 1)>) {
  // expected-error @below {{expected offset 0, but got 32}}
  %0 = tile.max_common_layout %l, %l : !tile.layout<S<2, 0, 3> o 32 o (8, 8) : (8, 1)>, !tile.layout<S<2, 0, 3> o 32 o (8, 8) : (8, 1)>
  return
}

// -----

func.func @max_common_vector_of_coordinates(%l: !tile.layout<8 : 1>, %m: !tile.layout<8 : 1@e0>) {
  // expected-error @below {{expected integer strides, but got 1@0}}
  %0 = tile.max_common_vector %l, %m : !tile.layout<8 : 1>, !tile.layout<8 : 1@e0>
  return
}

// -----

func.func @zipped_divide_unknown_extent(%a: !tile.layout<(?, 8) : (8, 1)>) {
  // expected-error @below {{expected a tile that divides extent ? of mode [0], but got 4}}
  %0 = tile.zipped_divide %a by <4, 8> : !tile.layout<(?, 8) : (8, 1)>
  return
}

// -----

func.func @tiled_divide_uneven_mode(%a: !tile.layout<(12, 8) : (8, 1)>) {
  // expected-error @below {{expected a tile that divides extent 8 of mode [1], but got 3}}
  %0 = tile.tiled_divide %a by <4, 3> : !tile.layout<(12, 8) : (8, 1)>
  return
}

// -----

func.func @flat_divide_rank(%a: !tile.layout<(12, 8) : (8, 1)>) {
  // expected-error @below {{expected a tiler of at most the rank 2 of (12, 8) : (8, 1), but got <4, 4, 4>}}
  %0 = tile.flat_divide %a by <4, 4, 4> : !tile.layout<(12, 8) : (8, 1)>
  return
}

// -----

func.func @product_of_swizzled(%l: !tile.layout<S<2, 1, 3> o 0 o (4, 4) : (1, 16)>, %b: !tile.layout<4 : 1>) {
  // expected-error @below {{expected repetitions that are swizzled as the block is, as at multiples of the swizzle's period 64, but in the one at 4 element 8 is at 28 from the first instead of 36}}
  %0 = tile.logical_product %l, %b : !tile.layout<S<2, 1, 3> o 0 o (4, 4) : (1, 16)>, !tile.layout<4 : 1>
  return
}

// -----

// Where the block is not known, the steps must be multiples of the period.
func.func @product_of_swizzled_at_run_time(%l: !tile.layout<S<2, 1, 3> o ? o (4, 4) : (1, 16)>, %b: !tile.layout<4 : 1>) {
  // expected-error @below {{expected repetitions at multiples of the swizzle's period 64, but got stride 4}}
  %0 = tile.logical_product %l, %b : !tile.layout<S<2, 1, 3> o ? o (4, 4) : (1, 16)>, !tile.layout<4 : 1>
  return
}

// -----

func.func @blocked_product_of_overlap(%a: !tile.layout<(2, 2) : (1, 1)>, %b: !tile.layout<(2, 2) : (1, 2)>) {
  // expected-error @below {{expected a stride of at least 2, the span of the faster modes of (2, 2) : (1, 1), but got 1}}
  %0 = tile.blocked_product %a, %b : !tile.layout<(2, 2) : (1, 1)>, !tile.layout<(2, 2) : (1, 2)>
  return
}

// -----

func.func @raked_product_of_coordinates(%a: !tile.layout<(2, 2) : (1@e0, 1@e1)>, %b: !tile.layout<(2, 2) : (1, 2)>) {
  // expected-error @below {{expected integer strides, but got (1@0, 1@1)}}
  %0 = tile.raked_product %a, %b : !tile.layout<(2, 2) : (1@e0, 1@e1)>, !tile.layout<(2, 2) : (1, 2)>
  return
}

// -----

func.func @tile_to_shape_uneven(%a: !tile.layout<(8, 8) : (8, 1)>) {
  // expected-error @below {{expected extent of mode 1 of the shape to be a multiple of 8, the extent of the block, but got 12}}
  %0 = tile.tile_to_shape %a as (16, 12) : !tile.layout<(8, 8) : (8, 1)>
  return
}

// -----

func.func @tile_to_shape_swizzled_period(%a: !tile.layout<S<2, 0, -3> o 0 o (4, 4) : (16, 1)>) {
  // expected-error @below {{expected repetitions that are swizzled as the block is, as at multiples of the swizzle's period 32, but in the one at 8 element 4 is at -7 from the first instead of 9}}
  %0 = tile.tile_to_shape %a as (8, 8) : !tile.layout<S<2, 0, -3> o 0 o (4, 4) : (16, 1)>
  return
}

// -----

func.func @upcast_by_zero(%l: !tile.layout<(4, 8) : (1, 4)>) {
  // expected-error @below {{expected a positive number of elements, but got 0}}
  %0 = tile.upcast %l by 0 : !tile.layout<(4, 8) : (1, 4)>
  return
}

// -----

func.func @downcast_by_a_negative_number(%l: !tile.layout<(4, 8) : (1, 4)>) {
  // expected-error @below {{expected a positive number of elements, but got -2}}
  %0 = tile.downcast %l by -2 : !tile.layout<(4, 8) : (1, 4)>
  return
}

// -----

func.func @upcast_swizzle_by_three(%l: !tile.layout<S<2, 0, 3> o 0 o (8, 9) : (9, 1)>) {
  // expected-error @below {{expected a power of two of elements under a swizzle, but got 3}}
  %0 = tile.upcast %l by 3 : !tile.layout<S<2, 0, 3> o 0 o (8, 9) : (9, 1)>
  return
}

// -----

func.func @tile_to_shape_order(%a: !tile.layout<(8, 8) : (8, 1)>) {
  // expected-error @below {{expected an order that fits the shape (2, 2), but got (0, 1, 2)}}
  %0 = tile.tile_to_shape %a as (16, 16) order (0, 1, 2) : !tile.layout<(8, 8) : (8, 1)>
  return
}

// -----

func.func @select_negative(%l: !tile.layout<(4, 8) : (8, 1)>) {
  // expected-error @below {{expected a mode below the rank 2 of (4, 8), but got -1}}
  %0 = tile.select %l[-1] : !tile.layout<(4, 8) : (8, 1)>
  return
}

// -----

func.func @elem_less_overflows(%i: index) {
  // expected-error @below {{expected a product of 9223372036854775807 and 3 that fits in 64 bits, but it overflows}}
  %0 = tile.elem_less %i, (9223372036854775807, 3)
  return
}

// -----

func.func @right_inverse_of_other_swizzle(%l: !tile.layout<S<1, 2, -3> o 0 o (6, 4) : (1, 16)>) {
  // expected-error @below {{expected an inverse that swizzles alike, but index 4 comes back as 96}}
  %0 = tile.right_inverse %l : !tile.layout<S<1, 2, -3> o 0 o (6, 4) : (1, 16)>
  return
}

// -----

func.func @left_inverse_of_other_swizzle(%l: !tile.layout<S<2, 1, 2> o 0 o (2, 8) : (8, 1)>) {
  // expected-error @below {{expected an inverse that swizzles alike, but index 2 comes back as 10}}
  %0 = tile.left_inverse %l : !tile.layout<S<2, 1, 2> o 0 o (2, 8) : (8, 1)>
  return
}

// -----

func.func @composition_that_tears_a_swizzle(%a: !tile.layout<(2, 8) : (2, 1)>, %b: !tile.layout<S<1, 1, 1> o 0 o (3, 4) : (4, 1)>) {
  // expected-error @below {{expected a swizzle that the left-hand side keeps, but at index 3 the composition is 2 instead of 3}}
  %0 = tile.composition %a, %b : !tile.layout<(2, 8) : (2, 1)>, !tile.layout<S<1, 1, 1> o 0 o (3, 4) : (4, 1)>
  return
}

// -----

func.func @inverse_of_large_swizzled(%l: !tile.layout<S<1, 0, 2> o 0 o (1024, 1024) : (1, 1024)>) {
  // expected-error @below {{expected a constant swizzled layout of at most 65536 elements, but got S<1, 0, 2> o 0 o (1024, 1024) : (1, 1024)}}
  %0 = tile.right_inverse %l : !tile.layout<S<1, 0, 2> o 0 o (1024, 1024) : (1, 1024)>
  return
}

// -----

func.func @composition_of_large_swizzled(%l: !tile.layout<(1024, 1024) : (1, 1024)>, %r: !tile.layout<S<1, 0, 2> o 0 o (1024, 1024) : (1, 1024)>) {
  // expected-error @below {{expected constant layouts of at most 65536 elements, but got S<1, 0, 2> o 0 o (1024, 1024) : (1, 1024)}}
  %0 = tile.composition %l, %r : !tile.layout<(1024, 1024) : (1, 1024)>, !tile.layout<S<1, 0, 2> o 0 o (1024, 1024) : (1, 1024)>
  return
}

// -----

// Whatever the first extent is, there are at least 2^66 elements.
// expected-error @below {{expected a product of 4611686018427387904 and 16 that fits in 64 bits, but it overflows}}
func.func private @size_beyond_64_bits(!tile.layout<(?, 4611686018427387904, 16) : (0, 1, 0)>)

// -----

// expected-error @below {{expected a product of 4611686018427387904 and 16 that fits in 64 bits, but it overflows}}
func.func private @least_size_beyond_64_bits(!tile.layout<(?{div = 4611686018427387904}, 16) : (0, 1)>)
