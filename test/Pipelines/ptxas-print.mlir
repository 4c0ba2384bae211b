// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that prints, for a GPU: one vprintf a print, whose arguments are the
// only local memory, of a size that is known.
// REQUIRES: ptxas
// RUN: tile-translate --mlir-to-ptx --chip=sm_80 %S/../tile-run/Inputs/print.mlir -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx
// RUN: ptxas -arch=sm_80 --warning-as-error -v %t.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS

// CHECK: .extern .func {{.*}}vprintf
// CHECK: .local {{.*}}__local_depot
// CHECK-NOT: alloca
// CHECK-COUNT-4: vprintf,

// PTXAS: 0 bytes spill stores, 0 bytes spill loads
