// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands that 16 bytes at a time cannot read may be copied first, along K: a
// kernel for these has a choice for each operand that its type lets stay.
// RUN: tile-opt %s --tile-to-ptx="chip=sm_80 stop-after=kernels" | grep -E "func.func|@gemm_|memref" | FileCheck %s

// Odd pitches. A may stay where it is, B lies across K.
// CHECK-LABEL: @odd
// CHECK: @multistage_{{.*}}_bf16_bf16_rcr_v8_d1 after (B by @{{.*}}::@pack_16b_rc, contiguous = 0, pitch_multiple = 64)
// CHECK: @multistage_{{.*}}_bf16_bf16_rcr_v8_d1 after (A by @{{.*}}::@pack_16b_rr, contiguous = 1, pitch_multiple = 64) and (B by @{{.*}}::@pack_16b_rc, contiguous = 0, pitch_multiple = 64)
// CHECK: @multistage_{{.*}}_bf16_bf16_rrr_v1_d1_registers
// CHECK-SAME: reason "{{.*}}; operands are read 2 bytes at a time, or copied first, about 95 {{.*}}s, where that is less and the workspace has room"
func.func @odd(%a: memref<4095x4099xbf16>, %b: memref<4099x4097xbf16>, %d: memref<4095x4097xbf16>) {
  tile.gemm ins(%a, %b : memref<4095x4099xbf16>, memref<4099x4097xbf16>) outs(%d : memref<4095x4097xbf16>)
  return
}

// The column-major result is that of the transposed problem, whose B is A.
// CHECK-LABEL: @transposed
// CHECK: @multistage_{{.*}}_rcc_v8_d1 after (B by @{{.*}}::@pack_16b_cc{{.*}}, contiguous = 0, pitch_multiple = 64) and (A by @{{.*}}::@pack_16b_rr{{.*}}, contiguous = 1, pitch_multiple = 64)
!column = memref<4095x4097xf16, strided<[1, 4095]>>
func.func @transposed(%a: memref<4095x4099xf16>, %b: memref<4099x4097xf16, strided<[1, 4099]>>, %d: !column) {
  tile.gemm ins(%a, %b : memref<4095x4099xf16>, memref<4099x4097xf16, strided<[1, 4099]>>) outs(%d : !column)
  return
}

// Bytes that do not lie along K.
// CHECK-LABEL: @bytes
// CHECK: @multistage_{{.*}}_i8_i32_rcr_v16_d2 after (B by @{{.*}}::@pack_8b_rc, contiguous = 0, pitch_multiple = 128)
// CHECK: reason "{{.*}}; operands are read 1 byte at a time, or copied first
func.func @bytes(%a: memref<4096x4096xi8>, %d: memref<4096x4096xi32>) {
  tile.gemm ins(%a, %a : memref<4096x4096xi8>, memref<4096x4096xi8>) outs(%d : memref<4096x4096xi32>)
  return
}

// Nothing is copied that is read as it is, or whose elements are copied one by one.
// CHECK-LABEL: @aligned
// CHECK-NOT: after
// CHECK-NOT: at a time
func.func @aligned(%a: memref<4096x4096xbf16>, %d: memref<4096x4096xbf16>) {
  tile.gemm ins(%a, %a : memref<4096x4096xbf16>, memref<4096x4096xbf16>) outs(%d : memref<4096x4096xbf16>)
  return
}
// CHECK-LABEL: @doubles
// CHECK-NOT: after
// CHECK: reason "{{.*}}; operands are read 8 bytes at a time"
func.func @doubles(%a: memref<4095x4095xf64>, %d: memref<4095x4095xf64>) {
  tile.gemm ins(%a, %a : memref<4095x4095xf64>, memref<4095x4095xf64>) outs(%d : memref<4095x4095xf64>)
  return
}
