// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the simulator does not model it refuses by name, at the op.
// RUN: tile-translate --mlir-to-sim-object %s --split-input-file --verify-diagnostics

module {
  gpu.module @kernels {
    gpu.func @tensor_memory() kernel {
      // expected-error @+1 {{expected an op that the simulator models, but got 'nvvm.tcgen05.relinquish_alloc_permit'}}
      nvvm.tcgen05.relinquish_alloc_permit
      gpu.return
    }
  }
}

// -----

module {
  gpu.module @kernels {
    gpu.func @clock(%p: !llvm.ptr<1>) kernel {
      // expected-error @+1 {{expected an op that the simulator models, but got 'nvvm.read.ptx.sreg.clock'}}
      %c = nvvm.read.ptx.sreg.clock : i32
      llvm.store %c, %p : i32, !llvm.ptr<1>
      gpu.return
    }
  }
}

// -----

module {
  gpu.module @kernels {
    gpu.func @another_form(%a: i32, %b: i64, %x: f32) kernel {
      // expected-error @+1 {{expected an op that the simulator models, but got 'llvm.inline_asm'}}
      %r = llvm.inline_asm has_side_effects asm_dialect = att "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, $8, 1, 1, 1;", "=f,=f,=f,=f,r,r,r,r,l,3,2,1,0" %a, %a, %a, %a, %b, %x, %x, %x, %x : (i32, i32, i32, i32, i64, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
      gpu.return
    }
  }
}

// -----

module {
  gpu.module @kernels {
    gpu.func @text() kernel {
      // expected-error @+1 {{expected an op that the simulator models, but got 'llvm.inline_asm'}}
      llvm.inline_asm has_side_effects "membar.gl;", "" : () -> ()
      gpu.return
    }
  }
}

// -----

module {
  gpu.module @kernels {
    gpu.func @tensor_memory(%p: !llvm.ptr<6>) kernel {
      // expected-error @+1 {{expected an access that the simulator models, but got 'llvm.load'}}
      %v = llvm.load %p : !llvm.ptr<6> -> f32
      gpu.return
    }
  }
}

// -----

// expected-error @below {{expected only functions that the simulator provides, but got 'unknown_function'}}
module {
  gpu.module @kernels {
    llvm.func @unknown_function()
    gpu.func @calls() kernel {
      llvm.call @unknown_function() : () -> ()
      gpu.return
    }
  }
}

// -----

module {
  gpu.module @kernels {
    gpu.func @gather4(%s: !llvm.ptr<7>, %map: !llvm.ptr, %bar: !llvm.ptr<3>, %x: i32) kernel {
      // expected-error @+1 {{expected an op that the simulator models, but got 'nvvm.cp.async.bulk.tensor.shared.cluster.global'}}
      nvvm.cp.async.bulk.tensor.shared.cluster.global %s, %map, %bar, box[%x, %x, %x, %x, %x] {mode = #nvvm.tma_load_mode<tile_gather4>} : !llvm.ptr<7>, !llvm.ptr
      gpu.return
    }
  }
}
