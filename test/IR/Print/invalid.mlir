// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Printing: each rule, once.
// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @too_few(%i: index) {
  // expected-error @below {{expected one value for each {} of the format, but got 1 for 2}}
  tile.print "{} {}", %i : index
  return
}

// -----

func.func @too_many(%i: index) {
  // expected-error @below {{expected one value for each {} of the format, but got 1 for 0}}
  tile.print "{{}}", %i : index
  return
}

// -----

func.func @open_brace(%i: index) {
  // expected-error @below {{expected {}, {{ or }} at column 4 of the format, but got '{0'}}
  tile.print "x = {0}", %i : index
  return
}

// -----

func.func @last_brace(%i: index) {
  // expected-error @below {{expected {}, {{ or }} at column 1 of the format, but got '}'}}
  tile.print "x}"
  return
}

// -----

func.func @null_character() {
  // expected-error @below {{expected a format without a null character, but got one at column 1}}
  tile.print "x\00y"
  return
}

// -----

func.func @wide(%i: i128) {
  // expected-error @below {{expected integers of at most 64 bits, but got 'i128'}}
  tile.print "{}", %i : i128
  return
}

// -----

func.func @type(%i: f8E4M3FN) {
  // expected-error @below {{must be variadic of layout, index, signless integer of at most 64 bits, f16, bf16, f32 or f64, but got 'f8E4M3FN'}}
  tile.print "{}", %i : f8E4M3FN
  return
}

// -----

func.func @numbers(%l: !tile.layout<(?, ?, ?, ?, ?, ?, ?, ?) : (?, ?, ?, ?, ?, ?, ?, ?)>) {
  // expected-error @below {{expected at most 32 numbers that are known at run time only, but got 48}}
  tile.print "{} {} {}", %l, %l, %l : !tile.layout<(?, ?, ?, ?, ?, ?, ?, ?) : (?, ?, ?, ?, ?, ?, ?, ?)>, !tile.layout<(?, ?, ?, ?, ?, ?, ?, ?) : (?, ?, ?, ?, ?, ?, ?, ?)>, !tile.layout<(?, ?, ?, ?, ?, ?, ?, ?) : (?, ?, ?, ?, ?, ?, ?, ?)>
  return
}
