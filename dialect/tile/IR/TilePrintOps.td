// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Printing at run time.
#ifndef TILE_IR_TILEPRINTOPS_TD
#define TILE_IR_TILEPRINTOPS_TD

include "tile/IR/TileTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_Printable : AnyTypeOf<[
    Tile_LayoutType, Index, AnySignlessInteger, F16, BF16, F32, F64],
    "layout, index, signless integer of at most 64 bits, f16, bf16, f32 or f64">;

def Tile_PrintOp : Tile_Op<"print", [MemoryEffects<[MemWrite]>]> {
  let summary = "print a line at run time";
  let description = [{
    Prints `format`, with each `{}` replaced by the next value, and a line
    break. `{{` and `}}` stand for braces. A layout is printed as its type is,
    with the values of its run-time leaves; an i1 as 0 or 1, other integers with
    their sign. A line holds at most 32 numbers that are known at run time only.

    Every thread that comes here prints; one of them is chosen by a branch around
    the operation. On a GPU the line appears when the host waits for the kernel,
    in the simulator at once.

    Example: `part of thread 5: (4, 17) : (200, 1), x = 0.5`.

    ```mlir
    func.func @show(%l: !tile.layout<(4, ?) : (?, 1)>, %t: index, %x: f32) {
      tile.print "part of thread {}: {}, x = {}", %t, %l, %x
        : index, !tile.layout<(4, ?) : (?, 1)>, f32
      return
    }
    ```
  }];
  let arguments = (ins StrAttr:$format, Variadic<Tile_Printable>:$values);
  let assemblyFormat = "$format (`,` $values^ `:` type($values))? attr-dict";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The format's parts between the values, with braces for `{{` and `}}`,
    /// or the reason why it is none.
    ::tile::Result<::llvm::SmallVector<::std::string>> getParts();
  }];
}

#endif // TILE_IR_TILEPRINTOPS_TD
