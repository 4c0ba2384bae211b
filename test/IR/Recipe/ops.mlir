// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recipes of layouts: what they stand for, and the general form of operations.
// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD

#activation = #tile.conv<fprop activation, input = (?, ?, ?, ?{div = 8}), filter = (?, 3, 3), pad = (1, 1), stride = (?, 2), block = 32>
!x = !tile.view<f16, global, (?, ?, ?, ?{div = 8}) : (?{div = 8}, ?{div = 8}, ?{div = 8}, 1), align = 16>
!A = !tile.iterator<!x,
  #tile.warp_raked<tile = [64, 32], contiguous = 1, threads = 64, warp = [4, 8], elements = 8>,
  coords #activation, advance = 1, masked>

// CHECK-LABEL: @activation
// CHECK-SAME: !tile.iterator<!tile.view<f16, global, (?, ?, ?, ?{div = 8}) : (?{div = 8}, ?{div = 8}, ?{div = 8}, 1), align = 16>, #{{.*}}, coords ((?, ?, ?), (32, 3, 3, ?)) : ((2@e2, ?@e1, 1@e0), (1@e3, 1@e2, 1@e1, 32@e3)), advance = 1, masked>
// CHECK: tile.make_tensor_iterator %{{.*}}(%{{.*}}, 0), %{{.*}}, #{{.*}}(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
// FOLD-LABEL: @activation
// FOLD-SAME: (%[[X:.*]]: !tile.view{{.*}}, %[[N:.*]]: index, %[[H:.*]]: index, %[[W:.*]]: index, %[[C:.*]]: index, %[[K:.*]]: index, %[[S:.*]]: index, %[[ROW:.*]]: index, %[[T:.*]]: index)
// FOLD-NOT: make_tensor_iterator
// FOLD: %[[LAST:.*]] = arith.divui %{{.*}}, %[[S]]
// FOLD: %[[P:.*]] = arith.addi %[[LAST]], %{{.*}}
// FOLD: tile.make_iterator %[[X]](%[[ROW]], 0), %[[T]] coords ((%{{.*}}, %[[P]], %[[N]]), (32, 3, 3, %{{.*}})) : ((2@e2, %[[S]]@e1, 1@e0), (1@e3, 1@e2, 1@e1, 32@e3)) origin (0, -1, -1, 0)
func.func @activation(%x: !x, %n: index, %h: index, %w: index, %c: index, %k: index, %s: index,
                      %row: index, %thread: index) -> !A {
  %0 = tile.make_tensor_iterator %x(%row, 0), %thread, #activation(%n, %h, %w, %c, %k, %s) : !A
  return %0 : !A
}

// Nothing is left to compute.
#static = #tile.conv<fprop activation, input = (1, 8, 8, 64), filter = (32, 3, 3), pad = (1, 1), block = 32>
!sx = !tile.view<f16, global, (1, 8, 8, 64) : (4096, 512, 64, 1), align = 16>
!sA = !tile.iterator<!sx,
  #tile.warp_raked<tile = [64, 32], contiguous = 1, threads = 64, warp = [4, 8], elements = 8>,
  coords #static, advance = 1, masked>
// FOLD-LABEL: @static
// FOLD-NOT: arith
// FOLD: tile.make_iterator %{{.*}}(0, 0), %{{.*}} coords ((8, 8, 1), (32, 3, 3, 2)) : ((1@e2, 1@e1, 1@e0), (1@e3, 1@e2, 1@e1, 32@e3)) origin (0, -1, -1, 0)
func.func @static(%x: !sx, %thread: index) -> !sA {
  %0 = tile.make_tensor_iterator %x(0, 0), %thread, #static() : !sA
  return %0 : !sA
}

// Divisors come with the coordinates.
#gradient = #tile.conv<dgrad output, input = (?, ?, ?, ?), filter = (?{div = 8}, 3, 3), pad = (1, 1), stride = (2, ?), block = 32>
!dy = !tile.view<f16, global, (?, ?, ?, ?{div = 8}) : (?{div = 8}, ?{div = 8}, ?{div = 8}, 1), align = 16>
!dA = !tile.iterator<!dy,
  #tile.warp_raked<tile = [64, 32], contiguous = 1, threads = 64, warp = [4, 8], elements = 8>,
  coords #gradient, advance = 1, masked>
