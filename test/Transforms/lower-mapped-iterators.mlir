// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mapped iterators become index arithmetic and masked memory accesses.
// RUN: tile-opt %s --tile-lower-iterators --canonicalize --cse | FileCheck %s
// RUN: tile-opt %s --tile-lower-iterators=unroll=true --canonicalize --cse | FileCheck %s --check-prefix=UNROLL

#output = #tile.output_tile<shape = [64, 8, 2, 1, 1], count = [1, 4, 1, 1, 4], threads = 128, elements = 4, bits = 32>
!matrix = !tile.view<f32, global, (?, ?{div = 4}) : (?{div = 4}, 1), align = 16>
!plain = !tile.iterator<!matrix, #output, steps = 4, advance = 0, masked>

// One step is two accesses of four elements, each behind its own predicate. The
// predicates are packed in words before: what holds at all steps (the columns),
// and what holds at this one.
// CHECK-LABEL: @store
// CHECK-SAME: %[[P:[^,]*]]: !llvm.ptr<1>, %[[M:.*]]: index, %[[N:.*]]: index, %[[LD:.*]]: index, %[[ROW:.*]]: index, %[[T:.*]]: index
// CHECK: %[[COLUMNS:.*]] = scf.for
// CHECK:   arith.cmpi ult, %{{.*}}, %[[N]]
// CHECK: %[[Q:.*]] = llvm.getelementptr %[[P]]
// CHECK: %[[ROWS:.*]] = scf.for
// CHECK:   arith.cmpi ult, %{{.*}}, %[[M]]
// CHECK: %[[WORD:.*]] = arith.andi %[[COLUMNS]], %[[ROWS]]
// CHECK: scf.for
// CHECK:   %[[A:.*]] = llvm.getelementptr %[[Q]]
// CHECK:   %[[S:.*]] = arith.shrui %[[WORD]], %{{.*}}
// CHECK:   %[[BIT:.*]] = arith.trunci %[[S]] : i32 to i1
// CHECK:   %[[MASK:.*]] = vector.broadcast %[[BIT]]
// CHECK:   llvm.intr.masked.store %{{.*}}, %[[A]], %[[MASK]] {alignment = 16 : i32} : vector<4xf32>, vector<4xi1> into !llvm.ptr<1>
// CHECK: } {tile.strip_mined}
// UNROLL-LABEL: @store
// UNROLL-NOT: scf.for
// UNROLL-COUNT-2: llvm.intr.masked.store
// UNROLL-NOT: llvm.intr.masked.store
func.func @store(%v: !matrix, %row: index, %t: index, %f: vector<8xf32>) {
  %0 = tile.make_iterator %v(%row, 0), %t : !plain
  tile.iterator_store %f, %0 : vector<8xf32>, !plain
  return
}

// The step is a number from 0 to 3, and behind the last one the tile is the
// next: steps are 8 rows apart, tiles 64.
// CHECK-LABEL: @advance
// UNROLL-LABEL: @advance
// CHECK: %[[STEP:.*]] = arith.index_castui %{{.*}} : i32 to index
// CHECK: %[[NEXT:.*]] = arith.addi %[[BY:.*]], %[[STEP]] : index
// CHECK: %[[IN:.*]] = arith.remui %[[NEXT]], %c4
// CHECK: %[[TILES:.*]] = arith.divui %[[NEXT]], %c4
// CHECK: %[[STEPS:.*]] = arith.subi %[[IN]], %[[STEP]]
// CHECK: %[[R0:.*]] = arith.muli %[[STEPS]], %c8
// CHECK: %[[R1:.*]] = arith.muli %[[TILES]], %c64
// CHECK: %[[ROWS:.*]] = arith.addi %[[R0]], %[[R1]]
// CHECK: %[[R:.*]] = arith.addi %{{.*}}, %[[ROWS]]
// CHECK: arith.muli %[[ROWS]], %[[LD:.*]] : index
func.func @advance(%it: !plain, %n: index) -> !plain {
  %0 = tile.iterator_advance %it by %n : !plain
  return %0 : !plain
}

