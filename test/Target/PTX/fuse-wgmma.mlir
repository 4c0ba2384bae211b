// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A group of wgmma instructions is one asm whose results are tied to its
// operands; what is no such group stays as it is.
// RUN: tile-opt %s --tile-fuse-wgmma | FileCheck %s

!r4 = !llvm.struct<(f32, f32, f32, f32)>
!i4 = !llvm.struct<(i32, i32, i32, i32)>

// The multiplies of one accumulator share its registers. Offsets are added in
// the asm; what stood between the instructions has moved in front.
// CHECK-LABEL: llvm.func @chain
// CHECK-SAME: (%[[A:.*]]: i64, %[[B:.*]]: i64, %[[ACC:.*]]: !llvm.struct
// CHECK-NOT: nvvm.wgmma
// CHECK: %[[E0:.*]] = llvm.extractvalue %[[ACC]][0]
// CHECK-NEXT: %[[E1:.*]] = llvm.extractvalue %[[ACC]][1]
// CHECK-NEXT: %[[E2:.*]] = llvm.extractvalue %[[ACC]][2]
// CHECK-NEXT: %[[E3:.*]] = llvm.extractvalue %[[ACC]][3]
// CHECK-NEXT: %[[ASM:.*]] = llvm.inline_asm has_side_effects
// CHECK-SAME: "{ .reg .b64 descA, descB; wgmma.fence.sync.aligned;
// CHECK-SAME: wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0, $1, $2, $3}, $4, $5, 1, 1, 1, 0, 0;
// CHECK-SAME: add.s64 descA, $4, 2; add.s64 descB, $5, 64;
// CHECK-SAME: wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0, $1, $2, $3}, descA, descB, 1, 1, 1, 1, 1;
// CHECK-SAME: wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 1; }"
// CHECK-SAME: "=f,=f,=f,=f,l,l,0,1,2,3,~{memory}" %[[A]], %[[B]], %[[E0]], %[[E1]], %[[E2]], %[[E3]]
// CHECK: llvm.extractvalue %[[ASM]][0]
// CHECK: %[[R:.*]] = llvm.insertvalue %{{.*}}, %{{.*}}[3]
// CHECK-NEXT: llvm.return %[[R]]
llvm.func @chain(%a: i64, %b: i64, %acc: !r4) -> !r4 {
  %c2 = llvm.mlir.constant(2 : i64) : i64
  %c64 = llvm.mlir.constant(64 : i64) : i64
  nvvm.wgmma.fence.aligned
  %0 = nvvm.wgmma.mma_async %a, %b, %acc, #nvvm.shape<m = 64, n = 8, k = 16>, D [#nvvm.wgmma_type<f32>, #nvvm.wgmma_scale_out<one>], A [#nvvm.wgmma_type<bf16>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<row>], B [#nvvm.wgmma_type<bf16>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<col>] : !r4 -> !r4
  %a2 = llvm.add %a, %c2 : i64
  %b2 = llvm.add %b, %c64 : i64
  %1 = nvvm.wgmma.mma_async %a2, %b2, %0, #nvvm.shape<m = 64, n = 8, k = 16>, D [#nvvm.wgmma_type<f32>, #nvvm.wgmma_scale_out<one>], A [#nvvm.wgmma_type<bf16>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<col>], B [#nvvm.wgmma_type<bf16>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<row>] : !r4 -> !r4
  nvvm.wgmma.commit.group.sync.aligned
  nvvm.wgmma.wait.group.sync.aligned 1
  llvm.return %1 : !r4
}

