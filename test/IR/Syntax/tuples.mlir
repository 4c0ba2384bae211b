// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer tuples and layouts: every form prints as it is read.
// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s

// CHECK-LABEL: @tuples
// CHECK-SAME: a = #tile.int_tuple<4>
// CHECK-SAME: b = #tile.int_tuple<()>
// CHECK-SAME: c = #tile.int_tuple<(4)>
// CHECK-SAME: d = #tile.int_tuple<(4, (2, ?), _)>
// CHECK-SAME: e = #tile.int_tuple<?{div = 8}>
// CHECK-SAME: f = #tile.int_tuple<(-3, 1@e0, 2@e1@e0, ?@e1, ?{div = 4}@e0)>
// CHECK-SAME: g = #tile.int_tuple<(9223372036854775807, -9223372036854775808)>
// A divisor of 1 says nothing and is not printed.
// CHECK-SAME: h = #tile.int_tuple<?>
func.func private @tuples() attributes {
  a = #tile.int_tuple<4>,
  b = #tile.int_tuple<()>,
  c = #tile.int_tuple<(4)>,
  d = #tile.int_tuple<(4, (2, ?), _)>,
  e = #tile.int_tuple<?{div = 8}>,
  f = #tile.int_tuple<(-3, 1@e0, 2@e1@e0, ?@e1, ?{div = 4}@e0)>,
  g = #tile.int_tuple<(9223372036854775807, -9223372036854775808)>,
  h = #tile.int_tuple<?{div = 1}>
}

// CHECK-LABEL: @layouts
// CHECK-SAME: a = #tile.layout<8 : 1>
// CHECK-SAME: b = #tile.layout<() : ()>
// CHECK-SAME: c = #tile.layout<(4, (2, ?)) : (1, (?{div = 4}, -7))>
// CHECK-SAME: d = #tile.layout<(4, 8) : (1@e0, 1@e1)>
// CHECK-SAME: e = #tile.layout<(?{div = 2}, 8) : (0, 9223372036854775807)>
func.func private @layouts() attributes {
  a = #tile.layout<8:1>,
  b = #tile.layout<():()>,
  c = #tile.layout<(4,(2,?)):(1,(?{div=4},-7))>,
  d = #tile.layout<(4, 8) : (1@e0, 1@e1)>,
  e = #tile.layout<(?{div = 2}, 8) : (0, 9223372036854775807)>
}

// The deepest tuple that is accepted.
// CHECK-LABEL: @deep
// CHECK-SAME: ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((4))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
func.func private @deep() attributes {
  a = #tile.int_tuple<((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((4))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))>
}
