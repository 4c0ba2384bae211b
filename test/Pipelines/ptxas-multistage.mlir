// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What selection makes of GEMMs on chips without wgmma, and of f64 where there is
// wgmma: ptxas takes all kernels, without a spill and without local memory.
// REQUIRES: ptxas
// RUN: %python %S/Inputs/write_multistage.py bf16 bf16 > %t.bf16.mlir
// RUN: %python %S/Inputs/write_multistage.py f16 f32 > %t.f16.mlir
// RUN: %python %S/Inputs/write_multistage.py f64 f64 > %t.f64.mlir
// RUN: %python %S/Inputs/write_multistage.py i8 i32 > %t.i8.mlir
// RUN: %python %S/Inputs/write_multistage.py f8E4M3FN bf16 > %t.f8.mlir
// RUN: %python %S/Inputs/write_multistage.py f32 f32 "#tile.multistage<tile = [128, 128, 32], warps = [2, 4], stages = 3, tf32 = true>" > %t.tf32.mlir
// RUN: tile-translate --mlir-to-ptx --chip=sm_80 %t.bf16.mlir -o %t.ptx
// RUN: ptxas -arch=sm_80 -v %t.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=SIXTEEN --implicit-check-not="{{[1-9][0-9]*}} bytes spill" --implicit-check-not="{{[1-9][0-9]*}} bytes stack" --implicit-check-not=warning
// RUN: tile-translate --mlir-to-ptx --chip=sm_86 %t.f16.mlir -o %t.ptx
// RUN: ptxas -arch=sm_86 -v %t.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=SIXTEEN --implicit-check-not="{{[1-9][0-9]*}} bytes spill" --implicit-check-not="{{[1-9][0-9]*}} bytes stack" --implicit-check-not=warning
// RUN: tile-translate --mlir-to-ptx --chip=sm_120a %t.bf16.mlir -o %t.ptx
// RUN: ptxas -arch=sm_120a -v %t.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=SIXTEEN --implicit-check-not="{{[1-9][0-9]*}} bytes spill" --implicit-check-not="{{[1-9][0-9]*}} bytes stack" --implicit-check-not=warning
// RUN: tile-translate --mlir-to-ptx --chip=sm_80 %t.f64.mlir -o %t.ptx
// RUN: ptxas -arch=sm_80 -v %t.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=DOUBLES --implicit-check-not="{{[1-9][0-9]*}} bytes spill" --implicit-check-not="{{[1-9][0-9]*}} bytes stack" --implicit-check-not=warning
// RUN: tile-translate --mlir-to-ptx --chip=sm_90a %t.f64.mlir -o %t.f64.ptx
// RUN: ptxas -arch=sm_90a -v %t.f64.ptx -o %t.f64.cubin 2>&1 | FileCheck %s --check-prefix=DOUBLES --implicit-check-not="{{[1-9][0-9]*}} bytes spill" --implicit-check-not="{{[1-9][0-9]*}} bytes stack" --implicit-check-not=warning
// RUN: tile-translate --mlir-to-ptx --chip=sm_80 %t.i8.mlir -o %t.i8.ptx
// RUN: ptxas -arch=sm_80 -v %t.i8.ptx -o %t.i8.cubin 2>&1 | FileCheck %s --check-prefix=BYTES --implicit-check-not="{{[1-9][0-9]*}} bytes spill" --implicit-check-not="{{[1-9][0-9]*}} bytes stack" --implicit-check-not=warning
// RUN: tile-translate --mlir-to-ptx --chip=sm_89 %t.f8.mlir -o %t.ptx
// RUN: ptxas -arch=sm_89 -v %t.ptx -o %t.f8.cubin 2>&1 | FileCheck %s --check-prefix=FLOATS --implicit-check-not="{{[1-9][0-9]*}} bytes spill" --implicit-check-not="{{[1-9][0-9]*}} bytes stack" --implicit-check-not=warning
// RUN: tile-translate --mlir-to-ptx --chip=sm_80 %t.tf32.mlir -o %t.ptx
// RUN: ptxas -arch=sm_80 -v %t.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=WORDS --implicit-check-not="{{[1-9][0-9]*}} bytes spill" --implicit-check-not="{{[1-9][0-9]*}} bytes stack" --implicit-check-not=warning

// Two of 16 bytes, one of 8 and of 4, and one through registers, for each of eight;
// two more for copies along K of operands that do not lie so, and two that copy.
// SIXTEEN-COUNT-68: 0 bytes spill stores
// WORDS-COUNT-40: 0 bytes spill stores
// DOUBLES-COUNT-32: 0 bytes spill stores
// Of bytes, those that do not lie along K have the last one and copies alone.
// BYTES-COUNT-22: 0 bytes spill stores
// FLOATS-COUNT-44: 0 bytes spill stores
