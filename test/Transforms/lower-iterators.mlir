// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views and iterators become pointers, packed predicate words and strip-mined
// loops over memory accesses.
// RUN: tile-opt %s --tile-lower-iterators --canonicalize --cse | FileCheck %s

// The walk that CUTLASS 2.x makes: residue tile first, with its own predicates,
// then whole tiles whose predicates never change.
!view = !tile.view<f32, global, (?, ?{div = 4}) : (?{div = 4}, 1), align = 16>
!residue = !tile.iterator<!view, #tile.strip_mined<tile = [128, 8], contiguous = 1, threads = 64, elements = 4>, advance = 1, predicated, residue>
!steady = !tile.iterator<!view, #tile.strip_mined<tile = [128, 8], contiguous = 1, threads = 64, elements = 4>, advance = 1, predicated, steady>

// CHECK-LABEL: @residue_first
// CHECK-SAME: (%[[P:.*]]: !llvm.ptr<1>, %[[M:.*]]: index, %[[K:.*]]: index, %[[LD:.*]]: index, %[[T:.*]]: index)
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG: %[[C8:.*]] = arith.constant 8 : index
// CHECK-DAG: %[[C32:.*]] = arith.constant 32 : index
// Two accesses along the columns: thread t starts at (t / 2, t mod 2 * 4).
// CHECK-DAG: %[[COLUMN:.*]] = arith.muli %{{.*}}, %[[C4]]
// CHECK-DAG: %[[ROW:.*]] = arith.divui %[[T]], %{{.*}}
// CHECK: %[[FIRST:.*]] = llvm.getelementptr %[[P]]
// The residue: K mod 8, or a whole tile.
// CHECK: %[[REST:.*]] = arith.remui %{{.*}}, %[[C8]]
// CHECK: %[[WHOLE:.*]] = arith.cmpi eq, %[[REST]], %[[C0]]
// CHECK: %[[RESIDUE:.*]] = arith.select %[[WHOLE]], %[[C8]], %[[REST]]
// CHECK: %[[LIMIT:.*]] = arith.minui %[[RESIDUE]],
// Both dimensions are tested for the residue tile, strictly below their limits.
// CHECK: %[[MASK0:.*]] = scf.for %[[I:.*]] = %[[C0]] to %[[C4]] step %[[C1]] iter_args(%[[W:.*]] = %{{.*}}) -> (i32) {
// CHECK:   %[[D:.*]] = arith.muli %[[I]], %[[C32]]
// CHECK:   %[[R:.*]] = arith.addi %[[ROW]], %[[D]]
// CHECK:   %[[IN0:.*]] = arith.cmpi ult, %[[R]], %[[M]]
// CHECK:   %[[IN1:.*]] = arith.cmpi ult, %[[COLUMN]], %[[LIMIT]]
// CHECK:   arith.andi %[[IN0]], %[[IN1]]
// CHECK:   arith.shli
// CHECK:   arith.ori %[[W]]
// CHECK: } {tile.strip_mined}
// Later tiles are tested along the rows only.
// CHECK: %[[MASK1:.*]] = scf.for {{.*}} -> (i32) {
// CHECK:   arith.cmpi ult, %{{.*}}, %[[M]]
// CHECK-NOT: arith.cmpi
// CHECK: } {tile.strip_mined}
// The pointer moves by addition, one bit is tested for each access.
// CHECK: %[[STEP:.*]] = arith.muli %[[LD]], %[[C32]]
// CHECK: scf.for %[[J:.*]] = %[[C0]] to %[[C4]] step %[[C1]] iter_args(%[[Q:.*]] = %[[FIRST]], %[[F:.*]] = %{{.*}}) -> (!llvm.ptr<1>, vector<16xf32>) {
// CHECK:   %[[SHIFT:.*]] = arith.index_cast %[[J]] : index to i32
// CHECK:   %[[WORD:.*]] = arith.shrui %[[MASK0]], %[[SHIFT]]
// CHECK:   %[[BIT:.*]] = arith.trunci %[[WORD]] : i32 to i1
// CHECK:   %[[LANES:.*]] = vector.broadcast %[[BIT]] : i1 to vector<4xi1>
// CHECK:   llvm.intr.masked.load %[[Q]], %[[LANES]], %{{.*}} {alignment = 16 : i32} : (!llvm.ptr<1>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
// CHECK-NOT: masked.load
// CHECK:   %[[BY:.*]] = arith.index_cast %[[STEP]] : index to i64
// CHECK:   %[[NEXT:.*]] = llvm.getelementptr %[[Q]][%[[BY]]]
// CHECK:   scf.yield %[[NEXT]]
// CHECK: } {tile.strip_mined}
// The first advance goes by the residue, the later ones by a tile.
// CHECK: %[[R64:.*]] = arith.index_cast %[[RESIDUE]] : index to i64
// CHECK: %[[SECOND:.*]] = llvm.getelementptr %[[FIRST]][%[[R64]]]
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[SECOND]],
// CHECK:   arith.shrui %[[MASK1]],
// CHECK: } {tile.strip_mined}
// CHECK: %[[THIRD:.*]] = llvm.getelementptr %[[SECOND]][8]
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[THIRD]],
// CHECK:   arith.shrui %[[MASK1]],
// CHECK-NOT: tile.iterator
func.func @residue_first(%p: !llvm.ptr<1>, %m: index, %k: index, %ld: index, %t: index) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>) {
  %v = tile.make_view %p, (%m, %k {div = 4}) : (%ld {div = 4}, 1) : !llvm.ptr<1> -> !view
  %it0 = tile.make_iterator %v(0, 0), %t : !residue
  %f0 = tile.iterator_load %it0 : !residue -> vector<16xf32>
  %it1 = tile.iterator_advance %it0 : !residue
  %f1 = tile.iterator_load %it1 : !steady -> vector<16xf32>
  %it2 = tile.iterator_advance %it1 : !steady
  %f2 = tile.iterator_load %it2 : !steady -> vector<16xf32>
  return %f0, %f1, %f2 : vector<16xf32>, vector<16xf32>, vector<16xf32>
}

