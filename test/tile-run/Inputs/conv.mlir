// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!x = memref<2x5x6x8xbf16>
!y = memref<2x5x6x24xbf16>
func.func @conv(%x: !x, %w: memref<24x3x3x8xbf16>, %y: !y) {
  tile.conv fprop ins(%x, %w : !x, memref<24x3x3x8xbf16>) outs(%y : !y) pad_low = [1, 1] pad_high = [1, 1]
  return
}
