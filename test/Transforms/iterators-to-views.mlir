// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterators become views, layouts and coordinates; nothing of them is left.
// RUN: tile-opt %s --tile-iterators-to-views --canonicalize --cse | FileCheck %s --implicit-check-not=tile.iterator --implicit-check-not=make_iterator
// What comes out is lowered as anything else.
// RUN: tile-opt %s --tile-iterators-to-views --tile-lower-iterators --tile-expand-layouts -o /dev/null
// RUN: tile-opt %examples/iterator_gemm.mlir --tile-iterators-to-views -o %t.mlir
// RUN: tile-run %t.mlir --device=sim --check --random=65,70,20 --pitch=1 | FileCheck %s --check-prefix=RUNS
// RUNS: all agree
// RUNS: nothing else was written

!view = !tile.view<f32, global, (?, ?{div = 4}) : (?{div = 4}, 1), align = 16>
#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 64, elements = 4>
!residue = !tile.iterator<!view, #map, advance = 1, predicated, residue>
!steady = !tile.iterator<!view, #map, advance = 1, predicated, steady>

// CHECK-LABEL: @walk
// CHECK-SAME: (%[[P:.*]]: !llvm.ptr<1>, %[[M:.*]]: index, %[[K:.*]]: index, %[[LD:.*]]: index, %[[ROW:.*]]: index, %[[T:.*]]: index, %[[DONE:.*]]: i1)
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<4xf32>
// CHECK: %[[VIEW:.*]] = tile.make_view %[[P]], (%[[M]], %[[K]] {div = 4}) : (%[[LD]] {div = 4}, 1)
// The residue, as a coordinate: where its elements end.
// CHECK: %[[REST:.*]] = arith.remui
// CHECK: %[[RESIDUE:.*]] = arith.select %{{.*}}, %{{.*}}, %[[REST]]
// CHECK: %[[END:.*]] = arith.minui %[[RESIDUE]],
// The map is a layout; its value 4 is the second access.
// CHECK: %[[MAP:.*]] = tile.make_layout ((2, 32), (4, 1, 2)) : ((4@e1, 1@e0), (1@e1, 1@e1, 32@e0))
// CHECK: %[[C:.*]]:2 = tile.coordinate (%[[T]], 0), %[[MAP]]
// CHECK: %[[R:.*]] = arith.addi %[[ROW]], %[[C]]#0
// CHECK: %[[ROWIN:.*]] = arith.cmpi ult, %[[R]], %[[M]]
// CHECK: %[[KIN:.*]] = arith.cmpi ult, %[[C]]#1, %[[END]]
// CHECK: %[[IN:.*]] = arith.andi %[[ROWIN]], %[[KIN]]
// CHECK: scf.if %[[IN]] -> (vector<4xf32>) {
// CHECK-NEXT: tile.view_load %[[VIEW]](%[[R]], %[[C]]#1 {div = 4}) : {{.*}} -> vector<4xf32>
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[ZERO]]
// CHECK: tile.coordinate (%[[T]], 4), %[[MAP]]
// CHECK: tile.view_load
// After the residue, K is no longer tested, and nothing is done if that is so.
// CHECK: %[[NEXT:.*]] = arith.addi %[[RESIDUE]], %[[C]]#1
// CHECK: %[[GOES:.*]] = arith.xori %[[DONE]],
// CHECK: %[[STILLIN:.*]] = arith.andi %[[ROWIN]], %[[GOES]]
// CHECK: scf.if %[[STILLIN]]
// CHECK-NEXT: tile.view_load %[[VIEW]](%[[R]], %[[NEXT]] {div = 4})
// CHECK-NOT: arith.cmpi ult, %{{.*}}, %[[K]]
func.func @walk(%p: !llvm.ptr<1>, %m: index, %k: index, %ld: index, %row: index, %t: index, %done: i1) -> (vector<8xf32>, vector<8xf32>) {
  %v = tile.make_view %p, (%m, %k {div = 4}) : (%ld {div = 4}, 1) : !llvm.ptr<1> -> !view
  %it = tile.make_iterator %v(%row, 0), %t : !residue
  %first = tile.iterator_load %it : !residue -> vector<8xf32>
  %next = tile.iterator_advance %it : !residue
  %masked = tile.iterator_clear_mask %next, %done : !steady
  %second = tile.iterator_load %masked : !steady -> vector<8xf32>
  return %first, %second : vector<8xf32>, vector<8xf32>
}

