// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layout operations: syntax, and the types that are inferred.
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

// CHECK-LABEL: @make_layout_nested
func.func @make_layout_nested(%m: index, %ld: index) -> !tile.layout<(?, (2, ?{div = 4})) : (?{div = 8}, (1, ?))> {
  // CHECK: tile.make_layout (%{{.*}}, (2, %{{.*}} {div = 4})) : (%{{.*}} {div = 8}, (1, %{{.*}}))
  %0 = tile.make_layout (%m, (2, %m {div = 4})) : (%ld {div = 8}, (1, %ld))
  return %0 : !tile.layout<(?, (2, ?{div = 4})) : (?{div = 8}, (1, ?))>
}

// CHECK-LABEL: @make_layout_leaf
func.func @make_layout_leaf(%m: index) -> (!tile.layout<? : 1>, !tile.layout<() : ()>) {
  // CHECK: tile.make_layout %{{.*}} : 1
  %0 = tile.make_layout %m : 1
  // CHECK: tile.make_layout () : ()
  %1 = tile.make_layout () : ()
  return %0, %1 : !tile.layout<? : 1>, !tile.layout<() : ()>
}

// CHECK-LABEL: @make_layout_coordinates
func.func @make_layout_coordinates() -> !tile.layout<(4, 8) : (1@e0, 2@e1@e0)> {
  // CHECK: tile.make_layout (4, 8) : (1@e0, 2@e1@e0)
  %0 = tile.make_layout (4, 8) : (1@e0, 2@e1@e0)
  return %0 : !tile.layout<(4, 8) : (1@e0, 2@e1@e0)>
}

// What the strides are multiples of follows from the extents.
// CHECK-LABEL: @make_compact
func.func @make_compact(%m: index, %n: index) -> (!tile.layout<(?{div = 4}, 8, ?) : (1, ?{div = 4}, ?{div = 32})>, !tile.layout<(?{div = 4}, 8, ?) : (?{div = 8}, ?, 1)>) {
  // CHECK: tile.make_layout_left (%{{.*}} {div = 4}, 8, %{{.*}})
  %0 = tile.make_layout_left (%m {div = 4}, 8, %n)
  // CHECK: tile.make_layout_right (%{{.*}} {div = 4}, 8, %{{.*}})
  %1 = tile.make_layout_right (%m {div = 4}, 8, %n)
  return %0, %1 : !tile.layout<(?{div = 4}, 8, ?) : (1, ?{div = 4}, ?{div = 32})>, !tile.layout<(?{div = 4}, 8, ?) : (?{div = 8}, ?, 1)>
}

// CHECK-LABEL: @make_ordered
func.func @make_ordered(%l: !tile.layout<(4, 8) : (100, 2)>) -> (!tile.layout<(2, (3, 4), 5) : (12, (1, 3), 24)>, !tile.layout<(4, 8) : (8, 1)>) {
  // CHECK: tile.make_ordered_layout (2, (3, 4), 5) order (1, 0, 2)
  %0 = tile.make_ordered_layout (2, (3, 4), 5) order (1, 0, 2)
  // CHECK: tile.make_layout_like %{{.*}} : !tile.layout<(4, 8) : (100, 2)>
  %1 = tile.make_layout_like %l : !tile.layout<(4, 8) : (100, 2)>
  return %0, %1 : !tile.layout<(2, (3, 4), 5) : (12, (1, 3), 24)>, !tile.layout<(4, 8) : (8, 1)>
}

// CHECK-LABEL: @make_identity
func.func @make_identity(%m: index) -> !tile.layout<(?, (2, 8)) : (1@e0, (1@e0@e1, 1@e1@e1))> {
  // CHECK: tile.make_identity_layout (%{{.*}}, (2, 8))
  %0 = tile.make_identity_layout (%m, (2, 8))
  return %0 : !tile.layout<(?, (2, 8)) : (1@e0, (1@e0@e1, 1@e1@e1))>
}

// CHECK-LABEL: @make_swizzle
func.func @make_swizzle(%l: !tile.layout<(8, 8) : (8, 1)>, %o: index) -> (!tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>, !tile.layout<S<2, 0, -3> o ?{div = 64} o (8, 8) : (8, 1)>) {
  // CHECK: tile.make_swizzle S<2, 0, 3> o 0 o %{{.*}} : !tile.layout<(8, 8) : (8, 1)>
  %0 = tile.make_swizzle S<2, 0, 3> o 0 o %l : !tile.layout<(8, 8) : (8, 1)>
  // CHECK: tile.make_swizzle S<2, 0, -3> o %{{.*}} {div = 64} o %{{.*}} : !tile.layout<(8, 8) : (8, 1)>
  %1 = tile.make_swizzle S<2, 0, -3> o %o {div = 64} o %l : !tile.layout<(8, 8) : (8, 1)>
  return %0, %1 : !tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>, !tile.layout<S<2, 0, -3> o ?{div = 64} o (8, 8) : (8, 1)>
}

// CHECK-LABEL: @layout_cast
func.func @layout_cast(%l: !tile.layout<(4, 8) : (8, 1)>) -> !tile.layout<(?, 8) : (?{div = 4}, ?)> {
  // CHECK: tile.layout_cast %{{.*}} : !tile.layout<(4, 8) : (8, 1)> to !tile.layout<(?, 8) : (?{div = 4}, ?)>
  %0 = tile.layout_cast %l : !tile.layout<(4, 8) : (8, 1)> to !tile.layout<(?, 8) : (?{div = 4}, ?)>
  return %0 : !tile.layout<(?, 8) : (?{div = 4}, ?)>
}

