// A kernel of one block that prints, and adds up with registers what a thread
// has of a tile in shared memory.
!matrix = memref<?x?xf32, strided<[?, 1], offset: ?>>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @show(%a: !llvm.ptr<1>, %d: !llvm.ptr<1>, %m: i64, %k: i64, %sa: i64, %sd: i64) kernel
        attributes {known_block_size = array<i32: 32, 1, 1>,
                    tile.launch_facts = #tile.launch_facts<
                      schedule = "show", grid = {tile = [1048576, 1048576]},
                      parameters = [A.data, D.data, M, K, A.stride[0], D.stride[0]]>} {
      %t = gpu.thread_id x
      %c5 = arith.constant 5 : index
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %rows = arith.index_cast %m : i64 to index
      %columns = arith.index_cast %k : i64 to index
      %pitch = arith.index_cast %sa : i64 to index
      %chosen = arith.cmpi eq, %t, %c5 : index
      %layout = tile.make_layout (%rows, %columns) : (%pitch, 1)
      %half = arith.constant -1.500000e-01 : f64
      scf.if %chosen {
        %size = tile.size %layout : !tile.layout<(?, ?) : (?, 1)>
        tile.print "thread {} of {}: {} has {} elements, {{{}}} is 100%", %t, %c4, %layout, %size, %half
          : index, index, !tile.layout<(?, ?) : (?, 1)>, index, f64
        scf.for %i = %c0 to %c4 step %c1 {
          %odd = arith.remui %i, %c4 : index
          tile.print "line {}", %i : index
        }
      }
      %shared = tile.alloc_shared : !tile.view<f32, shared, S<2, 2, 3> o 0 o (8, 16) : (16, 1), align = 512>
      // Each thread writes four elements, (row, column) as a number.
      %map = tile.make_layout ((4, 8), 4) : ((4@e1, 1@e0), 1@e1)
      scf.for %v = %c0 to %c4 step %c1 {
        %c:2 = tile.coordinate (%t, %v), %map : !tile.layout<((4, 8), 4) : ((4@e1, 1@e0), 1@e1)>
        %n = tile.inner_product (%c#0, %c#1), (100, 1)
        %n32 = arith.index_cast %n : index to i32
        %f = arith.sitofp %n32 : i32 to f32
        tile.view_store %f, %shared(%c#0, %c#1) : f32, !tile.view<f32, shared, S<2, 2, 3> o 0 o (8, 16) : (16, 1), align = 512>
      }
      gpu.barrier
      // A vector of its own, and one of another thread's, through the swizzle.
      %r = tile.alloc_registers : !tile.view<f32, register, (4, 2) : (1, 4), align = 16>
      %first = tile.view_load %shared(3, 8) : !tile.view<f32, shared, S<2, 2, 3> o 0 o (8, 16) : (16, 1), align = 512> -> vector<4xf32>
      tile.view_store %first, %r(0, 0) : vector<4xf32>, !tile.view<f32, register, (4, 2) : (1, 4), align = 16>
      %row = arith.divui %t, %c4 : index
      %q = arith.remui %t, %c4 : index
      %column = arith.muli %q, %c4 : index
      %own = tile.view_load %shared(%row, %column {div = 4}) : !tile.view<f32, shared, S<2, 2, 3> o 0 o (8, 16) : (16, 1), align = 512> -> vector<4xf32>
      %second = tile.slice %r(_, 1) : !tile.view<f32, register, (4, 2) : (1, 4), align = 16>
      tile.view_store %own, %second(0) : vector<4xf32>, !tile.view<f32, register, (4) : (1), align = 16>
      scf.if %chosen {
        %x = tile.view_load %r(1, 0) : !tile.view<f32, register, (4, 2) : (1, 4), align = 16> -> f32
        %y = tile.view_load %r(2, 1) : !tile.view<f32, register, (4, 2) : (1, 4), align = 16> -> f32
        tile.print "registers: {} {}", %x, %y : f32, f32
        // Two halves that change places in a loop.
        %half0 = tile.slice %r(_, 0) : !tile.view<f32, register, (4, 2) : (1, 4), align = 16>
        %ends:2 = scf.for %i = %c0 to %t step %c1 iter_args(%u = %half0, %w = %second)
            -> (!tile.view<f32, register, (4) : (1), align = 16>, !tile.view<f32, register, (4) : (1), align = 16>) {
          scf.yield %w, %u : !tile.view<f32, register, (4) : (1), align = 16>, !tile.view<f32, register, (4) : (1), align = 16>
        }
        %z = tile.view_load %ends#0(3) : !tile.view<f32, register, (4) : (1), align = 16> -> f32
        tile.print "exchanged: {}", %z : f32
      }
      gpu.return
    }
  }
  func.func @gemm(%A: !matrix, %B: !matrix, %D: !matrix) {
    tile.launch [@kernels::@show] ins(%A, %B : !matrix, !matrix) outs(%D : !matrix)
    return
  }
}
