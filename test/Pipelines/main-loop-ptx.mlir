// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The instructions that the schedule stands on: predicated vector loads, a main
// loop without a branch for each element, shared memory in vectors.
// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s
// RUN: tile-translate --mlir-to-ptx %s | sed -n "/L__BB0_2:/,/bra.*L__BB0_2;/p" > %t.loop
// RUN: FileCheck %s --check-prefix=LOOP < %t.loop
// RUN: grep -c "bra" %t.loop | FileCheck %s --check-prefix=ONE
// RUN: grep -c "fma.rn.f32" %t.loop | FileCheck %s --check-prefix=FMAS
// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s --check-prefix=SCALAR

// CHECK: .entry [[NAME:simt_128x128x8_rrr_v4[a-z0-9_]*]](
// CHECK: .maxntid 256
// CHECK: .minnctapersm 2
// The residue tile, before the loop, its accesses predicated.
// CHECK: @%p{{[0-9]+}} ld.global.v4.{{(f|b)}}32
// CHECK: st.shared.v4.{{(f|b)}}32
// CHECK: bar.sync
// The skip of an empty loop, the loop, and nothing else jumps.
// CHECK: @%p{{[0-9]+}} bra [[EXIT:\$L__BB0_[0-9]+]];
// CHECK-NOT: bra
// CHECK: {{\$L__BB0_[0-9]+}}:
// CHECK: @%p{{[0-9]+}} bra [[BACK:\$L__BB0_[0-9]+]];
// CHECK-NOT: bra
// CHECK: [[EXIT]]:
// CHECK-NOT: bra
// CHECK: @%p{{[0-9]+}} st.global.v4.{{(f|b)}}32
// CHECK-NOT: bra
// CHECK: ret;

// Between the label of the loop and its back edge: exactly one branch, loads
// from global and shared memory, 8 steps of 8 × 8 multiply-adds.
// LOOP: {{\$L__BB0_2}}:
// LOOP: @%p{{[0-9]+}} ld.global.v4.{{(f|b)}}32
// LOOP: ld.shared.v4.{{(f|b)}}32
// ONE: {{^}}1{{$}}
// FMAS: {{^}}512{{$}}

// SCALAR: .entry simt_128x128x8_rrr_v1
// SCALAR-NOT: .v4.b32 {{.*}}, [%rd
// SCALAR: @%p{{[0-9]+}} ld.global.{{(f|b)}}32
// SCALAR-NOT: .entry

!mat = memref<?x?xf32, strided<[?, 1], offset: ?>>
func.func @gemm(%a: !mat, %b: !mat, %d: !mat) {
  tile.gemm ins(%a, %b : !mat, !mat) outs(%d : !mat)
    schedule #tile.simt<tile = [128, 128, 8], warps = [2, 4], thread = [8, 8], min_blocks = 2>
  return
}
