// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A print becomes a printf: what is known of a layout is text, the rest numbers
// of 64 bits.
// RUN: tile-opt %s --tile-expand-layouts --canonicalize --cse | FileCheck %s

// CHECK-LABEL: @layouts
// CHECK-SAME: (%[[M:.*]]: index, %[[LD:.*]]: index, %[[O:.*]]: index)
// CHECK-DAG: %[[M64:.*]] = arith.index_cast %[[M]] : index to i64
// CHECK-DAG: %[[LD64:.*]] = arith.index_cast %[[LD]] : index to i64
// CHECK: gpu.printf "(%lld, (2, 4)) : (%lld, (1, 2))\0A", %[[M64]], %[[LD64]] : i64, i64
// CHECK: %[[O64:.*]] = arith.index_cast %[[O]] : index to i64
// CHECK: gpu.printf "S<2, 0, 3> o %lld o (8, 8) : (%lld, 1)\0A", %[[O64]], %[[LD64]] : i64, i64
// CHECK: gpu.printf "(4, %lld) : (2@e1, 1@e0@e1), 100%%\0A", %[[M64]] : i64
func.func @layouts(%m: index, %ld: index, %o: index) {
  %0 = tile.make_layout (%m, (2, 4)) : (%ld, (1, 2))
  tile.print "{}", %0 : !tile.layout<(?, (2, 4)) : (?, (1, 2))>
  %1 = tile.make_layout (8, 8) : (%ld, 1)
  %2 = tile.make_swizzle S<2, 0, 3> o %o o %1 : !tile.layout<(8, 8) : (?, 1)>
  tile.print "{}", %2 : !tile.layout<S<2, 0, 3> o ? o (8, 8) : (?, 1)>
  %3 = tile.make_layout (4, %m) : (2@e1, 1@e0@e1)
  tile.print "{}, 100%", %3 : !tile.layout<(4, ?) : (2@e1, 1@e0@e1)>
  return
}

// CHECK-LABEL: @numbers
// CHECK-SAME: (%[[I:.*]]: index, %[[B:.*]]: i1, %[[C:.*]]: i8, %[[L:.*]]: i64, %[[H:.*]]: bf16, %[[X:.*]]: f32, %[[D:.*]]: f64)
// CHECK-DAG: %[[I64:.*]] = arith.index_cast %[[I]] : index to i64
// CHECK-DAG: %[[B64:.*]] = arith.extui %[[B]] : i1 to i64
// CHECK-DAG: %[[C64:.*]] = arith.extsi %[[C]] : i8 to i64
// CHECK-DAG: %[[H32:.*]] = arith.extf %[[H]] : bf16 to f32
// CHECK: gpu.printf "{(%lld, %lld)} %lld %lld: %g, %g, %g\0A", %[[I64]], %[[B64]], %[[C64]], %[[L]], %[[H32]], %[[X]], %[[D]] : i64, i64, i64, i64, f32, f32, f64
func.func @numbers(%i: index, %b: i1, %c: i8, %l: i64, %h: bf16, %x: f32, %d: f64) {
  tile.print "{{({}, {})}} {} {}: {}, {}, {}", %i, %b, %c, %l, %h, %x, %d : index, i1, i8, i64, bf16, f32, f64
  return
}
