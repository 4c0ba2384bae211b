// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stream-K plans: each rule, once.
// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @tiles(%x: index) {
  // expected-error @below {{expected rows and columns of tiles, but got 3 numbers}}
  %0 = tile.stream_k_block #tile.stream_k<tiles = [1, 1, 1], iterations = 1> at %x
  return
}

// -----

func.func @iterations(%x: index) {
  // expected-error @below {{expected tiles and iterations between 1 and 2^31 - 1, but got 0}}
  %0 = tile.stream_k_block #tile.stream_k<tiles = [1, 1], iterations = 0> at %x
  return
}

// -----

func.func @grouped(%x: index) {
  // expected-error @below {{expected grouped to be 0 or 1, but got 2}}
  %0 = tile.stream_k_block #tile.stream_k<tiles = [1, 1], iterations = 1, grouped = 2> at %x
  return
}

// -----

func.func @interleaved(%x: index) {
  // expected-error @below {{expected interleaved between 0 and 2^31 - 1, but got -1}}
  %0 = tile.stream_k_block #tile.stream_k<tiles = [1, 1], iterations = 1, interleaved = -1> at %x
  return
}

// -----

func.func @stream(%x: index) {
  // expected-error @below {{expected at most the 4 tiles to be shared, but got 5}}
  %0 = tile.stream_k_block #tile.stream_k<tiles = [2, 2], iterations = 8, stream = 5, regions = 1, blocks = 5> at %x
  return
}

// -----

func.func @no_tiles(%x: index) {
  // expected-error @below {{expected no stream-K blocks without tiles, but got 1 regions of 2 blocks}}
  %0 = tile.stream_k_block #tile.stream_k<tiles = [2, 2], iterations = 8, regions = 1, blocks = 2> at %x
  return
}

// -----

func.func @blocks(%x: index) {
  // expected-error @below {{expected between 1 and 4 × 8 stream-K blocks, but got 1 regions of 33}}
  %0 = tile.stream_k_block #tile.stream_k<tiles = [2, 2], iterations = 8, stream = 4, regions = 1, blocks = 33> at %x
  return
}

// -----

func.func @regions(%x: index) {
  // expected-error @below {{expected regions that divide the 32 iterations, but got 3}}
  %0 = tile.stream_k_block #tile.stream_k<tiles = [2, 2], iterations = 8, stream = 4, regions = 3, blocks = 2> at %x
  return
}

// -----

func.func @big(%x: index) {
  // expected-error @below {{expected 2 blocks with one iteration more, so that 32 are dealt out to 5, but got 0}}
  %0 = tile.stream_k_block #tile.stream_k<tiles = [2, 2], iterations = 8, stream = 4, regions = 1, blocks = 5> at %x
  return
}

// -----

func.func @range_of_none(%x: index) {
  // expected-error @below {{expected a plan with stream-K blocks, but this one has none}}
  %0:2 = tile.stream_k_iterations #tile.stream_k<tiles = [2, 2], iterations = 8> of %x
  return
}

// -----

func.func @owner_of_none(%x: index) {
  // expected-error @below {{expected a plan with stream-K blocks, but this one has none}}
  %0 = tile.stream_k_owner #tile.stream_k<tiles = [2, 2], iterations = 8> of %x
  return
}
