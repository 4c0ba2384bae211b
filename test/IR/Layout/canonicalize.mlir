// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layout operations: folds, and constants that move into types.
// RUN: tile-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: @size_static
// CHECK: %[[R:.*]] = arith.constant 32 : index
// CHECK: return %[[R]]
func.func @size_static(%l: !tile.layout<(4, 8) : (8, 1)>) -> index {
  %0 = tile.size %l : !tile.layout<(4, 8) : (8, 1)>
  return %0 : index
}

// CHECK-LABEL: @size_dynamic_stays
// CHECK: tile.size
func.func @size_dynamic_stays(%l: !tile.layout<(?, 8) : (8, 1)>) -> index {
  %0 = tile.size %l : !tile.layout<(?, 8) : (8, 1)>
  return %0 : index
}

// The strides do not matter to the size.
// CHECK-LABEL: @size_dynamic_stride
// CHECK: arith.constant 32 : index
func.func @size_dynamic_stride(%l: !tile.layout<(4, 8) : (?, 1)>) -> index {
  %0 = tile.size %l : !tile.layout<(4, 8) : (?, 1)>
  return %0 : index
}

// CHECK-LABEL: @size_of_rank_0
// CHECK: arith.constant 1 : index
func.func @size_of_rank_0(%l: !tile.layout<() : ()>) -> index {
  %0 = tile.size %l : !tile.layout<() : ()>
  return %0 : index
}

// CHECK-LABEL: @cosize_pitch
// CHECK: arith.constant 38 : index
func.func @cosize_pitch(%l: !tile.layout<(4, 8) : (10, 1)>) -> index {
  %0 = tile.cosize %l : !tile.layout<(4, 8) : (10, 1)>
  return %0 : index
}

// CHECK-LABEL: @cosize_negative_stride
// CHECK: arith.constant 7 : index
func.func @cosize_negative_stride(%l: !tile.layout<4 : -2>) -> index {
  %0 = tile.cosize %l : !tile.layout<4 : -2>
  return %0 : index
}

// CHECK-LABEL: @cosize_broadcast
// CHECK: arith.constant 1 : index
func.func @cosize_broadcast(%l: !tile.layout<(4, 8) : (0, 0)>) -> index {
  %0 = tile.cosize %l : !tile.layout<(4, 8) : (0, 0)>
  return %0 : index
}

// CHECK-LABEL: @crd2idx_tuple
// CHECK: arith.constant 19 : index
func.func @crd2idx_tuple(%l: !tile.layout<(4, 8) : (8, 1)>) -> index {
  %0 = tile.crd2idx (2, 3), %l : !tile.layout<(4, 8) : (8, 1)>
  return %0 : index
}

// Index 14 of a 4 by 8 layout is (2, 3): the first mode runs fastest.
// CHECK-LABEL: @crd2idx_linear
// CHECK: arith.constant 19 : index
func.func @crd2idx_linear(%l: !tile.layout<(4, 8) : (8, 1)>) -> index {
  %0 = tile.crd2idx 14, %l : !tile.layout<(4, 8) : (8, 1)>
  return %0 : index
}

// CHECK-LABEL: @crd2idx_nested
// CHECK: arith.constant 105 : index
func.func @crd2idx_nested(%l: !tile.layout<((2, 2), 8) : ((100, 1), 4)>) -> index {
  %0 = tile.crd2idx ((1, 1), 1), %l : !tile.layout<((2, 2), 8) : ((100, 1), 4)>
  return %0 : index
}

// CHECK-LABEL: @crd2idx_constant_operand
// CHECK: arith.constant 19 : index
func.func @crd2idx_constant_operand(%l: !tile.layout<(4, 8) : (8, 1)>) -> index {
  %c2 = arith.constant 2 : index
  %0 = tile.crd2idx (%c2, 3), %l : !tile.layout<(4, 8) : (8, 1)>
  return %0 : index
}

// CHECK-LABEL: @crd2idx_dynamic_stays
// CHECK: tile.crd2idx
func.func @crd2idx_dynamic_stays(%l: !tile.layout<(4, 8) : (?, 1)>) -> index {
  %0 = tile.crd2idx (2, 3), %l : !tile.layout<(4, 8) : (?, 1)>
  return %0 : index
}

// A product beyond 64 bits is left to the program, not folded.
// CHECK-LABEL: @crd2idx_overflow_stays
// CHECK: tile.crd2idx
func.func @crd2idx_overflow_stays(%l: !tile.layout<(4, 8) : (8, 1)>) -> index {
  %c = arith.constant 9223372036854775807 : index
  %0 = tile.crd2idx (%c, 3), %l : !tile.layout<(4, 8) : (8, 1)>
  return %0 : index
}

