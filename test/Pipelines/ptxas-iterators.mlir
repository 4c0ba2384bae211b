// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterators over floats of 8 and 16 bits, and loads of matrices: ptxas takes
// them, without a spill.
// REQUIRES: ptxas
// RUN: tile-translate --mlir-to-ptx --chip=sm_80 %s -o %t.sm_80.ptx
// RUN: ptxas -arch=sm_80 -v %t.sm_80.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=CHECK --implicit-check-not="{{[1-9][0-9]*}} bytes spill" --implicit-check-not=warning --implicit-check-not="Potential Performance Loss"
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.sm_80.ptx
// RUN: tile-translate --mlir-to-ptx --chip=sm_90a %s -o %t.sm_90a.ptx
// RUN: ptxas -arch=sm_90a -v %t.sm_90a.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=CHECK --implicit-check-not="{{[1-9][0-9]*}} bytes spill" --implicit-check-not=warning --implicit-check-not="Potential Performance Loss"
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.sm_90a.ptx

// CHECK-DAG: Compiling entry function 'fragments'
// CHECK-DAG: Compiling entry function 'of_f8E4M3FN'
// CHECK-DAG: Compiling entry function 'of_bf16'

// A row of 16 bytes from each of 32 lanes; where rows are contiguous, transposed.
// PTX-LABEL: .entry of_f8E4M3FN
// PTX: cp.async.cg.shared.global
// PTX: ld.shared.v4.b32
// PTX-LABEL: .entry of_bf16
// PTX: cp.async.cg.shared.global
// PTX: ld.shared.v4.b32
// PTX-LABEL: .entry fragments
// PTX: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// PTX: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// PTX: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16