// CHECK-LABEL: @gradient
// CHECK-SAME: coords ((?, ?, ?), (32, 3, 3, ?)) : ((1@e2, 1@e1, 1@e0), (1@e3, -1@e2, -1@e1, 32@e3)), divide (1, 2, ?, 1), advance = 1, masked>
// FOLD-LABEL: @gradient
// FOLD-SAME: %[[S:[a-z0-9]*]]: index, %{{[a-z0-9]*}}: index, %{{[a-z0-9]*}}: index)
// FOLD: origin (0, 1, 1, 0) divide (1, 2, %[[S]], 1)
func.func @gradient(%x: !dy, %n: index, %h: index, %w: index, %c: index, %k: index, %s: index,
                    %row: index, %thread: index) -> !dA {
  %0 = tile.make_tensor_iterator %x(%row, 0), %thread, #gradient(%n, %h, %w, %c, %k, %s) : !dA
  return %0 : !dA
}

// The pixels that meet the filter first at a place chosen at run time.
#strided = #tile.conv<dgrad activation, input = (?, ?, ?, ?{div = 8}), filter = (?, 3, 3), pad = (1, 1), stride = (2, 2), start = (?, ?)>
!D = !tile.iterator<!x,
  #tile.output_tile<shape = [128, 8, 2, 1, 1], count = [1, 8, 1, 1, 8], threads = 128, elements = 8, bits = 16>,
  coords #strided, steps = 8, advance = 0, masked>
// CHECK-LABEL: @strided
// CHECK-SAME: coords ((?, ?, ?), ?{div = 8}) : ((2@e2, 2@e1, 1@e0), 1@e3)
// FOLD-LABEL: @strided
// FOLD: tile.make_iterator {{.*}} origin (0, %{{.*}}, %{{.*}}, 0)
func.func @strided(%x: !x, %n: index, %h: index, %w: index, %c: index, %k: index, %r: index, %s: index,
                   %row: index, %thread: index) -> !D {
  %0 = tile.make_tensor_iterator %x(%row, 0), %thread, #strided(%n, %h, %w, %c, %k, %r, %s) : !D
  return %0 : !D
}

#modes = #tile.modes<rows = (?, 32), columns = (?, 8)>
!t = !tile.view<f32, global, (?, 32, ?, 8) : (?, ?, ?, 1)>
!T = !tile.iterator<!t,
  #tile.output_tile<shape = [64, 8, 2, 1, 1], count = [1, 4, 1, 1, 4], threads = 128, elements = 1, bits = 32>,
  coords #modes, steps = 4, advance = 0, masked>
// CHECK-LABEL: @modes
// CHECK-SAME: coords ((?, 32), (?, 8)) : ((1@e0, 1@e1), (1@e2, 1@e3))
// FOLD-LABEL: @modes
// FOLD-SAME: %[[I:[a-z0-9]*]]: index, %[[K:[a-z0-9]*]]: index, %{{[a-z0-9]*}}: index, %{{[a-z0-9]*}}: index)
// FOLD: coords ((%[[I]], 32), (%[[K]], 8)) : ((1@e0, 1@e1), (1@e2, 1@e3)) :
func.func @modes(%t: !t, %i: index, %k: index, %row: index, %thread: index) -> !T {
  %0 = tile.make_tensor_iterator %t(%row, 0), %thread, #modes(%i, %k) : !T
  return %0 : !T
}

// A permuted matrix as a view of nested modes, and by the coordinates of a view
// of all elements.
#perm = #tile.permuted<tensor4d_0213_row_major, extents = (?{div = 4}, 96), factors = [4, 2]>
!nested = !tile.view<f16, global, #perm, align = 16>
// CHECK-LABEL: @permuted_view
// CHECK-SAME: !tile.view<f16, global, ((4, ?), (48, 2)) : ((48, 384), (1, 192)), align = 16>
// CHECK: tile.make_permuted_view %{{.*}}, <tensor4d_0213_row_major, extents = (?{div = 4}, 96), factors = [4, 2]>(%{{.*}}) :
// FOLD-LABEL: @permuted_view
// FOLD: %[[TILES:.*]] = arith.shrui
// FOLD: tile.make_view %{{.*}}, ((4, %[[TILES]]), (48, 2)) : ((48, 384), (1, 192))
func.func @permuted_view(%p: !llvm.ptr<1>, %m: index) -> !nested {
  %0 = tile.make_permuted_view %p, #perm(%m) : !llvm.ptr<1> -> !nested
  return %0 : !nested
}