// CHECK-LABEL: @crd2idx_swizzled
// CHECK: arith.constant 25 : index
func.func @crd2idx_swizzled(%l: !tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>) -> index {
  %0 = tile.crd2idx (3, 2), %l : !tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>
  return %0 : index
}

// CHECK-LABEL: @rank_and_depth
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[THREE:.*]] = arith.constant 3 : index
// CHECK: return %[[THREE]], %[[TWO]]
func.func @rank_and_depth(%l: !tile.layout<((2, ?), ?, 3) : ((1, ?), ?, ?)>) -> (index, index) {
  %0 = tile.rank %l : !tile.layout<((2, ?), ?, 3) : ((1, ?), ?, ?)>
  %1 = tile.depth %l : !tile.layout<((2, ?), ?, 3) : ((1, ?), ?, ?)>
  return %0, %1 : index, index
}

// CHECK-LABEL: @idx2crd_constant
// CHECK-DAG: %[[THREE:.*]] = arith.constant 3 : index
// CHECK-DAG: %[[FIVE:.*]] = arith.constant 5 : index
// CHECK: return %[[THREE]], %[[FIVE]]
func.func @idx2crd_constant() -> (index, index) {
  %i = arith.constant 23 : index
  %0:2 = tile.idx2crd %i in (4, 8)
  return %0#0, %0#1 : index, index
}

// CHECK-LABEL: @tuples_constant
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[C24:.*]] = arith.constant 24 : index
// CHECK-DAG: %[[C17:.*]] = arith.constant 17 : index
// CHECK-DAG: %[[TRUE:.*]] = arith.constant true
// CHECK-DAG: %[[FALSE:.*]] = arith.constant false
// CHECK: return %[[TWO]], %[[TWO]], %[[C24]], %[[C17]], %[[TRUE]], %[[FALSE]]
func.func @tuples_constant() -> (index, index, index, index, i1, i1) {
  %c8 = arith.constant 8 : index
  %0:2 = tile.ceil_div (%c8, 9), (4, 5)
  %1 = tile.product (%c8, 3)
  %2 = tile.inner_product (2, 1), (%c8, 1)
  %3 = tile.elem_less (7, 8), (%c8, 9)
  %4 = tile.elem_less (7, 9), (%c8, 9)
  return %0#0, %0#1, %1, %2, %3, %4 : index, index, index, index, i1, i1
}

// CHECK-LABEL: @more_constants
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG: %[[C19:.*]] = arith.constant 19 : index
// CHECK-DAG: %[[C24:.*]] = arith.constant 24 : index
// CHECK-DAG: %[[C8:.*]] = arith.constant 8 : index
// CHECK-DAG: %[[C90:.*]] = arith.constant 90 : index
// CHECK: return %[[C4]], %[[C19]], %[[C8]], %[[C24]], %[[C8]], %[[C90]]
func.func @more_constants(%l: !tile.layout<(8, 4) : (1, 12)>) -> (index, index, index, index, index, index) {
  %c8 = arith.constant 8 : index
  %c3 = arith.constant 3 : index
  %0 = tile.max_alignment %l : !tile.layout<(8, 4) : (1, 12)>
  %1 = tile.sum (%c8, (%c8, 3))
  %2:2 = tile.product_each (%c8, (%c8, 3))
  %3:2 = tile.elem_scale (2, %c3), (4, (5, 6))
  return %0, %1, %2#0, %2#1, %3#0, %3#1 : index, index, index, index, index, index
}

// A swizzle keeps two elements together.
// CHECK-LABEL: @max_alignment_of_swizzled
// CHECK: arith.constant 2 : index
func.func @max_alignment_of_swizzled(%l: !tile.layout<S<2, 1, 3> o 0 o (8, 8) : (8, 1)>) -> index {
  %0 = tile.max_alignment %l : !tile.layout<S<2, 1, 3> o 0 o (8, 8) : (8, 1)>
  return %0 : index
}

//===----------------------------------------------------------------------===//
// Constants become part of the type
//===----------------------------------------------------------------------===//

