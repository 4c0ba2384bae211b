// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recipes of layouts: each rule, once.
// RUN: tile-opt %s -verify-diagnostics -split-input-file

// expected-error @below {{expected fprop, dgrad, wgrad or depthwise, but got bprop}}
func.func private @operator() attributes {a = #tile.conv<bprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3)>}

// -----

// expected-error @below {{expected activation, filter or output, but got weights}}
func.func private @tensor() attributes {a = #tile.conv<fprop weights, input = (2, 8, 8, 16), filter = (8, 3, 3)>}

// -----

// expected-error @below {{expected input, filter, output, pad, stride, dilation, block, slices, slice, groups, start, tile or mirrored, but got padding}}
func.func private @clause() attributes {a = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3), padding = (1, 1)>}

// -----

// expected-error @below {{expected one pad, but got another}}
func.func private @twice() attributes {a = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3), pad = (1, 1), pad = (1, 1)>}

// -----

// expected-error @below {{expected an input (n, …, c) of one to three spatial dimensions, but got 0}}
func.func private @no_input() attributes {a = #tile.conv<fprop activation, filter = (8, 3, 3)>}

// -----

// expected-error @below {{expected an input (n, …, c) of one to three spatial dimensions, but got (2, 16)}}
func.func private @input_rank() attributes {a = #tile.conv<fprop activation, input = (2, 16), filter = (8, 3, 3)>}

// -----

// expected-error @below {{expected an input (n, …, c) of one to three spatial dimensions, but got (2, 8, 8, 8, 8, 16)}}
func.func private @input_six() attributes {a = #tile.conv<fprop activation, input = (2, 8, 8, 8, 8, 16), filter = (8, 3, 3)>}

// -----

// expected-error @below {{expected an input (n, …, c) of one to three spatial dimensions, but got (2, _, 8, 16)}}
func.func private @input_wild() attributes {a = #tile.conv<fprop activation, input = (2, _, 8, 16), filter = (8, 3, 3)>}

// -----

// expected-error @below {{expected an input (n, …, c) of one to three spatial dimensions, but got (2, 1@0, 8, 16)}}
func.func private @input_basis() attributes {a = #tile.conv<fprop activation, input = (2, 1@e0, 8, 16), filter = (8, 3, 3)>}

// -----

// expected-error @below {{expected an input (n, …, c) of one to three spatial dimensions, but got (2, (4, 2), 8, 16)}}
func.func private @input_nested() attributes {a = #tile.conv<fprop activation, input = (2, (4, 2), 8, 16), filter = (8, 3, 3)>}

// -----

// expected-error @below {{expected a filter (k, …) of 3 integers, but got (8, 3)}}
func.func private @filter_rank() attributes {a = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3)>}

// -----

// expected-error @below {{expected a filter (k, …) of 3 integers, but got (8, 3, 3, 16)}}
func.func private @filter_channels() attributes {a = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3, 16)>}

// -----

// expected-error @below {{expected an output of 2 integers, but got (8, 8, 8)}}
func.func private @output_rank() attributes {a = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3), output = (8, 8, 8)>}

// -----

// expected-error @below {{expected padding of 2 integers, but got 1}}
func.func private @pad_rank() attributes {a = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3), pad = 1>}

// -----

// expected-error @below {{expected strides of 2 integers, but got (1, 1, 1)}}
func.func private @stride_rank() attributes {a = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3), stride = (1, 1, 1)>}

// -----

// expected-error @below {{expected dilations of 2 integers, but got (_, 1)}}
func.func private @dilation_rank() attributes {a = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3), dilation = (_, 1)>}

// -----

// expected-error @below {{expected a start of 2 integers, but got (1, 1, 1)}}
func.func private @start_rank() attributes {a = #tile.conv<dgrad output, input = (2, 8, 8, 16), filter = (8, 3, 3), stride = (2, 2), start = (1, 1, 1)>}

// -----

// expected-error @below {{expected an output tile of 2 integers, but got (4, 4, 4)}}
func.func private @tile_rank() attributes {a = #tile.conv<depthwise output, input = (2, 8, 8, 8), filter = (8, 3, 3), tile = (4, 4, 4)>}

// -----

// expected-error @below {{expected an integer for slices, but got (1, 2)}}
func.func private @slices_tuple() attributes {a = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3), block = 8, slices = (1, 2)>}

// -----

// expected-error @below {{expected an integer for slice, but got _}}
func.func private @slice_wild() attributes {a = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3), block = 8, slices = 2, slice = _>}

