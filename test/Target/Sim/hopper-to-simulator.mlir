// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies by TMA, mbarriers, wgmma and clusters become calls, never inline asm;
// the one asm that there is, of a product with A in registers, does too.
// RUN: tile-opt %s --pass-pipeline="builtin.module(gpu.module(tile-instrument-accesses,tile-kernels-to-llvm{target=simulator},tile-nvvm-to-simulator))" | FileCheck %s

// CHECK-NOT: nvvm.
// CHECK-NOT: inline_asm
gpu.module @kernels {
  llvm.mlir.global external @dynamic() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>

  // A tensor map is the thread's own copy, aligned as the parameter is.
  // CHECK-LABEL: llvm.func @tile_sim_kernel_copies
  // CHECK-SAME: tile.sim_shared_bytes = 0 : i64
  // CHECK: %[[MAP:.*]] = llvm.alloca %{{.*}} x !llvm.array<128 x i8> {alignment = 64 : i64}
  // CHECK: "llvm.intr.memcpy"(%[[MAP]], %{{.*}}, %{{.*}})
  // CHECK: llvm.br ^[[BODY:.*]](%{{.*}}, %[[MAP]], %{{.*}} :
  // CHECK: llvm.call @tile_sim_mbarrier_init(
  // CHECK: llvm.call @tile_sim_fence_mbarrier_init(
  // CHECK: llvm.call @tile_sim_tensor_prefetch(
  // CHECK: llvm.call @tile_sim_tensor_prefetch(
  // CHECK: llvm.call @tile_sim_mbarrier_arrive(
  // CHECK: llvm.zext %{{.*}} : i16 to i32
  // CHECK: llvm.call @tile_sim_tensor_load(
  // CHECK: llvm.call @tile_sim_mbarrier_wait(
  // CHECK: llvm.call @tile_sim_fence_proxy(
  // CHECK: llvm.call @tile_sim_tensor_store(
  // CHECK: llvm.call @tile_sim_bulk_commit(
  // CHECK: llvm.call @tile_sim_bulk_wait(
  gpu.func @copies(%map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64}, %x: i32) kernel {
    %s = llvm.mlir.addressof @dynamic : !llvm.ptr<3>
    %s7 = llvm.addrspacecast %s : !llvm.ptr<3> to !llvm.ptr<7>
    %mask = arith.constant 3 : i16
    nvvm.mbarrier.init %s, %x : !llvm.ptr<3>, i32
    nvvm.fence.mbarrier.init
    nvvm.prefetch tensormap, %map : !llvm.ptr
    nvvm.cp.async.bulk.tensor.prefetch %map, box[%x, %x] : !llvm.ptr
    nvvm.mbarrier.arrive.expect_tx %s, %x : !llvm.ptr<3>, i32
    nvvm.cp.async.bulk.tensor.shared.cluster.global %s7, %map, %s, box[%x, %x] multicast_mask = %mask : !llvm.ptr<7>, !llvm.ptr
    nvvm.mbarrier.try_wait.parity %s, %x, %x : !llvm.ptr<3>, i32, i32
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.cp.async.bulk.tensor.global.shared.cta %map, %s, box[%x, %x] : !llvm.ptr, !llvm.ptr<3>
    nvvm.cp.async.bulk.commit.group
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }

  // The types are 5 (bf16), 5 and 8 (f32); D is added (bit 12).
  // CHECK-LABEL: llvm.func @tile_sim_kernel_products
  // CHECK: %[[SLOT:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(f32, f32, f32, f32)>
  // CHECK: llvm.store %{{.*}}, %[[SLOT]]
  // CHECK: llvm.mlir.constant(8 : i32)
  // CHECK: llvm.mlir.constant(6229 : i32)
  // CHECK: llvm.call @tile_sim_wgmma(%{{.*}}, %[[SLOT]],
  // CHECK: llvm.load %[[SLOT]]
  // CHECK: llvm.call @tile_sim_wgmma_commit(
  // CHECK: llvm.call @tile_sim_wgmma_wait(
  gpu.func @products(%d: i64, %p: !llvm.ptr<1>) kernel {
    %zero = llvm.mlir.zero : !llvm.struct<(f32, f32, f32, f32)>
    nvvm.wgmma.fence.aligned
    %r = nvvm.wgmma.mma_async %d, %d, %zero, #nvvm.shape<m = 64, n = 8, k = 16>, D [#nvvm.wgmma_type<f32>, #nvvm.wgmma_scale_out<one>], A [#nvvm.wgmma_type<bf16>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<row>], B [#nvvm.wgmma_type<bf16>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 0
    llvm.store %r, %p : !llvm.struct<(f32, f32, f32, f32)>, !llvm.ptr<1>
    gpu.return
  }

  // A from registers: the sums and the four words of A go by address. The types
  // are 1 (tf32), 1 and 8; D is added.
  // CHECK-LABEL: llvm.func @tile_sim_kernel_registers
  // CHECK-DAG: %[[SUMS:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(f32, f32, f32, f32)>
  // CHECK-DAG: %[[WORDS:.*]] = llvm.alloca %{{.*}} x !llvm.array<4 x i32>
  // CHECK: llvm.mlir.constant(8 : i32)
  // CHECK: llvm.mlir.constant(6161 : i32)
  // CHECK: llvm.call @tile_sim_wgmma_registers(%{{.*}}, %[[SUMS]], %[[WORDS]],
  // CHECK: llvm.load %[[SUMS]]
  gpu.func @registers(%a: i32, %b: i64, %x: f32, %p: !llvm.ptr<1>) kernel {
    %r = llvm.inline_asm has_side_effects asm_dialect = att "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, $8, 1, 1, 1;", "=f,=f,=f,=f,r,r,r,r,l,0,1,2,3" %a, %a, %a, %a, %b, %x, %x, %x, %x : (i32, i32, i32, i32, i64, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 0
    llvm.store %r, %p : !llvm.struct<(f32, f32, f32, f32)>, !llvm.ptr<1>
    gpu.return
  }

  // Kind 6 is a load of the cluster's shared memory.
  // CHECK-LABEL: llvm.func @tile_sim_kernel_cluster
  // CHECK-DAG: llvm.getelementptr %{{.*}}[120]
  // CHECK: llvm.call @tile_sim_cluster_arrive(
  // CHECK: llvm.call @tile_sim_cluster_wait(
  // CHECK: llvm.call @tile_sim_mapa(
  // CHECK: llvm.mlir.constant(6 : i32)
  // CHECK: llvm.call @tile_sim_check(
  gpu.func @cluster(%p: !llvm.ptr<1>) kernel {
    %s = llvm.mlir.addressof @dynamic : !llvm.ptr<3>
    %r = nvvm.read.ptx.sreg.cluster.ctarank : i32
    nvvm.setmaxregister decrease 40
    nvvm.griddepcontrol wait
    nvvm.cluster.arrive.relaxed {aligned}
    nvvm.cluster.wait {aligned}
    %there = nvvm.mapa %s, %r : !llvm.ptr<3> -> !llvm.ptr<7>
    %v = llvm.load %there : !llvm.ptr<7> -> i32
    llvm.store %v, %p : i32, !llvm.ptr<1>
    gpu.return
  }
}