// The masks are built before the loop, once; in it they are only cleared.
// CHECK-LABEL: @main_loop
// The predicates of the residue tile are not used.
// CHECK: } {tile.strip_mined}
// CHECK: scf.for {{.*}} -> (!llvm.ptr<1>, i32, vector<16xf32>) {
// CHECK-NOT: arith.shli
// CHECK: llvm.intr.masked.load
// CHECK-NOT: arith.shli
// CHECK: arith.select %{{.*}}, %c0_i32, %{{.*}} : i32
// CHECK: return
func.func @main_loop(%p: !llvm.ptr<1>, %m: index, %k: index, %ld: index, %t: index, %n: index, %acc: vector<16xf32>) -> vector<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = tile.make_view %p, (%m, %k {div = 4}) : (%ld {div = 4}, 1) : !llvm.ptr<1> -> !view
  %it0 = tile.make_iterator %v(0, 0), %t : !residue
  %it1 = tile.iterator_advance %it0 : !residue
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%it = %it1, %sum = %acc) -> (!steady, vector<16xf32>) {
    %f = tile.iterator_load %it : !steady -> vector<16xf32>
    %s = arith.addf %sum, %f : vector<16xf32>
    %next = tile.iterator_advance %it : !steady
    %last = arith.cmpi uge, %i, %k : index
    %cleared = tile.iterator_clear_mask %next, %last : !steady
    scf.yield %cleared, %s : !steady, vector<16xf32>
  }
  return %r#1 : vector<16xf32>
}

// Shared memory: a global, no predicates.
!shared = !tile.view<f32, shared, (64, 8) : (1, 68), align = 16>
!fill = !tile.iterator<!shared, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>>

