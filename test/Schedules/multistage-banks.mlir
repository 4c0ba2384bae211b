// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared memory of multistage kernels is free of bank conflicts, for copies and
// for loads of fragments, of all types and layouts. Only copies of one double to
// rows of 64 bytes and a pad of 32 meet, two by two.
// RUN: %python %S/../Pipelines/Inputs/write_multistage.py bf16 bf16 "#tile.multistage<tile = [128, 256, 64], warps = [2, 4], stages = 3>" > %t.mlir
// RUN: tile-opt %t.mlir --tile-to-ptx="chip=sm_80 stop-after=kernels" -o %t.kernels.mlir
// RUN: tile-opt %t.kernels.mlir --tile-analyze-accesses -o /dev/null 2>&1 | grep "remark: shared" | FileCheck %s --check-prefix=MATRICES --implicit-check-not="way bank conflict"
// RUN: %python %S/../Pipelines/Inputs/write_multistage.py f16 f32 "#tile.multistage<tile = [64, 128, 32], warps = [2, 2], stages = 4>" > %t.mlir
// RUN: tile-opt %t.mlir --tile-to-ptx="chip=sm_80 stop-after=kernels" -o %t.kernels.mlir
// RUN: tile-opt %t.kernels.mlir --tile-analyze-accesses -o /dev/null 2>&1 | grep "remark: shared" | FileCheck %s --check-prefix=MATRICES --implicit-check-not="way bank conflict"
// RUN: %python %S/../Pipelines/Inputs/write_multistage.py f32 f32 "#tile.multistage<tile = [128, 128, 32], warps = [2, 4], stages = 3, tf32 = true>" > %t.mlir
// RUN: tile-opt %t.mlir --tile-to-ptx="chip=sm_80 stop-after=kernels" -o %t.kernels.mlir
// RUN: tile-opt %t.kernels.mlir --tile-analyze-accesses -o /dev/null 2>&1 | grep "remark: shared" | FileCheck %s --check-prefix=ELEMENTS --implicit-check-not="way bank conflict"
// RUN: %python %S/../Pipelines/Inputs/write_multistage.py i8 i32 "#tile.multistage<tile = [128, 128, 128], warps = [2, 4], stages = 3>" > %t.mlir
// RUN: tile-opt %t.mlir --tile-to-ptx="chip=sm_80 stop-after=kernels" -o %t.kernels.mlir
// RUN: tile-opt %t.kernels.mlir --tile-analyze-accesses -o /dev/null 2>&1 | grep "remark: shared load" | FileCheck %s --check-prefix=MATRICES --implicit-check-not="way bank conflict"
// RUN: %python %S/../Pipelines/Inputs/write_multistage.py f64 f64 "#tile.multistage<tile = [128, 128, 16], warps = [2, 4], stages = 4>" > %t.mlir
// RUN: tile-opt %t.mlir --tile-to-ptx="chip=sm_90a stop-after=kernels" -o %t.kernels.mlir
// RUN: tile-opt %t.kernels.mlir --tile-analyze-accesses -o /dev/null 2>&1 | grep "remark: shared" | grep -v "store, 4 accesses of 8 bytes" | FileCheck %s --check-prefix=DOUBLES --implicit-check-not="way bank conflict"

// MATRICES: shared load, 1 access of 16 bytes a thread: no bank conflicts, 4 wavefronts a request
// ELEMENTS: shared load, 1 access of 4 bytes a thread: no bank conflicts, 1 wavefront a request
// DOUBLES: shared load, 1 access of 8 bytes a thread: no bank conflicts, 2 wavefronts a request
