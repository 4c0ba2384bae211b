// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes and types of layouts: print what was parsed.
// RUN: tile-opt %s | tile-opt | FileCheck %s

// CHECK: @layouts() attributes {a = #tile.layout<(4, 8) : (1, 4)>, b = #tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>, c = #tile.layout<S<2, 3, -3> o ?{div = 8} o ? : 1>}
func.func private @layouts() attributes {
  a = #tile.layout<(4, 8) : (1, 4)>,
  b = #tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>,
  c = #tile.layout<S<2, 3, -3> o ?{div = 8} o ? : 1>}

// A swizzle of no bits is none; an offset stays.
// CHECK: @identity_swizzles() attributes {a = #tile.layout<(4, 8) : (1, 4)>, b = #tile.layout<S<0, 0, 0> o 8 o (4, 8) : (1, 4)>}
func.func private @identity_swizzles() attributes {
  a = #tile.layout<S<0, 3, 3> o 0 o (4, 8) : (1, 4)>,
  b = #tile.layout<S<0, 3, 3> o 8 o (4, 8) : (1, 4)>}

// CHECK: @swizzles() attributes {a = #tile.swizzle<2, 0, 3>, b = #tile.swizzle<3, 4, -3>}
func.func private @swizzles() attributes {a = #tile.swizzle<2, 0, 3>, b = #tile.swizzle<3, 4, -3>}

// A number is that many elements, one apart.
// CHECK: @tilers() attributes {a = #tile.tiler<4>, b = #tile.tiler<4, 8 : 2, _, <2, _>>, c = #tile.tiler<4, (2, 2) : (1, 4)>}
func.func private @tilers() attributes {
  a = #tile.tiler<4 : 1>,
  b = #tile.tiler<4, 8 : 2, _, <2, _>>,
  c = #tile.tiler<4, (2, 2) : (1, 4)>}

// CHECK: @types(!tile.layout<S<2, 0, 3> o ? o (8, ?) : (?, 1)>)
func.func private @types(!tile.layout<S<2, 0, 3> o ? o (8, ?) : (?, 1)>)
