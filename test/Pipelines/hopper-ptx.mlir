// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The instructions that a warp-specialised kernel stands on: the wgmmas of a
// stage in one asm, behind the wait for it, on accumulators that never move;
// tensor maps read where the parameters are.
// RUN: tile-translate --mlir-to-ptx --chip=sm_90a %s -o %t.ptx
// RUN: FileCheck %s --implicit-check-not=__local_depot < %t.ptx
// RUN: sed -n "/commit_group.sync.aligned; }/,/^.wgmma.wait_group.sync.aligned 0;/p" %t.ptx > %t.loop
// RUN: FileCheck %s --check-prefix=LOOP < %t.loop
// RUN: grep -c "wgmma.fence" %t.loop | FileCheck %s --check-prefix=GROUPS
// RUN: grep -c "mov.b32" %t.loop | FileCheck %s --check-prefix=MOVES

// CHECK: .entry ws_128x256x64_bf16bf16_rrr_v1(
// CHECK: .param .align 64 .b8 ws_128x256x64_bf16bf16_rrr_v1_param_0[128]
// CHECK: .maxntid 384
// CHECK-COUNT-3: cvta.param.u64
// CHECK-COUNT-8: mbarrier.init.shared.b64
// CHECK: fence.mbarrier_init.release.cluster
// CHECK: setmaxnreg.dec.sync.aligned.u32 40;
// CHECK: mbarrier.try_wait.parity.shared.b64
// CHECK: mbarrier.arrive.expect_tx.shared.b64 {{.*}}, %r{{[0-9]+}};
// One box of A, four of B: a box of 128 bytes has 64 of its 256 columns.
// CHECK-COUNT-5: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
// CHECK: setmaxnreg.inc.sync.aligned.u32 232;

// The first stage is multiplied without sums to add to.
// CHECK: mbarrier.try_wait.parity.shared.b64
// CHECK: { .reg .b64 descA, descB; wgmma.fence.sync.aligned;
// CHECK-SAME: wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {[[ACC:[^}]*]]}, %rd{{[0-9]+}}, %rd{{[0-9]+}}, 0, 1, 1, 0, 1;
// CHECK-SAME: wgmma.commit_group.sync.aligned; }
// The loop: a wait for the stage, then four steps of 16 elements along K, in
// the same registers, of which one group may still run.
// CHECK: mbarrier.try_wait.parity.shared.b64
// CHECK: { .reg .b64 descA, descB; wgmma.fence.sync.aligned;
// CHECK-SAME: wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {[[ACC]]}, %rd{{[0-9]+}}, %rd{{[0-9]+}}, 1, 1, 1, 0, 1;
// CHECK-SAME: wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {[[ACC]]}, descA, descB, 1, 1, 1, 0, 1;
// CHECK-SAME: wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {[[ACC]]}, descA, descB, 1, 1, 1, 0, 1;
// CHECK-SAME: wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {[[ACC]]}, descA, descB, 1, 1, 1, 0, 1;
// CHECK-SAME: wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 1; }
// CHECK-NOT: wgmma.mma_async
// CHECK: mbarrier.arrive.shared.b64
// CHECK-NOT: wgmma.mma_async
// CHECK: wgmma.wait_group.sync.aligned 0;
// CHECK: stmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK: fence.proxy.async.shared::cta
// CHECK: cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group
// CHECK: cp.async.bulk.commit_group

// From the first multiply to the end of the loop no register that sums are in
// is moved. Of 128, none is: fewer than ten moves are there at all.
// LOOP: wgmma.fence.sync.aligned; {{.*}}.bf16.bf16 {[[FIRST:%r[0-9]+]],
// LOOP-NOT: mov.b32 [[FIRST]],
// LOOP: wgmma.wait_group.sync.aligned 1; }
// LOOP-NOT: mov.b32 [[FIRST]],
// LOOP: wgmma.wait_group.sync.aligned 0;
// GROUPS: {{^}}2{{$}}
// MOVES: {{^[0-9]$}}

!mat = memref<?x?xbf16, strided<[?, 1], offset: ?>>
func.func @gemm(%a: !mat, %b: !mat, %d: !mat) {
  tile.gemm ins(%a, %b : !mat, !mat) outs(%d : !mat)
    schedule #tile.warp_specialized<tile = [128, 256, 0], stages = 4>
  return
}