//===----------------------------------------------------------------------===//
// Queries and tuples
//===----------------------------------------------------------------------===//

// CHECK-LABEL: @queries
func.func @queries(%l: !tile.layout<(?, 8) : (8, 1)>, %i: index) {
  // CHECK: tile.rank %{{.*}} : !tile.layout<(?, 8) : (8, 1)>
  %r = tile.rank %l : !tile.layout<(?, 8) : (8, 1)>
  // CHECK: tile.depth %{{.*}} : !tile.layout<(?, 8) : (8, 1)>
  %d = tile.depth %l : !tile.layout<(?, 8) : (8, 1)>
  // CHECK: tile.size %{{.*}} : !tile.layout<(?, 8) : (8, 1)>
  %0 = tile.size %l : !tile.layout<(?, 8) : (8, 1)>
  // CHECK: tile.cosize %{{.*}} : !tile.layout<(?, 8) : (8, 1)>
  %1 = tile.cosize %l : !tile.layout<(?, 8) : (8, 1)>
  // CHECK: tile.crd2idx (%{{.*}}, 3), %{{.*}} : !tile.layout<(?, 8) : (8, 1)>
  %2 = tile.crd2idx (%i, 3), %l : !tile.layout<(?, 8) : (8, 1)>
  // An index runs through the whole layout.
  // CHECK: tile.crd2idx %{{.*}} {div = 8}, %{{.*}} : !tile.layout<(?, 8) : (8, 1)>
  %3 = tile.crd2idx %i {div = 8}, %l : !tile.layout<(?, 8) : (8, 1)>
  return
}

// CHECK-LABEL: @coordinates
func.func @coordinates(%i: index, %n: index, %l: !tile.layout<((4, 8), 2) : ((2@e1, 1@e0), 1@e1)>) {
  // CHECK: %{{.*}}:2 = tile.coordinate (%{{.*}}, 1), %{{.*}} : !tile.layout<((4, 8), 2) : ((2@e1, 1@e0), 1@e1)>
  %c:2 = tile.coordinate (%i, 1), %l : !tile.layout<((4, 8), 2) : ((2@e1, 1@e0), 1@e1)>
  // CHECK: %{{.*}}:3 = tile.idx2crd %{{.*}} in (4, (%{{.*}}, 8))
  %d:3 = tile.idx2crd %i in (4, (%n, 8))
  return
}

// CHECK-LABEL: @tuples
func.func @tuples(%i: index, %n: index) {
  // CHECK: tile.elem_less (%{{.*}}, 3), (%{{.*}}, 8)
  %0 = tile.elem_less (%i, 3), (%n, 8)
  // CHECK: %{{.*}}:2 = tile.ceil_div (%{{.*}}, 100), (128, 8)
  %1:2 = tile.ceil_div (%n, 100), (128, 8)
  // CHECK: %{{.*}}:2 = tile.shape_div (%{{.*}} {div = 8}, 4), 8
  %2:2 = tile.shape_div (%n {div = 8}, 4), 8
  // CHECK: tile.product (%{{.*}}, (%{{.*}}, 8))
  %3 = tile.product (%n, (%n, 8))
  // CHECK: tile.inner_product (%{{.*}}, 2), (%{{.*}}, 1)
  %4 = tile.inner_product (%i, 2), (%n, 1)
  return
}

//===----------------------------------------------------------------------===//
// Modes
//===----------------------------------------------------------------------===//

// CHECK-LABEL: @choose_modes
func.func @choose_modes(%l: !tile.layout<((4, 3), 2, ?) : ((1, 8), 4, 24)>) -> (!tile.layout<3 : 8>, !tile.layout<(?, 2) : (24, 4)>, !tile.layout<(2, ?) : (4, 24)>, !tile.layout<(((4, 3), 2), ?) : (((1, 8), 4), 24)>) {
  // CHECK: tile.get %{{.*}}[0, 1] : !tile.layout<((4, 3), 2, ?) : ((1, 8), 4, 24)>
  %0 = tile.get %l[0, 1] : !tile.layout<((4, 3), 2, ?) : ((1, 8), 4, 24)>
  // CHECK: tile.select %{{.*}}[2, 1]
  %1 = tile.select %l[2, 1] : !tile.layout<((4, 3), 2, ?) : ((1, 8), 4, 24)>
  // CHECK: tile.take %{{.*}}[1 to 3]
  %2 = tile.take %l[1 to 3] : !tile.layout<((4, 3), 2, ?) : ((1, 8), 4, 24)>
  // CHECK: tile.group_modes %{{.*}}[0 to 2]
  %3 = tile.group_modes %l[0 to 2] : !tile.layout<((4, 3), 2, ?) : ((1, 8), 4, 24)>
  return %0, %1, %2, %3 : !tile.layout<3 : 8>, !tile.layout<(?, 2) : (24, 4)>, !tile.layout<(2, ?) : (4, 24)>, !tile.layout<(((4, 3), 2), ?) : (((1, 8), 4), 24)>
}

