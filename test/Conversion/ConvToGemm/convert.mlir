// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions as GEMMs on views of their tensors.
// RUN: tile-opt %s --tile-conv-to-gemm --split-input-file | FileCheck %s

// A filter and an output without gaps are matrices; the image is not.
// CHECK: #[[MAP:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d3 - 1, d2 + d4 - 1, d5)>
// CHECK-LABEL: @fprop
// CHECK: %[[A:.*]] = tile.im2col %{{.*}}<rows = [2, 8, 8], columns = [3, 3, 16], map = #[[MAP]], tensor
// CHECK: %[[B:.*]] = memref.reinterpret_cast %{{.*}} sizes: [144, 32], strides: [1, 144]
// CHECK: %[[D:.*]] = memref.reinterpret_cast %{{.*}} sizes: [128, 32], strides: [32, 1]
// CHECK: tile.gemm ins(%[[A]], %[[B]] {{.*}} outs(%[[D]]
func.func @fprop(%x: memref<2x8x8x16xf32>, %w: memref<32x3x3x16xf32>, %y: memref<2x8x8x32xf32>) {
  tile.conv fprop ins(%x, %w : memref<2x8x8x16xf32>, memref<32x3x3x16xf32>)
    outs(%y : memref<2x8x8x32xf32>) pad_low = [1, 1] pad_high = [1, 1]
  return
}

// -----

// One place of the filter and no stride: nothing but a GEMM is left.
// CHECK-LABEL: @pointwise
// CHECK-NOT: tile.im2col
// CHECK: tile.gemm
func.func @pointwise(%x: memref<2x8x8x16xf32>, %w: memref<32x1x1x16xf32>, %y: memref<2x8x8x32xf32>) {
  tile.conv fprop ins(%x, %w : memref<2x8x8x16xf32>, memref<32x1x1x16xf32>) outs(%y : memref<2x8x8x32xf32>)
  return
}

// -----

// The gradient reads the filter from its end, and skips what strides skip.
// CHECK-DAG: #[[A:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d3 - 1, d2 + d4 - 1, d5)>
// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, -d0 + 2, -d1 + 2, d3)>
// CHECK-LABEL: @dgrad
// CHECK: tile.im2col {{.*}}<rows = [2, 9, 9], columns = [3, 3, 32], map = #[[A]], tensor = [2, 5, 5, 32] : [800, 160, 32, 1], divisors = [1, 2, 2, 1]
// CHECK: tile.im2col {{.*}}<rows = [3, 3, 32], columns = [16], map = #[[B]], tensor
// CHECK: tile.gemm
func.func @dgrad(%x: memref<2x9x9x16xf32>, %w: memref<32x3x3x16xf32>, %y: memref<2x5x5x32xf32>) {
  tile.conv dgrad ins(%y, %w : memref<2x5x5x32xf32>, memref<32x3x3x16xf32>)
    outs(%x : memref<2x9x9x16xf32>) stride = [2, 2] pad_low = [1, 1] pad_high = [1, 1]
  return
}

// -----

// Channels before pixels: each image is a matrix. Groups are matrices as well.
// CHECK-LABEL: @channels_first
// CHECK: memref.reinterpret_cast %{{.*}} sizes: [2, 36, 8], strides: [288, 1, 36]
// CHECK-LABEL: @grouped
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [2, 4], strides: [4, 1] : memref<8xf32>
// CHECK: memref.reinterpret_cast %{{.*}} sizes: [2, 72, 4], strides: [4, 8, 1]
// CHECK: epilogue (%{{.*}}[batch, n] :
!y = memref<2x6x6x8xf32, strided<[288, 6, 1, 36]>>
func.func @channels_first(%x: memref<2x8x8x4xf32>, %w: memref<8x3x3x4xf32>, %y: !y) {
  tile.conv fprop ins(%x, %w : memref<2x8x8x4xf32>, memref<8x3x3x4xf32>) outs(%y : !y)
  return
}
func.func @grouped(%x: memref<2x8x8x4xf32>, %w: memref<8x3x3x2xf32>, %b: memref<8xf32>, %y: memref<2x6x6x8xf32>) {
  tile.conv fprop ins(%x, %w : memref<2x8x8x4xf32>, memref<8x3x3x2xf32>) outs(%y : memref<2x6x6x8xf32>) groups = 2
    epilogue(%b[channel] : memref<8xf32>) {
  ^bb0(%s: f32, %x1: f32):
    %0 = arith.addf %s, %x1 : f32
    tile.yield %0 : f32
  }
  return
}