!g_f8E4M3FN = !tile.view<f8E4M3FN, global, (?, ?{div = 16}) : (?{div = 16}, 1), align = 16>
!o_f8E4M3FN = !tile.view<f8E4M3FN, global, (?, ?) : (?, 1)>
!list_f8E4M3FN = !tile.view<i32, global, (?) : (1)>
!s_f8E4M3FN = !tile.view<f8E4M3FN, shared, (32, 64) : (64, 1), align = 16>
!w_f8E4M3FN = !tile.view<f8E4M3FN, shared, S<2, 4, 3> o 0 o (32, 64) : (64, 1), align = 1024>
#map_f8E4M3FN = #tile.strip_mined<tile = [32, 64], contiguous = 1, threads = 128, elements = 16>
#one_f8E4M3FN = #tile.strip_mined<tile = [32, 64], contiguous = 1, threads = 128, elements = 1>
!first_f8E4M3FN = !tile.iterator<!g_f8E4M3FN, #map_f8E4M3FN, advance = 1, predicated, residue>
!walk_f8E4M3FN = !tile.iterator<!g_f8E4M3FN, #map_f8E4M3FN, advance = 1, predicated, steady>
!stage_f8E4M3FN = !tile.iterator<!s_f8E4M3FN, #map_f8E4M3FN>
!swizzled_f8E4M3FN = !tile.iterator<!w_f8E4M3FN, #map_f8E4M3FN>
!gather_f8E4M3FN = !tile.iterator<!g_f8E4M3FN, #map_f8E4M3FN, advance = 1, predicated, residue, gather = #tile.gather<dim = 0, indices = !list_f8E4M3FN>>
!lower_f8E4M3FN = !tile.iterator<!o_f8E4M3FN, #one_f8E4M3FN, advance = 1, predicated, steady, triangle = #tile.triangle<lower, diagonal = unit>>
!single_f8E4M3FN = !tile.iterator<!o_f8E4M3FN, #one_f8E4M3FN, advance = 1, predicated, residue>
!mapped_f8E4M3FN = !tile.iterator<!g_f8E4M3FN, #map_f8E4M3FN, advance = 1, masked>
!f_f8E4M3FN = vector<16xf8E4M3FN>
gpu.module @m_f8E4M3FN {
gpu.func @of_f8E4M3FN(%in: !llvm.ptr<1>, %o0: !llvm.ptr<1>, %o1: !llvm.ptr<1>, %o2: !llvm.ptr<1>, %o3: !llvm.ptr<1>,
            %ip: !llvm.ptr<1>, %m: index, %n: index, %ld: index) kernel
    attributes {known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %a = tile.make_view %in, (%m, %n {div = 16}) : (%ld {div = 16}, 1) : !llvm.ptr<1> -> !g_f8E4M3FN
  %s = tile.alloc_shared : !s_f8E4M3FN
  %w = tile.alloc_shared : !w_f8E4M3FN

  // Asynchronously to shared memory, by way of a swizzle, and out.
  %read = tile.make_iterator %a(0, 0), %t vectors : !first_f8E4M3FN
  %stage = tile.make_iterator %s(0, 0), %t vectors : !stage_f8E4M3FN
  %swizzled = tile.make_iterator %w(0, 0), %t vectors : !swizzled_f8E4M3FN
  tile.copy_async %read, %stage : !first_f8E4M3FN, !stage_f8E4M3FN
  tile.async_commit_group
  tile.async_wait_group 0
  gpu.barrier
  tile.copy %stage, %swizzled : !stage_f8E4M3FN, !swizzled_f8E4M3FN
  gpu.barrier
  %d0 = tile.make_view %o0, (%m, %n {div = 16}) : (%ld {div = 16}, 1) : !llvm.ptr<1> -> !g_f8E4M3FN
  %to0 = tile.make_iterator %d0(0, 0), %t vectors : !first_f8E4M3FN
  tile.copy %swizzled, %to0 : !swizzled_f8E4M3FN, !first_f8E4M3FN
  %next = tile.iterator_advance %read : !first_f8E4M3FN
  %next0 = tile.iterator_advance %to0 : !first_f8E4M3FN
  %second = tile.iterator_load %next : !walk_f8E4M3FN -> !f_f8E4M3FN
  tile.iterator_store %second, %next0 : !f_f8E4M3FN, !walk_f8E4M3FN

  // Rows of a list.
  %list = tile.make_view %ip, (%m) : (1) : !llvm.ptr<1> -> !list_f8E4M3FN
  %d1 = tile.make_view %o1, (%m, %n {div = 16}) : (%ld {div = 16}, 1) : !llvm.ptr<1> -> !g_f8E4M3FN
  %rows = tile.make_iterator %a(0, 0), %t indices %list vectors : !gather_f8E4M3FN
  %to1 = tile.make_iterator %d1(0, 0), %t vectors : !first_f8E4M3FN
  tile.copy %rows, %to1 : !gather_f8E4M3FN, !first_f8E4M3FN

  // As a mapped matrix.
  %d2 = tile.make_view %o2, (%m, %n {div = 16}) : (%ld {div = 16}, 1) : !llvm.ptr<1> -> !g_f8E4M3FN
  %from2 = tile.make_iterator %a(0, 0), %t : !mapped_f8E4M3FN
  %to2 = tile.make_iterator %d2(0, 0), %t : !mapped_f8E4M3FN
  %third = tile.iterator_load %from2 : !mapped_f8E4M3FN -> !f_f8E4M3FN
  tile.iterator_store %third, %to2 : !f_f8E4M3FN, !mapped_f8E4M3FN

  // A triangle with a diagonal of ones, element by element.
  %b = tile.make_view %in, (%m, %n) : (%ld, 1) : !llvm.ptr<1> -> !o_f8E4M3FN
  %d3 = tile.make_view %o3, (%m, %n) : (%ld, 1) : !llvm.ptr<1> -> !o_f8E4M3FN
  %from3 = tile.make_iterator %b(0, 0), %t : !lower_f8E4M3FN
  %to3 = tile.make_iterator %d3(0, 0), %t : !single_f8E4M3FN
  %fourth = tile.iterator_load %from3 : !lower_f8E4M3FN -> !f_f8E4M3FN
  tile.iterator_store %fourth, %to3 : !f_f8E4M3FN, !single_f8E4M3FN
  gpu.return
}
}

