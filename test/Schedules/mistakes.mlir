// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is no schedule, and what one schedule cannot do on a chip: one located
// error that says what there is instead.
// RUN: tile-opt %s --tile-to-ptx="chip=sm_75 stop-after=kernels" --split-input-file --verify-diagnostics

func.func @text(%a: memref<64x64xf32>) {
  tile.gemm ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>) outs(%a : memref<64x64xf32>)
    // expected-error @below {{expected a schedule such as #tile.simt<…> or #tile.warp_specialized<…>, or a list of these, but got "hello"}}
    schedule "hello"
  return
}

// -----

func.func @not_a_schedule(%a: memref<64x64xf32>) {
  // expected-error @below {{expected a schedule such as #tile.simt<…> or #tile.warp_specialized<…>, or a list of these, but got 5 : i64}}
  tile.gemm ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>) outs(%a : memref<64x64xf32>) schedule 5
  return
}

// -----

func.func @another_attribute(%a: memref<64x64xf32>) {
  // expected-error @below {{expected a schedule such as #tile.simt<…> or #tile.warp_specialized<…>, or a list of these, but got #tile.layout<8 : 1>}}
  tile.gemm ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>) outs(%a : memref<64x64xf32>) schedule #tile.layout<8 : 1>
  return
}

// -----

func.func @no_schedules(%a: memref<64x64xf32>) {
  tile.gemm ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>) outs(%a : memref<64x64xf32>)
    // expected-error @below {{or a list of these, but got []}}
    schedule []
  return
}

// -----

func.func @list_in_a_list(%a: memref<64x64xf32>) {
  tile.gemm ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>) outs(%a : memref<64x64xf32>)
    // expected-error @below {{or a list of these, but got [}}
    schedule [[#tile.simt<tile = [64, 64, 8], warps = [2, 2], thread = [8, 4]>]]
  return
}

// -----

func.func @generic(%a: memref<64x64xf32>) {
  // expected-error @below {{'tile.gemm' op attribute 'schedule' failed to satisfy constraint: a schedule such as #tile.simt<…> or #tile.warp_specialized<…>, or a list of these}}
  "tile.gemm"(%a, %a, %a) <{operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 0, 0>, schedule = "hello"}> ({}) : (memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>) -> ()
  return
}

// -----

// Not an error for each of a hundred copies.
func.func @stages(%a: memref<64x64xf32>) {
  // expected-error @below {{expected a chip with asynchronous copies, sm_80 or newer, for stages, but got sm_75}}
  tile.gemm ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>) outs(%a : memref<64x64xf32>)
    schedule #tile.simt<tile = [64, 64, 8], warps = [2, 2], thread = [8, 4], stages = 2>
  return
}

// -----

func.func @no_clusters(%a: memref<64x64xf32>) {
  // expected-error @below {{expected a chip with clusters, sm_90 or newer, for split_k, but got sm_75}}
  tile.gemm ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>) outs(%a : memref<64x64xf32>)
    schedule #tile.simt<tile = [64, 64, 8], warps = [2, 2], thread = [8, 4], split_k = 2>
  return
}
