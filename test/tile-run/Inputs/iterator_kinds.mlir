// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that walk as no gemm does: rows in the order of a list, rows stored in
// another order, a triangle, a residue tile, a swizzle in shared memory. All
// operands are square matrices of one size. Row 0 of B, read as integers, is the
// list.
!matrix = memref<?x?xf32, strided<[?, 1], offset: ?>>
!view = !tile.view<f32, global, (?, ?) : (?, 1)>
!shuffled = !tile.view<f32, global, ((2, ?), ?) : ((?, ?), 1)>
!list = !tile.view<i32, global, (?) : (1)>
#map = #tile.strip_mined<tile = [16, 16], contiguous = 1, threads = 64, elements = 4>
!plain = !tile.iterator<!view, #map, predicated>
!gathered = !tile.iterator<!view, #map, predicated, gather = #tile.gather<dim = 0, indices = !list>>
!blocks = !tile.iterator<!view, #map, predicated, gather = #tile.gather<dim = 0, indices = !list, block = 4, base = 1>>
!permuted = !tile.iterator<!shuffled, #map, predicated>
!lower = !tile.iterator<!view, #map, advance = 1, predicated, steady, triangle = #tile.triangle<lower, diagonal = unit>>
!anywhere = !tile.iterator<!view, #map, predicated, random>
!residue = !tile.iterator<!view, #map, advance = 1, predicated, residue>
!steady = !tile.iterator<!view, #map, advance = 1, predicated, steady>
!shared = !tile.view<f32, shared, S<2, 2, 2> o 0 o (16, 16) : (16, 1), align = 256>
!across = !tile.view<f32, shared, S<2, 2, 2> o 0 o (16, 16) : (1, 16), align = 256>
!fill = !tile.iterator<!shared, #map>
!memory = !tile.view<f32, shared, (768) : (1), align = 16>
!stages = !tile.iterator<!memory, #map, advance = 1,
  permute = [S<2, 2, 3> o 0 o ((2, 8), (16, 3)) : ((16, 32), (1, 256)), (32, 8, 3) : (1, 96, 32)]>
