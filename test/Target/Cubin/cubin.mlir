// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ptxas accepts the PTX of every shape of masked access, without a warning.
// REQUIRES: ptxas
// RUN: tile-translate --mlir-to-cubin --chip=sm_80 %s -o %t.80
// RUN: tile-translate --mlir-to-cubin --chip=sm_90a --line-info %s -o %t.90
// RUN: head -c 4 %t.80 | FileCheck %s
// RUN: head -c 4 %t.90 | FileCheck %s
// RUN: tile-translate --mlir-to-cubin --chip=sm_80 --opt-level=0 %s -o %t.0

// CHECK: ELF
module {
  gpu.module @kernels {
    gpu.func @masked(%a: !llvm.ptr<1>, %n: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %t = gpu.thread_id x
      %i = arith.index_cast %t : index to i32
      %p = arith.cmpi slt, %i, %n : i32
      %m1 = vector.broadcast %p : i1 to vector<1xi1>
      %m2 = vector.broadcast %p : i1 to vector<2xi1>
      %m3 = vector.broadcast %p : i1 to vector<3xi1>
      %m4 = vector.broadcast %p : i1 to vector<4xi1>
      %m8 = vector.broadcast %p : i1 to vector<8xi1>
      %f4 = arith.constant dense<1.5> : vector<4xf32>
      %d2 = arith.constant dense<2.5> : vector<2xf64>
      %h1 = arith.constant dense<1.0> : vector<1xf16>
      %b8 = arith.constant dense<1.0> : vector<8xbf16>
      %c1 = arith.constant dense<7> : vector<1xi8>
      %c2 = arith.constant dense<7> : vector<2xi8>
      %i3 = arith.constant dense<9> : vector<3xi32>
      %l2 = arith.constant dense<9> : vector<2xi64>
      %0 = llvm.intr.masked.load %a, %m4, %f4 {alignment = 16 : i32} : (!llvm.ptr<1>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
      %1 = llvm.intr.masked.load %a, %m4, %f4 {alignment = 4 : i32} : (!llvm.ptr<1>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
      %2 = llvm.intr.masked.load %a, %m2, %d2 {alignment = 16 : i32} : (!llvm.ptr<1>, vector<2xi1>, vector<2xf64>) -> vector<2xf64>
      %3 = llvm.intr.masked.load %a, %m1, %h1 {alignment = 2 : i32} : (!llvm.ptr<1>, vector<1xi1>, vector<1xf16>) -> vector<1xf16>
      %4 = llvm.intr.masked.load %a, %m8, %b8 {alignment = 16 : i32} : (!llvm.ptr<1>, vector<8xi1>, vector<8xbf16>) -> vector<8xbf16>
      %5 = llvm.intr.masked.load %a, %m1, %c1 {alignment = 1 : i32} : (!llvm.ptr<1>, vector<1xi1>, vector<1xi8>) -> vector<1xi8>
      %6 = llvm.intr.masked.load %a, %m2, %c2 {alignment = 1 : i32} : (!llvm.ptr<1>, vector<2xi1>, vector<2xi8>) -> vector<2xi8>
      %7 = llvm.intr.masked.load %a, %m3, %i3 {alignment = 16 : i32} : (!llvm.ptr<1>, vector<3xi1>, vector<3xi32>) -> vector<3xi32>
      %8 = llvm.intr.masked.load %a, %m2, %l2 {alignment = 8 : i32} : (!llvm.ptr<1>, vector<2xi1>, vector<2xi64>) -> vector<2xi64>
      gpu.barrier
      llvm.intr.masked.store %0, %a, %m4 {alignment = 16 : i32} : vector<4xf32>, vector<4xi1> into !llvm.ptr<1>
      llvm.intr.masked.store %1, %a, %m4 {alignment = 4 : i32} : vector<4xf32>, vector<4xi1> into !llvm.ptr<1>
      llvm.intr.masked.store %2, %a, %m2 {alignment = 16 : i32} : vector<2xf64>, vector<2xi1> into !llvm.ptr<1>
      llvm.intr.masked.store %3, %a, %m1 {alignment = 2 : i32} : vector<1xf16>, vector<1xi1> into !llvm.ptr<1>
      llvm.intr.masked.store %4, %a, %m8 {alignment = 16 : i32} : vector<8xbf16>, vector<8xi1> into !llvm.ptr<1>
      llvm.intr.masked.store %5, %a, %m1 {alignment = 1 : i32} : vector<1xi8>, vector<1xi1> into !llvm.ptr<1>
      llvm.intr.masked.store %6, %a, %m2 {alignment = 1 : i32} : vector<2xi8>, vector<2xi1> into !llvm.ptr<1>
      llvm.intr.masked.store %7, %a, %m3 {alignment = 16 : i32} : vector<3xi32>, vector<3xi1> into !llvm.ptr<1>
      llvm.intr.masked.store %8, %a, %m2 {alignment = 8 : i32} : vector<2xi64>, vector<2xi1> into !llvm.ptr<1>
      // A predicate that LLVM finds out to be constant.
      %same = arith.cmpi eq, %n, %n : i32
      %ms = vector.broadcast %same : i1 to vector<1xi1>
      llvm.intr.masked.store %5, %a, %ms {alignment = 1 : i32} : vector<1xi8>, vector<1xi1> into !llvm.ptr<1>
      gpu.return
    }
  }
}
