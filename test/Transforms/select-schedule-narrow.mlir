// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which schedule a GEMM of 16-bit operands gets: on a chip without wgmma one
// that multiplies by mma.sync, elsewhere one for wgmma, with one for the fused
// multiply-add units beside it where operands may have to be copied.
// RUN: tile-opt %s --tile-select-schedule | FileCheck %s --check-prefixes=CHECK,WGMMA
// RUN: tile-opt %s --tile-select-schedule=chip=sm_90a | FileCheck %s --check-prefixes=CHECK,WGMMA
// RUN: tile-opt %s --tile-to-ptx="chip=sm_90a stop-after=schedule" | FileCheck %s --check-prefixes=CHECK,WGMMA
// RUN: tile-opt %s --tile-select-schedule=remarks -verify-diagnostics -o /dev/null
// RUN: tile-opt %s --tile-select-schedule=chip=sm_80 | FileCheck %s --check-prefixes=CHECK,WARP,FEWER
// RUN: tile-opt %s --tile-select-schedule=chip=sm_90 | FileCheck %s --check-prefixes=CHECK,WARP,MORE
// RUN: tile-opt %s --tile-to-ptx="chip=sm_120 stop-after=schedule" | FileCheck %s --check-prefixes=CHECK,WARP,MORE

// A table measured on another chip does not bring its instructions along.
// RUN: echo '{"a": "bf16", "b": "bf16", "d": "bf16", "layout": "nn", "m": 64, "n": 64, "k": 64, "batch": 1, "pitch_a": 64, "pitch_b": 64, "pitch_d": 64, "schedule": "#tile.warp_specialized<tile = [64, 64, 0], stages = 3, consumers = 1>", "us": 3.25, "card": "NVIDIA H200", "date": "2026-01-02"}' > %t.jsonl
// RUN: tile-opt %s --tile-select-schedule="chip=sm_80 remarks=true tuning-table=%t.jsonl" 2>&1 | FileCheck %s --check-prefix=TABLE
// TABLE: remark: schedule #tile.multistage<{{.*}}; the one in the tuning table is not legal: expected a chip with wgmma, sm_90a, but got sm_80

!dynamic = memref<?x?xbf16, strided<[?, 1], offset: ?>>

// CHECK-LABEL: @extents_at_run_time
// WGMMA: schedule [#tile.warp_specialized<{{.*}}>, #tile.simt<tile = [64, 64, {{[0-9]+}}], {{[^>]*}}>]
// WARP: schedule #tile.multistage<tile = [{{256|128}}, 128, 64],
func.func @extents_at_run_time(%a: !dynamic, %d: !dynamic) {
  // expected-remark @below {{extents are known at run time only: the kernel is chosen at launch}}
  tile.gemm ins(%a, %a : !dynamic, !dynamic) outs(%d : !dynamic)
  return
}

// Nothing can need a copy.
// CHECK-LABEL: @multiples_of_16_bytes
// WGMMA: schedule #tile.warp_specialized<
// WARP: schedule #tile.multistage<tile = [32, 32, 64],
func.func @multiples_of_16_bytes(%a: memref<64x64xbf16>, %d: memref<64x64xbf16>) {
  // expected-remark @below {{% of the multiprocessors; about}}
  tile.gemm ins(%a, %a : memref<64x64xbf16>, memref<64x64xbf16>) outs(%d : memref<64x64xbf16>)
  return
}

// The pitch of A is 1000 elements, that of B 1001. On the 108
// multiprocessors of an A100, 64 large tiles take one wave, as many as 128 smaller
// ones do on the chips that have more.
// CHECK-LABEL: @odd_pitch
// WGMMA: schedule [#tile.warp_specialized<{{[^>]*}}>, #tile.simt<tile = [64, 64, {{[0-9]+}}], {{[^>]*}}>]
// MORE: schedule #tile.multistage<tile = [128, 64, 64],
// FEWER: schedule #tile.multistage<tile = [128, 128, 64],
func.func @odd_pitch(%a: memref<1000x1000xf16>, %b: memref<1000x1001xf16>, %d: memref<1000x1001xf32>) {
  // expected-remark @below {{; the fused multiply-add units where copies of operands do not pay, or have no workspace}}
  tile.gemm ins(%a, %b : memref<1000x1000xf16>, memref<1000x1001xf16>) outs(%d : memref<1000x1001xf32>)
  return
}

