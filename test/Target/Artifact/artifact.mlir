// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The artifact starts with its manifest and carries every fact of a launch.
// RUN: tile-translate --mlir-to-artifact --chip=sm_80 %s -o %t
// RUN: head -c 16384 %t | FileCheck %s

// CHECK: TILEART2
// CHECK-SAME: {"blobs":{"ptx":{"offset":0,"size":
// CHECK-SAME: "sim":{"offset":
// CHECK-SAME: "kernels":[{"block":[128,1,1],"cluster":[2,1,1],"cost":{"bytes_ns":0,"fixed_ns":0,"k_ns":2.5,"slots":1,"tile_ns":0},"dynamic_shared_bytes":0,"grid":{"cluster_tile":[2,1],"persistent":true,"split":1,"tile":[128,64]},"name":"k","parameter_types":["ptr"],"parameters":["D.data"],"programmatic_launch":false,"requires":[{"alignment":16,"extent_multiple":1,"operand":"D","stride_multiple":1,"unit_stride":-1}],"schedule":"#tile.simt","shared_bytes":0,"tensor_maps":[{"batched":false,"box":[64,128],"contiguous":1,"operand":"A","optional":false,"swizzle":128}]}]
// CHECK-SAME: "producer":"tile {{[0-9.]+}}, LLVM 22.
// CHECK-SAME: "sim":{"cpu":"x86-64{{(-v3)?}}","kernels":{"k":{"shared_bytes":0,"symbol":"tile_sim_kernel_k"}},"sites":["store D"]}
// CHECK-SAME: "target":{"chip":"sm_80","ptx":"8.0"},"version":1}
// CHECK: .target sm_80
// CHECK: .entry k(
module {
  gpu.module @kernels {
    gpu.func @k(%d: !llvm.ptr<1>) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>,
                    tile.launch_facts = #tile.launch_facts<
                      cluster = [2, 1, 1], cost = {k_ns = 2.5, slots = 1},
                      grid = {tile = [128, 64], persistent = true, cluster_tile = [2, 1]},
                      tensor_maps = [{operand = A, contiguous = 1, box = [64, 128], swizzle = 128, batched = false}],
                      parameters = [D.data], requires = [{operand = D, unit_stride = -1, alignment = 16}],
                      schedule = "#tile.simt">} {
      %c = arith.constant 3.0 : f32
      llvm.store %c, %d : f32, !llvm.ptr<1> loc("store D")
      gpu.return
    }
  }
}
