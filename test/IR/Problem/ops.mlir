// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Problems and launches: every form prints as it is read.
// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

!mat = memref<?x?xf32, strided<[?, 1], offset: ?>>
!batch = memref<?x?x?xf64, strided<[?, 1, ?]>>

// CHECK-LABEL: @gemm
// CHECK-SAME: (%[[A:.*]]: memref<{{.*}}>, %[[B:.*]]: memref<{{.*}}>, %[[C:.*]]: memref<{{.*}}>, %[[D:.*]]: memref<{{.*}}>, %[[S:.*]]: f32)
func.func @gemm(%a: !mat, %b: !mat, %c: !mat, %d: !mat, %s: f32) {
  // CHECK: tile.gemm ins(%[[A]], %[[B]] : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<{{.*}}>) outs(%[[D]] : memref<{{.*}}>){{$}}
  tile.gemm ins(%a, %b : !mat, !mat) outs(%d : !mat)
  // CHECK: tile.gemm ins(%[[A]], %[[B]], %[[C]] : {{.*}}) outs(%[[D]] : {{.*}}) alpha(%[[S]] : f32) beta(%[[S]] : f32)
  tile.gemm ins(%a, %b, %c : !mat, !mat, !mat) outs(%d : !mat) alpha(%s : f32) beta(%s : f32)
  // CHECK: tile.gemm {{.*}} alpha(%[[S]] : f32) schedule #tile.simt<tile = [128, 128, 8], warps = [2, 4], thread = [8, 8]>
  tile.gemm ins(%a, %b : !mat, !mat) outs(%d : !mat) alpha(%s : f32)
    schedule #tile.simt<tile = [128, 128, 8], warps = [2, 4], thread = [8, 8]>
  return
}

// Operands of rank 2 are shared by all batches.
// CHECK-LABEL: @batched
func.func @batched(%a: memref<?x?xf64>, %b: !batch, %d: !batch) {
  // CHECK: tile.gemm ins(%{{.*}}, %{{.*}} : memref<?x?xf64>, memref<?x?x?xf64, strided<[?, 1, ?]>>) outs(
  tile.gemm ins(%a, %b : memref<?x?xf64>, !batch) outs(%d : !batch)
  return
}

// Extents of 0 are problems, too.
// CHECK-LABEL: @empty
func.func @empty(%a: memref<0x0xf32>, %d: memref<0x0xf32>) {
  // CHECK: tile.gemm
  tile.gemm ins(%a, %a : memref<0x0xf32>, memref<0x0xf32>) outs(%d : memref<0x0xf32>)
  return
}

// Each combination of types that the contract names; sums of 16 and 8 bits are
// f32, and so are the scalars.
// CHECK-LABEL: @element_types
func.func @element_types(%h: memref<8x8xf16>, %b: memref<8x8xbf16>, %s: memref<8x8xf32>, %e4: memref<8x8xf8E4M3FN>, %e5: memref<8x8xf8E5M2>, %x: f32) {
  // CHECK: tile.gemm {{.*}}xf16>) alpha(%{{.*}} : f32) promoted_sums{{$}}
  tile.gemm ins(%h, %h : memref<8x8xf16>, memref<8x8xf16>) outs(%h : memref<8x8xf16>) alpha(%x : f32) promoted_sums
  // CHECK: tile.gemm {{.*}}xf16>, {{.*}}xf16>, {{.*}}xf16>) outs(%{{.*}} : memref<8x8xf16>) alpha(%{{.*}} : f32) beta(%{{.*}} : f32)
  tile.gemm ins(%h, %h, %h : memref<8x8xf16>, memref<8x8xf16>, memref<8x8xf16>) outs(%h : memref<8x8xf16>) alpha(%x : f32) beta(%x : f32)
  // CHECK: outs(%{{.*}} : memref<8x8xf32>)
  tile.gemm ins(%h, %h : memref<8x8xf16>, memref<8x8xf16>) outs(%s : memref<8x8xf32>)
  // CHECK: outs(%{{.*}} : memref<8x8xbf16>)
  tile.gemm ins(%b, %b : memref<8x8xbf16>, memref<8x8xbf16>) outs(%b : memref<8x8xbf16>)
  // CHECK: outs(%{{.*}} : memref<8x8xf32>)
  tile.gemm ins(%b, %b : memref<8x8xbf16>, memref<8x8xbf16>) outs(%s : memref<8x8xf32>)
  // CHECK: ins({{.*}} : memref<8x8xf8E4M3FN>, memref<8x8xf8E5M2>) outs(%{{.*}} : memref<8x8xbf16>)
  tile.gemm ins(%e4, %e5 : memref<8x8xf8E4M3FN>, memref<8x8xf8E5M2>) outs(%b : memref<8x8xbf16>)
  // CHECK: ins({{.*}} : memref<8x8xf8E5M2>, memref<8x8xf8E4M3FN>) outs(%{{.*}} : memref<8x8xf16>)
  tile.gemm ins(%e5, %e4 : memref<8x8xf8E5M2>, memref<8x8xf8E4M3FN>) outs(%h : memref<8x8xf16>)
  // CHECK: ins({{.*}} : memref<8x8xf8E4M3FN>, memref<8x8xf8E4M3FN>, memref<8x8xf32>) outs(%{{.*}} : memref<8x8xf32>)
  tile.gemm ins(%e4, %e4, %s : memref<8x8xf8E4M3FN>, memref<8x8xf8E4M3FN>, memref<8x8xf32>) outs(%s : memref<8x8xf32>) beta(%x : f32)
  return
}

gpu.module @kernels {
  gpu.func @one() kernel { gpu.return }
  gpu.func @two() kernel { gpu.return }
}

// CHECK-LABEL: @launch
func.func @launch(%a: !mat, %d: !mat, %s: f32) {
  // CHECK: tile.launch [@kernels::@one, @kernels::@two] ins(%{{.*}}, %{{.*}} : {{.*}}) outs(%{{.*}} : {{.*}}) alpha(%{{.*}} : f32)
  tile.launch [@kernels::@one, @kernels::@two] ins(%a, %a : !mat, !mat) outs(%d : !mat) alpha(%s : f32)
  return
}

// A line for each kernel where some want copies first, and why they are there.
// CHECK-LABEL: @launch_with_copies
func.func @launch_with_copies(%a: !mat, %d: !mat) {
  // CHECK: tile.launch [
  // CHECK-NEXT: @kernels::@one,
  // CHECK-NEXT: @kernels::@two after (A by @kernels::@one, contiguous = 1, pitch_multiple = 8) and (B by @kernels::@one, contiguous = 0, pitch_multiple = 1)] ins({{.*}}) outs({{.*}}) reason "it is wide"{{$}}
  tile.launch [@kernels::@one, @kernels::@two after (A by @kernels::@one, contiguous = 1, pitch_multiple = 8)
                                              and (B by @kernels::@one, contiguous = 0, pitch_multiple = 1)]
    ins(%a, %a : !mat, !mat) outs(%d : !mat) reason "it is wide"
  // CHECK: tile.gemm {{.*}} reason "it fits"{{$}}
  tile.gemm ins(%a, %a : !mat, !mat) outs(%d : !mat) reason "it fits"
  return
}
