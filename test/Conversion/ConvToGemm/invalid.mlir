// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results that are not matrices are refused, not copied.
// RUN: tile-opt %s --tile-conv-to-gemm --split-input-file --verify-diagnostics

!y = memref<2x6x6x8xf32, strided<[300, 49, 8, 1]>>
func.func @gaps(%x: memref<2x8x8x4xf32>, %w: memref<8x3x3x4xf32>, %y: !y) {
  // expected-error @below {{expected D with one stride from pixel to pixel and one from channel to channel, as tensors without gaps have, but got 'memref<2x6x6x8xf32, strided<[300, 49, 8, 1]>>'}}
  tile.conv fprop ins(%x, %w : memref<2x8x8x4xf32>, memref<8x3x3x4xf32>) outs(%y : !y)
  return
}

// -----

!c = memref<2x6x6x8xf32, strided<[288, 6, 1, 36]>>
func.func @other_order(%x: memref<2x8x8x4xf32>, %w: memref<8x3x3x4xf32>, %c: !c, %y: memref<2x6x6x8xf32>) {
  // expected-error @below {{expected C with one stride from pixel to pixel and one from channel to channel where D has them, but got}}
  tile.conv fprop ins(%x, %w, %c : memref<2x8x8x4xf32>, memref<8x3x3x4xf32>, !c) outs(%y : memref<2x6x6x8xf32>)
  return
}

// -----

// Numbers that no address has are refused before they overflow.
!x = memref<1x1500000000x1500000000x1xf32>
func.func @large(%x: !x, %w: memref<1x1x1x1xf32>, %y: !x) {
  // expected-error @below {{is too large: expected at most 2^60 elements of the matrices, but got more}}
  tile.conv fprop ins(%x, %w : !x, memref<1x1x1x1xf32>) outs(%y : !x)
  return
}
