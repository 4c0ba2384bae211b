// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loop over the tiles of a mapped matrix computes: a pointer and a bit
// for each access, increments, and no division.
// RUN: tile-opt %s --tile-lower-iterators=unroll=true --canonicalize --cse --loop-invariant-code-motion --canonicalize | FileCheck %s

!x = !tile.view<f16, global, (?, ?, ?, ?{div = 8}) : (?{div = 8}, ?{div = 8}, ?{div = 8}, 1), align = 16>
#map = #tile.warp_raked<tile = [64, 32], contiguous = 1, threads = 64, warp = [4, 8], elements = 8>

// The activation under a 3 by 3 filter. The odometer counts s, r, blocks; an
// increment leads to the next place, one to the next row of places, and one to
// the next block. What exists at each r and s is in two words of 4 * 3 bits.
!A = !tile.iterator<!x, #map,
  coords ((?, ?, ?), (32, 3, 3, ?)) : ((?@e2, ?@e1, 1@e0), (1@e3, ?@e2, ?@e1, 32@e3)), advance = 1, masked>
// CHECK-LABEL: @fprop_activation
// CHECK: scf.for {{.*}} iter_args(%[[P:.*]] = %{{.*}}, %[[W:.*]] = %{{.*}}, %[[S:.*]] = %c0_i32, %[[R:.*]] = %c0_i32, %[[B:.*]] = %c0) -> (!llvm.ptr<1>, i32, i32, i32, index) {
// CHECK-NEXT: %[[P0:.*]] = llvm.getelementptr %[[P]]
// CHECK-NEXT: %[[T0:.*]] = arith.trunci %[[W]]
// CHECK-NEXT: %[[M0:.*]] = vector.broadcast %[[T0]]
// CHECK-NEXT: llvm.intr.masked.load %[[P0]], %[[M0]]
// CHECK: %[[P1:.*]] = llvm.getelementptr %[[P]]
// CHECK-NEXT: %[[W1:.*]] = arith.shrui %[[W]], %c1_i32
// CHECK-NEXT: %[[T1:.*]] = arith.trunci %[[W1]]
// CHECK-NEXT: %[[M1:.*]] = vector.broadcast %[[T1]]
// CHECK-NEXT: llvm.intr.masked.load %[[P1]], %[[M1]]
// CHECK-COUNT-2: llvm.intr.masked.load
// CHECK: memref.store
// CHECK-NEXT: %[[S1:.*]] = arith.addi %[[S]], %c1_i32
// CHECK-NEXT: %[[SW:.*]] = arith.cmpi uge, %[[S1]], %c3_i32
// CHECK-NEXT: %[[S2:.*]] = arith.select %[[SW]], %c0_i32, %[[S1]]
// CHECK-NEXT: %[[R1:.*]] = arith.addi %[[R]], %c1_i32
// CHECK-NEXT: %[[RW:.*]] = arith.cmpi uge, %[[R1]], %c3_i32
// CHECK-NEXT: %[[R2:.*]] = arith.select %[[RW]], %c0_i32, %[[R1]]
// CHECK-NEXT: %[[BW:.*]] = arith.andi %[[SW]], %[[RW]]
// CHECK-NEXT: %[[R3:.*]] = arith.select %[[SW]], %[[R2]], %[[R]]
// CHECK-NEXT: %[[B1:.*]] = arith.addi %[[B]], %c1
// CHECK-NEXT: %[[B2:.*]] = arith.select %[[BW]], %[[B1]], %[[B]]
// CHECK-NEXT: %[[I0:.*]] = arith.select %[[RW]], %{{.*}}, %{{.*}}
// CHECK-NEXT: %[[I1:.*]] = arith.select %[[SW]], %[[I0]], %{{.*}}
// CHECK-NEXT: %[[I2:.*]] = arith.index_cast %[[I1]]
// CHECK-NEXT: %[[P2:.*]] = llvm.getelementptr %[[P]][%[[I2]]]
// CHECK-NEXT: arith.muli %[[S2]], %c4_i32
// CHECK-NEXT: arith.shrui
// CHECK-NEXT: arith.andi
// CHECK-NEXT: arith.muli %[[R3]], %c4_i32
// CHECK-NEXT: arith.shrui
// CHECK-NEXT: arith.andi
// CHECK-NEXT: arith.cmpi ult, %[[B2]]
// CHECK-NEXT: arith.muli %[[B2]], %c32
// CHECK-NEXT: arith.addi
// CHECK-NEXT: arith.cmpi ult
// CHECK-NEXT: arith.andi
// CHECK-NEXT: %[[W2:.*]] = arith.select
// CHECK-NEXT: scf.yield %[[P2]], %[[W2]], %[[S2]], %[[R3]], %[[B2]]
func.func @fprop_activation(%x: !x, %n: index, %p: index, %q: index, %blocks: index,
                            %stride: index, %dilation: index, %minus_pad: index,
                            %row: index, %thread: index, %tiles: index, %out: memref<?xvector<32xf16>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tile.make_iterator %x(%row, 0), %thread
    coords ((%q, %p, %n), (32, 3, 3, %blocks))
         : ((%stride@e2, %stride@e1, 1@e0), (1@e3, %dilation@e2, %dilation@e1, 32@e3))
    origin (0, %minus_pad, %minus_pad, 0) : !A
  %1 = scf.for %i = %c0 to %tiles step %c1 iter_args(%it = %0) -> !A {
    %2 = tile.iterator_load %it : !A -> vector<32xf16>
    memref.store %2, %out[%i] : memref<?xvector<32xf16>>
    %3 = tile.iterator_advance %it : !A
    scf.yield %3 : !A
  }
  return
}

