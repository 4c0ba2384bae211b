// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp-specialised kernels, small enough for the simulator.
!b_row = memref<?x?xbf16, strided<[?, 1], offset: ?>>
!b_col = memref<?x?xbf16, strided<[1, ?], offset: ?>>
!b_batch = memref<?x?x?xbf16, strided<[?, ?, 1], offset: ?>>
!f_row = memref<?x?xf32, strided<[?, 1], offset: ?>>
!h_col = memref<?x?xf16, strided<[1, ?], offset: ?>>
!e_row = memref<?x?xf8E4M3FN, strided<[?, 1], offset: ?>>
!e_col = memref<?x?xf8E4M3FN, strided<[1, ?], offset: ?>>

func.func @with_c(%a: !b_row, %b: !b_row, %c: !b_row, %d: !b_row, %alpha: f32, %beta: f32) {
  tile.gemm ins(%a, %b, %c : !b_row, !b_row, !b_row) outs(%d : !b_row) alpha(%alpha : f32) beta(%beta : f32)
    schedule #tile.warp_specialized<tile = [128, 64, 0], stages = 2>
  return
}

func.func @f32_result(%a: !b_row, %b: !b_col, %d: !f_row) {
  tile.gemm ins(%a, %b : !b_row, !b_col) outs(%d : !f_row)
    schedule #tile.warp_specialized<tile = [64, 64, 0], stages = 3, mode = pingpong>
  return
}

func.func @column_major(%a: !h_col, %b: !h_col, %d: !h_col) {
  tile.gemm ins(%a, %b : !h_col, !h_col) outs(%d : !h_col)
    schedule #tile.warp_specialized<tile = [128, 64, 0], stages = 2>
  return
}

func.func @batched(%a: !b_batch, %b: !b_batch, %d: !b_batch) {
  tile.gemm ins(%a, %b : !b_batch, !b_batch) outs(%d : !b_batch)
    schedule #tile.warp_specialized<tile = [64, 64, 0], stages = 2, consumers = 1>
  return
}

func.func @f8(%a: !e_row, %b: !e_col, %d: !b_row) {
  tile.gemm ins(%a, %b : !e_row, !e_col) outs(%d : !b_row)
    schedule #tile.warp_specialized<tile = [128, 64, 0], stages = 2>
  return
}
