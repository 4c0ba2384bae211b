// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pipeline is the address of its barriers, a state a stage and a parity; a
// tensor copy is one bulk copy a box.
// RUN: tile-opt %s --tile-lower-pipelines --canonicalize | FileCheck %s

!bar = !tile.view<i64, shared, (4, 2) : (1, 4), align = 8>
!p = !tile.pipeline<stages = 4>
!s = !tile.pipeline_state<stages = 4>
!rows = !tile.view<bf16, shared, S<3, 3, 3> o 0 o (128, 64) : (64, 1), align = 1024>
!columns = !tile.view<bf16, shared, S<3, 3, 3> o 0 o ((64, 2), 64) : ((1, 4096), 64), align = 1024>

// Four full barriers of one arrival, then four empty ones of two, by thread 0.
// CHECK-LABEL: @make
// CHECK-SAME: -> !llvm.ptr<3>
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : i32
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : i32
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK: %[[BASE:.*]] = tile.view_pointer
// CHECK: %[[T:.*]] = gpu.thread_id x
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[T]], %[[C0]]
// CHECK: scf.if %[[FIRST]] {
// CHECK-NEXT: nvvm.mbarrier.init %[[BASE]], %[[C1]]
// CHECK: llvm.getelementptr %[[BASE]][3] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
// CHECK-NEXT: nvvm.mbarrier.init %{{.*}}, %[[C1]]
// CHECK-NEXT: llvm.getelementptr %[[BASE]][4]
// CHECK-NEXT: nvvm.mbarrier.init %{{.*}}, %[[C2]]
// CHECK: llvm.getelementptr %[[BASE]][7]
// CHECK-NEXT: nvvm.mbarrier.init %{{.*}}, %[[C2]]
// CHECK-NEXT: nvvm.fence.mbarrier.init
// CHECK: return %[[BASE]]
func.func @make(%b: !bar) -> !p {
  %p = tile.make_pipeline %b producers(1) consumers(2) : !bar -> !p
  return %p : !p
}

// CHECK-LABEL: @start
// CHECK-SAME: (%[[N:.*]]: i32) -> (i32, i32)
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : i32
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : i32
// CHECK: %[[STAGE:.*]] = arith.remui %[[N]], %[[C4]]
// CHECK: %[[ROUND:.*]] = arith.divui %[[N]], %[[C4]]
// CHECK: %[[PARITY:.*]] = arith.andi %[[ROUND]], %[[C1]]
// CHECK: return %[[STAGE]], %[[PARITY]]
func.func @start(%n: i32) -> !s {
  %s = tile.pipeline_start %n : !s
  return %s : !s
}

// Behind the last stage comes the first, with the other parity.
// CHECK-LABEL: @advance
// CHECK-SAME: (%[[STAGE:.*]]: i32, %[[PARITY:.*]]: i32) -> (i32, i32)
// CHECK: %[[NEXT:.*]] = arith.addi %[[STAGE]], %c1
// CHECK: %[[WRAPS:.*]] = arith.cmpi eq, %[[NEXT]], %c4
// CHECK: %[[STAGE2:.*]] = arith.select %[[WRAPS]], %c0{{.*}}, %[[NEXT]]
// CHECK: %[[OTHER:.*]] = arith.xori %[[PARITY]], %c1
// CHECK: %[[PARITY2:.*]] = arith.select %[[WRAPS]], %[[OTHER]], %[[PARITY]]
// CHECK: return %[[STAGE2]], %[[PARITY2]]
func.func @advance(%s: !s) -> !s {
  %t = tile.pipeline_advance %s : !s
  return %t : !s
}

// CHECK-LABEL: @jump
// CHECK-SAME: (%[[STAGE:.*]]: i32, %[[PARITY:.*]]: i32, %[[N:.*]]: i32) -> (i32, i32)
// CHECK: %[[SUM:.*]] = arith.addi %[[STAGE]], %[[N]]
// CHECK: %[[ROUNDS:.*]] = arith.divui %[[SUM]], %c4
// CHECK: %[[STAGE2:.*]] = arith.remui %[[SUM]], %c4
// CHECK: %[[ODD:.*]] = arith.andi %[[ROUNDS]], %c1
// CHECK: %[[PARITY2:.*]] = arith.xori %[[PARITY]], %[[ODD]]
// CHECK: return %[[STAGE2]], %[[PARITY2]]
func.func @jump(%s: !s, %n: i32) -> !s {
  %t = tile.pipeline_advance %s by %n : !s
  return %t : !s
}

// CHECK-LABEL: @stage
// CHECK-SAME: (%[[STAGE:.*]]: i32, %{{.*}}: i32) -> index
// CHECK: arith.index_castui %[[STAGE]]
func.func @stage(%s: !s) -> index {
  %t = tile.pipeline_stage %s : !s
  return %t : index
}