// A filter whose extents are not known: the coordinates along h and w of each
// row are compared at each move, and no pixel is split again.
!any = !tile.iterator<!x, #map,
  coords ((?, ?, ?), (32, ?, ?, ?)) : ((?@e2, ?@e1, 1@e0), (1@e3, ?@e2, ?@e1, 32@e3)), advance = 1, masked>
// CHECK-LABEL: @any_filter
// CHECK: scf.for
// CHECK-NOT: {{(div|rem)[us]i}}
// CHECK-COUNT-4: llvm.intr.masked.load
// CHECK-NOT: {{(div|rem)[us]i}}
// CHECK: scf.yield
func.func @any_filter(%x: !x, %n: index, %p: index, %q: index, %r: index, %s: index, %blocks: index,
                      %stride: index, %dilation: index, %minus_pad: index,
                      %row: index, %thread: index, %tiles: index, %out: memref<?xvector<32xf16>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tile.make_iterator %x(%row, 0), %thread
    coords ((%q, %p, %n), (32, %s, %r, %blocks))
         : ((%stride@e2, %stride@e1, 1@e0), (1@e3, %dilation@e2, %dilation@e1, 32@e3))
    origin (0, %minus_pad, %minus_pad, 0) : !any
  %1 = scf.for %i = %c0 to %tiles step %c1 iter_args(%it = %0) -> !any {
    %2 = tile.iterator_load %it : !any -> vector<32xf16>
    memref.store %2, %out[%i] : memref<?xvector<32xf16>>
    %3 = tile.iterator_advance %it : !any
    scf.yield %3 : !any
  }
  return
}

// The output gradient of wgrad: the summed dimension runs over pixels. A move
// adds the digits of 32 pixels to those of the thread's pixel, with carries.
!dy = !tile.iterator<!x,
  #tile.strip_mined<tile = [64, 32], contiguous = 0, threads = 256, elements = 8>,
  coords (?{div = 8}, (?, ?, ?)) : (1@e3, (1@e2, 1@e1, 1@e0)), advance = 1, masked>
