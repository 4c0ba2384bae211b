// D = A * B on row-major float32 matrices of any size, with a kernel written by
// hand: what each thread does, in terms of views and tile iterators.
// docs/Iterators.md explains it line by line.
//
//   tile-run iterator_gemm.mlir --random 200,100,300 --check

// A thread block of 128 threads computes 64 by 64 elements of D, 8 steps along K
// at a time.
!matrix = memref<?x?xf32, strided<[?, 1], offset: ?>>
!global = !tile.view<f32, global, (?, ?) : (?, 1)>

// Who copies what of a tile of A (64 by 8) and of B (8 by 64): one element an
// access, neighbouring threads side by side in a row.
#copyA = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 128, elements = 1>
#copyB = #tile.strip_mined<tile = [8, 64], contiguous = 1, threads = 128, elements = 1>

// Two stages of each in shared memory. Both run along M or N, so that fragments
// are contiguous; A's columns are 68 apart, so that no two lanes of a warp store
// to one bank.
!stagesA = !tile.view<f32, shared, (64, 8, 2) : (1, 68, 544), align = 16>
!stagesB = !tile.view<f32, shared, (8, 64, 2) : (64, 1, 512), align = 16>
!stageA = !tile.view<f32, shared, (64, 8) : (1, 68), align = 16>
!stageB = !tile.view<f32, shared, (8, 64) : (64, 1), align = 16>

// Who multiplies what: 2 by 2 warps of 4 by 8 lanes, 8 by 4 elements a lane. Its
// operands, one column of A and one row of B, and its result, as maps.
#mma = #tile.simt_mma<warps = [2, 2], lanes = [4, 8], thread = [8, 4], vector = 4>
#fragmentA = #tile.tv_map<tile = [64, 1], layout = ((8, 4, 2, 2), (4, 2)) : ((0, 4@e0, 0, 32@e0), (1@e0, 16@e0))>
#fragmentB = #tile.tv_map<tile = [1, 64], layout = ((8, 4, 2, 2), (4, 1)) : ((4@e1, 0, 32@e1, 0), (1@e1, 32@e1))>
#result = #tile.tv_map<tile = [64, 64], layout = ((8, 4, 2, 2), (4, 1, 4, 2)) : ((4@e1, 4@e0, 32@e1, 32@e0), (1@e1, 32@e1, 1@e0, 16@e0))>