// -----

// expected-error @below {{expected an integer for groups, but got 2@0}}
func.func private @groups_basis() attributes {a = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3), block = 8, groups = 2@e0>}

// -----

// expected-error @below {{expected a block of at least 1 channel, but got -8}}
func.func private @block_negative() attributes {a = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3), block = -8>}

// -----

// expected-error @below {{expected a block with fprop or dgrad only, but got wgrad}}
func.func private @block_wgrad() attributes {a = #tile.conv<wgrad activation, input = (2, 8, 8, 16), filter = (8, 3, 3), block = 8>}

// -----

// expected-error @below {{expected slices of blocks, but got all channels at once}}
func.func private @slices_whole() attributes {a = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3), slices = 2>}

// -----

// expected-error @below {{expected groups with fprop only, but got dgrad}}
func.func private @groups_dgrad() attributes {a = #tile.conv<dgrad output, input = (2, 8, 8, 16), filter = (8, 3, 3), block = 8, groups = 2>}

// -----

// expected-error @below {{expected a start with dgrad only, but got fprop}}
func.func private @start_fprop() attributes {a = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3), start = (0, 0)>}

// -----

// expected-error @below {{expected an output tile if and only if it is the activation or output of depthwise, but got none for depthwise activation}}
func.func private @tile_missing() attributes {a = #tile.conv<depthwise activation, input = (2, 8, 8, 8), filter = (8, 3, 3)>}

// -----

// expected-error @below {{expected an output tile if and only if it is the activation or output of depthwise, but got one for fprop activation}}
func.func private @tile_fprop() attributes {a = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3), tile = (4, 4)>}

// -----

// expected-error @below {{expected n of at least 1, but got 0}}
func.func private @n() attributes {a = #tile.conv<fprop activation, input = (0, 8, 8, 16), filter = (8, 3, 3)>}

// -----

// expected-error @below {{expected c of at least 1, but got -16}}
func.func private @c() attributes {a = #tile.conv<fprop activation, input = (2, 8, 8, -16), filter = (8, 3, 3)>}

// -----

// expected-error @below {{expected k of at least 1, but got 0}}
func.func private @k() attributes {a = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (0, 3, 3)>}

// -----

// expected-error @below {{expected groups of at least 1, but got 0}}
func.func private @groups_zero() attributes {a = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3), block = 8, groups = 0>}

// -----

// expected-error @below {{expected an input along spatial dimension 1 of at least 1, but got 0}}
func.func private @input_zero() attributes {a = #tile.conv<fprop activation, input = (2, 8, 0, 16), filter = (8, 3, 3)>}

// -----

// expected-error @below {{expected a filter along spatial dimension 0 of at least 1, but got 0}}
func.func private @filter_zero() attributes {a = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 0, 3)>}

// -----

// expected-error @below {{expected padding along spatial dimension 1 of at least 0, but got -1}}
func.func private @pad_negative() attributes {a = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3), pad = (1, -1)>}

// -----

// expected-error @below {{expected a stride along spatial dimension 0 of at least 1, but got 0}}
func.func private @stride_zero() attributes {a = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3), stride = (0, 1)>}

// -----

// expected-error @below {{expected a dilation along spatial dimension 1 of at least 1, but got 0}}
func.func private @dilation_zero() attributes {a = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3), dilation = (1, 0)>}

// -----

// expected-error @below {{expected a filter within the 6 elements of the padded input along spatial dimension 1, but got one that reaches over 9}}
func.func private @filter_large() attributes {a = #tile.conv<fprop activation, input = (2, 8, 4, 16), filter = (8, 3, 5), dilation = (1, 2), pad = (0, 1)>}

// -----

// expected-error @below {{expected an output along spatial dimension 0 of at least 1, but got 0}}
func.func private @output_zero() attributes {a = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3), output = (0, 6)>}

// -----

// expected-error @below {{expected a product of 2 and 9223372036854775807 that fits in 64 bits, but it overflows}}
func.func private @padding_overflow() attributes {a = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3), pad = (9223372036854775807, 1)>}

// -----