// Rows that are looked up: an index beyond the list is not read, and is -1. It
// is read where the iterator arrives, not at the store.
!scatter = !tile.iterator<!matrix, #output, steps = 4, advance = 0, gather = #tile.gather<dim = 0, indices = !tile.view<i32, global, (?) : (1)>>, masked>
!indices = !tile.view<i32, global, (?) : (1)>
// CHECK-LABEL: @scatter
// UNROLL-LABEL: @scatter
// CHECK-DAG: %[[NONE:.*]] = arith.constant dense<-1> : vector<1xi32>
// CHECK: %[[FOUND:.*]] = llvm.intr.masked.load %{{.*}}, %{{.*}}, %[[NONE]] {alignment = 4 : i32}
// CHECK: %[[I:.*]] = vector.extract %[[FOUND]][0]
// CHECK: arith.index_cast %[[I]] : i32 to index
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: llvm.intr.masked.load
// CHECK:   llvm.intr.masked.store
func.func @scatter(%v: !matrix, %i: !indices, %t: index, %f: vector<8xf32>) {
  %0 = tile.make_iterator %v(0, 0), %t indices %i : !scatter
  tile.iterator_store %f, %0 : vector<8xf32>, !scatter
  return
}

// The pixels under a filter: what depends on the tile of columns alone (the
// place of the filter, the block of channels) is not computed from the element.
!tensor = !tile.view<f16, global, (?, ?, ?, ?{div = 8}) : (?{div = 8}, ?{div = 8}, ?{div = 8}, 1), align = 16>
!activation = !tile.iterator<!tensor,
  #tile.warp_raked<tile = [64, 32], contiguous = 1, threads = 64, warp = [4, 8], elements = 8>,
  coords ((?, ?, ?), (32, 3, 3, ?)) : ((1@e2, 1@e1, 1@e0), (1@e3, 1@e2, 1@e1, 32@e3)), advance = 1, masked>
// UNROLL-LABEL: @activation
// UNROLL-SAME: %[[K:[^:]*]]: index) -> vector<32xf16>
// UNROLL: %[[BLOCK:.*]] = arith.divui %[[K]], %c32
// UNROLL: %[[S:.*]] = arith.remui %[[BLOCK]], %c3
// UNROLL: %[[REST:.*]] = arith.divui %[[BLOCK]], %c3
// UNROLL: %[[R:.*]] = arith.remui %[[REST]], %c3
// UNROLL: llvm.intr.masked.load {{.*}} {alignment = 16 : i32} {{.*}} vector<8xf16>
// UNROLL-NOT: arith.remui %{{.*}}, %c3
// UNROLL-COUNT-3: llvm.intr.masked.load {{.*}} vector<8xf16>
// UNROLL-NOT: llvm.intr.masked.load
func.func @activation(%x: !tensor, %n: index, %p: index, %q: index, %blocks: index, %row: index, %t: index, %k: index) -> vector<32xf16> {
  %0 = tile.make_iterator %x(%row, %k {div = 32}), %t
    coords ((%q, %p, %n), (32, 3, 3, %blocks)) : ((1@e2, 1@e1, 1@e0), (1@e3, 1@e2, 1@e1, 32@e3))
    origin (0, -1, -1, 0) : !activation
  %1 = tile.iterator_load %0 : !activation -> vector<32xf16>
  return %1 : vector<32xf16>
}

// An extent that is not known to be a multiple of four: single elements.
!narrow = !tile.iterator<!tile.view<f32, global, (?, ?) : (?{div = 4}, 1), align = 16>, #output, steps = 4, advance = 0, masked>
// UNROLL-LABEL: @narrow
// UNROLL-COUNT-8: llvm.intr.masked.store {{.*}} vector<1xf32>
// UNROLL-NOT: llvm.intr.masked.store
func.func @narrow(%f: vector<8xf32>, %it: !narrow) {
  tile.iterator_store %f, %it : vector<8xf32>, !narrow
  return
}