// CHECK-LABEL: @wgrad_output
// What moves is the word, a distance and three digits.
// CHECK: scf.for {{.*}} iter_args(%[[W:.*]] = %{{.*}}, %[[D:.*]] = %{{.*}}, %[[Q:.*]] = %{{.*}}, %[[P:.*]] = %{{.*}}, %[[N:.*]] = %{{.*}}) -> (i32, index, index, index, index)
// CHECK-NOT: {{(div|rem|mul)[us]?i}}
// CHECK: llvm.intr.masked.load
// CHECK: %[[Q1:.*]] = arith.addi %[[Q]], %{{.*}}
// CHECK: %[[CARRY:.*]] = arith.cmpi uge, %[[Q1]], %{{.*}}
// CHECK: arith.select %[[CARRY]]
// CHECK-NOT: {{(div|rem|mul)[us]?i}}
// CHECK: scf.yield
func.func @wgrad_output(%x: !x, %k: index, %n: index, %p: index, %q: index,
                        %row: index, %thread: index, %tiles: index, %out: memref<?xvector<8xf16>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tile.make_iterator %x(%row {div = 8}, 0), %thread
    coords (%k {div = 8}, (%q, %p, %n)) : (1@e3, (1@e2, 1@e1, 1@e0)) : !dy
  %1 = scf.for %i = %c0 to %tiles step %c1 iter_args(%it = %0) -> !dy {
    %2 = tile.iterator_load %it : !dy -> vector<8xf16>
    memref.store %2, %out[%i] : memref<?xvector<8xf16>>
    %3 = tile.iterator_advance %it : !dy
    scf.yield %3 : !dy
  }
  return
}

// The result of a product: rows move by increments from step to step; the word
// that does not change has the columns.
!matrix = !tile.view<f32, global, (?, ?{div = 4}) : (?{div = 4}, 1), align = 16>
#output = #tile.output_tile<shape = [64, 8, 2, 1, 1], count = [1, 4, 1, 1, 4], threads = 128, elements = 4, bits = 32>
!plain = !tile.iterator<!matrix, #output, steps = 4, advance = 0, masked>
// CHECK-LABEL: @epilogue
// CHECK: scf.for {{.*}} -> (!llvm.ptr<1>, i32, i32, index) {
// CHECK-NOT: {{(div|rem|mul)[us]?i}}
// CHECK: llvm.intr.masked.store
// CHECK-NOT: {{(div|rem|mul)[us]?i}}
// CHECK: llvm.intr.masked.store
// CHECK-NOT: {{(div|rem|mul)[us]?i}}
// CHECK: scf.yield
func.func @epilogue(%v: !matrix, %row: index, %column: index, %t: index, %f: vector<8xf32>, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tile.make_iterator %v(%row, %column {div = 4}), %t : !plain
  %1 = scf.for %i = %c0 to %steps step %c1 iter_args(%it = %0) -> !plain {
    tile.iterator_store %f, %it : vector<8xf32>, !plain
    %2 = tile.iterator_advance %it : !plain
    scf.yield %2 : !plain
  }
  return
}

// Rows that are looked up stay what they are while the columns move: nothing is
// looked up in the loop.
!scatter = !tile.iterator<!matrix,
  #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 128, elements = 4>, advance = 1, gather = #tile.gather<dim = 0, indices = !tile.view<i32, global, (?) : (1)>>, masked>
!indices = !tile.view<i32, global, (?) : (1)>
// CHECK-LABEL: @scatter
// CHECK: llvm.intr.masked.load {{.*}} vector<1xi32>
// CHECK: scf.for
// CHECK-NOT: llvm.intr.masked.load
// CHECK: scf.yield
func.func @scatter(%v: !matrix, %i: !indices, %row: index, %t: index, %f: vector<4xf32>, %tiles: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tile.make_iterator %v(%row, 0), %t indices %i : !scatter
  %1 = scf.for %k = %c0 to %tiles step %c1 iter_args(%it = %0) -> !scatter {
    tile.iterator_store %f, %it : vector<4xf32>, !scatter
    %2 = tile.iterator_advance %it : !scatter
    scf.yield %2 : !scatter
  }
  return
}

