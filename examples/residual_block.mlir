// A residual block: y = relu(conv(relu(conv(x, w1) + b1), w2) + b2 + x), two kernels.
//
//   tile-run residual_block.mlir --random=types --check
//
// Images are (N, H, W, C), filters (K, R, S, C), dense here; other orders in memory
// are other strides: `strided<[…]>` in the types. docs/Convolution.md has the rest.
!image = memref<2x14x14x64xbf16>
!filter = memref<64x3x3x64xbf16>
!bias = memref<64xf32>

func.func @block(%x: !image, %w1: !filter, %b1: !bias, %w2: !filter, %b2: !bias,
                 %between: !image, %y: !image) {
  tile.conv fprop ins(%x, %w1 : !image, !filter) outs(%between : !image)
    pad_low = [1, 1] pad_high = [1, 1]
    // What becomes of each sum, in the same kernel.
    epilogue(%b1[channel] : !bias) {
    ^bb0(%sum: f32, %b: f32):
      %zero = arith.constant 0.0 : f32
      %shifted = arith.addf %sum, %b : f32
      %relu = arith.maximumf %shifted, %zero : f32
      %element = arith.truncf %relu : f32 to bf16
      tile.yield %element : bf16
    }
  tile.conv fprop ins(%between, %w2 : !image, !filter) outs(%y : !image)
    pad_low = [1, 1] pad_high = [1, 1]
    epilogue(%b2[channel], %x[pixel, channel] : !bias, !image) {
    ^bb0(%sum: f32, %b: f32, %old: bf16):
      %zero = arith.constant 0.0 : f32
      %shifted = arith.addf %sum, %b : f32
      %wide = arith.extf %old : bf16 to f32
      %all = arith.addf %shifted, %wide : f32
      %relu = arith.maximumf %all, %zero : f32
      %element = arith.truncf %relu : f32 to bf16
      tile.yield %element : bf16
    }
  return
}
