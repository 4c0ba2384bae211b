// Kernels written by hand, one warpgroup for 64 rows of D each: products of
// tf32, of integers, and with A in registers. Each copies what it multiplies from
// shared memory there by iterators; what lies outside of a matrix arrives as 0.
// B is contiguous along K, as wgmma wants operands that are not of 16 bits.

//===----------------------------------------------------------------------===//
// tf32: 64 by 64, 32 elements along K at a time. Memory holds f32.
//===----------------------------------------------------------------------===//

!tf32_rows = memref<?x?xf32, strided<[?, 1], offset: ?>>
!tf32_columns = memref<?x?xf32, strided<[1, ?], offset: ?>>
!tf32_global = !tile.view<f32, global, (?, ?) : (?, 1)>
!tf32_tile = !tile.view<f32, shared, S<3, 2, 3> o 0 o (64, 32) : (32, 1), align = 1024>
#tf32_copy = #tile.strip_mined<tile = [64, 32], contiguous = 1, threads = 128, elements = 1>
!tf32_load = !tile.iterator<!tf32_global, #tf32_copy, predicated, steady>
!tf32_store = !tile.iterator<!tf32_tile, #tf32_copy, steady>
#tf32_result = #tile.tv_map<tile = [64, 64], layout = ((4, 8, 4), (2, 2, 8)) : ((2@e1, 1@e0, 16@e0), (1@e1, 8@e0, 8@e1))>
!tf32_d = !tile.iterator<!tf32_global, #tf32_result, predicated, steady>
!tf32_sums = !tile.accumulator<#tile.wgmma<n = 64, a = tf32, b = tf32, acc = f32>, count = [1, 1]>

//===----------------------------------------------------------------------===//
// Integers: 64 by 96, 128 elements along K at a time.
//===----------------------------------------------------------------------===//

!s8_rows = memref<?x?xi8, strided<[?, 1], offset: ?>>
!s8_columns = memref<?x?xi8, strided<[1, ?], offset: ?>>
!s8_results = memref<?x?xi32, strided<[?, 1], offset: ?>>
!s8_global = !tile.view<i8, global, (?, ?) : (?, 1)>
!s8_global_d = !tile.view<i32, global, (?, ?) : (?, 1)>
!s8_tile_a = !tile.view<i8, shared, S<3, 4, 3> o 0 o (64, 128) : (128, 1), align = 1024>
!s8_tile_b = !tile.view<i8, shared, S<3, 4, 3> o 0 o (96, 128) : (128, 1), align = 1024>
#s8_copy_a = #tile.strip_mined<tile = [64, 128], contiguous = 1, threads = 128, elements = 4>
#s8_copy_b = #tile.strip_mined<tile = [96, 128], contiguous = 1, threads = 128, elements = 4>
!s8_load_a = !tile.iterator<!s8_global, #s8_copy_a, predicated, steady>
!s8_load_b = !tile.iterator<!s8_global, #s8_copy_b, predicated, steady>
!s8_store_a = !tile.iterator<!s8_tile_a, #s8_copy_a, steady>
!s8_store_b = !tile.iterator<!s8_tile_b, #s8_copy_b, steady>
#s8_result = #tile.tv_map<tile = [64, 96], layout = ((4, 8, 4), (2, 2, 12)) : ((2@e1, 1@e0, 16@e0), (1@e1, 8@e0, 8@e1))>
!s8_d = !tile.iterator<!s8_global_d, #s8_result, predicated, steady>
!s8_sums = !tile.accumulator<#tile.wgmma<n = 96, a = i8, b = i8, acc = i32>, count = [1, 1]>

//===----------------------------------------------------------------------===//
// A in registers: 64 by 72, 64 elements of bf16 along K at a time. The map of A
// is the layout of four instructions along K.
//===----------------------------------------------------------------------===//

