// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A ring of four stages: copies of 16 bytes where the operand runs as shared
// memory does, of one element where it is put across; three groups on their
// way, one barrier a tile, no register that a tile goes through.
// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s
// RUN: tile-translate --mlir-to-ptx %s | sed -n "/L__BB0_2:/,/bra.*L__BB0_2;/p" > %t.loop
// RUN: FileCheck %s --check-prefix=LOOP --implicit-check-not=ld.global --implicit-check-not=st.shared < %t.loop
// RUN: grep -c "bra" %t.loop | FileCheck %s --check-prefix=ONE
// RUN: grep -c "fma.rn.f32" %t.loop | FileCheck %s --check-prefix=FMAS
// RUN: tile-translate --mlir-to-ptx --chip=sm_80 %s -o %t.sm_80.ptx
// RUN: %if ptxas %{ ptxas -arch=sm_80 -v %t.sm_80.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=SPILLS %}

// CHECK: .entry simt_128x128x8_rrr_v4_s4(
// Three groups before the loop.
// CHECK: cp.async.ca.shared.global [%rd{{[0-9]+}}], [%rd{{[0-9]+}}], 4, %r
// CHECK: cp.async.cg.shared.global [%rd{{[0-9]+}}], [%rd{{[0-9]+}}], 16, %r
// CHECK-COUNT-3: cp.async.commit_group;
// CHECK: cp.async.wait_group 2;
// CHECK: bar.sync
// LOOP: {{\$L__BB0_2}}:
// LOOP-COUNT-4: cp.async.ca.shared.global
// LOOP: cp.async.cg.shared.global
// LOOP: cp.async.commit_group;
// LOOP: cp.async.wait_group 2;
// LOOP-NEXT: bar.sync
// ONE: {{^}}1{{$}}
// FMAS: {{^}}512{{$}}
// SPILLS-COUNT-2: 0 bytes spill stores, 0 bytes spill loads

!mat = memref<?x?xf32, strided<[?, 1], offset: ?>>
func.func @gemm(%a: !mat, %b: !mat, %d: !mat) {
  tile.gemm ins(%a, %b : !mat, !mat) outs(%d : !mat)
    schedule #tile.simt<tile = [128, 128, 8], warps = [2, 4], thread = [8, 8], min_blocks = 2, stages = 4>
  return
}
