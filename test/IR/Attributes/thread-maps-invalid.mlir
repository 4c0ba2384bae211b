// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thread maps: each rule, with the numbers.
// RUN: tile-opt %s -verify-diagnostics -split-input-file

// expected-error @below {{expected two tile extents (rows, columns), but got 1}}
func.func private @one_tile_extent() attributes {a = #tile.strip_mined<tile = [64], contiguous = 0, threads = 32, elements = 1>}

// -----

// expected-error @below {{expected tile extents between 1 and 1048576, but got 0}}
func.func private @zero_tile_extent() attributes {a = #tile.strip_mined<tile = [0, 64], contiguous = 0, threads = 32, elements = 1>}

// -----

// expected-error @below {{expected tile extents between 1 and 1048576, but got 9223372036854775807}}
func.func private @huge_tile_extent() attributes {a = #tile.strip_mined<tile = [1, 9223372036854775807], contiguous = 0, threads = 32, elements = 1>}

// -----

// expected-error @below {{expected at most 1048576 elements in a tile, but got 2097152}}
func.func private @too_many_elements_in_tile() attributes {a = #tile.strip_mined<tile = [2048, 1024], contiguous = 0, threads = 32, elements = 1>}

// -----

// expected-error @below {{expected contiguous to be 0 (rows) or 1 (columns), but got 2}}
func.func private @contiguous_dimension() attributes {a = #tile.strip_mined<tile = [64, 64], contiguous = 2, threads = 32, elements = 1>}

// -----

// expected-error @below {{expected between 1 and 1024 threads, but got 0}}
func.func private @no_threads() attributes {a = #tile.strip_mined<tile = [64, 64], contiguous = 0, threads = 0, elements = 1>}

// -----

// expected-error @below {{expected between 1 and 1024 threads, but got 2048}}
func.func private @too_many_threads() attributes {a = #tile.strip_mined<tile = [64, 64], contiguous = 0, threads = 2048, elements = 1>}

// -----

// expected-error @below {{expected elements to divide the contiguous tile extent 64, but got 0}}
// expected-note @below {{elements = 16 covers the tile exactly}}
func.func private @zero_elements() attributes {a = #tile.strip_mined<tile = [64, 64], contiguous = 0, threads = 32, elements = 0>}

// -----

// expected-error @below {{expected elements to divide the contiguous tile extent 4, but got 8}}
// expected-note @below {{elements = 4 covers the tile exactly}}
func.func private @elements_do_not_divide() attributes {a = #tile.strip_mined<tile = [64, 4], contiguous = 1, threads = 32, elements = 8>}

// -----

// expected-error @below {{expected threads to divide, or be a multiple of, the 24 accesses along the contiguous dimension, but got 32}}
// expected-note @below {{threads = 96 covers the tile exactly}}
func.func private @threads_against_accesses() attributes {a = #tile.strip_mined<tile = [64, 24], contiguous = 1, threads = 32, elements = 1>}

// -----

// expected-error @below {{expected the accesses to cover the tile exactly: 256 threads × 1 iterations × 4 elements = 1024, but the tile has 384 elements; the threads cover 128 rows at a time, which does not divide 48}}
// expected-note @below {{threads = 96 covers the tile exactly; coverage = padded masks what lies beyond the tile}}
func.func private @tile_not_covered() attributes {a = #tile.strip_mined<tile = [48, 8], contiguous = 1, threads = 256, elements = 4>}

// -----

// expected-error @below {{expected at most 4096 elements for each thread, but got 1048576}}
func.func private @fragment_too_large() attributes {a = #tile.strip_mined<tile = [1024, 1024], contiguous = 1, threads = 1, elements = 1>}

// -----

// expected-error @below {{struct is missing required parameter: elements}}
func.func private @missing_parameter() attributes {a = #tile.strip_mined<tile = [64, 64], contiguous = 0, threads = 32>}

// -----

// expected-error @below {{expected '['}}
func.func private @not_a_list() attributes {a = #tile.strip_mined<tile = 64, contiguous = 0, threads = 32, elements = 1>}

// -----

// expected-error @below {{expected integer value}}
func.func private @not_a_number() attributes {a = #tile.strip_mined<tile = [64, 64], contiguous = rows, threads = 32, elements = 1>}

// -----

// expected-error @below {{expected a layout of two modes, (threads, values), but got 3}}
func.func private @tv_rank() attributes {a = #tile.tv_map<tile = [8, 8], layout = (32, 2, 1) : (1@e0, 1@e1, 0)>}

// -----

// expected-error @below {{expected a layout of two modes, (threads, values), but got 1}}
func.func private @tv_single_mode() attributes {a = #tile.tv_map<tile = [8, 8], layout = 32 : 1@e0>}

// -----

// expected-error @below {{expected static extents, but got ?}}
func.func private @tv_dynamic_extent() attributes {a = #tile.tv_map<tile = [8, 8], layout = (?, 2) : (1@e0, 1@e1)>}

// -----

// expected-error @below {{expected strides of the form n@e0 (rows) or n@e1 (columns), but got 1}}
func.func private @tv_integer_stride() attributes {a = #tile.tv_map<tile = [8, 8], layout = (32, 2) : (1, 1@e1)>}

// -----

// expected-error @below {{expected strides of the form n@e0 (rows) or n@e1 (columns), but got ?@0}}
func.func private @tv_dynamic_stride() attributes {a = #tile.tv_map<tile = [8, 8], layout = (32, 2) : (?@e0, 1@e1)>}

// -----

// expected-error @below {{expected strides of the form n@e0 (rows) or n@e1 (columns), but got 1@2}}
func.func private @tv_third_dimension() attributes {a = #tile.tv_map<tile = [8, 8], layout = (32, 2) : (1@e2, 1@e1)>}

// -----

// expected-error @below {{expected strides of the form n@e0 (rows) or n@e1 (columns), but got 1@0@0}}
func.func private @tv_nested_basis() attributes {a = #tile.tv_map<tile = [8, 8], layout = (32, 2) : (1@e0@e0, 1@e1)>}

// -----

// expected-error @below {{expected strides of the form n@e0 (rows) or n@e1 (columns), but got -1@0}}
func.func private @tv_negative_stride() attributes {a = #tile.tv_map<tile = [8, 8], layout = (8, 8) : (-1@e0, 1@e1)>}

// -----

// expected-error @below {{expected the first value mode to have stride 1 along one dimension, but got 2}}
func.func private @tv_vector_stride() attributes {a = #tile.tv_map<tile = [8, 8], layout = (8, 8) : (1@e0, 2@e1)>}

// -----

// expected-error @below {{expected the first value mode to have stride 1 along one dimension, but got 0}}
func.func private @tv_no_values() attributes {a = #tile.tv_map<tile = [8, 8], layout = (8, ()) : (1@e0, ())>}

// -----

// expected-error @below {{expected at most 1024 threads, but got 2048}}
func.func private @tv_too_many_threads() attributes {a = #tile.tv_map<tile = [8, 8], layout = (2048, 1) : (0, 0)>}

// -----

// expected-error @below {{expected at most 4096 elements for each thread, but got 8192}}
func.func private @tv_too_many_values() attributes {a = #tile.tv_map<tile = [8, 8], layout = (1, (1, 8192)) : (0, (1@e1, 0))>}

// -----

// expected-error @below {{expected at most 4096 elements for each thread, but got 8192}}
func.func private @tv_vector_too_large() attributes {a = #tile.tv_map<tile = [8, 8], layout = (1, 8192) : (0, 1@e1)>}

// -----

// expected-error @below {{expected every element of the tile to be accessed equally often, but thread 8 accesses element (8, 0), outside the 8 by 8 tile: 16 threads × 1 iterations × 8 elements = 128, but the tile has 64 elements}}
// expected-note @below {{coverage = padded masks what lies beyond the tile}}
func.func private @tv_leaves_the_tile() attributes {a = #tile.tv_map<tile = [8, 8], layout = (16, 8) : (1@e0, 1@e1)>}

// -----

// expected-error @below {{expected every element of the tile to be accessed equally often, but thread 1 accesses element (9223372036854775807, 0), outside the 8 by 8 tile}}
func.func private @tv_huge_stride() attributes {a = #tile.tv_map<tile = [8, 8], layout = (2, 8) : (9223372036854775807@e0, 1@e1)>}

// -----

// expected-error @below {{expected every element of the tile to be accessed equally often, but element (4, 0) is accessed 0 times, element (0, 0) 1 times: 4 threads × 1 iterations × 8 elements = 32, but the tile has 64 elements}}
func.func private @tv_misses_elements() attributes {a = #tile.tv_map<tile = [8, 8], layout = (4, 8) : (1@e0, 1@e1)>}

// -----

// expected-error @below {{expected every element of the tile to be accessed equally often, but element (1, 0) is accessed 0 times, element (0, 0) 9 times (the latter by threads 0, 1, 2, …): 9 threads × 1 iterations × 8 elements = 72, but the tile has 64 elements}}
func.func private @tv_uneven() attributes {a = #tile.tv_map<tile = [8, 8], layout = (9, (8, 1)) : (0, (1@e1, 1@e0))>}

// -----

// expected-error @below {{expected the iterations that follow from tile, threads and elements: 128 threads × 8 iterations × 8 elements = 8192, but the tile has 4096 elements}}
// expected-note @below {{use iterations = 4}}
func.func private @stated_iterations() attributes {a = #tile.strip_mined<tile = [64, 64], contiguous = 1, threads = 128, elements = 8, iterations = 8>}

// -----

// expected-error @below {{expected exact, padded or any, but got some}}
func.func private @coverage_rule() attributes {a = #tile.strip_mined<tile = [64, 64], contiguous = 1, threads = 128, elements = 8, coverage = some>}

// -----

// expected-error @below {{expected threads × elements to divide the contiguous tile extent 64, but got 128 × 4 = 512}}
func.func private @thread_contiguous_chunks() attributes {a = #tile.thread_contiguous<tile = [64, 64], contiguous = 1, threads = 128, elements = 4>}

// -----

// expected-error @below {{expected threads to divide the strided tile extent 100, but got 32}}
func.func private @thread_strided_rows() attributes {a = #tile.thread_strided<tile = [100, 8], contiguous = 1, threads = 32, elements = 4>}

// -----

// expected-error @below {{expected every element of the tile to be accessed exactly once, but element (0, 6) is accessed 0 times, element (0, 0) 1 times: 32 threads × 3 iterations × 2 elements = 192, but the tile has 224 elements}}
// expected-note @below {{elements = 1 covers the tile exactly}}
func.func private @thread_strided_tail() attributes {a = #tile.thread_strided<tile = [32, 7], contiguous = 1, threads = 32, elements = 2>}

// -----

// The note proposes what the verifier takes: not a number of iterations that
// would not cover the tile either.
// expected-error @below {{expected the accesses to cover the tile exactly: 384 threads × 1 iterations × 8 elements = 3072, but the tile has 256 elements}}
// expected-note @below {{threads = 32 with iterations = 1 covers the tile exactly; coverage = padded with iterations = 1 masks what lies beyond the tile}}
func.func private @stated_iterations_of_other_threads() attributes {a = #tile.strip_mined<tile = [4, 64], contiguous = 1, threads = 384, elements = 8, iterations = 4>}

// -----

func.func private @what_the_notes_propose() attributes {
  a = #tile.strip_mined<tile = [4, 64], contiguous = 1, threads = 32, elements = 8, iterations = 1>,
  b = #tile.strip_mined<tile = [4, 64], contiguous = 1, threads = 384, elements = 8, iterations = 1, coverage = padded>}

// -----

// A block has no more threads; 1024 are accepted in ops.mlir.
// expected-error @below {{expected between 1 and 1024 threads, but got 1025}}
func.func private @one_thread_too_many() attributes {a = #tile.strip_mined<tile = [1025, 1], contiguous = 1, threads = 1025, elements = 1>}

// -----

// expected-error @below {{expected at most 1024 threads, but got 1025}}
func.func private @one_thread_too_many_in_a_layout() attributes {a = #tile.tv_map<tile = [1025, 1], layout = (1025, 1) : (1@e0, 0)>}
