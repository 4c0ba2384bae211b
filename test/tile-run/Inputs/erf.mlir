// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The error function of a sum.
!m = memref<?x?xf32, strided<[?, 1], offset: ?>>
func.func @f(%A: !m, %B: !m, %D: !m) {
 tile.gemm ins(%A, %B : !m, !m) outs(%D : !m) epilogue {
 ^bb0(%sum: f32):
  %b = math.erf %sum : f32
  tile.yield %b : f32 }
 return }