// CHECK-LABEL: @shared_without_predicates
// CHECK: llvm.mlir.addressof @tile_shared_0
// CHECK-NOT: masked
// CHECK: scf.for
// CHECK:   llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<3>
// CHECK: } {tile.strip_mined}
// CHECK: scf.for
// CHECK:   llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// CHECK-NOT: masked
// CHECK: return
func.func @shared_without_predicates(%t: index, %f: vector<16xf32>) -> vector<16xf32> {
  %v = tile.alloc_shared : !shared
  %it = tile.make_iterator %v(0, 0), %t : !fill
  tile.iterator_store %f, %it : vector<16xf32>, !fill
  %r = tile.iterator_load %it : !fill -> vector<16xf32>
  return %r : vector<16xf32>
}

// A part of the accesses: the loop starts at the first of them.
// CHECK-LABEL: @part_of_the_accesses
// CHECK: scf.for %{{.*}} = %c1{{.*}} to %c3{{.*}} step
// CHECK: return %{{.*}} : vector<8xf32>
func.func @part_of_the_accesses(%v: !shared, %t: index) -> vector<8xf32> {
  %it = tile.make_iterator %v(0, 0), %t : !fill
  %r = tile.iterator_load %it accesses [1, 2] : !fill -> vector<8xf32>
  return %r : vector<8xf32>
}

// More predicates than a word has bits: 64 accesses, two words, two loops.
!tall = !tile.view<f32, global, (?, ?) : (?, 1)>
!two_words = !tile.iterator<!tall, #tile.strip_mined<tile = [256, 8], contiguous = 1, threads = 32, elements = 1>, predicated>

// CHECK-LABEL: @two_mask_words
// CHECK: %[[W0:.*]] = scf.for %{{.*}} = %c0{{.*}} to %c32{{.*}} step
// CHECK: } {tile.strip_mined}
// CHECK: %[[W1:.*]] = scf.for %{{.*}} = %c32{{.*}} to %c64{{.*}} step
// CHECK:   arith.subi %{{.*}}, %c32
// CHECK: } {tile.strip_mined}
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c32
// CHECK:   arith.shrui %[[W0]],
// CHECK: } {tile.strip_mined}
// CHECK: scf.for %{{.*}} = %c32{{.*}} to %c64
// CHECK:   arith.shrui %[[W1]],
// CHECK: } {tile.strip_mined}
func.func @two_mask_words(%p: !llvm.ptr<1>, %m: index, %n: index, %t: index) -> vector<64xf32> {
  %v = tile.make_view %p, (%m, %n) : (%n, 1) : !llvm.ptr<1> -> !tall
  %it = tile.make_iterator %v(0, 0), %t : !two_words
  %r = tile.iterator_load %it : !two_words -> vector<64xf32>
  return %r : vector<64xf32>
}

// One access of the map is 64 memory accesses: its bits fill two words.
!wide = !tile.iterator<!tall, #tile.strip_mined<tile = [4, 64], contiguous = 1, threads = 4, elements = 64>, predicated>

// CHECK-LABEL: @access_of_two_words
// CHECK: %[[W0:.*]] = scf.for {{.*}} -> (i32)
// CHECK: %[[W1:.*]] = scf.for {{.*}} -> (i32)
// CHECK: arith.trunci %[[W0]] : i32 to i1
// CHECK: %[[HIGH:.*]] = arith.shrui %[[W0]], %c31_i32
// CHECK: arith.trunci %[[W1]] : i32 to i1
// CHECK: %[[HIGHEST:.*]] = arith.shrui %[[W1]], %c31_i32
func.func @access_of_two_words(%p: !llvm.ptr<1>, %m: index, %n: index, %t: index) -> vector<64xf32> {
  %v = tile.make_view %p, (%m, %n) : (%n, 1) : !llvm.ptr<1> -> !tall
  %it = tile.make_iterator %v(0, 0), %t : !wide
  %r = tile.iterator_load %it : !wide -> vector<64xf32>
  return %r : vector<64xf32>
}

// Three memory accesses for each of 12: the bits of the eleventh lie in two words.
!three = !tile.iterator<!tall, #tile.strip_mined<tile = [48, 3], contiguous = 1, threads = 4, elements = 3>, predicated>

