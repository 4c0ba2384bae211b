// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layouts become their run-time leaves, operations on them index arithmetic:
// no signed division, shifts and masks for powers of two, nothing twice.
// RUN: tile-opt %s --tile-expand-layouts --canonicalize --cse | FileCheck %s
// RUN: tile-opt %s --tile-expand-layouts | FileCheck %s --check-prefix=NONE

// NONE-NOT: tile.
// NONE-NOT: divsi
// NONE-NOT: remsi

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

// CHECK-LABEL: @size
// CHECK-SAME: (%[[M:.*]]: index, %[[N:.*]]: index)
// CHECK: %[[MN:.*]] = arith.muli %[[M]], %[[N]]
// CHECK: %[[R:.*]] = arith.muli %[[MN]], %c8
// CHECK: return %[[R]]
func.func @size(%m: index, %n: index) -> index {
  %0 = tile.make_layout (%m, (%n, 8)) : (1, (%m, %n))
  %1 = tile.size %0 : !tile.layout<(?, (?, 8)) : (1, (?, ?))>
  return %1 : index
}

// CHECK-LABEL: @size_static
// CHECK: %[[R:.*]] = arith.constant 32 : index
// CHECK: return %[[R]]
func.func @size_static() -> index {
  %0 = tile.make_layout (4, 8) : (8, 1)
  %1 = tile.size %0 : !tile.layout<(4, 8) : (8, 1)>
  return %1 : index
}

// CHECK-LABEL: @rank
// CHECK: %[[R:.*]] = arith.constant 2 : index
// CHECK: return %[[R]]
func.func @rank(%m: index) -> index {
  %0 = tile.make_layout (%m, 8) : (8, 1)
  %1 = tile.rank %0 : !tile.layout<(?, 8) : (8, 1)>
  return %1 : index
}

// (m - 1) * 3 + 3 + 1
// CHECK-LABEL: @cosize
// CHECK-SAME: (%[[M:.*]]: index)
// CHECK: %[[LAST:.*]] = arith.addi %[[M]], %c-1
// CHECK: %[[SPAN:.*]] = arith.muli %[[LAST]], %c3
// CHECK: %[[R:.*]] = arith.addi %[[SPAN]], %c4
// CHECK: return %[[R]]
func.func @cosize(%m: index) -> index {
  %0 = tile.make_layout (%m, 4) : (-3, 1)
  %1 = tile.cosize %0 : !tile.layout<(?, 4) : (-3, 1)>
  return %1 : index
}

//===----------------------------------------------------------------------===//
// Offsets
//===----------------------------------------------------------------------===//

// CHECK-LABEL: @crd2idx
// CHECK-SAME: (%[[I:.*]]: index, %[[J:.*]]: index, %[[LD:.*]]: index)
// CHECK: %[[ROW:.*]] = arith.muli
// CHECK: %[[R:.*]] = arith.addi
// CHECK-NOT: arith.
// CHECK: return %[[R]]
func.func @crd2idx(%i: index, %j: index, %ld: index) -> index {
  %0 = tile.make_layout (%i, 8) : (%ld, 1)
  %1 = tile.crd2idx (%i, %j), %0 : !tile.layout<(?, 8) : (?, 1)>
  return %1 : index
}

// A linear index is split by the extents, the first mode fastest.
// CHECK-LABEL: @crd2idx_linear
// CHECK-SAME: (%[[I:.*]]: index)
// CHECK-NOT: divui
// CHECK-NOT: remui
// CHECK-NOT: muli
// CHECK: %[[Q:.*]] = arith.shrui %[[I]], %c2
// CHECK: %[[M:.*]] = arith.andi %[[I]], %c3
// CHECK: %[[S:.*]] = arith.shli %[[M]], %c3
// CHECK: %[[R:.*]] = arith.addi %[[Q]], %[[S]]
// CHECK: return %[[R]]
func.func @crd2idx_linear(%i: index) -> index {
  %0 = tile.make_layout (4, 8) : (8, 1)
  %1 = tile.crd2idx %i, %0 : !tile.layout<(4, 8) : (8, 1)>
  return %1 : index
}

