// The convolution of convolution.mlir with asynchronous copies to the other
// stage while one is multiplied, past the registers.
!matrix = memref<?x?xf32, strided<[?, 1], offset: ?>>
!image = !tile.view<f32, global, (?, ?, ?, ?{div = 4}) : (?{div = 4}, ?{div = 4}, ?{div = 4}, 1), align = 16>
!filter = !tile.view<f32, global, (?, 9, ?{div = 4}) : (?{div = 4}, ?{div = 4}, 1), align = 16>
!result = !tile.view<f32, global, (?, ?{div = 4}) : (?{div = 4}, 1), align = 16>

// A thread block of 256 threads computes 128 pixels by 128 channels, 16
// channels at one place of the filter at a time.
#copyA = #tile.strip_mined<tile = [128, 16], contiguous = 1, threads = 256, elements = 4>
#copyB = #tile.strip_mined<tile = [16, 128], contiguous = 1, threads = 256, elements = 4>
!walkA = !tile.iterator<!image, #copyA,
  coords ((?, ?, ?), (16, 3, 3, ?)) : ((1@e2, 1@e1, 1@e0), (1@e3, 1@e2, 1@e1, 16@e3)), advance = 1, masked>
!walkB = !tile.iterator<!filter, #copyB,
  coords ((16, 9, ?), ?{div = 4}) : ((1@e0, 1@e1, 16@e0), 1@e2), advance = 0, masked>

