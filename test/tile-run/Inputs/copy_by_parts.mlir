// A hand-written kernel that copies A to D by threads' parts of tiles of 16 by 32,
// predicated at the edges by coordinates: with B the identity, D = A * B.
!matrix = memref<?x?xf32, strided<[?, 1], offset: ?>>
!global = !tile.view<f32, global, (?, ?) : (?, 1)>
!part = !tile.view<f32, global, (4, 4) : (1, ?{div = 4})>
!map = !tile.layout<((8, 4), (4, 4)) : ((4@e1, 1@e0), (1@e1, 4@e0))>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @copy(%a: !llvm.ptr<1>, %d: !llvm.ptr<1>, %m: i64, %n: i64, %k: i64, %sa: i64, %sd: i64) kernel
        attributes {known_block_size = array<i32: 32, 1, 1>,
                    tile.launch_facts = #tile.launch_facts<
                      schedule = "copy", grid = {tile = [16, 32]},
                      parameters = [A.data, D.data, M, N, K, A.stride[0], D.stride[0]]>} {
      %t = gpu.thread_id x
      %block = gpu.block_id x
      %rows = arith.index_cast %m : i64 to index
      %columns = arith.index_cast %n : i64 to index
      %pitchA = arith.index_cast %sa : i64 to index
      %pitchD = arith.index_cast %sd : i64 to index
      %tiles:2 = tile.ceil_div (%rows, %columns), (16, 32)
      // Tiles are numbered along a row of them.
      %i = arith.divui %block, %tiles#1 : index
      %j = arith.remui %block, %tiles#1 : index
      %from = tile.make_view %a, (%rows, %columns) : (%pitchA, 1) : !llvm.ptr<1> -> !global
      %to = tile.make_view %d, (%rows, %columns) : (%pitchD, 1) : !llvm.ptr<1> -> !global
      %fromTile = tile.local_tile %from[16, 32](%i, %j) : !global
      %toTile = tile.local_tile %to[16, 32](%i, %j) : !global
      %mine = tile.thread_partition %fromTile
        by #tile.layout<((8, 4), (4, 4)) : ((4@e1, 1@e0), (1@e1, 4@e0))> at %t
        : !tile.view<f32, global, (16, 32) : (?, 1)>
      %yours = tile.thread_partition %toTile
        by #tile.layout<((8, 4), (4, 4)) : ((4@e1, 1@e0), (1@e1, 4@e0))> at %t
        : !tile.view<f32, global, (16, 32) : (?, 1)>
      %map = tile.make_layout ((8, 4), (4, 4)) : ((4@e1, 1@e0), (1@e1, 4@e0))
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %row0 = arith.muli %i, %c16 : index
      %column0 = arith.muli %j, %c32 : index
      scf.for %r = %c0 to %c4 step %c1 {
        scf.for %c = %c0 to %c4 step %c1 {
          %at:2 = tile.coordinate (%t, (%c, %r)), %map : !map
          %row = tile.sum (%row0, %at#0)
          %column = tile.sum (%column0, %at#1)
          %inside = tile.elem_less (%row, %column), (%rows, %columns)
          scf.if %inside {
            %x = tile.view_load %mine(%c, %r) : !part -> f32
            tile.view_store %x, %yours(%c, %r) : f32, !part
          }
        }
      }
      gpu.return
    }
  }
  func.func @gemm(%A: !matrix, %B: !matrix, %D: !matrix) {
    tile.launch [@kernels::@copy] ins(%A, %B : !matrix, !matrix) outs(%D : !matrix)
    return
  }
}