// expected-error @below {{expected a sum of 8 and 9223372036854775806 that fits in 64 bits, but it overflows}}
func.func private @reach_overflow() attributes {a = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3), dilation = (4611686018427387904, 1), pad = (4611686018427387903, 1)>}

// -----

// expected-error @below {{expected a product of 36 and 9223372036854775807 that fits in 64 bits, but it overflows}}
func.func private @map_overflow() attributes {a = #tile.conv<fprop output, input = (9223372036854775807, 8, 8, 16), filter = (8, 3, 3)>}

// -----

// expected-error @below {{expected slices of at least 1, but got 0}}
func.func private @slices_zero() attributes {a = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3), block = 8, slices = 0>}

// -----

// expected-error @below {{expected a slice of 0 or more, and less than the 2 slices, but got 2}}
func.func private @slice_beyond() attributes {a = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3), block = 8, slices = 2, slice = 2>}

// -----

// expected-error @below {{expected a dilation of 1 with a start, but got 2}}
func.func private @start_dilation() attributes {a = #tile.conv<dgrad output, input = (2, 8, 8, 16), filter = (8, 3, 3), stride = (2, 2), dilation = (2, 2), start = (0, 0)>}

// -----

// expected-error @below {{expected a start of 0 or more, and less than stride and filter, 2 and 3, but got 2}}
func.func private @start_beyond() attributes {a = #tile.conv<dgrad output, input = (2, 8, 8, 16), filter = (8, 3, 3), stride = (2, 2), start = (0, 2)>}

// -----

// expected-error @below {{expected an output tile of constants between 1 and 1048576, but got (4, ?)}}
func.func private @tile_dynamic() attributes {a = #tile.conv<depthwise output, input = (2, 8, 8, 8), filter = (8, 3, 3), tile = (4, ?)>}

// -----

// expected-error @below {{expected an output tile of constants between 1 and 1048576, but got (0, 4)}}
func.func private @tile_zero() attributes {a = #tile.conv<depthwise output, input = (2, 8, 8, 8), filter = (8, 3, 3), tile = (0, 4)>}

// -----

// expected-error @below {{expected as many results as channels of a depthwise convolution, 16, but got 8}}
func.func private @depthwise_results() attributes {a = #tile.conv<depthwise filter, input = (2, 8, 8, 16), filter = (8, 3, 3)>}

// -----

// expected-error @below {{expected channels that are a multiple of the 3 groups, but got 16}}
func.func private @groups_odd() attributes {a = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3), block = 8, groups = 3>}

// -----

// expected-error @below {{expected channels that are a multiple of the 4 groups, but got 6}}
func.func private @groups_results() attributes {a = #tile.conv<fprop filter, input = (2, 8, 8, 16), filter = (6, 3, 3), block = 8, groups = 4>}

// -----

// expected-error @below {{expected channels that are a multiple of the 4 groups, but got ?}}
func.func private @groups_unknown() attributes {a = #tile.conv<fprop filter, input = (2, 8, 8, ?), filter = (8, 3, 3), block = 8, groups = 4>}

// -----

// expected-error @below {{expected blocks of channels for a convolution of groups, but got all channels at once}}
func.func private @groups_whole() attributes {a = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3), groups = 2>}

// -----

// expected-error @below {{expected '>'}}
func.func private @unclosed() attributes {a = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3) pad = (1, 1)>}

// -----

// expected-error @below {{expected tensor4d_0213_row_major, tensor4d_0213_column_major, tensor5d_20314_row_major, tensor5d_02413_column_major, tensor4d_bmm_0213_row_major or tensor4d_bmm_0321_column_major, but got tensor4d_0312_row_major}}
func.func private @permutation() attributes {a = #tile.permuted<tensor4d_0312_row_major, extents = (8, 8), factors = [2, 2]>}

// -----

// expected-error @below {{expected extents, factors or inverse, but got shape}}
func.func private @permuted_clause() attributes {a = #tile.permuted<tensor4d_0213_row_major, shape = (8, 8), factors = [2, 2]>}

// -----

// expected-error @below {{expected extents of 2 integers, but got (8, 8, 8)}}
func.func private @permuted_extents() attributes {a = #tile.permuted<tensor4d_0213_row_major, extents = (8, 8, 8), factors = [2, 2]>}

// -----

// expected-error @below {{expected extents of 3 integers, but got (8, 8)}}
func.func private @permuted_batches() attributes {a = #tile.permuted<tensor4d_bmm_0213_row_major, extents = (8, 8), factors = [2]>}

// -----

// expected-error @below {{expected 3 factors between 1 and 1073741824, but got [2, 2]}}
func.func private @permuted_factors() attributes {a = #tile.permuted<tensor5d_20314_row_major, extents = (8, 8), factors = [2, 2]>}

// -----

// expected-error @below {{expected 2 factors between 1 and 1073741824, but got [0, 2]}}
func.func private @permuted_zero() attributes {a = #tile.permuted<tensor4d_0213_row_major, extents = (8, 8), factors = [0, 2]>}

// -----

// expected-error @below {{expected extents of at least 1, but got (8, 0)}}
func.func private @permuted_empty() attributes {a = #tile.permuted<tensor4d_0213_row_major, extents = (8, 0), factors = [2, 2]>}

// -----

// expected-error @below {{expected rows that are a multiple of 2, but got 9}}
func.func private @permuted_odd() attributes {a = #tile.permuted<tensor4d_0213_row_major, extents = (9, 8), factors = [2, 2]>}

// -----

// expected-error @below {{expected rows that are a multiple of 2, but got a number known to be a multiple of 3}}
func.func private @permuted_unknown() attributes {a = #tile.permuted<tensor4d_0213_row_major, extents = (?{div = 3}, 8), factors = [2, 2]>}

// -----

// expected-error @below {{expected a product of 4611686018427387904 and 2 that fits in 64 bits, but it overflows}}
func.func private @permuted_overflow() attributes {a = #tile.permuted<tensor4d_0213_row_major, extents = (4611686018427387904, 4), factors = [2, 2]>}

// -----

// expected-error @below {{expected tensor_op, congruous_32b, congruous_64b, congruous_128b, crosswise_64b, crosswise_128x4, row_major_interleaved, volta_congruous, volta_b_congruous or volta_crosswise, but got ampere}}
func.func private @operand_kind() attributes {a = #tile.shared_operand<ampere, shape = [8, 64]>}

// -----

// expected-error @below {{expected shape, contiguous, pitch, bits or section, but got width}}
func.func private @operand_clause() attributes {a = #tile.shared_operand<tensor_op, shape = [8, 64], width = 3>}

// -----

// expected-error @below {{expected a shape [rows, columns], but got 1 numbers}}
func.func private @operand_shape() attributes {a = #tile.shared_operand<tensor_op, shape = [8], bits = 16, section = 32>}

// -----

// expected-error @below {{expected a shape [rows, columns], but got 0 numbers}}
func.func private @operand_no_shape() attributes {a = #tile.shared_operand<tensor_op, bits = 16, section = 32>}

// -----

// expected-error @below {{expected contiguous to be 0 (rows) or 1 (columns), but got 2}}
func.func private @operand_contiguous() attributes {a = #tile.shared_operand<tensor_op, shape = [8, 64], contiguous = 2, bits = 16, section = 32>}

// -----

// expected-error @below {{expected bits and section if and only if it is tensor_op, but got 16 and 0 for congruous_64b}}
func.func private @operand_bits() attributes {a = #tile.shared_operand<congruous_64b, shape = [16, 4], bits = 16>}

// -----

// expected-error @below {{expected bits and section if and only if it is tensor_op, but got 16 and 0 for tensor_op}}
func.func private @operand_section() attributes {a = #tile.shared_operand<tensor_op, shape = [8, 64], contiguous = 1, bits = 16>}

// -----

// expected-error @below {{expected elements of 1 to 64 bits, a power of two, but got 12}}
func.func private @operand_odd_bits() attributes {a = #tile.shared_operand<tensor_op, shape = [8, 64], contiguous = 1, bits = 12, section = 32>}

// -----

// expected-error @below {{expected a contiguous extent that is a multiple of 32, but got 48}}
func.func private @operand_extent() attributes {a = #tile.shared_operand<tensor_op, shape = [8, 48], contiguous = 1, bits = 16, section = 32>}

// -----

// expected-error @below {{expected a pitch that is a multiple of 32 elements, at least 64, but got 32}}
func.func private @operand_pitch() attributes {a = #tile.shared_operand<tensor_op, shape = [8, 64], contiguous = 1, pitch = 32, bits = 16, section = 32>}

// -----

// expected-error @below {{expected a strided extent that is a multiple of 32, but got -64}}
func.func private @operand_negative() attributes {a = #tile.shared_operand<volta_crosswise, shape = [-64, 32], contiguous = 1>}

// -----

// expected-error @below {{expected a product of 128 and 4611686018427387900 that fits in 64 bits, but it overflows}}
func.func private @operand_huge() attributes {a = #tile.shared_operand<tensor_op, shape = [9223372036854775800, 64], contiguous = 1, bits = 16, section = 32>}

// -----

// expected-error @below {{expected rows of one or more extents, but got (2, (3, 4))}}
func.func private @modes_nested() attributes {a = #tile.modes<rows = (2, (3, 4)), columns = 4>}

// -----

// expected-error @below {{expected rows of one or more extents, but got ()}}
func.func private @modes_none() attributes {a = #tile.modes<rows = (), columns = 4>}

// -----

// expected-error @below {{expected rows of one or more extents, but got _}}
func.func private @modes_wild() attributes {a = #tile.modes<rows = _, columns = 4>}

// -----

// expected-error @below {{expected extents of at least 1, but got 0}}
func.func private @modes_zero() attributes {a = #tile.modes<rows = 3, columns = (0, 2)>}

// -----

// expected-error @below {{expected a tensor of up to 8 modes, but got 9}}
func.func private @modes_many() attributes {a = #tile.modes<rows = (2, 2, 2, 2, 2), columns = (2, 2, 2, 2)>}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected a coordinate map such as #tile.conv<…>, but got #tile.layout<(2, 2) : (1, 2)>}}
func.func private @coords_layout(!tile.iterator<!tile.view<f32, global, (2, 8, 8, 16) : (1024, 128, 16, 1)>, #map, coords #tile.layout<(2, 2) : (1, 2)>, masked>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{undefined symbol alias id 'nothing'}}
func.func private @coords_number(!tile.iterator<!tile.view<f32, global, (2, 8, 8, 16) : (1024, 128, 16, 1)>, #map, coords #nothing, masked>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
#conv = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3), pad = (1, 1)>
// expected-error @below {{expected one divide, but got another}}
func.func private @coords_divide(!tile.iterator<!tile.view<f32, global, (2, 8, 8, 16) : (1024, 128, 16, 1)>, #map, coords #conv, divide (1, 2, 2, 1), masked>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
#conv = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3), pad = (1, 1)>
// expected-error @below {{expected strides of coords along the 2 modes of the view, but got @e2}}
func.func private @coords_modes(!tile.iterator<!tile.view<f32, global, (2, 8) : (8, 1)>, #map, coords #conv, masked>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
// expected-error @below {{expected a permutation of rows and columns as coords, but got one of batches, tensor4d_bmm_0213_row_major}}
func.func private @coords_batches(!tile.iterator<!tile.view<f32, global, (128) : (1)>, #map, coords #tile.permuted<tensor4d_bmm_0213_row_major, extents = (8, 8, 2), factors = [2]>, masked>)

// -----

#conv = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3), pad = (1, 1)>
// expected-error @below {{expected a layout such as #tile.layout<…>, #tile.permuted<…> or #tile.shared_operand<…>, but got #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3), pad = (1, 1)>}}
func.func private @view_conv(!tile.view<f32, global, #conv>)

// -----

// expected-error @below {{expected one layout, but got 2 that are applied one after the other, which permute of a tile iterator takes}}
func.func private @view_chain(!tile.view<f16, shared, #tile.shared_operand<tensor_op, shape = [8, 96], contiguous = 1, bits = 16, section = 32>, align = 1024>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
#conv = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3), pad = (1, 1)>
// expected-error @below {{expected a layout such as #tile.layout<…>, #tile.permuted<…> or #tile.shared_operand<…>, but got #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3), pad = (1, 1)>}}
func.func private @permute_conv(!tile.iterator<!tile.view<f32, shared, (64) : (1)>, #map, permute = #conv>)

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
#conv = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3), pad = (1, 1)>
!it = !tile.iterator<!tile.view<f32, global, (2, 8, 8, 16) : (1024, 128, 16, 1)>, #map, coords #conv, advance = 1, masked>
func.func @sizes(%x: !tile.view<f32, global, (2, 8, 8, 16) : (1024, 128, 16, 1)>, %t: index) {
  // expected-error @below {{'tile.make_tensor_iterator' op expected one operand for each of the 0 run-time sizes of its recipe, but got 1}}
  %0 = tile.make_tensor_iterator %x(0, 0), %t, #conv(%t) : !it
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
#conv = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3), pad = (1, 1)>
!it = !tile.iterator<!tile.view<f32, global, (2, 8, 8, 16) : (1024, 128, 16, 1)>, #map, coords #conv, advance = 1, masked>
func.func @leaves(%x: !tile.view<f32, global, (2, 8, 8, 16) : (1024, 128, 16, 1)>, %t: index) {
  // expected-error @below {{'tile.make_tensor_iterator' op expected one operand for each run-time leaf, but got 0}}
  %0 = "tile.make_tensor_iterator"(%x, %t) <{coord = #tile.int_tuple<(?, 0)>, recipe = #conv, operandSegmentSizes = array<i32: 1, 0, 1, 0>}> : (!tile.view<f32, global, (2, 8, 8, 16) : (1024, 128, 16, 1)>, index) -> !it
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
#conv = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3), pad = (1, 1)>
!it = !tile.iterator<!tile.view<f32, global, (2, 8, 8, 16) : (1024, 128, 16, 1)>, #map, coords #conv, advance = 1, masked>
func.func @coordinate(%x: !tile.view<f32, global, (2, 8, 8, 16) : (1024, 128, 16, 1)>, %t: index) {
  // expected-error @below {{'tile.make_tensor_iterator' op expected a coordinate (row, column), but got #tile.int_tuple<(0, 0, 0)>}}
  %0 = tile.make_tensor_iterator %x(0, 0, 0), %t, #conv() : !it
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
#conv = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3), pad = (1, 1)>
!it = !tile.iterator<!tile.view<f32, global, (2, 8, 8, 16) : (1024, 128, 16, 1), align = 16>, #map, coords #conv, advance = 1, masked>
func.func @column(%x: !tile.view<f32, global, (2, 8, 8, 16) : (1024, 128, 16, 1), align = 16>, %t: index) {
  // expected-error @below {{'tile.make_tensor_iterator' op expected a column that is a multiple of 4, the elements of one access, but got one known to be a multiple of 3}}
  %0 = tile.make_tensor_iterator %x(0, 3), %t, #conv() : !it
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
#conv = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3), pad = (1, 1)>
!it = !tile.iterator<!tile.view<f32, global, (2, 8, 8, 16) : (1024, 128, 16, 1)>, #map, coords ((8, 8, 2), (16, 3, 3)) : ((1@e2, 1@e1, 1@e0), (1@e3, 2@e2, 2@e1)), advance = 1, masked>
func.func @other_coords(%x: !tile.view<f32, global, (2, 8, 8, 16) : (1024, 128, 16, 1)>, %t: index) {
  // expected-error @below {{'tile.make_tensor_iterator' op expected an iterator with the coords of its recipe, ((8, 8, 2), (16, 3, 3)) : ((1@2, 1@1, 1@0), (1@3, 1@2, 1@1)), but got ((8, 8, 2), (16, 3, 3)) : ((1@2, 1@1, 1@0), (1@3, 2@2, 2@1))}}
  %0 = tile.make_tensor_iterator %x(0, 0), %t, #conv() : !it
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
#conv = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3), pad = (1, 1)>
!it = !tile.iterator<!tile.view<f32, global, (2, 8, 8, 16) : (1024, 128, 16, 1)>, #map, coords ((8, 8, 2), (16, 3, 3)) : ((1@e2, 1@e1, 1@e0), (1@e3, 1@e2, 1@e1)), divide (1, 1, 2, 1), advance = 1, masked>
func.func @other_divide(%x: !tile.view<f32, global, (2, 8, 8, 16) : (1024, 128, 16, 1)>, %t: index) {
  // expected-error @below {{'tile.make_tensor_iterator' op expected an iterator with the coords of its recipe, ((8, 8, 2), (16, 3, 3)) : ((1@2, 1@1, 1@0), (1@3, 1@2, 1@1)), but got ((8, 8, 2), (16, 3, 3)) : ((1@2, 1@1, 1@0), (1@3, 1@2, 1@1)), divide (1, 1, 2, 1)}}
  %0 = tile.make_tensor_iterator %x(0, 0), %t, #conv() : !it
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
#conv = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3), pad = (1, 1)>
!it = !tile.iterator<!tile.view<f32, global, (2, 8, 8, 32) : (2048, 256, 32, 1)>, #map, coords #conv, advance = 1, masked>
func.func @extents(%x: !tile.view<f32, global, (2, 8, 8, 32) : (2048, 256, 32, 1)>, %t: index) {
  // expected-error @below {{'tile.make_tensor_iterator' op expected a view with the extents of its recipe, (2, 8, 8, 16), but got (2, 8, 8, 32)}}
  %0 = tile.make_tensor_iterator %x(0, 0), %t, #conv() : !it
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
#conv = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3), pad = (1, 1)>
!it = !tile.iterator<!tile.view<f32, global, (2, 8, 8, 16) : (1024, 128, 16, 1)>, #map, coords #conv, gather = #tile.gather<dim = 0, indices = !tile.view<i32, global, (?) : (1)>>, masked>
func.func @indexed(%x: !tile.view<f32, global, (2, 8, 8, 16) : (1024, 128, 16, 1)>, %t: index) {
  // expected-error @below {{'tile.make_tensor_iterator' op expected an iterator without indices, which a recipe does not have, but got '!tile.iterator<!tile.view<f32, global, (2, 8, 8, 16) : (1024, 128, 16, 1)>, #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>, coords ((8, 8, 2), (16, 3, 3)) : ((1@e2, 1@e1, 1@e0), (1@e3, 1@e2, 1@e1)), masked, gather = #tile.gather<dim = 0, indices = !tile.view<i32, global, (?) : (1)>>>'}}
  %0 = tile.make_tensor_iterator %x(0, 0), %t, #conv() : !it
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 32, elements = 4>
#conv = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3), pad = (1, 1)>
!it = !tile.iterator<!tile.view<f32, global, (2, 8, 8, 16) : (1024, 128, 16, 1)>, #map, coords #conv, advance = 1, masked>
func.func @not_a_recipe(%x: !tile.view<f32, global, (2, 8, 8, 16) : (1024, 128, 16, 1)>, %t: index) {
  // expected-error @below {{custom op 'tile.make_tensor_iterator' invalid kind of attribute specified}}
  %0 = tile.make_tensor_iterator %x(0, 0), %t, #map() : !it
  return
}

// -----

#perm = #tile.permuted<tensor4d_0213_row_major, extents = (?{div = 4}, 96), factors = [4, 2]>
func.func @view_sizes(%p: !llvm.ptr<1>) {
  // expected-error @below {{'tile.make_permuted_view' op expected one operand for each of the 1 run-time sizes of its recipe, but got 0}}
  %0 = tile.make_permuted_view %p, #perm() : !llvm.ptr<1> -> !tile.view<f16, global, #perm>
  return
}

// -----

#perm = #tile.permuted<tensor4d_0213_row_major, extents = (?{div = 4}, 96), factors = [4, 2]>
func.func @view_layout(%p: !llvm.ptr<1>, %m: index) {
  // expected-error @below {{'tile.make_permuted_view' op expected a view with the layout ((4, ?), (48, 2)) : ((48, 384), (1, 192)), but got '!tile.view<f16, global, (?, 96) : (96, 1)>'}}
  %0 = tile.make_permuted_view %p, #perm(%m) : !llvm.ptr<1> -> !tile.view<f16, global, (?, 96) : (96, 1)>
  return
}

// -----

#perm = #tile.permuted<tensor4d_0213_row_major, extents = (?{div = 4}, 96), factors = [4, 2]>
func.func @view_space(%p: !llvm.ptr<1>, %m: index) {
  // expected-error @below {{'tile.make_permuted_view' op expected a pointer to address space 3 for a view in shared memory, but got 1}}
  %0 = tile.make_permuted_view %p, #perm(%m) : !llvm.ptr<1> -> !tile.view<f16, shared, #perm>
  return
}

// -----

#conv = #tile.conv<fprop activation, input = (2, 8, 8, 16), filter = (8, 3, 3), pad = (1, 1)>
func.func @view_recipe(%p: !llvm.ptr<1>, %m: index) {
  // expected-error @below {{custom op 'tile.make_permuted_view' invalid kind of attribute specified}}
  %0 = tile.make_permuted_view %p, #conv(%m) : !llvm.ptr<1> -> !tile.view<f16, global, (8) : (1)>
  return
}
