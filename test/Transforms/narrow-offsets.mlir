// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Offsets are computed in 32 bits where that is proved to be enough: by the
// extents and strides of a static view, or by ranges. Otherwise in 64.
// RUN: tile-opt %s --allow-unregistered-dialect --tile-lower-iterators --tile-expand-layouts --canonicalize | FileCheck %s

// 128 * 132 elements: any coordinate inside is far below 2^31.
// CHECK-LABEL: @static
// CHECK-SAME: (%[[P:.*]]: !llvm.ptr<3>, %[[I:.*]]: index, %[[K:.*]]: index)
// CHECK-DAG: %[[I32:.*]] = arith.index_cast %[[I]] : index to i32
// CHECK-DAG: %[[K32:.*]] = arith.index_cast %[[K]] : index to i32
// CHECK: arith.muli %[[K32]], %{{.*}} : i32
// CHECK: %[[O:.*]] = arith.addi %{{.*}}, %{{.*}} : i32
// CHECK: llvm.getelementptr inbounds %[[P]][%[[O]]] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
func.func @static(%v: !tile.view<f32, shared, (128, 8) : (1, 132)>, %i: index, %k: index) -> f32 {
  %0 = tile.view_load %v(%i, %k) : !tile.view<f32, shared, (128, 8) : (1, 132)> -> f32
  return %0 : f32
}

// 2^31 elements reach offset 2^31 - 1; one more does not fit.
// CHECK-LABEL: @largest
// CHECK: llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
func.func @largest(%v: !tile.view<f32, global, (65536, 32768) : (1, 65536)>, %i: index, %k: index) -> f32 {
  %0 = tile.view_load %v(%i, %k) : !tile.view<f32, global, (65536, 32768) : (1, 65536)> -> f32
  return %0 : f32
}

// CHECK-LABEL: @too_large
// CHECK-NOT: i32
// CHECK: llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
func.func @too_large(%v: !tile.view<f32, global, (65537, 32768) : (1, 65537)>, %i: index, %k: index) -> f32 {
  %0 = tile.view_load %v(%i, %k) : !tile.view<f32, global, (65537, 32768) : (1, 65537)> -> f32
  return %0 : f32
}

// Nothing is known of the pitch.
// CHECK-LABEL: @run_time
// CHECK-NOT: i32
// CHECK: llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
func.func @run_time(%v: !tile.view<f32, global, (?, ?) : (?, 1)>, %i: index, %j: index) -> f32 {
  %0 = tile.view_load %v(%i, %j) : !tile.view<f32, global, (?, ?) : (?, 1)> -> f32
  return %0 : f32
}