// A loop carries the place; a copy is a load and a store.
// CHECK-LABEL: @loop
// CHECK: scf.for {{.*}} iter_args(%[[COLUMN:.*]] = %{{.*}}) -> (index) {
// CHECK:   arith.addi %[[COLUMN]], %{{.*}}#1
// CHECK:   tile.view_load
// CHECK:   tile.view_store
// CHECK:   %[[NEXT:.*]] = arith.addi %[[COLUMN]],
// CHECK:   scf.yield %[[NEXT]] : index
!shared = !tile.view<f32, shared, (64, 8) : (1, 68), align = 16>
!put = !tile.iterator<!shared, #map, steady>
func.func @loop(%p: !llvm.ptr<1>, %m: index, %k: index, %ld: index, %t: index, %n: index, %s: !shared) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = tile.make_view %p, (%m, %k {div = 4}) : (%ld {div = 4}, 1) : !llvm.ptr<1> -> !view
  %it = tile.make_iterator %v(0, 0), %t : !steady
  %put = tile.make_iterator %s(0, 0), %t : !put
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%walk = %it) -> (!steady) {
    tile.copy %walk, %put : !steady, !put
    %next = tile.iterator_advance %walk : !steady
    scf.yield %next : !steady
  }
  return
}

// A view whose leaves go through slices and transposes, a part of a fragment,
// and all that moves.
// CHECK-LABEL: @moves
// CHECK: tile.view_pointer
// CHECK: llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
!three = !tile.view<f32, global, (?, ?, 4) : (1, ?, ?)>
!turned = !tile.view<f32, global, (?, ?) : (?, 1)>
!random = !tile.iterator<!turned, #map, advance = 1, predicated, steady, random>
func.func @moves(%p: !llvm.ptr<1>, %m: index, %k: index, %ld: index, %plane: index, %t: index) -> vector<4xf32> {
  %v = tile.make_view %p, (%m, %k, 4) : (1, %ld, %plane) : !llvm.ptr<1> -> !three
  %s = tile.slice %v(_, _, 2) : !three
  %w = tile.view_transpose %s : !tile.view<f32, global, (?, ?) : (1, ?)>
  %it = tile.make_iterator %w(0, 0), %t : !random
  %a = tile.iterator_add_tile_offset %it(1, %m) : !random
  %b = tile.iterator_retreat %a : !random
  %c = tile.iterator_add_pointer_offset %b, %m : !random
  %f = tile.iterator_load %c accesses [1, 1] : !random -> vector<4xf32>
  return %f : vector<4xf32>
}

// Of a map that moves along one dimension only, and of one that does not.
// CHECK-LABEL: @flat_maps
// CHECK: %[[OWN:.*]] = tile.coordinate
// CHECK: tile.view_load %{{.*}}(%[[OWN]] {div = 2}, 0) : {{.*}} -> vector<2xf32>
// CHECK: tile.view_load %{{.*}}(0, 0) : {{.*}} -> f32
!column = !tile.iterator<!shared, #tile.tv_map<tile = [8, 1], layout = ((8, 4), (2)) : ((0, 2@e0), (1@e0))>, steady>
!one = !tile.iterator<!shared, #tile.tv_map<tile = [1, 1], layout = ((32), (1)) : ((0), (0))>, steady>
func.func @flat_maps(%s: !shared, %t: index) -> (vector<2xf32>, vector<1xf32>) {
  %column = tile.make_iterator %s(0, 0), %t : !column
  %f = tile.iterator_load %column : !column -> vector<2xf32>
  %one = tile.make_iterator %s(0, 0), %t : !one
  %g = tile.iterator_load %one : !one -> vector<1xf32>
  return %f, %g : vector<2xf32>, vector<1xf32>
}