// A cleared mask guards every access; a loop carries the pointer, the word, the
// step and the row.
// CHECK-LABEL: @loop
// UNROLL-LABEL: @loop
// CHECK: %[[ON:.*]] = arith.select %[[NONE:.*]], %false, %{{.*}} : i1
// CHECK: %[[CLEARED:.*]] = arith.select %[[NONE]], %c0_i32, %{{.*}} : i32
// CHECK: scf.for {{.*}} iter_args(%{{.*}}, %[[WORD:.*]] = %[[CLEARED]], %{{.*}}) -> (!llvm.ptr<1>, i32, i32, index) {
// CHECK:   arith.shrui %[[WORD]],
// CHECK:   llvm.intr.masked.store
// CHECK:   %[[NEXT:.*]] = arith.select %[[ON]], %{{.*}}, %c0_i32 : i32
// CHECK:   scf.yield %{{.*}}, %[[NEXT]], %{{.*}}, %{{.*}} : !llvm.ptr<1>, i32, i32, index
func.func @loop(%f: vector<8xf32>, %it: !plain, %none: i1) -> !plain {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %0 = tile.iterator_clear_mask %it, %none : !plain
  %1 = scf.for %i = %c0 to %c4 step %c1 iter_args(%at = %0) -> !plain {
    tile.iterator_store %f, %at : vector<8xf32>, !plain
    %next = tile.iterator_advance %at : !plain
    scf.yield %next : !plain
  }
  %2 = tile.iterator_enable_mask %1 : !plain
  return %2 : !plain
}

// A tile of shared memory: nothing is tested, and bit 5 of the column goes into
// bit 2.
#exchange = #tile.output_tile<shape = [64, 4, 2, 1, 1], count = [1, 1, 1, 1, 1], threads = 64, elements = 8, bits = 16>
!staged = !tile.iterator<!tile.view<f32, shared, (8, 64) : (72, 1), align = 16>, #exchange, xor = [1, 2, 1, 5]>
// CHECK-LABEL: @exchange
// UNROLL-LABEL: @exchange
// UNROLL-NOT: cmpi
// UNROLL-NOT: masked
// UNROLL: %[[BIT:.*]] = arith.andi %[[C:.*]], %c32
// UNROLL: %[[MOVED:.*]] = arith.shrui %[[BIT]], %c3
// UNROLL: arith.xori %[[C]], %[[MOVED]]
// UNROLL: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// UNROLL-NOT: cmpi
// UNROLL-NOT: masked
// UNROLL: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// UNROLL-NOT: llvm.load
func.func @exchange(%v: !tile.view<f32, shared, (8, 64) : (72, 1), align = 16>, %t: index) -> vector<8xf32> {
  %0 = tile.make_iterator %v(0, 0), %t : !staged
  %1 = tile.iterator_load %0 : !staged -> vector<8xf32>
  return %1 : vector<8xf32>
}

// Floats of 8 bits are integers in memory.
!bytes = !tile.iterator<!tile.view<f8E4M3FN, global, (?, ?{div = 16}) : (?{div = 16}, 1), align = 16>,
  #tile.strip_mined<tile = [2, 256], contiguous = 1, threads = 32, elements = 16>, masked>
// UNROLL-LABEL: @eight_bits
// UNROLL: %[[B:.*]] = llvm.intr.masked.load {{.*}} -> vector<16xi8>
// UNROLL-NOT: vector.insert
// UNROLL: llvm.intr.masked.store %[[B]], {{.*}} : vector<16xi8>
// CHECK-LABEL: @eight_bits
func.func @eight_bits(%a: !bytes, %b: !bytes) {
  %0 = tile.iterator_load %a : !bytes -> vector<16xf8E4M3FN>
  tile.iterator_store %0, %b : vector<16xf8E4M3FN>, !bytes
  return
}

