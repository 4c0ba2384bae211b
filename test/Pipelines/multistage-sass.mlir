// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The instructions that carry the speed of multistage kernels.
// REQUIRES: ptxas, nvdisasm
// RUN: %python %S/Inputs/write_multistage.py bf16 bf16 > %t.bf16.mlir
// RUN: tile-translate --mlir-to-ptx --chip=sm_80 %t.bf16.mlir -o %t.bf16.ptx
// RUN: ptxas -arch=sm_80 %t.bf16.ptx -o %t.bf16.cubin
// RUN: nvdisasm -c %t.bf16.cubin | FileCheck %s --check-prefix=BF16 --implicit-check-not=LDL --implicit-check-not=STL
// RUN: %python %S/Inputs/write_multistage.py f64 f64 > %t.f64.mlir
// RUN: tile-translate --mlir-to-ptx --chip=sm_90a %t.f64.mlir -o %t.f64.ptx
// RUN: ptxas -arch=sm_90a %t.f64.ptx -o %t.f64.cubin
// RUN: nvdisasm -c %t.f64.cubin | FileCheck %s --check-prefix=F64 --implicit-check-not=LDL --implicit-check-not=STL
// RUN: %python %S/Inputs/write_multistage.py i8 i32 > %t.i8.mlir
// RUN: tile-translate --mlir-to-ptx --chip=sm_80 %t.i8.mlir -o %t.i8.ptx
// RUN: ptxas -arch=sm_80 %t.i8.ptx -o %t.i8.cubin
// RUN: nvdisasm -c %t.i8.cubin | FileCheck %s --check-prefix=I8

// Rows of M and N are transposed on the way.
// BF16-LABEL: .text.multistage_128x256x64_s3_bf16_bf16_crr_v8_d2:
// BF16: LDSM.16.MT88.4

// The loop over tiles of 64 along K: four steps of 4 by 8 atoms, of which each
// step takes eight loads of four matrices, and twelve copies, with one barrier.
// BF16-LABEL: .text.multistage_128x256x64_s3_bf16_bf16_rcr_v8_d2:
// BF16: BAR.SYNC
// BF16: HMMA.16816.F32.BF16
// BF16: LDGSTS.E.BYPASS{{.*}}.128
// BF16: LDSM.16.M88.4
// BF16: BAR.SYNC
// BF16: LDSM.16.M88.4

// F64-LABEL: .text.multistage_128x128x16_s4_f64_f64_rcr_v2_d2:
// F64: LDGSTS.E.BYPASS{{.*}}.128
// F64: LDS.64
// F64: DMMA.16x8x8

// I8-LABEL: .text.multistage_{{[0-9x]*}}_s3_i8_i32_rcr_v16_d2:
// I8: LDSM.16.M88.4
// I8: IMMA.16832.S8.S8