// What does not divide by a power of two is divided once and as unsigned:
// 100 * (i mod 3) + 7 * (i div 3) is 100 * i - 293 * (i div 3).
// CHECK-LABEL: @crd2idx_linear_by_three
// CHECK-SAME: (%[[I:.*]]: index)
// CHECK-NOT: remui
// CHECK: %[[A:.*]] = arith.muli %[[I]], %c100
// CHECK: %[[Q:.*]] = arith.divui %[[I]], %c3
// CHECK: %[[B:.*]] = arith.muli %[[Q]], %c293
// CHECK: %[[R:.*]] = arith.subi %[[A]], %[[B]]
// CHECK: return %[[R]]
func.func @crd2idx_linear_by_three(%i: index) -> index {
  %0 = tile.make_layout (3, 8) : (100, 7)
  %1 = tile.crd2idx %i, %0 : !tile.layout<(3, 8) : (100, 7)>
  return %1 : index
}

// A mask goes where the stride is multiplied anyway, 6 * i - 23 * (i div 4),
// and a shift where the whole index serves as well: 2 * i + 10 * (i mod 2).
// CHECK-LABEL: @crd2idx_without_mask
// CHECK-SAME: (%[[I:.*]]: index)
// CHECK-NOT: arith.andi
// CHECK: arith.muli %[[I]], %c6
// CHECK: %[[Q:.*]] = arith.shrui %[[I]], %c2
// CHECK: arith.muli %[[Q]], %c23
// CHECK: arith.subi
func.func @crd2idx_without_mask(%i: index) -> index {
  %0 = tile.make_layout (4, 6) : (6, 1)
  %1 = tile.crd2idx %i, %0 : !tile.layout<(4, 6) : (6, 1)>
  return %1 : index
}

// CHECK-LABEL: @crd2idx_without_shift
// CHECK-SAME: (%[[I:.*]]: index)
// CHECK-NOT: arith.shrui
// CHECK-DAG: arith.muli %[[I]], %c2
// CHECK-DAG: %[[M:.*]] = arith.andi %[[I]], %c1
// CHECK-DAG: arith.muli %[[M]], %c10
func.func @crd2idx_without_shift(%i: index) -> index {
  %0 = tile.make_layout (2, 12) : (12, 4)
  %1 = tile.crd2idx %i, %0 : !tile.layout<(2, 12) : (12, 4)>
  return %1 : index
}

// Modes whose strides continue each other are one.
// CHECK-LABEL: @crd2idx_one_stride
// CHECK-SAME: (%[[I:.*]]: index)
// CHECK: %[[R:.*]] = arith.muli %[[I]], %c5
// CHECK-NOT: arith.
// CHECK: return %[[R]]
func.func @crd2idx_one_stride(%i: index) -> index {
  %0 = tile.make_layout (3, 6, 2, 8) : (5, 15, 90, 180)
  %1 = tile.crd2idx %i, %0 : !tile.layout<(3, 6, 2, 8) : (5, 15, 90, 180)>
  return %1 : index
}

// Equal factors are multiplied once: 4 * i + 7 * (i div 6 - i div 2).
// CHECK-LABEL: @crd2idx_one_factor
// CHECK-SAME: (%[[I:.*]]: index)
// CHECK-COUNT-1: arith.muli
// CHECK-NOT: arith.muli %{{.*}}, %c7
// CHECK: return
func.func @crd2idx_one_factor(%i: index) -> index {
  %0 = tile.make_layout (3, 2, 5) : (4, 5, 17)
  %1 = tile.crd2idx %i, %0 : !tile.layout<(3, 2, 5) : (4, 5, 17)>
  return %1 : index
}

// Factors with a small quotient too: 10 * (3 * j + i).
// CHECK-LABEL: @crd2idx_factored
// CHECK-SAME: (%[[I:.*]]: index, %[[J:.*]]: index)
// CHECK: %[[T:.*]] = arith.muli %[[J]], %c3
// CHECK: %[[S:.*]] = arith.addi {{.*}}%[[T]]
// CHECK: %[[R:.*]] = arith.muli %[[S]], %c10
func.func @crd2idx_factored(%i: index, %j: index) -> index {
  %0 = tile.make_layout (6, 20) : (10, 30)
  %1 = tile.crd2idx (%i, %j), %0 : !tile.layout<(6, 20) : (10, 30)>
  return %1 : index
}

