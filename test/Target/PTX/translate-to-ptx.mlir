// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX of hand-written floor-3 kernels: the lines that carry the meaning.
// RUN: tile-translate --mlir-to-ptx --chip=sm_80 %s | FileCheck %s
// RUN: tile-translate --mlir-to-ptx --chip=sm_90a --ptx-version=83 %s | FileCheck %s --check-prefix=SM90
// RUN: tile-translate --mlir-to-ptx --chip=sm_100a %s | FileCheck %s --check-prefix=SM100
// RUN: tile-translate --mlir-to-ptx --opt-level=0 %s | FileCheck %s --check-prefix=O0
// RUN: tile-translate --mlir-to-ptx --line-info %s | FileCheck %s --check-prefix=LINES

// CHECK: .version 8.0
// CHECK: .target sm_80
// SM90: .version 8.3
// SM90: .target sm_90a
// SM100: .version 8.6
// SM100: .target sm_100a
// LINES: .loc 1 {{[0-9]+}}
// LINES: .file 1 "{{.*}}translate-to-ptx.mlir"

// CHECK: .entry saxpy(
// CHECK: .maxntid 128, 1, 1
// CHECK: .minnctapersm 2
// CHECK-NOT: bra
// CHECK: setp.lt.s64 %[[P:p[0-9]+]],
// CHECK-NOT: bra
// CHECK: @%[[P]] ld.global.v4.f32 {%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}}, [%{{.*}}];
// CHECK: @%[[P]] ld.global.v4.f32
// CHECK-COUNT-4: fma.rn.f32
// CHECK: @%[[P]] st.global.v4.f32
// CHECK-NOT: bra
// CHECK: ret;
// O0: .entry saxpy(
// O0: @%p{{[0-9]+}} ld.global.v4.f32

// CHECK: .entry transpose(
// CHECK: .maxntid 32, 32, 1
// CHECK: .shared .align 16 .b8 tile[4224];
// CHECK: st.shared.b32
// CHECK: bar.sync 0;
// CHECK: ld.shared.b32

// Multiplication and addition stay two roundings.
// CHECK: .entry no_contraction(
// CHECK: mul.rn.f32
// CHECK: add.rn.f32

module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16} : !llvm.array<4224 x i8>

    gpu.func @saxpy(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %n: i64, %a: f32) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>, nvvm.minctasm = 2 : i32} {
      %tx = gpu.thread_id x
      %bx = gpu.block_id x
      %c128 = arith.constant 128 : index
      %c4 = arith.constant 4 : index
      %b = arith.muli %bx, %c128 : index
      %t = arith.addi %b, %tx : index
      %e = arith.muli %t, %c4 : index
      %i = arith.index_cast %e : index to i64
      %p = arith.cmpi slt, %i, %n : i64
      %m = vector.broadcast %p : i1 to vector<4xi1>
      %z = arith.constant dense<0.0> : vector<4xf32>
      %px = llvm.getelementptr %x[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %py = llvm.getelementptr %y[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %vx = llvm.intr.masked.load %px, %m, %z {alignment = 16 : i32} : (!llvm.ptr<1>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
      %vy = llvm.intr.masked.load %py, %m, %z {alignment = 16 : i32} : (!llvm.ptr<1>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
      %va = vector.broadcast %a : f32 to vector<4xf32>
      %r = llvm.intr.fma(%va, %vx, %vy) : (vector<4xf32>, vector<4xf32>, vector<4xf32>) -> vector<4xf32>
      llvm.intr.masked.store %r, %py, %m {alignment = 16 : i32} : vector<4xf32>, vector<4xi1> into !llvm.ptr<1>
      gpu.return
    }

    gpu.func @transpose(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) kernel
        attributes {known_block_size = array<i32: 32, 32, 1>} {
      %tx = gpu.thread_id x
      %ty = gpu.thread_id y
      %s = llvm.mlir.addressof @tile : !llvm.ptr<3>
      %c32 = arith.constant 32 : index
      %c33 = arith.constant 33 : index
      %r0 = arith.muli %ty, %c32 : index
      %r = arith.addi %r0, %tx : index
      %s0 = arith.muli %ty, %c33 : index
      %s1 = arith.addi %s0, %tx : index
      %t0 = arith.muli %tx, %c33 : index
      %t1 = arith.addi %t0, %ty : index
      %ri = arith.index_cast %r : index to i64
      %si = arith.index_cast %s1 : index to i64
      %ti = arith.index_cast %t1 : index to i64
      %px = llvm.getelementptr %x[%ri] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %py = llvm.getelementptr %y[%ri] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %ps = llvm.getelementptr %s[%si] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
      %pt = llvm.getelementptr %s[%ti] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
      %v = llvm.load %px : !llvm.ptr<1> -> f32
      llvm.store %v, %ps : f32, !llvm.ptr<3>
      gpu.barrier
      %w = llvm.load %pt : !llvm.ptr<3> -> f32
      llvm.store %w, %py : f32, !llvm.ptr<1>
      gpu.return
    }

    gpu.func @no_contraction(%x: !llvm.ptr<1>, %a: f32) kernel {
      %v = llvm.load %x : !llvm.ptr<1> -> f32
      %m = arith.mulf %v, %a : f32
      %s = arith.addf %m, %a : f32
      llvm.store %s, %x : f32, !llvm.ptr<1>
      gpu.return
    }
  }
}
