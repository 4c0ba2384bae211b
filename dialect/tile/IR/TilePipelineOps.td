// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pipelines over mbarriers, and the bulk tensor copies that fill their stages.
#ifndef TILE_IR_TILEPIPELINEOPS_TD
#define TILE_IR_TILEPIPELINEOPS_TD

include "mlir/Dialect/LLVMIR/LLVMOpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tile/IR/TileTypes.td"

def Tile_MakePipelineOp : Tile_Op<"make_pipeline", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "pipeline on barriers in shared memory";
  let description = [{
    Initialises the mbarriers of a pipeline: `barriers` holds two of them for
    each stage, first those of full stages, then those of empty ones. A full
    stage waits for `producers` arrivals, an empty one for `consumers`. Thread 0
    of the block initialises; a barrier of the block, or of the cluster if other
    thread blocks arrive too, must follow before the first use.

    Example: one producer, two consumers.

    ```mlir
    func.func @ring() {
      %b = tile.alloc_shared : !tile.view<i64, shared, (4, 2) : (1, 4), align = 8>
      %p = tile.make_pipeline %b producers(1) consumers(2)
        : !tile.view<i64, shared, (4, 2) : (1, 4), align = 8> -> !tile.pipeline<stages = 4>
      return
    }
    ```
  }];
  let arguments = (ins
    Tile_ViewType:$barriers, I64Attr:$producers, I64Attr:$consumers);
  let results = (outs Tile_PipelineType:$result);
  let assemblyFormat = [{
    $barriers `producers` `(` $producers `)` `consumers` `(` $consumers `)` attr-dict
    `:` type($barriers) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_PipelineStartOp : Tile_Op<"pipeline_start", [Pure]> {
  let summary = "position after a number of stages";
  let description = [{
    The state of a producer or consumer that has gone through `count` stages:
    stage `count` mod stages, in round `count` / stages.

    Example: the beginning.

    ```mlir
    func.func @begin(%count: i32) {
      %s = tile.pipeline_start %count : !tile.pipeline_state<stages = 4>
      return
    }
    ```
  }];
  let arguments = (ins I32:$count);
  let results = (outs Tile_PipelineStateType:$result);
  let assemblyFormat = "$count attr-dict `:` type($result)";
}

def Tile_PipelineAdvanceOp : Tile_Op<"pipeline_advance", [
    Pure, AllTypesMatch<["state", "result"]>]> {
  let summary = "position some stages further on";
  let description = [{
    The state one stage further on, or `by` stages.

    Example:

    ```mlir
    func.func @next(%s: !tile.pipeline_state<stages = 4>, %n: i32) {
      %0 = tile.pipeline_advance %s : !tile.pipeline_state<stages = 4>
      %1 = tile.pipeline_advance %s by %n : !tile.pipeline_state<stages = 4>
      return
    }
    ```
  }];
  let arguments = (ins Tile_PipelineStateType:$state, Optional<I32>:$by);
  let results = (outs Tile_PipelineStateType:$result);
  let assemblyFormat = "$state (`by` $by^)? attr-dict `:` type($state)";
}

def Tile_PipelineStageOp : Tile_Op<"pipeline_stage", [Pure]> {
  let summary = "number of the stage of a position";
  let description = [{
    The stage that a state is at, to slice a view by.

    Example:

    ```mlir
    func.func @stage(%s: !tile.pipeline_state<stages = 4>) -> index {
      %0 = tile.pipeline_stage %s : !tile.pipeline_state<stages = 4>
      return %0 : index
    }
    ```
  }];
  let arguments = (ins Tile_PipelineStateType:$state);
  let results = (outs Index:$result);
  let assemblyFormat = "$state attr-dict `:` type($state)";
}

/// The state at which an operation uses a pipeline has its number of stages.
def Tile_StateMatches : TypesMatchWith<
    "the state is one of the pipeline", "pipeline", "state",
    "::tile::PipelineStateType::get($_ctxt, "
    "::llvm::cast<::tile::PipelineType>($_self).getStages())">;

class Tile_PipelineOp<string mnemonic> : Tile_Op<mnemonic, [
    MemoryEffects<[MemRead, MemWrite]>, Tile_StateMatches]>;

def Tile_PipelineAcquireOp : Tile_PipelineOp<"pipeline_acquire"> {
  let summary = "producer: wait until a stage is empty, announce bytes";
  let description = [{
    Waits until the consumers have let the stage of `state` go, which holds from
    the beginning, then arrives at its full barrier and announces `bytes` bytes
    that copies will bring, counting those that other thread blocks multicast
    here. One thread executes it. Without `bytes` it only waits: what fills the
    stage are the threads that commit it.

    Example:

    ```mlir
    func.func @produce(%p: !tile.pipeline<stages = 4>, %s: !tile.pipeline_state<stages = 4>) {
      tile.pipeline_acquire %p[%s] bytes(49152) : !tile.pipeline<stages = 4>
      tile.pipeline_acquire %p[%s] : !tile.pipeline<stages = 4>
      return
    }
    ```
  }];
  let arguments = (ins
    Tile_PipelineType:$pipeline, Tile_PipelineStateType:$state,
    OptionalAttr<I64Attr>:$bytes);
  let assemblyFormat = [{
    $pipeline `[` $state `]` (`bytes` `(` $bytes^ `)`)? attr-dict
    `:` type($pipeline)
  }];
  let hasVerifier = 1;
}

def Tile_PipelineCommitOp : Tile_PipelineOp<"pipeline_commit"> {
  let summary = "producer: arrive at the full barrier of a stage";
  let description = [{
    Each thread that executes it arrives once at the full barrier, of its own
    thread block or of block `block` of the cluster.

    Example:

    ```mlir
    func.func @signal(%p: !tile.pipeline<stages = 2>, %s: !tile.pipeline_state<stages = 2>, %rank: i32) {
      tile.pipeline_commit %p[%s] : !tile.pipeline<stages = 2>
      tile.pipeline_commit %p[%s] of %rank : !tile.pipeline<stages = 2>
      return
    }
    ```
  }];
  let arguments = (ins
    Tile_PipelineType:$pipeline, Tile_PipelineStateType:$state, Optional<I32>:$block);
  let assemblyFormat = [{
    $pipeline `[` $state `]` (`of` $block^)? attr-dict
    `:` type($pipeline)
  }];
}

def Tile_PipelineWaitOp : Tile_PipelineOp<"pipeline_wait"> {
  let summary = "consumer: wait until a stage is full";
  let description = [{
    Waits until all producers have arrived and all announced bytes are there.

    Example:

    ```mlir
    func.func @consume(%p: !tile.pipeline<stages = 4>, %s: !tile.pipeline_state<stages = 4>) {
      tile.pipeline_wait %p[%s] : !tile.pipeline<stages = 4>
      return
    }
    ```
  }];
  let arguments = (ins Tile_PipelineType:$pipeline, Tile_PipelineStateType:$state);
  let assemblyFormat = [{
    $pipeline `[` $state `]` attr-dict
    `:` type($pipeline)
  }];
}

def Tile_PipelineReleaseOp : Tile_PipelineOp<"pipeline_release"> {
  let summary = "consumer: let a stage go";
  let description = [{
    Each thread that executes it arrives once at the empty barrier of the stage,
    of its own thread block or of block `block` of the cluster.

    Example:

    ```mlir
    func.func @done(%p: !tile.pipeline<stages = 4>, %s: !tile.pipeline_state<stages = 4>, %rank: i32) {
      tile.pipeline_release %p[%s] : !tile.pipeline<stages = 4>
      tile.pipeline_release %p[%s] of %rank : !tile.pipeline<stages = 4>
      return
    }
    ```
  }];
  let arguments = (ins
    Tile_PipelineType:$pipeline, Tile_PipelineStateType:$state, Optional<I32>:$block);
  let assemblyFormat = [{
    $pipeline `[` $state `]` (`of` $block^)? attr-dict
    `:` type($pipeline)
  }];
}

def Tile_TmaLoadOp : Tile_Op<"tma_load", [
    AttrSizedOperandSegments, MemoryEffects<[MemRead, MemWrite]>,
    Tile_StateMatches]> {
  let summary = "copy of a tile from a tensor to a stage";
  let description = [{
    Starts the copy of the tile at `coords` (innermost dimension of the tensor
    first, in elements) to a view of shared memory, as one bulk tensor copy for
    each box that the view's layout consists of; elements outside the tensor
    become zero. The bytes count at the full barrier of the stage. `contiguous`
    is the dimension of the view that is contiguous in the tensor. With
    `multicast`, the copy goes to the same place in each thread block of the
    cluster whose bit is set. One thread executes it.

    Between the innermost and the outermost coordinate, tensors of more dimensions
    have others, at which the tile is one element wide. With `offsets`, one for
    each of these dimensions, the tensor map is one for im2col: the rows of the
    tile are pixels, as a filter's element at these offsets meets them.

    A layout that does not consist of boxes is refused with the reason.

    Example: 128 rows of 64 elements.

    ```mlir
    !tile_a = !tile.view<bf16, shared, S<3, 3, 3> o 0 o (128, 64) : (64, 1), align = 1024>
    func.func @load(%map: !llvm.ptr, %v: !tile_a, %k: i32, %m: i32,
                    %p: !tile.pipeline<stages = 4>, %s: !tile.pipeline_state<stages = 4>) {
      tile.tma_load %map[%k, %m] to %v, %p[%s] contiguous(1)
        : !tile_a, !tile.pipeline<stages = 4>
      return
    }
    ```
  }];
  let arguments = (ins
    LLVM_PointerInAddressSpace<0>:$map, Variadic<I32>:$coords, Tile_ViewType:$view,
    Tile_PipelineType:$pipeline, Tile_PipelineStateType:$state,
    Optional<I16>:$multicast, Variadic<I16>:$offsets, I64Attr:$contiguous);
  let assemblyFormat = [{
    $map `[` $coords `]` (`offsets` `[` $offsets^ `]`)? `to` $view `,` $pipeline `[` $state `]`
    `contiguous` `(` $contiguous `)` (`multicast` `(` $multicast^ `)`)? attr-dict
    `:` type($view) `,` type($pipeline)
  }];
  let hasVerifier = 1;
}

def Tile_TmaPrefetchOp : Tile_Op<"tma_prefetch", [
    AttrSizedOperandSegments, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "fetch of a tile from a tensor to the L2 cache";
  let description = [{
    Starts to fetch to the L2 cache what `tile.tma_load` of the same tensor,
    coordinates and view copies. It changes no result: a kernel may execute it
    before the grids in front of it have written the tensor. One thread executes
    it.

    Example: while other grids still run.

    ```mlir
    !tile_a = !tile.view<bf16, shared, S<3, 3, 3> o 0 o (128, 64) : (64, 1), align = 1024>
    func.func @prefetch(%map: !llvm.ptr, %v: !tile_a, %k: i32, %m: i32) {
      tile.tma_prefetch %map[%k, %m] for %v contiguous(1) : !tile_a
      nvvm.griddepcontrol wait
      return
    }
    ```
  }];
  let arguments = (ins
    LLVM_PointerInAddressSpace<0>:$map, Variadic<I32>:$coords,
    Tile_ViewType:$view, Variadic<I16>:$offsets, I64Attr:$contiguous);
  let assemblyFormat = [{
    $map `[` $coords `]` (`offsets` `[` $offsets^ `]`)? `for` $view `contiguous` `(` $contiguous `)` attr-dict
    `:` type($view)
  }];
  let hasVerifier = 1;
}

def Tile_TmaStoreOp : Tile_Op<"tma_store", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "copy of a tile from shared memory to a tensor";
  let description = [{
    Starts the copy of a view of shared memory to the tile at `coords`; what is
    outside the tensor is not written, in units of 16 bytes. A commit and a wait
    of the bulk copies must follow. One thread executes it, after a proxy fence
    by the threads that wrote the view.

    Example:

    ```mlir
    !chunk = !tile.view<bf16, shared, S<3, 3, 3> o 0 o (64, 64) : (64, 1), align = 1024>
    func.func @store(%map: !llvm.ptr, %v: !chunk, %n: i32, %m: i32) {
      tile.tma_store %v to %map[%n, %m] contiguous(1) : !chunk
      return
    }
    ```
  }];
  let arguments = (ins
    Tile_ViewType:$view, LLVM_PointerInAddressSpace<0>:$map, Variadic<I32>:$coords,
    I64Attr:$contiguous);
  let assemblyFormat = [{
    $view `to` $map `[` $coords `]` `contiguous` `(` $contiguous `)` attr-dict
    `:` type($view)
  }];
  let hasVerifier = 1;
}

def Tile_ClusterViewOp : Tile_Op<"cluster_view", [
    Pure, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "the same view in another block of the cluster";
  let description = [{
    A view of shared memory as thread block `block` of the cluster has it, to be
    read and written from here: every block of a cluster has the same things at
    the same places. A pipeline, or a barrier of the cluster, orders the
    accesses.

    Example: what the next block of a cluster of two holds.

    ```mlir
    !mine = !tile.view<f32, shared, (4, 128) : (1, 4), align = 16>
    !theirs = !tile.view<f32, cluster, (4, 128) : (1, 4), align = 16>
    func.func @peek(%v: !mine, %block: i32, %t: index) -> vector<4xf32> {
      %0 = tile.cluster_view %v of %block : !mine
      %1 = tile.view_load %0(0, %t) : !theirs -> vector<4xf32>
      return %1 : vector<4xf32>
    }
    ```
  }];
  let arguments = (ins Tile_ViewType:$view, I32:$block);
  let results = (outs Tile_ViewType:$result);
  let assemblyFormat = "$view `of` $block attr-dict `:` type($view)";
  let hasVerifier = 1;
}

#endif // TILE_IR_TILEPIPELINEOPS_TD
