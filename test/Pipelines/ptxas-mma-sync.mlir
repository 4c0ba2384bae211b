// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every mma.sync atom, for chips of each kind that has it, through ptxas.
// REQUIRES: ptxas
// RUN: %python %S/Inputs/write_mma_sync.py 75 > %t.75.mlir
// RUN: %python %S/Inputs/write_mma_sync.py 80 > %t.80.mlir
// RUN: %python %S/Inputs/write_mma_sync.py 89 > %t.89.mlir
// RUN: %python %S/Inputs/write_mma_sync.py 90 > %t.90.mlir
// RUN: tile-translate --mlir-to-ptx --chip=sm_75 %t.75.mlir -o %t.75.ptx
// RUN: ptxas -arch=sm_75 -v %t.75.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=TURING --implicit-check-not=warning --implicit-check-not="{{[1-9][0-9]*}} bytes spill"
// RUN: tile-translate --mlir-to-ptx --chip=sm_80 %t.80.mlir -o %t.80.ptx
// RUN: ptxas -arch=sm_80 -v %t.80.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=AMPERE --implicit-check-not=warning --implicit-check-not="{{[1-9][0-9]*}} bytes spill"
// RUN: tile-translate --mlir-to-ptx --chip=sm_86 %t.80.mlir -o %t.86.ptx
// RUN: ptxas -arch=sm_86 -v %t.86.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=AMPERE --implicit-check-not=warning --implicit-check-not="{{[1-9][0-9]*}} bytes spill"
// RUN: tile-translate --mlir-to-ptx --chip=sm_89 --ptx-version=87 %t.89.mlir -o %t.89.ptx
// RUN: ptxas -arch=sm_89 -v %t.89.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=ADA --implicit-check-not=warning --implicit-check-not="{{[1-9][0-9]*}} bytes spill"
// RUN: tile-translate --mlir-to-ptx --chip=sm_90a --ptx-version=87 %t.90.mlir -o %t.90.ptx
// RUN: ptxas -arch=sm_90a -v %t.90.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=HOPPER --implicit-check-not=warning --implicit-check-not="{{[1-9][0-9]*}} bytes spill"
// RUN: tile-translate --mlir-to-ptx --chip=sm_120a %t.90.mlir -o %t.120.ptx
// RUN: ptxas -arch=sm_120a -v %t.120.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=HOPPER --implicit-check-not=warning --implicit-check-not="{{[1-9][0-9]*}} bytes spill"

// TURING-COUNT-3: Compiling entry function
// TURING-NOT: Compiling entry function
// AMPERE-COUNT-33: Compiling entry function
// AMPERE-NOT: Compiling entry function
// ADA-COUNT-41: Compiling entry function
// ADA-NOT: Compiling entry function
// HOPPER-COUNT-44: Compiling entry function
// HOPPER-NOT: Compiling entry function
