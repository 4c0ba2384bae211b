// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types that LLVM or a GPU does not have, in both back ends.
// RUN: tile-translate --mlir-to-ptx --split-input-file --verify-diagnostics %s
// RUN: tile-translate --mlir-to-sim-object --split-input-file --verify-diagnostics %s -o /dev/null

gpu.module @kernels {
  // expected-error @+1 {{expected integers of 1 to 128 bits in a kernel, but got 'i0'}}
  llvm.mlir.global internal @s() {addr_space = 3 : i32} : !llvm.array<20 x i0>
  gpu.func @k(%p: !llvm.ptr<1>) kernel {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @k(%p: !llvm.ptr<1>) kernel {
    // expected-error @+1 {{expected integers of 1 to 128 bits in a kernel, but got 'i0'}}
    %0 = llvm.mlir.constant(0 : i0) : i0
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @k(%p: !llvm.ptr<1>) kernel {
    // expected-error @+1 {{expected integers of 1 to 128 bits in a kernel, but got 'i4096'}}
    %v = llvm.load %p : !llvm.ptr<1> -> i4096
    llvm.store %v, %p : i4096, !llvm.ptr<1>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @+1 {{expected a type of at most 1099511627776 bytes in memory, but got '!llvm.array<9223372036854775807 x i32>'}}
  llvm.mlir.global internal @s() {addr_space = 3 : i32} : !llvm.array<9223372036854775807 x i32>
  gpu.func @k(%p: !llvm.ptr<1>) kernel {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @k(%x: !llvm.ptr<1>, %i: i64) kernel {
    // expected-error @+1 {{expected a type of at most 1099511627776 bytes in memory, but got '!llvm.array<4294967296 x array<4294967296 x i8>>'}}
    %p = llvm.getelementptr %x[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, !llvm.array<4294967296 x array<4294967296 x i8>>
    gpu.return
  }
}