// CHECK-LABEL: @pitch_at_run_time
// WGMMA: schedule [#tile.warp_specialized<{{[^>]*}}>, #tile.simt<
// WARP: schedule #tile.multistage<
func.func @pitch_at_run_time(%a: memref<64x64xbf16>, %b: memref<64x64xbf16, strided<[1, ?]>>, %d: memref<64x64xbf16>) {
  // expected-remark @below {{the fused multiply-add units where copies}}
  tile.gemm ins(%a, %b : memref<64x64xbf16>, memref<64x64xbf16, strided<[1, ?]>>) outs(%d : memref<64x64xbf16>)
  return
}

// Matrices of 9 by 16 elements follow each other: a multiple of 16 bytes. Those
// of 9 by 9 do not.
// CHECK-LABEL: @distance_of_matrices
// WGMMA: schedule #tile.warp_specialized<
// WGMMA: schedule [#tile.warp_specialized<{{[^>]*}}>, #tile.simt<
func.func @distance_of_matrices(%a: memref<4x9x16xf16>, %b: memref<4x16x16xf16>, %d: memref<4x9x16xf16>,
                                %c: memref<4x16x9xf16, strided<[150, 1, 16]>>, %e: memref<4x9x9xf16>) {
  // expected-remark @below {{% of the multiprocessors; about}}
  tile.gemm ins(%a, %b : memref<4x9x16xf16>, memref<4x16x16xf16>) outs(%d : memref<4x9x16xf16>)
  // expected-remark @below {{the fused multiply-add units where copies}}
  tile.gemm ins(%a, %c : memref<4x9x16xf16>, memref<4x16x9xf16, strided<[150, 1, 16]>>) outs(%e : memref<4x9x9xf16>)
  return
}

// The base of A is 2 bytes past where the memref starts.
// CHECK-LABEL: @odd_offset
// WGMMA: schedule [#tile.warp_specialized<{{[^>]*}}>, #tile.simt<
// WARP: schedule #tile.multistage<
func.func @odd_offset(%a: memref<64x64xbf16, strided<[64, 1], offset: 1>>, %d: memref<64x64xbf16>) {
  // expected-remark @below {{the fused multiply-add units where copies}}
  tile.gemm ins(%a, %d : memref<64x64xbf16, strided<[64, 1], offset: 1>>, memref<64x64xbf16>) outs(%d : memref<64x64xbf16>)
  return
}

// No dimension has stride 1.
// CHECK-LABEL: @no_unit_stride
// WGMMA: schedule [#tile.warp_specialized<{{[^>]*}}>, #tile.simt<
// WARP: schedule #tile.multistage<
func.func @no_unit_stride(%a: memref<64x64xbf16, strided<[512, 8]>>, %d: memref<64x64xbf16>) {
  // expected-remark @below {{the fused multiply-add units where copies}}
  tile.gemm ins(%a, %d : memref<64x64xbf16, strided<[512, 8]>>, memref<64x64xbf16>) outs(%d : memref<64x64xbf16>)
  return
}

// CHECK-LABEL: @no_unit_stride_of_the_result
// WGMMA: schedule #tile.simt<
// WARP: schedule #tile.multistage<
func.func @no_unit_stride_of_the_result(%a: memref<64x64xbf16>, %d: memref<64x64xbf16, strided<[256, 2]>>) {
  // expected-remark @below {{not the tensor cores: expected D with unit stride along rows or columns, but got memref<64x64xbf16, strided<[256, 2]>>}}
  tile.gemm ins(%a, %a : memref<64x64xbf16>, memref<64x64xbf16>) outs(%d : memref<64x64xbf16, strided<[256, 2]>>)
  return
}