!stagesA = !tile.view<f32, shared, (128, 16, 2) : (1, 132, 2112), align = 16>
!stagesB = !tile.view<f32, shared, (16, 128, 2) : (128, 1, 2048), align = 16>
!stageA = !tile.view<f32, shared, (128, 16) : (1, 132), align = 16>
!stageB = !tile.view<f32, shared, (16, 128) : (128, 1), align = 16>
#mma = #tile.simt_mma<warps = [4, 2], lanes = [4, 8], thread = [8, 8], vector = 4>
#fragmentA = #tile.tv_map<tile = [128, 1], layout = ((8, 4, 2, 4), (4, 2)) : ((0, 4@e0, 0, 32@e0), (1@e0, 16@e0))>
#fragmentB = #tile.tv_map<tile = [1, 128], layout = ((8, 4, 2, 4), (4, 2)) : ((4@e1, 0, 64@e1, 0), (1@e1, 32@e1))>
#sum = #tile.tv_map<tile = [128, 128], layout = ((8, 4, 2, 4), (4, 2, 4, 2)) : ((4@e1, 4@e0, 64@e1, 32@e0), (1@e1, 32@e1, 1@e0, 16@e0))>
!storeA = !tile.iterator<!stageA, #copyA, steady>
!storeB = !tile.iterator<!stageB, #copyB, steady>
!loadA = !tile.iterator<!stageA, #fragmentA, advance = 1, steady>
!loadB = !tile.iterator<!stageB, #fragmentB, advance = 0, steady>
!storeD = !tile.iterator<!result, #sum, predicated, steady>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @convolution(%a: !llvm.ptr<1>, %lda: index, %b: !llvm.ptr<1>, %ldb: index,
                          %d: !llvm.ptr<1>, %ldd: index, %m: index, %n: index, %c: index) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>,
                    tile.launch_facts = #tile.launch_facts<
                      grid = {tile = [128, 1152]},
                      requires = [{operand = A, unit_stride = 1, alignment = 16, stride_multiple = 4, extent_multiple = 4},
                                  {operand = B, unit_stride = 1, alignment = 16, stride_multiple = 4, extent_multiple = 4},
                                  {operand = D, unit_stride = 1, alignment = 16, stride_multiple = 4, extent_multiple = 4}],
                      parameters = [A.data, A.stride[0], B.data, B.stride[0],
                                    D.data, D.stride[0], M, N, K]>} {
      %height = arith.constant 14 : index
      %width = arith.constant 7 : index
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c9 = arith.constant 9 : index
      %c15 = arith.constant 15 : index
      %c16 = arith.constant 16 : index
      %c127 = arith.constant 127 : index
      %c128 = arith.constant 128 : index
      %thread = gpu.thread_id x
      %block = gpu.block_id x

      %k = arith.divui %n, %c9 : index
      %k127 = arith.addi %k, %c127 : index
      %tilesK = arith.divui %k127, %c128 : index
      %tileRow = arith.divui %block, %tilesK : index
      %tileColumn = arith.remui %block, %tilesK : index
      %row = arith.muli %tileRow, %c128 : index
      %column = arith.muli %tileColumn, %c128 : index
      // Blocks of 16 channels; each of them at nine places.
      %cUp = arith.addi %c, %c15 : index
      %blocks = arith.divui %cUp, %c16 : index
      %tiles = arith.muli %blocks, %c9 : index

      %pixels = arith.muli %height, %width : index
      %images = arith.divui %m, %pixels : index
      %rowPitch = arith.muli %width, %lda : index
      %imagePitch = arith.muli %pixels, %lda : index
      %X = tile.make_view %a, (%images, %height, %width, %c {div = 4}) : (%imagePitch {div = 4}, %rowPitch {div = 4}, %lda {div = 4}, 1) : !llvm.ptr<1> -> !image
      %F = tile.make_view %b, (%c, 9, %k {div = 4}) : (%ldb {div = 4}, %k {div = 4}, 1) : !llvm.ptr<1> -> !filter
      %D = tile.make_view %d, (%m, %k {div = 4}) : (%ldd {div = 4}, 1) : !llvm.ptr<1> -> !result
      %sharedA = tile.alloc_shared : !stagesA
      %sharedB = tile.alloc_shared : !stagesB

      %firstA = tile.make_iterator %X(%row, 0), %thread
        coords ((%width, %height, %images), (16, 3, 3, %blocks)) : ((1@e2, 1@e1, 1@e0), (1@e3, 1@e2, 1@e1, 16@e3))
        origin (0, -1, -1, 0) : !walkA
      %firstB = tile.make_iterator %F(0, %column {div = 4}), %thread
        coords ((16, 9, %blocks), %k {div = 4}) : ((1@e0, 1@e1, 16@e0), 1@e2) : !walkB
      %sA = tile.slice %sharedA(_, _, 0) : !stagesA
      %sB = tile.slice %sharedB(_, _, 0) : !stagesB
      %storeA = tile.make_iterator %sA(0, 0), %thread : !storeA
      %storeB = tile.make_iterator %sB(0, 0), %thread : !storeB
      tile.copy_async %firstA, %storeA : !walkA, !storeA
      tile.copy_async %firstB, %storeB : !walkB, !storeB
      tile.async_commit_group
      tile.async_wait_group 0
      gpu.barrier

      %nextA = tile.iterator_advance %firstA : !walkA
      %nextB = tile.iterator_advance %firstB : !walkB
      %zero = arith.constant dense<0.0> : vector<64xf32>
      %sum, %endA, %endB = scf.for %tile = %c0 to %tiles step %c1
          iter_args(%acc = %zero, %walkA = %nextA, %walkB = %nextB)
          -> (vector<64xf32>, !walkA, !walkB) {
        // Behind the last tile nothing exists: zeros are stored.
        %tile1 = arith.addi %tile, %c1 : index
        %other = arith.remui %tile1, %c2 : index
        %otherA = tile.slice %sharedA(_, _, %other) : !stagesA
        %otherB = tile.slice %sharedB(_, _, %other) : !stagesB
        %toA = tile.make_iterator %otherA(0, 0), %thread : !storeA
        %toB = tile.make_iterator %otherB(0, 0), %thread : !storeB
        tile.copy_async %walkA, %toA : !walkA, !storeA
        tile.copy_async %walkB, %toB : !walkB, !storeB
        tile.async_commit_group

        %stage = arith.remui %tile, %c2 : index
        %stageA = tile.slice %sharedA(_, _, %stage) : !stagesA
        %stageB = tile.slice %sharedB(_, _, %stage) : !stagesB
        %loadA0 = tile.make_iterator %stageA(0, 0), %thread : !loadA
        %loadB0 = tile.make_iterator %stageB(0, 0), %thread : !loadB
        %product, %doneA, %doneB = scf.for %step = %c0 to %c16 step %c1
            iter_args(%inner = %acc, %loadA = %loadA0, %loadB = %loadB0)
            -> (vector<64xf32>, !loadA, !loadB) {
          %fragmentA = tile.iterator_load %loadA : !loadA -> vector<8xf32>
          %fragmentB = tile.iterator_load %loadB : !loadB -> vector<8xf32>
          %next = tile.mma %fragmentA, %fragmentB, %inner atom(#mma)
            : vector<8xf32>, vector<8xf32>, vector<64xf32>
          %stepA = tile.iterator_advance %loadA : !loadA
          %stepB = tile.iterator_advance %loadB : !loadB
          scf.yield %next, %stepA, %stepB : vector<64xf32>, !loadA, !loadB
        }

        tile.async_wait_group 0
        gpu.barrier
        %furtherA = tile.iterator_advance %walkA : !walkA
        %furtherB = tile.iterator_advance %walkB : !walkB
        scf.yield %product, %furtherA, %furtherB : vector<64xf32>, !walkA, !walkB
      }

      %storeD = tile.make_iterator %D(%row, %column {div = 4}), %thread : !storeD
      tile.iterator_store %sum, %storeD : vector<64xf32>, !storeD
      gpu.return
    }
  }

  func.func @convolution(%A: !matrix, %B: !matrix, %D: !matrix) {
    tile.launch [@kernels::@convolution] ins(%A, %B : !matrix, !matrix) outs(%D : !matrix)
    return
  }
}
