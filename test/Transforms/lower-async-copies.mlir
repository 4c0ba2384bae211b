// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asynchronous copies become cp.async, as wide as both sides prove, with the
// bytes of the source switched off where a predicate is.
// RUN: tile-opt %s --tile-lower-iterators --canonicalize --cse | FileCheck %s
// RUN: tile-opt %s --tile-lower-iterators="unroll=true" --canonicalize --cse | FileCheck %s --check-prefix=UNROLLED

// CHECK-LABEL: @vectors
// CHECK-DAG: %[[C16:.*]] = arith.constant 16 : i32
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i32
// CHECK: scf.for
// CHECK:   %[[BIT:.*]] = arith.trunci %{{.*}} : i32 to i1
// CHECK:   %[[SIZE:.*]] = arith.select %[[BIT]], %[[C16]], %[[C0]] : i32
// CHECK:   nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg, %[[SIZE]] : !llvm.ptr<3>, !llvm.ptr<1>, i32
// CHECK: } {tile.strip_mined}
// CHECK: nvvm.cp.async.commit.group
// CHECK: nvvm.cp.async.wait.group 1
// UNROLLED-LABEL: @vectors
// UNROLLED-COUNT-2: nvvm.cp.async.shared.global {{.*}}, 16, cache = cg
// UNROLLED-NOT: 16, cache =
// UNROLLED-LABEL: @across
!global = !tile.view<f32, global, (?, ?{div = 4}) : (?{div = 4}, 1), align = 16>
!shared = !tile.view<f32, shared, (8, 128) : (128, 1), align = 16>
#row = #tile.strip_mined<tile = [8, 128], contiguous = 1, threads = 128, elements = 4>
!source = !tile.iterator<!global, #row, advance = 0, predicated, residue>
!target = !tile.iterator<!shared, #row, steady>
func.func @vectors(%a: !source, %b: !target) {
  tile.copy_async %a, %b : !source, !target
  tile.async_commit_group
  tile.async_wait_group 1
  return
}

// A wide source, across the destination: each element is a copy of its own, all
// four behind one predicate.
// CHECK-LABEL: @across
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : i32
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i32
// CHECK: %[[SIZE:.*]] = arith.select %{{.*}}, %[[C4]], %[[C0]] : i32
// CHECK-COUNT-4: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 4, cache = ca, %[[SIZE]]
// CHECK-NOT: cp.async.shared.global
#column = #tile.strip_mined<tile = [128, 8], contiguous = 1, threads = 256, elements = 4>
!across = !tile.iterator<!global, #column, advance = 1, predicated, steady>
!padded = !tile.iterator<!tile.view<f32, shared, (128, 8) : (1, 132), align = 16>, #column, steady>
func.func @across(%a: !across, %b: !padded) {
  tile.copy_async %a, %b : !across, !padded
  return
}

// Without predicates all bytes are copied: no operand says how many.
// CHECK-LABEL: @whole
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 8, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
#pairs = #tile.strip_mined<tile = [8, 16], contiguous = 1, threads = 64, elements = 2>
!all = !tile.iterator<!tile.view<f32, global, (8, 16) : (16, 1), align = 8>, #pairs, steady>
!there = !tile.iterator<!tile.view<f32, shared, (8, 16) : (16, 1), align = 16>, #pairs, steady>
func.func @whole(%a: !all, %b: !there) {
  tile.copy_async %a, %b : !all, !there
  return
}

// A destination behind a swizzle: the address of each access follows from its
// coordinate.
// CHECK-LABEL: @swizzled
// CHECK: arith.xori
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg
#wide = #tile.strip_mined<tile = [32, 64], contiguous = 1, threads = 128, elements = 8>
!halves = !tile.iterator<!tile.view<f16, global, (?, ?{div = 8}) : (?{div = 8}, 1), align = 16>, #wide, advance = 1, predicated, steady>
!swizzled = !tile.view<f16, shared, S<3, 3, 3> o 0 o (32, 64) : (64, 1), align = 1024>
!behind = !tile.iterator<!swizzled, #wide, steady>
func.func @swizzled(%a: !halves, %s: !swizzled, %t: index) {
  %b = tile.make_iterator %s(0, 0), %t : !behind
  tile.copy_async %a, %b : !halves, !behind
  return
}

// A part of the accesses: two of four, from the second on.
// CHECK-LABEL: @part
// CHECK-DAG: %[[FIRST:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[LAST:.*]] = arith.constant 3 : index
// CHECK: scf.for %{{.*}} = %[[FIRST]] to %[[LAST]] step
// CHECK:   nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg
// UNROLLED-LABEL: @part
// UNROLLED-COUNT-2: nvvm.cp.async.shared.global {{.*}}, 16, cache = cg
// UNROLLED-NOT: 16, cache =
// UNROLLED: return
#four = #tile.strip_mined<tile = [16, 128], contiguous = 1, threads = 128, elements = 4>
!rows = !tile.iterator<!global, #four, advance = 0, predicated, steady>
!below = !tile.iterator<!tile.view<f32, shared, (16, 128) : (128, 1), align = 16>, #four, steady>
func.func @part(%a: !rows, %b: !below) {
  tile.copy_async %a, %b accesses [1, 2] : !rows, !below
  return
}
