// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Epilogues keep their operands, indices and region; constants stay inside.
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --canonicalize --cse | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --tile-to-ptx="chip=sm_90a stop-after=kernels" | FileCheck %s --check-prefix=LAUNCH

!mat = memref<?x?xf32, strided<[?, 1], offset: ?>>

// CHECK-LABEL: @layer
// CHECK: tile.gemm {{.*}} epilogue (%{{.*}}[n], %{{.*}}[n, m] : memref<?xf32>, memref<?x?xbf16>) {
// CHECK-NEXT: ^bb0(%[[SUM:.*]]: f32, %[[B:.*]]: f32, %[[R:.*]]: bf16):
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0.0
// CHECK: tile.yield
// LAUNCH-LABEL: @layer
// LAUNCH: tile.launch {{.*}} epilogue "f32 f32 bf16 | const 0x0p+0 | add 0 1 | max 4 3 | ext 2 | add 5 6" (%{{.*}}[n], %{{.*}}[n, m] : memref<?xf32>, memref<?x?xbf16>)
func.func @layer(%A: !mat, %B: !mat, %bias: memref<?xf32>, %res: memref<?x?xbf16>, %D: !mat) {
  tile.gemm ins(%A, %B : !mat, !mat) outs(%D : !mat)
    epilogue(%bias[n], %res[n, m] : memref<?xf32>, memref<?x?xbf16>) {
  ^bb0(%sum: f32, %b: f32, %r: bf16):
    %zero = arith.constant 0.0 : f32
    %x = arith.addf %sum, %b : f32
    %y = arith.maximumf %x, %zero : f32
    %e = arith.extf %r : bf16 to f32
    %z = arith.addf %y, %e : f32
    tile.yield %z : f32
  }
  return
}

// CHECK-LABEL: @no_operands
// CHECK: tile.gemm {{.*}} alpha(%{{.*}} : f32) epilogue {
// CHECK-NEXT: ^bb0(%{{.*}}: f32, %[[C:.*]]: bf16):
// LAUNCH-LABEL: @no_operands
// LAUNCH: epilogue "f32 bf16" reason
func.func @no_operands(%A: memref<64x64xbf16>, %C: memref<64x64xbf16>, %D: memref<64x64xbf16>, %s: f32) {
  tile.gemm ins(%A, %A, %C : memref<64x64xbf16>, memref<64x64xbf16>, memref<64x64xbf16>) outs(%D : memref<64x64xbf16>) alpha(%s : f32)
    epilogue {
  ^bb0(%sum: f32, %c: bf16):
    tile.yield %c : bf16
  }
  return
}

// CHECK-LABEL: @compared
// LAUNCH-LABEL: @compared
// LAUNCH: epilogue "f64 | const 0x0p+0 | cmp olt 0 1 | neg 0 | select 2 3 0"
func.func @compared(%A: memref<3x8x8xf64>, %D: memref<3x8x8xf64>) {
  tile.gemm ins(%A, %A : memref<3x8x8xf64>, memref<3x8x8xf64>) outs(%D : memref<3x8x8xf64>) epilogue {
  ^bb0(%sum: f64):
    %zero = arith.constant 0.0 : f64
    %less = arith.cmpf olt, %sum, %zero : f64
    %minus = arith.negf %sum : f64
    %abs = arith.select %less, %minus, %sum : f64
    tile.yield %abs : f64
  }
  return
}

// Operations that round nothing take narrow elements as they are.
// CHECK-LABEL: @narrow
// LAUNCH-LABEL: @narrow
// LAUNCH: epilogue "f32 bf16 | trunc bf16 0 | max 2 1 | neg 3 | abs 4"
func.func @narrow(%A: memref<64x64xbf16>, %v: memref<64xbf16>, %D: memref<64x64xbf16>) {
  tile.gemm ins(%A, %A : memref<64x64xbf16>, memref<64x64xbf16>) outs(%D : memref<64x64xbf16>)
    epilogue(%v[m] : memref<64xbf16>) {
  ^bb0(%sum: f32, %b: bf16):
    %h = arith.truncf %sum : f32 to bf16
    %x = arith.maximumf %h, %b : bf16
    %y = arith.negf %x : bf16
    %z = math.absf %y : bf16
    tile.yield %z : bf16
  }
  return
}