// CHECK-LABEL: @make_layout_constant
// CHECK: %[[L:.*]] = tile.make_layout (4, 8) : (8, 1)
// CHECK: %[[C:.*]] = tile.layout_cast %[[L]] : !tile.layout<(4, 8) : (8, 1)> to !tile.layout<(?, 8) : (?, 1)>
// CHECK: return %[[C]]
func.func @make_layout_constant() -> !tile.layout<(?, 8) : (?, 1)> {
  %m = arith.constant 4 : index
  %ld = arith.constant 8 : index
  %0 = tile.make_layout (%m, 8) : (%ld, 1)
  return %0 : !tile.layout<(?, 8) : (?, 1)>
}

// What is not known stays.
// CHECK-LABEL: @make_layout_partly
// CHECK: tile.make_layout (4, %{{.*}}) : (%{{.*}}, 1)
func.func @make_layout_partly(%n: index, %ld: index) -> !tile.layout<(?, ?) : (?, 1)> {
  %m = arith.constant 4 : index
  %0 = tile.make_layout (%m, %n) : (%ld, 1)
  return %0 : !tile.layout<(?, ?) : (?, 1)>
}

// The size of the constant layout, through the cast.
// CHECK-LABEL: @size_through_cast
// CHECK-NEXT: %[[S:.*]] = arith.constant 32 : index
// CHECK-NEXT: return %[[S]]
func.func @size_through_cast() -> index {
  %m = arith.constant 4 : index
  %0 = tile.make_layout (%m, 8) : (8, 1)
  %1 = tile.size %0 : !tile.layout<(?, 8) : (8, 1)>
  return %1 : index
}

// The static result is what the same operations on constants give.
// CHECK-LABEL: @through_composition_and_divide
// CHECK-NEXT: %[[I:.*]] = arith.constant 44 : index
// CHECK-NEXT: return %[[I]]
func.func @through_composition_and_divide() -> index {
  %n = arith.constant 64 : index
  %ld = arith.constant 16 : index
  %0 = tile.make_layout (%n {div = 8}, 8) : (%ld, 2)
  %1 = tile.composition %0 by <_, 4 : 2> : !tile.layout<(?{div = 8}, 8) : (?, 2)>
  %2 = tile.zipped_divide %1 by <8, 2> : !tile.layout<(?{div = 8}, 4) : (?, 4)>
  %3 = tile.crd2idx ((2, 1), (0, 1)), %2 : !tile.layout<((8, 2), (?, 2)) : ((?, 4), (?{div = 8}, 8))>
  return %3 : index
}

// CHECK-LABEL: @divide_becomes_static
// CHECK: %[[L:.*]] = tile.make_layout ((8, 2), (8, 2)) : ((16, 4), (128, 8))
// CHECK: tile.layout_cast %[[L]]
func.func @divide_becomes_static() -> !tile.layout<((8, 2), (?, 2)) : ((?, 4), (?{div = 8}, 8))> {
  %n = arith.constant 64 : index
  %ld = arith.constant 16 : index
  %0 = tile.make_layout (%n {div = 8}, 4) : (%ld, 4)
  %1 = tile.zipped_divide %0 by <8, 2> : !tile.layout<(?{div = 8}, 4) : (?, 4)>
  return %1 : !tile.layout<((8, 2), (?, 2)) : ((?, 4), (?{div = 8}, 8))>
}

// A coalesce of constants has one mode. The caller was written for two, which it
// sees through casts.
// CHECK-LABEL: @nesting_of_constants
// CHECK-NEXT: %[[L:.*]] = tile.make_layout 32 : 1
// CHECK-NEXT: %[[N:.*]] = tile.layout_cast %[[L]] : !tile.layout<32 : 1> to !tile.layout<(4, 8) : (1, 4)>
// CHECK-NEXT: %[[C:.*]] = tile.layout_cast %[[N]] : !tile.layout<(4, 8) : (1, 4)> to !tile.layout<(4, ?) : (1, 4)>
// CHECK-NEXT: return %[[C]]
func.func @nesting_of_constants() -> !tile.layout<(4, ?) : (1, 4)> {
  %n = arith.constant 8 : index
  %0 = tile.make_layout (4, %n) : (1, 4)
  %1 = tile.coalesce %0 : !tile.layout<(4, ?) : (1, 4)>
  return %1 : !tile.layout<(4, ?) : (1, 4)>
}