// CHECK-LABEL: @build_modes
func.func @build_modes(%a: !tile.layout<(4, 8) : (1, 4)>, %b: !tile.layout<(2, 2) : (0, ?)>) -> (!tile.layout<(4, 8, (2, 2)) : (1, 4, (0, ?))>, !tile.layout<((2, 2), 4, 8) : ((0, ?), 1, 4)>, !tile.layout<(4, (2, 2)) : (1, (0, ?))>) {
  // CHECK: tile.append %{{.*}}, %{{.*}} : !tile.layout<(4, 8) : (1, 4)>, !tile.layout<(2, 2) : (0, ?)>
  %0 = tile.append %a, %b : !tile.layout<(4, 8) : (1, 4)>, !tile.layout<(2, 2) : (0, ?)>
  // CHECK: tile.prepend
  %1 = tile.prepend %a, %b : !tile.layout<(4, 8) : (1, 4)>, !tile.layout<(2, 2) : (0, ?)>
  // CHECK: tile.replace %{{.*}}[1] with %{{.*}} : !tile.layout<(4, 8) : (1, 4)>, !tile.layout<(2, 2) : (0, ?)>
  %2 = tile.replace %a[1] with %b : !tile.layout<(4, 8) : (1, 4)>, !tile.layout<(2, 2) : (0, ?)>
  return %0, %1, %2 : !tile.layout<(4, 8, (2, 2)) : (1, 4, (0, ?))>, !tile.layout<((2, 2), 4, 8) : ((0, ?), 1, 4)>, !tile.layout<(4, (2, 2)) : (1, (0, ?))>
}

// CHECK-LABEL: @nesting
func.func @nesting(%l: !tile.layout<((4, 3), 2) : ((1, 8), 4)>) -> (!tile.layout<(4, 3, 2) : (1, 8, 4)>, !tile.layout<(4, (3, 2)) : (1, (8, 4))>, !tile.layout<(2, (4, 3)) : (4, (1, 8))>) {
  // CHECK: tile.flatten
  %0 = tile.flatten %l : !tile.layout<((4, 3), 2) : ((1, 8), 4)>
  // CHECK: tile.unflatten %{{.*}} as (_, (_, _)) : !tile.layout<(4, 3, 2) : (1, 8, 4)>
  %1 = tile.unflatten %0 as (_, (_, _)) : !tile.layout<(4, 3, 2) : (1, 8, 4)>
  // CHECK: tile.transpose
  %2 = tile.transpose %l : !tile.layout<((4, 3), 2) : ((1, 8), 4)>
  return %0, %1, %2 : !tile.layout<(4, 3, 2) : (1, 8, 4)>, !tile.layout<(4, (3, 2)) : (1, (8, 4))>, !tile.layout<(2, (4, 3)) : (4, (1, 8))>
}

// CHECK-LABEL: @reshape
func.func @reshape(%l: !tile.layout<(4, 8) : (8, 1)>, %m: !tile.layout<32 : 2>) -> (!tile.layout<((2, 2), 8) : ((8, 16), 1)>, !tile.layout<(4, 8) : (2, 8)>) {
  // CHECK: tile.with_shape %{{.*}} as ((2, 2), 8) : !tile.layout<(4, 8) : (8, 1)>
  %0 = tile.with_shape %l as ((2, 2), 8) : !tile.layout<(4, 8) : (8, 1)>
  // CHECK: tile.reshape %{{.*}} as (4, 8) : !tile.layout<32 : 2>
  %1 = tile.reshape %m as (4, 8) : !tile.layout<32 : 2>
  return %0, %1 : !tile.layout<((2, 2), 8) : ((8, 16), 1)>, !tile.layout<(4, 8) : (2, 8)>
}

// CHECK-LABEL: @slices
func.func @slices(%l: !tile.layout<(4, (3, 8)) : (?, (1, 3))>, %i: index) -> (!tile.layout<(8) : (3)>, !tile.layout<(4, 3) : (?, 1)>) {
  // CHECK: tile.slice_layout %{{.*}} at (%{{.*}}, (2, _)) : !tile.layout<(4, (3, 8)) : (?, (1, 3))>
  %0 = tile.slice_layout %l at (%i, (2, _)) : !tile.layout<(4, (3, 8)) : (?, (1, 3))>
  // CHECK: tile.dice %{{.*}} at (%{{.*}}, (2, _))
  %1 = tile.dice %l at (%i, (2, _)) : !tile.layout<(4, (3, 8)) : (?, (1, 3))>
  // CHECK: %{{.*}}, %{{.*}} = tile.slice_and_offset %{{.*}} at (%{{.*}}, (2, _))
  %2, %o = tile.slice_and_offset %l at (%i, (2, _)) : !tile.layout<(4, (3, 8)) : (?, (1, 3))>
  // CHECK: %{{.*}}, %{{.*}} = tile.domain_offset %{{.*}} at (%{{.*}}, 5)
  %3, %p = tile.domain_offset %l at (%i, 5) : !tile.layout<(4, (3, 8)) : (?, (1, 3))>
  return %2, %1 : !tile.layout<(8) : (3)>, !tile.layout<(4, 3) : (?, 1)>
}

//===----------------------------------------------------------------------===//
// Algebra
//===----------------------------------------------------------------------===//

