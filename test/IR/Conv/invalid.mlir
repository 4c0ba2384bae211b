// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is no convolution: one located sentence each.
// RUN: tile-opt %s --split-input-file --verify-diagnostics

func.func @kind(%a: memref<4x4x4xf32>) {
  // expected-error @below {{expected fprop, dgrad or wgrad, but got forward}}
  tile.conv forward ins(%a, %a : memref<4x4x4xf32>, memref<4x4x4xf32>) outs(%a : memref<4x4x4xf32>)
  return
}

// -----

func.func @rank(%a: memref<4x4xf32>) {
  // expected-error @below {{expected D to have 1 to 3 spatial dimensions between the first and the last, but got rank 2}}
  tile.conv fprop ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  return
}

// -----

func.func @ranks(%x: memref<1x8x8x4xf32>, %w: memref<4x3x4xf32>, %y: memref<1x6x6x4xf32>) {
  // expected-error @below {{expected B to have the rank of D, 4, but got 3}}
  tile.conv fprop ins(%x, %w : memref<1x8x8x4xf32>, memref<4x3x4xf32>) outs(%y : memref<1x6x6x4xf32>)
  return
}

// -----

func.func @dynamic(%x: memref<?x8x8x4xf32>, %w: memref<4x3x3x4xf32>, %y: memref<?x6x6x4xf32>) {
  // expected-error @below {{expected D to have extents and strides that are known when it is compiled, but got 'memref<?x6x6x4xf32>'}}
  tile.conv fprop ins(%x, %w : memref<?x8x8x4xf32>, memref<4x3x3x4xf32>) outs(%y : memref<?x6x6x4xf32>)
  return
}

// -----

func.func @reach(%x: memref<1x4x4x4xf32>, %w: memref<4x3x3x4xf32>, %y: memref<1x1x1x4xf32>) {
  // expected-error @below {{expected a filter within the image and its margins along spatial dimension 0, 4 elements, but got one that spans 5}}
  tile.conv fprop ins(%x, %w : memref<1x4x4x4xf32>, memref<4x3x3x4xf32>) outs(%y : memref<1x1x1x4xf32>) dilation = [2, 1]
  return
}

// -----

func.func @extent(%x: memref<1x8x8x4xf32>, %w: memref<4x3x3x4xf32>, %y: memref<1x8x6x4xf32>) {
  // expected-error @below {{expected D to have extent 6 along spatial dimension 0, the places of the filter, but got 8}}
  tile.conv fprop ins(%x, %w : memref<1x8x8x4xf32>, memref<4x3x3x4xf32>) outs(%y : memref<1x8x6x4xf32>)
  return
}

// -----

func.func @images(%x: memref<2x8x8x4xf32>, %w: memref<4x3x3x4xf32>, %y: memref<1x6x6x4xf32>) {
  // expected-error @below {{expected A and D to have as many images, but got 2 and 1}}
  tile.conv fprop ins(%x, %w : memref<2x8x8x4xf32>, memref<4x3x3x4xf32>) outs(%y : memref<1x6x6x4xf32>)
  return
}

// -----

func.func @groups(%x: memref<1x8x8x4xf32>, %w: memref<6x3x3x1xf32>, %y: memref<1x6x6x6xf32>) {
  // expected-error @below {{expected groups that divide the 6 channels of D, but got 4}}
  tile.conv fprop ins(%x, %w : memref<1x8x8x4xf32>, memref<6x3x3x1xf32>) outs(%y : memref<1x6x6x6xf32>) groups = 4
  return
}

// -----

func.func @channels(%x: memref<1x8x8x4xf32>, %w: memref<6x3x3x4xf32>, %y: memref<1x6x6x6xf32>) {
  // expected-error @below {{expected B to have 2 channels, those of A in a group, but got 4}}
  tile.conv fprop ins(%x, %w : memref<1x8x8x4xf32>, memref<6x3x3x4xf32>) outs(%y : memref<1x6x6x6xf32>) groups = 2
  return
}

// -----

func.func @filters(%x: memref<1x8x8x4xf32>, %w: memref<5x3x3x4xf32>, %y: memref<1x6x6x6xf32>) {
  // expected-error @below {{expected B to have a filter for each of 6 channels of A, but got 5}}
  tile.conv dgrad ins(%y, %w : memref<1x6x6x6xf32>, memref<5x3x3x4xf32>) outs(%x : memref<1x8x8x4xf32>)
  return
}

// -----

func.func @numbers(%x: memref<1x8x8x4xf32>, %w: memref<6x3x3x4xf32>, %y: memref<1x6x6x6xf32>) {
  // expected-error @below {{expected stride to have a number for each of 2 spatial dimensions, but got 1}}
  tile.conv fprop ins(%x, %w : memref<1x8x8x4xf32>, memref<6x3x3x4xf32>) outs(%y : memref<1x6x6x6xf32>) stride = [1]
  return
}

// -----

func.func @stride(%x: memref<1x8x8x4xf32>, %w: memref<6x3x3x4xf32>, %y: memref<1x6x6x6xf32>) {
  // expected-error @below {{expected stride of 1 to 1048576, but got 0}}
  tile.conv fprop ins(%x, %w : memref<1x8x8x4xf32>, memref<6x3x3x4xf32>) outs(%y : memref<1x6x6x6xf32>) stride = [1, 0]
  return
}

// -----

func.func @margin(%x: memref<1x8x8x4xf32>, %w: memref<6x3x3x4xf32>, %y: memref<1x6x6x6xf32>) {
  // expected-error @below {{expected pad_low of 0 to 1048576, but got -1}}
  tile.conv fprop ins(%x, %w : memref<1x8x8x4xf32>, memref<6x3x3x4xf32>) outs(%y : memref<1x6x6x6xf32>) pad_low = [0, -1]
  return
}

