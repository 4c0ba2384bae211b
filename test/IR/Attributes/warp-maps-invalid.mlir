// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps of warps, thread tiles and output tiles: each rule, with the numbers.
// RUN: tile-opt %s -verify-diagnostics -split-input-file

// Case I02: an arrangement of 4 by 8 lanes compiled and went out of bounds.
func.func private @i02_arrangement_that_fits() attributes {a = #tile.warp_raked<tile = [4, 64], contiguous = 1, threads = 32, warp = [8, 4], elements = 8>}

// -----

// expected-error @below {{expected warp[1] to divide the strided tile extent 4, but got 8}}
func.func private @i02_arrangement_that_does_not() attributes {a = #tile.warp_raked<tile = [4, 64], contiguous = 1, threads = 32, warp = [4, 8], elements = 8>}

// -----

// expected-error @below {{expected warp[0] to divide the 12 accesses along the contiguous dimension, but got 8}}
// expected-note @below {{elements = 4 covers the tile exactly}}
func.func private @lanes_along_contiguous() attributes {a = #tile.warp_raked<tile = [32, 96], contiguous = 1, threads = 128, warp = [8, 4], elements = 8>}

// -----

// expected-error @below {{expected at most 8 warps, one for each of the 1 by 8 accesses of a warp, but got 1024 threads / 32 lanes = 32}}
// expected-note @below {{threads = 256 covers the tile exactly}}
func.func private @too_many_warps() attributes {a = #tile.warp_raked<tile = [32, 64], contiguous = 1, threads = 1024, warp = [8, 4], elements = 8>}

// -----

// expected-error @below {{expected two numbers in warp, but got 1}}
func.func private @warp_pair() attributes {a = #tile.warp_raked<tile = [32, 64], contiguous = 1, threads = 32, warp = [32], elements = 8>}

// -----

// expected-error @below {{expected numbers between 1 and 1024 in warp, but got 0}}
func.func private @no_lanes() attributes {a = #tile.warp_raked<tile = [32, 64], contiguous = 1, threads = 32, warp = [32, 0], elements = 8>}

// -----

// expected-error @below {{expected at least the 8 × 4 = 32 threads of a warp, but got 16}}
// expected-note @below {{threads = 32 covers the tile exactly}}
func.func private @less_than_a_warp() attributes {a = #tile.warp_raked<tile = [4, 64], contiguous = 1, threads = 16, warp = [8, 4], elements = 8>}

// -----

// expected-error @below {{expected whole warps of 32 lanes, a multiple of the 1 along the contiguous dimension, but thread 32 accesses element (4, 0), outside the 4 by 64 tile: 48 threads × 1 iterations × 8 elements = 384, but the tile has 256 elements}}
// expected-note @below {{threads = 32 covers the tile exactly}}
func.func private @half_a_warp() attributes {a = #tile.strided_warp_raked<tile = [4, 64], contiguous = 1, threads = 48, warp = [8, 4], elements = 8>}

// -----

// The reference compiles this and reaches row 31.
// expected-error @below {{expected whole warps of 32 lanes, a multiple of the 3 along the contiguous dimension, but thread 96 accesses element (16, 0), outside the 16 by 192 tile: 128 threads × 4 iterations × 8 elements = 4096, but the tile has 3072 elements}}
// expected-note @below {{threads = 96 covers the tile exactly}}
func.func private @strided_raked_leaves_the_tile() attributes {a = #tile.strided_warp_raked<tile = [16, 192], contiguous = 1, threads = 128, warp = [8, 4], elements = 8>}

// -----

// The reference compiles this and skips rows 60 to 63.
// expected-error @below {{expected every element of the tile to be accessed exactly once, but element (60, 0) is accessed 0 times, element (0, 0) 1 times: 96 threads × 10 iterations × 4 elements = 3840, but the tile has 4096 elements}}
// expected-note @below {{threads = 64 covers the tile exactly}}
func.func private @striped_misses_rows() attributes {a = #tile.warp_striped<tile = [64, 64], contiguous = 1, threads = 96, warp = [8, 4], elements = 4>}

// -----

// The reference compiles this and touches elements up to four times.
// expected-error @below {{expected every element of the tile to be accessed exactly once, but thread 128 accesses element (8, 0), outside the 8 by 1024 tile: 512 threads × 8 iterations × 8 elements = 32768, but the tile has 8192 elements}}
// expected-note @below {{threads = 256 covers the tile exactly}}
func.func private @striped_touches_twice() attributes {a = #tile.warp_striped<tile = [8, 1024], contiguous = 1, threads = 512, warp = [32, 1], elements = 8>}

// -----

// The reference compiles this: squares one row apart.
// expected-error @below {{expected every element of the tile to be accessed exactly once, but element (1, 0) is accessed 2 times, element (0, 0) 1 times (the former by thread 0)}}
// expected-note @below {{threads = 64 covers the tile exactly}}
func.func private @thread_tiles_overlap() attributes {a = #tile.thread_tile<tile = [8, 256], contiguous = 1, threads = 16>}

// -----

// expected-error @below {{expected a contiguous tile extent that is a multiple of 4, but got 62}}
func.func private @thread_tile_extent() attributes {a = #tile.thread_tile<tile = [64, 62], contiguous = 1, threads = 128>}

// -----

// expected-error @below {{expected a base with one element an access, but got 4}}
func.func private @transposed_vectors() attributes {a = #tile.transposed_simt<base = #tile.strip_mined<tile = [8, 128], contiguous = 1, threads = 256, elements = 4>>}

// -----

// expected-error @below {{expected a base #tile.strip_mined<…>, but got #tile.thread_tile}}
func.func private @transposed_base() attributes {a = #tile.transposed_simt<base = #tile.thread_tile<tile = [64, 64], contiguous = 1, threads = 128>>}

// -----

// expected-error @below {{expected a thread map such as #tile.strip_mined<…>, but got 4}}
func.func private @no_base() attributes {a = #tile.transposed_simt<base = 4>}

// -----

// expected-error @below {{expected a base with one iteration across its contiguous dimension, but got 8}}
func.func private @transposed_iterations() attributes {a = #tile.transposed<base = #tile.warp_raked<tile = [32, 64], contiguous = 1, threads = 32, warp = [8, 4], elements = 8>, warp = [4, 8]>}

// -----

// expected-error @below {{expected warp to arrange the 32 lanes of the base's warps, but got 4 × 4 = 16}}
func.func private @transposed_lanes() attributes {a = #tile.transposed<base = #tile.warp_raked<tile = [16, 64], contiguous = 1, threads = 128, warp = [8, 4], elements = 8>, warp = [4, 4]>}

// -----

// expected-error @below {{expected five numbers from 1 on in shape, (column, row, group, cluster, tile), but got [128, 8]}}
func.func private @output_axes() attributes {a = #tile.output_tile<shape = [128, 8], count = [1, 8, 1, 1, 8], threads = 128, elements = 8, bits = 16>}

// -----

// expected-error @below {{expected threads to be a multiple of 32, but got 100}}
// expected-note @below {{threads = 32 covers the tile exactly}}
func.func private @output_threads() attributes {a = #tile.output_tile<shape = [128, 8, 2, 1, 1], count = [1, 8, 1, 1, 8], threads = 100, elements = 8, bits = 16>}

// -----

// The reference compiles this; lanes 24 to 31 begin a third row.
// expected-error @below {{expected the 12 accesses of a row to divide the 32 lanes of a warp, but thread 120 accesses element (128, 0), outside the 128 by 96 tile: 128 threads × 16 iterations × 8 elements = 16384, but the tile has 12288 elements}}
func.func private @output_96_columns() attributes {a = #tile.output_tile<shape = [96, 8, 2, 1, 1], count = [1, 8, 1, 1, 8], threads = 128, elements = 8, bits = 16>}

// -----

// The reference compiles this and drops 32 columns.
// expected-error @below {{expected every element of the tile to be accessed exactly once, but element (0, 128) is accessed 0 times, element (0, 0) 1 times: 128 threads × 16 iterations × 8 elements = 16384, but the tile has 20480 elements}}
func.func private @output_160_columns() attributes {a = #tile.output_tile<shape = [160, 8, 2, 1, 1], count = [1, 8, 1, 1, 8], threads = 128, elements = 8, bits = 16>}

// -----

// expected-error @below {{expected at least 4 rows for each warp, those of one access, but got 8 rows / 4 warps = 2}}
// expected-note @below {{threads = 32 covers the tile exactly}}
func.func private @output_rows() attributes {a = #tile.output_tile<shape = [64, 8, 2, 1, 1], count = [1, 4, 1, 1, 4], threads = 256, elements = 8, bits = 16>}

// -----

// expected-error @below {{expected threads to be the lanes of 2 × 2 warps of 32, 128, but got 64}}
// expected-note @below {{threads = 128 covers the tile exactly}}
func.func private @interleaved_warps() attributes {a = #tile.interleaved_output<warps = [2, 2], iterations = [8, 2], threads = 64, elements = 8>}

// -----

// expected-error @below {{expected accesses of between 1 and 256 bytes, but got 1 elements of 4 bits}}
// expected-note @below {{threads = 512 covers the tile exactly}}
func.func private @access_bits() attributes {a = #tile.output_tile<shape = [128, 8, 2, 1, 1], count = [1, 8, 1, 1, 8], threads = 128, elements = 1, bits = 4>}

// -----

// expected-error @below {{expected between 1 and 128 bits, but got 129}}
func.func private @element_bits() attributes {a = #tile.output_tile<shape = [128, 8, 2, 1, 1], count = [1, 8, 1, 1, 8], threads = 128, elements = 8, bits = 129>}

// -----

// expected-error @below {{expected one tile in shape, but got 2}}
func.func private @two_tiles() attributes {a = #tile.output_tile<shape = [128, 8, 2, 1, 2], count = [1, 8, 1, 1, 8], threads = 128, elements = 8, bits = 16>}

// -----

// expected-error @below {{expected the base's 8 threads 1 rows apart to fill whole groups of 3 rows}}
func.func private @base_rows() attributes {a = #tile.output_tile_on<base = #tile.strip_mined<tile = [8, 128], contiguous = 1, threads = 128, elements = 8>, shape = [128, 3, 2, 1, 1], iterations = [1, 1, 1, 1, 1], delta = [1, 1, 1, 1, 1], count = [1, 8, 1, 1, 8]>}

// -----

// expected-error @below {{expected a warp of at most 4 by 2 lanes, the accesses of the tile, but got 8 by 4}}
func.func private @warp_lanes() attributes {a = #tile.warp_striped<tile = [2, 16], contiguous = 1, threads = 32, warp = [8, 4], elements = 4>}

// -----

// expected-error @below {{expected a strided tile extent of at least 4, but got 2}}
func.func private @strided_small() attributes {a = #tile.thread_tile<tile = [2, 256], contiguous = 1, threads = 32>}

// -----

// expected-error @below {{expected a base with one iteration along its contiguous dimension, but got 4}}
func.func private @two_iterations() attributes {a = #tile.transposed_simt<base = #tile.strip_mined<tile = [8, 256], contiguous = 1, threads = 64, elements = 1>>}

// -----

// expected-error @below {{expected a base #tile.thread_tile<…>, but got #tile.strip_mined<tile = [64, 64], contiguous = 1, threads = 128, elements = 4>}}
func.func private @thread_tile_base() attributes {a = #tile.transposed_thread_tile<base = #tile.strip_mined<tile = [64, 64], contiguous = 1, threads = 128, elements = 4>>}

// -----

// expected-error @below {{expected a base #tile.warp_raked<…>, but got #tile.strip_mined<tile = [64, 64], contiguous = 1, threads = 128, elements = 4>}}
func.func private @raked_base() attributes {a = #tile.transposed<warp = [2, 16], base = #tile.strip_mined<tile = [64, 64], contiguous = 1, threads = 128, elements = 4>>}

// -----

// expected-error @below {{expected a pitch-linear base such as #tile.strip_mined<…>, but got #tile.output_tile<shape = [128, 8, 2, 1, 1], count = [1, 8, 1, 1, 8], threads = 128, elements = 8, bits = 16>}}
func.func private @linear_base() attributes {a = #tile.output_tile_on<base = #tile.output_tile<shape = [128, 8, 2, 1, 1], count = [1, 8, 1, 1, 8], threads = 128, elements = 8, bits = 16>, shape = [128, 1, 1, 1, 1], iterations = [1, 1, 1, 1, 1], delta = [1, 1, 1, 1, 1], count = [1, 8, 1, 1, 8]>}

// -----

// expected-error @below {{expected between 1 and 128 elements, but got 0}}
// expected-note @below {{elements = 16 covers the tile exactly}}
func.func private @interleaved_elements() attributes {a = #tile.interleaved_output<warps = [2, 2], iterations = [8, 2], threads = 128, elements = 0>}

// -----

// expected-error @below {{expected at least 256 columns, 32 accesses × 8 elements, for 1 rows of a warp, but got 16}}
func.func private @output_columns_of_access() attributes {a = #tile.output_tile<shape = [16, 3, 1, 1, 1], count = [1, 8, 1, 1, 8], threads = 64, elements = 8, bits = 16>}

// -----

// expected-error @below {{expected at most 1048576 elements in shape × count, but got at least 4294967296}}
func.func private @output_too_large() attributes {a = #tile.output_tile<shape = [65536, 65536, 1, 1, 1], count = [1, 65536, 1, 1, 8], threads = 128, elements = 8, bits = 16>}

// -----

// expected-error @below {{expected at most 1048576 elements in shape × count, but got at least 4294967296}}
func.func private @output_on_too_large() attributes {a = #tile.output_tile_on<base = #tile.strip_mined<tile = [8, 128], contiguous = 1, threads = 128, elements = 8>, shape = [65536, 65536, 2, 1, 1], iterations = [1, 1, 1, 1, 1], delta = [1, 4, 1, 1, 1], count = [1, 65536, 1, 1, 8]>}

// -----

// expected-error @below {{expected between 1 and 8 elements, the contiguous tile extent, but got 16}}
// expected-note @below {{elements = 8 covers the tile exactly}}
func.func private @thread_strided_elements() attributes {a = #tile.thread_strided<tile = [32, 8], contiguous = 1, threads = 32, elements = 16>}

// -----

// expected-error @below {{expected at most 1 warps, one for each access of a warp across the contiguous dimension, but got 4}}
// expected-note @below {{threads = 32 covers the tile exactly}}
func.func private @striped_too_many_warps() attributes {a = #tile.warp_striped<tile = [4, 64], contiguous = 1, threads = 128, warp = [8, 4], elements = 8>}

// -----

// expected-error @below {{expected threads × 16 elements to divide the 4096 elements of the tile, but got 96 × 16 = 1536}}
// expected-note @below {{threads = 64 covers the tile exactly}}
func.func private @thread_tile_threads() attributes {a = #tile.thread_tile<tile = [64, 64], contiguous = 1, threads = 96>}

// -----

// expected-error @below {{expected threads to divide, or be a multiple of, the 6 squares along the contiguous dimension, but got 4}}
// expected-note @below {{threads = 6 covers the tile exactly}}
func.func private @thread_tile_few_threads() attributes {a = #tile.thread_tile<tile = [8, 24], contiguous = 1, threads = 4>}

// -----

// expected-error @below {{expected threads to divide, or be a multiple of, the 6 squares along the contiguous dimension, but got 8}}
// expected-note @below {{threads = 6 covers the tile exactly}}
func.func private @thread_tile_many_threads() attributes {a = #tile.thread_tile<tile = [16, 24], contiguous = 1, threads = 8>}
