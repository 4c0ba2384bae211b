// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterators and views go through every kind of region, branch, call and
// return, several at a time: each becomes its own values, in order.
// RUN: tile-opt %s --tile-lower-iterators | FileCheck %s --implicit-check-not='!tile.' --implicit-check-not=unrealized
// RUN: tile-opt %s --tile-lower-iterators --tile-unroll-strip-mined --canonicalize -o /dev/null
// RUN: tile-opt %s --tile-iterators-to-views | FileCheck %s --check-prefix=VIEWS --implicit-check-not='tile.iterator' --implicit-check-not=unrealized
// RUN: tile-opt %s --tile-iterators-to-views --tile-lower-iterators --tile-expand-layouts -o /dev/null

!v = !tile.view<f32, global, (64, 32) : (32, 1), align = 16>
!x = !tile.view<f32, global, (4, 8, 8, 32) : (2048, 256, 32, 1), align = 16>
#m = #tile.strip_mined<tile = [8, 32], contiguous = 1, threads = 64, elements = 4>
#A = #tile.conv<fprop activation, input = (4, 8, 8, 32), filter = (8, 3, 3), pad = (1, 1), block = 32>
// A plain one, one in the residue phase, a triangle, a mapped one.
!p = !tile.iterator<!v, #m, advance = 0, steady>
!q = !tile.iterator<!v, #m, advance = 0, predicated, residue>
!r = !tile.iterator<!v, #m, advance = 1, predicated, steady, triangle = #tile.triangle<lower>>
!s = !tile.iterator<!x, #m, coords #A, advance = 1, masked>

// CHECK-LABEL: func.func private @declared() -> (!llvm.ptr<1>, !llvm.ptr<1>, i32, i32, index
// VIEWS-LABEL: func.func private @declared() -> (!llvm.ptr<1>, index, index, index, !llvm.ptr<1>,
func.func private @declared() -> (!p, !q, !r, !s)

// CHECK-LABEL: func.func @call
// CHECK: %[[ALL:.*]]:{{[0-9]+}} = call @declared() : () -> (!llvm.ptr<1>, !llvm.ptr<1>,
// CHECK: return %[[ALL]]#0, %[[ALL]]#1,
// VIEWS-LABEL: func.func @call
func.func @call() -> (!p, !q, !r, !s) {
  %0:4 = call @declared() : () -> (!p, !q, !r, !s)
  return %0#0, %0#1, %0#2, %0#3 : !p, !q, !r, !s
}

// CHECK-LABEL: func.func @if
// CHECK: scf.if %{{.*}} -> (!llvm.ptr<1>, !llvm.ptr<1>,
// VIEWS-LABEL: func.func @if
func.func @if(%c: i1, %p: !p, %q: !q, %r: !r, %s: !s, %p1: !p, %q1: !q, %r1: !r, %s1: !s) -> (!p, !q, !r, !s) {
  %0:4 = scf.if %c -> (!p, !q, !r, !s) {
    scf.yield %p, %q, %r, %s : !p, !q, !r, !s
  } else {
    scf.yield %p1, %q1, %r1, %s1 : !p, !q, !r, !s
  }
  return %0#0, %0#1, %0#2, %0#3 : !p, !q, !r, !s
}

// CHECK-LABEL: func.func @for
// CHECK: scf.for
// VIEWS-LABEL: func.func @for
func.func @for(%n: index, %p: !p, %r: !r, %s: !s) -> (!p, !r, !s) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %s, %b = %p, %c = %r) -> (!s, !p, !r) {
    %a1 = tile.iterator_advance %a : !s
    %b1 = tile.iterator_advance %b : !p
    %c2 = tile.iterator_advance %c : !r
    scf.yield %a1, %b1, %c2 : !s, !p, !r
  }
  return %0#1, %0#2, %0#0 : !p, !r, !s
}

