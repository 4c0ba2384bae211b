// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads of matrices are ldmatrix; each lane addresses a row through the view's
// layout. Operations on recipes are lowered as the general form is.
// RUN: tile-opt %s --tile-lower-iterators --canonicalize --cse | FileCheck %s

// The swizzle takes bits 6 to 8 of the offset, and bit 3 of the lane is 8 rows
// further down, bit 4 a vector further right.
// CHECK-LABEL: @rows
// CHECK-SAME: (%[[BASE:.*]]: !llvm.ptr<3>, %[[M:.*]]: index, %[[K:.*]]: index, %[[LANE:.*]]: index)
// CHECK-DAG: %[[C448:.*]] = arith.constant 448
// CHECK-DAG: %[[C64:.*]] = arith.constant 64
// CHECK-DAG: %[[C7:.*]] = arith.constant 7
// CHECK-DAG: %[[C3:.*]] = arith.constant 3
// CHECK-DAG: %[[C1:.*]] = arith.constant 1
// CHECK: %[[ROW:.*]] = arith.andi %[[LANE]], %[[C7]]
// CHECK: %[[GROUP:.*]] = arith.shrui %[[LANE]], %[[C3]]
// CHECK: %[[MATRIX:.*]] = arith.andi %[[GROUP]], %[[C3]]
// CHECK: %[[LOW:.*]] = arith.andi %[[MATRIX]], %[[C1]]
// CHECK: %[[DOWN:.*]] = arith.shli %[[LOW]], %[[C3]]
// CHECK: arith.muli %{{.*}}, %[[C64]]
// CHECK: %[[HIGH:.*]] = arith.shrui %[[MATRIX]], %[[C1]]
// CHECK: %[[RIGHT:.*]] = arith.shli %[[HIGH]], %[[C3]]
// CHECK: %[[OFFSET:.*]] = arith.addi %{{.*}}, %[[RIGHT]]
// CHECK: %[[BITS:.*]] = arith.andi %[[OFFSET]], %[[C448]]
// CHECK: arith.xori
// CHECK: %[[AT:.*]] = llvm.getelementptr inbounds %[[BASE]]
// CHECK: nvvm.ldmatrix %[[AT]] {{.*}}layout = #nvvm.mma_layout<row>, num = 4 : i32{{.*}} -> !llvm.struct<(i32, i32, i32, i32)>
// CHECK: vector.bitcast %{{.*}} : vector<4xi32> to vector<8xf16>
func.func @rows(%a: !tile.view<f16, shared, S<3, 3, 3> o 0 o (64, 64) : (64, 1), align = 1024>,
                %m: index, %k: index, %lane: index) -> vector<8xf16> {
  %0 = tile.load_matrix %a(%m, %k {div = 16}), %lane tile [16, 16]
    : !tile.view<f16, shared, S<3, 3, 3> o 0 o (64, 64) : (64, 1), align = 1024> -> vector<8xf16>
  return %0 : vector<8xf16>
}

// Columns of the view are rows of memory: transposed, two matrices.
// CHECK-LABEL: @columns
// CHECK: nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<col>, num = 2 : i32{{.*}} -> !llvm.struct<(i32, i32)>
// CHECK: vector.bitcast %{{.*}} : vector<2xi32> to vector<4xbf16>
func.func @columns(%a: !tile.view<bf16, shared, (64, 64) : (1, 72), align = 16>, %lane: index) -> vector<4xbf16> {
  %0 = tile.load_matrix %a(0, 8), %lane tile [16, 8] along 1
    : !tile.view<bf16, shared, (64, 64) : (1, 72), align = 16> -> vector<4xbf16>
  return %0 : vector<4xbf16>
}

// One matrix of bytes, with a pitch known at run time.
// CHECK-LABEL: @bytes
// CHECK: nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<row>, num = 1 : i32{{.*}} -> i32
// CHECK: vector.bitcast %{{.*}} : vector<1xi32> to vector<4xf8E4M3FN>
func.func @bytes(%a: !tile.view<f8E4M3FN, shared, (?, 64) : (?{div = 16}, 1), align = 16>,
                 %m: index, %lane: index) -> vector<4xf8E4M3FN> {
  %0 = tile.load_matrix %a(%m, 32), %lane tile [8, 16]
    : !tile.view<f8E4M3FN, shared, (?, 64) : (?{div = 16}, 1), align = 16> -> vector<4xf8E4M3FN>
  return %0 : vector<4xf8E4M3FN>
}

// Eight matrices are two instructions.
// CHECK-LABEL: @eight
// CHECK-COUNT-2: nvvm.ldmatrix {{.*}}num = 4 : i32
// CHECK-NOT: nvvm.ldmatrix
// CHECK: return
func.func @eight(%a: !tile.view<i32, shared, (64, 32) : (36, 1), align = 16>, %lane: index) -> vector<8xi32> {
  %0 = tile.load_matrix %a(16, 8), %lane tile [32, 8]
    : !tile.view<i32, shared, (64, 32) : (36, 1), align = 16> -> vector<8xi32>
  return %0 : vector<8xi32>
}

#perm = #tile.permuted<tensor4d_0213_row_major, extents = (?{div = 4}, 96), factors = [4, 2]>
#conv = #tile.conv<fprop activation, input = (?, ?, ?, ?{div = 8}), filter = (8, 3, 3), pad = (1, 1), block = 32>
!x = !tile.view<f16, global, (?, ?, ?, ?{div = 8}) : (?{div = 8}, ?{div = 8}, ?{div = 8}, 1), align = 16>
!A = !tile.iterator<!x,
  #tile.warp_raked<tile = [64, 32], contiguous = 1, threads = 64, warp = [4, 8], elements = 8>,
  coords #conv, advance = 1, masked>

// CHECK-LABEL: @recipes
// CHECK-NOT: = tile.
// CHECK: llvm.intr.masked.load
func.func @recipes(%p: !llvm.ptr<1>, %x: !x, %n: index, %h: index, %w: index, %c: index, %m: index,
                   %row: index, %thread: index) -> (f16, vector<32xf16>) {
  %v = tile.make_permuted_view %p, #perm(%m) : !llvm.ptr<1> -> !tile.view<f16, global, #perm>
  %0 = tile.view_load %v((1, 2), (3, 1)) : !tile.view<f16, global, #perm> -> f16
  %it = tile.make_tensor_iterator %x(%row, 0), %thread, #conv(%n, %h, %w, %c) : !A
  %1 = tile.iterator_load %it : !A -> vector<32xf16>
  return %0, %1 : f16, vector<32xf16>
}