// A walk with divisors has no increments: where it arrives it computes its
// distances and predicates, with the coordinates of the fixed rows kept.
!divided = !tile.iterator<!x, #map,
  coords ((?, ?, ?), (32, 3, 3, ?)) : ((1@e2, 1@e1, 1@e0), (1@e3, -1@e2, -1@e1, 32@e3)),
  divide (1, 2, 2, 1), advance = 1, masked>
// CHECK-LABEL: @divided
// CHECK: scf.for {{.*}} iter_args(%[[W:.*]] = %{{.*}}, %{{.*}} = %{{.*}}, %[[D:.*]] = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (i32, index, index, index, index, index)
// CHECK-NEXT: %[[I:.*]] = arith.index_cast %[[D]]
// CHECK-NEXT: %[[P:.*]] = llvm.getelementptr %{{.*}}[%[[I]]]
// CHECK-NEXT: %[[T:.*]] = arith.trunci %[[W]]
// CHECK-NEXT: %[[M:.*]] = vector.broadcast %[[T]]
// CHECK-NEXT: llvm.intr.masked.load %[[P]], %[[M]]
// CHECK-COUNT-3: llvm.intr.masked.load
// CHECK: arith.divsi
func.func @divided(%x: !x, %n: index, %h: index, %w: index, %blocks: index,
                   %row: index, %thread: index, %tiles: index, %out: memref<?xvector<32xf16>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tile.make_iterator %x(%row, 0), %thread
    coords ((%w, %h, %n), (32, 3, 3, %blocks)) : ((1@e2, 1@e1, 1@e0), (1@e3, -1@e2, -1@e1, 32@e3))
    origin (0, 1, 1, 0) divide (1, 2, 2, 1) : !divided
  %1 = scf.for %i = %c0 to %tiles step %c1 iter_args(%it = %0) -> !divided {
    %2 = tile.iterator_load %it : !divided -> vector<32xf16>
    memref.store %2, %out[%i] : memref<?xvector<32xf16>>
    %3 = tile.iterator_advance %it : !divided
    scf.yield %3 : !divided
  }
  return
}

// Where constants prove that they fit, distances are kept in 32 bits.
!small = !tile.view<f16, global, (8, 14, 14, 64) : (12544, 896, 64, 1), align = 16>
!static = !tile.iterator<!small, #map,
  coords ((14, 14, 8), (32, 3, 3, 2)) : ((1@e2, 1@e1, 1@e0), (1@e3, 1@e2, 1@e1, 32@e3)), advance = 1, masked>
// CHECK-LABEL: @static_extents
// CHECK: %[[D:.*]] = arith.index_cast %{{.*}} : index to i32
// CHECK: scf.for {{.*}} iter_args(%[[P:.*]] = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (!llvm.ptr<1>, i32, i32, i32, index) {
// CHECK: llvm.getelementptr %[[P]][%{{.*}}] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f16
// CHECK: scf.yield
func.func @static_extents(%x: !small, %row: index, %thread: index, %tiles: index, %out: memref<?xvector<32xf16>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tile.make_iterator %x(%row, 0), %thread
    coords ((14, 14, 8), (32, 3, 3, 2)) : ((1@e2, 1@e1, 1@e0), (1@e3, 1@e2, 1@e1, 32@e3))
    origin (0, -1, -1, 0) : !static
  %1 = scf.for %i = %c0 to %tiles step %c1 iter_args(%it = %0) -> !static {
    %2 = tile.iterator_load %it : !static -> vector<32xf16>
    memref.store %2, %out[%i] : memref<?xvector<32xf16>>
    %3 = tile.iterator_advance %it : !static
    scf.yield %3 : !static
  }
  return
}
