// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes between the floors.
#ifndef TILE_TRANSFORMS_PASSES_TD
#define TILE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def TileSelectSchedule : Pass<"tile-select-schedule"> {
  let summary = "choose a schedule for each problem";
  let description = [{
    Gives every problem operation without a schedule the one that fits what is
    known of its extents, and reports the reason as a remark. With `schedule`,
    every problem gets that one; a schedule that is not legal for a problem is
    an error that says why. With `tuning-table`, a problem that the table holds
    gets the schedule that was measured to be the fastest. What is legal and
    fast depends on `chip`: without wgmma, GEMMs of 16-bit operands get a
    schedule on the fused multiply-add units.
  }];
  let options = [
    Option<"schedule", "schedule", "std::string", /*default=*/"\"\"",
           "the schedule to use, such as '#tile.simt<…>'">,
    Option<"tuningTable", "tuning-table", "std::string", /*default=*/"\"\"",
           "a table of measured schedules, as tile-tune writes it">,
    Option<"remarks", "remarks", "bool", /*default=*/"false",
           "report the choice and its reason as a remark">,
    Option<"chip", "chip", "std::string", /*default=*/"\"\"",
           "the GPU that the kernels are for, as sm_80 or h200; empty: sm_90a">
  ];
}

def TileBuildKernels : Pass<"tile-build-kernels", "::mlir::ModuleOp"> {
  let summary = "build the kernels of each problem";
  let description = [{
    Replaces each `tile.gemm` by a `tile.launch` of the kernels that its
    schedule builds, in a `gpu.module` of their own. `chip` decides whether the
    schedule is legal, and is what kernels state their cost for.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"\"",
           "the GPU that the kernels are for, as sm_90a or h200; empty: sm_90a">
  ];
  let dependentDialects = [
    "::mlir::gpu::GPUDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect", "::mlir::arith::ArithDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect"
  ];
}

def TileLowerPipelines : Pass<"tile-lower-pipelines"> {
  let summary = "lower pipelines to mbarriers and tensor copies to bulk copies";
  let description = [{
    A pipeline becomes the address of its barriers, a state the number of the
    stage and the parity of the round; acquire, commit, wait and release become
    operations on mbarriers. A tensor copy becomes one bulk tensor copy for each
    box of the tile; a tile that does not consist of boxes is an error that says
    why.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::scf::SCFDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::NVVM::NVVMDialect"
  ];
}

def TileLowerWarpgroups : Pass<"tile-lower-warpgroups"> {
  let summary = "lower operations of a warpgroup to wgmma and stmatrix";
  let description = [{
    Accumulators become one struct of registers for each atom, a matrix multiply
    a fence, one wgmma for each atom and step along K, and a commit. Descriptors
    are derived from the layouts of the operands; a layout that none expresses
    is an error that says why.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect"
  ];
}

def TileLowerIterators : Pass<"tile-lower-iterators"> {
  let summary = "lower views and tile iterators to loops over memory accesses";
  let description = [{
    A view becomes a pointer, extents and strides; an iterator becomes a
    pointer, strides and packed predicate words. A load or store becomes a
    strip-mined loop with a constant trip count, marked `tile.strip_mined`,
    whose body tests one predicate bit and makes one memory access. Predicates
    are built once, where the iterator is made.
  }];
  let options = [
    Option<"unroll", "unroll", "bool", /*default=*/"false",
           "write the strip-mined loops out, as tile-unroll-strip-mined does later">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::NVVM::NVVMDialect"
  ];
}

def TileAnalyzeAccesses : Pass<"tile-analyze-accesses"> {
  let summary = "report how warps access memory";
  let description = [{
    A remark at each operation that accesses memory through a tile iterator, and
    at each load and store of a view whose coordinates follow from the thread's
    number: of global memory, how many sectors of 32 bytes a request of a warp
    touches, and how many bytes of them it uses; of shared memory, how many lanes
    take turns at a bank, and which; how wide the accesses are, and what keeps
    them from being wider.

    The figures come from the layouts, by enumeration of the lanes of every warp,
    for a tile inside of the matrix that begins at a sector. A pitch that is
    known at run time only is taken for a multiple of 32 bytes.
  }];
}

def TileIteratorsToViews : Pass<"tile-iterators-to-views"> {
  let summary = "rewrite tile iterators as views, layouts and coordinates";
  let description = [{
    The step from CUTLASS 2.x to 3.x: an iterator becomes a view, the coordinate
    of its tile and a thread. Its thread map becomes a layout from (thread,
    value) to the coordinate in the tile. Each access is a `tile.view_load` or
    `tile.view_store` at the sum of both, inside of an `scf.if` that compares it
    with the extents, or looks up an index and compares what it leads to. Masks
    are there only where they are read or set. The accesses are the same, of the
    same width and in the same order, as those of `tile-lower-iterators`.

    The coordinates of a mapped matrix become a second layout. What has no such
    form is an error that names it: asynchronous copies, the words and the
    comparison of mapped iterators, and iterators over a view, or a list of
    indices, whose extents are not known here.

    Example: an access of thread `%t` at value 5 of its fragment.

    ```mlir
    !view = !tile.view<f32, global, (?, ?) : (?, 1)>
    func.func @access(%v: !view, %row: index, %column: index, %t: index) -> f32 {
      %map = tile.make_layout ((8, 16), (1, 8)) : ((1@e1, 1@e0), (1@e1, 16@e0))
      %c:2 = tile.coordinate (%t, 5), %map : !tile.layout<((8, 16), (1, 8)) : ((1@e1, 1@e0), (1@e1, 16@e0))>
      %r = arith.addi %row, %c#0 : index
      %q = arith.addi %column, %c#1 : index
      %x = tile.view_load %v(%r, %q) : !view -> f32
      return %x : f32
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect", "::mlir::LLVM::LLVMDialect"
  ];
}

def TileUnrollStripMined : Pass<"tile-unroll-strip-mined"> {
  let summary = "unroll strip-mined loops";
  let description = [{
    Unrolls, in full, the loops that `tile-lower-iterators` marks. A predicate
    bit that is tested where its word was packed becomes the predicate itself;
    words stay where a loop carries them.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TileLowerAtoms : Pass<"tile-lower-atoms"> {
  let summary = "lower matrix multiply atoms to arithmetic";
  let description = [{
    `tile.mma` becomes what its atom emits: on the fused multiply-add units, one
    vector of fused multiply-adds for each row of the accumulator. The code is
    the atom's own, behind `MmaAtomAttrInterface`: a new atom needs no pass. One
    that `chip` does not have is an error that names those of the same types
    that it has.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"\"",
           "the chip, such as sm_80 or h200; empty: any">,
  ];
  let dependentDialects = ["::mlir::vector::VectorDialect", "::mlir::LLVM::LLVMDialect"];
}

def TileExpandLayouts : Pass<"tile-expand-layouts"> {
  let summary = "expand layouts to index arithmetic";
  let description = [{
    Layout values become their run-time extents and strides, and operations on
    them index arithmetic. An offset that is proved to fit 32 bits, by the ranges
    of what it is computed from, is computed in 32 bits. `tile.print` becomes
    `gpu.printf`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect"];
}

#endif // TILE_TRANSFORMS_PASSES_TD