// Two bits change places: t = i xor (i div 2), i xor 3 * (t and 2).
// CHECK-LABEL: @crd2idx_exchange
// CHECK-SAME: (%[[I:.*]]: index)
// CHECK: %[[H:.*]] = arith.shrui %[[I]], %c1
// CHECK: %[[T:.*]] = arith.xori %[[I]], %[[H]]
// CHECK: %[[M:.*]] = arith.andi %[[T]], %c2
// CHECK: %[[D:.*]] = arith.muli %[[M]], %c3
// CHECK: %[[R:.*]] = arith.xori %[[I]], %[[D]]
// CHECK: return %[[R]]
func.func @crd2idx_exchange(%i: index) -> index {
  %0 = tile.make_layout (2, 2, 2, 4) : (1, 4, 2, 8)
  %1 = tile.crd2idx %i, %0 : !tile.layout<(2, 2, 2, 4) : (1, 4, 2, 8)>
  return %1 : index
}

// Bits that count negatively are flipped: (i xor 24) - 24.
// CHECK-LABEL: @crd2idx_negative
// CHECK-SAME: (%[[I:.*]]: index)
// CHECK: %[[F:.*]] = arith.xori %[[I]], %c24
// CHECK-NEXT: %[[R:.*]] = arith.addi %[[F]], %c-24
// CHECK-NEXT: return %[[R]]
func.func @crd2idx_negative(%i: index) -> index {
  %0 = tile.make_layout (8, 4, 2) : (1, -8, 32)
  %1 = tile.crd2idx %i, %0 : !tile.layout<(8, 4, 2) : (1, -8, 32)>
  return %1 : index
}

// A multiple of 16 starts at row 0 of 4: no remainder, and one shift.
// CHECK-LABEL: @crd2idx_divisible
// CHECK-SAME: (%[[I:.*]]: index)
// CHECK-NEXT: %[[C2:.*]] = arith.constant 2 : index
// CHECK-NEXT: %[[J:.*]] = arith.shrui %[[I]], %[[C2]]
// CHECK-NEXT: return %[[J]]
func.func @crd2idx_divisible(%i: index) -> index {
  %0 = tile.make_layout (4, 8) : (100, 1)
  %1 = tile.crd2idx %i {div = 16}, %0 : !tile.layout<(4, 8) : (100, 1)>
  return %1 : index
}

// The mode is not split at all where its strides continue each other.
// CHECK-LABEL: @idx2crd
// CHECK-SAME: (%[[I:.*]]: index, %[[N:.*]]: index)
// CHECK-DAG: %[[A:.*]] = arith.andi %[[I]], %c3
// CHECK-DAG: %[[REST:.*]] = arith.shrui %[[I]], %c2
// CHECK-DAG: %[[B:.*]] = arith.remui %[[REST]], %[[N]]
// CHECK: return %[[A]], %[[B]]
func.func @idx2crd(%i: index, %n: index) -> (index, index, index) {
  %0:3 = tile.idx2crd %i in (4, (%n, 8))
  return %0#0, %0#1, %0#2 : index, index, index
}

