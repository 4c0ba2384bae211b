// A problem that the tuning table holds gets its schedule; others, and those
// whose schedule is no longer legal, get the selected one.
// RUN: echo '{"a": "f32", "b": "f32", "d": "f32", "layout": "nt", "m": 64, "n": 32, "k": 16, "batch": 1, "pitch_a": 16, "pitch_b": 20, "pitch_d": 32, "schedule": "#tile.simt<tile = [32, 32, 8], warps = [1, 1], thread = [8, 4]>", "us": 3.25, "card": "NVIDIA H200", "date": "2026-01-02"}' > %t.jsonl
// RUN: echo '{"a": "f32", "b": "f32", "d": "f32", "layout": "nn", "m": 64, "n": 32, "k": 16, "batch": 3, "pitch_a": 16, "pitch_b": 32, "pitch_d": 32, "schedule": "#tile.simt<tile = [128, 128, 8], warps = [2, 4], thread = [7, 8]>"}' >> %t.jsonl
// RUN: tile-opt --tile-select-schedule="tuning-table=%t.jsonl remarks=true" %s 2>&1 | FileCheck %s
// RUN: tile-opt --tile-to-ptx="stop-after=schedule tuning-table=%t.jsonl" %s | FileCheck %s --check-prefix=PIPELINE

// CHECK: remark: schedule #tile.simt<tile = [32, 32, 8]{{.*}}: the tuning table measured it at 3.2 us on NVIDIA H200, 2026-01-02
// CHECK: remark: schedule #tile.simt<{{.*}} × {{.*}} tiles use
// CHECK: remark: schedule #tile.simt<{{.*}}; the one in the tuning table is not legal: expected

// CHECK-LABEL: func.func @held
// CHECK: schedule #tile.simt<tile = [32, 32, 8]
// PIPELINE-LABEL: func.func @held
// PIPELINE: tile = [32, 32, 8]
func.func @held(%A: memref<64x16xf32>, %B: memref<16x32xf32, strided<[1, 20]>>, %D: memref<64x32xf32>) {
  tile.gemm ins(%A, %B : memref<64x16xf32>, memref<16x32xf32, strided<[1, 20]>>) outs(%D : memref<64x32xf32>)
  return
}

// CHECK-LABEL: func.func @other_pitch
func.func @other_pitch(%A: memref<64x16xf32>, %B: memref<16x32xf32, strided<[1, 16]>>, %D: memref<64x32xf32>) {
  tile.gemm ins(%A, %B : memref<64x16xf32>, memref<16x32xf32, strided<[1, 16]>>) outs(%D : memref<64x32xf32>)
  return
}

// CHECK-LABEL: func.func @no_longer_legal
func.func @no_longer_legal(%A: memref<3x64x16xf32>, %B: memref<3x16x32xf32>, %D: memref<3x64x32xf32>) {
  tile.gemm ins(%A, %B : memref<3x64x16xf32>, memref<3x16x32xf32>) outs(%D : memref<3x64x32xf32>)
  return
}

// A table that cannot be read is an error that names the line.
// RUN: echo '{"a": "f32"}' > %t.bad.jsonl
// RUN: not tile-opt --tile-select-schedule="tuning-table=%t.bad.jsonl" %s 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: error: {{.*}}.bad.jsonl: line 1: expected a string "b", but got none
