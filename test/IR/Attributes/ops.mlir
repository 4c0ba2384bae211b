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

// CHECK-LABEL: @cutlass_maps
// CHECK-SAME: a = #tile.thread_contiguous<tile = [4, 256], contiguous = 1, threads = 64, elements = 2>
// CHECK-SAME: b = #tile.thread_strided<tile = [128, 8], contiguous = 1, threads = 128, elements = 4>
// CHECK-SAME: c = #tile.warp_raked<tile = [64, 64], contiguous = 1, threads = 128, warp = [8, 4], elements = 4>
// CHECK-SAME: d = #tile.strided_warp_raked<tile = [4, 1024], contiguous = 1, threads = 128, warp = [32, 1], elements = 16>
// CHECK-SAME: e = #tile.warp_striped<tile = [64, 64], contiguous = 0, threads = 128, warp = [8, 4], elements = 4>
// CHECK-SAME: f = #tile.thread_tile<tile = [64, 64], contiguous = 1, threads = 128>
// CHECK-SAME: g = #tile.transposed_simt<base = #tile.strip_mined<tile = [128, 8], contiguous = 1, threads = 256, elements = 1>>
// CHECK-SAME: h = #tile.transposed_thread_tile<base = #tile.thread_tile<tile = [64, 64], contiguous = 1, threads = 128>>
// CHECK-SAME: i = #tile.transposed<base = #tile.warp_raked<tile = [2, 4096], contiguous = 1, threads = 128, warp = [32, 1], elements = 16>, warp = [2, 16]>
// CHECK-SAME: j = #tile.output_tile<shape = [128, 8, 2, 1, 1], count = [1, 8, 1, 1, 8], threads = 128, elements = 8, bits = 16>
// CHECK-SAME: k = #tile.output_tile_on<base = #tile.strip_mined<tile = [8, 128], contiguous = 1, threads = 128, elements = 8>, shape = [128, 4, 2, 1, 1], iterations = [1, 1, 1, 1, 1], delta = [1, 4, 1, 1, 1], count = [1, 8, 1, 1, 8]>
// CHECK-SAME: l = #tile.interleaved_output<warps = [2, 2], iterations = [8, 2], threads = 128, elements = 8>
// CHECK-SAME: m = #tile.interleaved_conv_output<warps = [2, 2], iterations = [8, 2], threads = 128, elements = 8>
func.func private @cutlass_maps() attributes {
  a = #tile.thread_contiguous<tile = [4, 256], contiguous = 1, threads = 64, elements = 2>,
  b = #tile.thread_strided<tile = [128, 8], contiguous = 1, threads = 128, elements = 4>,
  c = #tile.warp_raked<tile = [64, 64], contiguous = 1, threads = 128, warp = [8, 4], elements = 4>,
  d = #tile.strided_warp_raked<tile = [4, 1024], contiguous = 1, threads = 128, warp = [32, 1], elements = 16>,
  e = #tile.warp_striped<tile = [64, 64], contiguous = 0, threads = 128, warp = [8, 4], elements = 4, coverage = exact>,
  f = #tile.thread_tile<tile = [64, 64], contiguous = 1, threads = 128>,
  g = #tile.transposed_simt<base = #tile.strip_mined<tile = [128, 8], contiguous = 1, threads = 256, elements = 1>>,
  h = #tile.transposed_thread_tile<base = #tile.thread_tile<tile = [64, 64], contiguous = 1, threads = 128>>,
  i = #tile.transposed<base = #tile.warp_raked<tile = [2, 4096], contiguous = 1, threads = 128, warp = [32, 1], elements = 16>, warp = [2, 16]>,
  j = #tile.output_tile<shape = [128, 8, 2, 1, 1], count = [1, 8, 1, 1, 8], threads = 128, elements = 8, bits = 16>,
  k = #tile.output_tile_on<base = #tile.strip_mined<tile = [8, 128], contiguous = 1, threads = 128, elements = 8>,
    shape = [128, 4, 2, 1, 1], iterations = [1, 1, 1, 1, 1], delta = [1, 4, 1, 1, 1], count = [1, 8, 1, 1, 8]>,
  l = #tile.interleaved_output<warps = [2, 2], iterations = [8, 2], threads = 128, elements = 8>,
  m = #tile.interleaved_conv_output<warps = [2, 2], iterations = [8, 2], threads = 128, elements = 8>
}

// CHECK-LABEL: @coverage
// Rows 10 to 15 are beyond the tile.
// CHECK-SAME: a = #tile.strip_mined<tile = [10, 16], contiguous = 1, threads = 32, elements = 4, coverage = padded>
// CHECK-SAME: b = #tile.warp_striped<tile = [8, 1024], contiguous = 1, threads = 512, warp = [32, 1], elements = 8, coverage = any>
// CHECK-SAME: c = #tile.tv_map<tile = [6, 8], layout = (8, 8) : (1@e0, 1@e1), coverage = padded>
// CHECK-SAME: d = #tile.strip_mined<tile = [64, 64], contiguous = 1, threads = 128, elements = 8, iterations = 4>
func.func private @coverage() attributes {
  a = #tile.strip_mined<tile = [10, 16], contiguous = 1, threads = 32, elements = 4, coverage = padded>,
  b = #tile.warp_striped<tile = [8, 1024], contiguous = 1, threads = 512, warp = [32, 1], elements = 8, coverage = any>,
  c = #tile.tv_map<tile = [6, 8], layout = (8, 8) : (1@e0, 1@e1), coverage = padded>,
  d = #tile.strip_mined<tile = [64, 64], contiguous = 1, threads = 128, elements = 8, iterations = 4>
}

// CHECK-LABEL: @atoms
// CHECK-SAME: a = #tile.simt_mma<warps = [2, 4], lanes = [8, 4], thread = [8, 8], vector = 4>
func.func private @atoms() attributes {
  a = #tile.simt_mma<warps = [2, 4], lanes = [8, 4], thread = [8, 8], vector = 4>
}

// CHECK-LABEL: @schedules
// CHECK-SAME: a = #tile.simt<tile = [128, 128, 8], warps = [2, 4], thread = [8, 8], min_blocks = 2, swizzle_size = 4>
// Defaults are not printed.
// CHECK-SAME: b = #tile.simt<tile = [128, 128, 8], warps = [2, 4], thread = [8, 8]>
// CHECK-SAME: c = #tile.simt<tile = [128, 128, 8], warps = [2, 4], thread = [8, 8], stages = 4>
func.func private @schedules() attributes {
  a = #tile.simt<tile = [128, 128, 8], warps = [2, 4], thread = [8, 8], min_blocks = 2, swizzle_size = 4>,
  b = #tile.simt<tile = [128, 128, 8], warps = [2, 4], thread = [8, 8], min_blocks = 1, swizzle_size = 8, stages = 0>,
  c = #tile.simt<tile = [128, 128, 8], warps = [2, 4], thread = [8, 8], stages = 4>
}
