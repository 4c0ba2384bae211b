// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders of thread blocks: each rule, once.
// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @width() {
  // expected-error @below {{expected a power of two between 1 and 64 as width, but got 3}}
  %0:3 = tile.block_grid #tile.block_order<kind = grouped, width = 3> (1, 1, 1)
  return
}

// -----

func.func @width_large() {
  // expected-error @below {{expected a power of two between 1 and 64 as width, but got 128}}
  %0:3 = tile.block_grid #tile.block_order<kind = grouped, width = 128> (1, 1, 1)
  return
}

// -----

func.func @plain_width() {
  // expected-error @below {{expected a grouped order with a width, but got plain}}
  %0:3 = tile.block_grid #tile.block_order<kind = plain, width = 2> (1, 1, 1)
  return
}

// -----

func.func @tiles() {
  // expected-error @below {{expected three numbers of tiles (m, n, k), but got (1, 1)}}
  %0:3 = tile.block_grid #tile.block_order<kind = plain> (1, 1)
  return
}

// -----

func.func @negative(%x: index) {
  // expected-error @below {{expected numbers of tiles that are not negative, but got -1}}
  %0:3 = tile.block_tile #tile.block_order<kind = plain> (1, -1, 1) at %x, %x, %x
  return
}
