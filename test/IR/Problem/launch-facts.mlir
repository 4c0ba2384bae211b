// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launch facts are printed in the order of their table, without what has its
// default.
// RUN: tile-opt %s | tile-opt | FileCheck %s

// CHECK-LABEL: gpu.func @nothing
// CHECK-SAME: tile.launch_facts = #tile.launch_facts<>}
gpu.module @kernels {
  gpu.func @nothing(%x: f16) kernel attributes {tile.launch_facts = #tile.launch_facts<>} {
    gpu.return
  }

  // CHECK-LABEL: gpu.func @everything
  // CHECK-SAME: tile.dynamic_shared_bytes = 64 : i64
  // CHECK-SAME: tile.launch_facts = #tile.launch_facts<schedule = "by \22hand\22", cluster = [2, 1, 1], grid = {tile = [128, 64], cluster_tile = [2, 1], persistent = true}, programmatic_launch = true, factors = "tf32", parameters = [A.data, A.stride[0], A.batch_stride, A.tensor_map, D.tensor_map_legal, D.extent[1], M, N, K, batch, alpha, beta], requires = [{operand = A, unit_stride = 1, alignment = 16, stride_multiple = 4, extent_multiple = 2}, {operand = D}], tensor_maps = [{operand = A, contiguous = 1, box = [64, 128], swizzle = 128, batched = true}, {operand = D, contiguous = 0, box = [8, 8], optional = true}], cost = {fixed_ns = 2000.0, tile_ns = 0.125, k_ns = 1.0e-09, slots = 2.0}>}
  gpu.func @everything(%a: !llvm.ptr<1>, %pitch: i64, %batchStride: index,
                       %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64},
                       %legal: i32, %width: i32, %m: i32, %n: i64, %k: index, %batch: i64,
                       %alpha: f32, %beta: f64) kernel
      attributes {nvvm.cluster_dim = array<i32: 2, 1, 1>, tile.dynamic_shared_bytes = 64 : i64,
                  tile.launch_facts = #tile.launch_facts<
                    cost = {slots = 2, fixed_ns = 2.0e3, bytes_ns = 0, tile_ns = 0.125, k_ns = 1.0e-9},
                    tensor_maps = [{operand = A, contiguous = 1, box = [64, 128], swizzle = 128, batched = true},
                                   {optional = true, operand = D, contiguous = 0, box = [8, 8]}],
                    requires = [{operand = A, unit_stride = 1, alignment = 16, stride_multiple = 4, extent_multiple = 2},
                                {operand = D, unit_stride = -1}],
                    parameters = [A.data, A.stride[0], A.batch_stride, A.tensor_map, D.tensor_map_legal,
                                  D.extent[1], M, N, K, batch, alpha, beta],
                    factors = "tf32", programmatic_launch = true,
                    grid = {tile = [128, 64], persistent = true, cluster_tile = [2, 1], split = 1},
                    cluster = [2, 1, 1], schedule = "by \"hand\"">} {
    gpu.return
  }

  // CHECK-LABEL: gpu.func @pack
  // CHECK-SAME: #tile.launch_facts<grid = {pack_tile = [32, 128]}, parameters = [X.data, X.packed, X.packed_stride, X.packed_batch_stride, X.extent[0], batch]>}
  gpu.func @pack(%x: !llvm.ptr<1>, %packed: !llvm.ptr<1>, %pitch: i64, %stride: i64, %rows: i64, %batch: i64) kernel
      attributes {tile.launch_facts = #tile.launch_facts<
        grid = {pack_tile = [32, 128]},
        parameters = [X.data, X.packed, X.packed_stride, X.packed_batch_stride, X.extent[0], batch]>} {
    gpu.return
  }
}
