// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the default kernels come to on each chip: no spill and no local memory,
// and the instructions that carry their speed, where there is a disassembler.
// REQUIRES: ptxas
// RUN: sed -e 's/FACTOR/bf16/g' -e 's/RESULT/bf16/g' %s > %t.bf16.sm_80.mlir
// RUN: tile-translate --mlir-to-ptx --chip=sm_80 %t.bf16.sm_80.mlir -o %t.bf16.sm_80.ptx
// RUN: ptxas -arch=sm_80 -v %t.bf16.sm_80.ptx -o %t.bf16.sm_80.cubin 2>&1 | FileCheck %s --check-prefix=SPILLS --implicit-check-not="{{[1-9][0-9]*}} bytes spill" --implicit-check-not="{{[1-9][0-9]*}} bytes stack"
// RUN: %if nvdisasm %{ nvdisasm -c %t.bf16.sm_80.cubin | FileCheck %s --check-prefix=HALVES --implicit-check-not=LDL --implicit-check-not=STL %}
// RUN: sed -e 's/FACTOR/bf16/g' -e 's/RESULT/bf16/g' %s > %t.bf16.sm_89.mlir
// RUN: tile-translate --mlir-to-ptx --chip=sm_89 %t.bf16.sm_89.mlir -o %t.bf16.sm_89.ptx
// RUN: ptxas -arch=sm_89 -v %t.bf16.sm_89.ptx -o %t.bf16.sm_89.cubin 2>&1 | FileCheck %s --check-prefix=SPILLS --implicit-check-not="{{[1-9][0-9]*}} bytes spill" --implicit-check-not="{{[1-9][0-9]*}} bytes stack"
// RUN: %if nvdisasm %{ nvdisasm -c %t.bf16.sm_89.cubin | FileCheck %s --check-prefix=HALVES --implicit-check-not=LDL --implicit-check-not=STL %}
// RUN: sed -e 's/FACTOR/bf16/g' -e 's/RESULT/bf16/g' %s > %t.bf16.sm_90.mlir
// RUN: tile-translate --mlir-to-ptx --chip=sm_90 %t.bf16.sm_90.mlir -o %t.bf16.sm_90.ptx
// RUN: ptxas -arch=sm_90 -v %t.bf16.sm_90.ptx -o %t.bf16.sm_90.cubin 2>&1 | FileCheck %s --check-prefix=SPILLS --implicit-check-not="{{[1-9][0-9]*}} bytes spill" --implicit-check-not="{{[1-9][0-9]*}} bytes stack"
// RUN: %if nvdisasm %{ nvdisasm -c %t.bf16.sm_90.cubin | FileCheck %s --check-prefix=HALVES --implicit-check-not=LDL --implicit-check-not=STL %}
// RUN: sed -e 's/FACTOR/bf16/g' -e 's/RESULT/bf16/g' %s > %t.bf16.sm_120.mlir
// RUN: tile-translate --mlir-to-ptx --chip=sm_120 %t.bf16.sm_120.mlir -o %t.bf16.sm_120.ptx
// RUN: ptxas -arch=sm_120 -v %t.bf16.sm_120.ptx -o %t.bf16.sm_120.cubin 2>&1 | FileCheck %s --check-prefix=SPILLS --implicit-check-not="{{[1-9][0-9]*}} bytes spill" --implicit-check-not="{{[1-9][0-9]*}} bytes stack"
// RUN: %if nvdisasm %{ nvdisasm -c %t.bf16.sm_120.cubin | FileCheck %s --check-prefix=HALVES --implicit-check-not=LDL --implicit-check-not=STL %}
// RUN: sed -e 's/FACTOR/f64/g' -e 's/RESULT/f64/g' %s > %t.f64.sm_80.mlir
// RUN: tile-translate --mlir-to-ptx --chip=sm_80 %t.f64.sm_80.mlir -o %t.f64.sm_80.ptx
// RUN: ptxas -arch=sm_80 -v %t.f64.sm_80.ptx -o %t.f64.sm_80.cubin 2>&1 | FileCheck %s --check-prefix=SPILLS --implicit-check-not="{{[1-9][0-9]*}} bytes spill" --implicit-check-not="{{[1-9][0-9]*}} bytes stack"
// RUN: %if nvdisasm %{ nvdisasm -c %t.f64.sm_80.cubin | FileCheck %s --check-prefix=DOUBLES80 --implicit-check-not=LDL --implicit-check-not=STL %}
// RUN: sed -e 's/FACTOR/f64/g' -e 's/RESULT/f64/g' %s > %t.f64.sm_90a.mlir
// RUN: tile-translate --mlir-to-ptx --chip=sm_90a %t.f64.sm_90a.mlir -o %t.f64.sm_90a.ptx
// RUN: ptxas -arch=sm_90a -v %t.f64.sm_90a.ptx -o %t.f64.sm_90a.cubin 2>&1 | FileCheck %s --check-prefix=SPILLS --implicit-check-not="{{[1-9][0-9]*}} bytes spill" --implicit-check-not="{{[1-9][0-9]*}} bytes stack"
// RUN: %if nvdisasm %{ nvdisasm -c %t.f64.sm_90a.cubin | FileCheck %s --check-prefix=DOUBLES90 --implicit-check-not=LDL --implicit-check-not=STL %}
// RUN: sed -e 's/FACTOR/i8/g' -e 's/RESULT/i32/g' %s > %t.i8.sm_80.mlir
// RUN: tile-translate --mlir-to-ptx --chip=sm_80 %t.i8.sm_80.mlir -o %t.i8.sm_80.ptx
// RUN: ptxas -arch=sm_80 -v %t.i8.sm_80.ptx -o %t.i8.sm_80.cubin 2>&1 | FileCheck %s --check-prefix=SPILLS --implicit-check-not="{{[1-9][0-9]*}} bytes spill" --implicit-check-not="{{[1-9][0-9]*}} bytes stack"
// RUN: %if nvdisasm %{ nvdisasm -c %t.i8.sm_80.cubin | FileCheck %s --check-prefix=BYTES --implicit-check-not=LDL --implicit-check-not=STL %}
// RUN: sed -e 's/FACTOR/f8E4M3FN/g' -e 's/RESULT/bf16/g' %s > %t.f8E4M3FN.sm_89.mlir
// RUN: tile-translate --mlir-to-ptx --chip=sm_89 %t.f8E4M3FN.sm_89.mlir -o %t.f8E4M3FN.sm_89.ptx
// RUN: ptxas -arch=sm_89 -v %t.f8E4M3FN.sm_89.ptx -o %t.f8E4M3FN.sm_89.cubin 2>&1 | FileCheck %s --check-prefix=SPILLS --implicit-check-not="{{[1-9][0-9]*}} bytes spill" --implicit-check-not="{{[1-9][0-9]*}} bytes stack"
// RUN: %if nvdisasm %{ nvdisasm -c %t.f8E4M3FN.sm_89.cubin | FileCheck %s --check-prefix=FLOATS --implicit-check-not=LDL --implicit-check-not=STL %}
// RUN: sed -e 's/FACTOR/f8E4M3FN/g' -e 's/RESULT/bf16/g' %s > %t.f8E4M3FN.sm_120.mlir
// RUN: tile-translate --mlir-to-ptx --chip=sm_120 %t.f8E4M3FN.sm_120.mlir -o %t.f8E4M3FN.sm_120.ptx
// RUN: ptxas -arch=sm_120 -v %t.f8E4M3FN.sm_120.ptx -o %t.f8E4M3FN.sm_120.cubin 2>&1 | FileCheck %s --check-prefix=SPILLS --implicit-check-not="{{[1-9][0-9]*}} bytes spill" --implicit-check-not="{{[1-9][0-9]*}} bytes stack"
// RUN: %if nvdisasm %{ nvdisasm -c %t.f8E4M3FN.sm_120.cubin | FileCheck %s --check-prefix=FLOATS --implicit-check-not=LDL --implicit-check-not=STL %}