// The iterators: walks over global memory along K, which read the part of K
// that fills no whole tile first; places to store and to load in shared memory.
!firstA = !tile.iterator<!global, #copyA, advance = 1, predicated, residue>
!firstB = !tile.iterator<!global, #copyB, advance = 0, predicated, residue>
!walkA = !tile.iterator<!global, #copyA, advance = 1, predicated, steady>
!walkB = !tile.iterator<!global, #copyB, advance = 0, predicated, steady>
!storeA = !tile.iterator<!stageA, #copyA, steady>
!storeB = !tile.iterator<!stageB, #copyB, steady>
!loadA = !tile.iterator<!stageA, #fragmentA, advance = 1, steady>
!loadB = !tile.iterator<!stageB, #fragmentB, advance = 0, steady>
!storeD = !tile.iterator<!global, #result, predicated, steady>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // The launch facts say which tile of D a block computes, and what the
    // arguments are.
    gpu.func @product(%a: !llvm.ptr<1>, %lda: index, %b: !llvm.ptr<1>, %ldb: index,
                      %d: !llvm.ptr<1>, %ldd: index, %m: index, %n: index, %k: index) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>,
                    tile.launch_facts = #tile.launch_facts<
                      grid = {tile = [64, 64]},
                      parameters = [A.data, A.stride[0], B.data, B.stride[0],
                                    D.data, D.stride[0], M, N, K]>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c7 = arith.constant 7 : index
      %c8 = arith.constant 8 : index
      %c63 = arith.constant 63 : index
      %c64 = arith.constant 64 : index
      %thread = gpu.thread_id x
      %block = gpu.block_id x

      // Where the block's tile of D begins, row by row of tiles.
      %n63 = arith.addi %n, %c63 : index
      %tilesN = arith.divui %n63, %c64 : index
      %tileRow = arith.divui %block, %tilesN : index
      %tileColumn = arith.remui %block, %tilesN : index
      %row = arith.muli %tileRow, %c64 : index
      %column = arith.muli %tileColumn, %c64 : index
      // Tiles along K.
      %k7 = arith.addi %k, %c7 : index
      %tiles = arith.divui %k7, %c8 : index

      // Memory as views.
      %A = tile.make_view %a, (%m, %k) : (%lda, 1) : !llvm.ptr<1> -> !global
      %B = tile.make_view %b, (%k, %n) : (%ldb, 1) : !llvm.ptr<1> -> !global
      %D = tile.make_view %d, (%m, %n) : (%ldd, 1) : !llvm.ptr<1> -> !global
      %sharedA = tile.alloc_shared : !stagesA
      %sharedB = tile.alloc_shared : !stagesB

      // The first tile, the residue, goes to stage 0.
      %firstA = tile.make_iterator %A(%row, 0), %thread : !firstA
      %firstB = tile.make_iterator %B(0, %column), %thread : !firstB
      %sA = tile.slice %sharedA(_, _, 0) : !stagesA
      %sB = tile.slice %sharedB(_, _, 0) : !stagesB
      %storeA = tile.make_iterator %sA(0, 0), %thread : !storeA
      %storeB = tile.make_iterator %sB(0, 0), %thread : !storeB
      tile.copy %firstA, %storeA : !firstA, !storeA
      tile.copy %firstB, %storeB : !firstB, !storeB
      gpu.barrier

      // The next tile; where there is none, nothing is read.
      %nextA = tile.iterator_advance %firstA : !firstA
      %nextB = tile.iterator_advance %firstB : !firstB
      %single = arith.cmpi ule, %tiles, %c1 : index
      %walkA0 = tile.iterator_clear_mask %nextA, %single : !walkA
      %walkB0 = tile.iterator_clear_mask %nextB, %single : !walkB

      %zero = arith.constant dense<0.0> : vector<32xf32>
      %sum, %endA, %endB = scf.for %tile = %c0 to %tiles step %c1
          iter_args(%acc = %zero, %walkA = %walkA0, %walkB = %walkB0)
          -> (vector<32xf32>, !walkA, !walkB) {
        // The loads of the next tile are on their way while this one is
        // multiplied.
        %stagedA = tile.iterator_load %walkA : !walkA -> vector<4xf32>
        %stagedB = tile.iterator_load %walkB : !walkB -> vector<4xf32>

        %stage = arith.remui %tile, %c2 : index
        %stageA = tile.slice %sharedA(_, _, %stage) : !stagesA
        %stageB = tile.slice %sharedB(_, _, %stage) : !stagesB
        %loadA0 = tile.make_iterator %stageA(0, 0), %thread : !loadA
        %loadB0 = tile.make_iterator %stageB(0, 0), %thread : !loadB
        %product, %doneA, %doneB = scf.for %step = %c0 to %c8 step %c1
            iter_args(%inner = %acc, %loadA = %loadA0, %loadB = %loadB0)
            -> (vector<32xf32>, !loadA, !loadB) {
          %fragmentA = tile.iterator_load %loadA : !loadA -> vector<8xf32>
          %fragmentB = tile.iterator_load %loadB : !loadB -> vector<4xf32>
          %next = tile.mma %fragmentA, %fragmentB, %inner atom(#mma)
            : vector<8xf32>, vector<4xf32>, vector<32xf32>
          %stepA = tile.iterator_advance %loadA : !loadA
          %stepB = tile.iterator_advance %loadB : !loadB
          scf.yield %next, %stepA, %stepB : vector<32xf32>, !loadA, !loadB
        }

        // The other stage is free: all threads have passed the barrier that
        // follows its last load.
        %tile1 = arith.addi %tile, %c1 : index
        %other = arith.remui %tile1, %c2 : index
        %otherA = tile.slice %sharedA(_, _, %other) : !stagesA
        %otherB = tile.slice %sharedB(_, _, %other) : !stagesB
        %toA = tile.make_iterator %otherA(0, 0), %thread : !storeA
        %toB = tile.make_iterator %otherB(0, 0), %thread : !storeB
        tile.iterator_store %stagedA, %toA : vector<4xf32>, !storeA
        tile.iterator_store %stagedB, %toB : vector<4xf32>, !storeB
        gpu.barrier

        %furtherA = tile.iterator_advance %walkA : !walkA
        %furtherB = tile.iterator_advance %walkB : !walkB
        %tile2 = arith.addi %tile, %c2 : index
        %past = arith.cmpi uge, %tile2, %tiles : index
        %maskedA = tile.iterator_clear_mask %furtherA, %past : !walkA
        %maskedB = tile.iterator_clear_mask %furtherB, %past : !walkB
        scf.yield %product, %maskedA, %maskedB : vector<32xf32>, !walkA, !walkB
      }

      // Each thread stores its elements; those beyond D are masked.
      %storeD = tile.make_iterator %D(%row, %column), %thread : !storeD
      tile.iterator_store %sum, %storeD : vector<32xf32>, !storeD
      gpu.return
    }
  }

  // The entry: which kernel, with which operands.
  func.func @gemm(%A: !matrix, %B: !matrix, %D: !matrix) {
    tile.launch [@kernels::@product] ins(%A, %B : !matrix, !matrix) outs(%D : !matrix)
    return
  }
}