// CHECK-LABEL: @access_across_words
// CHECK: %[[W0:.*]] = scf.for {{.*}} -> (i32)
// CHECK: %[[W1:.*]] = scf.for {{.*}} -> (i32)
// CHECK: arith.shrui %[[W0]], %c30_i32
// CHECK: arith.shrui %[[W0]], %c31_i32
// CHECK: arith.trunci %[[W1]] : i32 to i1
func.func @access_across_words(%p: !llvm.ptr<1>, %m: index, %n: index, %t: index) -> vector<36xf32> {
  %v = tile.make_view %p, (%m, %n) : (%n, 1) : !llvm.ptr<1> -> !tall
  %it = tile.make_iterator %v(0, 0), %t : !three
  %r = tile.iterator_load %it : !three -> vector<36xf32>
  return %r : vector<36xf32>
}

// A pitch that is no multiple of the access: scalar accesses.
// CHECK-LABEL: @unknown_pitch_is_scalar
// CHECK: llvm.intr.masked.load {{.*}} {alignment = 4 : i32} : (!llvm.ptr<1>, vector<1xi1>, vector<1xf32>) -> vector<1xf32>
!pitch = !tile.view<f32, global, (?, ?{div = 4}) : (?, 1), align = 16>
!scalar = !tile.iterator<!pitch, #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 128, elements = 4>, predicated>
func.func @unknown_pitch_is_scalar(%p: !llvm.ptr<1>, %m: index, %ld: index, %t: index) -> vector<4xf32> {
  %v = tile.make_view %p, (%m, %m {div = 4}) : (%ld, 1) : !llvm.ptr<1> -> !pitch
  %it = tile.make_iterator %v(0, 0), %t : !scalar
  %r = tile.iterator_load %it : !scalar -> vector<4xf32>
  return %r : vector<4xf32>
}

// CHECK-LABEL: @masked_store
// CHECK: llvm.intr.masked.store %{{.*}}, %{{.*}}, %{{.*}} {alignment = 16 : i32} : vector<4xf32>, vector<4xi1> into !llvm.ptr<1>
!store = !tile.iterator<!view, #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 128, elements = 4>, predicated>
func.func @masked_store(%v: !view, %t: index, %f: vector<4xf32>) {
  %it = tile.make_iterator %v(0, 0), %t : !store
  tile.iterator_store %f, %it : vector<4xf32>, !store
  return
}

// CHECK-LABEL: @masks
// CHECK: %[[WORD:.*]] = arith.select %{{.*}}, %c0_i32, %{{.*}} : i32
// CHECK: %[[M:.*]] = vector.broadcast %[[WORD]] : i32 to vector<1xi32>
// CHECK: return %[[M]]
func.func @masks(%v: !view, %t: index, %done: i1) -> vector<1xi32> {
  %it = tile.make_iterator %v(0, 0), %t : !store
  %cleared = tile.iterator_clear_mask %it, %done : !store
  %m = tile.iterator_get_mask %cleared : !store -> vector<1xi32>
  return %m : vector<1xi32>
}

// CHECK-LABEL: @set_mask
// CHECK: %[[W:.*]] = vector.extract %{{.*}}[0] : i32 from vector<1xi32>
// CHECK: arith.trunci %[[W]] : i32 to i1
func.func @set_mask(%v: !view, %t: index, %m: vector<1xi32>) -> vector<4xf32> {
  %it = tile.make_iterator %v(0, 0), %t : !store
  %set = tile.iterator_set_mask %it, %m : !store, vector<1xi32>
  %r = tile.iterator_load %set : !store -> vector<4xf32>
  return %r : vector<4xf32>
}