// SPILLS: 0 bytes spill stores
// HALVES: .text.multistage_{{.*}}_rcr_v8_d2:
// HALVES: LDGSTS.E.BYPASS{{.*}}.128
// HALVES: LDSM.16.M88.4
// HALVES: HMMA.16816.F32.BF16
// HALVES: BAR.SYNC
// DOUBLES80: .text.multistage_{{.*}}_rcr_v2_d2:
// DOUBLES80: LDGSTS.E.BYPASS{{.*}}.128
// DOUBLES80: LDS.64
// DOUBLES80: DMMA.884
// DOUBLES90: .text.multistage_{{.*}}_rcr_v2_d2:
// DOUBLES90: LDGSTS.E.BYPASS{{.*}}.128
// DOUBLES90: LDS.64
// DOUBLES90: DMMA.16x8x8
// BYTES: .text.multistage_{{.*}}_rcr_v16_d2:
// BYTES: LDGSTS.E.BYPASS{{.*}}.128
// BYTES: LDSM.16.M88.4
// BYTES: IMMA.16832.S8.S8
// FLOATS: .text.multistage_{{.*}}_rcr_v16_d2:
// FLOATS: LDGSTS.E.BYPASS{{.*}}.128
// FLOATS: LDSM.16.M88.4
// FLOATS: QMMA.16832.F32.E4M3.E4M3

!b = memref<4096x4096xFACTOR, strided<[1, 4096]>>
func.func @gemm(%a: memref<4096x4096xFACTOR>, %b: !b, %d: memref<4096x4096xRESULT>) {
  tile.gemm ins(%a, %b : memref<4096x4096xFACTOR>, !b) outs(%d : memref<4096x4096xRESULT>)
  return
}
