// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions and im2col are printed as they are read.
// RUN: tile-opt %s | tile-opt | FileCheck %s

// CHECK: #[[MAP:.*]] = affine_map<(d0, d1, d2) -> (d0 * 3 + d1 - 1, d2)>

!image = memref<2x8x8x16xbf16>
!filter = memref<32x3x3x16xbf16>
!output = memref<2x4x4x32xbf16>

// CHECK-LABEL: @fprop
// CHECK: tile.conv fprop ins(%{{.*}}, %{{.*}}, %{{.*}} : memref<2x8x8x16xbf16>, memref<32x3x3x16xbf16>, memref<2x4x4x32xbf16>)
// CHECK-SAME: outs(%{{.*}} : memref<2x4x4x32xbf16>) stride = [2, 2] pad_low = [1, 1] pad_high = [0, 0] alpha(%{{.*}} : f32) beta(%{{.*}} : f32)
func.func @fprop(%x: !image, %w: !filter, %c: !output, %y: !output, %alpha: f32, %beta: f32) {
  tile.conv fprop ins(%x, %w, %c : !image, !filter, !output) outs(%y : !output)
    stride = [2, 2] pad_low = [1, 1] pad_high = [0, 0] alpha(%alpha : f32) beta(%beta : f32)
  return
}

// CHECK-LABEL: @epilogue
// CHECK: epilogue (%{{.*}}[channel], %{{.*}}[pixel, channel] : memref<32xf32>, memref<2x8x8x32xf16>) {
// CHECK: } schedule #tile.warp_specialized<tile = [128, 32, 0], stages = 2>
func.func @epilogue(%x: !image, %w: !filter, %bias: memref<32xf32>, %r: memref<2x8x8x32xf16>,
                    %y: memref<2x8x8x32xbf16>) {
  tile.conv fprop ins(%x, %w : !image, !filter) outs(%y : memref<2x8x8x32xbf16>)
    pad_low = [1, 1] pad_high = [1, 1]
    epilogue(%bias[channel], %r[pixel, channel] : memref<32xf32>, memref<2x8x8x32xf16>) {
  ^bb0(%sum: f32, %b: f32, %old: f16):
    %0 = arith.addf %sum, %b : f32
    %1 = arith.extf %old : f16 to f32
    %2 = arith.addf %0, %1 : f32
    %3 = arith.truncf %2 : f32 to bf16
    tile.yield %3 : bf16
  } schedule #tile.warp_specialized<tile = [128, 32, 0], stages = 2>
  return
}

// CHECK-LABEL: @grouped
// CHECK: tile.conv dgrad {{.*}} dilation = [2] groups = 4 flipped
// CHECK: tile.conv wgrad {{.*}} groups = 4
func.func @grouped(%x: memref<2x9x8xf32>, %w: memref<16x3x2xf32>, %y: memref<2x5x16xf32>) {
  tile.conv dgrad ins(%y, %w : memref<2x5x16xf32>, memref<16x3x2xf32>) outs(%x : memref<2x9x8xf32>)
    dilation = [2] groups = 4 flipped
  tile.conv wgrad ins(%y, %x : memref<2x5x16xf32>, memref<2x9x8xf32>) outs(%w : memref<16x3x2xf32>)
    dilation = [2] groups = 4
  return
}

// CHECK-LABEL: @im2col
// CHECK: tile.im2col %{{.*}} : memref<8x16xf32> to memref<4x6x16xf32, #tile.im2col<batch = [4], rows = [6], columns = [16],
// CHECK-SAME: map = #[[MAP]], tensor = [8, 16] : [16, 1], divisors = [2, 1]>>
func.func @im2col(%x: memref<8x16xf32>) {
  %0 = tile.im2col %x : memref<8x16xf32> to memref<4x6x16xf32, #tile.im2col<batch = [4], rows = [6],
    columns = [16], map = affine_map<(g, i, j) -> (3 * g + i - 1, j)>, tensor = [8, 16] : [16, 1],
    divisors = [2, 1]>>
  return
}
