// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What cannot become PTX is reported once, at the op, and nothing is printed.
// RUN: tile-translate --mlir-to-ptx --chip=sm_80 %s --split-input-file --verify-diagnostics

// expected-error @below {{expected at least one gpu.module with a kernel, but got 0 modules with none}}
module {
}

// -----

module {
  gpu.module @kernels {
    gpu.func @memref(%x: memref<4xf32>, %i: index) kernel {
      // expected-error @+1 {{expected only ops that lower to the llvm and nvvm dialects for PTX, but got 'memref.load'}}
      %v = memref.load %x[%i] : memref<4xf32>
      gpu.return
    }
  }
}

// -----

module {
  gpu.module @kernels {
    gpu.func @wgmma() kernel {
      // expected-error @+1 {{expected sm_90a for 'nvvm.wgmma.fence.aligned', but got sm_80}}
      nvvm.wgmma.fence.aligned
      gpu.return
    }
  }
}

// -----

module {
  gpu.module @a {
    gpu.func @same() kernel {
      gpu.return
    }
  }
  gpu.module @b {
    // expected-error @+1 {{expected a kernel name that is used once in the module, but got 'same' a second time}}
    gpu.func @same() kernel {
      gpu.return
    }
  }
}
