// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Index functions by hand: what the arithmetic of layouts is measured against.
//
// 30 layouts of the golden data, each with the shortest C that is known for it
// when clang -O3 compiles it: among others, every choice of remainders and
// quotients was tried for every layout without a swizzle. A number is below
// the extent that it counts through, and BELOW says so where that helps.
// Division by a constant is left to the compiler. Layouts of up to 16 elements
// are left out: a table in a register is shorter than arithmetic for those.
#include <stdint.h>

#define BELOW(number, extent) __builtin_assume((number) < (extent))

//===-- Powers of two -----------------------------------------------------===//

// (_4,_8):(_8,_1)
uint64_t row_major(uint64_t i) { return (i & 3) * 8 + (i >> 2); }

// (_16,_16):(_16,_1)
uint64_t transposed_square(uint64_t i) {
  BELOW(i, 256);
  return __builtin_rotateleft8(i, 4);
}

// (_4,_8):(_1,_5)
uint64_t padded(uint64_t i) { return i + (i >> 2); }

// (_2,_4,_8):(_16,_1,_4)
uint64_t continued_strides(uint64_t i) { return (i & 1) * 16 + (i >> 1); }

// (_4,_8,_2):(_8,_1,_32)
uint64_t ordered(uint64_t i) {
  return (i >> 2) + (i & 3) * 8 + (i & 32) / 4 * 3;
}

// ((_2,_4),_8):((_16,_1),_4)
uint64_t nested_rows(uint64_t i, uint64_t j) {
  return (i & 1) * 16 + (i >> 1) + j * 4;
}

// (_8,(_2,_2)):(_2,(_16,_1))
uint64_t nested_columns(uint64_t i) { return (i & 15) * 2 + (i >> 4); }

// (((_2,_2),_2),_4):(((_1,_4),_2),_8)
uint64_t two_bits_swapped(uint64_t i) {
  uint64_t differ = (i ^ i >> 1) & 2;
  return i ^ differ * 3;
}

// ((_4,_4),(_2,_2)):((_8,_1),(_32,_4))
uint64_t blocks(uint64_t i, uint64_t j) {
  return (i & 3) * 8 + (i >> 2) + (j & 1) * 30 + j * 2;
}

// ((_4,(_2,_2)),(_2,_4)):((_2,(_8,_64)),(_1,_16))
uint64_t deep_blocks(uint64_t i) {
  return (i & 7) * 2 + (i & 8) * 8 + (i >> 4 & 1) + (i >> 5) * 16;
}

// ((_8,_4,_2)):((_1,_-8,_32))
uint64_t negative_stride(uint64_t i) { return (i ^ 24) - 24; }

//===-- Other extents and strides -----------------------------------------===//

// (_4,_6):(_6,_1)
uint64_t six_columns(uint64_t i) { return 6 * i - 23 * (i >> 2); }

// (_5,_4):(_1,_8)
uint64_t padded_five(uint64_t i) {
  BELOW(i, 20);
  return i + i / 5 * 3;
}

// (_2,_3,_4):(_12,_4,_1)
uint64_t row_major_2_3_4(uint64_t i) {
  BELOW(i, 24);
  return 2 * i + 10 * (i & 1) - 11 * (i / 6);
}

// (_12,(_4,_8)):(_59,(_13,_1))
uint64_t odd_strides(uint64_t i) {
  BELOW(i, 384);
  return 59 * i - 695 * (i / 12) - 51 * (i / 48);
}

// ((_3,_2),(_4,_5)):((_10,_5),(_30,_1))
uint64_t raked(uint64_t i, uint64_t j) {
  BELOW(i, 6);
  return 10 * (i + 3 * j) - 25 * (i / 3) - 119 * (j >> 2);
}

// ((_2,_4),(_3,_5)):((_3,_6),(_1,_24))
uint64_t mixed(uint64_t i) {
  BELOW(i, 120);
  return 3 * i - 23 * (i >> 3) + 21 * (i / 24);
}

// (_3,_6,_2,_8):(_5,_15,_90,_180)
uint64_t one_stride(uint64_t i) { return 5 * i; }

// ((_3,_2),((_2,_3),_2)):((_4,_1),((_2,_15),_100))
uint64_t three_levels(uint64_t i) {
  BELOW(i, 72);
  uint64_t q = i / 3;
  return 4 * i - 11 * (q - (q >> 2)) + (i >= 36 ? 55 : 0);
}

// (_2,(_3,(_4,_5))):(_60,(_20,(_5,_1)))
uint64_t row_major_nested(uint64_t i) {
  BELOW(i, 120);
  return 60 * i - 100 * (i >> 1) - 55 * (i / 6) - 19 * (i / 24);
}

// (_3,_5,_7):(_35,_7,_1)
uint64_t row_major_3_5_7(uint64_t i) {
  BELOW(i, 105);
  return 35 * i - 98 * (i / 3) - 34 * (i / 15);
}

// ((_2,_2),_3,(_4,_2)):((_1,_2),_100,(_12,_48))
uint64_t far_middle(uint64_t i) {
  BELOW(i, 96);
  uint64_t q = i >> 2;
  return (i & 3) + q * 100 - q / 3 * 288;
}

//===-- Swizzles ----------------------------------------------------------===//

// Sw<3,3,3> o _0 o (_8,_64):(_64,_1)
uint64_t swizzled(uint64_t i) {
  uint64_t row = (i & 7) * 8;
  return row * 9 ^ i >> 3;
}

// Sw<3,4,3> o _0 o (_8,_128):(_128,_1)
uint64_t swizzled_2d(uint64_t i, uint64_t j) { return i * 144 ^ j; }

// Sw<2,3,3> o _0 o (_8,_32):(_32,_1)
uint64_t swizzled_half(uint64_t i) {
  uint64_t row = (i & 7) * 4;
  return (row * 8 + (i >> 3)) ^ (row & 24);
}

// Sw<3,3,3> o _0 o (_64,_8):(_1,_64)
uint64_t swizzled_columns(uint64_t i) { return i ^ (i >> 3 & 56); }

// Sw<3,3,3> o _16 o (_4,_64):(_64,_1)
uint64_t swizzled_behind_offset(uint64_t i, uint64_t j) {
  uint64_t x = i * 64 + j + 16;
  return x ^ (x >> 3 & 56);
}

// Sw<2,0,3> o _8 o (_8,_4):(_8,_1)
uint64_t swizzled_elements(uint64_t i, uint64_t j) {
  uint64_t x = i * 8 + j + 8;
  return x ^ ((i + 1) & 3);
}

// Sw<3,3,3> o _0 o ((_4,_16),(_2,_4)):((_64,_1),(_256,_16))
uint64_t swizzled_tiles(uint64_t i) {
  uint64_t row = (i & 3) | (i >> 4 & 4);
  return row * 72 ^ (i >> 2 & 15) ^ (i >> 7) * 16;
}

// Sw<3,3,3> o _0 o (_4,_8):(_128,_2)
uint64_t swizzled_part(uint64_t i, uint64_t j) {
  BELOW(i, 4);
  BELOW(j, 8);
  return (i * 144) ^ (j * 2);
}
