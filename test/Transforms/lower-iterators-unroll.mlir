// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With `unroll`, the accesses come one after the other, as when the loops are
// unrolled later.
// RUN: tile-opt %s --tile-lower-iterators=unroll --canonicalize --cse | FileCheck %s
// RUN: tile-opt %s --tile-lower-iterators --tile-unroll-strip-mined --canonicalize --cse | FileCheck %s

!view = !tile.view<f32, global, (?, ?{div = 4}) : (?{div = 4}, 1), align = 16>
!iter = !tile.iterator<!view, #tile.strip_mined<tile = [128, 8], contiguous = 1, threads = 64, elements = 4>, predicated>

// Four predicates in one word, tested bit by bit.
// CHECK-LABEL: @four_accesses
// CHECK-NOT: scf.for
// CHECK-COUNT-3: arith.ori
// CHECK-NOT: arith.ori
// CHECK: llvm.intr.masked.load
// CHECK: arith.shrui %{{.*}}, %c1_i32
// CHECK: llvm.intr.masked.load
// CHECK: arith.shrui %{{.*}}, %c2_i32
// CHECK: llvm.intr.masked.load
// CHECK: arith.shrui %{{.*}}, %c3_i32
// CHECK: llvm.intr.masked.load
// CHECK-NOT: llvm.intr.masked.load
// CHECK: return
func.func @four_accesses(%p: !llvm.ptr<1>, %m: index, %n: index, %ld: index, %t: index) -> vector<16xf32> {
  %v = tile.make_view %p, (%m, %n {div = 4}) : (%ld {div = 4}, 1) : !llvm.ptr<1> -> !view
  %it = tile.make_iterator %v(0, 0), %t : !iter
  %r = tile.iterator_load %it : !iter -> vector<16xf32>
  return %r : vector<16xf32>
}