// Stated bounds of the pitch and the coordinates.
// CHECK-LABEL: @stated
// CHECK: arith.muli %{{.*}}, %{{.*}} : i32
// CHECK: llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
func.func @stated(%p: !llvm.ptr<1>,
                  %m: index, %n: index,
                  %ld: index {llvm.range = #llvm.constant_range<i64, 0, 32768>},
                  %i: index {llvm.range = #llvm.constant_range<i64, 0, 65536>},
                  %j: index {llvm.range = #llvm.constant_range<i64, 0, 32768>}) -> f32 {
  %v = tile.make_view %p, (%m, %n) : (%ld, 1) : !llvm.ptr<1> -> !tile.view<f32, global, (?, ?) : (?, 1)>
  %0 = tile.view_load %v(%i, %j) : !tile.view<f32, global, (?, ?) : (?, 1)> -> f32
  return %0 : f32
}

// The product may be 2^31.
// CHECK-LABEL: @stated_too_large
// CHECK-NOT: i32
// CHECK: llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
func.func @stated_too_large(%p: !llvm.ptr<1>,
                  %m: index, %n: index,
                  %ld: index {llvm.range = #llvm.constant_range<i64, 0, 32770>},
                  %i: index {llvm.range = #llvm.constant_range<i64, 0, 65536>},
                  %j: index {llvm.range = #llvm.constant_range<i64, 0, 32768>}) -> f32 {
  %v = tile.make_view %p, (%m, %n) : (%ld, 1) : !llvm.ptr<1> -> !tile.view<f32, global, (?, ?) : (?, 1)>
  %0 = tile.view_load %v(%i, %j) : !tile.view<f32, global, (?, ?) : (?, 1)> -> f32
  return %0 : f32
}

// A range stays with its argument when views before it become several.
// CHECK-LABEL: @range_stays
// CHECK-SAME: (%{{.*}}: !llvm.ptr<1>, %{{.*}}: index, %{{.*}}: index, %{{.*}}: index, %{{.*}}: index, %{{.*}}: index {llvm.range = #llvm.constant_range<i64, 0, 32>}) -> (index {test.result}, !llvm.ptr<1>, index, index, index)
func.func @range_stays(%v: !tile.view<f32, global, (?, ?) : (?, 1)>, %i: index,
                       %t: index {llvm.range = #llvm.constant_range<i64, 0, 32>})
    -> (index {test.result}, !tile.view<f32, global, (?, ?) : (?, 1)>) {
  return %i, %v : index, !tile.view<f32, global, (?, ?) : (?, 1)>
}

// A tile of a matrix starts anywhere; a stage, and a thread's part, inside the
// view.
// CHECK-LABEL: @parts
// CHECK: llvm.getelementptr {{.*}} : (!llvm.ptr<1>, i64)
// CHECK: llvm.getelementptr {{.*}} : (!llvm.ptr<3>, i32)
// CHECK-NOT: i64
// CHECK: arith.addi %{{.*}} : i32
// CHECK: llvm.getelementptr {{.*}} : (!llvm.ptr<3>, i32)
func.func @parts(%g: !tile.view<f32, global, (?, ?) : (?, 1)>, %v: !tile.view<f32, shared, (16, 32, 3) : (32, 1, 512)>, %i: index, %s: index,
                 %t: index {llvm.range = #llvm.constant_range<i64, 0, 32>})
    -> (!tile.view<f32, global, (16, 32) : (?, 1)>, !tile.view<f32, shared, (4, 4) : (128, 8)>) {
  %0 = tile.local_tile %g[16, 32](%i, 0) : !tile.view<f32, global, (?, ?) : (?, 1)>
  %1 = tile.slice %v(_, _, %s) : !tile.view<f32, shared, (16, 32, 3) : (32, 1, 512)>
  %2 = tile.local_partition %1 by <(4, 8) : (8, 1)> at %t : !tile.view<f32, shared, (16, 32) : (32, 1)>
  return %0, %2 : !tile.view<f32, global, (16, 32) : (?, 1)>, !tile.view<f32, shared, (4, 4) : (128, 8)>
}

// What is divided has to fit by itself.
// CHECK-LABEL: @divided
// CHECK-NOT: i32
// CHECK: return
func.func @divided(%i: index, %l: !tile.layout<((3, 5), 7) : ((5, 1), 15)>) -> index {
  %0 = tile.crd2idx (%i, 0), %l : !tile.layout<((3, 5), 7) : ((5, 1), 15)>
  return %0 : index
}

// CHECK-LABEL: @divided_in_range
// CHECK: arith.divui %{{.*}}, %{{.*}} : i32
// CHECK: arith.index_castui %{{.*}} : i32 to index
func.func @divided_in_range(%i: index {llvm.range = #llvm.constant_range<i64, 0, 15>}, %l: !tile.layout<((3, 5), 7) : ((5, 1), 15)>) -> index {
  %0 = tile.crd2idx (%i, 0), %l : !tile.layout<((3, 5), 7) : ((5, 1), 15)>
  return %0 : index
}

// A negative offset keeps its sign.
// CHECK-LABEL: @negative
// CHECK: arith.index_cast %{{.*}} : i32 to index
func.func @negative(%i: index {llvm.range = #llvm.constant_range<i64, 0, 15>}) -> index {
  %l = tile.make_layout (16, 2) : (-3, 1)
  %0 = tile.crd2idx (%i, 0), %l : !tile.layout<(16, 2) : (-3, 1)>
  return %0 : index
}
