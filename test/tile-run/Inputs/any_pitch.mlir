// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product of 16-bit operands whose extents and pitches are known at launch.
!matrix = memref<?x?xbf16, strided<[?, 1], offset: ?>>

func.func @any_pitch(%a: !matrix, %b: !matrix, %c: !matrix, %d: !matrix, %alpha: f32, %beta: f32) {
  tile.gemm ins(%a, %b, %c : !matrix, !matrix, !matrix) outs(%d : !matrix) alpha(%alpha : f32) beta(%beta : f32)
  return
}