// A swizzled view is accessed through its swizzle.
// CHECK-LABEL: @swizzled
// CHECK: tile.view_load %{{.*}}(%{{.*}}, %{{.*}}{div = 8}) : <f16, shared, S<3, 3, 3> o 0 o (64, 64) : (64, 1), align = 1024> -> vector<8xf16>
func.func @swizzled(%v: !tile.view<f16, shared, S<3, 3, 3> o 0 o (64, 64) : (64, 1), align = 1024>, %t: index) -> vector<32xf16> {
  %0 = tile.make_iterator %v(0, 0), %t : !tile.iterator<!tile.view<f16, shared, S<3, 3, 3> o 0 o (64, 64) : (64, 1), align = 1024>, #tile.strip_mined<tile = [64, 64], contiguous = 1, threads = 128, elements = 8>>
  %1 = tile.iterator_load %0 : !tile.iterator<!tile.view<f16, shared, S<3, 3, 3> o 0 o (64, 64) : (64, 1), align = 1024>, #tile.strip_mined<tile = [64, 64], contiguous = 1, threads = 128, elements = 8>> -> vector<32xf16>
  return %1 : vector<32xf16>
}

// Layouts one after the other give the offset.
// CHECK-LABEL: @permuted
// CHECK: %[[FIRST:.*]] = tile.make_swizzle S<2, 3, 3> o 0 o
// CHECK: %[[SECOND:.*]] = tile.make_layout (64, 32, 3) : (1, 192, 64)
// CHECK: %[[INDEX:.*]] = tile.crd2idx (%{{.*}}, %{{.*}}{div = 8}), %[[FIRST]]
// CHECK: %[[PLACE:.*]] = tile.crd2idx %[[INDEX]] {div = 8}, %[[SECOND]]
// CHECK: tile.view_load %{{.*}}(%[[PLACE]] {div = 8})
!flat = !tile.view<f16, shared, (6144) : (1), align = 16>
!permuted = !tile.iterator<!flat,
  #tile.warp_raked<tile = [64, 32], contiguous = 1, threads = 128, warp = [4, 8], elements = 8>,
  permute = #tile.shared_operand<tensor_op, shape = [64, 96], contiguous = 1, bits = 16, section = 32>>
func.func @permuted(%v: !flat, %t: index) -> vector<16xf16> {
  %0 = tile.make_iterator %v(0, 0), %t : !permuted
  %1 = tile.iterator_load %0 : !permuted -> vector<16xf16>
  return %1 : vector<16xf16>
}

// An index is read where the place in the list exists, and the row that it leads
// to is tested.
// CHECK-LABEL: @gathered
// CHECK: scf.if
// CHECK: %[[INDEX:.*]] = tile.view_load %{{.*}} -> i32
// CHECK: %[[ROW:.*]] = arith.index_cast %[[INDEX]] : i32 to index
// CHECK: %[[EXISTS:.*]] = arith.cmpi ult, %[[ROW]], %
// CHECK: scf.if %[[EXISTS]]
// CHECK: tile.view_load %{{.*}}(%[[ROW]], %
!matrix = !tile.view<f32, global, (64, 64) : (64, 1)>
!list = !tile.view<i32, global, (16) : (1)>
!rows = !tile.iterator<!matrix, #tile.strip_mined<tile = [8, 64], contiguous = 1, threads = 128, elements = 1>, advance = 0, predicated,
  gather = #tile.gather<dim = 0, indices = !list>>
func.func @gathered(%v: !matrix, %l: !list, %t: index) -> vector<4xf32> {
  %0 = tile.make_iterator %v(0, 0), %t indices %l : !rows
  %1 = tile.iterator_load %0 : !rows -> vector<4xf32>
  return %1 : vector<4xf32>
}

// A triangle is a comparison; a diagonal of ones is not read.
// CHECK-LABEL: @triangle
// CHECK: %[[DIAGONAL:.*]] = arith.cmpi eq, %[[ROW:.*]], %[[COLUMN:.*]] : index
// CHECK: %[[ISONE:.*]] = arith.andi %{{.*}}, %[[DIAGONAL]]
// CHECK: arith.cmpi ugt, %[[ROW]], %[[COLUMN]]
// CHECK: scf.if
// CHECK: arith.select %[[ISONE]], %{{.*}}, %{{.*}} : f32
!lower = !tile.iterator<!matrix, #tile.strip_mined<tile = [8, 64], contiguous = 1, threads = 512, elements = 1>, advance = 1, predicated, steady,
  triangle = #tile.triangle<lower, diagonal = unit>>
