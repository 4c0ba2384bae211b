// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of functions vanish, also with ops of the dialect, of NVVM and LLVM inside.
// RUN: tile-opt %s --inline | FileCheck %s

!v = !tile.view<f32, global, (4, 8) : (8, 1)>

func.func private @scale(%x: f32) -> f32 {
  %y = arith.addf %x, %x : f32
  return %y : f32
}

func.func private @row(%v: !v, %i: index) -> f32 {
  %x = tile.view_load %v(%i, 0) : !v -> f32
  %s = func.call @scale(%x) : (f32) -> f32
  return %s : f32
}

// CHECK-LABEL: func.func @caller
// CHECK-NOT: call
// CHECK: tile.view_load
// CHECK-NEXT: arith.addf
// CHECK-NEXT: return
func.func @caller(%v: !v, %i: index) -> f32 {
  %x = func.call @row(%v, %i) : (!v, index) -> f32
  return %x : f32
}

gpu.module @kernels {
  func.func private @id() -> i32 {
    %x = nvvm.read.ptx.sreg.tid.x : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %y = llvm.add %x, %one : i32
    return %y : i32
  }

  // Into a gpu.func itself upstream's gpu dialect lets nothing be inlined.
  // CHECK-LABEL: func.func @twice
  // CHECK-NOT: call
  // CHECK: nvvm.read.ptx.sreg.tid.x
  // CHECK: llvm.add
  // CHECK: return
  func.func @twice() -> i32 {
    %x = func.call @id() : () -> i32
    %y = arith.addi %x, %x : i32
    return %y : i32
  }
}
