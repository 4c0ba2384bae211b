// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One flag from tile.gemm to PTX, which stops at every stage; what each stage
// leaves can be read back and taken further.
// RUN: tile-opt %s --tile-to-ptx="stop-after=schedule" | FileCheck %s --check-prefix=SCHEDULE
// RUN: tile-opt %s --tile-to-ptx="stop-after=kernels" | FileCheck %s --check-prefix=KERNELS
// RUN: tile-opt %s --tile-to-ptx="stop-after=iterators" | FileCheck %s --check-prefix=ITERATORS
// RUN: tile-opt %s --tile-to-ptx="stop-after=unroll" | FileCheck %s --check-prefix=UNROLL
// RUN: tile-opt %s --tile-to-ptx="stop-after=atoms" | FileCheck %s --check-prefix=ATOMS
// RUN: tile-opt %s --tile-to-ptx="stop-after=layouts" | FileCheck %s --check-prefix=LAYOUTS
// RUN: tile-opt %s --tile-to-ptx="chip=sm_80" | FileCheck %s --check-prefix=BINARY
// RUN: tile-opt %s --tile-to-ptx="chip=sm_90a" | FileCheck %s --check-prefix=CHIP
//
// RUN: tile-opt %s --tile-to-ptx="stop-after=kernels" | tile-opt | FileCheck %s --check-prefix=KERNELS
// RUN: tile-opt %s --tile-to-ptx="stop-after=kernels" | tile-translate --mlir-to-ptx | FileCheck %s --check-prefix=PTX
// RUN: tile-opt %s --tile-to-ptx="stop-after=layouts" | tile-translate --mlir-to-ptx | FileCheck %s --check-prefix=PTX
// RUN: tile-opt %s --tile-to-ptx="chip=sm_80" | tile-opt | FileCheck %s --check-prefix=BINARY

// SCHEDULE: tile.gemm {{.*}} schedule #tile.simt<
// SCHEDULE-NOT: gpu.module

// KERNELS-LABEL: func.func @gemm
// KERNELS: tile.launch [@gemm_0::@simt_
// KERNELS: gpu.module @gemm_0
// KERNELS: tile.make_iterator
// KERNELS: tile.mma

// ITERATORS: gpu.module @gemm_0
// ITERATORS-NOT: tile.make_iterator
// ITERATORS: scf.for
// ITERATORS: {tile.strip_mined}
// ITERATORS: llvm.intr.masked.load
// ITERATORS: tile.mma

// UNROLL: gpu.module @gemm_0
// UNROLL-NOT: tile.strip_mined
// UNROLL: llvm.intr.masked.load
// UNROLL-NOT: tile.strip_mined
// UNROLL: tile.mma
// UNROLL-NOT: tile.strip_mined

// ATOMS: gpu.module @gemm_0
// ATOMS-NOT: tile.mma
// ATOMS: llvm.intr.fma
// ATOMS-NOT: tile.mma

// LAYOUTS: tile.launch
// LAYOUTS: gpu.module @gemm_0
// LAYOUTS-NOT: {{^ *(%.* = )?tile\.}}

// BINARY: tile.launch [@gemm_0::@simt_
// BINARY: gpu.binary @gemm_0 [#gpu.object<#nvvm.target<{{.*}}>, assembly = "
// BINARY-SAME: .target sm_80
// BINARY-NOT: gpu.module

// CHIP: gpu.binary @gemm_0
// CHIP-SAME: .target sm_90a

// PTX: .entry simt_

!mat = memref<?x?xf32, strided<[?, 1], offset: ?>>
func.func @gemm(%a: !mat, %b: !mat, %c: !mat, %d: !mat, %alpha: f32, %beta: f32) {
  tile.gemm ins(%a, %b, %c : !mat, !mat, !mat) outs(%d : !mat) alpha(%alpha : f32) beta(%beta : f32)
  return
}
