// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folders of layout queries.
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