// -----

func.func @types(%x: memref<1x8x8x4xf32>, %w: memref<6x3x3x4xf16>, %y: memref<1x6x6x6xf32>) {
  // expected-error @below {{expected B to have the element type of A, 'f32', but got 'f16'}}
  tile.conv fprop ins(%x, %w : memref<1x8x8x4xf32>, memref<6x3x3x4xf16>) outs(%y : memref<1x6x6x6xf32>)
  return
}

// -----

func.func @added(%x: memref<1x8x8x4xf32>, %w: memref<6x3x3x4xf32>, %c: memref<1x6x6x1xf32>, %y: memref<1x6x6x6xf32>) {
  // expected-error @below {{expected C to have the shape of D, 'memref<1x6x6x6xf32>', but got 'memref<1x6x6x1xf32>'}}
  tile.conv fprop ins(%x, %w, %c : memref<1x8x8x4xf32>, memref<6x3x3x4xf32>, memref<1x6x6x1xf32>) outs(%y : memref<1x6x6x6xf32>)
  return
}

// -----

func.func @index(%x: memref<1x8x8x4xf32>, %w: memref<6x3x3x4xf32>, %b: memref<6xf32>, %y: memref<1x6x6x6xf32>) {
  tile.conv fprop ins(%x, %w : memref<1x8x8x4xf32>, memref<6x3x3x4xf32>) outs(%y : memref<1x6x6x6xf32>)
    // expected-error @below {{expected the index pixel or channel, but got n}}
    epilogue(%b[n] : memref<6xf32>) {
  ^bb0(%s: f32, %x: f32):
    tile.yield %s : f32
  }
  return
}

// -----

func.func @bias(%x: memref<1x8x8x4xf32>, %w: memref<6x3x3x4xf32>, %b: memref<4xf32>, %y: memref<1x6x6x6xf32>) {
  // expected-error @below {{expected operand 0 of the epilogue to have the shape (6), but got (4)}}
  tile.conv fprop ins(%x, %w : memref<1x8x8x4xf32>, memref<6x3x3x4xf32>) outs(%y : memref<1x6x6x6xf32>)
    epilogue(%b[channel] : memref<4xf32>) {
  ^bb0(%s: f32, %x1: f32):
    tile.yield %s : f32
  }
  return
}

// -----

func.func @wgrad(%x: memref<1x8x8x4xf32>, %w: memref<6x3x3x4xf32>, %y: memref<1x6x6x6xf32>) {
  // expected-error @below {{expected no epilogue for wgrad, whose result has filters and no pixels}}
  tile.conv wgrad ins(%y, %x : memref<1x6x6x6xf32>, memref<1x8x8x4xf32>) outs(%w : memref<6x3x3x4xf32>) epilogue {
  ^bb0(%s: f32):
    tile.yield %s : f32
  }
  return
}

// -----

// expected-error @below {{expected an extent and a stride for each of 2 results of the map, but got 1 and 1}}
#wrong = #tile.im2col<rows = [4], columns = [4], map = affine_map<(i, j) -> (i, j)>, tensor = [4] : [1]>
func.func private @extents(memref<4x4xf32, #wrong>)

// -----

// expected-error @below {{expected a map of 2 dimensions, one for each digit, but got 1 and 0 symbols}}
#wrong = #tile.im2col<rows = [4], columns = [4], map = affine_map<(i) -> (i)>, tensor = [4] : [1]>
func.func private @digits(memref<4x4xf32, #wrong>)

// -----

// expected-error @below {{expected a linear index, such as p * 2 + r - 1, but got d0 mod 2}}
#wrong = #tile.im2col<rows = [4], columns = [4], map = affine_map<(i, j) -> (i mod 2)>, tensor = [4] : [1]>
func.func private @linear(memref<4x4xf32, #wrong>)

// -----

// expected-error @below {{expected divisors of 1 to 2^40, but got 0}}
#wrong = #tile.im2col<rows = [4], columns = [4], map = affine_map<(i, j) -> (i)>, tensor = [4] : [1], divisors = [0]>
func.func private @divisor(memref<4x4xf32, #wrong>)

// -----

// expected-error @below {{expected the extents of the layout, (4, 4), but got (4, 5)}}
func.func private @shape(memref<4x5xf32, #tile.im2col<rows = [4], columns = [4], map = affine_map<(i, j) -> (i, j)>, tensor = [4, 4] : [4, 1]>>)

// -----

func.func @tensor(%x: memref<4x8xf32>) {
  // expected-error @below {{expected a tensor of the extents and strides that the layout says, but got 'memref<4x8xf32>'}}
  %0 = tile.im2col %x : memref<4x8xf32> to memref<4x4xf32, #tile.im2col<rows = [4], columns = [4],
    map = affine_map<(i, j) -> (i, j)>, tensor = [4, 4] : [4, 1]>>
  return
}

// -----

func.func @strided(%x: memref<4x8xf32>) {
  // expected-error @below {{expected a result with a layout #tile.im2col, but got 'memref<4x8xf32>'}}
  %0 = tile.im2col %x : memref<4x8xf32> to memref<4x8xf32>
  return
}

// -----

#image = #tile.im2col<rows = [4], columns = [4], map = affine_map<(i, j) -> (i, j)>, tensor = [4, 4] : [4, 1]>
func.func @result(%x: memref<4x4xf32>) {
  %0 = tile.im2col %x : memref<4x4xf32> to memref<4x4xf32, #image>
  // expected-error @below {{expected D to have a strided layout}}
  tile.gemm ins(%x, %x : memref<4x4xf32>, memref<4x4xf32>) outs(%0 : memref<4x4xf32, #image>)
  return
}
