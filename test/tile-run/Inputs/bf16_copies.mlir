// A hand-written bf16 kernel that wants its operands aligned, and a kernel that
// copies an operand to where they are. D is f32; one element a thread.
!row = memref<?x?xbf16, strided<[?, 1], offset: ?>>
!sum = memref<?x?xf32, strided<[?, 1], offset: ?>>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @naive(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %d: !llvm.ptr<1>,
                    %m: i64, %n: i64, %k: i64, %sa: i64, %sb: i64, %sd: i64,
                    %alpha: f32) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>,
                    tile.launch_facts = #tile.launch_facts<
                      schedule = "naive", grid = {tile = [16, 16]},
                      parameters = [A.data, B.data, D.data, M, N, K,
                                    A.stride[0], B.stride[0], D.stride[0], alpha],
                      requires = [{operand = A, unit_stride = 1, alignment = 16, stride_multiple = 8},
                                  {operand = B, unit_stride = 1, alignment = 16, stride_multiple = 8}]>} {
      %c0 = arith.constant 0 : i64
      %c1 = arith.constant 1 : i64
      %c16 = arith.constant 16 : i64
      %shift = arith.constant 16 : i32
      %zero = arith.constant 0.0 : f32
      %thread = gpu.thread_id x
      %block = gpu.block_id x
      %t = arith.index_cast %thread : index to i64
      %number = arith.index_cast %block : index to i64
      %c15 = arith.constant 15 : i64
      %n15 = arith.addi %n, %c15 : i64
      %tiles = arith.divsi %n15, %c16 : i64
      %tr = arith.divsi %number, %tiles : i64
      %tc = arith.remsi %number, %tiles : i64
      %ty = arith.divsi %t, %c16 : i64
      %tx = arith.remsi %t, %c16 : i64
      %r0 = arith.muli %tr, %c16 : i64
      %row = arith.addi %r0, %ty : i64
      %q0 = arith.muli %tc, %c16 : i64
      %column = arith.addi %q0, %tx : i64
      %rowIn = arith.cmpi slt, %row, %m : i64
      %columnIn = arith.cmpi slt, %column, %n : i64
      %in = arith.andi %rowIn, %columnIn : i1
      scf.if %in {
        %arow = arith.muli %row, %sa : i64
        %sum = scf.for %i = %c0 to %k step %c1 iter_args(%acc = %zero) -> f32 : i64 {
          %ai = arith.addi %arow, %i : i64
          %ap = llvm.getelementptr %a[%ai] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i16
          %a16 = llvm.load %ap : !llvm.ptr<1> -> i16
          %brow = arith.muli %i, %sb : i64
          %bi = arith.addi %brow, %column : i64
          %bp = llvm.getelementptr %b[%bi] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i16
          %b16 = llvm.load %bp : !llvm.ptr<1> -> i16
          %a32 = arith.extui %a16 : i16 to i32
          %b32 = arith.extui %b16 : i16 to i32
          %as = arith.shli %a32, %shift : i32
          %bs = arith.shli %b32, %shift : i32
          %af = arith.bitcast %as : i32 to f32
          %bf = arith.bitcast %bs : i32 to f32
          %p = arith.mulf %af, %bf : f32
          %next = arith.addf %acc, %p : f32
          scf.yield %next : f32
        }
        %scaled = arith.mulf %alpha, %sum : f32
        %drow = arith.muli %row, %sd : i64
        %di = arith.addi %drow, %column : i64
        %dp = llvm.getelementptr %d[%di] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
        llvm.store %scaled, %dp : f32, !llvm.ptr<1>
      }
      gpu.return
    }

    gpu.func @pack(%x: !llvm.ptr<1>, %s0: i64, %s1: i64, %packed: !llvm.ptr<1>,
                   %pitch: i64, %rows: i64, %columns: i64) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>,
                    tile.launch_facts = #tile.launch_facts<
                      schedule = "pack", grid = {pack_tile = [16, 16]},
                      parameters = [X.data, X.stride[0], X.stride[1], X.packed,
                                    X.packed_stride, X.extent[0], X.extent[1]]>} {
      %c16 = arith.constant 16 : i64
      %thread = gpu.thread_id x
      %block = gpu.block_id x
      %t = arith.index_cast %thread : index to i64
      %number = arith.index_cast %block : index to i64
      %c15 = arith.constant 15 : i64
      %columns15 = arith.addi %columns, %c15 : i64
      %tiles = arith.divsi %columns15, %c16 : i64
      %tr = arith.divsi %number, %tiles : i64
      %tc = arith.remsi %number, %tiles : i64
      %ty = arith.divsi %t, %c16 : i64
      %tx = arith.remsi %t, %c16 : i64
      %r0 = arith.muli %tr, %c16 : i64
      %row = arith.addi %r0, %ty : i64
      %q0 = arith.muli %tc, %c16 : i64
      %column = arith.addi %q0, %tx : i64
      %rowIn = arith.cmpi slt, %row, %rows : i64
      %columnIn = arith.cmpi slt, %column, %columns : i64
      %in = arith.andi %rowIn, %columnIn : i1
      scf.if %in {
        %from0 = arith.muli %row, %s0 : i64
        %from1 = arith.muli %column, %s1 : i64
        %from = arith.addi %from0, %from1 : i64
        %fp = llvm.getelementptr %x[%from] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i16
        %value = llvm.load %fp : !llvm.ptr<1> -> i16
        %to0 = arith.muli %row, %pitch : i64
        %to = arith.addi %to0, %column : i64
        %tp = llvm.getelementptr %packed[%to] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i16
        llvm.store %value, %tp : i16, !llvm.ptr<1>
      }
      gpu.return
    }
  }
  func.func @gemm(%A: !row, %B: !row, %D: !sum, %alpha: f32) {
    tile.launch [@kernels::@naive,
                 @kernels::@naive after (A by @kernels::@pack, contiguous = 1, pitch_multiple = 8)
                                    and (B by @kernels::@pack, contiguous = 1, pitch_multiple = 8)]
      ins(%A, %B : !row, !row) outs(%D : !sum) alpha(%alpha : f32)
    return
  }
}
