// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C and results of 32 bits in tensor copies: the chunks of C are on their way
// while the tile is computed, and those of D take their place.
// RUN: tile-opt %s --tile-to-ptx="chip=sm_90a stop-after=kernels" | FileCheck %s
// RUN: tile-translate --mlir-to-ptx --chip=sm_90a %s | FileCheck %s --check-prefix=PTX

// A chunk is 64 rows of 128 bytes; two for each consumer, which has one barrier
// of C for both.
// CHECK: gpu.func @ws_128x64x64_bf16bf16_rcr_v2_c2_staged(
// CHECK: %[[CHUNKS:.*]] = tile.alloc_shared : <f32, shared, S<3, 2, 3> o 0 o (64, 32, 2, 2) : (32, 1, 2048, 4096), align = 1024>
// CHECK: tile.make_pipeline
// CHECK: %[[LOADS:.*]] = tile.make_pipeline {{.*}} producers(1) consumers(1) : {{.*}} -> <stages = 2>

// Before the tile's first multiply, one thread starts to load C.
// CHECK: %[[START:.*]] = tile.pipeline_start %{{.*}} : <stages = 2>
// CHECK: scf.for {{.*}} iter_args(%{{[a-z0-9]+}} = %{{[a-z0-9]+}}, %[[C:[a-z0-9]+]] = %[[START]])
// CHECK: nvvm.cp.async.bulk.wait_group 0 {read}
// CHECK: tile.pipeline_acquire %[[LOADS]][%[[C]]] bytes(16384)
// CHECK-COUNT-2: tile.tma_load {{.*}} to %{{[0-9]+}}, %[[LOADS]][%[[C]]] contiguous(1) : <f32, shared, S<3, 2, 3> o 0 o (64, 32) : (32, 1), align = 1024>
// A tile whose C does not come so passes no barrier.
// CHECK: %[[COUNT:.*]] = arith.select %[[STAGED:.*]], %{{.*}}, %{{.*}} : i32
// CHECK: tile.pipeline_advance %[[C]] by %[[COUNT]]
// CHECK: tile.warpgroup_mma

// CHECK: scf.if %[[STAGED]] {
// CHECK-NEXT: tile.pipeline_wait %[[LOADS]][%[[C]]]
// CHECK: %[[ADDED:.*]] = tile.iterator_load {{.*}} -> vector<16xf32>
// CHECK: %[[SUM:.*]] = llvm.intr.fma(%{{.*}}, %[[ADDED]], %{{.*}})
// CHECK: tile.iterator_store %[[SUM]],
// CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>
// CHECK: nvvm.barrier
// CHECK-COUNT-2: tile.tma_store {{.*}} contiguous(1) : <f32, shared, S<3, 2, 3> o 0 o (64, 32) : (32, 1), align = 1024>
// CHECK: nvvm.cp.async.bulk.commit.group
// CHECK: tile.pipeline_release %[[LOADS]][%[[C]]]

// Others: chunks of D with C from where it lies, or neither in chunks.
// CHECK: } else {
// CHECK: tile.iterator_load {{.*}} : <!tile.view<f32, global,
// CHECK: tile.tma_store
// CHECK: } else {
// CHECK: tile.iterator_load {{.*}} : <!tile.view<f32, global,
// CHECK: tile.iterator_store {{.*}} : vector<32xf32>, <!tile.view<f32, global,

// Pairs of elements, at addresses that differ by constants from chunk to chunk.
// PTX: .entry ws_128x64x64_bf16bf16_rcr_v2_c2_staged(
// PTX: cp.async.bulk.wait_group.read 0;
// PTX: mbarrier.arrive.expect_tx.shared
// PTX-COUNT-2: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
// PTX: wgmma.mma_async
// PTX: wgmma.wait_group.sync.aligned 0;
// PTX: mbarrier.try_wait.parity
// PTX-COUNT-8: ld.shared.v2.b32 {{{.*}}}, [%rd{{[0-9]+}}+98304];
// PTX-COUNT-16: fma.rn.f32
// PTX-COUNT-8: st.shared.v2.b32 [%rd{{[0-9]+}}+98304],
// PTX-COUNT-8: ld.shared.v2.b32 {{{.*}}}, [%rd{{[0-9]+}}+106496];
// PTX-COUNT-16: fma.rn.f32
// PTX-COUNT-8: st.shared.v2.b32 [%rd{{[0-9]+}}+106496],
// PTX-NEXT: fence.proxy.async.shared::cta;
// PTX-NEXT: bar.sync
// PTX-COUNT-2: cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group
// PTX: cp.async.bulk.commit_group

!a = memref<?x?xbf16, strided<[?, 1], offset: ?>>
!b = memref<?x?xbf16, strided<[1, ?], offset: ?>>
!d = memref<?x?xf32, strided<[?, 1], offset: ?>>
func.func @gemm(%a: !a, %b: !b, %c: !d, %d: !d, %s: f32) {
  tile.gemm ins(%a, %b, %c : !a, !b, !d) outs(%d : !d) beta(%s : f32)
    schedule #tile.warp_specialized<tile = [128, 64, 0], stages = 4, use_tma_store = true>
  return
}