// CHECK-LABEL: @simplify
func.func @simplify(%l: !tile.layout<((2, 2), 8) : ((1, 2), 4)>, %z: !tile.layout<(4, 8) : (0, 1)>) -> (!tile.layout<32 : 1>, !tile.layout<(4, 8) : (1, 4)>, !tile.layout<8 : 1>, !tile.layout<(1, 8) : (0, 1)>) {
  // CHECK: tile.coalesce %{{.*}} : !tile.layout<((2, 2), 8) : ((1, 2), 4)>
  %0 = tile.coalesce %l : !tile.layout<((2, 2), 8) : ((1, 2), 4)>
  // CHECK: tile.coalesce %{{.*}} by (1, 1) : !tile.layout<((2, 2), 8) : ((1, 2), 4)>
  %1 = tile.coalesce %l by (1, 1) : !tile.layout<((2, 2), 8) : ((1, 2), 4)>
  // CHECK: tile.filter %{{.*}} : !tile.layout<(4, 8) : (0, 1)>
  %2 = tile.filter %z : !tile.layout<(4, 8) : (0, 1)>
  // CHECK: tile.filter_zeros %{{.*}} : !tile.layout<(4, 8) : (0, 1)>
  %3 = tile.filter_zeros %z : !tile.layout<(4, 8) : (0, 1)>
  return %0, %1, %2, %3 : !tile.layout<32 : 1>, !tile.layout<(4, 8) : (1, 4)>, !tile.layout<8 : 1>, !tile.layout<(1, 8) : (0, 1)>
}

// CHECK-LABEL: @composition
func.func @composition(%a: !tile.layout<(4, 8, ?) : (8, 1, 32)>, %b: !tile.layout<16 : 2>) -> (!tile.layout<(2, 8) : (16, 1)>, !tile.layout<(2, (2, 2), ?) : (8, (1, 4), 32)>) {
  // CHECK: tile.composition %{{.*}}, %{{.*}} : !tile.layout<(4, 8, ?) : (8, 1, 32)>, !tile.layout<16 : 2>
  %0 = tile.composition %a, %b : !tile.layout<(4, 8, ?) : (8, 1, 32)>, !tile.layout<16 : 2>
  // CHECK: tile.composition %{{.*}} by <2, (2, 2) : (1, 4), _> : !tile.layout<(4, 8, ?) : (8, 1, 32)>
  %1 = tile.composition %a by <2, (2, 2) : (1, 4), _> : !tile.layout<(4, 8, ?) : (8, 1, 32)>
  return %0, %1 : !tile.layout<(2, 8) : (16, 1)>, !tile.layout<(2, (2, 2), ?) : (8, (1, 4), 32)>
}

// CHECK-LABEL: @inverses
func.func @inverses(%l: !tile.layout<(2, 2) : (1, 6)>, %m: !tile.layout<(4, 8) : (8, 1)>, %z: !tile.layout<(4, 8) : (1, 0)>) -> (!tile.layout<(3, 2) : (2, 12)>, !tile.layout<(8, 4) : (4, 1)>, !tile.layout<8 : 4>) {
  // CHECK: tile.complement %{{.*}} in 24 : !tile.layout<(2, 2) : (1, 6)>
  %0 = tile.complement %l in 24 : !tile.layout<(2, 2) : (1, 6)>
  // CHECK: tile.complement %{{.*}} : !tile.layout<(2, 2) : (1, 6)>
  %1 = tile.complement %l : !tile.layout<(2, 2) : (1, 6)>
  // CHECK: tile.right_inverse %{{.*}} : !tile.layout<(4, 8) : (8, 1)>
  %2 = tile.right_inverse %m : !tile.layout<(4, 8) : (8, 1)>
  // CHECK: tile.left_inverse %{{.*}} : !tile.layout<(4, 8) : (8, 1)>
  %3 = tile.left_inverse %m : !tile.layout<(4, 8) : (8, 1)>
  // CHECK: tile.nullspace %{{.*}} : !tile.layout<(4, 8) : (1, 0)>
  %4 = tile.nullspace %z : !tile.layout<(4, 8) : (1, 0)>
  return %0, %2, %4 : !tile.layout<(3, 2) : (2, 12)>, !tile.layout<(8, 4) : (4, 1)>, !tile.layout<8 : 4>
}

// CHECK-LABEL: @recast
func.func @recast(%l: !tile.layout<(4, 8) : (1, 4)>, %m: !tile.layout<(4, 8) : (1, 16)>) -> (!tile.layout<(2, 8) : (1, 2)>, !tile.layout<(8, 8) : (1, 8)>, !tile.layout<(8, 8) : (1, 8)>, !tile.layout<4 : 1>) {
  // CHECK: tile.upcast %{{.*}} by 2 : !tile.layout<(4, 8) : (1, 4)>
  %0 = tile.upcast %l by 2 : !tile.layout<(4, 8) : (1, 4)>
  // CHECK: tile.downcast %{{.*}} by 2 : !tile.layout<(4, 8) : (1, 4)>
  %1 = tile.downcast %l by 2 : !tile.layout<(4, 8) : (1, 4)>
  // CHECK: tile.recast_layout %{{.*}} from 32 to 16 : !tile.layout<(4, 8) : (1, 4)>
  %2 = tile.recast_layout %l from 32 to 16 : !tile.layout<(4, 8) : (1, 4)>
  // CHECK: tile.max_common_layout %{{.*}}, %{{.*}} : !tile.layout<(4, 8) : (1, 4)>, !tile.layout<(4, 8) : (1, 16)>
  %3 = tile.max_common_layout %l, %m : !tile.layout<(4, 8) : (1, 4)>, !tile.layout<(4, 8) : (1, 16)>
  // CHECK: tile.max_common_vector %{{.*}}, %{{.*}} : !tile.layout<(4, 8) : (1, 4)>, !tile.layout<(4, 8) : (1, 16)>
  %4 = tile.max_common_vector %l, %m : !tile.layout<(4, 8) : (1, 4)>, !tile.layout<(4, 8) : (1, 16)>
  return %0, %1, %2, %3 : !tile.layout<(2, 8) : (1, 2)>, !tile.layout<(8, 8) : (1, 8)>, !tile.layout<(8, 8) : (1, 8)>, !tile.layout<4 : 1>
}

