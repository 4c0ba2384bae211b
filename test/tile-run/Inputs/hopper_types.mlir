// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp-specialised products of tf32 and of integers.
// Factors of f32 are cut to tf32: the schedule asks for it.
!f32_rows = memref<?x?xf32, strided<[?, 1], offset: ?>>
!f32_columns = memref<?x?xf32, strided<[1, ?], offset: ?>>
func.func @tf32(%a: !f32_rows, %b: !f32_columns, %c: !f32_rows, %d: !f32_rows, %alpha: f32, %beta: f32) {
  tile.gemm ins(%a, %b, %c : !f32_rows, !f32_columns, !f32_rows) outs(%d : !f32_rows)
    alpha(%alpha : f32) beta(%beta : f32)
    schedule #tile.warp_specialized<tile = [128, 64, 0], stages = 3, tf32 = true>
  return
}

!i8_rows = memref<?x?xi8, strided<[?, 1], offset: ?>>
!i8_columns = memref<?x?xi8, strided<[1, ?], offset: ?>>
!i32_rows = memref<?x?xi32, strided<[?, 1], offset: ?>>
func.func @integers(%a: !i8_rows, %b: !i8_columns, %d: !i32_rows) {
  tile.gemm ins(%a, %b : !i8_rows, !i8_columns) outs(%d : !i32_rows)
  return
}
