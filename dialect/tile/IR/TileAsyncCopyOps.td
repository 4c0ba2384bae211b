// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies from global to shared memory that run while the thread goes on.
#ifndef TILE_IR_TILEASYNCCOPYOPS_TD
#define TILE_IR_TILEASYNCCOPYOPS_TD

include "tile/IR/TileIteratorOps.td"

def Tile_CopyAsyncOp : Tile_Op<"copy_async", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "start of a copy of one iterator's tile to another one's";
  let description = [{
    As `tile.copy` from global to shared memory, past the registers: the copy is
    started here, and is complete for the thread behind a
    `tile.async_wait_group` that covers the group into which the next
    `tile.async_commit_group` puts it; for the other threads of the block behind
    a barrier after that. Until then nobody may touch the destination.

    Elements masked off in the source become zero and are not read; the
    destination has no predicates. What both views prove of their widths, the
    narrower one, must make accesses of 4, 8 or 16 bytes: elements of 4 bytes or
    more may go anywhere, smaller ones only as vectors that are contiguous on
    both sides. `accesses = [first, count]` copies a part of the accesses. Needs
    sm_80.

    Example: 16 bytes at a time.

    ```mlir
    !global = !tile.iterator<!tile.view<f32, global, (?, ?{div = 4}) : (?{div = 4}, 1), align = 16>,
      #tile.strip_mined<tile = [8, 128], contiguous = 1, threads = 256, elements = 4>,
      advance = 0, predicated, residue>
    !shared = !tile.iterator<!tile.view<f32, shared, (8, 128) : (128, 1), align = 16>,
      #tile.strip_mined<tile = [8, 128], contiguous = 1, threads = 256, elements = 4>, steady>
    func.func @stage(%src: !global, %dst: !shared) {
      tile.copy_async %src, %dst : !global, !shared
      tile.async_commit_group
      tile.async_wait_group 0
      gpu.barrier
      return
    }
    ```
  }];
  let arguments = (ins Tile_AnyIterator:$source, Tile_AnyIterator:$destination,
    OptionalAttr<DenseI64ArrayAttr>:$accesses);
  let assemblyFormat = [{
    $source `,` $destination (`accesses` $accesses^)? attr-dict
    `:` type($source) `,` type($destination)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Elements of one copy: what both sides prove.
    int64_t getAccessWidth();
  }];
}

def Tile_AsyncCommitGroupOp : Tile_Op<"async_commit_group", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "group of the thread's asynchronous copies since the last one";
  let description = [{
    Closes a group, which may be empty. Groups complete in their order.

    Example:

    ```mlir
    func.func @close() {
      tile.async_commit_group
      return
    }
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Tile_AsyncWaitGroupOp : Tile_Op<"async_wait_group", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "wait until few groups of asynchronous copies are pending";
  let description = [{
    Waits until all but the `pending` newest groups of the thread are complete.
    The thread then sees what they copied; a barrier behind it shows that to the
    other threads.

    Example: all groups but the last one.

    ```mlir
    func.func @wait() {
      tile.async_wait_group 1
      return
    }
    ```
  }];
  let arguments = (ins I64Attr:$pending);
  let assemblyFormat = "$pending attr-dict";
  let hasVerifier = 1;
}

#endif // TILE_IR_TILEASYNCCOPYOPS_TD
