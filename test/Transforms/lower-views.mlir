// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views are pointers, extents and strides: a transpose moves nothing, a tile
// moves the pointer, an access is one load or store.
// RUN: tile-opt %s --tile-lower-iterators --canonicalize | FileCheck %s

// The same pointer; extents and strides change places.
// CHECK-LABEL: @transpose
// CHECK-SAME: (%[[P:.*]]: !llvm.ptr<1>, %[[M:.*]]: index, %[[N:.*]]: index, %[[LD:.*]]: index)
// CHECK-NEXT: return %[[P]], %[[N]], %[[M]], %[[LD]]
func.func @transpose(%v: !tile.view<f32, global, (?, ?) : (?, 1)>) -> !tile.view<f32, global, (?, ?) : (1, ?)> {
  %0 = tile.view_transpose %v : !tile.view<f32, global, (?, ?) : (?, 1)>
  return %0 : !tile.view<f32, global, (?, ?) : (1, ?)>
}

// 128 i rows of the pitch and 8 j elements.
// CHECK-LABEL: @tile
// CHECK-SAME: (%[[P:.*]]: !llvm.ptr<1>, %{{.*}}: index, %{{.*}}: index, %[[LD:.*]]: index, %[[I:.*]]: index, %[[J:.*]]: index)
// CHECK-DAG: %[[ROW:.*]] = arith.muli %[[LD]], %[[I]]
// CHECK-DAG: %[[DOWN:.*]] = arith.muli %[[ROW]], %c128
// CHECK-DAG: %[[COLUMN:.*]] = arith.muli %[[J]], %c8
// CHECK: %[[SUM:.*]] = arith.addi %[[COLUMN]], %[[DOWN]]
// CHECK: %[[SUM64:.*]] = arith.index_cast %[[SUM]] : index to i64
// CHECK: %[[Q:.*]] = llvm.getelementptr %[[P]][%[[SUM64]]]
// CHECK: return %[[Q]], %[[LD]]
func.func @tile(%v: !tile.view<f32, global, (?, ?) : (?, 1)>, %i: index, %j: index) -> !tile.view<f32, global, (128, 8) : (?, 1)> {
  %0 = tile.local_tile %v[128, 8](%i, %j) : !tile.view<f32, global, (?, ?) : (?, 1)>
  return %0 : !tile.view<f32, global, (128, 8) : (?, 1)>
}

// CHECK-LABEL: @access
// CHECK-SAME: (%[[P:.*]]: !llvm.ptr<3>
// CHECK: %[[Q:.*]] = llvm.getelementptr inbounds %[[P]][400]
// CHECK: %[[X:.*]] = llvm.load %[[Q]] {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// CHECK: %[[R:.*]] = llvm.getelementptr inbounds %[[P]][133]
// CHECK: %[[Y:.*]] = llvm.load %[[R]] {alignment = 4 : i64} : !llvm.ptr<3> -> f32
// CHECK: llvm.store %[[Y]], %[[P]] {alignment = 4 : i64}
// CHECK: return %[[X]]
func.func @access(%v: !tile.view<f32, shared, (128, 8) : (1, 132), align = 16>) -> vector<4xf32> {
  %0 = tile.view_load %v(4, 3) : !tile.view<f32, shared, (128, 8) : (1, 132), align = 16> -> vector<4xf32>
  %1 = tile.view_load %v(1, 1) : !tile.view<f32, shared, (128, 8) : (1, 132), align = 16> -> f32
  tile.view_store %1, %v(0, 0) : f32, !tile.view<f32, shared, (128, 8) : (1, 132), align = 16>
  return %0 : vector<4xf32>
}

// A copy loads and stores in the same order of accesses: two rows 16 apart.
!map_source = !tile.iterator<!tile.view<f32, global, (32, 8) : (8, 1), align = 16>, #tile.strip_mined<tile = [32, 8], contiguous = 1, threads = 32, elements = 4>, steady>
!map_target = !tile.iterator<!tile.view<f32, shared, (32, 8) : (1, 36), align = 16>, #tile.strip_mined<tile = [32, 8], contiguous = 1, threads = 32, elements = 4>, steady>
// CHECK-LABEL: @copy
// CHECK: scf.for
// CHECK: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK: scf.for
// CHECK-COUNT-4: llvm.store {{.*}} {alignment = 4 : i64} : vector<1xf32>, !llvm.ptr<3>
func.func @copy(%source: !map_source, %target: !map_target) {
  tile.copy %source, %target : !map_source, !map_target
  return
}

// Bytes of words that follow one another downwards begin at the last byte.
// CHECK-LABEL: @recast_downwards
// CHECK-SAME: (%[[P:.*]]: !llvm.ptr<1>)
// CHECK: %[[LAST:.*]] = llvm.getelementptr %[[P]][3] : {{.*}}, i8
// CHECK: llvm.getelementptr %[[LAST]][-5]
func.func @recast_downwards(%p: !llvm.ptr<1>) -> i8 {
  %v = tile.make_view %p, (8) : (-1) : !llvm.ptr<1> -> !tile.view<i32, global, (8) : (-1)>
  %b = tile.view_recast %v to i8 : !tile.view<i32, global, (8) : (-1)>
  %r = tile.view_load %b(5) : !tile.view<i8, global, (32) : (-1)> -> i8
  return %r : i8
}
