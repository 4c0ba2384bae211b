// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer tuples and layouts: each error, once, at the offending token.
// RUN: tile-opt %s -verify-diagnostics -split-input-file

// expected-error @below {{expected an integer, `?`, `_` or a tuple of these}}
func.func private @not_a_leaf() attributes {a = #tile.int_tuple<(4, x)>}

// -----

// expected-error @below {{expected an integer, `?`, `_` or a tuple of these}}
func.func private @empty() attributes {a = #tile.int_tuple<>}

// -----

// expected-error @below {{expected ')'}}
func.func private @missing_comma() attributes {a = #tile.int_tuple<(4 2)>}

// -----

// expected-error @below {{integer value too large}}
func.func private @beyond_64_bits() attributes {a = #tile.int_tuple<9223372036854775808>}

// -----

// expected-error @below {{expected a positive divisor, but got 0}}
func.func private @divisor_zero() attributes {a = #tile.int_tuple<?{div = 0}>}

// -----

// expected-error @below {{expected a positive divisor, but got -8}}
func.func private @divisor_negative() attributes {a = #tile.int_tuple<?{div = -8}>}

// -----

// expected-error @below {{expected 'div'}}
func.func private @divisor_keyword() attributes {a = #tile.int_tuple<?{mod = 8}>}

// -----

// expected-error @below {{expected a basis between @e0 and @e63, but got @row}}
func.func private @basis_name() attributes {a = #tile.int_tuple<1@row>}

// -----

// expected-error @below {{expected a basis between @e0 and @e63, but got @e64}}
func.func private @basis_out_of_range() attributes {a = #tile.int_tuple<1@e64>}

// -----

// expected-error @below {{expected a basis between @e0 and @e63, but got @e99999999999999999999}}
func.func private @basis_beyond_64_bits() attributes {a = #tile.int_tuple<1@e99999999999999999999>}

// -----

// expected-error @below {{expected a basis of at most 64 modes}}
func.func private @basis_too_long() attributes {a = #tile.int_tuple<1@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0@e0>}

// -----

// expected-error @below {{expected at most 64 nested tuples}}
func.func private @too_deep() attributes {a = #tile.int_tuple<(((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((4)))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))>}

// -----

func.func @too_deep_operand(%i: index) {
  // expected-error @below {{expected at most 64 nested tuples}}
  %0 = tile.make_layout (((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((%i))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))) : 1
  return
}

// -----

// expected-error @below {{expected ':'}}
func.func private @layout_without_stride() attributes {a = #tile.layout<(4, 8)>}

// -----

// expected-error @below {{expected shape and stride of the same nesting, but got (4, 8) and 1}}
func.func private @stride_is_no_tuple() attributes {a = #tile.layout<(4, 8) : 1>}

// -----

// expected-error @below {{expected shape and stride of the same nesting at mode [1], but got (2, 2) and (1, 2, 3)}}
func.func private @non_congruent_nested() attributes {a = #tile.layout<(4, (2, 2)) : (1, (1, 2, 3))>}

// -----

// expected-error @below {{expected a positive extent at mode [0], but got 0}}
func.func private @extent_zero() attributes {a = #tile.layout<(0, 4) : (1, 1)>}

// -----

// expected-error @below {{expected a positive extent, but got -4}}
func.func private @extent_negative() attributes {a = #tile.layout<-4 : 1>}

// -----

// expected-error @below {{expected an integer extent at mode [0, 1], but got _}}
func.func private @extent_wildcard() attributes {a = #tile.layout<((4, _)) : ((1, 1))>}

// -----

// expected-error @below {{expected an integer extent, but got 4@0}}
func.func private @extent_basis() attributes {a = #tile.layout<4@e0 : 1>}

// -----

// expected-error @below {{expected an integer or basis stride, but got _}}
func.func private @stride_wildcard() attributes {a = #tile.layout<4 : _>}

// -----

// expected-error @below {{expected a product of 9223372036854775807 and 2 that fits in 64 bits, but it overflows}}
func.func private @size_overflows() attributes {a = #tile.layout<(9223372036854775807, 2) : (1, 1)>}

// -----

// expected-error @below {{expected at most 64 nested tilers}}
func.func private @tiler_too_deep() attributes {a = #tile.tiler<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<4>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>}

// -----

func.func @tiler_too_deep_operand(%l: !tile.layout<(4, 8) : (8, 1)>) {
  // expected-error @below {{expected at most 64 nested tilers}}
  %0 = tile.composition %l by <<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<4>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>> : !tile.layout<(4, 8) : (8, 1)>
  return
}