// CHECK-LABEL: func.func @while
// CHECK: scf.while
// VIEWS-LABEL: func.func @while
func.func @while(%end: !p, %p: !p, %s: !s) -> (!p, !s) {
  %0:2 = scf.while (%a = %p, %b = %s) : (!p, !s) -> (!p, !s) {
    %c = tile.iterator_equal %a, %end : !p
    scf.condition(%c) %a, %b : !p, !s
  } do {
  ^bb0(%a: !p, %b: !s):
    %a1 = tile.iterator_advance %a : !p
    %b1 = tile.iterator_advance %b : !s
    scf.yield %a1, %b1 : !p, !s
  }
  return %0#0, %0#1 : !p, !s
}

// CHECK-LABEL: func.func @switch
// CHECK: scf.index_switch
// VIEWS-LABEL: func.func @switch
func.func @switch(%n: index, %p: !p, %q: !q, %p1: !p, %q1: !q) -> (!q, !p) {
  %0:2 = scf.index_switch %n -> !q, !p
  case 1 {
    scf.yield %q, %p1 : !q, !p
  }
  default {
    scf.yield %q1, %p : !q, !p
  }
  return %0#0, %0#1 : !q, !p
}

// CHECK-LABEL: func.func @region
// CHECK: scf.execute_region
// VIEWS-LABEL: func.func @region
func.func @region(%c: i1, %p: !p, %s: !s) -> (!s, !p) {
  %0:2 = scf.execute_region -> (!s, !p) {
    cf.cond_br %c, ^bb1(%p, %s : !p, !s), ^bb2
  ^bb1(%a: !p, %b: !s):
    %a1 = tile.iterator_advance %a : !p
    scf.yield %b, %a1 : !s, !p
  ^bb2:
    scf.yield %s, %p : !s, !p
  }
  return %0#0, %0#1 : !s, !p
}

// CHECK-LABEL: func.func @branches
// CHECK: cf.br ^[[LOOP:.*]](%{{.*}}, %{{.*}}, %{{.*}} : !llvm.ptr<1>, !llvm.ptr<1>,
// CHECK: cf.cond_br
// VIEWS-LABEL: func.func @branches
func.func @branches(%end: !p, %p: !p, %r: !r) -> (!r, !p) {
  cf.br ^bb1(%p, %r : !p, !r)
^bb1(%a: !p, %b: !r):
  %a1 = tile.iterator_advance %a : !p
  %b1 = tile.iterator_advance %b : !r
  %c = tile.iterator_equal %a1, %end : !p
  cf.cond_br %c, ^bb2(%b1 : !r), ^bb1(%a1, %b1 : !p, !r)
^bb2(%d: !r):
  return %d, %a1 : !r, !p
}

// CHECK-LABEL: func.func @select
// CHECK-COUNT-4: arith.select
// VIEWS-LABEL: func.func @select
func.func @select(%c: i1, %p: !p, %q: !q, %p1: !p, %q1: !q) -> (!p, !q) {
  %0 = arith.select %c, %p, %p1 : !p
  %1 = arith.select %c, %q, %q1 : !q
  return %0, %1 : !p, !q
}

// The blocks of a kernel.
gpu.module @kernels {
  // CHECK-LABEL: gpu.func @kernel
  // CHECK: cf.cond_br %{{.*}}, ^{{.*}}(%{{.*}}, %{{.*}} : !llvm.ptr<1>, !llvm.ptr<1>
  // VIEWS-LABEL: gpu.func @kernel
  gpu.func @kernel(%c: i1, %a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %t: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %v = tile.make_view %a, (64, 32) : (32, 1) : !llvm.ptr<1> -> !v
    %w = tile.make_view %b, (64, 32) : (32, 1) : !llvm.ptr<1> -> !v
    %from = tile.make_iterator %v(0, 0), %t : !p
    %to = tile.make_iterator %w(8, 0), %t : !p
    cf.cond_br %c, ^bb1(%from, %to : !p, !p), ^bb2
  ^bb1(%i: !p, %o: !p):
    tile.copy %i, %o : !p, !p
    cf.br ^bb2
  ^bb2:
    gpu.return
  }
}