// Two accumulators that start from nothing have registers of their own, even
// though they start from the same value. No wait follows: the asm has none. 8
// bits have no transposition.
// CHECK-LABEL: llvm.func @two_starts
// CHECK-NOT: nvvm.wgmma
// CHECK: llvm.inline_asm has_side_effects
// CHECK-SAME: wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e5m2 {$0, $1, $2, $3}, $8, $9, 0, 1, 1;
// CHECK-SAME: wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e5m2 {$4, $5, $6, $7}, $9, $8, 0, 1, 1;
// CHECK-SAME: wgmma.commit_group.sync.aligned; }"
// CHECK-SAME: "=f,=f,=f,=f,=f,=f,=f,=f,l,l,0,1,2,3,4,5,6,7,~{memory}"
llvm.func @two_starts(%a: i64, %b: i64) -> !llvm.struct<(!r4, !r4)> {
  %none = llvm.mlir.undef : !r4
  nvvm.wgmma.fence.aligned
  %0 = nvvm.wgmma.mma_async %a, %b, %none, #nvvm.shape<m = 64, n = 8, k = 32>, D [#nvvm.wgmma_type<f32>, #nvvm.wgmma_scale_out<zero>], A [#nvvm.wgmma_type<e4m3>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<row>], B [#nvvm.wgmma_type<e5m2>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<col>] : !r4 -> !r4
  %1 = nvvm.wgmma.mma_async %b, %a, %none, #nvvm.shape<m = 64, n = 8, k = 32>, D [#nvvm.wgmma_type<f32>, #nvvm.wgmma_scale_out<zero>], A [#nvvm.wgmma_type<e4m3>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<row>], B [#nvvm.wgmma_type<e5m2>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<col>] : !r4 -> !r4
  nvvm.wgmma.commit.group.sync.aligned
  %2 = llvm.mlir.undef : !llvm.struct<(!r4, !r4)>
  %3 = llvm.insertvalue %0, %2[0] : !llvm.struct<(!r4, !r4)>
  %4 = llvm.insertvalue %1, %3[1] : !llvm.struct<(!r4, !r4)>
  llvm.return %4 : !llvm.struct<(!r4, !r4)>
}

// A wait that stands alone is tied to what is read after it.
// CHECK-LABEL: llvm.func @wait
// CHECK-SAME: (%[[ACC:.*]]: !llvm.struct
// CHECK: %[[ASM:.*]] = llvm.inline_asm has_side_effects {{.*}} "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,0,1,2,3,~{memory}"
// CHECK: llvm.extractvalue %[[ASM]][2]
// CHECK: %[[R:.*]] = llvm.insertvalue %{{.*}}, %{{.*}}[3]
// CHECK-NEXT: %[[X:.*]] = llvm.extractvalue %[[R]][2]
// CHECK-NEXT: llvm.return %[[X]]
llvm.func @wait(%acc: !r4) -> f32 {
  nvvm.wgmma.wait.group.sync.aligned 0
  %x = llvm.extractvalue %acc[2] : !r4
  llvm.return %x : f32
}

// Nothing is read after this one.
// CHECK-LABEL: llvm.func @wait_for_nothing
// CHECK-NEXT: nvvm.wgmma.wait.group.sync.aligned 0
llvm.func @wait_for_nothing() {
  nvvm.wgmma.wait.group.sync.aligned 0
  llvm.return
}

// Integers have neither signs nor transpositions of operands.
// CHECK-LABEL: llvm.func @integers
// CHECK: llvm.inline_asm {{.*}} wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.u8 {$0, $1, $2, $3}, $4, $5, 1; wgmma.mma_async.sync.aligned.m64n8k32.satfinite.s32.s8.s8 {$0, $1, $2, $3}, $5, $4, 1; wgmma.commit_group.sync.aligned; }", "=r,=r,=r,=r,l,l,0,1,2,3,~{memory}"
llvm.func @integers(%a: i64, %b: i64, %acc: !i4) -> !i4 {
  nvvm.wgmma.fence.aligned
  %0 = nvvm.wgmma.mma_async %a, %b, %acc, #nvvm.shape<m = 64, n = 8, k = 32>, D [#nvvm.wgmma_type<s32>, #nvvm.wgmma_scale_out<one>], A [#nvvm.wgmma_type<s8>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<row>], B [#nvvm.wgmma_type<u8>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<col>] : !i4 -> !i4
  %1 = nvvm.wgmma.mma_async %b, %a, %0, #nvvm.shape<m = 64, n = 8, k = 32>, D [#nvvm.wgmma_type<s32>, #nvvm.wgmma_scale_out<one>, <satfinite>], A [#nvvm.wgmma_type<s8>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<row>], B [#nvvm.wgmma_type<s8>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<col>] : !i4 -> !i4
  nvvm.wgmma.commit.group.sync.aligned
  llvm.return %1 : !i4
}