!bf16_rows = memref<?x?xbf16, strided<[?, 1], offset: ?>>
!bf16_columns = memref<?x?xbf16, strided<[1, ?], offset: ?>>
!bf16_global = !tile.view<bf16, global, (?, ?) : (?, 1)>
!bf16_tile = !tile.view<bf16, shared, S<3, 3, 3> o 0 o (72, 64) : (64, 1), align = 1024>
#bf16_copy = #tile.tv_map<tile = [72, 64], layout = ((32, 4), (2, 18)) : ((2@e1, 1@e0), (1@e1, 4@e0))>
#bf16_fragment = #tile.tv_map<tile = [64, 64], layout = ((4, 8, 4), (2, 2, 2, 4)) : ((2@e1, 1@e0, 16@e0), (1@e1, 8@e0, 8@e1, 16@e1))>
!bf16_load_a = !tile.iterator<!bf16_global, #bf16_fragment, predicated, steady>
!bf16_load_b = !tile.iterator<!bf16_global, #bf16_copy, predicated, steady>
!bf16_store_b = !tile.iterator<!bf16_tile, #bf16_copy, steady>
#bf16_result = #tile.tv_map<tile = [64, 72], layout = ((4, 8, 4), (2, 2, 9)) : ((2@e1, 1@e0, 16@e0), (1@e1, 8@e0, 8@e1))>
!bf16_d = !tile.iterator<!tf32_global, #bf16_result, predicated, steady>
!bf16_sums = !tile.accumulator<#tile.wgmma<n = 72, a = bf16, b = bf16, acc = f32, a_in = register>, count = [1, 1]>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // `factors` says that the f32 factors are cut to tf32.
    gpu.func @tf32(%a: !llvm.ptr<1>, %lda: index, %b: !llvm.ptr<1>, %ldb: index,
                   %d: !llvm.ptr<1>, %ldd: index, %m: index, %n: index, %k: index) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>,
                    tile.launch_facts = #tile.launch_facts<
                      grid = {tile = [64, 64]}, factors = "tf32",
                      parameters = [A.data, A.stride[0], B.data, B.stride[1],
                                    D.data, D.stride[0], M, N, K]>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c63 = arith.constant 63 : index
      %c64 = arith.constant 64 : index
      %thread = gpu.thread_id x
      %block = gpu.block_id x
      %n63 = arith.addi %n, %c63 : index
      %tilesN = arith.divui %n63, %c64 : index
      %tileRow = arith.divui %block, %tilesN : index
      %tileColumn = arith.remui %block, %tilesN : index
      %row = arith.muli %tileRow, %c64 : index
      %column = arith.muli %tileColumn, %c64 : index

      %A = tile.make_view %a, (%m, %k) : (%lda, 1) : !llvm.ptr<1> -> !tf32_global
      %B = tile.make_view %b, (%n, %k) : (%ldb, 1) : !llvm.ptr<1> -> !tf32_global
      %D = tile.make_view %d, (%m, %n) : (%ldd, 1) : !llvm.ptr<1> -> !tf32_global
      %sharedA = tile.alloc_shared : !tf32_tile
      %sharedB = tile.alloc_shared : !tf32_tile
      %storeA = tile.make_iterator %sharedA(0, 0), %thread : !tf32_store
      %storeB = tile.make_iterator %sharedB(0, 0), %thread : !tf32_store

      %zero = tile.zero_accumulator : !tf32_sums
      %sums = scf.for %at = %c0 to %k step %c32 iter_args(%acc = %zero) -> (!tf32_sums) {
        %loadA = tile.make_iterator %A(%row, %at), %thread : !tf32_load
        %loadB = tile.make_iterator %B(%column, %at), %thread : !tf32_load
        tile.copy %loadA, %storeA : !tf32_load, !tf32_store
        tile.copy %loadB, %storeB : !tf32_load, !tf32_store
        // The tensor cores read what the threads have written.
        nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
        gpu.barrier
        %started = tile.warpgroup_mma %sharedA, %sharedB acc(%acc : !tf32_sums) : !tf32_tile, !tf32_tile -> !tf32_sums
        %done = tile.warpgroup_wait %started pending(0) : !tf32_sums
        gpu.barrier
        scf.yield %done : !tf32_sums
      }
      %elements = tile.accumulator_fragment %sums : !tf32_sums -> vector<32xf32>
      %storeD = tile.make_iterator %D(%row, %column), %thread : !tf32_d
      tile.iterator_store %elements, %storeD : vector<32xf32>, !tf32_d
      gpu.return
    }

    gpu.func @s8(%a: !llvm.ptr<1>, %lda: index, %b: !llvm.ptr<1>, %ldb: index,
                 %d: !llvm.ptr<1>, %ldd: index, %m: index, %n: index, %k: index) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>,
                    tile.launch_facts = #tile.launch_facts<
                      grid = {tile = [64, 96]},
                      parameters = [A.data, A.stride[0], B.data, B.stride[1],
                                    D.data, D.stride[0], M, N, K]>} {
      %c0 = arith.constant 0 : index
      %c64 = arith.constant 64 : index
      %c95 = arith.constant 95 : index
      %c96 = arith.constant 96 : index
      %c128 = arith.constant 128 : index
      %thread = gpu.thread_id x
      %block = gpu.block_id x
      %n95 = arith.addi %n, %c95 : index
      %tilesN = arith.divui %n95, %c96 : index
      %tileRow = arith.divui %block, %tilesN : index
      %tileColumn = arith.remui %block, %tilesN : index
      %row = arith.muli %tileRow, %c64 : index
      %column = arith.muli %tileColumn, %c96 : index

      %A = tile.make_view %a, (%m, %k) : (%lda, 1) : !llvm.ptr<1> -> !s8_global
      %B = tile.make_view %b, (%n, %k) : (%ldb, 1) : !llvm.ptr<1> -> !s8_global
      %D = tile.make_view %d, (%m, %n) : (%ldd, 1) : !llvm.ptr<1> -> !s8_global_d
      %sharedA = tile.alloc_shared : !s8_tile_a
      %sharedB = tile.alloc_shared : !s8_tile_b
      %storeA = tile.make_iterator %sharedA(0, 0), %thread : !s8_store_a
      %storeB = tile.make_iterator %sharedB(0, 0), %thread : !s8_store_b

      %zero = tile.zero_accumulator : !s8_sums
      %sums = scf.for %at = %c0 to %k step %c128 iter_args(%acc = %zero) -> (!s8_sums) {
        %loadA = tile.make_iterator %A(%row, %at), %thread : !s8_load_a
        %loadB = tile.make_iterator %B(%column, %at), %thread : !s8_load_b
        tile.copy %loadA, %storeA : !s8_load_a, !s8_store_a
        tile.copy %loadB, %storeB : !s8_load_b, !s8_store_b
        nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
        gpu.barrier
        %started = tile.warpgroup_mma %sharedA, %sharedB acc(%acc : !s8_sums) : !s8_tile_a, !s8_tile_b -> !s8_sums
        %done = tile.warpgroup_wait %started pending(0) : !s8_sums
        gpu.barrier
        scf.yield %done : !s8_sums
      }
      %elements = tile.accumulator_fragment %sums : !s8_sums -> vector<48xi32>
      %storeD = tile.make_iterator %D(%row, %column), %thread : !s8_d
      tile.iterator_store %elements, %storeD : vector<48xi32>, !s8_d
      gpu.return
    }

    gpu.func @registers(%a: !llvm.ptr<1>, %lda: index, %b: !llvm.ptr<1>, %ldb: index,
                        %d: !llvm.ptr<1>, %ldd: index, %m: index, %n: index, %k: index) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>,
                    tile.launch_facts = #tile.launch_facts<
                      grid = {tile = [64, 72]},
                      parameters = [A.data, A.stride[0], B.data, B.stride[1],
                                    D.data, D.stride[0], M, N, K]>} {
      %c0 = arith.constant 0 : index
      %c64 = arith.constant 64 : index
      %c71 = arith.constant 71 : index
      %c72 = arith.constant 72 : index
      %thread = gpu.thread_id x
      %block = gpu.block_id x
      %n71 = arith.addi %n, %c71 : index
      %tilesN = arith.divui %n71, %c72 : index
      %tileRow = arith.divui %block, %tilesN : index
      %tileColumn = arith.remui %block, %tilesN : index
      %row = arith.muli %tileRow, %c64 : index
      %column = arith.muli %tileColumn, %c72 : index

      %A = tile.make_view %a, (%m, %k) : (%lda, 1) : !llvm.ptr<1> -> !bf16_global
      %B = tile.make_view %b, (%n, %k) : (%ldb, 1) : !llvm.ptr<1> -> !bf16_global
      %D = tile.make_view %d, (%m, %n) : (%ldd, 1) : !llvm.ptr<1> -> !tf32_global
      %sharedB = tile.alloc_shared : !bf16_tile
      %storeB = tile.make_iterator %sharedB(0, 0), %thread : !bf16_store_b

      %zero = tile.zero_accumulator : !bf16_sums
      %sums = scf.for %at = %c0 to %k step %c64 iter_args(%acc = %zero) -> (!bf16_sums) {
        %loadA = tile.make_iterator %A(%row, %at), %thread : !bf16_load_a
        %loadB = tile.make_iterator %B(%column, %at), %thread : !bf16_load_b
        // Each thread loads what it holds of A from where it lies.
        %fragment = tile.iterator_load %loadA : !bf16_load_a -> vector<32xbf16>
        tile.copy %loadB, %storeB : !bf16_load_b, !bf16_store_b
        nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
        gpu.barrier
        %started = tile.warpgroup_mma %fragment, %sharedB acc(%acc : !bf16_sums) : vector<32xbf16>, !bf16_tile -> !bf16_sums
        %done = tile.warpgroup_wait %started pending(0) : !bf16_sums
        gpu.barrier
        scf.yield %done : !bf16_sums
      }
      %elements = tile.accumulator_fragment %sums : !bf16_sums -> vector<36xf32>
      %storeD = tile.make_iterator %D(%row, %column), %thread : !bf16_d
      tile.iterator_store %elements, %storeD : vector<36xf32>, !bf16_d
      gpu.return
    }
  }

  func.func @tf32_product(%A: !tf32_rows, %B: !tf32_columns, %D: !tf32_rows) {
    tile.launch [@kernels::@tf32] ins(%A, %B : !tf32_rows, !tf32_columns) outs(%D : !tf32_rows)
    return
  }
  func.func @s8_product(%A: !s8_rows, %B: !s8_columns, %D: !s8_results) {
    tile.launch [@kernels::@s8] ins(%A, %B : !s8_rows, !s8_columns) outs(%D : !s8_results)
    return
  }
  func.func @register_product(%A: !bf16_rows, %B: !bf16_columns, %D: !tf32_rows) {
    tile.launch [@kernels::@registers] ins(%A, %B : !bf16_rows, !bf16_columns) outs(%D : !tf32_rows)
    return
  }
}
