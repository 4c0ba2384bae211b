// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads of matrices by a warp.
// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s

!rows = !tile.view<f16, shared, S<3, 3, 3> o 0 o (64, 64) : (64, 1), align = 1024>
!columns = !tile.view<bf16, shared, (64, 64) : (1, 72), align = 16>
!bytes = !tile.view<f8E4M3FN, shared, (?, 64) : (?{div = 16}, 1), align = 16>

// CHECK-LABEL: @load_matrix
func.func @load_matrix(%a: !rows, %b: !columns, %c: !bytes, %m: index, %k: index, %lane: index) {
  // CHECK: tile.load_matrix %{{.*}}(%{{.*}}, %{{.*}}{div = 16}), %{{.*}} tile [16, 16] : <f16, {{.*}}> -> vector<8xf16>
  %0 = tile.load_matrix %a(%m, %k {div = 16}), %lane tile [16, 16] : !rows -> vector<8xf16>
  // CHECK: tile.load_matrix %{{.*}}(0, 8), %{{.*}} tile [16, 8] along 1 : <bf16, {{.*}}> -> vector<4xbf16>
  %1 = tile.load_matrix %b(0, 8), %lane tile [16, 8] along 1 : !columns -> vector<4xbf16>
  // CHECK: tile.load_matrix %{{.*}}(%{{.*}}, 32), %{{.*}} tile [8, 16] : <f8E4M3FN, {{.*}}> -> vector<4xf8E4M3FN>
  %2 = tile.load_matrix %c(%m, 32), %lane tile [8, 16] : !bytes -> vector<4xf8E4M3FN>
  return
}