// What follows is what it is of constants.
// CHECK-LABEL: @nesting_of_constants_goes_on
// CHECK-NEXT: %[[L:.*]] = tile.make_layout (32, 3) : (1, 32)
// CHECK-NEXT: %[[N:.*]] = tile.layout_cast %[[L]] : !tile.layout<(32, 3) : (1, 32)> to !tile.layout<((4, 8), 3) : ((1, 4), 32)>
// CHECK-NEXT: %[[C:.*]] = tile.layout_cast %[[N]]
// CHECK-NEXT: return %[[C]]
func.func @nesting_of_constants_goes_on(%t: !tile.layout<3 : 1>) -> !tile.layout<((4, ?), 3) : ((1, 4), ?{div = 4})> {
  %n = arith.constant 8 : index
  %0 = tile.make_layout (4, %n) : (1, 4)
  %1 = tile.coalesce %0 : !tile.layout<(4, ?) : (1, 4)>
  %2 = tile.logical_product %1, %t : !tile.layout<(4, ?) : (1, 4)>, !tile.layout<3 : 1>
  return %2 : !tile.layout<((4, ?), 3) : ((1, 4), ?{div = 4})>
}

// Mode 0 is that of the two modes that the program took it from.
// CHECK-LABEL: @mode_of_other_nesting
// CHECK-NEXT: %[[L:.*]] = tile.make_layout 4 : 1
// CHECK-NEXT: return %[[L]]
func.func @mode_of_other_nesting() -> !tile.layout<4 : 1> {
  %n = arith.constant 8 : index
  %0 = tile.make_layout (4, %n) : (1, 4)
  %1 = tile.coalesce %0 : !tile.layout<(4, ?) : (1, 4)>
  %2 = tile.get %1[0] : !tile.layout<(4, ?) : (1, 4)>
  return %2 : !tile.layout<4 : 1>
}

// CHECK-LABEL: @swizzle_of_other_nesting
// CHECK-NEXT: %[[L:.*]] = tile.make_layout 32 : 1
// CHECK-NEXT: %[[S:.*]] = tile.make_swizzle S<2, 0, 3> o 0 o %[[L]]
// CHECK-NEXT: %[[N:.*]] = tile.layout_cast %[[S]] : !tile.layout<S<2, 0, 3> o 0 o 32 : 1> to !tile.layout<S<2, 0, 3> o 0 o (4, 8) : (1, 4)>
// CHECK-NEXT: %[[C:.*]] = tile.layout_cast %[[N]]
// CHECK-NEXT: return %[[C]]
func.func @swizzle_of_other_nesting() -> !tile.layout<S<2, 0, 3> o 0 o (4, ?) : (1, 4)> {
  %n = arith.constant 8 : index
  %0 = tile.make_layout (4, %n) : (1, 4)
  %1 = tile.coalesce %0 : !tile.layout<(4, ?) : (1, 4)>
  %2 = tile.make_swizzle S<2, 0, 3> o 0 o %1 : !tile.layout<(4, ?) : (1, 4)>
  return %2 : !tile.layout<S<2, 0, 3> o 0 o (4, ?) : (1, 4)>
}

// An inverse goes as far as was known.
// CHECK-LABEL: @inverse_as_far_as_known
// CHECK-NEXT: %[[L:.*]] = tile.make_layout 4 : 1
// CHECK-NEXT: return %[[L]]
func.func @inverse_as_far_as_known() -> !tile.layout<4 : 1> {
  %s = arith.constant 4 : index
  %0 = tile.make_layout (4, 8) : (1, %s)
  %1 = tile.right_inverse %0 : !tile.layout<(4, 8) : (1, ?)>
  return %1 : !tile.layout<4 : 1>
}

// Bounds wait for constants.
// CHECK-LABEL: @bounds_of_constants
// CHECK-DAG: %[[EIGHT:.*]] = arith.constant 8 : index
// CHECK-DAG: %[[N:.*]] = arith.constant 256 : index
// CHECK: return %[[EIGHT]], %[[EIGHT]], %[[N]]
func.func @bounds_of_constants() -> (index, index, index) {
  %s = arith.constant 24 : index
  %n = arith.constant 8 : index
  %0 = tile.make_layout (8, 8) : (1, %s)
  %1 = tile.max_alignment %0 : !tile.layout<(8, 8) : (1, ?)>
  %2 = tile.make_layout (4, 8) : (1, %n)
  %3 = tile.make_layout (%n, 8) : (1, 8)
  %4 = tile.max_common_vector %3, %0 : !tile.layout<(?, 8) : (1, 8)>, !tile.layout<(8, 8) : (1, ?)>
  %5 = tile.make_layout (32, %n) : (1, 32)
  %6 = tile.make_swizzle S<2, 3, 2> o 0 o %5 : !tile.layout<(32, ?) : (1, 32)>
  %7 = tile.cosize %6 : !tile.layout<S<2, 3, 2> o 0 o (32, ?) : (1, 32)>
  return %1, %4, %7 : index, index, index
}

