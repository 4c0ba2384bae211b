// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thread maps, mma atoms and schedules: every form prints as it is read.
// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s

// CHECK-LABEL: @thread_maps
// CHECK-SAME: a = #tile.strip_mined<tile = [64, 64], contiguous = 1, threads = 128, elements = 4>
// CHECK-SAME: b = #tile.strip_mined<tile = [1, 1], contiguous = 0, threads = 1, elements = 1>
// Fewer threads than accesses along the contiguous dimension: 16 accesses, 4 threads.
// CHECK-SAME: c = #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 4, elements = 4>
// Widths that are no power of two.
// CHECK-SAME: d = #tile.strip_mined<tile = [44, 3], contiguous = 1, threads = 4, elements = 3>
// CHECK-SAME: e = #tile.tv_map<tile = [8, 8], layout = ((4, 8), 2) : ((2@e1, 1@e0), 1@e1)>
// Threads that share elements.
// CHECK-SAME: f = #tile.tv_map<tile = [4, 1], layout = ((2, 4), 1) : ((0, 1@e0), 0)>
func.func private @thread_maps() attributes {
  a = #tile.strip_mined<tile = [64, 64], contiguous = 1, threads = 128, elements = 4>,
  b = #tile.strip_mined<elements = 1, threads = 1, contiguous = 0, tile = [1, 1]>,
  c = #tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 4, elements = 4>,
  d = #tile.strip_mined<tile = [44, 3], contiguous = 1, threads = 4, elements = 3>,
  e = #tile.tv_map<tile = [8, 8], layout = ((4, 8), 2) : ((2@e1, 1@e0), 1@e1)>,
  f = #tile.tv_map<tile = [4, 1], layout = ((2, 4), 1) : ((0, 1@e0), 0)>
}

// CHECK-LABEL: @atoms
// CHECK-SAME: a = #tile.simt_mma<warps = [2, 4], lanes = [8, 4], thread = [8, 8], vector = 4>
func.func private @atoms() attributes {
  a = #tile.simt_mma<warps = [2, 4], lanes = [8, 4], thread = [8, 8], vector = 4>
}

// CHECK-LABEL: @schedules
// CHECK-SAME: a = #tile.simt<tile = [128, 128, 8], warps = [2, 4], thread = [8, 8], min_blocks = 2, group = 4>
// Defaults are not printed.
// CHECK-SAME: b = #tile.simt<tile = [128, 128, 8], warps = [2, 4], thread = [8, 8]>
func.func private @schedules() attributes {
  a = #tile.simt<tile = [128, 128, 8], warps = [2, 4], thread = [8, 8], min_blocks = 2, group = 4>,
  b = #tile.simt<tile = [128, 128, 8], warps = [2, 4], thread = [8, 8], min_blocks = 1, group = 8>
}
