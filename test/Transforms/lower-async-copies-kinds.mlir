// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asynchronous copies between iterators whose addresses are computed.
// RUN: tile-opt %s --tile-lower-iterators --canonicalize --cse | FileCheck %s

// Rows in the order of a list, to a swizzled tile.
!list = !tile.view<i32, global, (?) : (1)>
!matrix = !tile.view<f16, global, (?, ?{div = 8}) : (?{div = 8}, 1), align = 16>
!rows = !tile.iterator<!matrix, #tile.strip_mined<tile = [8, 64], contiguous = 1, threads = 64, elements = 8>, predicated, gather = #tile.gather<dim = 0, indices = !list>>
!tile = !tile.iterator<!tile.view<f16, shared, S<3, 3, 3> o 0 o (8, 64) : (64, 1), align = 1024>, #tile.strip_mined<tile = [8, 64], contiguous = 1, threads = 64, elements = 8>>

// The indices have been read: of the iterator come the word of predicates, the
// distance of the row, and the word of rows that are inside.
// CHECK-LABEL: @gather_to_swizzle
// CHECK-SAME: %[[MASK:[^:,]*]]: i32, %{{[^,]*}}: index, %{{[^,]*}}: index, %{{[^,]*}}: index, %{{[^,]*}}: index, %[[DISTANCE:[^:,]*]]: index, %[[INSIDE:[^:,]*]]: i32,
// CHECK-NOT: llvm.intr.masked.load
// CHECK: %[[WORD:.*]] = arith.andi %[[MASK]], %[[INSIDE]] : i32
// CHECK: %[[ON:.*]] = arith.trunci %[[WORD]] : i32 to i1
// CHECK: arith.index_cast %[[DISTANCE]]
// CHECK: arith.select %[[ON]], %c16_i32, %c0_i32
// CHECK: arith.xori
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg, %{{.*}} :
func.func @gather_to_swizzle(%from: !rows, %to: !tile) {
  tile.copy_async %from, %to : !rows, !tile
  return
}