!flat = !tile.view<f16, global, (?{div = 8}) : (1), align = 16>
!P = !tile.iterator<!flat,
  #tile.output_tile<shape = [128, 8, 2, 1, 1], count = [1, 8, 1, 1, 8], threads = 128, elements = 8, bits = 16>,
  coords #perm, steps = 8, advance = 0, masked>
// CHECK-LABEL: @permuted_coords
// CHECK-SAME: coords ((4, ?), (48, 2)) : ((48@e0, 384@e0), (1@e0, 192@e0))
// FOLD-LABEL: @permuted_coords
// FOLD: coords ((4, %{{.*}}), (48, 2)) : ((48@e0, 384@e0), (1@e0, 192@e0)) :
func.func @permuted_coords(%v: !flat, %m: index, %row: index, %thread: index) -> !P {
  %0 = tile.make_tensor_iterator %v(%row, 0), %thread, #perm(%m) : !P
  return %0 : !P
}

// Layouts of operands in shared memory are spelled out.
// CHECK-LABEL: @operands
// CHECK-SAME: !tile.view<f16, shared, S<2, 3, 4> o 0 o ((2, 4), (32, 2)) : ((32, 128), (1, 64)), align = 1024>
// CHECK-SAME: !tile.view<f16, shared, S<2, 3, 4> o 0 o ((32, 2), (2, 4)) : ((1, 64), (32, 128)), align = 1024>
// CHECK-SAME: permute = [S<2, 3, 3> o 0 o ((2, 32), (32, 3)) : ((32, 64), (1, 2048)), (64, 32, 3) : (1, 192, 64)]
func.func @operands(
    %a: !tile.view<f16, shared, #tile.shared_operand<tensor_op, shape = [8, 64], contiguous = 1, bits = 16, section = 32>, align = 1024>,
    %b: !tile.view<f16, shared, #tile.shared_operand<tensor_op, shape = [64, 8], contiguous = 0, bits = 16, section = 32>, align = 1024>,
    %c: !tile.iterator<!tile.view<f16, shared, (6144) : (1), align = 16>,
      #tile.warp_raked<tile = [64, 32], contiguous = 1, threads = 128, warp = [4, 8], elements = 8>, advance = 1,
      permute = #tile.shared_operand<tensor_op, shape = [64, 96], contiguous = 1, bits = 16, section = 32>>) {
  return
}

// Attributes as they are written.
// CHECK-LABEL: @attributes
// CHECK-SAME: a0 = #tile.conv<fprop filter, input = (2, 8, 8, 16), filter = (8, 3, 3), output = (6, 6), dilation = (1, 1), block = 8, slices = 2, slice = 1, mirrored>
// CHECK-SAME: a1 = #tile.conv<fprop filter, input = (2, 8, 8, 16), filter = (8, 3, 3), block = 8, groups = 2>
// CHECK-SAME: a2 = #tile.conv<depthwise output, input = (2, 8, 8, 16), filter = (16, 3, 3), tile = (4, 2)>
// CHECK-SAME: a3 = #tile.permuted<tensor5d_20314_row_major, extents = (16, 48), factors = [2, 4, 3], inverse>
// CHECK-SAME: a4 = #tile.shared_operand<volta_crosswise, shape = [64, 32], contiguous = 1, pitch = 64>
// CHECK-SAME: a5 = #tile.shared_operand<congruous_64b, shape = [16, 4], contiguous = 0, pitch = 32>
// CHECK-SAME: a6 = #tile.conv<wgrad filter, input = (2, 8, 8, 8, 16), filter = (8, 3, 3, 1)>
func.func @attributes() attributes {
    a0 = #tile.conv<fprop filter, mirrored, filter = (8, 3, 3), input = (2, 8, 8, 16), dilation = (1, 1), output = (6, 6), block = 8, slice = 1, slices = 2>,
    a1 = #tile.conv<fprop filter, input = (2, 8, 8, 16), filter = (8, 3, 3), block = 8, groups = 2>,
    a2 = #tile.conv<depthwise output, input = (2, 8, 8, 16), filter = (16, 3, 3), tile = (4, 2)>,
    a3 = #tile.permuted<tensor5d_20314_row_major, extents = (16, 48), factors = [2, 4, 3], inverse>,
    a4 = #tile.shared_operand<volta_crosswise, contiguous = 1, pitch = 64, shape = [64, 32]>,
    a5 = #tile.shared_operand<congruous_64b, shape = [16, 4], contiguous = 0, pitch = 32>,
    a6 = #tile.conv<wgrad filter, input = (2, 8, 8, 8, 16), filter = (8, 3, 3, 1)>} {
  return
}
