// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel without launch facts cannot go into an artifact.
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
    gpu.func @k() kernel attributes {tile.launch_facts = {}} {
      gpu.return
    }
  }
}