// With A in registers, a multiply is an asm of its own, which takes the sums one
// by one. Here the first one starts from nothing.
// CHECK-LABEL: llvm.func @register_a
// CHECK-SAME: (%[[A0:.*]]: i32, %[[A1:.*]]: i32, %[[B:.*]]: i64)
// CHECK: llvm.inline_asm has_side_effects
// CHECK-SAME: "{ .reg .b64 descA, descB; wgmma.fence.sync.aligned;
// CHECK-SAME: wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0, $1, $2, $3}, {$4, $5, $4, $5}, $6, 0, 1, 1, 0;
// CHECK-SAME: add.s64 descB, $6, 2; wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0, $1, $2, $3}, {$5, $4, $5, $4}, descB, 1, 1, 1, 1;
// CHECK-SAME: wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; }"
// CHECK-SAME: "=f,=f,=f,=f,r,r,l,0,1,2,3,~{memory}" %[[A0]], %[[A1]], %[[B]],
// CHECK-NOT: inline_asm
// CHECK: llvm.return
llvm.func @register_a(%a0: i32, %a1: i32, %b: i64) -> !r4 {
  %none = llvm.mlir.undef : !r4
  %c2 = llvm.mlir.constant(2 : i64) : i64
  nvvm.wgmma.fence.aligned
  %n0 = llvm.extractvalue %none[0] : !r4
  %n1 = llvm.extractvalue %none[1] : !r4
  %n2 = llvm.extractvalue %none[2] : !r4
  %n3 = llvm.extractvalue %none[3] : !r4
  %0 = llvm.inline_asm has_side_effects asm_dialect = att "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0, $1, $2, $3}, {$4, $5, $6, $7}, $8, 0, 1, 1, 0;", "=f,=f,=f,=f,r,r,r,r,l,0,1,2,3" %a0, %a1, %a0, %a1, %b, %n0, %n1, %n2, %n3 : (i32, i32, i32, i32, i64, f32, f32, f32, f32) -> !r4
  %b2 = llvm.add %b, %c2 : i64
  %s0 = llvm.extractvalue %0[0] : !r4
  %s1 = llvm.extractvalue %0[1] : !r4
  %s2 = llvm.extractvalue %0[2] : !r4
  %s3 = llvm.extractvalue %0[3] : !r4
  %1 = llvm.inline_asm has_side_effects asm_dialect = att "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0, $1, $2, $3}, {$4, $5, $6, $7}, $8, 1, 1, 1, 1;", "=f,=f,=f,=f,r,r,r,r,l,0,1,2,3" %a1, %a0, %a1, %a0, %b2, %s0, %s1, %s2, %s3 : (i32, i32, i32, i32, i64, f32, f32, f32, f32) -> !r4
  nvvm.wgmma.commit.group.sync.aligned
  nvvm.wgmma.wait.group.sync.aligned 0
  llvm.return %1 : !r4
}

// Sums that come from nowhere as a struct: each is a chain of its own.
// CHECK-LABEL: llvm.func @loose_sums
// CHECK: llvm.inline_asm {{.*}} {$0, $1, $2, $3}, {$4, $4, $4, $4}, $5, 1, 1, 1; wgmma.commit_group.sync.aligned; }", "=f,=f,=f,=f,r,l,0,1,2,3,~{memory}" %{{.*}}, %{{.*}}, %[[X:.*]], %[[X]], %[[X]], %[[X]]
llvm.func @loose_sums(%a: i32, %b: i64, %x: f32) -> !r4 {
  nvvm.wgmma.fence.aligned
  %0 = llvm.inline_asm has_side_effects asm_dialect = att "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, $8, 1, 1, 1;", "=f,=f,=f,=f,r,r,r,r,l,0,1,2,3" %a, %a, %a, %a, %b, %x, %x, %x, %x : (i32, i32, i32, i32, i64, f32, f32, f32, f32) -> !r4
  nvvm.wgmma.commit.group.sync.aligned
  llvm.return %0 : !r4
}

// Left alone: an operand with the other sign, sums of f16, an access to memory
// in between, a fence without a multiply.
// CHECK-LABEL: llvm.func @negated
// CHECK-NOT: inline_asm
// CHECK: nvvm.wgmma.mma_async
llvm.func @negated(%a: i64, %b: i64, %acc: !r4) -> !r4 {
  nvvm.wgmma.fence.aligned
  %0 = nvvm.wgmma.mma_async %a, %b, %acc, #nvvm.shape<m = 64, n = 8, k = 16>, D [#nvvm.wgmma_type<f32>, #nvvm.wgmma_scale_out<one>], A [#nvvm.wgmma_type<bf16>, #nvvm.wgmma_scale_in<neg>, #nvvm.mma_layout<row>], B [#nvvm.wgmma_type<bf16>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<col>] : !r4 -> !r4
  nvvm.wgmma.commit.group.sync.aligned
  llvm.return %0 : !r4
}