// A fixed mode moves the pointer; a kept one passes its run-time leaves on.
!nested = !tile.view<f32, global, ((?, 2), 4, ?) : ((1, ?), 8, ?)>
// CHECK-LABEL: func.func @slice_nested(
// CHECK-SAME: %[[P:.*]]: !llvm.ptr<1>, %[[E0:.*]]: index, %[[E2:.*]]: index, %[[S1:.*]]: index, %[[S2:.*]]: index, %[[I:.*]]: index) -> (!llvm.ptr<1>, index, index) {
// CHECK: %[[O:.*]] = arith.muli %[[S2]], %[[I]]
// CHECK: %[[Q:.*]] = llvm.getelementptr %[[P]]
// CHECK: return %[[Q]], %[[E0]], %[[S1]]
func.func @slice_nested(%v: !nested, %i: index) -> !tile.view<f32, global, ((?, 2)) : ((1, ?))> {
  %0 = tile.slice %v(_, 3, %i) : !nested
  return %0 : !tile.view<f32, global, ((?, 2)) : ((1, ?))>
}

// Run-time leaves of the modes before the kept one are left behind.
!behind = !tile.view<f32, global, (?, (2, ?), 4) : (?, (?, 1), 8)>
// CHECK-LABEL: func.func @slice_keeps_a_later_mode(
// CHECK-SAME: %[[P:.*]]: !llvm.ptr<1>, %{{.*}}: index, %[[E1:.*]]: index, %[[S0:.*]]: index, %[[S1:.*]]: index, %[[I:.*]]: index) -> (!llvm.ptr<1>, index, index) {
// CHECK: arith.muli %[[S0]], %[[I]]
// CHECK: return %{{.*}}, %[[E1]], %[[S1]]
func.func @slice_keeps_a_later_mode(%v: !behind, %i: index) -> !tile.view<f32, global, ((2, ?)) : ((?, 1))> {
  %0 = tile.slice %v(%i, _, 1) : !behind
  return %0 : !tile.view<f32, global, ((2, ?)) : ((?, 1))>
}

// The smallest tile.
!one = !tile.iterator<!tile.view<f64, global, (1, 1) : (1, 1)>, #tile.strip_mined<tile = [1, 1], contiguous = 1, threads = 1, elements = 1>, advance = 0, predicated, residue>
// CHECK-LABEL: @one_element
// CHECK: llvm.intr.masked.load {{.*}} {alignment = 8 : i32} : (!llvm.ptr<1>, vector<1xi1>, vector<1xf64>) -> vector<1xf64>
func.func @one_element(%p: !llvm.ptr<1>, %t: index) -> vector<1xf64> {
  %v = tile.make_view %p, (1, 1) : (1, 1) : !llvm.ptr<1> -> !tile.view<f64, global, (1, 1) : (1, 1)>
  %it = tile.make_iterator %v(0, 0), %t : !one
  %r = tile.iterator_load %it : !one -> vector<1xf64>
  return %r : vector<1xf64>
}

// The globals come first; the alignment of the view is kept.
// CHECK-LABEL: @shared_alignment
// CHECK: llvm.mlir.addressof
func.func @shared_alignment() -> !tile.view<i8, shared, 8 : 1, align = 128> {
  %v = tile.alloc_shared : !tile.view<i8, shared, 8 : 1, align = 128>
  return %v : !tile.view<i8, shared, 8 : 1, align = 128>
}

// A map that pads is masked at the end of its tile, not only at that of the
// view: row 10 belongs to the next tile.
!padded = !tile.iterator<!tile.view<f32, global, (?, 16) : (16, 1)>,
  #tile.strip_mined<tile = [10, 16], contiguous = 1, threads = 32, elements = 4, coverage = padded>, advance = 0, predicated, steady>
// CHECK-LABEL: @padded
// CHECK-DAG: %[[C10:.*]] = arith.constant 10 : index
// CHECK: %[[ROW:.*]] = arith.divui %{{.*}}, %{{.*}}
// CHECK: scf.for
// CHECK:   %[[R:.*]] = arith.addi %[[ROW]],
// CHECK:   arith.cmpi ult, %[[R]], %[[C10]]
// CHECK: } {tile.strip_mined}
func.func @padded(%v: !tile.view<f32, global, (?, 16) : (16, 1)>, %t: index) -> vector<8xf32> {
  %it = tile.make_iterator %v(0, 0), %t : !padded
  %f = tile.iterator_load %it : !padded -> vector<8xf32>
  return %f : vector<8xf32>
}
