// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that the chip or the PTX version lacks are errors at the op.
// RUN: tile-opt %s --tile-check-chip="chip=sm_80" --split-input-file --verify-diagnostics

gpu.module @kernels {
  llvm.func @wgmma() {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %b = llvm.mlir.constant(0 : i64) : i64
    %x = llvm.mlir.constant(0.0 : f32) : f32
    // expected-error @+1 {{expected sm_90a for 'nvvm.wgmma.mma_async', but got sm_80}}
    %0 = llvm.inline_asm has_side_effects asm_dialect = att "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, $8, 1, 1, 1;", "=f,=f,=f,=f,r,r,r,r,l,0,1,2,3" %zero, %zero, %zero, %zero, %b, %x, %x, %x, %x : (i32, i32, i32, i32, i64, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
    // expected-error @+1 {{expected sm_90a for 'nvvm.wgmma.fence.aligned', but got sm_80}}
    nvvm.wgmma.fence.aligned
    llvm.return
  }
}

// -----

gpu.module @kernels {
  llvm.func @cluster() {
    // expected-error @+1 {{expected sm_90 or newer for 'nvvm.cluster.wait', but got sm_80}}
    nvvm.cluster.wait
    llvm.return
  }
}

// -----

// LLVM 22 has prefetch from sm_90 on only, whatever the PTX manual says.
gpu.module @kernels {
  llvm.func @prefetch(%p: !llvm.ptr<1>) {
    // expected-error @+1 {{expected sm_90 or newer for 'nvvm.prefetch', but got sm_80}}
    nvvm.prefetch level = L2, %p : !llvm.ptr<1>
    llvm.return
  }
}

// -----

gpu.module @kernels {
  llvm.func @tensor_memory(%p: !llvm.ptr<3>, %n: i32) {
    // expected-error @+1 {{expected sm_100a, sm_101a, sm_103a or sm_110a for 'nvvm.tcgen05.alloc', but got sm_80}}
    nvvm.tcgen05.alloc %p, %n : !llvm.ptr<3>, i32
    llvm.return
  }
}

// -----

gpu.module @kernels {
  llvm.func @intrinsic() {
    // expected-error @+1 {{expected sm_90a for 'llvm.nvvm.wgmma.fence.sync.aligned', but got sm_80}}
    llvm.call_intrinsic "llvm.nvvm.wgmma.fence.sync.aligned"() : () -> ()
    llvm.return
  }
}

// -----

gpu.module @kernels {
  llvm.func @no_instruction(%x: f32) -> f32 {
    // expected-error @+1 {{expected an op that NVPTX can select, such as one of the math dialect, but got 'llvm.intr.exp'}}
    %y = llvm.intr.exp(%x) : (f32) -> f32
    llvm.return %y : f32
  }
}

// -----

// Some instructions are approximate: the flag has to allow it.
gpu.module @kernels {
  llvm.func @approximate(%x: f32, %d: f64) {
    // expected-error @+1 {{expected an op that NVPTX can select, such as one of the math dialect, but got 'llvm.intr.sin'}}
    %0 = llvm.intr.sin(%x) : (f32) -> f32
    %1 = llvm.intr.sin(%x) {fastmathFlags = #llvm.fastmath<afn>} : (f32) -> f32
    %2 = llvm.intr.exp2(%x) : (f32) -> f32
    // expected-error @+1 {{but got 'llvm.intr.exp2'}}
    %3 = llvm.intr.exp2(%d) : (f64) -> f64
    llvm.return
  }
}

// -----

gpu.module @kernels {
  llvm.func @fp32_reduction(%x: f32, %m: i32) {
    // expected-error @+1 {{expected sm_100a, sm_101a or sm_103a for 'nvvm.redux.sync', but got sm_80}}
    %0 = nvvm.redux.sync fmax %x, %m : f32 -> f32
    llvm.return
  }
}

// -----

// Each op is reported.
gpu.module @kernels {
  llvm.func @two() {
    // expected-error @+1 {{expected sm_90 or newer for 'nvvm.cluster.arrive', but got sm_80}}
    nvvm.cluster.arrive
    // expected-error @+1 {{expected sm_90 or newer for 'nvvm.cluster.wait', but got sm_80}}
    nvvm.cluster.wait
    llvm.return
  }
}

// -----

gpu.module @kernels {
  llvm.func @has(%p: !llvm.ptr<3>, %g: !llvm.ptr<1>) {
    nvvm.cp.async.shared.global %p, %g, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
    nvvm.barrier0
    llvm.return
  }
}
