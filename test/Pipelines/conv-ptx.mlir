// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images are read in place by tensor copies of pixels, filters by those of tiles; with a
// traversal, where the convolution has a stride.
// RUN: tile-opt %s --tile-to-ptx=stop-after=kernels | FileCheck %s --check-prefix=KERNEL
// RUN: tile-translate --mlir-to-ptx --chip=sm_90a %s | FileCheck %s

!x = memref<2x16x16x128xbf16>
!w = memref<128x3x3x128xbf16>
!y = memref<2x8x8x128xbf16>
#ws = #tile.warp_specialized<tile = [128, 128, 0], stages = 4>
func.func @conv(%x: !x, %w: !w, %y: !y) {
  tile.conv fprop ins(%x, %w : !x, !w) outs(%y : !y)
    stride = [2, 2] pad_low = [1, 1] pad_high = [1, 1] schedule #ws
  return
}
// KERNEL: gpu.func @ws_128x128x64_bf16bf16_rcr_v1_tensors
// KERNEL-SAME: {operand = A, contiguous = 1, box = [64, 128], swizzle = 128, extents = [128, 16, 16, 2], strides = [128, 2048, 32768], lower = [-1, -1], upper = [-2, -2], traversal = [2, 2]}
// KERNEL-SAME: {operand = B, contiguous = 0, box = [64, 128], swizzle = 128, extents = [128, 9, 128], strides = [128, 1152]}
// KERNEL: tile.tma_load %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] offsets[%{{.*}}, %{{.*}}] to
// KERNEL: tile.tma_load %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] to

// CHECK-LABEL: .entry ws_128x128x64_bf16bf16_rcr_v1_tensors
// CHECK: cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes
// CHECK: cp.async.bulk.tensor.3d.shared::cluster.global{{(.tile)?}}.mbarrier::complete_tx::bytes