!drain = !tile.iterator<!across, #map>
!fragments = !tile.iterator<!view,
  #tile.tv_map<tile = [16, 16], layout = ((4, 8, 2), (1, 2, 2)) : ((1@e1, 1@e0, 8@e1), (0, 8@e0, 4@e1))>, predicated>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // D[i] = A[list[i]], 16 by 16 elements a block.
    gpu.func @gather(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %d: !llvm.ptr<1>, %n: i64, %sa: i64, %sd: i64) kernel
        attributes {known_block_size = array<i32: 64, 1, 1>,
                    tile.launch_facts = #tile.launch_facts<
                      schedule = "gather", grid = {tile = [16, 16]},
                      parameters = [A.data, B.data, D.data, N, A.stride[0], D.stride[0]]>} {
      %t = gpu.thread_id x
      %block = gpu.block_id x
      %c15 = arith.constant 15 : index
      %c16 = arith.constant 16 : index
      %size = arith.index_cast %n : i64 to index
      %pa = arith.index_cast %sa : i64 to index
      %pd = arith.index_cast %sd : i64 to index
      %up = arith.addi %size, %c15 : index
      %tiles = arith.divui %up, %c16 : index
      %i = arith.divui %block, %tiles : index
      %j = arith.remui %block, %tiles : index
      %row = arith.muli %i, %c16 : index
      %column = arith.muli %j, %c16 : index
      %va = tile.make_view %a, (%size, %size) : (%pa, 1) : !llvm.ptr<1> -> !view
      %vi = tile.make_view %b, (%size) : (1) : !llvm.ptr<1> -> !list
      %vd = tile.make_view %d, (%size, %size) : (%pd, 1) : !llvm.ptr<1> -> !view
      %from = tile.make_iterator %va(%row, %column), %t indices %vi : !gathered
      %to = tile.make_iterator %vd(%row, %column), %t : !plain
      tile.copy %from, %to : !gathered, !plain
      gpu.return
    }

    // Four rows share one index, which counts from 1.
    gpu.func @gather_blocks(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %d: !llvm.ptr<1>, %n: i64, %sa: i64, %sd: i64) kernel
        attributes {known_block_size = array<i32: 64, 1, 1>,
                    tile.launch_facts = #tile.launch_facts<
                      schedule = "gather_blocks", grid = {tile = [16, 16]},
                      parameters = [A.data, B.data, D.data, N, A.stride[0], D.stride[0]]>} {
      %t = gpu.thread_id x
      %block = gpu.block_id x
      %c4 = arith.constant 4 : index
      %c15 = arith.constant 15 : index
      %c16 = arith.constant 16 : index
      %size = arith.index_cast %n : i64 to index
      %pa = arith.index_cast %sa : i64 to index
      %pd = arith.index_cast %sd : i64 to index
      %up = arith.addi %size, %c15 : index
      %tiles = arith.divui %up, %c16 : index
      %i = arith.divui %block, %tiles : index
      %j = arith.remui %block, %tiles : index
      %row = arith.muli %i, %c16 : index
      %column = arith.muli %j, %c16 : index
      %length = arith.divui %size, %c4 : index
      %va = tile.make_view %a, (%size, %size) : (%pa, 1) : !llvm.ptr<1> -> !view
      %vi = tile.make_view %b, (%length) : (1) : !llvm.ptr<1> -> !list
      %vd = tile.make_view %d, (%size, %size) : (%pd, 1) : !llvm.ptr<1> -> !view
      %from = tile.make_iterator %va(%row, %column), %t indices %vi : !blocks
      %to = tile.make_iterator %vd(%row, %column), %t : !plain
      tile.copy %from, %to : !blocks, !plain
      gpu.return
    }

    // Row 2 k + e of the gathered rows is stored as row n / 2 * e + k.
    gpu.func @permute(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %d: !llvm.ptr<1>, %n: i64, %sa: i64, %sd: i64) kernel
        attributes {known_block_size = array<i32: 64, 1, 1>,
                    tile.launch_facts = #tile.launch_facts<
                      schedule = "permute", grid = {tile = [16, 16]},
                      parameters = [A.data, B.data, D.data, N, A.stride[0], D.stride[0]]>} {
      %t = gpu.thread_id x
      %block = gpu.block_id x
      %c2 = arith.constant 2 : index
      %c15 = arith.constant 15 : index
      %c16 = arith.constant 16 : index
      %size = arith.index_cast %n : i64 to index
      %pa = arith.index_cast %sa : i64 to index
      %pd = arith.index_cast %sd : i64 to index
      %up = arith.addi %size, %c15 : index
      %tiles = arith.divui %up, %c16 : index
      %i = arith.divui %block, %tiles : index
      %j = arith.remui %block, %tiles : index
      %row = arith.muli %i, %c16 : index
      %column = arith.muli %j, %c16 : index
      %half = arith.divui %size, %c2 : index
      %odd = arith.muli %half, %pd : index
      %va = tile.make_view %a, (%size, %size) : (%pa, 1) : !llvm.ptr<1> -> !view
      %vi = tile.make_view %b, (%size) : (1) : !llvm.ptr<1> -> !list
      %vd = tile.make_view %d, ((2, %half), %size) : ((%odd, %pd), 1) : !llvm.ptr<1> -> !shuffled
      %from = tile.make_iterator %va(%row, %column), %t indices %vi : !gathered
      %to = tile.make_iterator %vd(%row, %column), %t : !permuted
      tile.copy %from, %to : !gathered, !permuted
      gpu.return
    }

    // D is the lower triangle of A with ones on the diagonal, 16 rows a block.
    gpu.func @triangle(%a: !llvm.ptr<1>, %d: !llvm.ptr<1>, %n: i64, %sa: i64, %sd: i64) kernel
        attributes {known_block_size = array<i32: 64, 1, 1>,
                    tile.launch_facts = #tile.launch_facts<
                      schedule = "triangle", grid = {tile = [16, 1048576]},
                      parameters = [A.data, D.data, N, A.stride[0], D.stride[0]]>} {
      %t = gpu.thread_id x
      %block = gpu.block_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c15 = arith.constant 15 : index
      %c16 = arith.constant 16 : index
      %size = arith.index_cast %n : i64 to index
      %pa = arith.index_cast %sa : i64 to index
      %pd = arith.index_cast %sd : i64 to index
      %up = arith.addi %size, %c15 : index
      %tiles = arith.divui %up, %c16 : index
      %row = arith.muli %block, %c16 : index
      %va = tile.make_view %a, (%size, %size) : (%pa, 1) : !llvm.ptr<1> -> !view
      %vd = tile.make_view %d, (%size, %size) : (%pd, 1) : !llvm.ptr<1> -> !view
      %from0 = tile.make_iterator %va(%row, 0), %t : !lower
      %to0 = tile.make_iterator %vd(%row, 0), %t : !anywhere
      %end:2 = scf.for %k = %c0 to %tiles step %c1 iter_args(%from = %from0, %to = %to0) -> (!lower, !anywhere) {
        tile.copy %from, %to : !lower, !anywhere
        %from1 = tile.iterator_advance %from : !lower
        %to1 = tile.iterator_add_tile_offset %to(0, 1) : !anywhere
        scf.yield %from1, %to1 : !lower, !anywhere
      }
      gpu.return
    }

    // The first 16 columns of D are the sum of the tiles of A, the residue first.
    gpu.func @residue(%a: !llvm.ptr<1>, %d: !llvm.ptr<1>, %n: i64, %sa: i64, %sd: i64) kernel
        attributes {known_block_size = array<i32: 64, 1, 1>,
                    tile.launch_facts = #tile.launch_facts<
                      schedule = "residue", grid = {tile = [16, 1048576]},
                      parameters = [A.data, D.data, N, A.stride[0], D.stride[0]]>} {
      %t = gpu.thread_id x
      %block = gpu.block_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %size = arith.index_cast %n : i64 to index
      %pa = arith.index_cast %sa : i64 to index
      %pd = arith.index_cast %sd : i64 to index
      // Whole tiles behind the residue.
      %rest = arith.subi %size, %c1 : index
      %tiles = arith.divui %rest, %c16 : index
      %row = arith.muli %block, %c16 : index
      %va = tile.make_view %a, (%size, %size) : (%pa, 1) : !llvm.ptr<1> -> !view
      %vd = tile.make_view %d, (%size, %size) : (%pd, 1) : !llvm.ptr<1> -> !view
      %it0 = tile.make_iterator %va(%row, 0), %t : !residue
      %f0 = tile.iterator_load %it0 : !residue -> vector<4xf32>
      %it1 = tile.iterator_advance %it0 : !residue
      %sums:2 = scf.for %k = %c0 to %tiles step %c1 iter_args(%it = %it1, %sum = %f0) -> (!steady, vector<4xf32>) {
        %f = tile.iterator_load %it : !steady -> vector<4xf32>
        %next = arith.addf %sum, %f : vector<4xf32>
        %on = tile.iterator_advance %it : !steady
        scf.yield %on, %next : !steady, vector<4xf32>
      }
      %to = tile.make_iterator %vd(%row, 0), %t : !plain
      tile.iterator_store %sums#1, %to : vector<4xf32>, !plain
      gpu.return
    }

    // D is A transposed, through a swizzled tile of shared memory.
    gpu.func @transpose(%a: !llvm.ptr<1>, %d: !llvm.ptr<1>, %n: i64, %sa: i64, %sd: i64) kernel
        attributes {known_block_size = array<i32: 64, 1, 1>,
                    tile.launch_facts = #tile.launch_facts<
                      schedule = "transpose", grid = {tile = [16, 16]},
                      parameters = [A.data, D.data, N, A.stride[0], D.stride[0]]>} {
      %t = gpu.thread_id x
      %block = gpu.block_id x
      %c15 = arith.constant 15 : index
      %c16 = arith.constant 16 : index
      %size = arith.index_cast %n : i64 to index
      %pa = arith.index_cast %sa : i64 to index
      %pd = arith.index_cast %sd : i64 to index
      %up = arith.addi %size, %c15 : index
      %tiles = arith.divui %up, %c16 : index
      %i = arith.divui %block, %tiles : index
      %j = arith.remui %block, %tiles : index
      %row = arith.muli %i, %c16 : index
      %column = arith.muli %j, %c16 : index
      %va = tile.make_view %a, (%size, %size) : (%pa, 1) : !llvm.ptr<1> -> !view
      %vd = tile.make_view %d, (%size, %size) : (%pd, 1) : !llvm.ptr<1> -> !view
      %vs = tile.alloc_shared : !shared
      %vt = tile.view_transpose %vs : !shared
      %from = tile.make_iterator %va(%row, %column), %t : !plain
      %fill = tile.make_iterator %vs(0, 0), %t : !fill
      tile.copy %from, %fill : !plain, !fill
      gpu.barrier
      %drain = tile.make_iterator %vt(0, 0), %t : !drain
      %to = tile.make_iterator %vd(%column, %row), %t : !plain
      tile.copy %drain, %to : !drain, !plain
      gpu.return
    }

    // D is A, which each of two warps fetches from a swizzled tile as the fragment of
    // a tensor core, 16 by 8 elements.
    gpu.func @matrices(%a: !llvm.ptr<1>, %d: !llvm.ptr<1>, %n: i64, %sa: i64, %sd: i64) kernel
        attributes {known_block_size = array<i32: 64, 1, 1>,
                    tile.launch_facts = #tile.launch_facts<
                      schedule = "matrices", grid = {tile = [16, 16]},
                      parameters = [A.data, D.data, N, A.stride[0], D.stride[0]]>} {
      %t = gpu.thread_id x
      %block = gpu.block_id x
      %c15 = arith.constant 15 : index
      %c16 = arith.constant 16 : index
      %size = arith.index_cast %n : i64 to index
      %pa = arith.index_cast %sa : i64 to index
      %pd = arith.index_cast %sd : i64 to index
      %up = arith.addi %size, %c15 : index
      %tiles = arith.divui %up, %c16 : index
      %i = arith.divui %block, %tiles : index
      %j = arith.remui %block, %tiles : index
      %row = arith.muli %i, %c16 : index
      %column = arith.muli %j, %c16 : index
      %va = tile.make_view %a, (%size, %size) : (%pa, 1) : !llvm.ptr<1> -> !view
      %vd = tile.make_view %d, (%size, %size) : (%pd, 1) : !llvm.ptr<1> -> !view
      %vs = tile.alloc_shared : !shared
      %from = tile.make_iterator %va(%row, %column), %t : !plain
      %fill = tile.make_iterator %vs(0, 0), %t : !fill
      tile.copy %from, %fill : !plain, !fill
      gpu.barrier
      %c32 = arith.constant 32 : index
      %c8 = arith.constant 8 : index
      %warp = arith.divui %t, %c32 : index
      %half = arith.muli %warp, %c8 : index
      %f = tile.load_matrix %vs(0, %half {div = 8}), %t tile [16, 8] : !shared -> vector<4xf32>
      %to = tile.make_iterator %vd(%row, %column), %t : !fragments
      tile.iterator_store %f, %to : vector<4xf32>, !fragments
      gpu.return
    }

    // D is A, through three stages of shared memory that lie side by side, with
    // the crosswise layout of 32-bit elements. They are read last to first.
    gpu.func @stages(%a: !llvm.ptr<1>, %d: !llvm.ptr<1>, %n: i64, %sa: i64, %sd: i64) kernel
        attributes {known_block_size = array<i32: 64, 1, 1>,
                    tile.launch_facts = #tile.launch_facts<
                      schedule = "stages", grid = {tile = [16, 48]},
                      parameters = [A.data, D.data, N, A.stride[0], D.stride[0]]>} {
      %t = gpu.thread_id x
      %block = gpu.block_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c16 = arith.constant 16 : index
      %c47 = arith.constant 47 : index
      %c48 = arith.constant 48 : index
      %size = arith.index_cast %n : i64 to index
      %pa = arith.index_cast %sa : i64 to index
      %pd = arith.index_cast %sd : i64 to index
      %up = arith.addi %size, %c47 : index
      %tiles = arith.divui %up, %c48 : index
      %i = arith.divui %block, %tiles : index
      %j = arith.remui %block, %tiles : index
      %row = arith.muli %i, %c16 : index
      %column = arith.muli %j, %c48 : index
      %va = tile.make_view %a, (%size, %size) : (%pa, 1) : !llvm.ptr<1> -> !view
      %vd = tile.make_view %d, (%size, %size) : (%pd, 1) : !llvm.ptr<1> -> !view
      %vs = tile.alloc_shared : !memory
      %from0 = tile.make_iterator %va(%row, %column), %t : !anywhere
      %stage0 = tile.make_iterator %vs(0, 0), %t vectors : !stages
      %end:2 = scf.for %k = %c0 to %c3 step %c1 iter_args(%from = %from0, %stage = %stage0) -> (!anywhere, !stages) {
        tile.copy %from, %stage : !anywhere, !stages
        %from1 = tile.iterator_add_tile_offset %from(0, 1) : !anywhere
        %stage1 = tile.iterator_advance %stage : !stages
        scf.yield %from1, %stage1 : !anywhere, !stages
      }
      gpu.barrier
      %to0 = tile.make_iterator %vd(%row, %column), %t : !anywhere
      %last = tile.iterator_add_tile_offset %to0(0, 2) : !anywhere
      %start:2 = scf.for %k = %c0 to %c3 step %c1 iter_args(%to = %last, %stage = %end#1) -> (!anywhere, !stages) {
        %stage1 = tile.iterator_retreat %stage : !stages
        tile.copy %stage1, %to : !stages, !anywhere
        %to1 = tile.iterator_add_tile_offset %to(0, -1) : !anywhere
        scf.yield %to1, %stage1 : !anywhere, !stages
      }
      gpu.return
    }
  }
  func.func @gather(%A: !matrix, %B: !matrix, %D: !matrix) {
    tile.launch [@kernels::@gather] ins(%A, %B : !matrix, !matrix) outs(%D : !matrix)
    return
  }
  func.func @gather_blocks(%A: !matrix, %B: !matrix, %D: !matrix) {
    tile.launch [@kernels::@gather_blocks] ins(%A, %B : !matrix, !matrix) outs(%D : !matrix)
    return
  }
  func.func @permute(%A: !matrix, %B: !matrix, %D: !matrix) {
    tile.launch [@kernels::@permute] ins(%A, %B : !matrix, !matrix) outs(%D : !matrix)
    return
  }
  func.func @triangle(%A: !matrix, %B: !matrix, %D: !matrix) {
    tile.launch [@kernels::@triangle] ins(%A, %B : !matrix, !matrix) outs(%D : !matrix)
    return
  }
  func.func @residue(%A: !matrix, %B: !matrix, %D: !matrix) {
    tile.launch [@kernels::@residue] ins(%A, %B : !matrix, !matrix) outs(%D : !matrix)
    return
  }
  func.func @stages(%A: !matrix, %B: !matrix, %D: !matrix) {
    tile.launch [@kernels::@stages] ins(%A, %B : !matrix, !matrix) outs(%D : !matrix)
    return
  }
  func.func @transpose(%A: !matrix, %B: !matrix, %D: !matrix) {
    tile.launch [@kernels::@transpose] ins(%A, %B : !matrix, !matrix) outs(%D : !matrix)
    return
  }

  func.func @matrices(%A: !matrix, %B: !matrix, %D: !matrix) {
    tile.launch [@kernels::@matrices] ins(%A, %B : !matrix, !matrix) outs(%D : !matrix)
    return
  }
}
