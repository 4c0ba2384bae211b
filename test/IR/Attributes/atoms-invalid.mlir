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

// expected-error @below {{expected three tile extents (M, N, K), but got 2}}
func.func private @schedule_tile_rank() attributes {a = #tile.simt<tile = [128, 128], warps = [2, 4], thread = [8, 8]>}

// -----

// expected-error @below {{expected tile extents between 1 and 1024, but got 0}}
func.func private @schedule_tile_range() attributes {a = #tile.simt<tile = [128, 128, 0], warps = [2, 4], thread = [8, 8]>}

// -----

// expected-error @below {{expected warps along (M, N), but got 3 numbers}}
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

// expected-error @below {{expected group between 1 and 65536, but got 0}}
func.func private @schedule_group() attributes {a = #tile.simt<tile = [128, 128, 8], warps = [2, 4], thread = [8, 8], group = 0>}

// -----

// expected-error @below {{expected the threads to cover the tile, but got 4 warps × 32 lanes × 8 × 8 elements = 8192, and the tile has 128 × 128 = 16384}}
func.func private @schedule_does_not_cover() attributes {a = #tile.simt<tile = [128, 128, 8], warps = [2, 2], thread = [8, 8]>}

// -----

// expected-error @below {{expected warps × thread elements to divide the tile along M, but got 4 × 3 for 64}}
func.func private @schedule_does_not_divide() attributes {a = #tile.simt<tile = [64, 96, 8], warps = [4, 1], thread = [3, 16]>}

// -----

// expected-error @below {{struct is missing required parameter: thread}}
func.func private @schedule_missing_parameter() attributes {a = #tile.simt<tile = [64, 96, 8], warps = [1, 3]>}

// -----

// expected-error @below {{duplicate or unknown struct parameter}}
func.func private @schedule_unknown_parameter() attributes {a = #tile.simt<tile = [64, 96, 8], stages = 3>}