//===----------------------------------------------------------------------===//
// Tiling
//===----------------------------------------------------------------------===//

// What is known of a run-time leaf is kept.
// CHECK-LABEL: @divide_keeps_divisors
func.func @divide_keeps_divisors(%a: !tile.layout<?{div = 64} : 1>, %b: !tile.layout<8 : 1>) -> !tile.layout<(8, ?{div = 8}) : (1, 8)> {
  // CHECK: tile.logical_divide %{{.*}}, %{{.*}} : !tile.layout<?{div = 64} : 1>, !tile.layout<8 : 1>
  %0 = tile.logical_divide %a, %b : !tile.layout<?{div = 64} : 1>, !tile.layout<8 : 1>
  return %0 : !tile.layout<(8, ?{div = 8}) : (1, 8)>
}

// CHECK-LABEL: @divides
func.func @divides(%a: !tile.layout<(12, ?{div = 32}) : (1, 12)>) -> (!tile.layout<((4, 3), (8, ?{div = 4})) : ((1, 4), (12, 96))>, !tile.layout<((4, 8), (3, ?{div = 4})) : ((1, 12), (4, 96))>, !tile.layout<((4, 8), 3, ?{div = 4}) : ((1, 12), 4, 96)>, !tile.layout<(4, 8, 3, ?{div = 4}) : (1, 12, 4, 96)>) {
  // CHECK: tile.logical_divide %{{.*}} by <4, 8> : !tile.layout<(12, ?{div = 32}) : (1, 12)>
  %0 = tile.logical_divide %a by <4, 8> : !tile.layout<(12, ?{div = 32}) : (1, 12)>
  // CHECK: tile.zipped_divide %{{.*}} by <4, 8>
  %1 = tile.zipped_divide %a by <4, 8> : !tile.layout<(12, ?{div = 32}) : (1, 12)>
  // CHECK: tile.tiled_divide %{{.*}} by <4, 8>
  %2 = tile.tiled_divide %a by <4, 8> : !tile.layout<(12, ?{div = 32}) : (1, 12)>
  // CHECK: tile.flat_divide %{{.*}} by <4, 8>
  %3 = tile.flat_divide %a by <4, 8> : !tile.layout<(12, ?{div = 32}) : (1, 12)>
  return %0, %1, %2, %3 : !tile.layout<((4, 3), (8, ?{div = 4})) : ((1, 4), (12, 96))>, !tile.layout<((4, 8), (3, ?{div = 4})) : ((1, 12), (4, 96))>, !tile.layout<((4, 8), 3, ?{div = 4}) : ((1, 12), 4, 96)>, !tile.layout<(4, 8, 3, ?{div = 4}) : (1, 12, 4, 96)>
}

// CHECK-LABEL: @products
func.func @products(%a: !tile.layout<4 : 1>, %b: !tile.layout<3 : 2>, %c: !tile.layout<(2, 5) : (5, 1)>, %d: !tile.layout<(3, 4) : (1, 3)>) -> (!tile.layout<(4, 3) : (1, 8)>, !tile.layout<((2, 3), (5, 4)) : ((5, 10), (1, 30))>, !tile.layout<((3, 2), (4, 5)) : ((10, 5), (30, 1))>) {
  // CHECK: tile.logical_product %{{.*}}, %{{.*}} : !tile.layout<4 : 1>, !tile.layout<3 : 2>
  %0 = tile.logical_product %a, %b : !tile.layout<4 : 1>, !tile.layout<3 : 2>
  // CHECK: tile.zipped_product %{{.*}} by <3, 4>
  %1 = tile.zipped_product %c by <3, 4> : !tile.layout<(2, 5) : (5, 1)>
  // CHECK: tile.tiled_product %{{.*}} by <3, 4>
  %2 = tile.tiled_product %c by <3, 4> : !tile.layout<(2, 5) : (5, 1)>
  // CHECK: tile.flat_product %{{.*}} by <3, 4>
  %3 = tile.flat_product %c by <3, 4> : !tile.layout<(2, 5) : (5, 1)>
  // CHECK: tile.blocked_product %{{.*}}, %{{.*}} : !tile.layout<(2, 5) : (5, 1)>, !tile.layout<(3, 4) : (1, 3)>
  %4 = tile.blocked_product %c, %d : !tile.layout<(2, 5) : (5, 1)>, !tile.layout<(3, 4) : (1, 3)>
  // CHECK: tile.raked_product %{{.*}}, %{{.*}} : !tile.layout<(2, 5) : (5, 1)>, !tile.layout<(3, 4) : (1, 3)>
  %5 = tile.raked_product %c, %d : !tile.layout<(2, 5) : (5, 1)>, !tile.layout<(3, 4) : (1, 3)>
  return %0, %4, %5 : !tile.layout<(4, 3) : (1, 8)>, !tile.layout<((2, 3), (5, 4)) : ((5, 10), (1, 30))>, !tile.layout<((3, 2), (4, 5)) : ((10, 5), (30, 1))>
}