// The empty barrier's other parity, so that the first round does not wait; then
// the bytes at the full barrier.
// CHECK-LABEL: @acquire
// CHECK-SAME: (%[[P:.*]]: !llvm.ptr<3>, %[[STAGE:.*]]: i32, %[[PARITY:.*]]: i32)
// CHECK-DAG: %[[BYTES:.*]] = arith.constant 49152 : i32
// CHECK: %[[BEFORE:.*]] = arith.xori %[[PARITY]], %c1
// CHECK: %[[INDEX:.*]] = arith.addi %[[STAGE]], %c4
// CHECK: %[[EMPTY:.*]] = llvm.getelementptr %[[P]][%[[INDEX]]] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
// CHECK: nvvm.mbarrier.try_wait.parity %[[EMPTY]], %[[BEFORE]],
// CHECK: %[[FULL:.*]] = llvm.getelementptr %[[P]][%[[STAGE]]]
// CHECK: nvvm.mbarrier.arrive.expect_tx %[[FULL]], %[[BYTES]]
func.func @acquire(%p: !p, %s: !s) {
  tile.pipeline_acquire %p[%s] bytes(49152) : !p
  return
}

// CHECK-LABEL: @commit
// CHECK-SAME: (%[[P:.*]]: !llvm.ptr<3>, %[[STAGE:.*]]: i32, %{{.*}}: i32)
// CHECK: %[[FULL:.*]] = llvm.getelementptr %[[P]][%[[STAGE]]]
// CHECK: nvvm.mbarrier.arrive %[[FULL]] : !llvm.ptr<3>
func.func @commit(%p: !p, %s: !s) {
  tile.pipeline_commit %p[%s] : !p
  return
}

// CHECK-LABEL: @wait
// CHECK-SAME: (%[[P:.*]]: !llvm.ptr<3>, %[[STAGE:.*]]: i32, %[[PARITY:.*]]: i32)
// CHECK: %[[FULL:.*]] = llvm.getelementptr %[[P]][%[[STAGE]]]
// CHECK: nvvm.mbarrier.try_wait.parity %[[FULL]], %[[PARITY]],
func.func @wait(%p: !p, %s: !s) {
  tile.pipeline_wait %p[%s] : !p
  return
}

// CHECK-LABEL: @release
// CHECK-SAME: (%[[P:.*]]: !llvm.ptr<3>, %[[STAGE:.*]]: i32, %{{.*}}: i32, %[[RANK:.*]]: i32)
// CHECK: %[[INDEX:.*]] = arith.addi %[[STAGE]], %c4
// CHECK: %[[EMPTY:.*]] = llvm.getelementptr %[[P]][%[[INDEX]]]
// CHECK: nvvm.mbarrier.arrive %[[EMPTY]] : !llvm.ptr<3>
// CHECK: %[[THERE:.*]] = nvvm.mapa %{{.*}}, %[[RANK]] : !llvm.ptr<3> -> !llvm.ptr<7>
// CHECK: nvvm.mbarrier.arrive %[[THERE]] : !llvm.ptr<7>
func.func @release(%p: !p, %s: !s, %rank: i32) {
  tile.pipeline_release %p[%s] : !p
  tile.pipeline_release %p[%s] of %rank : !p
  return
}

// A pipeline that hands data to another block orders the whole cluster, in each
// of its ops.
// CHECK-LABEL: @cluster_scope
// CHECK-SAME: (%[[P:.*]]: !llvm.ptr<3>, %[[STAGE:.*]]: i32, %[[PARITY:.*]]: i32, %[[RANK:.*]]: i32)
// CHECK: %[[BEFORE:.*]] = arith.xori %[[PARITY]], %c1
// CHECK: scf.while
// CHECK-NEXT: %[[DONE:.*]] = nvvm.mbarrier.try_wait %{{.*}}, %[[BEFORE]], %{{.*}} {scope = #nvvm.mem_scope<cluster>}
// CHECK: %[[AGAIN:.*]] = arith.xori %[[DONE]], %true
// CHECK: scf.condition(%[[AGAIN]])
// CHECK: nvvm.mbarrier.arrive %{{.*}} {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7>
// CHECK: scf.while
// CHECK: nvvm.mbarrier.try_wait %{{.*}}, %[[PARITY]], %{{.*}} {scope = #nvvm.mem_scope<cluster>}
// CHECK: nvvm.mbarrier.arrive %{{.*}} {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7>
func.func @cluster_scope(%p: !p, %s: !s, %rank: i32) {
  tile.pipeline_acquire %p[%s] : !p
  tile.pipeline_commit %p[%s] of %rank : !p
  tile.pipeline_wait %p[%s] : !p
  tile.pipeline_release %p[%s] of %rank : !p
  return
}

