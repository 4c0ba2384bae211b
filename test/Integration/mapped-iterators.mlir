// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pixels under a filter, four channels at a time, behind predicates and
// without a branch. Rows are divided before the loop.
//
// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s

!tensor = !tile.view<f32, global, (?, ?, ?, ?{div = 4}) : (?{div = 4}, ?{div = 4}, ?{div = 4}, 1), align = 16>
!matrix = !tile.view<f32, global, (?, ?{div = 4}) : (?{div = 4}, 1), align = 16>
#map = #tile.strip_mined<tile = [32, 8], contiguous = 1, threads = 32, elements = 4>
!load = !tile.iterator<!tensor, #map,
  coords ((?, ?, ?), (8, 3, 3, ?)) : ((1@e2, 1@e1, 1@e0), (1@e3, 1@e2, 1@e1, 8@e3)), advance = 1, masked>
!store = !tile.iterator<!matrix, #map, advance = 1, masked>

// CHECK-LABEL: .entry im2col(
// CHECK-COUNT-4: div.u32
// CHECK-NOT: div.
// CHECK-NOT: ld.global.f32
// CHECK-NOT: st.global.f32
// CHECK: @%p{{[0-9]+}} ld.global.v4.f32
// CHECK-NOT: div.
// CHECK-DAG: @%p{{[0-9]+}} ld.global.v4.f32
// CHECK-DAG: @%p{{[0-9]+}} st.global.v4.f32
// CHECK-DAG: @%p{{[0-9]+}} st.global.v4.f32
// CHECK-NOT: div.
// CHECK-NOT: global.v4
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @im2col(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %n: index, %h: index, %w: index, %c: index,
                     %rows: index, %blocks: index) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c72 = arith.constant 72 : index
      %c9 = arith.constant 9 : index
      %c32 = arith.constant 32 : index
      %t = gpu.thread_id x
      %bx = gpu.block_id x
      %row = arith.muli %bx, %c32 : index
      %wc = arith.muli %w, %c : index
      %hwc = arith.muli %h, %wc : index
      %columns = arith.muli %blocks, %c72 : index
      %steps = arith.muli %blocks, %c9 : index
      %vx = tile.make_view %x, (%n, %h, %w, %c {div = 4}) : (%hwc {div = 4}, %wc {div = 4}, %c {div = 4}, 1) : !llvm.ptr<1> -> !tensor
      %vy = tile.make_view %y, (%rows, %columns {div = 4}) : (%columns {div = 4}, 1) : !llvm.ptr<1> -> !matrix
      %from = tile.make_iterator %vx(%row, 0), %t
        coords ((%w, %h, %n), (8, 3, 3, %blocks)) : ((1@e2, 1@e1, 1@e0), (1@e3, 1@e2, 1@e1, 8@e3))
        origin (0, -1, -1, 0) : !load
      %to = tile.make_iterator %vy(%row, 0), %t : !store
      %end:2 = scf.for %k = %c0 to %steps step %c1 iter_args(%a = %from, %b = %to) -> (!load, !store) {
        %f = tile.iterator_load %a : !load -> vector<8xf32>
        tile.iterator_store %f, %b : vector<8xf32>, !store
        %a1 = tile.iterator_advance %a : !load
        %b1 = tile.iterator_advance %b : !store
        scf.yield %a1, %b1 : !load, !store
      }
      gpu.return
    }
  }
}