!g_bf16 = !tile.view<bf16, global, (?, ?{div = 8}) : (?{div = 8}, 1), align = 16>
!o_bf16 = !tile.view<bf16, global, (?, ?) : (?, 1)>
!list_bf16 = !tile.view<i32, global, (?) : (1)>
!s_bf16 = !tile.view<bf16, shared, (32, 32) : (32, 1), align = 16>
!w_bf16 = !tile.view<bf16, shared, S<2, 3, 3> o 0 o (32, 32) : (32, 1), align = 1024>
#map_bf16 = #tile.strip_mined<tile = [32, 32], contiguous = 1, threads = 128, elements = 8>
#one_bf16 = #tile.strip_mined<tile = [32, 32], contiguous = 1, threads = 128, elements = 1>
!first_bf16 = !tile.iterator<!g_bf16, #map_bf16, advance = 1, predicated, residue>
!walk_bf16 = !tile.iterator<!g_bf16, #map_bf16, advance = 1, predicated, steady>
!stage_bf16 = !tile.iterator<!s_bf16, #map_bf16>
!swizzled_bf16 = !tile.iterator<!w_bf16, #map_bf16>
!gather_bf16 = !tile.iterator<!g_bf16, #map_bf16, advance = 1, predicated, residue, gather = #tile.gather<dim = 0, indices = !list_bf16>>
!lower_bf16 = !tile.iterator<!o_bf16, #one_bf16, advance = 1, predicated, steady, triangle = #tile.triangle<lower, diagonal = unit>>
!single_bf16 = !tile.iterator<!o_bf16, #one_bf16, advance = 1, predicated, residue>
!mapped_bf16 = !tile.iterator<!g_bf16, #map_bf16, advance = 1, masked>
!f_bf16 = vector<8xbf16>
gpu.module @m_bf16 {
gpu.func @of_bf16(%in: !llvm.ptr<1>, %o0: !llvm.ptr<1>, %o1: !llvm.ptr<1>, %o2: !llvm.ptr<1>, %o3: !llvm.ptr<1>,
            %ip: !llvm.ptr<1>, %m: index, %n: index, %ld: index) kernel
    attributes {known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %a = tile.make_view %in, (%m, %n {div = 8}) : (%ld {div = 8}, 1) : !llvm.ptr<1> -> !g_bf16
  %s = tile.alloc_shared : !s_bf16
  %w = tile.alloc_shared : !w_bf16

  // Asynchronously to shared memory, by way of a swizzle, and out.
  %read = tile.make_iterator %a(0, 0), %t vectors : !first_bf16
  %stage = tile.make_iterator %s(0, 0), %t vectors : !stage_bf16
  %swizzled = tile.make_iterator %w(0, 0), %t vectors : !swizzled_bf16
  tile.copy_async %read, %stage : !first_bf16, !stage_bf16
  tile.async_commit_group
  tile.async_wait_group 0
  gpu.barrier
  tile.copy %stage, %swizzled : !stage_bf16, !swizzled_bf16
  gpu.barrier
  %d0 = tile.make_view %o0, (%m, %n {div = 8}) : (%ld {div = 8}, 1) : !llvm.ptr<1> -> !g_bf16
  %to0 = tile.make_iterator %d0(0, 0), %t vectors : !first_bf16
  tile.copy %swizzled, %to0 : !swizzled_bf16, !first_bf16
  %next = tile.iterator_advance %read : !first_bf16
  %next0 = tile.iterator_advance %to0 : !first_bf16
  %second = tile.iterator_load %next : !walk_bf16 -> !f_bf16
  tile.iterator_store %second, %next0 : !f_bf16, !walk_bf16

  // Rows of a list.
  %list = tile.make_view %ip, (%m) : (1) : !llvm.ptr<1> -> !list_bf16
  %d1 = tile.make_view %o1, (%m, %n {div = 8}) : (%ld {div = 8}, 1) : !llvm.ptr<1> -> !g_bf16
  %rows = tile.make_iterator %a(0, 0), %t indices %list vectors : !gather_bf16
  %to1 = tile.make_iterator %d1(0, 0), %t vectors : !first_bf16
  tile.copy %rows, %to1 : !gather_bf16, !first_bf16

  // As a mapped matrix.
  %d2 = tile.make_view %o2, (%m, %n {div = 8}) : (%ld {div = 8}, 1) : !llvm.ptr<1> -> !g_bf16
  %from2 = tile.make_iterator %a(0, 0), %t : !mapped_bf16
  %to2 = tile.make_iterator %d2(0, 0), %t : !mapped_bf16
  %third = tile.iterator_load %from2 : !mapped_bf16 -> !f_bf16
  tile.iterator_store %third, %to2 : !f_bf16, !mapped_bf16

  // A triangle with a diagonal of ones, element by element.
  %b = tile.make_view %in, (%m, %n) : (%ld, 1) : !llvm.ptr<1> -> !o_bf16
  %d3 = tile.make_view %o3, (%m, %n) : (%ld, 1) : !llvm.ptr<1> -> !o_bf16
  %from3 = tile.make_iterator %b(0, 0), %t : !lower_bf16
  %to3 = tile.make_iterator %d3(0, 0), %t : !single_bf16
  %fourth = tile.iterator_load %from3 : !lower_bf16 -> !f_bf16
  tile.iterator_store %fourth, %to3 : !f_bf16, !single_bf16
  gpu.return
}
}