func.func @triangle(%v: !matrix, %t: index) -> vector<1xf32> {
  %0 = tile.make_iterator %v(0, 0), %t : !lower
  %1 = tile.iterator_load %0 : !lower -> vector<1xf32>
  return %1 : vector<1xf32>
}

// Where a mask is set, its words are carried, and count until the phase ends.
// CHECK-LABEL: @masks
// CHECK-SAME: %[[T:[a-z0-9]*]]: index, %[[WORDS:[a-z0-9]*]]: vector<1xi32>)
// CHECK: %[[WORD:.*]] = vector.extract %[[WORDS]][0] : i32 from vector<1xi32>
// CHECK: %[[BIT:.*]] = arith.trunci %{{.*}} : i32 to i1
// CHECK: scf.if %[[BIT]]
!masked = !tile.iterator<!matrix, #tile.strip_mined<tile = [8, 64], contiguous = 1, threads = 512, elements = 1>, predicated>
func.func @masks(%v: !matrix, %t: index, %words: vector<1xi32>) -> (vector<1xf32>, vector<1xi32>) {
  %0 = tile.make_iterator %v(0, 0), %t : !masked
  %1 = tile.iterator_get_mask %0 : !masked -> vector<1xi32>
  %2 = tile.iterator_set_mask %0, %words : !masked, vector<1xi32>
  %3 = tile.iterator_load %2 : !masked -> vector<1xf32>
  return %3, %1 : vector<1xf32>, vector<1xi32>
}

// A mapped matrix: its map of coordinates is a second layout. What lies in
// padding is not read.
// CHECK-LABEL: @mapped
// CHECK-SAME: %[[X:[a-z0-9]*]]: !tile.view<f16, global, (1, 8, 8, 64) : (4096, 512, 64, 1), align = 16>
// CHECK-DAG: %[[THREADS:.*]] = tile.make_layout {{.*}}@e1
// CHECK-DAG: %[[COORDS:.*]] = tile.make_layout ((8, 8, 1), (32, 3, 3, 2)) : ((1@e2, 1@e1, 1@e0), (1@e3, 1@e2, 1@e1, 32@e3))
// CHECK: %[[PLACE:.*]]:2 = tile.coordinate (%{{.*}}, 0), %[[THREADS]]
// CHECK: scf.if
// CHECK: %[[AT:.*]]:4 = tile.coordinate (%[[PLACE]]#0, %[[PLACE]]#1 {div = 8}), %[[COORDS]]
// CHECK: %[[H:.*]] = arith.addi %[[AT]]#1, %c-1
// CHECK: %[[W:.*]] = arith.addi %[[AT]]#2, %c-1
// CHECK: scf.if
// CHECK: tile.view_load %[[X]](%[[AT]]#0, %[[H]], %[[W]], %[[AT]]#3 {div = 8}) : {{.*}} -> vector<8xf16>
#activation = #tile.conv<fprop activation, input = (1, 8, 8, 64), filter = (32, 3, 3), pad = (1, 1), block = 32>
!x = !tile.view<f16, global, (1, 8, 8, 64) : (4096, 512, 64, 1), align = 16>
!A = !tile.iterator<!x,
  #tile.warp_raked<tile = [64, 32], contiguous = 1, threads = 64, warp = [4, 8], elements = 8>,
  coords #activation, advance = 1, masked>
func.func @mapped(%x: !x, %thread: index) -> (vector<32xf16>, vector<32xf16>) {
  %0 = tile.make_tensor_iterator %x(0, 0), %thread, #activation() : !A
  %1 = tile.iterator_load %0 : !A -> vector<32xf16>
  %2 = tile.iterator_advance %0 : !A
  %3 = tile.iterator_load %2 : !A -> vector<32xf16>
  return %1, %3 : vector<32xf16>, vector<32xf16>
}
