// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loop over tiles computes where rows are looked up, or modes nested: a
// pointer and a bit for each access, and no division.
// RUN: tile-opt %s --tile-lower-iterators=unroll=true --canonicalize --cse --loop-invariant-code-motion --canonicalize | FileCheck %s
// RUN: tile-opt %s --tile-lower-iterators --canonicalize --cse | FileCheck %s --check-prefix=KEPT

!list = !tile.view<i32, global, (?) : (1)>
!matrix = !tile.view<f16, global, (?, ?{div = 8}) : (?{div = 8}, 1), align = 16>

// Rows are looked up once, and stay while the columns move: the pointer moves
// by the tile's columns, and the word of what is inside is another one.
!columns = !tile.iterator<!matrix, #tile.warp_raked<tile = [32, 64], contiguous = 1, threads = 64, warp = [4, 8], elements = 8>,
  advance = 1, predicated, steady, gather = #tile.gather<dim = 0, indices = !list>>
// CHECK-LABEL: @gather_rows
// CHECK-COUNT-2: llvm.intr.masked.load {{.*}} vector<1xi32>
// CHECK-NOT: masked.load {{.*}} vector<1xi32>
// CHECK: %[[WORD:.*]] = arith.andi %{{.*}}, %{{.*}} : i32
// CHECK: %[[BIT:.*]] = arith.trunci %[[WORD]]
// CHECK: scf.for {{.*}} iter_args(%[[P:.*]] = %{{.*}}, %[[COLUMN:.*]] = %{{.*}}) -> (!llvm.ptr<1>, index) {
// CHECK-NEXT: %[[P0:.*]] = llvm.getelementptr %[[P]][%{{.*}}]
// CHECK-NEXT: llvm.intr.masked.load %[[P0]], %{{.*}}
// CHECK: %[[P1:.*]] = llvm.getelementptr %[[P0]][32]
// CHECK-NEXT: llvm.intr.masked.load %[[P1]], %{{.*}}
// CHECK-COUNT-2: llvm.intr.masked.load
// CHECK: memref.store
// The column is not used: it is there for moves to other places.
// CHECK-NEXT: arith.addi %[[COLUMN]], %c64
// CHECK-NEXT: %[[NEXT:.*]] = llvm.getelementptr %[[P]][64]
// CHECK-NEXT: scf.yield %[[NEXT]]
// KEPT-LABEL: @gather_rows
// KEPT: scf.for
// KEPT-NOT: arith.divui
// KEPT: scf.for
// KEPT:   llvm.intr.masked.load
// KEPT: } {tile.strip_mined}
func.func @gather_rows(%v: !matrix, %i: !list, %row: index, %t: index, %tiles: index, %out: memref<?xvector<32xf16>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tile.make_iterator %v(%row, 0), %t indices %i vectors : !columns
  %1 = scf.for %k = %c0 to %tiles step %c1 iter_args(%it = %0) -> !columns {
    %2 = tile.iterator_load %it : !columns -> vector<32xf16>
    memref.store %2, %out[%k] : memref<?xvector<32xf16>>
    %3 = tile.iterator_advance %it : !columns
    scf.yield %3 : !columns
  }
  return
}

// Along the rows themselves each tile has its own indices: one is read for each
// of the two rows of a thread, if one of its two accesses is on.
!down = !tile.iterator<!matrix, #tile.warp_raked<tile = [32, 64], contiguous = 1, threads = 64, warp = [4, 8], elements = 8>,
  advance = 0, predicated, steady, gather = #tile.gather<dim = 0, indices = !list>>
// CHECK-LABEL: @gather_down
// CHECK: scf.for
// CHECK-COUNT-2: llvm.intr.masked.load {{.*}} vector<1xi32>
// CHECK-NOT: masked.load {{.*}} vector<1xi32>
// CHECK-COUNT-4: llvm.intr.masked.load {{.*}} vector<8xf16>
// CHECK: scf.yield
func.func @gather_down(%v: !matrix, %i: !list, %row: index, %t: index, %tiles: index, %out: memref<?xvector<32xf16>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tile.make_iterator %v(%row, 0), %t indices %i vectors : !down
  %1 = scf.for %k = %c0 to %tiles step %c1 iter_args(%it = %0) -> !down {
    %2 = tile.iterator_load %it : !down -> vector<32xf16>
    memref.store %2, %out[%k] : memref<?xvector<32xf16>>
    %3 = tile.iterator_advance %it : !down
    scf.yield %3 : !down
  }
  return
}

// A permuted matrix of run-time extents: the digits of the columns move with
// carries; the rows keep their distances.
!permuted = !tile.view<f16, global, ((?, ?), (?{div = 8}, ?)) : ((?{div = 8}, ?{div = 8}), (1, ?{div = 8})), align = 16>
!walk = !tile.iterator<!permuted, #tile.warp_raked<tile = [32, 64], contiguous = 1, threads = 64, warp = [4, 8], elements = 8>,
  advance = 1, predicated, steady>
// CHECK-LABEL: @permute
// Two places: a distance and two digits of each; and the column.
// CHECK: scf.for {{.*}} -> (index, index, index, index, index, index, index) {
// CHECK-NOT: {{(div|rem|mul)[us]?i}}
// CHECK-COUNT-4: llvm.intr.masked.load
// CHECK-NOT: {{(div|rem|mul)[us]?i}}
// CHECK: arith.cmpi uge
// CHECK-NOT: {{(div|rem|mul)[us]?i}}
// CHECK: scf.yield
func.func @permute(%v: !permuted, %row: index, %t: index, %tiles: index, %out: memref<?xvector<32xf16>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tile.make_iterator %v(%row, 0), %t vectors : !walk
  %1 = scf.for %k = %c0 to %tiles step %c1 iter_args(%it = %0) -> !walk {
    %2 = tile.iterator_load %it : !walk -> vector<32xf16>
    memref.store %2, %out[%k] : memref<?xvector<32xf16>>
    %3 = tile.iterator_advance %it : !walk
    scf.yield %3 : !walk
  }
  return
}
