// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a warp-specialised kernel is made of: rings of swizzled stages, a
// producer that copies tiles to them, consumers that multiply them and store D
// in chunks, or by accesses where no tensor map describes D.
// RUN: tile-opt %s --tile-to-ptx="chip=sm_90a stop-after=kernels" | FileCheck %s
// RUN: tile-opt %s --tile-to-ptx="chip=sm_90a stop-after=kernels" | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @gemm
// CHECK: tile.launch [
// CHECK-NEXT: @gemm_0::@ws_128x256x64_bf16bf16_rrr_v1
// CHECK: gpu.func @ws_128x256x64_bf16bf16_rrr_v1(
// CHECK-SAME: %[[MAP_A:[a-z0-9]+]]: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>},
// CHECK-SAME: %[[MAP_B:[a-z0-9]+]]: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>},
// CHECK-SAME: %[[MAP_D:[a-z0-9]+]]: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>},

// Four stages of A and B, two chunks of D for each consumer, two barriers a
// stage; the arrivals of one producer and two consumers.
// CHECK: %[[A:.*]] = tile.alloc_shared : <bf16, shared, S<3, 3, 3> o 0 o (128, 64, 4) : (64, 1, 8192), align = 1024>
// CHECK-NEXT: %[[B:.*]] = tile.alloc_shared : <bf16, shared, S<3, 3, 3> o 0 o ((64, 4), 64, 4) : ((1, 4096), 64, 16384), align = 1024>
// CHECK-NEXT: %[[CHUNKS:.*]] = tile.alloc_shared : <bf16, shared, S<3, 3, 3> o 0 o (64, 64, 2, 2) : (64, 1, 4096, 8192), align = 1024>
// CHECK-NEXT: %[[BARRIERS:.*]] = tile.alloc_shared : <i64, shared, (4, 2) : (1, 4), align = 8>
// CHECK-NEXT: %[[P:.*]] = tile.make_pipeline %[[BARRIERS]] producers(1) consumers(2)
// CHECK-COUNT-3: nvvm.prefetch tensormap
// CHECK: gpu.barrier

// The producer: one thread of one warp, few registers. 128 × 64 and 256 × 64
// elements of 2 bytes are 49152 bytes.
// CHECK: nvvm.setmaxregister decrease 40
// CHECK: nvvm.elect.sync
// CHECK: %[[START:.*]] = tile.pipeline_start
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[START]]) -> (!tile.pipeline_state<stages = 4>)
// CHECK: scf.for {{.*}} iter_args(%[[S:.*]] = %{{.*}}) -> (!tile.pipeline_state<stages = 4>)
// CHECK-NEXT: tile.pipeline_acquire %[[P]][%[[S]]] bytes(49152) : <stages = 4>
// CHECK: tile.view_reshape %[[A]]
// CHECK: tile.tma_load %[[MAP_A]][%{{.*}}, %{{.*}}] to %{{.*}}, %[[P]][%[[S]]] contiguous(1) : <bf16, shared, S<3, 3, 3> o 0 o (128, 64) : (64, 1), align = 1024>
// CHECK: tile.view_reshape %[[B]]
// CHECK: tile.tma_load %[[MAP_B]][%{{.*}}, %{{.*}}] to %{{.*}}, %[[P]][%[[S]]] contiguous(0) : <bf16, shared, S<3, 3, 3> o 0 o ((64, 4), 64) : ((1, 4096), 64), align = 1024>
// CHECK-NEXT: tile.pipeline_advance %[[S]]

// A consumer: the first multiply needs no zeros, each further one starts before
// the one in front has ended, and only then does that one's stage go.
// CHECK: nvvm.setmaxregister increase 232
// CHECK: tile.pipeline_wait %[[P]]
// CHECK: %[[FIRST:.*]] = tile.warpgroup_mma %{{[0-9]+}}, %{{[0-9]+}} : !tile.view<bf16, shared, S<3, 3, 3> o 0 o (64, 64) : (64, 1), align = 1024>, <bf16, shared, S<3, 3, 3> o 0 o ((64, 4), 64) : ((1, 4096), 64), align = 1024> -> <<n = 256, a = bf16, b = bf16, acc = f32>, count = [1, 1]>
// CHECK: %[[LOOP:.*]]:3 = scf.for {{.*}} iter_args(%[[ACC:[a-z0-9]+]] = %[[FIRST]], %[[NEXT:[a-z0-9]+]] = %{{[a-z0-9]+}}, %[[LAST:[a-z0-9]+]] = %{{[a-z0-9]+}})
// CHECK-NEXT: tile.pipeline_wait %[[P]][%[[NEXT]]]
// CHECK: %[[SUM:.*]] = tile.warpgroup_mma %{{.*}}, %{{.*}} acc(%[[ACC]] :
// CHECK-NEXT: %[[RUNNING:.*]] = tile.warpgroup_wait %[[SUM]] pending(1)
// CHECK: tile.pipeline_release %[[P]][%[[LAST]]]
// CHECK: scf.yield %[[RUNNING]]
// CHECK: %[[DONE:.*]] = tile.warpgroup_wait %[[LOOP]]#0 pending(0)
// CHECK-NEXT: %[[SUMS:.*]] = tile.accumulator_fragment %[[DONE]] {{.*}} -> vector<128xf32>
// CHECK: tile.pipeline_release %[[P]][%[[LOOP]]#2]

// D by tensor map: two chunks of 64 columns, then the other two in their place.
// CHECK: scf.if
// CHECK: nvvm.cp.async.bulk.wait_group 0 {read}
// CHECK-COUNT-2: tile.store_matrix %{{.*}} : vector<32xbf16>, <bf16, shared, S<3, 3, 3> o 0 o (64, 64) : (64, 1), align = 1024>
// CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>
// CHECK-COUNT-2: tile.tma_store %{{.*}} to %[[MAP_D]][
// CHECK: nvvm.cp.async.bulk.commit.group
// CHECK: nvvm.cp.async.bulk.wait_group 0 {read}
// CHECK-COUNT-2: tile.store_matrix
// CHECK: nvvm.fence.proxy
// CHECK-COUNT-2: tile.tma_store %{{.*}} to %[[MAP_D]][
// CHECK: nvvm.cp.async.bulk.commit.group

// D by accesses: from shared memory, eight of a thread at a time.
// CHECK: } else {
// CHECK: tile.make_iterator
// CHECK: tile.iterator_store %{{.*}} accesses [0, 8] : vector<8xbf16>
// CHECK: tile.iterator_store %{{.*}} accesses [24, 8] : vector<8xbf16>
// CHECK: nvvm.cp.async.bulk.wait_group 0
// CHECK: gpu.return

// The copy that makes an operand fit for a tensor map.
// CHECK: gpu.func @pack_16b_rr(

!mat = memref<?x?xbf16, strided<[?, 1], offset: ?>>
func.func @gemm(%a: !mat, %b: !mat, %d: !mat) {
  tile.gemm ins(%a, %b : !mat, !mat) outs(%d : !mat)
    schedule #tile.warp_specialized<tile = [128, 256, 0], stages = 4>
  return
}
