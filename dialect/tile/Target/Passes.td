// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes between floor 3 (upstream dialects) and machine code.

#ifndef TILE_TARGET_PASSES
#define TILE_TARGET_PASSES

include "mlir/Pass/PassBase.td"

def TileLowerMaskedMemory : Pass<"tile-lower-masked-memory"> {
  let summary = "turn masked global accesses with one predicate into predicated PTX";
  let description = [{
    An access `llvm.intr.masked.load` or `llvm.intr.masked.store` in address
    space 1 whose mask is one scalar predicate broadcast to all lanes becomes
    one `llvm.inline_asm` with a guarded instruction. No branch is made, and
    the lanes of a load that is switched off keep the pass-through value,
    which is tied to the result registers:

    ```mlir
    func.func @masked(%p: i1, %a: !llvm.ptr<1>, %z: vector<4xf32>) -> vector<4xf32> {
      %m = vector.broadcast %p : i1 to vector<4xi1>
      %v = llvm.intr.masked.load %a, %m, %z {alignment = 16 : i32}
         : (!llvm.ptr<1>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
      return %v : vector<4xf32>
    }
    ```
    becomes `@%p ld.global.v4.f32 {...}, [%a];`.

    Element types are 8 to 64-bit integers and floats. Elements narrower than
    32 bits travel packed. An access wider than its alignment, or than 16
    bytes, becomes several instructions inside the one asm. A constant offset
    of the address is folded into the instruction.

    What does not have this form is left alone: LLVM expands it correctly, with
    branches. That is the case for masks that differ from lane to lane, masks
    known at compile time, and accesses aligned to less than one element.
    The `nontemporal` hint of a load is dropped.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def TileFuseWgmma : Pass<"tile-fuse-wgmma"> {
  let summary = "make one inline asm of each group of wgmma instructions";
  let description = [{
    A fence, the multiplies up to the next commit, the commit and a wait right
    after it become one `llvm.inline_asm` whose results are tied to the
    accumulators, so that nothing touches these registers in between; ptxas
    would serialise the instructions otherwise. A wait that stands alone is tied
    to the accumulators that are read after it. Groups with other types than f32
    sums, or with scaled operands, are left alone.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def TileKernelsToLLVM : Pass<"tile-kernels-to-llvm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "lower the upstream dialects of a gpu.module to llvm and nvvm";
  let description = [{
    scf, cf, arith, math, vector, index, ub, func and gpu ops become llvm and
    nvvm ops. Any other op is an error that names it. With
    `target = simulator` math functions become calls of the C library instead
    of libdevice.
  }];
  let options = [
    Option<"kernelTarget", "target", "std::string", "\"ptx\"",
           "what the code is meant for: ptx or simulator">,
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::NVVM::NVVMDialect",
                           "::mlir::cf::ControlFlowDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::vector::VectorDialect"];
}

def TileCheckChip : Pass<"tile-check-chip"> {
  let summary = "report every nvvm op that the chip or the PTX version lacks";
  let description = [{
    LLVM ends the process when an instruction does not exist on the chip that
    it compiles for. This pass reports it first, at the op, from the table in
    `lib/Target/PTX/CheckChip.cpp` and from the traits of the nvvm dialect.
  }];
  let options = [
    Option<"chip", "chip", "std::string", "\"sm_80\"", "the chip, such as sm_80 or sm_90a">,
    Option<"ptxVersion", "ptx", "unsigned", "0",
           "the PTX version times ten; 0 means the default for the chip">,
  ];
}

def TileKernelsToPTX : Pass<"tile-kernels-to-ptx", "::mlir::ModuleOp"> {
  let summary = "compile each gpu.module to PTX and put a gpu.binary in its place";
  let description = [{
    The PTX text becomes the one object of a `gpu.binary` of the same name,
    with the chip and the PTX version in its target:

    ```mlir
    gpu.binary @kernels [#gpu.object<#nvvm.target<O = 3, chip = "sm_80", features = "+ptx80">, assembly = "...">]
    ```
  }];
  let options = [
    Option<"chip", "chip", "std::string", "\"sm_80\"", "the chip, such as sm_80 or sm_90a">,
    Option<"ptxVersion", "ptx", "unsigned", "0",
           "the PTX version times ten; 0 means the default for the chip">,
    Option<"optLevel", "opt-level", "unsigned", "3", "0 to 3, how hard LLVM optimises">,
    Option<"lineInfo", "line-info", "bool", "false", "keep source lines in the PTX">,
  ];
}

def TileInstrumentAccesses : Pass<"tile-instrument-accesses", "::mlir::gpu::GPUModuleOp"> {
  let summary = "check every global and shared access of a simulated kernel";
  let description = [{
    Gives every function with a body the simulator's context as its first
    argument and puts a call of `tile_sim_check` before each load, store and
    atomic of global, shared or generic memory. A masked access is checked
    only where its mask is on. Integer divisions whose divisor may be 0 get a
    call of `tile_sim_division` where it is. The texts of the call sites are left in the
    module attribute `tile.sim_sites`, indexed by the site number.
    Stack and constant memory are not checked.

    With `count`, a call of `tile_sim_count` comes before each load, store and
    asynchronous copy, also where a mask is off: the simulator joins the lanes of
    a warp, and counts sectors and bank conflicts.
  }];
  let options = [
    Option<"count", "count", "bool", /*default=*/"false",
           "count sectors of global memory and bank conflicts, too">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def TileNVVMToSimulator : Pass<"tile-nvvm-to-simulator", "::mlir::gpu::GPUModuleOp"> {
  let summary = "replace nvvm ops and shared memory by what the simulator provides";
  let description = [{
    Expects the result of `tile-instrument-accesses` and
    `tile-kernels-to-llvm{target=simulator}`. Special registers become loads
    from the context, barriers and traps become calls, shared globals become
    offsets from the context's shared memory, and each kernel becomes
    `tile_sim_kernel_<name>(context, arguments)`. An op that the simulator does
    not model is an error that names it.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // TILE_TARGET_PASSES