// CHECK-LABEL: @tile_to_shape
func.func @tile_to_shape(%a: !tile.layout<(8, 8) : (8, 1)>) -> !tile.layout<((8, 2), (8, 2)) : ((8, 64), (1, 128))> {
  // CHECK: tile.tile_to_shape %{{.*}} as (16, 16) : !tile.layout<(8, 8) : (8, 1)>
  %0 = tile.tile_to_shape %a as (16, 16) : !tile.layout<(8, 8) : (8, 1)>
  // CHECK: tile.tile_to_shape %{{.*}} as (16, 16) order (1, 0) : !tile.layout<(8, 8) : (8, 1)>
  %1 = tile.tile_to_shape %a as (16, 16) order (1, 0) : !tile.layout<(8, 8) : (8, 1)>
  return %0 : !tile.layout<((8, 2), (8, 2)) : ((8, 64), (1, 128))>
}

//===----------------------------------------------------------------------===//
// Swizzled layouts
//===----------------------------------------------------------------------===//

// A swizzle stays outside while the domain is rearranged.
// CHECK-LABEL: @swizzled
func.func @swizzled(%l: !tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>) -> (!tile.layout<S<2, 0, 3> o 0 o (4, 8) : (8, 1)>, !tile.layout<S<2, 0, 3> o 0 o ((2, 4), (4, 2)) : ((8, 1), (16, 4))>, !tile.layout<S<2, 0, 3> o 0 o 8 : 1>, !tile.layout<S<2, 1, 3> o 0 o (8, 16) : (16, 1)>) {
  // CHECK: tile.composition %{{.*}} by <4, _> : !tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>
  %0 = tile.composition %l by <4, _> : !tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>
  %1 = tile.zipped_divide %l by <2, 4> : !tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>
  %2 = tile.get %l[1] : !tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>
  %3 = tile.downcast %l by 2 : !tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>
  return %0, %1, %2, %3 : !tile.layout<S<2, 0, 3> o 0 o (4, 8) : (8, 1)>, !tile.layout<S<2, 0, 3> o 0 o ((2, 4), (4, 2)) : ((8, 1), (16, 4))>, !tile.layout<S<2, 0, 3> o 0 o 8 : 1>, !tile.layout<S<2, 1, 3> o 0 o (8, 16) : (16, 1)>
}

// So do operations on the modes of the layout inside.
// CHECK-LABEL: @swizzled_modes
func.func @swizzled_modes(%l: !tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>, %m: !tile.layout<4 : 64>) -> (!tile.layout<S<2, 0, 3> o 0 o (8, 8, 4) : (8, 1, 64)>, !tile.layout<S<2, 0, 3> o 0 o (8, 4) : (8, 64)>, !tile.layout<S<2, 0, 3> o 0 o (4, (2, 8)) : (8, (32, 1))>) {
  %0 = tile.append %l, %m : !tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>, !tile.layout<4 : 64>
  %1 = tile.replace %l[1] with %m : !tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>, !tile.layout<4 : 64>
  %2 = tile.reshape %l as (4, (2, 8)) : !tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>
  return %0, %1, %2 : !tile.layout<S<2, 0, 3> o 0 o (8, 8, 4) : (8, 1, 64)>, !tile.layout<S<2, 0, 3> o 0 o (8, 4) : (8, 64)>, !tile.layout<S<2, 0, 3> o 0 o (4, (2, 8)) : (8, (32, 1))>
}

// An offset that changes what the swizzle sees goes under it; a slice in which
// the swizzle is linear needs none.
// CHECK-LABEL: @swizzled_offsets
func.func @swizzled_offsets(%l: !tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>, %i: index) -> (!tile.layout<S<2, 0, 3> o ? o (8, 8) : (8, 1)>, !tile.layout<S<2, 0, 3> o ?{div = 8} o (8) : (1)>) {
  %0, %o = tile.domain_offset %l at (%i, 3) : !tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>
  %1, %p = tile.slice_and_offset %l at (%i, _) : !tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>
  return %0, %1 : !tile.layout<S<2, 0, 3> o ? o (8, 8) : (8, 1)>, !tile.layout<S<2, 0, 3> o ?{div = 8} o (8) : (1)>
}

// By-mode tilers with numbers of run time: extents, strides, nested.
// CHECK-LABEL: @run_time_tilers
func.func @run_time_tilers(%a: !tile.layout<(?{div = 32}, (8, 4)) : (32, (1, 8))>, %n: index, %s: index)
    -> (!tile.layout<(?{div = 4}, (8, 4)) : (32, (1, 8))>,
        !tile.layout<(4, (?, ?)) : (?{div = 32}, (1, 8))>,
        !tile.layout<((2, ?), 32) : ((1, 2), 1)>) {
  // CHECK: tile.composition %{{.*}} by <%{{.*}} {div = 4}, _> :
  %0 = tile.composition %a by <%n {div = 4}, _> : !tile.layout<(?{div = 32}, (8, 4)) : (32, (1, 8))>
  // CHECK: tile.composition %{{.*}} by <4 : %{{.*}}, <%{{.*}}, %{{.*}}>> :
  %1 = tile.composition %a by <4 : %s, <%n, %s>> : !tile.layout<(?{div = 32}, (8, 4)) : (32, (1, 8))>
  // CHECK: tile.logical_product %{{.*}} by <%{{.*}}, _> :
  %b = tile.make_layout (2, 32) : (1, 1)
  %2 = tile.logical_product %b by <%n, _> : !tile.layout<(2, 32) : (1, 1)>
  return %0, %1, %2 : !tile.layout<(?{div = 4}, (8, 4)) : (32, (1, 8))>,
      !tile.layout<(4, (?, ?)) : (?{div = 32}, (1, 8))>, !tile.layout<((2, ?), 32) : ((1, 2), 1)>
}

