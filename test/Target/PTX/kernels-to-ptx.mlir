// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX takes the place of the kernels, module by module.
// RUN: tile-opt %s --tile-kernels-to-ptx="chip=sm_90a ptx=83" | FileCheck %s
// RUN: not tile-opt %s --tile-kernels-to-ptx="chip=sm_7" 2>&1 | FileCheck %s --check-prefix=CHIP

// CHIP: error: expected a chip that LLVM 22 knows, such as sm_80 or sm_90a, but got 'sm_7'

// CHECK-NOT: gpu.module
// CHECK: gpu.binary @a [#gpu.object<#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx83">, assembly = "{{.*}}.version 8.3{{.*}}.entry first(
// CHECK: gpu.binary @b [{{.*}}.entry second(
// CHECK-NOT: gpu.module
module attributes {gpu.container_module} {
  gpu.module @a {
    gpu.func @first() kernel {
      gpu.return
    }
  }
  gpu.module @b {
    gpu.func @second() kernel {
      gpu.return
    }
  }
}
