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
  // expected-error @below {{expected}}
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
