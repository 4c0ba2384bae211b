// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main loop of a multistage kernel: fragments of the next step are loaded
// before the current one is multiplied, copies start between the rows of atoms,
// one barrier a tile; places of a swizzled tile that are whole periods apart
// have one address and a constant each.
// RUN: tile-translate --mlir-to-ptx --chip=sm_80 %s | sed -n "/L__BB0_3:/,/bra.*L__BB0_3;/p" > %t.loop
// RUN: FileCheck %s --implicit-check-not=ld.global --implicit-check-not=st.shared --implicit-check-not=bar.sync < %t.loop

// CHECK: L__BB0_3:
// Fragments of the second step; four and four addresses.
// CHECK: ldmatrix{{.*}} [[[A:%rd[0-9]+]]];
// CHECK-NEXT: ldmatrix{{.*}} [[[A]]+2048];
// CHECK-NEXT: ldmatrix{{.*}} [[[A]]+4096];
// CHECK-NEXT: ldmatrix{{.*}} [[[A]]+6144];
// CHECK: ldmatrix{{.*}} [[[B:%rd[0-9]+]]+49152];
// CHECK-NEXT: ldmatrix{{.*}} [[[B]]+51200];
// CHECK-NEXT: ldmatrix{{.*}} [[[B]]+53248];
// CHECK-NEXT: ldmatrix{{.*}} [[[B]]+55296];
// A row of eight atoms before each copy, and four copies in a step.
// CHECK-COUNT-8: mma.sync
// CHECK: cp.async.cg.shared.global [[[TO:%rd[0-9]+]]],
// CHECK-COUNT-8: mma.sync
// CHECK: cp.async.cg.shared.global [[[TO]]+4096],
// CHECK-COUNT-8: mma.sync
// CHECK: cp.async.cg.shared.global [[[TO]]+8192],
// CHECK-COUNT-8: mma.sync
// CHECK: cp.async.cg.shared.global [[[TO]]+12288],
// CHECK-COUNT-8: ldmatrix
// CHECK-COUNT-8: mma.sync
// CHECK: cp.async.cg.shared.global
// CHECK-COUNT-24: mma.sync
// CHECK: cp.async.cg.shared.global
// CHECK: ldmatrix
// CHECK-COUNT-32: mma.sync
// CHECK: cp.async.commit_group;
// CHECK: cp.async.wait_group 1;
// CHECK-NEXT: bar.sync
// CHECK-NOT: cp.async
// CHECK-COUNT-8: ldmatrix
// CHECK-COUNT-32: mma.sync
// CHECK: bra

!a = memref<4096x4096xbf16>
!b = memref<4096x4096xbf16, strided<[1, 4096]>>
func.func @gemm(%A: !a, %B: !b, %D: !a) {
  tile.gemm ins(%A, %B : !a, !b) outs(%D : !a)
    schedule #tile.multistage<tile = [128, 256, 64], warps = [2, 4], stages = 3>
  return
}