// CHECK-LABEL: llvm.func @half_sums
// CHECK-NOT: inline_asm
// CHECK: nvvm.wgmma.mma_async
!i2 = !llvm.struct<(i32, i32)>
llvm.func @half_sums(%a: i64, %b: i64, %acc: !i2) -> !i2 {
  nvvm.wgmma.fence.aligned
  %0 = nvvm.wgmma.mma_async %a, %b, %acc, #nvvm.shape<m = 64, n = 8, k = 16>, D [#nvvm.wgmma_type<f16>, #nvvm.wgmma_scale_out<one>], A [#nvvm.wgmma_type<f16>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<row>], B [#nvvm.wgmma_type<f16>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<col>] : !i2 -> !i2
  nvvm.wgmma.commit.group.sync.aligned
  llvm.return %0 : !i2
}

// CHECK-LABEL: llvm.func @store_between
// CHECK-NOT: inline_asm
// CHECK: nvvm.wgmma.mma_async
llvm.func @store_between(%a: i64, %b: i64, %acc: !r4, %p: !llvm.ptr) -> !r4 {
  nvvm.wgmma.fence.aligned
  llvm.store %a, %p : i64, !llvm.ptr
  %0 = nvvm.wgmma.mma_async %a, %b, %acc, #nvvm.shape<m = 64, n = 8, k = 16>, D [#nvvm.wgmma_type<f32>, #nvvm.wgmma_scale_out<one>], A [#nvvm.wgmma_type<bf16>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<row>], B [#nvvm.wgmma_type<bf16>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<col>] : !r4 -> !r4
  nvvm.wgmma.commit.group.sync.aligned
  llvm.return %0 : !r4
}

// CHECK-LABEL: llvm.func @no_multiply
// CHECK-NOT: inline_asm
// CHECK: nvvm.wgmma.fence.aligned
// CHECK-NEXT: nvvm.wgmma.commit.group.sync.aligned
llvm.func @no_multiply() {
  nvvm.wgmma.fence.aligned
  nvvm.wgmma.commit.group.sync.aligned
  llvm.return
}

// A sum that is read in the middle of its group.
// CHECK-LABEL: llvm.func @read_between
// CHECK-NOT: inline_asm
// CHECK: nvvm.wgmma.mma_async
llvm.func @read_between(%a: i64, %b: i64, %acc: !r4) -> f32 {
  nvvm.wgmma.fence.aligned
  %0 = nvvm.wgmma.mma_async %a, %b, %acc, #nvvm.shape<m = 64, n = 8, k = 16>, D [#nvvm.wgmma_type<f32>, #nvvm.wgmma_scale_out<one>], A [#nvvm.wgmma_type<bf16>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<row>], B [#nvvm.wgmma_type<bf16>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<col>] : !r4 -> !r4
  %x = llvm.extractvalue %0[0] : !r4
  nvvm.wgmma.commit.group.sync.aligned
  llvm.return %x : f32
}

// A sum that two multiplies add to.
// CHECK-LABEL: llvm.func @fork
// CHECK-NOT: inline_asm
// CHECK: nvvm.wgmma.mma_async
llvm.func @fork(%a: i64, %b: i64, %acc: !r4) -> !llvm.struct<(!r4, !r4)> {
  nvvm.wgmma.fence.aligned
  %0 = nvvm.wgmma.mma_async %a, %b, %acc, #nvvm.shape<m = 64, n = 8, k = 16>, D [#nvvm.wgmma_type<f32>, #nvvm.wgmma_scale_out<one>], A [#nvvm.wgmma_type<bf16>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<row>], B [#nvvm.wgmma_type<bf16>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<col>] : !r4 -> !r4
  %1 = nvvm.wgmma.mma_async %a, %b, %0, #nvvm.shape<m = 64, n = 8, k = 16>, D [#nvvm.wgmma_type<f32>, #nvvm.wgmma_scale_out<one>], A [#nvvm.wgmma_type<bf16>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<row>], B [#nvvm.wgmma_type<bf16>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<col>] : !r4 -> !r4
  %2 = nvvm.wgmma.mma_async %a, %b, %0, #nvvm.shape<m = 64, n = 8, k = 16>, D [#nvvm.wgmma_type<f32>, #nvvm.wgmma_scale_out<one>], A [#nvvm.wgmma_type<bf16>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<row>], B [#nvvm.wgmma_type<bf16>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<col>] : !r4 -> !r4
  nvvm.wgmma.commit.group.sync.aligned
  %u = llvm.mlir.undef : !llvm.struct<(!r4, !r4)>
  %3 = llvm.insertvalue %1, %u[0] : !llvm.struct<(!r4, !r4)>
  %4 = llvm.insertvalue %2, %3[1] : !llvm.struct<(!r4, !r4)>
  llvm.return %4 : !llvm.struct<(!r4, !r4)>
}

