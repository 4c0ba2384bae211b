// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which schedule a problem gets, and the remark that says why.
// RUN: tile-opt %s --tile-select-schedule | FileCheck %s
// RUN: tile-opt %s --tile-select-schedule=remarks -verify-diagnostics -o /dev/null
// RUN: tile-opt %s --tile-select-schedule=chip=l40s | FileCheck %s --check-prefix=FEW
// RUN: tile-opt %s --tile-select-schedule="schedule=#tile.simt<tile=[64,64,8],warps=[2,2],thread=[8,4]>" | FileCheck %s --check-prefix=FORCED

!dynamic = memref<?x?xf32, strided<[?, 1], offset: ?>>

// CHECK-LABEL: @extents_at_run_time
// CHECK: tile.gemm {{.*}} schedule #tile.simt<tile = [128, 128, {{[0-9]+}}],
// FORCED-LABEL: @extents_at_run_time
// FORCED: schedule #tile.simt<tile = [64, 64, 8], warps = [2, 2], thread = [8, 4]>
func.func @extents_at_run_time(%a: !dynamic, %d: !dynamic) {
  // expected-remark @below {{extents are known at run time only: tiles of 128 × 128}}
  tile.gemm ins(%a, %a : !dynamic, !dynamic) outs(%d : !dynamic)
  return
}

// CHECK-LABEL: @large
// CHECK: tile.gemm {{.*}} schedule #tile.simt<tile = [128, 128, {{[0-9]+}}],
func.func @large(%a: memref<4096x4096xf32>, %d: memref<4096x4096xf32>) {
  // expected-remark @below {{for 4096 × 4096, 128 × 128 tiles use 97 % of the multiprocessors over their waves}}
  tile.gemm ins(%a, %a : memref<4096x4096xf32>, memref<4096x4096xf32>) outs(%d : memref<4096x4096xf32>)
  return
}

// CHECK-LABEL: @less_than_a_wave
// CHECK: tile.gemm {{.*}} schedule #tile.simt<tile = [64, 128, {{[0-9]+}}], {{.*}} split_k = 2>
func.func @less_than_a_wave(%a: memref<1024x1024xf32>, %d: memref<1024x1024xf32>) {
  // expected-remark @below {{for 1024 × 1024, 64 × 128 tiles, in 2 parts of K, use 97 % of the multiprocessors over their waves, 128 × 128 tiles use 48 % of the multiprocessors}}
  tile.gemm ins(%a, %a : memref<1024x1024xf32>, memref<1024x1024xf32>) outs(%d : memref<1024x1024xf32>)
  return
}

// CHECK-LABEL: @small
// CHECK: tile.gemm {{.*}} schedule #tile.simt<tile = [32, 64, {{[0-9]+}}], {{.*}} split_k = 2>
func.func @small(%a: memref<512x512xf32>, %d: memref<512x512xf32>) {
  // expected-remark @below {{for 512 × 512, 32 × 64 tiles, in 2 parts of K, use 97 % of the multiprocessors over their waves, 128 × 128 tiles use 12 % of the multiprocessors}}
  tile.gemm ins(%a, %a : memref<512x512xf32>, memref<512x512xf32>) outs(%d : memref<512x512xf32>)
  return
}

// 144 large tiles need two waves of 132.
// CHECK-LABEL: @second_wave
// CHECK: tile.gemm {{.*}} schedule #tile.simt<tile = [64, 128, {{[0-9]+}}], {{.*}} split_k = 2>
func.func @second_wave(%a: memref<1536x1536xf32>, %d: memref<1536x1536xf32>) {
  // expected-remark @below {{for 1536 × 1536, 64 × 128 tiles, in 2 parts of K, use 87 % of the multiprocessors over their waves, 128 × 128 tiles use 55 % of the multiprocessors}}
  tile.gemm ins(%a, %a : memref<1536x1536xf32>, memref<1536x1536xf32>) outs(%d : memref<1536x1536xf32>)
  return
}

// A batch fills the device as well.
// CHECK-LABEL: @small_in_a_batch
// CHECK: tile.gemm {{.*}} schedule #tile.simt<tile = [128, 128, {{[0-9]+}}],
func.func @small_in_a_batch(%a: memref<32x512x512xf32>, %d: memref<32x512x512xf32>) {
  // expected-remark @below {{for 512 × 512, 128 × 128 tiles use 97 % of the multiprocessors}}
  tile.gemm ins(%a, %a : memref<32x512x512xf32>, memref<32x512x512xf32>) outs(%d : memref<32x512x512xf32>)
  return
}

// The number of tiles is beyond 64 bits.
// CHECK-LABEL: @largest
// CHECK: tile.gemm {{.*}} schedule #tile.simt<tile = [128, 128, {{[0-9]+}}],
func.func @largest(%a: memref<9223372036854775807x?xf32, strided<[?, ?]>>, %b: memref<?x9223372036854775807xf32, strided<[?, ?]>>,
                   %d: memref<9223372036854775807x9223372036854775807xf32, strided<[?, ?]>>) {
  // expected-remark @below {{for 9223372036854775807 × 9223372036854775807, 128 × 128 tiles use 100 % of the multiprocessors}}
  tile.gemm ins(%a, %b : memref<9223372036854775807x?xf32, strided<[?, ?]>>, memref<?x9223372036854775807xf32, strided<[?, ?]>>)
    outs(%d : memref<9223372036854775807x9223372036854775807xf32, strided<[?, ?]>>)
  return
}

// CHECK-LABEL: @double_precision
// CHECK: tile.gemm {{.*}} schedule #tile.multistage<tile = [128, 128, 16],
// FEW-LABEL: @double_precision
// FEW: tile.gemm {{.*}} schedule #tile.simt<tile = [64, 64, 8],
func.func @double_precision(%a: memref<?x?xf64>, %d: memref<?x?xf64>) {
  // expected-remark @below {{the tensor cores, by mma.sync, as wgmma has no f64: extents are known at run time only: tiles of 128 × 128, the best for large problems}}
  tile.gemm ins(%a, %a : memref<?x?xf64>, memref<?x?xf64>) outs(%d : memref<?x?xf64>)
  return
}

// A schedule on the operation stays, unless the option gives another.
// CHECK-LABEL: @given
// CHECK: schedule #tile.simt<tile = [64, 128, 16], warps = [2, 2], thread = [8, 8]>
// FORCED-LABEL: @given
// FORCED: schedule #tile.simt<tile = [64, 64, 8], warps = [2, 2], thread = [8, 4]>
func.func @given(%a: !dynamic, %d: !dynamic) {
  // expected-remark @below {{as the operation asks}}
  tile.gemm ins(%a, %a : !dynamic, !dynamic) outs(%d : !dynamic)
    schedule #tile.simt<tile = [64, 128, 16], warps = [2, 2], thread = [8, 8]>
  return
}
