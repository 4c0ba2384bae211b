// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What orders data between the blocks of a cluster says so in each instruction:
// without .cluster, an arrival orders a thread's accesses for its own block
// only, and loads from another block may still be on their way when that block
// overwrites what they read.
// RUN: split-file %s %t
// RUN: tile-translate --mlir-to-ptx --chip=sm_90a %t/split.mlir | FileCheck %t/split.mlir
// RUN: tile-translate --mlir-to-ptx --chip=sm_90a %t/cluster.mlir | FileCheck %t/cluster.mlir --implicit-check-not=acquire.cluster --implicit-check-not=arrive.release.cluster

//--- split.mlir
// Parts of K: acquire of the empty buffer, commit of the sums, wait for those
// of the others, and the release by each warp once it has read them.
// CHECK-LABEL: .entry ws_64x64x64_bf16bf16_rcr
// CHECK-NOT: fence.acq_rel
// CHECK: fence.mbarrier_init.release.cluster
// CHECK: barrier.cluster.arrive
// CHECK: barrier.cluster.wait
// CHECK: mbarrier.try_wait.parity.acquire.cluster.shared.b64
// CHECK: st.shared.v4.b32
// CHECK: bar.sync
// CHECK: mapa.shared::cluster
// CHECK: mbarrier.arrive.release.cluster.shared::cluster.b64
// CHECK: mbarrier.try_wait.parity.acquire.cluster.shared.b64
// CHECK: ld.shared::cluster.v4.b32
// CHECK: bar.warp.sync
// CHECK: mapa.shared::cluster
// CHECK: mbarrier.arrive.release.cluster.shared::cluster.b64
// CHECK: barrier.cluster.arrive
// CHECK: barrier.cluster.wait
func.func @split(%A: memref<4096x1024xbf16, strided<[1024, 1]>>, %B: memref<1024x4096xbf16, strided<[1, 1024]>>, %D: memref<4096x4096xbf16, strided<[4096, 1]>>) {
  tile.gemm ins(%A, %B : memref<4096x1024xbf16, strided<[1024, 1]>>, memref<1024x4096xbf16, strided<[1, 1024]>>) outs(%D : memref<4096x4096xbf16, strided<[4096, 1]>>)
    schedule #tile.warp_specialized<tile = [64, 64, 64], stages = 4, consumers = 1, split_k = 4>
  return
}

//--- cluster.mlir
// Blocks that share operands: only wgmma reads a stage, and it is over when its
// group has been waited for. A release at the scope of the cluster would cost
// some 400 ns a stage.
// CHECK-LABEL: .entry ws_
// CHECK: fence.mbarrier_init.release.cluster
// CHECK: barrier.cluster.arrive
// CHECK: barrier.cluster.wait
// CHECK: wgmma.mma_async
// CHECK: mapa.shared::cluster
// CHECK: mbarrier.arrive.shared::cluster.b64
// CHECK: .entry
func.func @cluster(%A: memref<4096x1024xbf16, strided<[1024, 1]>>, %B: memref<1024x4096xbf16, strided<[1, 1024]>>, %D: memref<4096x4096xbf16, strided<[4096, 1]>>) {
  tile.gemm ins(%A, %B : memref<4096x1024xbf16, strided<[1024, 1]>>, memref<1024x4096xbf16, strided<[1, 1024]>>) outs(%D : memref<4096x4096xbf16, strided<[4096, 1]>>)
    schedule #tile.warp_specialized<tile = [64, 64, 64], stages = 4, consumers = 1, cluster = [2, 1]>
  return
}
