// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which masked accesses become predicated PTX, and how each is written.
// RUN: tile-opt %s --tile-lower-masked-memory | FileCheck %s

// CHECK-LABEL: @load_f32x4
// CHECK-SAME: (%[[A:.*]]: !llvm.ptr<1>, %[[P:.*]]: i1)
// CHECK: %[[Z:.*]] = llvm.mlir.constant(0.000000e+00 : f32)
// CHECK: %[[R:.*]] = llvm.inline_asm has_side_effects asm_dialect = att "@$5 ld.global.v4.f32 {$0, $1, $2, $3}, [$4];", "=f,=f,=f,=f,l,b,0,1,2,3" %[[A]], %[[P]], %[[Z]], %[[Z]], %[[Z]], %[[Z]] : (!llvm.ptr<1>, i1, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
// CHECK: llvm.extractvalue %[[R]][3]
// CHECK-NOT: llvm.intr.masked
func.func @load_f32x4(%a: !llvm.ptr<1>, %p: i1) -> vector<4xf32> {
  %z = arith.constant dense<0.0> : vector<4xf32>
  %m = vector.broadcast %p : i1 to vector<4xi1>
  %v = llvm.intr.masked.load %a, %m, %z {alignment = 16 : i32} : (!llvm.ptr<1>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  return %v : vector<4xf32>
}

// The pass-through is any vector, not only a constant.
// CHECK-LABEL: @load_keeps_pass_through
// CHECK-SAME: %[[OLD:[a-z0-9]+]]: vector<2xf64>
// CHECK: %[[E0:.*]] = llvm.extractelement %[[OLD]]
// CHECK: %[[E1:.*]] = llvm.extractelement %[[OLD]]
// CHECK: "@$3 ld.global.v2.f64 {$0, $1}, [$2];", "=d,=d,l,b,0,1" %{{.*}}, %{{.*}}, %[[E0]], %[[E1]]
func.func @load_keeps_pass_through(%a: !llvm.ptr<1>, %p: i1, %old: vector<2xf64>) -> vector<2xf64> {
  %m = vector.broadcast %p : i1 to vector<2xi1>
  %v = llvm.intr.masked.load %a, %m, %old {alignment = 16 : i32} : (!llvm.ptr<1>, vector<2xi1>, vector<2xf64>) -> vector<2xf64>
  return %v : vector<2xf64>
}

// CHECK-LABEL: @load_undefined_pass_through
// CHECK: "@$2 ld.global.f32 $0, [$1];", "=f,l,b" %{{.*}}, %{{.*}} : (!llvm.ptr<1>, i1) -> f32
func.func @load_undefined_pass_through(%a: !llvm.ptr<1>, %p: i1) -> vector<1xf32> {
  %u = llvm.mlir.poison : vector<1xf32>
  %m = vector.broadcast %p : i1 to vector<1xi1>
  %v = llvm.intr.masked.load %a, %m, %u {alignment = 4 : i32} : (!llvm.ptr<1>, vector<1xi1>, vector<1xf32>) -> vector<1xf32>
  return %v : vector<1xf32>
}

// Narrow elements travel packed in 32-bit registers.
// CHECK-LABEL: @load_f16x8
// CHECK: "@$5 ld.global.v4.b32 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l,b,0,1,2,3"
// CHECK: llvm.bitcast %{{.*}} : vector<4xi32> to vector<8xf16>
func.func @load_f16x8(%a: !llvm.ptr<1>, %p: i1, %z: vector<8xf16>) -> vector<8xf16> {
  %m = vector.broadcast %p : i1 to vector<8xi1>
  %v = llvm.intr.masked.load %a, %m, %z {alignment = 16 : i32} : (!llvm.ptr<1>, vector<8xi1>, vector<8xf16>) -> vector<8xf16>
  return %v : vector<8xf16>
}

// CHECK-LABEL: @load_f16x1
// CHECK: "@$2 ld.global.b16 $0, [$1];", "=h,l,b,0"
func.func @load_f16x1(%a: !llvm.ptr<1>, %p: i1, %z: vector<1xf16>) -> vector<1xf16> {
  %m = vector.broadcast %p : i1 to vector<1xi1>
  %v = llvm.intr.masked.load %a, %m, %z {alignment = 2 : i32} : (!llvm.ptr<1>, vector<1xi1>, vector<1xf16>) -> vector<1xf16>
  return %v : vector<1xf16>
}

// There are no 8-bit registers.
// CHECK-LABEL: @load_i8x1
// CHECK: llvm.zext %{{.*}} : i8 to i16
// CHECK: "@$2 ld.global.b8 $0, [$1];", "=h,l,b,0"
// CHECK: llvm.trunc %{{.*}} : i16 to i8
func.func @load_i8x1(%a: !llvm.ptr<1>, %p: i1, %z: vector<1xi8>) -> vector<1xi8> {
  %m = vector.broadcast %p : i1 to vector<1xi1>
  %v = llvm.intr.masked.load %a, %m, %z {alignment = 1 : i32} : (!llvm.ptr<1>, vector<1xi1>, vector<1xi8>) -> vector<1xi8>
  return %v : vector<1xi8>
}

// CHECK-LABEL: @load_i64x2
// CHECK: "@$3 ld.global.v2.b64 {$0, $1}, [$2];", "=l,=l,l,b,0,1"
func.func @load_i64x2(%a: !llvm.ptr<1>, %p: i1, %z: vector<2xi64>) -> vector<2xi64> {
  %m = vector.broadcast %p : i1 to vector<2xi1>
  %v = llvm.intr.masked.load %a, %m, %z {alignment = 16 : i32} : (!llvm.ptr<1>, vector<2xi1>, vector<2xi64>) -> vector<2xi64>
  return %v : vector<2xi64>
}

// No instruction is wider than its alignment; results do not share the
// address's register when the address is needed again.
// CHECK-LABEL: @load_split_by_alignment
// CHECK: "@$5 ld.global.v2.f32 {$0, $1}, [$4]; @$5 ld.global.v2.f32 {$2, $3}, [$4+8];", "=&f,=&f,=&f,=&f,l,b,0,1,2,3"
func.func @load_split_by_alignment(%a: !llvm.ptr<1>, %p: i1, %z: vector<4xf32>) -> vector<4xf32> {
  %m = vector.broadcast %p : i1 to vector<4xi1>
  %v = llvm.intr.masked.load %a, %m, %z {alignment = 8 : i32} : (!llvm.ptr<1>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  return %v : vector<4xf32>
}

// CHECK-LABEL: @load_split_by_width
// CHECK: "@$9 ld.global.v4.f32 {$0, $1, $2, $3}, [$8]; @$9 ld.global.v4.f32 {$4, $5, $6, $7}, [$8+16];"
func.func @load_split_by_width(%a: !llvm.ptr<1>, %p: i1, %z: vector<8xf32>) -> vector<8xf32> {
  %m = vector.broadcast %p : i1 to vector<8xi1>
  %v = llvm.intr.masked.load %a, %m, %z {alignment = 32 : i32} : (!llvm.ptr<1>, vector<8xi1>, vector<8xf32>) -> vector<8xf32>
  return %v : vector<8xf32>
}

// CHECK-LABEL: @load_odd_count
// CHECK: "@$4 ld.global.v2.f32 {$0, $1}, [$3]; @$4 ld.global.f32 $2, [$3+8];"
func.func @load_odd_count(%a: !llvm.ptr<1>, %p: i1, %z: vector<3xf32>) -> vector<3xf32> {
  %m = vector.broadcast %p : i1 to vector<3xi1>
  %v = llvm.intr.masked.load %a, %m, %z {alignment = 16 : i32} : (!llvm.ptr<1>, vector<3xi1>, vector<3xf32>) -> vector<3xf32>
  return %v : vector<3xf32>
}

// CHECK-LABEL: @constant_offset_is_folded
// CHECK-SAME: (%[[A:[a-z0-9]+]]: !llvm.ptr<1>
// CHECK-NOT: llvm.getelementptr
// CHECK: "@$1 st.global.f32 [$0-12], $2;", "l,b,f" %[[A]],
func.func @constant_offset_is_folded(%a: !llvm.ptr<1>, %p: i1, %v: vector<1xf32>) {
  %q = llvm.getelementptr %a[-3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  %m = vector.broadcast %p : i1 to vector<1xi1>
  llvm.intr.masked.store %v, %q, %m {alignment = 4 : i32} : vector<1xf32>, vector<1xi1> into !llvm.ptr<1>
  return
}

// CHECK-LABEL: @store_f32x4
// CHECK: llvm.inline_asm has_side_effects asm_dialect = att "@$1 st.global.v4.f32 [$0], {$2, $3, $4, $5};", "l,b,f,f,f,f"
func.func @store_f32x4(%a: !llvm.ptr<1>, %p: i1, %v: vector<4xf32>) {
  %m = vector.broadcast %p : i1 to vector<4xi1>
  llvm.intr.masked.store %v, %a, %m {alignment = 16 : i32} : vector<4xf32>, vector<4xi1> into !llvm.ptr<1>
  return
}

// CHECK-LABEL: @store_bf16x2
// CHECK: "@$1 st.global.b32 [$0], $2;", "l,b,r"
func.func @store_bf16x2(%a: !llvm.ptr<1>, %p: i1, %v: vector<2xbf16>) {
  %m = vector.broadcast %p : i1 to vector<2xi1>
  llvm.intr.masked.store %v, %a, %m {alignment = 4 : i32} : vector<2xbf16>, vector<2xi1> into !llvm.ptr<1>
  return
}

// What follows stays for LLVM.

// CHECK-LABEL: @mask_differs_by_lane
// CHECK: llvm.intr.masked.load
// CHECK-NOT: llvm.inline_asm
func.func @mask_differs_by_lane(%a: !llvm.ptr<1>, %m: vector<4xi1>, %z: vector<4xf32>) -> vector<4xf32> {
  %v = llvm.intr.masked.load %a, %m, %z {alignment = 16 : i32} : (!llvm.ptr<1>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  return %v : vector<4xf32>
}

// CHECK-LABEL: @shared_memory
// CHECK: llvm.intr.masked.load
// CHECK-NOT: llvm.inline_asm
func.func @shared_memory(%a: !llvm.ptr<3>, %p: i1, %z: vector<4xf32>) -> vector<4xf32> {
  %m = vector.broadcast %p : i1 to vector<4xi1>
  %v = llvm.intr.masked.load %a, %m, %z {alignment = 16 : i32} : (!llvm.ptr<3>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  return %v : vector<4xf32>
}

// CHECK-LABEL: @aligned_below_element
// CHECK: llvm.intr.masked.store
// CHECK-NOT: llvm.inline_asm
func.func @aligned_below_element(%a: !llvm.ptr<1>, %p: i1, %v: vector<1xf32>) {
  %m = vector.broadcast %p : i1 to vector<1xi1>
  llvm.intr.masked.store %v, %a, %m {alignment = 2 : i32} : vector<1xf32>, vector<1xi1> into !llvm.ptr<1>
  return
}

// CHECK-LABEL: @constant_mask
// CHECK: llvm.intr.masked.store
// CHECK-NOT: llvm.inline_asm
func.func @constant_mask(%a: !llvm.ptr<1>, %v: vector<1xf32>) {
  %true = arith.constant true
  %m = vector.broadcast %true : i1 to vector<1xi1>
  llvm.intr.masked.store %v, %a, %m {alignment = 4 : i32} : vector<1xf32>, vector<1xi1> into !llvm.ptr<1>
  return
}