// The words of the current step; another step, and enabling, compute their own.
// UNROLL-LABEL: @masks
// UNROLL-SAME: %{{[^:,]*}}: i1, %[[W:[^:,]*]]: i32, %[[FIXED:[^:,]*]]: i32, %{{[^:,]*}}: i32,
// UNROLL: %[[LESS:.*]] = arith.andi %[[W]], %c1_i32
// UNROLL: arith.trunci %[[LESS]] : i32 to i1
// UNROLL: llvm.intr.masked.store
// UNROLL: %[[HERE:.*]] = arith.andi %[[FIXED]], %{{.*}}
// UNROLL: arith.trunci %[[HERE]] : i32 to i1
// UNROLL: llvm.intr.masked.store
// CHECK-LABEL: @masks
func.func @masks(%it: !plain, %f: vector<8xf32>) {
  %c1 = arith.constant 1 : i32
  %0 = tile.iterator_get_mask %it : !plain -> vector<1xi32>
  %1 = vector.extract %0[0] : i32 from vector<1xi32>
  %2 = arith.andi %1, %c1 : i32
  %3 = vector.from_elements %2 : vector<1xi32>
  %4 = tile.iterator_set_mask %it, %3 : !plain, vector<1xi32>
  tile.iterator_store %f, %4 : vector<8xf32>, !plain
  %5 = tile.iterator_enable_mask %4 : !plain
  tile.iterator_store %f, %5 : vector<8xf32>, !plain
  return
}

// Masked iterators are at one place where all that counts is: pointer, step,
// and row.
// CHECK-LABEL: @equal
// CHECK: llvm.icmp "eq"
// CHECK-COUNT-2: arith.cmpi eq
// CHECK-NOT: arith.cmpi
// CHECK: return
// UNROLL-LABEL: @equal
func.func @equal(%a: !plain, %b: !plain) -> i1 {
  %0 = tile.iterator_equal %a, %b : !plain
  return %0 : i1
}

// A part of a step; a copy from one to another.
// UNROLL-LABEL: @part
// UNROLL-COUNT-1: llvm.intr.masked.load
// UNROLL-NOT: llvm.intr.masked.load
// UNROLL: return
// CHECK-LABEL: @part
func.func @part(%it: !plain) -> vector<4xf32> {
  %0 = tile.iterator_load %it accesses [1, 1] : !plain -> vector<4xf32>
  return %0 : vector<4xf32>
}

#whole = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 128, elements = 4>
!from = !tile.iterator<!matrix, #whole, advance = 1, masked>
!swizzled = !tile.iterator<!tile.view<f32, shared, (64, 64) : (72, 1), align = 16>, #whole, xor = [1, 2, 1, 5]>
// UNROLL-LABEL: @copy
// UNROLL: %[[F:.*]] = llvm.intr.masked.load {{.*}} vector<4xf32>
// UNROLL: arith.xori
// UNROLL: llvm.store %[[F]], {{.*}} vector<4xf32>, !llvm.ptr<3>
// CHECK-LABEL: @copy
func.func @copy(%v: !matrix, %s: !tile.view<f32, shared, (64, 64) : (72, 1), align = 16>, %t: index) {
  %0 = tile.make_iterator %v(0, 0), %t vectors : !from
  %1 = tile.make_iterator %s(0, 0), %t vectors : !swizzled
  tile.copy %0, %1 : !from, !swizzled
  return
}

// Columns that are looked up, in blocks of four.
!columns = !tile.iterator<!matrix, #whole, masked,
  gather = #tile.gather<dim = 1, indices = !tile.view<i64, global, (?) : (1)>, block = 4, base = 1>>
// UNROLL-LABEL: @gather_columns
// UNROLL-COUNT-4: llvm.intr.masked.load {{.*}} vector<1xi64>
// UNROLL-COUNT-4: llvm.intr.masked.load {{.*}} vector<1xf32>
// CHECK-LABEL: @gather_columns
func.func @gather_columns(%v: !matrix, %i: !tile.view<i64, global, (?) : (1)>, %t: index) -> vector<4xf32> {
  %0 = tile.make_iterator %v(0, 0), %t indices %i : !columns
  %1 = tile.iterator_load %0 : !columns -> vector<4xf32>
  return %1 : vector<4xf32>
}
