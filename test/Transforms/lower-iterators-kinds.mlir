// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses that no increment leads to are computed from coordinates.
// RUN: tile-opt %s --tile-lower-iterators --canonicalize --cse | FileCheck %s

#map = #tile.strip_mined<tile = [8, 64], contiguous = 1, threads = 32, elements = 8>

// One xor an access, of 16 bytes.
!swizzled = !tile.view<f16, shared, S<3, 3, 3> o 0 o (8, 64) : (64, 1), align = 1024>
!fill = !tile.iterator<!swizzled, #map>

// CHECK-LABEL: @swizzled
// CHECK: scf.for
// CHECK:   arith.xori
// CHECK:   llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<8xf16>
// CHECK-NOT: llvm.load
// CHECK: return
func.func @swizzled(%v: !swizzled, %t: index) -> vector<16xf16> {
  %it = tile.make_iterator %v(0, 0), %t : !fill
  %f = tile.iterator_load %it : !fill -> vector<16xf16>
  return %f : vector<16xf16>
}

// An index is read where the list has one, once for each row; where it leads
// beyond the matrix, the access is masked.
!view = !tile.view<f32, global, (?, ?) : (?, 1)>
!list = !tile.view<i32, global, (?) : (1)>
!rows = !tile.iterator<!view, #tile.strip_mined<tile = [8, 32], contiguous = 1, threads = 32, elements = 1>, predicated, gather = #tile.gather<dim = 0, indices = !list, base = 1>>

// CHECK-LABEL: @gather
// CHECK-SAME: (%{{.*}}: !llvm.ptr<1>, %[[ROWS:.*]]: index, %{{.*}}: index, %{{.*}}: index, %{{.*}}: !llvm.ptr<1>, %[[LENGTH:.*]]: index, %{{.*}}: index)
// CHECK: %[[IN:.*]] = arith.cmpi ugt, %[[LENGTH]], %c0
// CHECK: %[[MASK:.*]] = vector.broadcast %[[IN]]
// CHECK: %[[LOADED:.*]] = llvm.intr.masked.load %{{.*}}, %[[MASK]], %{{.*}} {alignment = 4 : i32} : {{.*}} -> vector<1xi32>
// CHECK: vector.extract %[[LOADED]]
// CHECK: %[[ROW:.*]] = arith.subi %{{.*}}, %c1
// CHECK: arith.cmpi ult, %[[ROW]], %[[ROWS]]
// CHECK: %[[INSIDE:.*]] = scf.for
// The predicates test the list, not the rows of the matrix.
// CHECK: %[[LISTED:.*]] = scf.for
// CHECK:   arith.cmpi ult, %{{.*}}, %[[LENGTH]]
// CHECK: %[[WORD:.*]] = arith.andi %[[LISTED]], %[[INSIDE]]
// CHECK: scf.for
// CHECK-NOT: vector<1xi32>
// CHECK:   arith.shrui %[[WORD]],
// CHECK:   llvm.intr.masked.load {{.*}} -> vector<1xf32>
func.func @gather(%v: !view, %i: !list, %t: index) -> vector<8xf32> {
  %it = tile.make_iterator %v(0, 0), %t indices %i : !rows
  %f = tile.iterator_load %it : !rows -> vector<8xf32>
  return %f : vector<8xf32>
}

// Predicates anew at every tile, and ones on the diagonal.
!triangle = !tile.iterator<!view, #tile.strip_mined<tile = [8, 32], contiguous = 1, threads = 32, elements = 1>, advance = 1, predicated, steady, triangle = #tile.triangle<lower, diagonal = unit>>

// CHECK-LABEL: @triangle
// CHECK: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK: scf.for
// CHECK:   arith.cmpi eq
// CHECK: scf.for
// CHECK:   arith.cmpi ugt
// CHECK: scf.for
// CHECK:   %[[X:.*]] = vector.extract
// CHECK:   arith.select %{{.*}}, %[[ONE]], %[[X]]
// CHECK: return
func.func @triangle(%v: !view, %t: index) -> vector<8xf32> {
  %it = tile.make_iterator %v(0, 0), %t : !triangle
  %next = tile.iterator_advance %it : !triangle
  %f = tile.iterator_load %next : !triangle -> vector<8xf32>
  return %f : vector<8xf32>
}

!fill2 = !tile.iterator<!swizzled, #map, advance = 1>

// Clearing clears the ones of the diagonal, too.
// CHECK-LABEL: @clear
// CHECK-SAME: i32, %[[DIAGONAL:[^:]*]]: i32,
// CHECK: arith.select %{{.*}}, %c0_i32, %{{.*}} : i32
// CHECK: arith.select %{{.*}}, %c0_i32, %[[DIAGONAL]] : i32
func.func @clear(%it: !triangle, %done: i1) -> !triangle {
  %0 = tile.iterator_clear_mask %it, %done : !triangle
  return %0 : !triangle
}

// A pointer offset moves every access alike, and two of them are at one place
// where their pointers and their coordinates are.
// CHECK-LABEL: @pointers
// CHECK: %[[P:.*]] = llvm.getelementptr inbounds %{{.*}}[512]
// CHECK: llvm.icmp "eq" %[[P]],
// CHECK: arith.cmpi eq
// CHECK: arith.cmpi eq
func.func @pointers(%it: !fill2, %end: !fill2) -> i1 {
  %c512 = arith.constant 512 : index
  %0 = tile.iterator_add_pointer_offset %it, %c512 : !fill2
  %1 = tile.iterator_equal %0, %end : !fill2
  return %1 : i1
}

// Offsets of constants that leave 64 bits wrap around, as all others do.
!huge = !tile.view<f32, global, ((2, 4), 8) : ((9223372036854775807, 9223372036854775807), 1)>
!one = !tile.iterator<!huge, #tile.tv_map<tile = [4, 2], layout = (32, (1, 4, 2)) : (0@e0, (1@e0, 1@e0, 1@e1)), coverage = any>>

// CHECK-LABEL: @overflow
// CHECK: llvm.load
func.func @overflow(%v: !huge, %t: index) -> vector<8xf32> {
  %0 = tile.make_iterator %v(2, 0), %t : !one
  %1 = tile.iterator_load %0 : !one -> vector<8xf32>
  return %1 : vector<8xf32>
}