// CHECK-LABEL: @bound_of_values_stays
// CHECK: tile.max_alignment
func.func @bound_of_values_stays(%l: !tile.layout<(8, 8) : (1, ?{div = 4})>) -> index {
  %0 = tile.max_alignment %l : !tile.layout<(8, 8) : (1, ?{div = 4})>
  return %0 : index
}

// Nothing is cast to a third nesting by way of a second.
// CHECK-LABEL: @cast_of_nestings
// CHECK-NEXT: %[[C:.*]] = tile.layout_cast %{{.*}} : !tile.layout<32 : 1> to !tile.layout<(8, 4) : (1, 8)>
// CHECK-NEXT: return %[[C]]
func.func @cast_of_nestings(%l: !tile.layout<32 : 1>) -> !tile.layout<(8, 4) : (1, 8)> {
  %0 = tile.layout_cast %l : !tile.layout<32 : 1> to !tile.layout<(4, 8) : (1, 4)>
  %1 = tile.layout_cast %0 : !tile.layout<(4, 8) : (1, 4)> to !tile.layout<(8, 4) : (1, 8)>
  return %1 : !tile.layout<(8, 4) : (1, 8)>
}

// CHECK-LABEL: @swizzle_becomes_static
// CHECK: %[[L:.*]] = tile.make_layout (8, 8) : (8, 1)
// CHECK: %[[S:.*]] = tile.make_swizzle S<2, 0, 3> o 64 o %[[L]]
// CHECK: tile.layout_cast %[[S]]
func.func @swizzle_becomes_static() -> !tile.layout<S<2, 0, 3> o ? o (8, 8) : (?, 1)> {
  %o = arith.constant 64 : index
  %ld = arith.constant 8 : index
  %0 = tile.make_layout (8, 8) : (%ld, 1)
  %1 = tile.make_swizzle S<2, 0, 3> o %o o %0 : !tile.layout<(8, 8) : (?, 1)>
  return %1 : !tile.layout<S<2, 0, 3> o ? o (8, 8) : (?, 1)>
}

// A layout of constants does not depend on what it was computed from.
// CHECK-LABEL: @static_result
// CHECK-NEXT: %[[L:.*]] = tile.make_layout (8, 4) : (1, 8)
// CHECK-NEXT: return %[[L]]
func.func @static_result(%l: !tile.layout<(4, 8) : (8, 1)>) -> !tile.layout<(8, 4) : (1, 8)> {
  %0 = tile.transpose %l : !tile.layout<(4, 8) : (8, 1)>
  return %0 : !tile.layout<(8, 4) : (1, 8)>
}

// CHECK-LABEL: @slice_and_offset_constant
// CHECK-DAG: %[[L:.*]] = tile.make_layout (8) : (1)
// CHECK-DAG: %{{.*}}, %[[O:.*]] = tile.slice_and_offset %{{.*}} at (2, _)
// CHECK: return %[[L]], %[[O]]
func.func @slice_and_offset_constant(%l: !tile.layout<(4, 8) : (?, 1)>) -> (!tile.layout<(8) : (1)>, index) {
  %i = arith.constant 2 : index
  %0, %1 = tile.slice_and_offset %l at (%i, _) : !tile.layout<(4, 8) : (?, 1)>
  return %0, %1 : !tile.layout<(8) : (1)>, index
}

// CHECK-LABEL: @slice_and_offset_static
// CHECK-DAG: %[[L:.*]] = tile.make_layout (8) : (1)
// CHECK-DAG: %[[O:.*]] = arith.constant 16 : index
// CHECK: return %[[L]], %[[O]]
func.func @slice_and_offset_static(%l: !tile.layout<(4, 8) : (8, 1)>) -> (!tile.layout<(8) : (1)>, index) {
  %i = arith.constant 2 : index
  %0, %1 = tile.slice_and_offset %l at (%i, _) : !tile.layout<(4, 8) : (8, 1)>
  return %0, %1 : !tile.layout<(8) : (1)>, index
}

