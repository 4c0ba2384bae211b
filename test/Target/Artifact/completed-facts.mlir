// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What launch facts leave out, since the kernel itself tells it: the types of
// its arguments and its shared memory.
// RUN: tile-translate --mlir-to-artifact %s -o %t.tile
// RUN: %python -c "import json, sys; data = open(sys.argv[1], 'rb').read(); start = data.index(b'{'); text = json.JSONDecoder().raw_decode(data[start:].decode('latin1'))[0]; print(json.dumps(text['kernels'], sort_keys=True))" %t.tile | FileCheck %s

// CHECK: "name": "k", "parameter_types": ["ptr", "i64", "i32", "f32", "tensor_map"], "parameters":
// CHECK-SAME: "schedule": "written by hand", "shared_bytes": 96,
// What is said stays, and a kernel that is launched by hand need not say what
// its arguments take.
// CHECK-SAME: "dynamic_shared_bytes": 7, "name": "other", "parameter_types": ["other"]
// CHECK-SAME: "schedule": "mine", "shared_bytes": 0}
gpu.module @kernels {
  llvm.mlir.global internal @one() {addr_space = 3 : i32} : !llvm.array<64 x i8>
  llvm.mlir.global internal @two() {addr_space = 3 : i32} : !llvm.array<32 x i8>
  llvm.mlir.global internal @unused() {addr_space = 3 : i32} : !llvm.array<32 x i8>
  gpu.func @k(%a: !llvm.ptr<1>, %m: index, %n: i32, %alpha: f32,
              %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64}) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>,
                  tile.launch_facts = #tile.launch_facts<
                    grid = {tile = [1, 1]},
                    parameters = [A.data, M, N, alpha, A.tensor_map],
                    tensor_maps = [{operand = A, contiguous = 1, box = [64, 64]}]>} {
    %one = llvm.mlir.addressof @one : !llvm.ptr<3>
    %again = llvm.mlir.addressof @one : !llvm.ptr<3>
    %two = llvm.mlir.addressof @two : !llvm.ptr<3>
    llvm.store volatile %n, %one : i32, !llvm.ptr<3>
    llvm.store volatile %n, %again : i32, !llvm.ptr<3>
    llvm.store volatile %n, %two : i32, !llvm.ptr<3>
    gpu.return
  }
  gpu.func @other(%half: f16) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>,
                  tile.dynamic_shared_bytes = 7 : i64,
                  tile.launch_facts = #tile.launch_facts<schedule = "mine">} {
    gpu.return
  }
}
