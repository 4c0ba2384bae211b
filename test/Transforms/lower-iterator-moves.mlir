// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves of iterators become pointer arithmetic; a move along the dimension that
// does not advance computes predicates anew.
// RUN: tile-opt %s --tile-lower-iterators --canonicalize --cse | FileCheck %s

!view = !tile.view<f32, global, (?, ?) : (?, 1)>
!plain = !tile.iterator<!view, #tile.strip_mined<tile = [8, 8], contiguous = 1, threads = 32, elements = 1>, advance = 1, predicated, steady>
!random = !tile.iterator<!view, #tile.strip_mined<tile = [8, 8], contiguous = 1, threads = 32, elements = 1>, advance = 1, predicated, residue, random>
!shared = !tile.iterator<!tile.view<f32, shared, (64, 32) : (1, 64)>, #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 32, elements = 4>, advance = 1, steady>

// CHECK-LABEL: @retreat
// CHECK-SAME: (%[[P:[^:]*]]: !llvm.ptr<1>, %[[LD:[^:]*]]: index, %[[W:[^:]*]]: i32)
// CHECK: %[[Q:.*]] = llvm.getelementptr %[[P]][-8]
// CHECK: return %[[Q]], %[[LD]], %[[W]]
func.func @retreat(%it: !plain) -> !plain {
  %0 = tile.iterator_retreat %it : !plain
  return %0 : !plain
}

// CHECK-LABEL: @equal
// CHECK: llvm.icmp "eq" %{{.*}}, %{{.*}} : !llvm.ptr<1>
func.func @equal(%a: !plain, %b: !plain) -> i1 {
  %0 = tile.iterator_equal %a, %b : !plain
  return %0 : i1
}

// CHECK-LABEL: @enable
// CHECK-SAME: (%[[P:[^:]*]]: !llvm.ptr<1>, %[[LD:[^:]*]]: index,
// CHECK: %[[ON:.*]] = arith.constant -1 : i32
// CHECK: return %[[P]], %[[LD]], %[[ON]]
func.func @enable(%it: !plain) -> !plain {
  %0 = tile.iterator_enable_mask %it : !plain
  return %0 : !plain
}

// Along the columns from the residue: the residue and one more tile; the masks
// of the steady phase are there already.
// CHECK-LABEL: @along
// CHECK-SAME: (%[[P:[^:]*]]: !llvm.ptr<1>, %[[LD:[^:]*]]: index, %{{[^:]*}}: i32, %[[STEADY:[^:]*]]: i32, %[[RESIDUE:[^:]*]]: index,
// CHECK: %[[BY:.*]] = arith.addi %[[RESIDUE]], %{{.*}} : index
// CHECK: llvm.getelementptr %[[P]]
// CHECK-NOT: arith.cmpi
// CHECK: return %{{.*}}, %[[LD]], %[[STEADY]],
!after = !tile.iterator<!view, #tile.strip_mined<tile = [8, 8], contiguous = 1, threads = 32, elements = 1>, advance = 1, predicated, steady, random>
func.func @along(%it: !random) -> !after {
  %0 = tile.iterator_add_tile_offset %it(0, 2) : !random
  return %0 : !after
}

// Across: 8 rows, in elements; both masks anew, that of the residue tile with
// its end.
// CHECK-LABEL: @across
// CHECK-SAME: (%[[P:[^:]*]]: !llvm.ptr<1>, %[[LD:[^:]*]]: index, %{{[^:]*}}: i32, %{{[^:]*}}: i32, %[[RESIDUE:[^:]*]]: index, %[[ROW:[^:]*]]: index, %[[COLUMN:[^:]*]]: index, %[[ROWS:[^:]*]]: index, %{{[^:]*}}: index, %[[END:[^:]*]]: index)
// CHECK-DAG: %[[BY:.*]] = arith.muli %[[LD]], %{{.*}} : index
// CHECK-DAG: %[[DOWN:.*]] = arith.addi %[[ROW]], %{{.*}} : index
// CHECK: llvm.getelementptr %[[P]]
// CHECK: scf.for
// CHECK-DAG: arith.cmpi ult, %{{.*}}, %[[ROWS]]
// CHECK-DAG: arith.cmpi ult, %[[COLUMN]], %[[END]]
// CHECK: scf.for
// CHECK:   arith.cmpi ult, %{{.*}}, %[[ROWS]]
// CHECK-NOT: arith.cmpi
func.func @across(%it: !random) -> !random {
  %0 = tile.iterator_add_tile_offset %it(1, 0) : !random
  return %0 : !random
}

// Without predicates nothing but the pointer moves.
// CHECK-LABEL: @elsewhere
// CHECK-SAME: (%[[P:[^:]*]]: !llvm.ptr<3>, %[[N:[^:]*]]: index)
// CHECK: %[[Q:.*]] = llvm.getelementptr inbounds %[[P]][576]
// CHECK: %[[N64:.*]] = arith.index_cast %[[N]]
// CHECK: llvm.getelementptr inbounds %[[Q]][%[[N64]]]
// CHECK: scf.for
// CHECK: llvm.load
func.func @elsewhere(%it: !shared, %n: index) -> vector<16xf32> {
  %0 = tile.iterator_load_with_tile_offset %it(1, 1), %n : !shared -> vector<16xf32>
  return %0 : vector<16xf32>
}

// Several tiles at once, and through nested modes: no residue is on the way.
// CHECK-LABEL: @several
// CHECK-SAME: (%[[P:[^:]*]]: !llvm.ptr<1>, %[[LD:[^:]*]]: index, %[[W:[^:]*]]: i32, %[[N:[^:]*]]: index)
// CHECK: %[[BY:.*]] = arith.muli %[[N]], %c8
// CHECK: %[[BY64:.*]] = arith.index_cast %[[BY]] : index to i64
// CHECK: %[[Q:.*]] = llvm.getelementptr %[[P]][%[[BY64]]]
// CHECK: return %[[Q]], %[[LD]], %[[W]]
func.func @several(%it: !plain, %n: index) -> !plain {
  %0 = tile.iterator_advance %it by %n : !plain
  return %0 : !plain
}

!nested = !tile.iterator<!tile.view<f32, global, (64, (8, 4)) : (32, (1, 2048))>, #tile.strip_mined<tile = [8, 8], contiguous = 1, threads = 32, elements = 1>, advance = 1, steady>
// CHECK-LABEL: @several_nested
// CHECK: arith.muli %{{.*}}, %c8
// CHECK: arith.remui
// CHECK: arith.divui
// CHECK: return
func.func @several_nested(%it: !nested, %n: index) -> !nested {
  %0 = tile.iterator_advance %it by %n : !nested
  return %0 : !nested
}
