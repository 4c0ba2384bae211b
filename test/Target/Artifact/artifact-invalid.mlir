// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel without launch facts, or with too few, cannot go into an artifact.
// RUN: tile-translate --mlir-to-artifact %s --split-input-file --verify-diagnostics

module {
  gpu.module @kernels {
    // expected-error @+1 {{expected the attribute 'tile.launch_facts' on a kernel of an artifact, but got none on 'k'}}
    gpu.func @k() kernel {
      gpu.return
    }
  }
}

// -----

module {
  gpu.module @kernels {
    // expected-error @+1 {{expected a known block size for the kernel 'k', but got none}}
    gpu.func @k() kernel attributes {tile.launch_facts = #tile.launch_facts<>} {
      gpu.return
    }
  }
}

// -----

module {
  gpu.module @kernels {
    // expected-error @+1 {{expected 'parameters' to name each of the 2 arguments, but got 1}}
    gpu.func @k(%a: !llvm.ptr<1>, %n: index) kernel
        attributes {known_block_size = array<i32: 32, 1, 1>,
                    tile.launch_facts = #tile.launch_facts<grid = {tile = [1, 1]}, parameters = [A.data]>} {
      gpu.return
    }
  }
}
