// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One file holds one artifact, one cubin or the PTX of one module.
// RUN: not tile-translate --mlir-to-artifact --split-input-file %s -o %t.tile 2>&1 | FileCheck %s
// RUN: not tile-translate --mlir-to-ptx --split-input-file %s -o %t.ptx 2>&1 | FileCheck %s
// CHECK: error: expected one module for an output file, but got another one, behind '// {{-+}}'
gpu.module @one {
  gpu.func @k() kernel attributes {known_block_size = array<i32: 32, 1, 1>, tile.launch_facts = #tile.launch_facts<>} {
    gpu.return
  }
}

// -----

gpu.module @two {
  gpu.func @k() kernel attributes {known_block_size = array<i32: 32, 1, 1>, tile.launch_facts = #tile.launch_facts<>} {
    gpu.return
  }
}