!matrix = !tile.view<f16, global, (64, 64) : (64, 1), align = 16>
#map = #tile.warp_raked<tile = [64, 64], contiguous = 1, threads = 128, warp = [8, 4], elements = 8>
!from = !tile.iterator<!matrix, #map>
!stage = !tile.view<f16, shared, #tile.shared_operand<tensor_op, shape = [64, 64], contiguous = 1, bits = 16, section = 64>, align = 1024>
!n = !tile.view<f16, shared, #tile.shared_operand<tensor_op, shape = [64, 64], contiguous = 0, bits = 16, section = 64>, align = 1024>
!to = !tile.iterator<!stage, #map>
gpu.module @matrices {
gpu.func @fragments(%p: !llvm.ptr<1>, %out: !llvm.ptr<1>, %m: index, %k: index) kernel
    attributes {known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %v = tile.make_view %p, (64, 64) : (64, 1) : !llvm.ptr<1> -> !matrix
  %s = tile.alloc_shared : !stage
  %r = tile.alloc_shared : !n
  %from = tile.make_iterator %v(0, 0), %t vectors : !from
  %to = tile.make_iterator %s(0, 0), %t vectors : !to
  tile.copy_async %from, %to : !from, !to
  tile.async_commit_group
  tile.async_wait_group 0
  gpu.barrier
  %0 = tile.load_matrix %s(%m {div = 16}, %k {div = 16}), %t tile [32, 16] : !stage -> vector<16xf16>
  %1 = tile.load_matrix %r(%m {div = 16}, %k {div = 16}), %t tile [16, 16] along 1 : !n -> vector<8xf16>
  %2 = vector.extract_strided_slice %0 {offsets = [8], sizes = [8], strides = [1]} : vector<16xf16> to vector<8xf16>
  %3 = arith.addf %2, %1 : vector<8xf16>
  %i = arith.index_cast %t : index to i64
  %at = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, vector<8xf16>
  llvm.store %3, %at {alignment = 16 : i64} : vector<8xf16>, !llvm.ptr<1>
  gpu.return
}
}