// The coordinate of a thread's value, and whether it is inside.
// CHECK-LABEL: @predicate
// CHECK-SAME: (%[[T:.*]]: index, %[[M:.*]]: index)
// CHECK-DAG: %[[ROW:.*]] = arith.shrui %[[T]], %c2
// CHECK-DAG: %[[COL:.*]] = arith.andi %[[T]], %c3
// CHECK-DAG: %[[A:.*]] = arith.cmpi slt, %[[ROW]], %[[M]]
// CHECK-DAG: %[[B:.*]] = arith.cmpi slt, %[[COL]], %c3
// CHECK: %[[R:.*]] = arith.andi %[[A]], %[[B]] : i1
// CHECK: return %[[R]]
func.func @predicate(%t: index, %m: index) -> i1 {
  %0 = tile.make_layout (4, 8) : (1@e1, 1@e0)
  %c:2 = tile.coordinate %t, %0 : !tile.layout<(4, 8) : (1@e1, 1@e0)>
  %1 = tile.elem_less (%c#0, %c#1), (%m, 3)
  return %1 : i1
}

//===----------------------------------------------------------------------===//
// Swizzles
//===----------------------------------------------------------------------===//

// The stage is a multiple of the period, 512, and is added behind the xor:
// mask and shift of the row, xor, and three operations for the offset itself.
// CHECK-LABEL: @swizzle
// CHECK-SAME: (%[[I:.*]]: index, %[[J:.*]]: index, %[[S:.*]]: index)
// CHECK-DAG: %[[STAGE:.*]] = arith.muli %[[S]], %c512
// CHECK-DAG: %[[ROW:.*]] = arith.muli %[[I]], %c64
// CHECK-DAG: %[[X:.*]] = arith.addi %[[ROW]], %[[J]]
// CHECK-DAG: %[[BITS:.*]] = arith.andi %[[X]], %c448
// CHECK-DAG: %[[LOW:.*]] = arith.shrui %[[BITS]], %c3
// CHECK-DAG: %[[XOR:.*]] = arith.xori %[[X]], %[[LOW]]
// CHECK: %[[R:.*]] = arith.addi %[[STAGE]], %[[XOR]]
// CHECK-NOT: arith.
// CHECK: return %[[R]]
func.func @swizzle(%i: index, %j: index, %s: index) -> index {
  %0 = tile.make_layout (8, 64, 4) : (64, 1, 512)
  %1 = tile.make_swizzle S<3, 3, 3> o 0 o %0 : !tile.layout<(8, 64, 4) : (64, 1, 512)>
  %2 = tile.crd2idx (%i, %j, %s), %1 : !tile.layout<S<3, 3, 3> o 0 o (8, 64, 4) : (64, 1, 512)>
  return %2 : index
}

// Rows that are multiples of eight begin with a period: nothing to swizzle.
// CHECK-LABEL: @swizzle_of_whole_periods
// CHECK-NOT: arith.xori
// CHECK: return
func.func @swizzle_of_whole_periods(%i: index) -> index {
  %0 = tile.make_layout (64, 64) : (64, 1)
  %1 = tile.make_swizzle S<3, 3, 3> o 0 o %0 : !tile.layout<(64, 64) : (64, 1)>
  %2 = tile.crd2idx (%i {div = 8}, 5), %1 : !tile.layout<S<3, 3, 3> o 0 o (64, 64) : (64, 1)>
  return %2 : index
}

// The row and the column do not meet where their ranges are known, from an
// argument or from an operation: (64 * i + j) xor 8 * i is 72 * i xor j.
// CHECK-LABEL: func.func @swizzle_in_range(
// CHECK-SAME: %[[T:.*]]: index, %[[J:.*]]: index {
// CHECK: %[[I:.*]] = arith.andi %[[T]], %c7
// CHECK: %[[I32:.*]] = arith.index_cast %[[I]] : index to i32
// CHECK: %[[ROW:.*]] = arith.muli %[[I32]], %c72_i32
// CHECK: %[[J32:.*]] = arith.index_cast %[[J]] : index to i32
// CHECK: %[[R:.*]] = arith.xori %[[ROW]], %[[J32]]
// CHECK: %[[INDEX:.*]] = arith.index_castui %[[R]]
// CHECK: return %[[INDEX]]
func.func @swizzle_in_range(%t: index, %j: index {llvm.range = #llvm.constant_range<i64, 0, 64>}) -> index {
  %c7 = arith.constant 7 : index
  %i = arith.andi %t, %c7 : index
  %0 = tile.make_layout (8, 64) : (64, 1)
  %1 = tile.make_swizzle S<3, 3, 3> o 0 o %0 : !tile.layout<(8, 64) : (64, 1)>
  %2 = tile.crd2idx (%i, %j), %1 : !tile.layout<S<3, 3, 3> o 0 o (8, 64) : (64, 1)>
  return %2 : index
}

// One more column and they may.
// CHECK-LABEL: func.func @swizzle_out_of_range(
// CHECK: arith.muli %{{.*}}, %c64
// CHECK: arith.andi %{{.*}}, %c448
// CHECK: arith.xori
func.func @swizzle_out_of_range(%t: index, %j: index {llvm.range = #llvm.constant_range<i64, 0, 65>}) -> index {
  %c7 = arith.constant 7 : index
  %i = arith.andi %t, %c7 : index
  %0 = tile.make_layout (8, 64) : (64, 1)
  %1 = tile.make_swizzle S<3, 3, 3> o 0 o %0 : !tile.layout<(8, 64) : (64, 1)>
  %2 = tile.crd2idx (%i, %j), %1 : !tile.layout<S<3, 3, 3> o 0 o (8, 64) : (64, 1)>
  return %2 : index
}

// The offset under the swizzle is a leaf of the layout.
// CHECK-LABEL: func.func @swizzle_offset(
// CHECK-SAME: %[[O:.*]]: index, %[[I:.*]]: index)
// CHECK: arith.addi
// CHECK: arith.xori
func.func @swizzle_offset(%l: !tile.layout<S<3, 3, 3> o ? o (8, 64) : (64, 1)>, %i: index) -> index {
  %0 = tile.crd2idx (0, %i), %l : !tile.layout<S<3, 3, 3> o ? o (8, 64) : (64, 1)>
  return %0 : index
}

//===----------------------------------------------------------------------===//
// Algebra
//===----------------------------------------------------------------------===//

// m elements in m / 8 tiles of 8.
// CHECK-LABEL: @divide
// CHECK-SAME: (%[[M:.*]]: index)
// CHECK: %[[REST:.*]] = arith.shrui %[[M]], %c3
// CHECK: %[[SIZE:.*]] = arith.muli %[[REST]], %c8
// CHECK: return %[[SIZE]]
func.func @divide(%m: index) -> index {
  %0 = tile.make_layout %m {div = 8} : 1
  %1 = tile.make_layout 8 : 1
  %2 = tile.zipped_divide %0, %1 : !tile.layout<?{div = 8} : 1>, !tile.layout<8 : 1>
  %3 = tile.size %2 : !tile.layout<(8, ?) : (1, 8)>
  return %3 : index
}

// Tile (i, j) of a row-major matrix: 128 rows down, 8 columns across.
// CHECK-LABEL: @tile_start
// CHECK-SAME: (%[[M:.*]]: index, %[[LD:.*]]: index, %[[I:.*]]: index, %[[J:.*]]: index)
// CHECK-DAG: %[[STEP:.*]] = arith.muli %[[LD]], %c128
// CHECK-DAG: %[[DOWN:.*]] = arith.muli %[[STEP]], %[[I]]
// CHECK-DAG: %[[ACROSS:.*]] = arith.muli %[[J]], %c8
// CHECK: %[[R:.*]] = arith.addi
// CHECK-NOT: arith.
// CHECK: return %[[R]]
func.func @tile_start(%m: index, %ld: index, %i: index, %j: index) -> index {
  %0 = tile.make_layout (%m {div = 128}, 64) : (%ld {div = 4}, 1)
  %1 = tile.zipped_divide %0 by <128, 8> : !tile.layout<(?{div = 128}, 64) : (?{div = 4}, 1)>
  %2, %start = tile.slice_and_offset %1 at (_, (%i, %j)) : !tile.layout<((128, 8), (?, 8)) : ((?{div = 4}, 1), (?{div = 512}, 8))>
  return %start : index
}

// CHECK-LABEL: @composition_dynamic_stride
// CHECK-SAME: (%[[LD:.*]]: index)
// CHECK: %[[R:.*]] = arith.muli %[[LD]], %c6
// CHECK: return %[[R]]
func.func @composition_dynamic_stride(%ld: index) -> index {
  %0 = tile.make_layout 32 : %ld
  %1 = tile.make_layout 8 : 2
  %2 = tile.composition %0, %1 : !tile.layout<32 : ?>, !tile.layout<8 : 2>
  %3 = tile.crd2idx 3, %2 : !tile.layout<8 : ?{div = 2}>
  return %3 : index
}

// The strides of a compact layout: m, and m * n times 4.
// CHECK-LABEL: @make_layout_left
// CHECK-SAME: (%[[M:.*]]: index, %[[N:.*]]: index)
// CHECK: %[[MN:.*]] = arith.muli %[[M]], %[[N]]
// CHECK: return %[[M]], %[[N]], %[[M]], %[[MN]]
func.func @make_layout_left(%m: index, %n: index) -> !tile.layout<(?, ?, 4) : (1, ?, ?)> {
  %0 = tile.make_layout_left (%m, %n, 4)
  return %0 : !tile.layout<(?, ?, 4) : (1, ?, ?)>
}

// Both quotients are rounded up without a branch.
// CHECK-LABEL: @ceil_div
// CHECK-SAME: (%[[M:.*]]: index, %[[N:.*]]: index)
// CHECK-DAG: %[[M127:.*]] = arith.addi %[[M]], %c127
// CHECK-DAG: %[[A:.*]] = arith.shrui %[[M127]], %c7
// CHECK-DAG: %[[N95:.*]] = arith.addi %[[N]], %c95
// CHECK-DAG: %[[B:.*]] = arith.divui %[[N95]], %c96
// CHECK: return %[[A]], %[[B]]
func.func @ceil_div(%m: index, %n: index) -> (index, index) {
  %0:2 = tile.ceil_div (%m, %n), (128, 96)
  return %0#0, %0#1 : index, index
}

// CHECK-LABEL: @product
// CHECK: arith.muli
// CHECK: arith.muli
// CHECK-NOT: arith.
// CHECK: return
func.func @product(%m: index, %n: index) -> index {
  %0 = tile.product (%m, (%n, 8))
  return %0 : index
}

// A leaf that the type forgets is a value again.
// CHECK-LABEL: @cast
// CHECK-SAME: (%[[LD:.*]]: index)
// CHECK: %[[C4:.*]] = arith.constant 4 : index
// CHECK: return %[[C4]], %[[LD]]
func.func @cast(%ld: index) -> !tile.layout<(?, 8) : (?, 1)> {
  %0 = tile.make_layout (4, 8) : (%ld, 1)
  %1 = tile.layout_cast %0 : !tile.layout<(4, 8) : (?, 1)> to !tile.layout<(?, 8) : (?, 1)>
  return %1 : !tile.layout<(?, 8) : (?, 1)>
}

// A quotient that is 0 or 1 is compared, and what it counts selected.
// CHECK-LABEL: @one_step
// CHECK-SAME: %[[I:.*]]: index {llvm.range
// CHECK: %[[N:.*]] = arith.index_cast %[[I]] : index to i32
// CHECK: %[[C:.*]] = arith.cmpi uge, %[[N]], %c12_i32
// CHECK: %[[S:.*]] = arith.select %[[C]], %c12_i32{{.*}}, %c0_i32
// CHECK: arith.addi %[[S]], %[[N]]
// CHECK-NOT: divui
func.func @one_step(%i: index {llvm.range = #llvm.constant_range<i64, 0, 24>}) -> index {
  %l = tile.make_layout (12, 2) : (1, 24)
  %r = tile.crd2idx %i, %l : !tile.layout<(12, 2) : (1, 24)>
  return %r : index
}

// The highest bit, which nothing needs to mask, and the one below change
// places.
// CHECK-LABEL: @exchanged_top_bits
// CHECK-COUNT-2: arith.xori
// CHECK-NOT: arith.addi
func.func @exchanged_top_bits(%i: index {llvm.range = #llvm.constant_range<i64, 0, 32>}) -> index {
  %l = tile.make_layout (8, 2, 2) : (1, 16, 8)
  %r = tile.crd2idx %i, %l : !tile.layout<(8, 2, 2) : (1, 16, 8)>
  return %r : index
}

// -2^63 has no opposite to subtract.
// CHECK-LABEL: @lowest_stride
// CHECK: arith.muli %{{.*}}, %c-9223372036854775808
func.func @lowest_stride(%i: index) -> index {
  %l = tile.make_layout (2, 2) : (1, -9223372036854775808)
  %r = tile.crd2idx (%i, %i), %l : !tile.layout<(2, 2) : (1, -9223372036854775808)>
  return %r : index
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

// Layouts pass through loops, calls and functions as their leaves.
// CHECK-LABEL: func.func @argument(
// CHECK-SAME: %[[M:.*]]: index, %[[LD:.*]]: index) -> (index, index)
// CHECK: return %[[M]], %[[LD]]
func.func @argument(%l: !tile.layout<(?, 8) : (?, 1)>) -> !tile.layout<(?, 8) : (?, 1)> {
  return %l : !tile.layout<(?, 8) : (?, 1)>
}

// CHECK-LABEL: func.func @call(
// CHECK: call @argument(%{{.*}}, %{{.*}}) : (index, index) -> (index, index)
func.func @call(%m: index) -> index {
  %0 = tile.make_layout (%m, 8) : (%m, 1)
  %1 = call @argument(%0) : (!tile.layout<(?, 8) : (?, 1)>) -> !tile.layout<(?, 8) : (?, 1)>
  %2 = tile.size %1 : !tile.layout<(?, 8) : (?, 1)>
  return %2 : index
}

// CHECK-LABEL: @loop
// CHECK: scf.for {{.*}} -> (index)
func.func @loop(%m: index, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tile.make_layout %m : 1
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%l = %0) -> !tile.layout<? : 1> {
    %s = tile.size %l : !tile.layout<? : 1>
    %t = arith.addi %s, %i : index
    %next = tile.make_layout %t : 1
    scf.yield %next : !tile.layout<? : 1>
  }
  %2 = tile.size %1 : !tile.layout<? : 1>
  return %2 : index
}
