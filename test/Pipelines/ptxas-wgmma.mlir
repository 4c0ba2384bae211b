// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Multiplies of a warpgroup for each type and place of A, two of them under way:
// what PTX says, and that ptxas takes it without a spill and without the remark
// (C75xx) that it waits for each wgmma before it starts the next.
// Integers of both kinds in one multiply need PTX 8.4.
// RUN: %python %S/Inputs/write_wgmma.py > %t.mlir
// RUN: tile-translate --mlir-to-ptx --chip=sm_90a --ptx-version=84 %t.mlir -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS --implicit-check-not="{{[1-9][0-9]*}} bytes spill" --implicit-check-not="{{[1-9][0-9]*}} bytes stack" --implicit-check-not=warning --implicit-check-not=C75 --implicit-check-not="Potential Performance Loss" %}

// PTXAS-COUNT-36: 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
// PTXAS-NOT: bytes stack frame

// Descriptors of A and B; K-major operands of 16 bits.
// CHECK-LABEL: .entry bf16_bf16_shared_8(
// CHECK: wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, %rd[[A:[0-9]+]], %rd[[B:[0-9]+]], 0, 1, 1, 0, 0; add.s64 descA, %rd[[A]], 2; add.s64 descB, %rd[[B]], 2; wgmma

// Four registers of A for each of four instructions, and no transposition of A.
// CHECK-LABEL: .entry bf16_bf16_register_8(
// CHECK: wgmma.fence.sync.aligned; wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, %rd[[B:[0-9]+]], 0, 1, 1, 0; add.s64 descB, %rd[[B]], 2; wgmma.mma_async
// CHECK-SAME: , 1, 1, 1, 0; wgmma.commit_group.sync.aligned;

// 32 bytes of K are 8 elements.
// CHECK-LABEL: .entry tf32_tf32_shared_8(
// CHECK-COUNT-4: wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32
// CHECK-LABEL: .entry tf32_tf32_register_8(
// CHECK: wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {{{.*}}}, {{{.*}}}, %rd{{[0-9]+}}, 0, 1, 1;

// CHECK-LABEL: .entry f8E5M2_f8E5M2_register_128(
// CHECK: wgmma.mma_async.sync.aligned.m64n128k32.f32.e5m2.e5m2

// Integers: no factors of 1 or -1.
// CHECK-LABEL: .entry i8_i8_shared_8(
// CHECK: wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {{{[^}]*}}}, %rd{{[0-9]+}}, %rd{{[0-9]+}}, 0; add.s64
// CHECK-LABEL: .entry ui8_i8_register_128(
// CHECK: wgmma.mma_async.sync.aligned.m64n128k32.s32.u8.s8 {{{[^}]*}}}, {{{[^}]*}}}, %rd{{[0-9]+}}, 0; add.s64
// CHECK-LABEL: .entry i8_ui8_shared_8(
// CHECK: wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.u8