// States are carried by loops as two integers.
// CHECK-LABEL: @loop
// CHECK: scf.for {{.*}} iter_args(%[[STAGE:.*]] = %c0{{.*}}, %[[PARITY:.*]] = %c0{{.*}}) -> (i32, i32)
// CHECK: nvvm.mbarrier.try_wait.parity %{{.*}}, %[[PARITY]],
// CHECK: scf.yield %{{.*}}, %{{.*}} : i32, i32
func.func @loop(%p: !p, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %s = tile.pipeline_start %c0 : !s
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%u = %s) -> (!s) : i32 {
    tile.pipeline_wait %p[%u] : !p
    %v = tile.pipeline_advance %u : !s
    scf.yield %v : !s
  }
  return
}

// One box of 128 rows of 128 bytes, counted at the full barrier.
// CHECK-LABEL: @load
// CHECK-SAME: (%[[MAP:.*]]: !llvm.ptr, %[[V:.*]]: !tile.view<{{.*}}>, %[[K:.*]]: i32, %[[M:.*]]: i32, %[[P:.*]]: !llvm.ptr<3>, %[[STAGE:.*]]: i32, %{{.*}}: i32)
// CHECK: %[[FULL:.*]] = llvm.getelementptr %[[P]][%[[STAGE]]]
// CHECK: %[[BASE:.*]] = tile.view_pointer %[[V]]
// CHECK: %[[TO:.*]] = llvm.addrspacecast %[[BASE]] : !llvm.ptr<3> to !llvm.ptr<7>
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %[[TO]], %[[MAP]], %[[FULL]], box[%[[K]], %[[M]]] : !llvm.ptr<7>, !llvm.ptr
// CHECK-NOT: nvvm.cp.async
// CHECK: return
func.func @load(%map: !llvm.ptr, %v: !rows, %k: i32, %m: i32, %p: !p, %s: !s) {
  tile.tma_load %map[%k, %m] to %v, %p[%s] contiguous(1) : !rows, !p
  return
}

// Two boxes, of 64 columns each: 8192 bytes on, 64 elements on. Coordinates
// behind the second are those of the batch.
// CHECK-LABEL: @multicast
// CHECK-SAME: %[[K:[a-z0-9]+]]: i32, %[[N:[a-z0-9]+]]: i32, %[[I:[a-z0-9]+]]: i32, %{{.*}}: !llvm.ptr<3>, %{{.*}}: i32, %{{.*}}: i32, %[[MASK:.*]]: i16)
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}}, box[%[[N]], %[[K]], %[[I]]] multicast_mask = %[[MASK]]
// CHECK: llvm.getelementptr %{{.*}}[8192] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
// CHECK: %[[N2:.*]] = arith.addi %[[N]], %c64
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}}, box[%[[N2]], %[[K]], %[[I]]] multicast_mask = %[[MASK]]
func.func @multicast(%map: !llvm.ptr, %v: !columns, %k: i32, %n: i32, %i: i32, %p: !p, %s: !s, %mask: i16) {
  tile.tma_load %map[%n, %k, %i] to %v, %p[%s] contiguous(0) multicast(%mask) : !columns, !p
  return
}

// What is fetched to L2 are the boxes of a load.
// CHECK-LABEL: @prefetch
// CHECK-SAME: (%[[MAP:.*]]: !llvm.ptr, %{{.*}}: !tile.view<{{.*}}>, %[[K:.*]]: i32, %[[N:.*]]: i32)
// CHECK-NOT: tile.view_pointer
// CHECK: nvvm.cp.async.bulk.tensor.prefetch %[[MAP]], box[%[[N]], %[[K]]] : !llvm.ptr
// CHECK: %[[N2:.*]] = arith.addi %[[N]], %c64
// CHECK: nvvm.cp.async.bulk.tensor.prefetch %[[MAP]], box[%[[N2]], %[[K]]] : !llvm.ptr
// CHECK-NOT: prefetch
// CHECK: return
func.func @prefetch(%map: !llvm.ptr, %v: !columns, %k: i32, %n: i32) {
  tile.tma_prefetch %map[%n, %k] for %v contiguous(0) : !columns
  return
}

// CHECK-LABEL: @store
// CHECK-SAME: (%[[MAP:.*]]: !llvm.ptr, %[[V:.*]]: !tile.view<{{.*}}>, %[[K:.*]]: i32, %[[N:.*]]: i32)
// CHECK: %[[BASE:.*]] = tile.view_pointer %[[V]]
// CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta %[[MAP]], %[[BASE]], box[%[[N]], %[[K]]]
// CHECK: %[[SECOND:.*]] = llvm.getelementptr %[[BASE]][8192]
// CHECK: %[[N2:.*]] = arith.addi %[[N]], %c64
// CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta %[[MAP]], %[[SECOND]], box[%[[N2]], %[[K]]]
func.func @store(%map: !llvm.ptr, %v: !columns, %k: i32, %n: i32) {
  tile.tma_store %v to %map[%n, %k] contiguous(0) : !columns
  return
}