// CHECK-LABEL: @more_modes
func.func @more_modes(%l: !tile.layout<((4, 3), (8, ?)) : ((1, 4), (12, ?))>)
    -> (!tile.layout<((8, ?), (4, 3)) : ((12, ?), (1, 4))>, !tile.layout<((4, 8), (3, ?)) : ((1, 12), (4, ?))>,
        !tile.layout<((4, 3), (8, ?), 1, 1) : ((1, 4), (12, ?), 0, 0)>, !tile.layout<(1, (4, 3), (8, ?)) : (0, (1, 4), (12, ?))>) {
  // CHECK: tile.reverse %{{.*}} :
  %0 = tile.reverse %l : !tile.layout<((4, 3), (8, ?)) : ((1, 4), (12, ?))>
  // CHECK: tile.zip %{{.*}} :
  %1 = tile.zip %l : !tile.layout<((4, 3), (8, ?)) : ((1, 4), (12, ?))>
  // CHECK: tile.append_rank %{{.*}} to 4 :
  %2 = tile.append_rank %l to 4 : !tile.layout<((4, 3), (8, ?)) : ((1, 4), (12, ?))>
  // CHECK: tile.prepend_rank %{{.*}} to 3 :
  %3 = tile.prepend_rank %l to 3 : !tile.layout<((4, 3), (8, ?)) : ((1, 4), (12, ?))>
  return %0, %1, %2, %3 : !tile.layout<((8, ?), (4, 3)) : ((12, ?), (1, 4))>, !tile.layout<((4, 8), (3, ?)) : ((1, 12), (4, ?))>,
      !tile.layout<((4, 3), (8, ?), 1, 1) : ((1, 4), (12, ?), 0, 0)>, !tile.layout<(1, (4, 3), (8, ?)) : (0, (1, 4), (12, ?))>
}

// CHECK-LABEL: @more_construction
func.func @more_construction(%l: !tile.layout<(2, 3, ?) : (1, 100, 7)>, %i: index) -> (!tile.layout<(2, 3, ?) : (1, ?{div = 2}, 2)>, !tile.layout<(3, 2) : (1, 15)>) {
  // CHECK: tile.make_fragment_like %{{.*}} :
  %0 = tile.make_fragment_like %l : !tile.layout<(2, 3, ?) : (1, 100, 7)>
  // CHECK: tile.domain_distribute (15, 14) over 6
  %1 = tile.domain_distribute (15, 14) over 6
  // CHECK: tile.max_alignment %{{.*}} :
  %2 = tile.max_alignment %l : !tile.layout<(2, 3, ?) : (1, 100, 7)>
  // CHECK: tile.sum (%{{.*}}, (8, %{{.*}}))
  %3 = tile.sum (%i, (8, %i))
  // CHECK: tile.product_each (%{{.*}}, (8, %{{.*}}))
  %4:2 = tile.product_each (%i, (8, %i))
  // CHECK: tile.elem_scale (%{{.*}}, 3), (4, (%{{.*}}, 6))
  %5:2 = tile.elem_scale (%i, 3), (4, (%i, 6))
  return %0, %1 : !tile.layout<(2, 3, ?) : (1, ?{div = 2}, 2)>, !tile.layout<(3, 2) : (1, 15)>
}

// What is done to a swizzled layout as a whole: its copies, its complement, its
// slices.
!block = !tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>
// CHECK-LABEL: @more_of_swizzled
func.func @more_of_swizzled(%l: !block, %t: !tile.layout<3 : 1>, %g: !tile.layout<(2, 3) : (3, 1)>, %z: !tile.layout<S<2, 0, 3> o 0 o (8, 8) : (0, 1)>, %v: !tile.layout<S<2, 1, 3> o 0 o (8, 8) : (8, 1)>, %p: !tile.layout<(8, 8) : (8, 1)>)
    -> (!tile.layout<S<2, 0, 3> o 0 o ((8, 8), 3) : ((8, 1), 64)>,
        !tile.layout<S<2, 0, 3> o 0 o ((8, 8), (2, 3)) : ((8, 1), (192, 64))>,
        !tile.layout<S<2, 0, 3> o 0 o ((8, 2), (8, 3)) : ((8, 192), (1, 64))>,
        !tile.layout<S<2, 0, 3> o 0 o ((2, 8), (3, 8)) : ((192, 8), (64, 1))>,
        !tile.layout<4 : 64>, !tile.layout<8 : 1>, !tile.layout<2 : 8>,
        !tile.layout<((2, 4)) : ((-1, 2))>, !tile.layout<S<2, 0, 3> o 0 o (8) : (1)>,
        !tile.layout<(8, 8) : (8, 1)>) {
  %0 = tile.logical_product %l, %t : !block, !tile.layout<3 : 1>
  %1 = tile.zipped_product %l, %g : !block, !tile.layout<(2, 3) : (3, 1)>
  %2 = tile.blocked_product %l, %g : !block, !tile.layout<(2, 3) : (3, 1)>
  %3 = tile.raked_product %l, %g : !block, !tile.layout<(2, 3) : (3, 1)>
  %4 = tile.complement %l in 256 : !block
  %5 = tile.nullspace %z : !tile.layout<S<2, 0, 3> o 0 o (8, 8) : (0, 1)>
  %6 = tile.max_common_layout %v, %p : !tile.layout<S<2, 1, 3> o 0 o (8, 8) : (8, 1)>, !tile.layout<(8, 8) : (8, 1)>
  %7 = tile.slice_layout %l at (1, _) : !block
  %8 = tile.dice %l at (_, 3) : !block
  %9 = tile.make_layout_like %l : !block
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : !tile.layout<S<2, 0, 3> o 0 o ((8, 8), 3) : ((8, 1), 64)>,
        !tile.layout<S<2, 0, 3> o 0 o ((8, 8), (2, 3)) : ((8, 1), (192, 64))>,
        !tile.layout<S<2, 0, 3> o 0 o ((8, 2), (8, 3)) : ((8, 192), (1, 64))>,
        !tile.layout<S<2, 0, 3> o 0 o ((2, 8), (3, 8)) : ((192, 8), (64, 1))>,
        !tile.layout<4 : 64>, !tile.layout<8 : 1>, !tile.layout<2 : 8>,
        !tile.layout<((2, 4)) : ((-1, 2))>, !tile.layout<S<2, 0, 3> o 0 o (8) : (1)>, !tile.layout<(8, 8) : (8, 1)>
}