// CHECK-LABEL: @cast_of_cast
// CHECK-NEXT: %[[C:.*]] = tile.layout_cast %{{.*}} : !tile.layout<(4, 8) : (8, 1)> to !tile.layout<(?, ?) : (?, ?)>
// CHECK-NEXT: return %[[C]]
func.func @cast_of_cast(%l: !tile.layout<(4, 8) : (8, 1)>) -> !tile.layout<(?, ?) : (?, ?)> {
  %0 = tile.layout_cast %l : !tile.layout<(4, 8) : (8, 1)> to !tile.layout<(?, 8) : (?, 1)>
  %1 = tile.layout_cast %0 : !tile.layout<(?, 8) : (?, 1)> to !tile.layout<(?, ?) : (?, ?)>
  return %1 : !tile.layout<(?, ?) : (?, ?)>
}

// CHECK-LABEL: @cast_to_itself
// CHECK-NEXT: return %arg0
func.func @cast_to_itself(%l: !tile.layout<(?, 8) : (8, 1)>) -> !tile.layout<(?, 8) : (8, 1)> {
  %0 = tile.layout_cast %l : !tile.layout<(?, 8) : (8, 1)> to !tile.layout<(?, 8) : (8, 1)>
  return %0 : !tile.layout<(?, 8) : (8, 1)>
}

//===----------------------------------------------------------------------===//
// Divisors are inferred
//===----------------------------------------------------------------------===//

// 192 m + 64 n is a multiple of 64, 8 of which are the tile.
// CHECK-LABEL: @divisor_of_products_and_sums
// CHECK: tile.make_layout (%{{.*}} {div = 64}, 8) : (%{{.*}} {div = 192}, 1)
// CHECK: tile.logical_divide %{{.*}} by <8, _> : !tile.layout<(?{div = 64}, 8) : (?{div = 192}, 1)>
func.func @divisor_of_products_and_sums(%m: index, %n: index) -> !tile.layout<((8, ?), 8) : ((?, ?{div = 8}), 1)> {
  %c192 = arith.constant 192 : index
  %c64 = arith.constant 64 : index
  %0 = arith.muli %m, %c192 : index
  %1 = arith.muli %n, %c64 : index
  %2 = arith.addi %0, %1 : index
  %3 = tile.make_layout (%2 {div = 8}, 8) : (%0, 1)
  %4 = tile.logical_divide %3 by <8, _> : !tile.layout<(?{div = 8}, 8) : (?, 1)>
  return %4 : !tile.layout<((8, ?), 8) : ((?, ?{div = 8}), 1)>
}

// The divisor of an operation's own result.
// CHECK-LABEL: @divisor_of_size
// CHECK: tile.make_layout %{{.*}} {div = 32} : 1
func.func @divisor_of_size(%l: !tile.layout<(?{div = 4}, 8) : (1, ?)>) -> !tile.layout<? : 1> {
  %0 = tile.size %l : !tile.layout<(?{div = 4}, 8) : (1, ?)>
  %1 = tile.make_layout %0 : 1
  return %1 : !tile.layout<? : 1>
}

// CHECK-LABEL: @divisor_of_shift
// CHECK: tile.make_layout %{{.*}} {div = 16} : 1
func.func @divisor_of_shift(%n: index) -> !tile.layout<? : 1> {
  %c4 = arith.constant 4 : index
  %0 = arith.shli %n, %c4 : index
  %1 = tile.make_layout %0 : 1
  return %1 : !tile.layout<? : 1>
}

// Constants and divisors of a by-mode tiler move into it.
// CHECK-LABEL: @tiler_becomes_constant
// CHECK: tile.composition %{{.*}} by <8, %{{.*}} {div = 16} : 2> : !tile.layout<(32, ?{div = 64}) : (?, 1)>
func.func @tiler_becomes_constant(%a: !tile.layout<(32, ?{div = 64}) : (?, 1)>, %b: !tile.layout<(?{div = 8}, 8) : (8, 1)>, %n: index) -> index {
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %m = arith.muli %n, %c16 : index
  %0 = tile.composition %a by <%c8, %m : 2> : !tile.layout<(32, ?{div = 64}) : (?, 1)>
  %1 = tile.size %0 : !tile.layout<(?, ?) : (?, 2)>
  return %1 : index
}

// An extent of 0 is none; it is left to the program.
// CHECK-LABEL: @tiler_of_zero_stays
// CHECK: tile.composition %{{.*}} by <%{{.*}}, _>
func.func @tiler_of_zero_stays(%a: !tile.layout<(32, 8) : (?, 1)>) -> !tile.layout<(?, 8) : (?, 1)> {
  %c0 = arith.constant 0 : index
  %0 = tile.composition %a by <%c0, _> : !tile.layout<(32, 8) : (?, 1)>
  return %0 : !tile.layout<(?, 8) : (?, 1)>
}