// A sum within a group that is used behind it.
// CHECK-LABEL: llvm.func @used_twice
// CHECK-NOT: inline_asm
// CHECK: nvvm.wgmma.mma_async
llvm.func @used_twice(%a: i64, %b: i64, %acc: !r4) -> !llvm.struct<(!r4, !r4)> {
  nvvm.wgmma.fence.aligned
  %0 = nvvm.wgmma.mma_async %a, %b, %acc, #nvvm.shape<m = 64, n = 8, k = 16>, D [#nvvm.wgmma_type<f32>, #nvvm.wgmma_scale_out<one>], A [#nvvm.wgmma_type<bf16>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<row>], B [#nvvm.wgmma_type<bf16>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<col>] : !r4 -> !r4
  %1 = nvvm.wgmma.mma_async %a, %b, %0, #nvvm.shape<m = 64, n = 8, k = 16>, D [#nvvm.wgmma_type<f32>, #nvvm.wgmma_scale_out<one>], A [#nvvm.wgmma_type<bf16>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<row>], B [#nvvm.wgmma_type<bf16>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<col>] : !r4 -> !r4
  nvvm.wgmma.commit.group.sync.aligned
  %u = llvm.mlir.undef : !llvm.struct<(!r4, !r4)>
  %3 = llvm.insertvalue %0, %u[0] : !llvm.struct<(!r4, !r4)>
  %4 = llvm.insertvalue %1, %3[1] : !llvm.struct<(!r4, !r4)>
  llvm.return %4 : !llvm.struct<(!r4, !r4)>
}

// Registers of a sum that the next multiply starts anew.
// CHECK-LABEL: llvm.func @restart
// CHECK-NOT: inline_asm
// CHECK: nvvm.wgmma.mma_async
llvm.func @restart(%a: i64, %b: i64, %acc: !r4) -> !r4 {
  nvvm.wgmma.fence.aligned
  %0 = nvvm.wgmma.mma_async %a, %b, %acc, #nvvm.shape<m = 64, n = 8, k = 16>, D [#nvvm.wgmma_type<f32>, #nvvm.wgmma_scale_out<one>], A [#nvvm.wgmma_type<bf16>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<row>], B [#nvvm.wgmma_type<bf16>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<col>] : !r4 -> !r4
  %1 = nvvm.wgmma.mma_async %a, %b, %0, #nvvm.shape<m = 64, n = 8, k = 16>, D [#nvvm.wgmma_type<f32>, #nvvm.wgmma_scale_out<zero>], A [#nvvm.wgmma_type<bf16>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<row>], B [#nvvm.wgmma_type<bf16>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<col>] : !r4 -> !r4
  nvvm.wgmma.commit.group.sync.aligned
  llvm.return %1 : !r4
}

// A part of a sum that is read in the middle, and an asm of another form.
// CHECK-LABEL: llvm.func @register_read_between
// CHECK: nvvm.wgmma.fence.aligned
// CHECK: llvm.inline_asm {{.*}} "wgmma.mma_async
llvm.func @register_read_between(%a: i32, %b: i64, %x: f32) -> f32 {
  nvvm.wgmma.fence.aligned
  %0 = llvm.inline_asm has_side_effects asm_dialect = att "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, $8, 1, 1, 1;", "=f,=f,=f,=f,r,r,r,r,l,0,1,2,3" %a, %a, %a, %a, %b, %x, %x, %x, %x : (i32, i32, i32, i32, i64, f32, f32, f32, f32) -> !r4
  %s = llvm.extractvalue %0[1] : !r4
  nvvm.wgmma.commit.group.sync.aligned
  llvm.return %s : f32
}

// CHECK-LABEL: llvm.func @another_asm
// CHECK: nvvm.wgmma.fence.aligned
// CHECK: llvm.inline_asm {{.*}} "wgmma.mma_async
llvm.func @another_asm(%a: i32, %b: i64, %x: f32) -> !r4 {
  nvvm.wgmma.fence.aligned
  %0 = llvm.inline_asm has_side_effects asm_dialect = att "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, $8, 1, -1, 1;", "=f,=f,=f,=f,r,r,r,r,l,0,1,2,3" %a, %a, %a, %a, %b, %x, %x, %x, %x : (i32, i32, i32, i32, i64, f32, f32, f32, f32) -> !r4
  nvvm.wgmma.commit.group.sync.aligned
  llvm.return %0 : !r4
}