// Copies off the period: the steps stay outside of the bits that the swizzle
// reads and writes, or the block has a form in which they do.
// CHECK-LABEL: @swizzled_off_the_period
func.func @swizzled_off_the_period(%l: !tile.layout<S<2, 0, 3> o 0 o (2, 8) : (8, 1)>, %m: !tile.layout<S<1, 4, 3> o 0 o (4, 4) : (16, 128)>) {
  %t = tile.make_layout 3 : 1
  // CHECK: tile.logical_product %{{.*}} : !tile.layout<S<2, 0, 3> o 0 o (2, 8) : (8, 1)>, !tile.layout<3 : 1>
  %0 = tile.logical_product %l, %t : !tile.layout<S<2, 0, 3> o 0 o (2, 8) : (8, 1)>, !tile.layout<3 : 1>
  // CHECK: tile.flatten %{{.*}} : !tile.layout<S<1, 0, 3> o 0 o ((2, 8), 3) : ((8, 1), 16)>
  %1 = tile.flatten %0 : !tile.layout<S<1, 0, 3> o 0 o ((2, 8), 3) : ((8, 1), 16)>
  // CHECK: tile.tile_to_shape %{{.*}} as (8, 8) : !tile.layout<S<2, 0, 3> o 0 o (2, 8) : (8, 1)>
  %2 = tile.tile_to_shape %l as (8, 8) : !tile.layout<S<2, 0, 3> o 0 o (2, 8) : (8, 1)>
  // CHECK: tile.flatten %{{.*}} : !tile.layout<S<1, 0, 3> o 0 o ((2, 4), (8, 1)) : ((8, 16), (1, 0))>
  %3 = tile.flatten %2 : !tile.layout<S<1, 0, 3> o 0 o ((2, 4), (8, 1)) : ((8, 16), (1, 0))>
  %s = tile.make_layout 16 : 1
  // CHECK: tile.logical_product %{{.*}} : !tile.layout<S<1, 4, 3> o 0 o (4, 4) : (16, 128)>, !tile.layout<16 : 1>
  %4 = tile.logical_product %m, %s : !tile.layout<S<1, 4, 3> o 0 o (4, 4) : (16, 128)>, !tile.layout<16 : 1>
  // CHECK: tile.complement %{{.*}} in 1024 : !tile.layout<S<1, 4, 3> o 0 o (4, 4) : (16, 128)>
  %5 = tile.complement %m in 1024 : !tile.layout<S<1, 4, 3> o 0 o (4, 4) : (16, 128)>
  return
}

// A mode with a swizzle: that of the layout, one without effect, and one that
// leaves the other modes alone.
// CHECK-LABEL: @modes_with_swizzles
func.func @modes_with_swizzles(%l: !tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>, %m: !tile.layout<S<2, 0, 3> o 0 o 4 : 64>, %p: !tile.layout<4 : 1>, %q: !tile.layout<S<1, 2, 3> o 0 o (2, 2) : (4, 32)>) {
  // CHECK: tile.append
  %0 = tile.append %l, %m : !tile.layout<S<2, 0, 3> o 0 o (8, 8) : (8, 1)>, !tile.layout<S<2, 0, 3> o 0 o 4 : 64>
  // CHECK: tile.prepend
  %1 = tile.prepend %p, %m : !tile.layout<4 : 1>, !tile.layout<S<2, 0, 3> o 0 o 4 : 64>
  // CHECK: tile.append
  %2 = tile.append %p, %q : !tile.layout<4 : 1>, !tile.layout<S<1, 2, 3> o 0 o (2, 2) : (4, 32)>
  // CHECK: tile.flatten %{{.*}} : !tile.layout<S<2, 0, 3> o 0 o (8, 8, 4) : (8, 1, 64)>
  %3 = tile.flatten %0 : !tile.layout<S<2, 0, 3> o 0 o (8, 8, 4) : (8, 1, 64)>
  // CHECK: tile.flatten %{{.*}} : !tile.layout<(4, 4) : (64, 1)>
  %4 = tile.flatten %1 : !tile.layout<(4, 4) : (64, 1)>
  // CHECK: tile.flatten %{{.*}} : !tile.layout<S<1, 2, 3> o 0 o (4, (2, 2)) : (1, (4, 32))>
  %5 = tile.flatten %2 : !tile.layout<S<1, 2, 3> o 0 o (4, (2, 2)) : (1, (4, 32))>
  return
}
