// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An op may exist on the chip, but not in the PTX version.
// RUN: tile-opt %s --tile-check-chip="chip=sm_90a ptx=80" --verify-diagnostics

gpu.module @kernels {
  llvm.func @acquire(%p: !llvm.ptr, %n: i32) {
    // expected-error @+1 {{expected PTX 8.3 or newer for 'nvvm.fence.proxy.acquire', but got 8.0}}
    nvvm.fence.proxy.acquire #nvvm.mem_scope<cta> %p, %n
    llvm.return
  }

  // Integers of both kinds in one multiply; of one kind they go.
  llvm.func @mixed(%b: i64, %acc: !llvm.struct<(i32, i32, i32, i32)>) {
    // expected-error @+1 {{expected PTX 8.4 or newer for 'nvvm.wgmma.mma_async of s8 and u8', but got 8.0}}
    %0 = nvvm.wgmma.mma_async %b, %b, %acc, #nvvm.shape<m = 64, n = 8, k = 32>, D [#nvvm.wgmma_type<s32>, #nvvm.wgmma_scale_out<one>], A [#nvvm.wgmma_type<s8>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<row>], B [#nvvm.wgmma_type<u8>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<col>] : !llvm.struct<(i32, i32, i32, i32)> -> !llvm.struct<(i32, i32, i32, i32)>
    %1 = nvvm.wgmma.mma_async %b, %b, %acc, #nvvm.shape<m = 64, n = 8, k = 32>, D [#nvvm.wgmma_type<s32>, #nvvm.wgmma_scale_out<one>], A [#nvvm.wgmma_type<u8>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<row>], B [#nvvm.wgmma_type<u8>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<col>] : !llvm.struct<(i32, i32, i32, i32)> -> !llvm.struct<(i32, i32, i32, i32)>
    llvm.return
  }
  llvm.func @mixed_registers(%a: i32, %b: i64) {
    // expected-error @+1 {{expected PTX 8.4 or newer for 'nvvm.wgmma.mma_async of u8 and s8', but got 8.0}}
    %0 = llvm.inline_asm has_side_effects asm_dialect = att "wgmma.mma_async.sync.aligned.m64n8k32.s32.u8.s8 {$0, $1, $2, $3}, {$4, $5, $6, $7}, $8, 1;", "=r,=r,=r,=r,r,r,r,r,l,0,1,2,3" %a, %a, %a, %a, %b, %a, %a, %a, %a : (i32, i32, i32, i32, i64, i32, i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
    llvm.return
  }
}
