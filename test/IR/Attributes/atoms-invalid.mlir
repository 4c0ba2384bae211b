// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Multiply atoms and schedules: each rule, with the numbers.
// RUN: tile-opt %s -verify-diagnostics -split-input-file

// expected-error @below {{expected warps along (M, N), but got 1 numbers}}
func.func private @warps_rank() attributes {a = #tile.simt_mma<warps = [2], lanes = [8, 4], thread = [8, 8], vector = 4>}

// -----

// expected-error @below {{expected lanes between 1 and 1024, but got 0}}
func.func private @lanes_range() attributes {a = #tile.simt_mma<warps = [2, 4], lanes = [0, 4], thread = [8, 8], vector = 4>}

// -----

// expected-error @below {{expected thread between 1 and 1024, but got 4096}}
func.func private @thread_range() attributes {a = #tile.simt_mma<warps = [2, 4], lanes = [8, 4], thread = [8, 4096], vector = 4>}

// -----

// expected-error @below {{expected 32 lanes, but got 8 × 8 = 64}}
func.func private @lanes_are_a_warp() attributes {a = #tile.simt_mma<warps = [2, 4], lanes = [8, 8], thread = [8, 8], vector = 4>}

// -----

// expected-error @below {{expected at most 32 warps, but got 64}}
func.func private @too_many_warps() attributes {a = #tile.simt_mma<warps = [8, 8], lanes = [8, 4], thread = [8, 8], vector = 4>}

// -----

// expected-error @below {{expected vector to divide the elements of a thread, but got 4 for 6 × 8}}
func.func private @vector_divides() attributes {a = #tile.simt_mma<warps = [2, 4], lanes = [8, 4], thread = [6, 8], vector = 4>}

// -----

// expected-error @below {{expected vector to divide the elements of a thread, but got 0 for 8 × 8}}
func.func private @vector_zero() attributes {a = #tile.simt_mma<warps = [2, 4], lanes = [8, 4], thread = [8, 8], vector = 0>}

// -----

// expected-error @below {{expected at most 4096 elements for each thread, but got 128 × 128 = 16384}}
func.func private @accumulator_too_large() attributes {a = #tile.simt_mma<warps = [2, 4], lanes = [8, 4], thread = [128, 128], vector = 4>}

// -----

// expected-error @below {{expected 3 integers for 'tile', but got 2}}
func.func private @schedule_tile_rank() attributes {a = #tile.simt<tile = [128, 128], warps = [2, 4], thread = [8, 8]>}

// -----

// expected-error @below {{expected tile extents between 1 and 1024, but got 0}}
func.func private @schedule_tile_range() attributes {a = #tile.simt<tile = [128, 128, 0], warps = [2, 4], thread = [8, 8]>}

// -----

// expected-error @below {{expected 2 integers for 'warps', but got 3}}
func.func private @schedule_warps_rank() attributes {a = #tile.simt<tile = [128, 128, 8], warps = [2, 4, 1], thread = [8, 8]>}

// -----

// expected-error @below {{expected thread between 1 and 1024, but got -8}}
func.func private @schedule_thread_range() attributes {a = #tile.simt<tile = [128, 128, 8], warps = [2, 4], thread = [-8, 8]>}

// -----

// expected-error @below {{expected at most 32 warps, but got 64}}
func.func private @schedule_too_many_warps() attributes {a = #tile.simt<tile = [128, 128, 8], warps = [8, 8], thread = [8, 8]>}

// -----

// expected-error @below {{expected min_blocks between 1 and 32, but got 0}}
func.func private @schedule_min_blocks() attributes {a = #tile.simt<tile = [128, 128, 8], warps = [2, 4], thread = [8, 8], min_blocks = 0>}

// -----

// expected-error @below {{expected swizzle_size between 1 and 65536, but got 0}}
func.func private @schedule_group() attributes {a = #tile.simt<tile = [128, 128, 8], warps = [2, 4], thread = [8, 8], swizzle_size = 0>}

// -----

// expected-error @below {{expected the threads to cover the tile, but got 4 warps × 32 lanes × 8 × 8 elements = 8192, and the tile has 128 × 128 = 16384}}
func.func private @schedule_does_not_cover() attributes {a = #tile.simt<tile = [128, 128, 8], warps = [2, 2], thread = [8, 8]>}

// -----

// expected-error @below {{expected warps × thread elements to divide the tile along M, but got 4 × 3 for 64}}
func.func private @schedule_does_not_divide() attributes {a = #tile.simt<tile = [64, 96, 8], warps = [4, 1], thread = [3, 16]>}

// -----

// expected-error @below {{expected 'thread = …', but got none}}
func.func private @schedule_missing_parameter() attributes {a = #tile.simt<tile = [64, 96, 8], warps = [1, 3]>}

// -----

// expected-error @below {{expected tile, warps, thread, min_blocks, swizzle_size, stages or split_k, but got 'waves'; did you mean 'warps'?}}
func.func private @schedule_unknown_parameter() attributes {a = #tile.simt<tile = [64, 96, 8], waves = 3>}

// -----

// expected-error @below {{expected stages between 2 and 64, or 0 for tiles staged in registers, but got 1}}
func.func private @schedule_one_stage() attributes {a = #tile.simt<tile = [128, 128, 8], warps = [2, 4], thread = [8, 8], stages = 1>}

// -----

// expected-error @below {{expected split_k between 1 and 8, but got 0}}
func.func private @schedule_no_parts() attributes {a = #tile.simt<tile = [128, 128, 8], warps = [2, 4], thread = [8, 8], split_k = 0>}

// -----

// expected-error @below {{expected split_k between 1 and 8, but got 9}}
func.func private @schedule_many_parts() attributes {a = #tile.simt<tile = [128, 128, 8], warps = [2, 4], thread = [8, 8], split_k = 9>}

// -----

// expected-error @below {{expected split_k to divide the 128 rows of the tile, but got 3}}
func.func private @schedule_uneven_parts() attributes {a = #tile.simt<tile = [128, 128, 8], warps = [2, 4], thread = [8, 8], split_k = 3>}

// -----

// expected-error @below {{expected stages between 2 and 64, or 0 for tiles staged in registers, but got 65}}
func.func private @schedule_many_stages() attributes {a = #tile.simt<tile = [128, 128, 8], warps = [2, 4], thread = [8, 8], stages = 65>}

// -----

// expected-error @below {{expected n from 8 to 256 in steps of 8 for bf16, but got 0}}
func.func private @wgmma_no_columns() attributes {a = #tile.wgmma<n = 0, a = bf16, b = bf16, acc = f32>}

// -----

// expected-error @below {{expected n from 8 to 256 in steps of 8 for bf16, but got 12}}
func.func private @wgmma_columns() attributes {a = #tile.wgmma<n = 12, a = bf16, b = bf16, acc = f32>}

// -----

// expected-error @below {{expected n from 8 to 256 in steps of 8 for bf16, but got 264}}
func.func private @wgmma_too_many_columns() attributes {a = #tile.wgmma<n = 264, a = bf16, b = bf16, acc = f32>}

// -----

// expected-error @below {{expected n from 8 to 256 in steps of 8 for bf16, but got -8}}
func.func private @wgmma_negative_columns() attributes {a = #tile.wgmma<n = -8, a = bf16, b = bf16, acc = f32>}

// -----

// expected-error @below {{expected the element types of a wgmma atom, but got f32 x f32 -> f32}}
func.func private @wgmma_of_floats() attributes {a = #tile.wgmma<n = 8, a = f32, b = f32, acc = f32>}

// -----

// expected-error @below {{expected the element types of a wgmma atom, but got f16 x bf16 -> f32}}
func.func private @wgmma_of_different_halves() attributes {a = #tile.wgmma<n = 8, a = f16, b = bf16, acc = f32>}

// -----

// expected-error @below {{expected the element types of a wgmma atom, but got f8E5M2 x f16 -> f32}}
func.func private @wgmma_of_different_widths() attributes {a = #tile.wgmma<n = 8, a = f8E5M2, b = f16, acc = f32>}

// -----

// expected-error @below {{expected the element types of a wgmma atom, but got i8 x i8 -> f32}}
func.func private @wgmma_of_integers() attributes {a = #tile.wgmma<n = 8, a = i8, b = i8, acc = f32>}

// -----

// expected-error @below {{expected the element types of a wgmma atom, but got f8E4M3 x f8E4M3FN -> f32}}
func.func private @wgmma_of_other_8_bits() attributes {a = #tile.wgmma<n = 8, a = f8E4M3, b = f8E4M3FN, acc = f32>}

// -----

// expected-error @below {{expected the element types of a wgmma atom, but got index x memref<4xf16> -> f32}}
func.func private @wgmma_of_no_number() attributes {a = #tile.wgmma<n = 8, a = index, b = memref<4xf16>, acc = f32>}

// -----

// expected-error @below {{expected n from 8 to 256 in steps of 16, or 8 or 24, for i8, but got 40}}
func.func private @wgmma_integer_columns() attributes {a = #tile.wgmma<n = 40, a = i8, b = i8, acc = i32>}

// -----

// expected-error @below {{expected n from 8 to 256 in steps of 16, or 8 or 24, for u8, but got 56}}
func.func private @wgmma_unsigned_columns() attributes {a = #tile.wgmma<n = 56, a = ui8, b = i8, acc = i32, a_in = register>}

// -----

// expected-error @below {{expected the element types of a wgmma atom, but got si8 x si8 -> i32}}
func.func private @wgmma_of_spelled_signs() attributes {a = #tile.wgmma<n = 8, a = si8, b = si8, acc = i32>}

// -----

// expected-error @below {{expected the element types of a wgmma atom, but got tf32 x f32 -> f32}}
func.func private @wgmma_of_one_tf32() attributes {a = #tile.wgmma<n = 8, a = tf32, b = f32, acc = f32>}

// -----

// expected-error @below {{expected the element types of a wgmma atom, but got u8 x u8 -> f32}}
func.func private @wgmma_of_integers_to_floats() attributes {a = #tile.wgmma<n = 8, a = ui8, b = ui8, acc = f32>}

// -----

// expected-error @below {{expected ::tile::OperandSpace to be one of: shared, register}}
// expected-error @below {{failed to parse Tile_WgmmaAttr parameter 'a_in'}}
func.func private @wgmma_elsewhere() attributes {a = #tile.wgmma<n = 8, a = f16, b = f16, acc = f32, a_in = global>}

// -----

// expected-error @below {{expected accumulators of f32, but got 'f16'}}
func.func private @wgmma_half_sums() attributes {a = #tile.wgmma<n = 8, a = f16, b = f16, acc = f16>}

// -----

// expected-error @below {{expected 3 integers for 'tile', but got 2}}
func.func private @special_tile_rank() attributes {a = #tile.warp_specialized<tile = [128, 128], stages = 4>}

// -----

// expected-error @below {{expected 3 integers for 'tile', but got 0}}
func.func private @special_tile_empty() attributes {a = #tile.warp_specialized<tile = [], stages = 4>}

// -----

// expected-error @below {{expected 1 or 2 consumers, but got 0}}
func.func private @special_no_consumers() attributes {a = #tile.warp_specialized<tile = [128, 128, 64], stages = 4, consumers = 0>}

// -----

// expected-error @below {{expected 1 or 2 consumers, but got 3}}
func.func private @special_three_consumers() attributes {a = #tile.warp_specialized<tile = [192, 128, 64], stages = 4, consumers = 3>}

// -----

// expected-error @below {{expected 2 consumers for pingpong, but got 1}}
func.func private @special_pingpong_of_one() attributes {a = #tile.warp_specialized<tile = [128, 128, 64], stages = 4, consumers = 1, mode = pingpong>}

// -----

// expected-error @below {{expected M of the tile to be a multiple of 128 up to 256, 64 rows for each consumer, but got 64}}
func.func private @special_rows_of_two() attributes {a = #tile.warp_specialized<tile = [64, 128, 64], stages = 4>}

// -----

// expected-error @below {{expected M of the tile to be a multiple of 64 up to 256, 64 rows for each consumer, but got 96}}
func.func private @special_rows_of_one() attributes {a = #tile.warp_specialized<tile = [96, 128, 64], stages = 4, consumers = 1>}

// -----

// expected-error @below {{expected M of the tile to be a multiple of 64 up to 256, 64 rows for each consumer, but got 32}}
func.func private @special_rows_of_pingpong() attributes {a = #tile.warp_specialized<tile = [32, 128, 64], stages = 4, mode = pingpong>}

// -----

// expected-error @below {{expected M of the tile to be a multiple of 128 up to 256, 64 rows for each consumer, but got 0}}
func.func private @special_no_rows() attributes {a = #tile.warp_specialized<tile = [0, 128, 64], stages = 4>}

// -----

// expected-error @below {{expected M of the tile to be a multiple of 128 up to 256, 64 rows for each consumer, but got 384}}
func.func private @special_too_many_rows() attributes {a = #tile.warp_specialized<tile = [384, 64, 64], stages = 4>}

// -----

// expected-error @below {{expected N of the tile to be a multiple of 8 up to 256, but got 0}}
func.func private @special_no_columns() attributes {a = #tile.warp_specialized<tile = [128, 0, 64], stages = 4>}

// -----

// expected-error @below {{expected N of the tile to be a multiple of 8 up to 256, but got 20}}
func.func private @special_columns() attributes {a = #tile.warp_specialized<tile = [128, 20, 64], stages = 4>}

// -----

// expected-error @below {{expected N of the tile to be a multiple of 8 up to 256, but got 264}}
func.func private @special_too_many_columns() attributes {a = #tile.warp_specialized<tile = [128, 264, 64], stages = 4>}

// -----

// expected-error @below {{expected K of the tile to be a multiple of 16 up to 256, or 0 for 128 bytes, but got -16}}
func.func private @special_negative_k() attributes {a = #tile.warp_specialized<tile = [128, 128, -16], stages = 4>}

// -----

// expected-error @below {{expected K of the tile to be a multiple of 16 up to 256, or 0 for 128 bytes, but got 24}}
func.func private @special_k() attributes {a = #tile.warp_specialized<tile = [128, 128, 24], stages = 4>}

// -----

// expected-error @below {{expected K of the tile to be a multiple of 16 up to 256, or 0 for 128 bytes, but got 272}}
func.func private @special_too_large_k() attributes {a = #tile.warp_specialized<tile = [128, 128, 272], stages = 4>}

// -----

// expected-error @below {{expected at most 192 accumulator registers of a thread, but 256 × 256 elements over 256 threads need 256}}
func.func private @special_registers() attributes {a = #tile.warp_specialized<tile = [256, 256, 64], stages = 4>}

// -----

// expected-error @below {{expected at most 192 accumulator registers of a thread, but 128 × 256 elements over 128 threads need 256}}
func.func private @special_registers_of_pingpong() attributes {a = #tile.warp_specialized<tile = [128, 256, 64], stages = 4, mode = pingpong>}

// -----

// expected-error @below {{expected between 1 and 32 stages, but got 0}}
func.func private @special_no_stages() attributes {a = #tile.warp_specialized<tile = [128, 128, 64], stages = 0>}

// -----

// expected-error @below {{expected between 1 and 32 stages, but got 33}}
func.func private @special_too_many_stages() attributes {a = #tile.warp_specialized<tile = [128, 128, 64], stages = 33>}

// -----

// expected-error @below {{expected a cluster of 1, 2 or 4 thread blocks along M and N, but got [3, 1]}}
func.func private @special_cluster_m() attributes {a = #tile.warp_specialized<tile = [128, 128, 64], stages = 4, cluster = [3, 1]>}

// -----

// expected-error @below {{expected a cluster of 1, 2 or 4 thread blocks along M and N, but got [1, 0]}}
func.func private @special_cluster_n() attributes {a = #tile.warp_specialized<tile = [128, 128, 64], stages = 4, cluster = [1, 0]>}

// -----

// expected-error @below {{expected at most 8 thread blocks in a cluster, but got 4 × 4}}
func.func private @special_cluster_too_large() attributes {a = #tile.warp_specialized<tile = [128, 128, 64], stages = 4, cluster = [4, 4]>}

// -----

// expected-error @below {{expected each of 2 thread blocks to load a multiple of 8 columns of B, but got 24 columns}}
func.func private @special_cluster_columns() attributes {a = #tile.warp_specialized<tile = [128, 24, 64], stages = 4, cluster = [2, 1]>}

// -----

// expected-error @below {{expected each of 4 thread blocks to load a multiple of 8 columns of B, but got 8 columns}}
func.func private @special_cluster_no_columns() attributes {a = #tile.warp_specialized<tile = [128, 8, 64], stages = 4, cluster = [4, 1]>}

// -----

// expected-error @below {{expected swizzle_size between 1 and 65536, but got 0}}
func.func private @special_group() attributes {a = #tile.warp_specialized<tile = [128, 128, 64], stages = 4, swizzle_size = 0>}

// -----

// expected-error @below {{expected swizzle_size between 1 and 65536, but got 65537}}
func.func private @special_huge_group() attributes {a = #tile.warp_specialized<tile = [128, 128, 64], stages = 4, swizzle_size = 65537>}

// -----

// expected-error @below {{expected false or true for 'swap_ab', but got 2}}
func.func private @special_swap() attributes {a = #tile.warp_specialized<tile = [128, 128, 64], stages = 4, swap_ab = 2>}

// -----

// expected-error @below {{expected none, wait or prefetch for 'programmatic_launch', but got 3}}
func.func private @special_overlap() attributes {a = #tile.warp_specialized<tile = [128, 128, 64], stages = 4, programmatic_launch = 3>}

// -----

// expected-error @below {{expected false or true for 'overlap_epilogue', but got 2}}
func.func private @special_defer() attributes {a = #tile.warp_specialized<tile = [128, 128, 64], stages = 4, overlap_epilogue = 2>}

// -----

// expected-error @below {{expected false or true for 'tf32', but got 2}}
func.func private @special_tf32() attributes {a = #tile.warp_specialized<tile = [128, 128, 64], stages = 4, tf32 = 2>}

// -----

// expected-error @below {{expected false or true for 'use_tma_store', but got -1}}
func.func private @special_staged() attributes {a = #tile.warp_specialized<tile = [128, 128, 64], stages = 4, use_tma_store = -1>}

// -----

// expected-error @below {{expected split_k to be 1, 2, 4 or 8, but got 3}}
func.func private @special_split() attributes {a = #tile.warp_specialized<tile = [128, 128, 64], stages = 4, split_k = 3>}

// -----

// expected-error @below {{expected cooperative consumers with overlap_epilogue, but got pingpong}}
func.func private @special_defer_pingpong() attributes {a = #tile.warp_specialized<tile = [128, 128, 64], stages = 4, mode = pingpong, overlap_epilogue = true>}

// -----

// expected-error @below {{expected cooperative consumers with split_k, but got pingpong}}
func.func private @special_split_pingpong() attributes {a = #tile.warp_specialized<tile = [128, 128, 64], stages = 4, mode = pingpong, split_k = 2>}

// -----

// expected-error @below {{expected either overlap_epilogue or split_k, but got both}}
func.func private @special_defer_split() attributes {a = #tile.warp_specialized<tile = [128, 128, 64], stages = 4, overlap_epilogue = true, split_k = 2>}

// -----

// expected-error @below {{expected no clusters along M and N with split_k, but got 2 × 1 thread blocks}}
func.func private @special_split_cluster() attributes {a = #tile.warp_specialized<tile = [128, 128, 64], stages = 4, cluster = [2, 1], split_k = 2>}

// -----

// expected-error @below {{expected 64 rows for each consumer and a multiple of 8 columns for each of 2 parts, but got 128 × 24}}
func.func private @special_split_columns() attributes {a = #tile.warp_specialized<tile = [128, 24, 64], stages = 4, split_k = 2>}

// -----

// expected-error @below {{expected 'stages = …', but got none}}
func.func private @special_missing_stages() attributes {a = #tile.warp_specialized<tile = [128, 128, 64]>}

// -----

// expected-error @below {{expected tile, stages, consumers, mode, cluster, swizzle_size, raster_order, swap_ab, programmatic_launch, overlap_epilogue, split_k, tf32 or use_tma_store, but got 'warps'; did you mean 'stages'?}}
func.func private @special_unknown_parameter() attributes {a = #tile.warp_specialized<tile = [128, 128, 64], stages = 4, warps = 8>}

// -----

// expected-error @below {{expected 'cluster = [m, n]', but got the old name 'cluster_m'}}
func.func private @special_old_cluster_m() attributes {a = #tile.warp_specialized<tile = [128, 128, 64], stages = 4, cluster_m = 2>}

// -----

// expected-error @below {{expected 'cluster = [m, n]', but got the old name 'cluster_n'}}
func.func private @special_old_cluster_n() attributes {a = #tile.warp_specialized<tile = [128, 128, 64], stages = 4, cluster_n = 2>}

// -----

// expected-error @below {{expected 'swizzle_size = n', but got the old name 'group'}}
func.func private @special_old_group() attributes {a = #tile.warp_specialized<tile = [128, 128, 64], stages = 4, group = 16>}

// -----

// expected-error @below {{expected 'raster_order = m or n', but got the old name 'raster'}}
func.func private @special_old_raster() attributes {a = #tile.warp_specialized<tile = [128, 128, 64], stages = 4, raster = n>}

// -----

// expected-error @below {{expected 'swap_ab = true', but got the old name 'swap'}}
func.func private @special_old_swap() attributes {a = #tile.warp_specialized<tile = [128, 128, 64], stages = 4, swap = 1>}

// -----

// expected-error @below {{expected 'programmatic_launch = none, wait or prefetch', but got the old name 'overlap'}}
func.func private @special_old_overlap() attributes {a = #tile.warp_specialized<tile = [128, 128, 64], stages = 4, overlap = 1>}

// -----

// expected-error @below {{expected 'overlap_epilogue = true', but got the old name 'defer'}}
func.func private @special_old_defer() attributes {a = #tile.warp_specialized<tile = [128, 128, 64], stages = 4, defer = 1>}

// -----

// expected-error @below {{expected 'split_k = n', but got the old name 'split'}}
func.func private @special_old_split() attributes {a = #tile.warp_specialized<tile = [128, 128, 64], stages = 4, split = 2>}

// -----

// expected-error @below {{expected 'use_tma_store = true', but got the old name 'staged'}}
func.func private @special_old_staged() attributes {a = #tile.warp_specialized<tile = [128, 128, 64], stages = 4, staged = 1>}

// -----

// expected-error @below {{expected 'swizzle_size = n', but got the old name 'group'}}
func.func private @schedule_old_group() attributes {a = #tile.simt<tile = [128, 128, 8], warps = [2, 4], thread = [8, 8], group = 4>}

// -----

// expected-error @below {{expected cooperative or pingpong for 'mode', but got pingpon}}
func.func private @special_mode() attributes {a = #tile.warp_specialized<tile = [128, 128, 64], stages = 4, mode = pingpon>}

// -----

// expected-error @below {{expected 'stages' once, but got it twice}}
func.func private @special_twice() attributes {a = #tile.warp_specialized<tile = [128, 128, 64], stages = 4, stages = 3>}

// -----

// expected-error @below {{expected 2 integers for 'cluster', but got 3}}
func.func private @special_cluster_count() attributes {a = #tile.warp_specialized<tile = [128, 128, 64], stages = 4, cluster = [2, 1, 1]>}
