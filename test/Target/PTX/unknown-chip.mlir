// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A chip or PTX version that does not exist is one sentence, not an abort.
// RUN: not tile-translate --mlir-to-ptx --chip=sm_999 %s 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not tile-translate --mlir-to-ptx --chip=sm_90a --ptx-version=70 %s 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not tile-translate --mlir-to-ptx --ptx-version=99 %s 2>&1 | FileCheck %s --check-prefix=NEW
// RUN: not tile-opt --tile-check-chip="chip=ampere" %s 2>&1 | FileCheck %s --check-prefix=NAME

// CHIP: error: expected a chip that LLVM 22 knows, such as sm_80 or sm_90a, but got 'sm_999'
// CHIP: note: the chips are {{.*}}sm_80, {{.*}}sm_90, sm_90a, sm_100
// OLD: error: expected PTX 8.0 or newer for chip sm_90a, but got 7.0
// NEW: error: expected a PTX version that LLVM 22 can write, at most {{[0-9.]+}}, but got 9.9
// NAME: error: expected a chip that LLVM 22 knows, such as sm_80 or sm_90a, but got 'ampere'
gpu.module @kernels {
  gpu.func @empty() kernel {
    gpu.return
  }
}
